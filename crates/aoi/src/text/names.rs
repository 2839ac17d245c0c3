//! How definitions and the members of enumerations are referred to.

use crate::{Aoi, DefinitionId, DefinitionKind, Value};
use std::collections::BTreeMap;

/// The references of one AOI, both ways.
pub(super) struct Names {
    /// By definition, in order of their numbers.
    references: Vec<String>,
    definitions: BTreeMap<String, DefinitionId>,
    /// What a bare name says as a value, where it says just one thing.
    values: BTreeMap<String, Option<Value>>,
}

impl Names {
    pub(super) fn of(aoi: &Aoi) -> Names {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        let mut names = Names { references: Vec::new(), definitions: BTreeMap::new(), values: BTreeMap::new() };
        for (id, definition) in aoi.definitions.iter() {
            let name = qualified(&definition.scope, &definition.name);
            let position = seen.entry(name.clone()).or_default();
            *position += 1;
            // The first one of several keeps its name.
            let reference = if *position > 1 { format!("{name}#{position}") } else { name };
            names.references.push(reference.clone());
            match &definition.kind {
                DefinitionKind::Constant(_) => names.value(&reference, Value::Constant(id)),
                DefinitionKind::Enumeration(enumeration) => {
                    for (member, declared) in enumeration.members.iter().enumerate() {
                        names.value(&declared.name, Value::Member { enumeration: id, member });
                    }
                }
                _ => {}
            }
            names.definitions.insert(reference, id);
        }
        names
    }

    fn value(&mut self, name: &str, value: Value) {
        self.values.entry(name.to_owned()).and_modify(|known| *known = None).or_insert(Some(value));
    }

    /// How to refer to a definition.
    pub(super) fn reference(&self, id: DefinitionId) -> &str {
        self.references.get(id.into_raw().into_u32() as usize).map_or("?", String::as_str)
    }

    /// The definition that is referred to so.
    pub(super) fn definition(&self, reference: &str) -> Option<DefinitionId> {
        self.definitions.get(reference).copied()
    }

    /// The constant or member that the bare name stands for, if it stands for just one.
    pub(super) fn bare_value(&self, name: &str) -> Option<&Value> {
        self.values.get(name)?.as_ref()
    }
}

/// A name behind the scopes around it: `Mail::Folder::Entry`.
pub(super) fn qualified(scope: &[String], name: &str) -> String {
    scope.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("::")
}

/// The scopes and the name of what [`qualified`] makes.
pub(super) fn unqualified(reference: &str) -> (Vec<String>, String) {
    let mut scope: Vec<String> = reference.split("::").map(str::to_owned).collect();
    let name = scope.pop().unwrap_or_default();
    (scope, name)
}
