//! What an encoding does for values without a connection: the calls that measure, encode and decode a value, what must stand before them,
//! and the run time behind them. In: PRES_C, which types, tables of them. Out: CAST. [`MAKERS`] lists all; XDR's and CDR's are here, since
//! both call routines that a plan becomes.

use std::collections::BTreeSet;

use cast::build::{name, unsigned};
use cast::{Declaration, Expression, Type};
use pres::{PresC, TypeStubId};
use source::Diagnostic;

use super::{After, Options};
use crate::encodings::{ByteOrder, Cdr, Encoding, Xdr, protobuf};
use crate::plan::Direction;
use crate::routines::{self, Messages, Orders, Routines, Wanted};
use crate::runtime;
use crate::values::Values;

/// What a coder is made of.
pub(crate) struct Given<'a> {
    pub(crate) pres: &'a PresC,
    /// The types of this file.
    pub(crate) types: &'a [TypeStubId],
    pub(crate) options: &'a Options,
}

/// A type's value, and what its function is given.
pub(crate) struct Call<'a> {
    /// The type's name, as its stub has it.
    pub(crate) type_name: &'a str,
    /// The tables, and the place of the type among them.
    pub(crate) table: [Expression; 2],
    /// The function's parameters.
    pub(crate) given: Vec<Expression>,
    /// Bytes of the value in C.
    pub(crate) size: Expression,
    pub(crate) release: Expression,
}

/// A function of the run time, and its arguments.
pub(crate) type Called = (String, Vec<Expression>);

/// One encoding of values.
pub(crate) trait Coder {
    /// What stands before the functions.
    fn declarations(&self) -> Vec<Declaration>;

    /// Sections of the run time that these use.
    fn used(&self) -> BTreeSet<String>;

    /// The headers of the run time that have them: before those of values, and behind them.
    fn headers(&self) -> [&'static [&'static str]; 2];

    /// The routine that releases a value; `None` where values hold nothing.
    fn release(&self, type_name: &str) -> Option<String>;

    fn size(&self, call: Call) -> Called;
    fn encode(&self, call: Call) -> Called;
    fn decode(&self, call: Call) -> Called;
}

/// Makes a coder of the tables of values, which have the encoding's numbers.
pub(crate) type Make = fn(&Given, &Values, After) -> Box<dyn Coder>;

/// One encoding: its name, its sizes of numbers, what it cannot say, its coder.
pub(crate) struct Maker {
    pub(crate) name: &'static str,
    pub(crate) encoding: fn(&PresC) -> Box<dyn Encoding>,
    pub(crate) refused: fn(&PresC) -> Vec<Diagnostic>,
    pub(crate) make: Make,
}

/// All encodings of values, the usual one first.
pub(crate) const MAKERS: [Maker; 3] = [
    Maker {
        name: "xdr",
        encoding: |pres| Box::new(Xdr { strict: pres.strict_enumerations }),
        refused: |_| Vec::new(),
        make: |given, _, after| in_memory("xdr", routines(given, Messages::Xdr, &DIRECTIONS, after)),
    },
    Maker {
        name: "cdr",
        encoding: |pres| {
            Box::new(Cdr {
                strict: pres.strict_enumerations,
                order: ByteOrder::Host,
                in_registers: false,
                called: None,
            })
        },
        refused: |_| Vec::new(),
        make: |given, _, after| in_memory("cdr", routines(given, Messages::Cdr(Orders::Decoded), &DIRECTIONS, after)),
    },
    protobuf::MAKER,
];

const DIRECTIONS: [Direction; 3] = [Direction::Encode, Direction::Decode, Direction::Release];

/// Routines over messages; those that release values are the same in every encoding.
pub(crate) fn routines(given: &Given, messages: Messages, directions: &[Direction], after: After) -> Routines {
    // Where there may be two byte orders, a byte that tells the order stands before each value.
    let want = |name: &String, direction| Wanted { name: name.clone(), direction, phase: 1 };
    let names = given.types.iter().map(|id| &given.pres.types[*id].name);
    let wanted: Vec<_> =
        names.flat_map(|name| directions.iter().map(move |direction| want(name, *direction))).collect();
    let (no_opt, strict) = (given.options.no_opt.clone(), given.pres.strict_enumerations);
    let options = routines::Options { messages, no_opt, strict, ..routines::Options::default() };
    routines::routines(given.pres, &wanted, &options, &mut routines::of_usual(after))
}

/// By routines over messages that are memory.
struct InMemory {
    encoding: &'static str,
    routines: Routines,
}

fn in_memory(encoding: &'static str, routines: Routines) -> Box<dyn Coder> {
    Box::new(InMemory { encoding, routines })
}

impl InMemory {
    /// The byte orders of what is decoded.
    fn orders(&self) -> &'static [bool] {
        if self.routines.messages.decodes_swapped() { &[false, true] } else { &[false] }
    }
}

impl Coder for InMemory {
    fn declarations(&self) -> Vec<Declaration> {
        self.routines.declarations()
    }

    fn used(&self) -> BTreeSet<String> {
        let own = ["encode", "decode"].map(|verb| format!("codec_{}_{verb}", self.encoding));
        self.routines.used.iter().cloned().chain(["value_size".to_string()]).chain(own).collect()
    }

    fn headers(&self) -> [&'static [&'static str]; 2] {
        [if self.routines.messages == Messages::Xdr { runtime::XDR } else { runtime::CDR }, &[]]
    }

    fn release(&self, type_name: &str) -> Option<String> {
        self.routines.releases(type_name).then(|| self.routines.name(type_name, Direction::Release, false))
    }

    /// Behind the byte that tells the order, if there is one.
    fn size(&self, call: Call) -> Called {
        measured(call, u64::from(self.routines.messages.decodes_swapped()))
    }

    fn encode(&self, call: Call) -> Called {
        let name = self.routines.name(call.type_name, Direction::Encode, false);
        (format!("whittle_codec_{}_encode", self.encoding), [call.given, vec![routine(&name)]].concat())
    }

    fn decode(&self, call: Call) -> Called {
        let name = |swapped: &bool| self.routines.name(call.type_name, Direction::Decode, *swapped);
        let routines = self.orders().iter().map(|swapped| routine(&name(swapped))).collect();
        (format!("whittle_codec_{}_decode", self.encoding), decoding(call, routines))
    }
}

/// By the tables, behind so many bytes.
fn measured(call: Call, from: u64) -> Called {
    let mut arguments = call.table.to_vec();
    arguments.extend(call.given);
    arguments.insert(3, unsigned(from));
    ("whittle_value_size".to_string(), arguments)
}

/// The value, its size, the other parameters, the routines, and what releases.
pub(crate) fn decoding(call: Call, routines: Vec<Expression>) -> Vec<Expression> {
    let mut arguments = call.given;
    arguments.insert(1, call.size);
    arguments.extend(routines);
    arguments.push(call.release);
    arguments
}

pub(crate) fn routine(routine: &str) -> Expression {
    name(routine, Type::Void)
}
