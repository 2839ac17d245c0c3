//! Types that only a routine of the user's can send: it knows libtirpc's streams, and a flow has none.

use std::collections::BTreeSet;

use pres::{DefaultArm, Pres, PresC, TypeStubId};

/// The first such routine that a value of a type needs.
pub(super) fn foreign_routine(pres: &PresC, stub: TypeStubId) -> Option<String> {
    let mut open = vec![pres.types[stub].node];
    let mut seen = BTreeSet::new();
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        match &pres.nodes[node].pres {
            Pres::External { routine, .. } => return Some(routine.clone()),
            Pres::Structure(members) => open.extend(members.iter().map(|member| member.node)),
            Pres::Union { arms, default, .. } => {
                let last = if let DefaultArm::Body(Some(member)) = default { Some(member) } else { None };
                open.extend(arms.iter().filter_map(|arm| arm.member.as_ref()).chain(last).map(|member| member.node));
            }
            Pres::FixedArray { element, .. }
            | Pres::CountedArray { element, .. }
            | Pres::InlineArray { element, .. } => {
                open.push(*element);
            }
            Pres::OptionalPointer { target, .. } | Pres::Reference { target, .. } => open.push(*target),
            Pres::Named(stub) => open.push(pres.types[*stub].node),
            _ => {}
        }
    }
    None
}
