//! Routines of messages in XDR that are memory all at once, for links without a library: one encodes, one decodes, one
//! releases. In: PRES_C, and what is wanted of which types. Out: CAST, to stand behind the runtime's headers `xdr_out.h`
//! and `xdr_in.h`.
//!
//! `char *encode_T(struct whittle_xdr_out *out, char *at, const void *value)`,
//! `const char *decode_T(struct whittle_xdr_in *in, const char *at, void *value)`, `void release_T(void *value)`.
//! Whether values are copied from the message or stay in it, the context says at run time.

use std::collections::BTreeSet;

use cast::Declaration;
use pres::PresC;

use crate::emit::Family;
use crate::emit::names::Functions;
use crate::encodings::Xdr;
use crate::message::Message;
use crate::plan::{Direction, Plan, RoutineId};
use crate::reserved;

/// A routine that a link calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The type's name, as its stub has it.
    pub name: String,
    pub direction: Direction,
}

/// What shapes the routines.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// Words that stand for fewer values than they can say (booleans, enumerations, numbers of 8 and 16 bits) say one of these.
    pub strict: bool,
    /// What the routines are called begins so: `whittle_` for `whittle_encode_T`.
    pub prefix: String,
    /// Other files call the wanted routines.
    pub exported: bool,
    /// Beside what the header declares: nothing here is called so.
    pub reserved: BTreeSet<String>,
}

/// The routines, and what stands before them.
#[derive(Default)]
pub struct Routines {
    /// What runs of words rely on, to be asserted where the types are complete.
    pub assertions: Vec<Declaration>,
    /// Of all wanted routines that are exported, and of those that routines call.
    pub prototypes: Vec<Declaration>,
    pub bodies: Vec<Declaration>,
    /// Sections of the runtime that they use.
    pub used: BTreeSet<String>,
    functions: Functions,
    /// The types whose values hold storage.
    releasing: BTreeSet<String>,
}

impl Routines {
    /// The C function of a wanted routine.
    pub fn name(&self, type_name: &str, direction: Direction) -> String {
        self.functions.name(&RoutineId { name: type_name.to_string(), direction })
    }

    /// Whether there is something to release in values of a type; else there is no function for it.
    pub fn releases(&self, type_name: &str) -> bool {
        self.releasing.contains(type_name)
    }

    /// Assertions, prototypes and functions, in this order.
    pub fn declarations(&self) -> Vec<Declaration> {
        self.assertions.iter().chain(&self.prototypes).chain(&self.bodies).cloned().collect()
    }
}

/// The routines. `after` sees the plan as lowered (`lower`) and after each pass.
pub fn routines(pres: &PresC, wanted: &[Wanted], options: &Options, after: &mut dyn FnMut(&str, &Plan)) -> Routines {
    let mut names = reserved::names(pres);
    names.extend(options.reserved.iter().cloned());
    let wanted: BTreeSet<(&str, Direction)> = wanted.iter().map(|want| (want.name.as_str(), want.direction)).collect();
    let is_wanted = |id: &RoutineId| wanted.contains(&(id.name.as_str(), id.direction));
    let encoding = Xdr { strict: options.strict };
    let message =
        Message { pres, encoding: &encoding, family: Family::Xdr, strict: options.strict, is_wanted: &is_wanted };
    let plan = message.plan(&|_| 1, &options.no_opt, after);
    let functions = Functions::around(&plan, &names, &options.prefix, "");
    let routines = message.routines(&plan, &functions, &names, options.exported);
    let used = routines.used.clone();
    let (assertions, prototypes, bodies) = routines.apart();
    let owning =
        plan.routines.iter().filter(|(id, routine)| id.direction == Direction::Release && routine.owns_storage);
    let releasing = owning.map(|(id, _)| id.name.clone()).collect();
    Routines { assertions, prototypes, bodies, used, functions, releasing }
}
