//! What holds for every MINT, whoever made it.
//!
//! In: a MINT. Out: a finding for each rule that is broken.

use std::collections::BTreeSet;

use source::Diagnostic;

use crate::text::children;
use crate::{Bound, Mint, Node, NodeId, errors};

/// Checks all rules.
pub fn verify(mint: &Mint) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let exists = |id: &NodeId| (id.into_raw().into_u32() as usize) < mint.nodes.len();
    let messages = mint.messages.iter().flat_map(|message| [message.request, message.reply]);
    let inner = mint.nodes.iter().flat_map(|(_, slot)| children(&slot.node));
    if !messages.chain(inner).all(|id| exists(&id)) {
        findings.push(errors::no_such_node());
        return findings;
    }
    let nodes: Vec<NodeId> = mint.nodes.iter().map(|(id, _)| id).collect();
    let suspects = crate::endless(&nodes, |id| must_hold(&mint.nodes[id].node));
    for (id, slot) in mint.nodes.iter() {
        let name = slot.name.clone().unwrap_or_else(|| format!("number {}", id.into_raw().into_u32()));
        node(mint, &name, &slot.node, &mut findings);
        if suspects.contains(&id) && contains_itself(mint, id) {
            findings.push(errors::endless(&name));
        }
    }
    findings
}

fn node(mint: &Mint, name: &str, node: &Node, findings: &mut Vec<Diagnostic>) {
    match node {
        Node::Array { least, most, .. } => {
            let is_wrong = match (least, most) {
                (Bound::Number(least), Bound::Number(most)) => *least < 0 || least > most,
                (Bound::Number(least), _) => *least < 0,
                (Bound::Symbol(_) | Bound::Part(_), _) => false,
                (Bound::Unlimited, _) => true,
            };
            if is_wrong || matches!(most, Bound::Part(_)) {
                findings.push(errors::impossible_length(name));
            }
        }
        Node::Structure(parts) => {
            for (at, part) in parts.iter().enumerate() {
                let Node::Array { least: Bound::Part(count), .. } = mint.nodes[*part].node else { continue };
                let count = parts[..at].get(count as usize).map(|count| &mint.nodes[*count].node);
                if !matches!(count, Some(Node::Integer { signed: false, .. })) {
                    findings.push(errors::not_counted(name));
                }
            }
        }
        Node::Union { discriminant, cases, .. } => {
            let fits = |node: &Node| {
                matches!(node, Node::Integer { .. } | Node::Boolean | Node::Enumeration { .. } | Node::External(_))
            };
            if !fits(&mint.nodes[*discriminant].node) {
                findings.push(errors::discriminant(name));
            }
            let mut seen = BTreeSet::new();
            let known = cases.iter().flat_map(|case| &case.labels).filter_map(|label| match label {
                Bound::Number(number) => Some(*number),
                _ => None,
            });
            for label in known {
                if !seen.insert(label) {
                    findings.push(errors::same_label(name, label));
                }
            }
        }
        _ => {}
    }
}

/// Whether every value of a node holds another value of it: recursion needs a way out.
fn contains_itself(mint: &Mint, start: NodeId) -> bool {
    let mut open = must_hold(&mint.nodes[start].node);
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if id == start {
            return true;
        }
        if seen.insert(id) {
            open.extend(must_hold(&mint.nodes[id].node));
        }
    }
    false
}

/// What every value of a node holds.
fn must_hold(node: &Node) -> Vec<NodeId> {
    match node {
        Node::Structure(members) => members.clone(),
        Node::Array { element, least: Bound::Number(1..), .. } => vec![*element],
        Node::Union { discriminant, .. } => vec![*discriminant],
        _ => Vec::new(),
    }
}
