//! The order of structures in C: those that a packet holds before it, otherwise the file's.

use std::collections::{BTreeMap, BTreeSet};

use xip::{FieldType, Packet, Xip};

/// All packets. Depth first, with a stack of its own: packets may nest as deep as the file is long. Packets that hold
/// themselves have been reported.
pub(super) fn order(xip: &Xip) -> Vec<&Packet> {
    let known: BTreeMap<&str, &Packet> = xip.packets().map(|packet| (packet.name.text.as_str(), packet)).collect();
    let (mut ordered, mut begun, mut done) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
    for root in xip.packets() {
        let mut pending = vec![root];
        while let Some(&packet) = pending.last() {
            let name = packet.name.text.as_str();
            if begun.insert(name) {
                let held = packet.fields.iter().rev().filter_map(|field| match &field.ty {
                    FieldType::Named(name) => known.get(name.text.as_str()),
                    _ => None,
                });
                pending.extend(held.filter(|held| !begun.contains(held.name.text.as_str())));
                continue;
            }
            pending.pop();
            if done.insert(name) {
                ordered.push(packet);
            }
        }
    }
    ordered
}
