//! Gives things the names that a presentation says. In: AOI as the front end made it, and who is to be called what. Out:
//! findings; the AOI has other names, or marks that say them. What nests in a type is named after it later.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Origin};
use source::Diagnostic;

use super::marks;
use super::places::{self, Place};
use super::statements::Word;
use super::{Prefixes, errors};
use crate::plain::names;

/// Gives all names; `named` first, prefixes to the rest.
pub(super) fn name_all(aoi: &mut Aoi, named: &BTreeMap<Place, Word>, prefixes: &Prefixes) -> Vec<Diagnostic> {
    let findings = named.values().filter(|word| !names::is_free(&word.text));
    let mut findings: Vec<Diagnostic> = findings.map(|word| errors::bad_name(word.span, &word.text)).collect();
    enumerators(aoi, named, prefixes);
    definitions(aoi, named, prefixes);
    interfaces(aoi, named, prefixes);
    for (place, word) in named {
        if let Place::Member(key, way) = place
            && let Some(field) = member(aoi, places::id(*key), way)
        {
            field.name.clone_from(&word.text);
        }
        if let Place::Definition(key) = place
            && !has_name(&aoi.definitions[places::id(*key)].kind)
        {
            findings.push(errors::nameless(word.span, "a type that belongs to an object system"));
        }
    }
    findings
}

/// C declares something of this name.
fn has_name(kind: &DefinitionKind) -> bool {
    use DefinitionKind::{Alias, Constant, Enumeration, Exception, Structure, Union};
    matches!(kind, Alias(_) | Constant(_) | Enumeration(_) | Exception(_) | Structure(_) | Union(_))
}

/// A name behind a prefix; what is no type may be in capitals, and the prefix is so, too.
fn prefixed(prefixes: &Prefixes, origin: &Origin, name: &str, is_type: bool) -> Option<String> {
    let prefix = prefixes.of(origin)?;
    let is_in_capitals = !is_type && !name.chars().any(char::is_lowercase);
    Some(if is_in_capitals { format!("{}{name}", prefix.to_ascii_uppercase()) } else { format!("{prefix}{name}") })
}

/// Members of enumerations stand in the scope around them, which may get lost with a type's own name.
fn enumerators(aoi: &mut Aoi, named: &BTreeMap<Place, Word>, prefixes: &Prefixes) {
    let ids: Vec<DefinitionId> = aoi.definitions.iter().map(|(id, _)| id).collect();
    for id in ids {
        let definition = &mut aoi.definitions[id];
        let DefinitionKind::Enumeration(enumeration) = &definition.kind else { continue };
        let members: Vec<String> = enumeration.members.iter().map(|member| member.name.clone()).collect();
        for (at, member) in members.iter().enumerate() {
            let usual = names::of_member(definition, member);
            let name = match named.get(&Place::Enumerator(places::key(id), at)) {
                Some(word) => word.text.clone(),
                None => prefixed(prefixes, &definition.origin, &usual, false).unwrap_or_else(|| usual.clone()),
            };
            let is_moved =
                named.contains_key(&Place::Definition(places::key(id))) || prefixes.of(&definition.origin).is_some();
            if name != usual || is_moved {
                marks::set_enumerator(definition, member, &name);
            }
        }
    }
}

fn definitions(aoi: &mut Aoi, named: &BTreeMap<Place, Word>, prefixes: &Prefixes) {
    let ids: Vec<DefinitionId> = aoi.definitions.iter().map(|(id, _)| id).collect();
    for id in ids {
        let definition = &mut aoi.definitions[id];
        if !has_name(&definition.kind) {
            continue;
        }
        let usual = names::joined(&definition.scope, &definition.name);
        let name = match named.get(&Place::Definition(places::key(id))) {
            Some(word) => Some(word.text.clone()),
            None => {
                let is_type = !matches!(definition.kind, DefinitionKind::Constant(_));
                prefixed(prefixes, &definition.origin, &usual, is_type)
            }
        };
        if let Some(name) = name {
            definition.name = name;
            definition.scope.clear();
        }
    }
}

fn interfaces(aoi: &mut Aoi, named: &BTreeMap<Place, Word>, prefixes: &Prefixes) {
    let usual: Vec<String> =
        places::interfaces(aoi).iter().map(|interface| names::of_interface(aoi, interface)).collect();
    for (at, (interface, usual)) in places::interfaces_mut(&mut aoi.items).into_iter().zip(usual).enumerate() {
        let name = match named.get(&Place::Interface(at)) {
            Some(word) => Some(word.text.clone()),
            None => prefixed(prefixes, &interface.origin, &usual, true),
        };
        if let Some(name) = name {
            marks::set_name(&mut interface.annotations, &name);
        }
        for (which, operation) in interface.operations.iter_mut().enumerate() {
            if let Some(word) = named.get(&Place::Operation(at, which)) {
                marks::set_name(&mut operation.annotations, &word.text);
            }
            if let Some(word) = named.get(&Place::Result(at, which)) {
                marks::set_result(operation, &word.text);
            }
            for (parameter, of) in operation.parameters.iter_mut().enumerate() {
                if let Some(word) = named.get(&Place::Parameter(at, which, parameter)) {
                    of.name = Some(word.text.clone());
                }
            }
        }
    }
}

fn member<'a>(aoi: &'a mut Aoi, id: DefinitionId, way: &[usize]) -> Option<&'a mut Field> {
    let (first, rest) = way.split_first()?;
    let mut field = places::members_mut(&mut aoi.definitions[id].kind).into_iter().nth(*first)?;
    for at in rest {
        field = places::members_of_mut(&mut field.ty).into_iter().nth(*at)?;
    }
    Some(field)
}
