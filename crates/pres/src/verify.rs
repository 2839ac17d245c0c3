//! What holds for every PRES_C, whichever style made it.
//!
//! In: a PRES_C. Out: a finding for each rule that is broken, those of its MINT among them.

use std::collections::BTreeSet;

use mint::Node as Message;
use source::Diagnostic;

use crate::text::children;
use crate::{DefaultArm, NodeId, Pres, PresC, ScalarKind, Storage, TypeStubId, errors};

/// Checks all rules.
pub fn verify(pres: &PresC) -> Vec<Diagnostic> {
    let mut findings = mint::verify(&pres.mint);
    if !references_exist(pres) {
        findings.push(errors::no_such_thing());
    }
    // Walking along references that lead nowhere would be no use.
    if !findings.is_empty() {
        return findings;
    }
    let nodes: Vec<NodeId> = pres.nodes.iter().map(|(id, _)| id).collect();
    let suspects = mint::endless(&nodes, |id| children(&pres.nodes[id]));
    for (id, node) in pres.nodes.iter() {
        if suspects.contains(&id) && contains_itself(pres, id) {
            findings.push(errors::endless());
            continue;
        }
        if !fits(pres, &node.pres, node.mint) {
            let (ty, message) = (cast::print_type(&node.ty), &pres.mint.nodes[node.mint].node);
            findings.push(errors::misfit(&ty, message));
        }
        uncounted(pres, &node.pres, &mut findings);
    }
    if pres.managed_release.is_empty() && pres.nodes.iter().any(|(_, node)| is_managed(&node.pres)) {
        findings.push(errors::unreleased());
    }
    let mut routines = BTreeSet::new();
    for (_, stub) in pres.types.iter() {
        if !routines.insert(&stub.routine) {
            findings.push(errors::same_routine(&stub.routine));
        }
    }
    let operations = pres.interfaces.iter().map(|interface| interface.operations.len()).sum();
    if operations != pres.mint.messages.len() {
        findings.push(errors::message_count(operations, pres.mint.messages.len()));
    }
    findings
}

/// True for a value that has storage of an allocator of its own.
fn is_managed(kind: &Pres) -> bool {
    let storage = match kind {
        Pres::CountedArray { storage, .. }
        | Pres::CountedBytes { storage, .. }
        | Pres::TerminatedText { storage, .. }
        | Pres::OptionalPointer { storage, .. }
        | Pres::Reference { storage, .. } => *storage,
        _ => return false,
    };
    storage == Storage::Managed
}

/// Arrays inside a structure are counted by the member that is the part of the message which says their length.
fn uncounted(pres: &PresC, kind: &Pres, findings: &mut Vec<Diagnostic>) {
    let Pres::Structure(members) = kind else { return };
    for member in members {
        let array = &pres.nodes[member.node];
        let (Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. }) = &array.pres else { continue };
        let said = match &pres.mint.nodes[array.mint].node {
            Message::Array { least: mint::Bound::Part(part), .. } => members.get(*part as usize),
            _ => None,
        };
        let counts = |said: &crate::Member| {
            let is_number =
                matches!(pres.nodes[said.node].pres, Pres::Direct(ScalarKind::Integer { signed: false, .. }));
            said.name == *count && is_number
        };
        if !said.is_some_and(counts) {
            findings.push(errors::uncounted(&member.name, count));
        }
    }
}

fn references_exist(pres: &PresC) -> bool {
    let node = |id: NodeId| (id.into_raw().into_u32() as usize) < pres.nodes.len();
    let message = |id: mint::NodeId| (id.into_raw().into_u32() as usize) < pres.mint.nodes.len();
    let known = |stub: TypeStubId| (stub.into_raw().into_u32() as usize) < pres.types.len();
    let named = |kind: &Pres| match kind {
        Pres::Named(stub) => known(*stub),
        _ => true,
    };
    let mut operations = pres.interfaces.iter().flat_map(|interface| &interface.operations);
    let exists = |message: &crate::Message| {
        message.structure().is_none_or(known) && message.value().is_none_or(|value| node(value.node))
    };
    let stands = |of: &crate::Operation| {
        let messages = [&of.client_request, &of.client_reply, &of.server_request, &of.server_reply];
        messages.into_iter().all(exists)
            && of.raises.iter().all(|raised| raised.stub.is_none_or(known))
            && of.arena.as_ref().is_none_or(|arena| node(arena.node))
    };
    pres.nodes.iter().all(|(_, n)| children(n).into_iter().all(node) && message(n.mint) && named(&n.pres))
        && pres.types.iter().all(|(_, stub)| node(stub.node))
        && operations.all(stands)
        && pres.arenas.iter().all(|arena| node(arena.node))
        && pres.packets.iter().all(|packet| known(packet.stub))
}

fn contains_itself(pres: &PresC, start: NodeId) -> bool {
    let mut open = children(&pres.nodes[start]);
    let mut seen = BTreeSet::new();
    while let Some(id) = open.pop() {
        if id == start {
            return true;
        }
        if seen.insert(id) {
            open.extend(children(&pres.nodes[id]));
        }
    }
    false
}

/// Whether a node and its message are of one shape.
fn fits(pres: &PresC, kind: &Pres, message: mint::NodeId) -> bool {
    let part = |node: &NodeId, part: &mint::NodeId| pres.nodes[*node].mint == *part;
    let element = |id: &mint::NodeId| &pres.mint.nodes[*id].node;
    match (kind, &pres.mint.nodes[message].node) {
        (Pres::Void, Message::Void) | (Pres::External { .. }, _) => true,
        (Pres::Named(stub), _) => pres.nodes[pres.types[*stub].node].mint == message,
        (Pres::Reference { target, .. }, _) => part(target, &message),
        (Pres::Direct(scalar), content) => scalar_fits(*scalar, content),
        (Pres::Structure(members), Message::Structure(parts)) => {
            members.len() == parts.len() && members.iter().zip(parts).all(|(member, p)| part(&member.node, p))
        }
        (
            Pres::Union { discriminant, arms, default, .. },
            Message::Union { discriminant: d, cases, default: other },
        ) => {
            let bodies = arms.iter().zip(cases);
            let arms_fit = bodies.filter_map(|(arm, case)| Some((arm.member.as_ref()?, case)));
            let default_fits = matches!((default, other), (DefaultArm::Error, None) | (DefaultArm::Body(_), Some(_)));
            let same_length = arms.len() == cases.len();
            let mut arms_fit = arms_fit.map(|(member, case)| part(&member.node, &case.body));
            part(&discriminant.node, d) && same_length && default_fits && arms_fit.all(|fits| fits)
        }
        (
            Pres::FixedArray { element: node, .. }
            | Pres::CountedArray { element: node, .. }
            | Pres::InlineArray { element: node, .. },
            Message::Array { element, .. },
        ) => part(node, element),
        // Characters with their length beside them.
        (Pres::CountedBytes { .. }, Message::Array { element: id, .. }) => {
            matches!(element(id), Message::Octet | Message::Character)
        }
        (Pres::FixedBytes { .. } | Pres::InlineBytes { .. }, Message::Array { element: id, .. }) => {
            *element(id) == Message::Octet
        }
        (Pres::TerminatedText { .. } | Pres::InlineText { .. }, Message::Array { element: id, .. }) => {
            *element(id) == Message::Character
        }
        (Pres::OptionalPointer { target, .. }, Message::Optional(inner) | Message::Value { state: inner, .. }) => {
            part(target, inner)
        }
        _ => false,
    }
}

fn scalar_fits(scalar: ScalarKind, message: &Message) -> bool {
    match (scalar, message) {
        (ScalarKind::Integer { bits, signed }, Message::Integer { bits: b, signed: s }) => bits == *b && signed == *s,
        (ScalarKind::Integer { bits: 8, .. }, Message::Octet | Message::Character) => true,
        (ScalarKind::Long { signed }, Message::Integer { bits: 32, signed: s }) => signed == *s,
        (ScalarKind::Float { bits }, Message::Float { bits: b }) => bits == *b,
        (ScalarKind::Quadruple, Message::Float { bits: 128 })
        | (ScalarKind::Boolean, Message::Boolean)
        | (ScalarKind::Enumeration { .. }, Message::Enumeration { .. }) => true,
        _ => false,
    }
}
