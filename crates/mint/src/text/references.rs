//! How each node is referred to.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Mint, Node, NodeId};

/// The nodes that have a reference: named ones, and those that are used more than once.
#[derive(Clone, Debug, Default)]
pub struct References {
    names: BTreeMap<NodeId, String>,
    shared: BTreeSet<NodeId>,
    used: BTreeSet<NodeId>,
}

impl References {
    /// The references of `mint`; `others` are uses from outside, such as PRES nodes that cannot be guessed.
    pub fn of(mint: &Mint, others: impl IntoIterator<Item = NodeId>) -> References {
        let mut references = References::default();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for (id, slot) in mint.nodes.iter() {
            if let Some(name) = &slot.name {
                let count = counts.entry(name).or_default();
                *count += 1;
                let reference = if *count == 1 { format!("@{name}") } else { format!("@{name}#{count}") };
                references.names.insert(id, reference);
            }
        }
        let messages = mint.messages.iter().flat_map(|message| [message.request, message.reply]);
        let inner = mint.nodes.iter().flat_map(|(_, slot)| children(&slot.node));
        for id in messages.chain(inner).chain(others) {
            if !references.used.insert(id) {
                references.shared.insert(id);
            }
        }
        references.label_cycles(mint);
        references
    }

    /// A cycle of nameless nodes that nothing outside refers to is distinguished from its first node, which needs a label.
    fn label_cycles(&mut self, mint: &Mint) {
        let is_within = |id: NodeId| self.used.contains(&id) && !self.names.contains_key(&id);
        let mut within: BTreeSet<NodeId> = mint.nodes.iter().map(|(id, _)| id).filter(|id| is_within(*id)).collect();
        let outside: Vec<NodeId> = mint.nodes.iter().map(|(id, _)| id).filter(|id| !within.contains(id)).collect();
        let outside = outside.iter().flat_map(|id| children(&mint.nodes[*id].node));
        let messages = mint.messages.iter().flat_map(|message| [message.request, message.reply]);
        reach(mint, &mut within, messages.chain(outside).collect());
        while let Some(first) = within.first().copied() {
            self.shared.insert(first);
            reach(mint, &mut within, vec![first]);
        }
    }

    /// `@name`.
    pub fn name(&self, id: NodeId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Whether a node without a name is used in several places.
    pub fn is_shared(&self, id: NodeId) -> bool {
        self.shared.contains(&id)
    }

    /// Whether a node is used at all.
    pub fn is_used(&self, id: NodeId) -> bool {
        self.used.contains(&id)
    }
}

/// Takes out of `within` what is reached from `open`.
fn reach(mint: &Mint, within: &mut BTreeSet<NodeId>, mut open: Vec<NodeId>) {
    while let Some(id) = open.pop() {
        if within.remove(&id) {
            open.extend(children(&mint.nodes[id].node));
        }
    }
}

/// The nodes that a node consists of, in order.
pub(crate) fn children(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Array { element, .. } => vec![*element],
        Node::Structure(members) => members.clone(),
        Node::Union { discriminant, cases, default } => {
            let bodies = cases.iter().map(|case| case.body);
            std::iter::once(*discriminant).chain(bodies).chain(*default).collect()
        }
        Node::Optional(inner) | Node::Value { state: inner, .. } => vec![*inner],
        Node::Void
        | Node::Integer { .. }
        | Node::Float { .. }
        | Node::Boolean
        | Node::Enumeration { .. }
        | Node::Octet
        | Node::Character
        | Node::External(_) => Vec::new(),
    }
}
