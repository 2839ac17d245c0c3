//! The routines that a file of stubs uses: bodies of requests and replies, and exceptions. In: PRES_C and what is wanted.
//! Out: functions, decoding ones in two byte orders (receiver makes right), and their names.

use std::collections::BTreeSet;

use cast::build::{call, conditional, name};
use cast::{Declaration, Expression, Function, Type};
use pres::{PresC, TypeStubId};

use super::{After, Options, SentOrder};
use crate::cdr::{self, Routines, Wanted};
use crate::plan::Direction;

/// A routine that is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Use {
    stub: TypeStubId,
    direction: Direction,
    /// A position that its values begin at is a multiple of this.
    phase: u64,
}

impl Use {
    pub(super) fn new(stub: TypeStubId, direction: Direction) -> Use {
        Use { stub, direction, phase: 1 }
    }

    /// The body of a message that is sent: the ORB begins it at a multiple of 8.
    pub(super) fn body(stub: TypeStubId) -> Use {
        Use { stub, direction: Direction::Encode, phase: 8 }
    }
}

/// The routines, and how they are called.
pub(super) struct Marshalling<'a> {
    pres: &'a PresC,
    pub(super) declarations: Vec<Declaration>,
    routines: Routines,
    encodes_swapped: bool,
    /// The functions that are there: values that hold nothing are not released.
    functions: BTreeSet<String>,
}

impl<'a> Marshalling<'a> {
    pub(super) fn new(pres: &'a PresC, options: &Options, wanted: &[Use], after: After) -> Marshalling<'a> {
        let wanted: Vec<Wanted> = wanted
            .iter()
            .map(|of| Wanted { name: pres.types[of.stub].name.clone(), direction: of.direction, phase: of.phase })
            .collect();
        let cdr_options = cdr::Options {
            no_opt: options.no_opt.clone(),
            strict: pres.strict_enumerations,
            encodes_swapped: options.byte_order != SentOrder::Host,
            ..cdr::Options::default()
        };
        let mut host_alone = |order: &str, pass: &str, plan: &crate::plan::Plan| {
            if order == "host" {
                after(pass, plan);
            }
        };
        let routines = cdr::routines(pres, &wanted, &cdr_options, &mut host_alone);
        let declarations = routines.declarations();
        let functions = declarations.iter().filter_map(|declaration| match declaration {
            Declaration::Function(Function { name, .. }) => Some(name.clone()),
            _ => None,
        });
        let functions = functions.collect();
        Marshalling { pres, declarations, routines, encodes_swapped: cdr_options.encodes_swapped, functions }
    }

    fn name(&self, stub: TypeStubId, direction: Direction, swapped: bool) -> String {
        self.routines.name(&self.pres.types[stub].name, direction, swapped)
    }

    /// A call of the routine that encodes: `encode(…)` or, where another order than the host's may be sent,
    /// `WHITTLE_SENDS_SWAPPED ? encode_swapped(…) : encode(…)`.
    pub(super) fn encode(&self, stub: TypeStubId, arguments: &[Expression]) -> Expression {
        let routine = |swapped: bool| {
            let name = self.name(stub, Direction::Encode, swapped);
            call(name, arguments.to_vec(), Type::CHAR.pointer())
        };
        if !self.encodes_swapped {
            return routine(false);
        }
        conditional(name("WHITTLE_SENDS_SWAPPED", Type::INT), routine(true), routine(false))
    }

    /// A call of the routine that decodes what is in the host's order, or of that for the other:
    /// `call.swapped ? decode_swapped(…) : decode(…)`.
    pub(super) fn decode(&self, stub: TypeStubId, is_swapped: Expression, arguments: &[Expression]) -> Expression {
        let [host, other] = [false, true].map(|swapped| {
            call(self.name(stub, Direction::Decode, swapped), arguments.to_vec(), Type::CHAR.constant().pointer())
        });
        conditional(is_swapped, other, host)
    }

    /// The routine that lets go of what values hold, where they hold anything.
    pub(super) fn release(&self, stub: TypeStubId) -> Option<String> {
        Some(self.name(stub, Direction::Release, false)).filter(|name| self.functions.contains(name))
    }
}
