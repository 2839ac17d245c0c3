//! From MINT to text.

use std::collections::BTreeMap;

use sexpr::{Sexpr, atom, node, number, text};

use super::References;
use crate::{Bound, Mint, Node, NodeId};

/// The text form: messages, then named nodes, then nodes that are used nowhere.
pub fn print(mint: &Mint) -> String {
    let mut writer = Writer::new(mint, References::of(mint, []));
    sexpr::print_all(&writer.forms())
}

/// Writes nodes; the same one for all that refer to them, so that shared nodes are written once.
pub struct Writer<'a> {
    mint: &'a Mint,
    references: References,
    written: BTreeMap<NodeId, i128>,
}

impl<'a> Writer<'a> {
    /// A writer that has written nothing yet.
    pub fn new(mint: &'a Mint, references: References) -> Self {
        Writer { mint, references, written: BTreeMap::new() }
    }

    /// All forms.
    pub fn forms(&mut self) -> Vec<Sexpr> {
        let mint = self.mint;
        let mut forms = Vec::new();
        for message in &mint.messages {
            for (head, payload) in [("request", message.request), ("reply", message.reply)] {
                forms.push(node(head, [atom(&message.operation), self.node(payload)]));
            }
        }
        for (id, slot) in mint.nodes.iter().filter(|(_, slot)| slot.name.is_some()) {
            let name = self.references.name(id).unwrap_or_default().to_string();
            forms.push(node(&name, [self.content(&slot.node)]));
        }
        let nameless = || mint.nodes.iter().filter(|(_, slot)| slot.name.is_none());
        for (_, slot) in nameless().filter(|(id, _)| !self.references.is_used(*id)).collect::<Vec<_>>() {
            forms.push(node("loose", [self.content(&slot.node)]));
        }
        // What is left is used only by itself, in a cycle of nameless nodes.
        for (id, _) in nameless() {
            if self.references.is_shared(id) && !self.written.contains_key(&id) {
                forms.push(node("loose", [self.node(id)]));
            }
        }
        forms
    }

    /// A node where it is used.
    pub fn node(&mut self, id: NodeId) -> Sexpr {
        if let Some(name) = self.references.name(id) {
            return atom(name);
        }
        if !self.references.is_shared(id) {
            return self.content(&self.mint.nodes[id].node);
        }
        if let Some(label) = self.written.get(&id) {
            return node("same", [number(*label)]);
        }
        let label = i128::try_from(self.written.len() + 1).unwrap_or(i128::MAX);
        self.written.insert(id, label);
        node("let", [number(label), self.content(&self.mint.nodes[id].node)])
    }

    fn content(&mut self, content: &Node) -> Sexpr {
        match content {
            Node::Void => atom("void"),
            Node::Integer { bits, signed } => atom(format!("{}int{bits}", if *signed { "" } else { "u" })),
            Node::Float { bits } => atom(format!("float{bits}")),
            Node::Boolean => atom("bool"),
            Node::Enumeration { members } => node("enum", members.iter().map(|member| number(*member))),
            Node::Octet => atom("octet"),
            Node::Character => atom("char"),
            Node::Array { element, least, most } => {
                let mut parts = vec![self.node(*element)];
                parts.extend(range(least, most));
                node("array", parts)
            }
            Node::Structure(members) => {
                let members: Vec<Sexpr> = members.iter().map(|member| self.node(*member)).collect();
                node("struct", members)
            }
            Node::Union { discriminant, cases, default } => {
                let mut parts = vec![self.node(*discriminant)];
                for case in cases {
                    let mut inner: Vec<Sexpr> = case.labels.iter().map(bound).collect();
                    inner.push(self.node(case.body));
                    parts.push(node("case", inner));
                }
                if let Some(default) = default {
                    parts.push(node("default", [self.node(*default)]));
                }
                node("union", parts)
            }
            Node::Optional(inner) => node("optional", [self.node(*inner)]),
            Node::Value { state, ids } => node("value", ids.iter().map(text).chain([self.node(*state)])),
            Node::External(name) => node("external", [atom(name)]),
        }
    }
}

/// `30` for exactly thirty, `0..30` for up to thirty, `0..` for any number, `#1..30` for as many as the structure's part
/// number 1 says; names are written out.
fn range(least: &Bound, most: &Bound) -> Vec<Sexpr> {
    match (least, most) {
        (Bound::Number(least), Bound::Number(most)) if least == most => vec![number(*least)],
        (Bound::Number(least), Bound::Number(most)) => vec![atom(format!("{least}..{most}"))],
        (Bound::Number(least), Bound::Unlimited) => vec![atom(format!("{least}.."))],
        (Bound::Part(part), Bound::Number(most)) => vec![atom(format!("#{part}..{most}"))],
        _ => vec![bound(least), bound(most)],
    }
}

fn bound(value: &Bound) -> Sexpr {
    match value {
        Bound::Number(value) => number(*value),
        Bound::Symbol(name) => node("symbol", [atom(name)]),
        Bound::Unlimited => atom("unlimited"),
        Bound::Part(part) => node("part", [number(i128::from(*part))]),
    }
}
