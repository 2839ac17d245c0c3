//! Values described by tables, which the runtime's functions (`runtime/include/whittle/values.h`) go by: how many bytes an encoding
//! takes, whether two values are equal, copies, text. In: PRES_C of any style, an encoding. Out: CAST: an array of types, one of parts,
//! one of labels, one of names. Types refer to each other by their places, so that cycles need no declaration ahead.

mod forms;
mod rows;
mod write;

use std::collections::BTreeMap;

use cast::Expression;
use pres::{Extent, NodeId, Pres, PresC, TypeStubId};

use crate::encodings::Encoding;

/// The tables of a file.
pub(crate) struct Values {
    types: Vec<Row>,
    parts: Vec<Part>,
    labels: Vec<Label>,
    names: Vec<String>,
    roots: BTreeMap<TypeStubId, usize>,
    /// The types that have a name, by place.
    named: BTreeMap<usize, String>,
    /// Where each node's type is.
    places: BTreeMap<NodeId, usize>,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) kind: &'static str,
    /// Bytes of a number in the encoding; of a count that stands beside its array, in C.
    pub(crate) wire: u64,
    align: u64,
    /// Bytes in C; 0 where nothing asks.
    size: Option<Expression>,
    pub(crate) of: usize,
    pub(crate) most: Option<Extent>,
    pub(crate) first: usize,
    /// Of a whole number: its form ([`Values::form`]).
    pub(crate) count: usize,
    pub(crate) labels: usize,
    pub(crate) otherwise: Chosen,
    count_at: Option<Expression>,
    data_at: Option<Expression>,
}

/// What a union's discriminant chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chosen {
    Part(usize),
    Nothing,
    NoValue,
}

pub(crate) struct Part {
    pub(crate) name: String,
    at: Expression,
    pub(crate) ty: usize,
    /// It says how many elements another part has.
    pub(crate) is_count: bool,
}

pub(crate) struct Label {
    value: Expression,
    pub(crate) chosen: Chosen,
}

/// Where a value lies that has no type with a name: in one that has, behind these members.
#[derive(Clone)]
struct Within {
    ty: String,
    path: String,
}

impl Values {
    /// The tables of these types, and of all that they hold.
    pub(crate) fn of(pres: &PresC, encoding: &dyn Encoding, stubs: &[TypeStubId]) -> Values {
        let mut builder = rows::Builder::new(pres, encoding);
        let roots: BTreeMap<TypeStubId, usize> =
            stubs.iter().map(|id| (*id, builder.place(pres.types[*id].node, None))).collect();
        let mut values = builder.finish(roots);
        if !encoding.goes_by_place() {
            values.give_forms(&pres.number_forms);
        }
        values
    }

    /// The types, and the names of those that have one.
    pub(crate) fn types(&self) -> impl Iterator<Item = (&Row, Option<&str>)> {
        self.types.iter().enumerate().map(|(place, row)| (row, self.named.get(&place).map(String::as_str)))
    }

    /// A type, and its name if it has one.
    pub(crate) fn at(&self, place: usize) -> (&Row, Option<&str>) {
        (&self.types[place], self.named.get(&place).map(String::as_str))
    }

    /// The place of what a node is; `None` where no type of these holds it.
    pub(crate) fn place_of(&self, pres: &PresC, node: NodeId) -> Option<usize> {
        self.places.get(&resolved(pres, node)).copied()
    }

    /// The parts of a type: members, or a discriminant and its arms.
    pub(crate) fn parts_of(&self, row: &Row) -> std::ops::Range<usize> {
        let arms = || {
            let labels = self.labels[row.labels..row.labels + row.count].iter().map(|label| label.chosen);
            let last = |chosen| if let Chosen::Part(part) = chosen { Some(part) } else { None };
            labels.chain([row.otherwise]).filter_map(last).max().unwrap_or(row.first)
        };
        match row.kind {
            "STRUCTURE" => row.first..row.first + row.count,
            "UNION" => row.first..arms() + 1,
            _ => 0..0,
        }
    }

    /// The places of the types that a value of a type holds.
    pub(crate) fn inside(&self, row: &Row) -> Vec<usize> {
        match row.kind {
            "STRUCTURE" | "UNION" => self.parts[self.parts_of(row)].iter().map(|part| part.ty).collect(),
            "ARRAY" | "COUNTED_ARRAY" | "INLINE_ARRAY" | "OPTIONAL" | "REFERENCE" => vec![row.of],
            _ => Vec::new(),
        }
    }

    pub(crate) fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// A part's type.
    pub(crate) fn row_of(&self, part: &Part) -> &Row {
        &self.types[part.ty]
    }

    pub(crate) fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The place of a type among the types.
    pub(crate) fn place(&self, stub: TypeStubId) -> u64 {
        self.roots.get(&stub).map_or(0, |place| *place as u64)
    }
}

/// What a node is, whatever names stand before it.
fn resolved(pres: &PresC, mut node: NodeId) -> NodeId {
    while let Pres::Named(stub) = pres.nodes[node].pres {
        node = pres.types[stub].node;
    }
    node
}
