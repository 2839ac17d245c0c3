//! Messages that are nothing but one counted run of words. In: the body of an encoding routine. Out: the statement that
//! its entry begins with, which writes the message to a memory stream with one check and without a window.

use cast::build::{name, returns, unsigned, when};
use cast::{Expression, Statement, Type};

use super::routine::Emitter;
use crate::plan::{Access, Count, Op, Place, Word};

/// The variable of an entry that holds the value's address, as `v` does in routines.
const OBJECT: &str = "objp";

impl Emitter<'_> {
    /// `if (whittle_marshal_run32(xdrs, items, count, bound, size)) return TRUE;` where the routine is one run.
    pub(super) fn whole_run(&mut self, xdrs: &Expression) -> Option<Statement> {
        let routine = self.routine;
        let [Op::Check { count: Count::Value(length), bound, .. }, Op::Ensure(4), Op::Chunk { size: 4, parts }, run] =
            routine.body.as_slice()
        else {
            return None;
        };
        let [part] = parts.as_slice() else { return None };
        let Op::Order { word, place, count: Count::Value(counted), words } = run else { return None };
        let is_count = part.access == Access::Count(Count::Value(length.clone())) && counted == length;
        let size = u32::try_from(words * word.bytes()).ok()?;
        if !is_count || routine.is_array || routine.is_loop || !matches!(place.ty, Type::Pointer(_)) {
            return None;
        }
        let section = match word {
            Word::One | Word::Two => return None,
            Word::Four => "marshal_run32",
            Word::Eight => "marshal_run64",
        };
        let (items, length) = (self.place(&in_entry(place)), self.place(&in_entry(length)));
        let arguments = vec![xdrs.clone(), items, length, self.bound(bound.as_ref()), unsigned(u64::from(size))];
        let written = self.runtime(section, arguments, Type::INT);
        Some(when(written, vec![returns(name("TRUE", Type::INT))]))
    }
}

/// The place, as an entry reaches it.
fn in_entry(place: &Place) -> Place {
    Place { variable: OBJECT.to_string(), ..place.clone() }
}
