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
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        for (_, definition) in aoi.definitions.iter() {
            *count.entry(&definition.name).or_default() += 1;
        }
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names = Names { references: Vec::new(), definitions: BTreeMap::new(), values: BTreeMap::new() };
        for (id, definition) in aoi.definitions.iter() {
            let name = definition.name.as_str();
            let position = seen.entry(name).or_default();
            *position += 1;
            // The first one of several keeps its name.
            let reference = if *position > 1 { format!("{name}#{position}") } else { name.to_owned() };
            names.references.push(reference.clone());
            names.definitions.insert(reference, id);
            match &definition.kind {
                DefinitionKind::Constant(_) => names.value(name, Value::Constant(id)),
                DefinitionKind::Enumeration(enumeration) => {
                    for (member, declared) in enumeration.members.iter().enumerate() {
                        names.value(&declared.name, Value::Member { enumeration: id, member });
                    }
                }
                _ => {}
            }
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
