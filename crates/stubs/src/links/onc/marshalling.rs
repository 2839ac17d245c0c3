//! The routines that a file of stubs uses. In: PRES_C and what is wanted. Out: functions, and their names.

use cast::Declaration;
use pres::{PresC, TypeStubId};

use super::{After, Options};
use crate::plan::Direction;
use crate::xdr::{self, Routines, Wanted};

/// The routines, and how they are called.
pub(super) struct Marshalling<'a> {
    pres: &'a PresC,
    routines: Routines,
}

impl<'a> Marshalling<'a> {
    pub(super) fn new(
        pres: &'a PresC,
        options: &Options,
        wanted: &[(TypeStubId, Direction)],
        after: After,
    ) -> Marshalling<'a> {
        let want = |(stub, direction): &(TypeStubId, Direction)| {
            let name = pres.types[*stub].name.clone();
            Wanted { name, direction: *direction }
        };
        let wanted: Vec<Wanted> = wanted.iter().map(want).collect();
        let options = xdr::Options {
            no_opt: options.no_opt.clone(),
            strict: pres.strict_enumerations,
            ..xdr::Options::default()
        };
        let routines = xdr::routines(pres, &wanted, &options, after);
        Marshalling { pres, routines }
    }

    pub(super) fn declarations(&self) -> Vec<Declaration> {
        self.routines.declarations()
    }

    /// The routine for a type.
    pub(super) fn name(&self, stub: TypeStubId, direction: Direction) -> String {
        self.routines.name(&self.pres.types[stub].name, direction)
    }

    /// The routine that lets go of what values hold, where they hold anything.
    pub(super) fn release(&self, stub: TypeStubId) -> Option<String> {
        let is_there = self.routines.releases(&self.pres.types[stub].name);
        is_there.then(|| self.name(stub, Direction::Release))
    }
}
