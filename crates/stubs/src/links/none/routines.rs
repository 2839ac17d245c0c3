//! The routines that encode, decode and release, in either encoding. In: PRES_C, which types. Out: functions, and their names.

use std::collections::BTreeSet;

use cast::Declaration;
use pres::{PresC, TypeStubId};

use super::{After, Options};
use crate::plan::Direction;
use crate::{cdr, xdr};

/// What is called for a type.
pub(super) struct Names {
    pub(super) encode: String,
    pub(super) decode: String,
    /// For bytes in the other order, where the encoding has two.
    pub(super) swapped: Option<String>,
    /// Where values hold storage.
    pub(super) release: Option<String>,
}

pub(super) struct Routines {
    pub(super) declarations: Vec<Declaration>,
    /// Sections of the runtime that they use.
    pub(super) used: BTreeSet<String>,
    names: Made,
}

enum Made {
    Xdr(xdr::Routines),
    Cdr(cdr::Routines),
}

const DIRECTIONS: [Direction; 3] = [Direction::Encode, Direction::Decode, Direction::Release];

impl Routines {
    pub(super) fn of(pres: &PresC, types: &[TypeStubId], options: &Options, after: After) -> Routines {
        let wanted = types.iter().flat_map(|id| DIRECTIONS.map(|direction| (pres.types[*id].name.clone(), direction)));
        let (no_opt, strict) = (options.no_opt.clone(), pres.strict_enumerations);
        if options.is_cdr {
            // A byte that tells the order stands before each value.
            let want = |(name, direction)| cdr::Wanted { name, direction, phase: 1 };
            let wanted: Vec<_> = wanted.map(want).collect();
            let options = cdr::Options { no_opt, strict, ..cdr::Options::default() };
            let mut after = |order: &str, pass: &str, plan: &_| {
                if order == "host" {
                    after(pass, plan);
                }
            };
            let made = cdr::routines(pres, &wanted, &options, &mut after);
            Routines { declarations: made.declarations(), used: made.used.clone(), names: Made::Cdr(made) }
        } else {
            let wanted: Vec<_> = wanted.map(|(name, direction)| xdr::Wanted { name, direction }).collect();
            let options = xdr::Options { no_opt, strict, ..xdr::Options::default() };
            let made = xdr::routines(pres, &wanted, &options, after);
            Routines { declarations: made.declarations(), used: made.used.clone(), names: Made::Xdr(made) }
        }
    }

    pub(super) fn names(&self, type_name: &str) -> Names {
        match &self.names {
            Made::Xdr(made) => Names {
                encode: made.name(type_name, Direction::Encode),
                decode: made.name(type_name, Direction::Decode),
                swapped: None,
                release: made.releases(type_name).then(|| made.name(type_name, Direction::Release)),
            },
            Made::Cdr(made) => Names {
                encode: made.name(type_name, Direction::Encode, false),
                decode: made.name(type_name, Direction::Decode, false),
                swapped: Some(made.name(type_name, Direction::Decode, true)),
                release: made.releases(type_name).then(|| made.name(type_name, Direction::Release, false)),
            },
        }
    }
}
