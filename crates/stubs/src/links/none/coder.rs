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
use crate::values::Values;
use crate::{cdr, runtime, xdr};

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

    /// The routine that lets go of a value; `None` where values hold nothing.
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
        make: |given, _, after| Box::new(InXdr(xdr_routines(given, &DIRECTIONS, after))),
    },
    Maker {
        name: "cdr",
        encoding: |pres| {
            Box::new(Cdr { strict: pres.strict_enumerations, order: ByteOrder::Host, in_registers: false })
        },
        refused: |_| Vec::new(),
        make: |given, _, after| Box::new(InCdr(cdr_routines(given, after))),
    },
    protobuf::MAKER,
];

const DIRECTIONS: [Direction; 3] = [Direction::Encode, Direction::Decode, Direction::Release];

fn wanted<'a>(given: &'a Given, directions: &'a [Direction]) -> impl Iterator<Item = (String, Direction)> + use<'a> {
    let name = |id: &TypeStubId| given.pres.types[*id].name.clone();
    given.types.iter().flat_map(move |id| directions.iter().map(move |direction| (name(id), *direction)))
}

/// Routines over messages in XDR; what releases values is the same in every encoding.
pub(crate) fn xdr_routines(given: &Given, directions: &[Direction], after: After) -> xdr::Routines {
    let wanted: Vec<_> = wanted(given, directions).map(|(name, direction)| xdr::Wanted { name, direction }).collect();
    let (no_opt, strict) = (given.options.no_opt.clone(), given.pres.strict_enumerations);
    xdr::routines(given.pres, &wanted, &xdr::Options { no_opt, strict, ..xdr::Options::default() }, after)
}

fn cdr_routines(given: &Given, after: After) -> cdr::Routines {
    // A byte that tells the order stands before each value.
    let want = |(name, direction)| cdr::Wanted { name, direction, phase: 1 };
    let wanted: Vec<_> = wanted(given, &DIRECTIONS).map(want).collect();
    let (no_opt, strict) = (given.options.no_opt.clone(), given.pres.strict_enumerations);
    let mut of_host = |order: &str, pass: &str, plan: &_| {
        if order == "host" {
            after(pass, plan);
        }
    };
    cdr::routines(given.pres, &wanted, &cdr::Options { no_opt, strict, ..cdr::Options::default() }, &mut of_host)
}

struct InXdr(xdr::Routines);
struct InCdr(cdr::Routines);

impl Coder for InXdr {
    fn declarations(&self) -> Vec<Declaration> {
        self.0.declarations()
    }

    fn used(&self) -> BTreeSet<String> {
        with(&self.0.used, ["value_size", "codec_xdr_encode", "codec_xdr_decode"])
    }

    fn headers(&self) -> [&'static [&'static str]; 2] {
        [runtime::XDR, &[]]
    }

    fn release(&self, type_name: &str) -> Option<String> {
        self.0.releases(type_name).then(|| self.0.name(type_name, Direction::Release))
    }

    fn size(&self, call: Call) -> Called {
        measured(call, 0)
    }

    fn encode(&self, call: Call) -> Called {
        let name = self.0.name(call.type_name, Direction::Encode);
        ("whittle_codec_xdr_encode".to_string(), [call.given, vec![routine(&name)]].concat())
    }

    fn decode(&self, call: Call) -> Called {
        let routines = vec![routine(&self.0.name(call.type_name, Direction::Decode))];
        ("whittle_codec_xdr_decode".to_string(), decoding(call, routines))
    }
}

impl Coder for InCdr {
    fn declarations(&self) -> Vec<Declaration> {
        self.0.declarations()
    }

    fn used(&self) -> BTreeSet<String> {
        with(&self.0.used, ["value_size", "codec_cdr_encode", "codec_cdr_decode"])
    }

    fn headers(&self) -> [&'static [&'static str]; 2] {
        [runtime::CDR, &[]]
    }

    fn release(&self, type_name: &str) -> Option<String> {
        self.0.releases(type_name).then(|| self.0.name(type_name, Direction::Release, false))
    }

    /// Behind the byte that tells the order.
    fn size(&self, call: Call) -> Called {
        measured(call, 1)
    }

    fn encode(&self, call: Call) -> Called {
        let name = self.0.name(call.type_name, Direction::Encode, false);
        ("whittle_codec_cdr_encode".to_string(), [call.given, vec![routine(&name)]].concat())
    }

    fn decode(&self, call: Call) -> Called {
        let names = [false, true].map(|swapped| self.0.name(call.type_name, Direction::Decode, swapped));
        let routines = names.iter().map(|name| routine(name)).collect();
        ("whittle_codec_cdr_decode".to_string(), decoding(call, routines))
    }
}

fn with(used: &BTreeSet<String>, more: [&str; 3]) -> BTreeSet<String> {
    used.iter().cloned().chain(more.map(str::to_string)).collect()
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
