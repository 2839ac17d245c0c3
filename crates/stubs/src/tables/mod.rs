//! Marshalling by table, for types whose own routines would not pay: a few words of data for each part of a value, and one
//! routine of the runtime that walks through them (`runtime/include/whittle/table_walk.h`).
//!
//! In: PRES_C, the finished plan, and what is preferred. Out: the plan without the types that get tables, and the tables in C.
//! Why: routines of a type's own are five to ten times the code of rpcgen's, which call a library for each part.

mod build;
mod choose;
mod costs;
mod emit;
mod fit;
mod hangs;
mod sizes;
mod walk;

use std::collections::BTreeMap;

use cast::{Expression, Type};

pub use choose::{Chosen, Prefer, Why, choose};
pub use costs::{Cost, Costs, costs};
pub(crate) use emit::{Emitted, emitted};
pub use walk::Walk;

/// The tables of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tables {
    /// By the branch of `#if … #endif` that their types stand in, as [`pres::Lines`] counts them.
    groups: BTreeMap<usize, Group>,
}

/// The tables of one branch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Group {
    /// The types in the order of the header; cases of unions come behind the type that has them.
    forms: Vec<Form>,
    /// What the tables call: `xdr_T`.
    routines: Vec<String>,
}

/// One table.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Form {
    /// The type's name in the plan, where values of it are what the table is of.
    name: Option<String>,
    /// What users call, where this file has it.
    entry: Option<Entry>,
    parts: Vec<Part>,
}

/// `bool_t routine(XDR *, T *)`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    routine: String,
    ty: Type,
    is_array: bool,
}

/// One entry of a table, as `struct whittle_part` has it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    kind: &'static str,
    owns: bool,
    offset: Offset,
    number: Number,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Offset {
    /// A member of the value, by its path.
    Member(Type, Vec<String>),
    Known(u64),
    /// From the entry so many before this one to the table that begins there.
    Form(usize, usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Number {
    Value(Expression),
    Known(u64),
    /// The table that begins there.
    Form(usize),
    /// The table of a type.
    Type(String),
    /// Where a member lies in the value.
    Offset(Type, Vec<String>),
}

impl Part {
    /// A part of its own, of no member.
    fn new(kind: &'static str, number: u64) -> Part {
        Part { kind, owns: false, offset: Offset::Known(0), number: Number::Known(number) }
    }
}

impl Tables {
    /// True where no type has a table.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// What the tables need of the runtime's walk.
    pub fn walk(&self) -> Walk {
        let forms = self.groups.values().flat_map(|group| &group.forms);
        Walk::through(&forms.flat_map(|form| &form.parts).collect::<Vec<_>>())
    }
}
