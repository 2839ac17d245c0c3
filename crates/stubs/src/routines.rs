//! Routines of messages that are memory all at once, for links and values: one encodes, one decodes, one releases. Under CDR messages
//! may be in either byte order ("receiver makes right"): then a second routine decodes those in the other one, and where that is asked
//! for, another encodes them. In: PRES_C, what is wanted of which types, the encoding. Out: CAST, to stand behind the runtime's headers
//! `xdr_out.h` and `xdr_in.h`, or `cdr_out.h` and `cdr_in.h`.
//!
//! `char *encode_T(struct whittle_xdr_out *out, char *at, const void *value)` and `encode_T_swapped`,
//! `const char *decode_T(struct whittle_xdr_in *in, const char *at, void *value)` and `decode_T_swapped`, `void release_T(void *value)`.
//! Whether values are copied from the message or stay in it, the context says at run time.

use std::collections::{BTreeMap, BTreeSet};

use cast::Declaration;
use pres::PresC;

use crate::emit::Family;
use crate::emit::names::Functions;
use crate::encodings::{ByteOrder, Cdr, Encoding, Xdr};
use crate::message::Message;
use crate::plan::{Direction, Plan, RoutineId};
use crate::reserved;

/// A routine that is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// The type's name, as its stub has it.
    pub name: String,
    pub direction: Direction,
    /// Its values begin at a position of the message that is a multiple of this; 1 where nothing is known. The phase of a type
    /// that is part of others is not used.
    pub phase: u64,
}

/// How values lie in messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Messages {
    #[default]
    Xdr,
    Cdr(Orders),
    /// CDR in the machine's own order, as words of which the first are in registers.
    Words,
}

/// The byte orders of messages in CDR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Orders {
    /// The machine's alone: both sides are on it.
    One,
    /// Messages that come may be in the other one.
    Decoded,
    /// And those that go.
    Both,
}

impl Messages {
    /// What decodes stands for both byte orders.
    pub(crate) fn decodes_swapped(self) -> bool {
        matches!(self, Messages::Cdr(Orders::Decoded | Orders::Both))
    }

    /// And what encodes.
    pub(crate) fn encodes_swapped(self) -> bool {
        self == Messages::Cdr(Orders::Both)
    }

    fn family(self) -> Family {
        if self == Messages::Xdr { Family::Xdr } else { Family::Cdr }
    }

    fn encoding(self, order: ByteOrder, strict: bool) -> Box<dyn Encoding> {
        match self {
            Messages::Xdr => Box::new(Xdr { strict }),
            Messages::Cdr(_) | Messages::Words => {
                Box::new(Cdr { order, strict, in_registers: self == Messages::Words, called: None })
            }
        }
    }
}

/// What shapes the routines.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub messages: Messages,
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
    pub(crate) messages: Messages,
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

    /// The C function of a wanted routine, for messages in the usual byte order or in the other one.
    pub fn name(&self, type_name: &str, direction: Direction, swapped: bool) -> String {
        let id = RoutineId { name: type_name.to_string(), direction };
        if swapped { self.swapped.name(&id) } else { self.host.name(&id) }
    }

    /// Assertions, prototypes and functions, in this order.
    pub fn declarations(&self) -> Vec<Declaration> {
        self.assertions.iter().chain(&self.prototypes).chain(&self.bodies).cloned().collect()
    }

    fn add(&mut self, routines: crate::emit::Routines) {
        self.used.extend(routines.used.iter().cloned());
        let (assertions, prototypes, bodies) = routines.apart();
        let new: Vec<_> = assertions.into_iter().filter(|one| !self.assertions.contains(one)).collect();
        self.assertions.extend(new);
        self.prototypes.extend(prototypes);
        self.bodies.extend(bodies);
    }
}

/// What sees plans of the usual byte order alone.
pub(crate) fn of_usual(after: &mut dyn FnMut(&str, &Plan)) -> impl FnMut(ByteOrder, &str, &Plan) {
    move |order, pass, plan| {
        if order == ByteOrder::Host {
            after(pass, plan);
        }
    }
}

/// The routines. `after` sees the plan of each byte order (XDR has one, as the host's) as lowered (`lower`) and after each pass.
pub fn routines(
    pres: &PresC,
    wanted: &[Wanted],
    options: &Options,
    after: &mut dyn FnMut(ByteOrder, &str, &Plan),
) -> Routines {
    let Options { messages, strict, .. } = *options;
    let mut names = reserved::names(pres);
    names.extend(options.reserved.iter().cloned());
    // The first of a routine tells its phase.
    let phases: BTreeMap<(&str, Direction), u64> =
        wanted.iter().rev().map(|want| ((want.name.as_str(), want.direction), want.phase)).collect();
    let is_wanted = |id: &RoutineId| phases.contains_key(&(id.name.as_str(), id.direction));
    let phase = |id: &RoutineId| phases.get(&(id.name.as_str(), id.direction)).copied().unwrap_or(1);
    let encodings = [ByteOrder::Host, ByteOrder::Swapped].map(|order| messages.encoding(order, strict));
    let [usual, other] = encodings.each_ref().map(|encoding| Message {
        pres,
        encoding: encoding.as_ref(),
        family: messages.family(),
        strict,
        is_wanted: &is_wanted,
    });
    let plan = usual.plan(&phase, &options.no_opt, &mut |pass, plan| after(ByteOrder::Host, pass, plan));
    let host = Functions::around(&plan, &names, &options.prefix, "");
    names.extend(host.all().map(str::to_string));
    let owning =
        plan.routines.iter().filter(|(id, routine)| id.direction == Direction::Release && routine.owns_storage);
    let mut result =
        Routines { messages, releasing: owning.map(|(id, _)| id.name.clone()).collect(), ..Routines::default() };
    result.add(usual.routines(&plan, &host, &names, options.exported));
    if messages.decodes_swapped() {
        let mut plan = other.plan(&phase, &options.no_opt, &mut |pass, plan| after(ByteOrder::Swapped, pass, plan));
        // What does the same for both orders is there already.
        plan.routines.retain(|id, _| match id.direction {
            Direction::Decode => true,
            Direction::Encode => messages.encodes_swapped(),
            Direction::Release => false,
        });
        result.swapped = Functions::around(&plan, &names, &options.prefix, "_swapped").or(&host);
        result.add(other.routines(&plan, &result.swapped, &names, options.exported));
    }
    Routines { host, ..result }
}
