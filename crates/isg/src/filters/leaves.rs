//! The values in a packet that a condition may look at, by number: what conditions that are sent as data name. In: PRES_C, the packet's
//! type. Out: a list, the same for all that have this type; and its form in C, where each stands in memory. Why: a number is short, and is
//! easily held against a bound. Arrays of one length are one value, of which an element is named.

use cast::build::{self, verbatim};
use cast::{Declaration, Expression, Type};
use pres::{NodeId, Pres, ScalarKind};
use xip::filter::{FieldPath, Step};

use super::field::{Fields, Kind};
use crate::shorthand::{members, number, object};

/// No list is longer, and no array of more dimensions is in it.
const MOST_LEAVES: usize = 4096;
const MOST_DIMENSIONS: usize = 3;

/// One value, or as many as its arrays have elements.
pub(super) struct Leaf {
    /// `past[].x`, `q.count`.
    name: String,
    /// As C names its first element: `past[0].x`, `q_count`.
    c: String,
    /// The path of each array around it in C, and its length.
    dimensions: Vec<(String, u64)>,
    kind: &'static str,
    /// Of a count, and of a text: the greatest, where there is a bound.
    most: Option<u64>,
    /// Of an enumeration.
    members: Vec<(String, i128)>,
}

/// Where the walk has come to.
#[derive(Clone, Default)]
struct At {
    name: String,
    c: String,
    dimensions: Vec<(String, u64)>,
}

impl At {
    fn within(&self, member: &str) -> At {
        let dot = if self.name.is_empty() { "" } else { "." };
        At {
            name: format!("{}{dot}{member}", self.name),
            c: format!("{}{dot}{member}", self.c),
            dimensions: self.dimensions.clone(),
        }
    }

    fn element(&self, length: u64) -> At {
        let mut dimensions = self.dimensions.clone();
        dimensions.push((self.c.clone(), length));
        At { name: format!("{}[]", self.name), c: format!("{}[0]", self.c), dimensions }
    }

    fn leaf(self, kind: &'static str) -> Leaf {
        Leaf { name: self.name, c: self.c, dimensions: self.dimensions, kind, most: None, members: Vec::new() }
    }
}

impl Fields<'_> {
    /// All of the packet's, in its order.
    pub(super) fn leaves(&self) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for member in self.members(self.pres.types[self.packet.stub].node).unwrap_or_default() {
            self.walk(member.node, At::default().within(&member.name), None, &mut leaves);
        }
        leaves
    }

    /// `of`: the place of the structure that the value is a member of.
    fn walk(&self, node: NodeId, at: At, of: Option<&At>, leaves: &mut Vec<Leaf>) {
        if leaves.len() >= MOST_LEAVES || at.dimensions.len() > MOST_DIMENSIONS {
            return;
        }
        match self.behind(node).0 {
            Pres::Structure(members) => {
                for member in members {
                    self.walk(member.node, at.within(&member.name), Some(&at), leaves);
                }
            }
            Pres::FixedArray { element, length } => {
                if let Some(length) = length.value {
                    self.walk(*element, at.element(length), None, leaves);
                }
            }
            Pres::FixedBytes { length } => {
                if let Some(length) = length.value {
                    leaves.push(at.element(length).leaf("UNSIGNED"));
                }
            }
            Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. } => {
                let counter = of.map_or_else(|| At::default().within(count), |of| of.within(count));
                leaves.push(Leaf { name: at.within("count").name, most: self.most(node), ..counter.leaf("UNSIGNED") });
            }
            Pres::CountedArray { length, .. } | Pres::CountedBytes { length, .. } => {
                let counter = at.within(length);
                leaves.push(Leaf { name: at.within("count").name, most: self.most(node), ..counter.leaf("UNSIGNED") });
            }
            _ => leaves.extend(self.scalar(node, at)),
        }
    }

    /// What is no array and no structure; nothing where it is not compared.
    fn scalar(&self, node: NodeId, at: At) -> Option<Leaf> {
        let (pres, stub) = self.behind(node);
        let leaf = at.leaf(kind(pres, self.pres.nodes[node].ty == Type::CHAR)?);
        let most = match pres {
            Pres::InlineText { bound } => bound.value,
            Pres::TerminatedText { bound, .. } => bound.as_ref().and_then(|bound| bound.value),
            _ => None,
        };
        let members = stub.and_then(|stub| self.enumeration(&self.pres.types[stub].name)).unwrap_or_default();
        Some(Leaf { most, members: members.into_iter().collect(), ..leaf })
    }

    /// The number of the value that a path names, and the elements that it names on the way.
    pub(super) fn reference(&self, leaves: &[Leaf], path: &FieldPath) -> Option<(usize, Vec<u64>)> {
        let (mut name, mut elements) = (path.field.text.clone(), Vec::new());
        for step in &path.inwards {
            match step {
                Step::Member(member) => name = format!("{name}.{member}"),
                Step::Element(element) => {
                    name.push_str("[]");
                    elements.push(element.value);
                }
            }
        }
        Some((leaves.iter().position(|leaf| leaf.name == name)?, elements))
    }
}

/// How the value is compared; nothing where it is not.
fn kind(pres: &Pres, is_character: bool) -> Option<&'static str> {
    Some(match pres {
        Pres::Direct(ScalarKind::Boolean) => "TRUTH",
        Pres::Direct(ScalarKind::Integer { bits: 8, .. }) if is_character => "CHARACTER",
        Pres::Direct(ScalarKind::Integer { signed, .. } | ScalarKind::Long { signed }) => {
            if *signed {
                "SIGNED"
            } else {
                "UNSIGNED"
            }
        }
        Pres::Direct(ScalarKind::Float { .. }) => "FLOAT",
        Pres::Direct(ScalarKind::Enumeration { .. }) => "ENUMERATION",
        Pres::InlineText { .. } => "TEXT",
        Pres::TerminatedText { .. } => "POINTED_TEXT",
        _ => return None,
    })
}

/// `static const struct whittle_flow_field NAME[] = {…};`, behind the members of its enumerations.
pub(super) fn table(leaves: &[Leaf], name: &str, packet: &str) -> Vec<Declaration> {
    let size = |path: &str| verbatim(format!("sizeof((({packet} *)0)->{path})"), Type::named("size_t"));
    let row = |(at, leaf): (usize, &Leaf)| {
        let mut values = vec![
            ("offset", verbatim(format!("offsetof({packet}, {})", leaf.c), Type::named("size_t"))),
            ("bytes", size(&leaf.c)),
            ("kind", build::name(format!("WHITTLE_FLOW_{}", leaf.kind), Type::INT)),
        ];
        if !leaf.dimensions.is_empty() {
            let of = |(array, length): &(String, u64)| {
                members(vec![("count", number(*length)), ("stride", size(&format!("{array}[0]")))])
            };
            values.push(("dimensions", number(leaf.dimensions.len() as u64)));
            values.push(("dimension", build::braces(leaf.dimensions.iter().map(of).collect::<Vec<Expression>>())));
        }
        values.push(("name", build::text(leaf.name.as_str())));
        values.extend(leaf.most.map(|most| ("most", number(most))));
        if !leaf.members.is_empty() {
            values.push(("members", build::name(members_name(name, at), Type::Void)));
            values.push(("member_count", number(leaf.members.len() as u64)));
        }
        members(values)
    };
    let list = |of: &str| Type::Array(Box::new(Type::structure(of).constant()), None);
    let is_enumeration = |(_, leaf): &(usize, &Leaf)| !leaf.members.is_empty();
    let enumerations = leaves.iter().enumerate().filter(is_enumeration);
    let of_enumeration = |(at, leaf): (usize, &Leaf)| {
        let member = |(member, value): &(String, i128)| {
            members(vec![("name", build::text(member.as_str())), ("value", build::integer(*value))])
        };
        let all = build::braces(leaf.members.iter().map(member).collect());
        object(members_name(name, at), list("whittle_flow_member"), Some(all))
    };
    let fields = build::braces(leaves.iter().enumerate().map(row).collect());
    enumerations.map(of_enumeration).chain([object(name, list("whittle_flow_field"), Some(fields))]).collect()
}

/// `fields_hall_r_3_members`
fn members_name(table: &str, field: usize) -> String {
    format!("{table}_{field}_members")
}

/// Whether a value of this kind is a float of 32 bits.
pub(super) fn is_narrow(kind: &Kind) -> bool {
    matches!(kind, Kind::Float { bits: 32 })
}
