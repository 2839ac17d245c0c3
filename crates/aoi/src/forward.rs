//! Names that an alias gives to a structure or union which is described behind it. In: definitions. Out: pointers and sequences speak of the
//! structure itself: C knows a pointer to a structure before it knows what that leads to, but no other name for it. So a type may lead
//! back to itself through an alias wherever that stands.

use std::collections::BTreeMap;

use crate::{Aoi, DefinitionId, DefinitionKind, Item, Structure, Type, Union};

/// Takes such names out of pointers and sequences.
pub fn name_structures_behind_pointers(aoi: &mut Aoi) {
    let mut places = BTreeMap::new();
    number(&aoi.items, &mut places);
    let mut forward = BTreeMap::new();
    for (id, definition) in aoi.definitions.iter() {
        let last = aoi.definitions.last_name(id);
        let is_record = matches!(aoi.definitions[last].kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_));
        let is_alias = matches!(definition.kind, DefinitionKind::Alias(_));
        if is_alias && is_record && places.get(&id) < places.get(&last) {
            forward.insert(id, last);
        }
    }
    if forward.is_empty() {
        return;
    }
    let ids: Vec<DefinitionId> = aoi.definitions.iter().map(|(id, _)| id).collect();
    for id in ids {
        match &mut aoi.definitions[id].kind {
            DefinitionKind::Structure(structure) => in_structure(structure, &forward),
            DefinitionKind::Union(union) => in_union(union, &forward),
            DefinitionKind::Alias(ty) => in_type(ty, &forward),
            _ => {}
        }
    }
}

/// The order of the text.
fn number(items: &[Item], places: &mut BTreeMap<DefinitionId, usize>) {
    for item in items {
        match item {
            Item::Definition(id) => _ = places.insert(*id, places.len()),
            Item::Module(module) => number(&module.items, places),
            Item::Interface(_) | Item::Verbatim(_) => {}
        }
    }
}

type Forward = BTreeMap<DefinitionId, DefinitionId>;

fn in_structure(structure: &mut Structure, forward: &Forward) {
    structure.fields.iter_mut().for_each(|field| in_type(&mut field.ty, forward));
}

fn in_union(union: &mut Union, forward: &Forward) {
    let cases = union.cases.iter_mut().chain(union.default.as_deref_mut());
    cases.filter_map(|case| case.body.as_mut()).for_each(|body| in_type(&mut body.ty, forward));
}

fn in_type(ty: &mut Type, forward: &Forward) {
    match ty {
        Type::Optional(target) | Type::Sequence { element: target, .. } => match &mut **target {
            Type::Named(id) => *id = forward.get(id).copied().unwrap_or(*id),
            target => in_type(target, forward),
        },
        Type::Array { element, .. } => in_type(element, forward),
        Type::Structure(structure) => in_structure(structure, forward),
        Type::Union(union) => in_union(union, forward),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointers_lead_to_structures_by_their_own_name() {
        let alias = "(alias other node)\n";
        let node = "(struct node (next (optional other)) (more (sequence other)))\n";
        for (form, names) in [(format!("{alias}{node}"), 0), (format!("{node}{alias}"), 2)] {
            let (mut aoi, problems) = crate::text::parse(&form);
            assert_eq!(problems, []);
            name_structures_behind_pointers(&mut aoi);
            let text = crate::text::print(&aoi);
            assert_eq!(
                text.matches("(optional other)").count() + text.matches("(sequence other)").count(),
                names,
                "{text}"
            );
        }
    }
}
