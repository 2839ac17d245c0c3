//! Interfaces and what they inherit, as every style sees it. In: AOI. Out: ancestors and their operations, each once.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionId, Interface, Item, Operation};

/// The interfaces of a file by the types of references to their objects.
pub(crate) type Known<'a> = BTreeMap<DefinitionId, &'a Interface>;

/// All interfaces, wherever in modules they stand.
pub(crate) fn known(aoi: &Aoi) -> Known<'_> {
    fn collect<'a>(items: &'a [Item], known: &mut Known<'a>) {
        for item in items {
            match item {
                Item::Interface(interface) => known.extend(interface.reference.map(|id| (id, interface))),
                Item::Module(module) => collect(&module.items, known),
                _ => {}
            }
        }
    }
    let mut known = Known::new();
    collect(&aoi.items, &mut known);
    known
}

/// A program's version is `IDL:PROGRAM/VERSION:1.0`.
pub(crate) fn repository_id(interface: &Interface) -> String {
    match (&interface.identity.corba, &interface.identity.onc) {
        (Some(id), _) => id.clone(),
        (None, Some(onc)) => format!("IDL:{}/{}:1.0", onc.program_name, interface.name),
        (None, None) => format!("IDL:{}:1.0", interface.name),
    }
}

/// All that an interface inherits from, each once and behind those that it inherits from itself.
pub(crate) fn ancestors<'a>(known: &Known<'a>, interface: &Interface) -> Vec<&'a Interface> {
    let mut seen = BTreeSet::new();
    let mut found: Vec<&Interface> = Vec::new();
    // Behind each interface: whether its own ancestors have been found.
    let bases = |of: &Interface| of.bases.iter().rev().map(|id| (*id, false)).collect::<Vec<_>>();
    let mut open = bases(interface);
    while let Some((id, is_ready)) = open.pop() {
        let Some(base) = known.get(&id) else { continue };
        if is_ready {
            found.push(base);
        } else if seen.insert(id) {
            open.push((id, true));
            open.extend(bases(base));
        }
    }
    found
}

/// Inherited operations first, each once, with the interfaces that declare them.
pub(crate) fn all_operations<'a>(aoi: &'a Aoi, interface: &'a Interface) -> Vec<(&'a Interface, &'a Operation)> {
    with_inherited(&known(aoi), interface)
}

/// The same where the interfaces of the file were collected.
pub(crate) fn with_inherited<'a>(known: &Known<'a>, interface: &'a Interface) -> Vec<(&'a Interface, &'a Operation)> {
    let all = ancestors(known, interface).into_iter().chain([interface]);
    all.flat_map(|of| of.operations.iter().map(move |operation| (of, operation))).collect()
}
