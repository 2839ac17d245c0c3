//! Types that a member of the same name hides: `struct s { name name; name other; };` is C, but in C++ a member's name is
//! looked up before those around the structure. In: the header's declarations. Out: the same, where such a member has what
//! the name stands for (`char *name;`), so that programs in C see no other type.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, DefinitionKind};
use cast::{Declaration, Record, Type as C};

use super::shape::marks;
use super::{c_types, names};

/// What names for types stand for.
type Meanings = BTreeMap<String, C>;

/// Writes out what the names of hidden types stand for.
pub(super) fn write_out(aoi: &Aoi, declarations: &mut [Declaration]) {
    let meanings = meanings(aoi);
    for declaration in declarations {
        if let Declaration::Record(record) = declaration {
            members(record, &BTreeSet::new(), &meanings);
        }
    }
}

/// Structures and enumerations are called by their tags, which nothing hides.
fn meanings(aoi: &Aoi) -> Meanings {
    let meaning = |(id, definition): (aoi::DefinitionId, &aoi::Definition)| match &definition.kind {
        DefinitionKind::Alias(target) if !c_types::is_record(definition) && !marks::is_nameless(definition) => {
            Some((names::of_definition(aoi, id), c_types::of_alias(aoi, definition, target)))
        }
        _ => None,
    };
    aoi.definitions.iter().filter_map(meaning).collect()
}

/// A structure's members, with those of the structures around it.
fn members(record: &mut Record, around: &BTreeSet<String>, meanings: &Meanings) {
    let own = record.fields.iter().map(|field| &field.name).filter(|name| meanings.contains_key(*name));
    let hidden: BTreeSet<String> = own.chain(around).cloned().collect();
    for field in &mut record.fields {
        replace(&mut field.ty, &hidden, meanings);
    }
}

fn replace(ty: &mut C, hidden: &BTreeSet<String>, meanings: &Meanings) {
    // Chains of names end, or were reported.
    for _ in 0..=meanings.len() {
        let C::Named(name) = &*ty else { break };
        let Some(meaning) = meanings.get(name).filter(|_| hidden.contains(name)) else { break };
        *ty = meaning.clone();
    }
    match ty {
        C::Pointer(to) | C::Array(to, _) | C::Qualified(_, to) => replace(to, hidden, meanings),
        C::Anonymous(record) => members(record, hidden, meanings),
        C::Function(function) => {
            replace(&mut function.result, hidden, meanings);
            function.parameters.iter_mut().for_each(|parameter| replace(&mut parameter.ty, hidden, meanings));
        }
        _ => {}
    }
}
