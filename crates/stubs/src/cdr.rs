//! Routines of messages in CDR, for links: one encodes in the machine's byte order and, where that is asked for, one in the
//! other order; two decode, for messages in either ("receiver makes right"), one releases. In: PRES_C, and what is wanted of
//! which types. Out: CAST, to stand behind the runtime's headers `cdr_out.h` and `cdr_in.h`.
//!
//! `char *encode_T(struct whittle_cdr_out *out, char *at, const void *value)` and `encode_T_swapped`,
//! `const char *decode_T(struct whittle_cdr_in *in, const char *at, void *value)` and `decode_T_swapped`,
//! `void release_T(void *value)`.

use std::collections::{BTreeMap, BTreeSet};

use cast::Declaration;
use pres::PresC;

use crate::emit::Family;
use crate::emit::names::Functions;
use crate::encodings::{ByteOrder, Cdr};
use crate::message::Message;
pub(crate) use crate::message::without_owners;
use crate::plan::{Direction, Plan, RoutineId};
use crate::reserved;

/// A routine that a link calls; decoding stands for both byte orders, and so may encoding ([`Options::encodes_swapped`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The type's name, as its stub has it.
    pub name: String,
    pub direction: Direction,
    /// Its values begin at a position of the message that is a multiple of this; 1 where nothing is known. The phase of a type
    /// that is part of others is not used.
    pub phase: u64,
}

/// What shapes the routines.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// Booleans that are neither 0 nor 1 are refused, and so are numbers that no member of their enumeration has.
    pub strict: bool,
    /// What the routines are called begins so: `whittle_` for `whittle_encode_T`.
    pub prefix: String,
    /// Other files call the wanted routines.
    pub exported: bool,
    /// Messages may be sent in the other byte order, too: what encodes stands for both.
    pub encodes_swapped: bool,
    /// Both sides are on one machine: nothing stands for the other byte order.
    pub one_order: bool,
    /// Messages are words in the machine's own order, the first in registers.
    pub in_registers: bool,
    /// Beside what the header declares: nothing here is called so.
    pub reserved: BTreeSet<String>,
}

/// The routines, and what stands before them.
#[derive(Default)]
pub struct Routines {
    /// What runs of words rely on, to be asserted where the types are complete.
    pub assertions: Vec<Declaration>,
    /// Of all wanted routines, and of those that routines call.
    pub prototypes: Vec<Declaration>,
    pub bodies: Vec<Declaration>,
    /// Sections of the runtime that they use.
    pub used: BTreeSet<String>,
    host: Functions,
    swapped: Functions,
    /// The types whose values hold storage.
    releasing: BTreeSet<String>,
}

impl Routines {
    /// Whether there is something to release in values of a type; else there need be no function for it.
    pub fn releases(&self, type_name: &str) -> bool {
        self.releasing.contains(type_name)
    }

    /// The C function of a wanted routine, for messages in the machine's byte order or in the other one.
    pub fn name(&self, type_name: &str, direction: Direction, swapped: bool) -> String {
        let id = RoutineId { name: type_name.to_string(), direction };
        if swapped { self.swapped.name(&id) } else { self.host.name(&id) }
    }

    /// Assertions, prototypes and functions, in this order.
    pub fn declarations(&self) -> Vec<Declaration> {
        self.assertions.iter().chain(&self.prototypes).chain(&self.bodies).cloned().collect()
    }
}

/// The routines. `after` sees the plan of each byte order (`host`, `swapped`), as lowered (`lower`) and after each pass.
pub fn routines(
    pres: &PresC,
    wanted: &[Wanted],
    options: &Options,
    after: &mut dyn FnMut(&str, &str, &Plan),
) -> Routines {
    let mut names = reserved::names(pres);
    names.extend(options.reserved.iter().cloned());
    // The first of a routine tells its phase.
    let phases: BTreeMap<(&str, Direction), u64> =
        wanted.iter().rev().map(|want| ((want.name.as_str(), want.direction), want.phase)).collect();
    let is_wanted = |id: &RoutineId| phases.contains_key(&(id.name.as_str(), id.direction));
    let phase = |id: &RoutineId| phases.get(&(id.name.as_str(), id.direction)).copied().unwrap_or(1);
    let strict = options.strict;
    let encodings =
        [ByteOrder::Host, ByteOrder::Swapped].map(|order| Cdr { order, strict, in_registers: options.in_registers });
    let [in_host, in_swapped] = encodings.each_ref().map(|encoding| Message {
        pres,
        encoding,
        family: Family::Cdr,
        strict,
        is_wanted: &is_wanted,
    });
    let host = in_host.plan(&phase, &options.no_opt, &mut |pass, plan| after("host", pass, plan));
    let mut swapped = in_swapped.plan(&phase, &options.no_opt, &mut |pass, plan| after("swapped", pass, plan));
    let mut result = Routines { host: Functions::around(&host, &names, &options.prefix, ""), ..Routines::default() };
    names.extend(result.host.all().map(str::to_string));
    let owning =
        host.routines.iter().filter(|(id, routine)| id.direction == Direction::Release && routine.owns_storage);
    result.releasing = owning.map(|(id, _)| id.name.clone()).collect();
    // What does the same for both orders is there already.
    swapped.routines.retain(|id, _| match id.direction {
        _ if options.one_order => false,
        Direction::Decode => true,
        Direction::Encode => options.encodes_swapped,
        Direction::Release => false,
    });
    result.swapped = Functions::around(&swapped, &names, &options.prefix, "_swapped").or(&result.host);
    let both = [
        in_host.routines(&host, &result.host, &names, options.exported),
        in_swapped.routines(&swapped, &result.swapped, &names, options.exported),
    ];
    for routines in both {
        result.used.extend(routines.used.iter().cloned());
        let (assertions, prototypes, bodies) = routines.apart();
        result
            .assertions
            .extend(assertions.into_iter().filter(|one| !result.assertions.contains(one)).collect::<Vec<_>>());
        result.prototypes.extend(prototypes);
        result.bodies.extend(bodies);
    }
    result
}
