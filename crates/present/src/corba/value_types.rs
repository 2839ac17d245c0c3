//! Value types as C has them. In: lifted AOI. Out: AOI in which each value type has all its state, that of its base first, and a box is a value
//! type of one member; and those that have no form, which are native types to what comes after, with the reasons.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Type, ValueType};

/// The member of a box.
pub(super) const BOXED: &str = "_value";

/// A value type has the state of all that it inherits from: of so many types at most.
const MOST_BASES: usize = 64;

/// Why nothing can be made of some value types.
pub(super) type Reasons = BTreeMap<DefinitionId, &'static str>;

/// Gives each value type its whole state.
pub(super) fn complete(aoi: &mut Aoi) -> Reasons {
    let shape = |(id, definition): (DefinitionId, &aoi::Definition)| match &definition.kind {
        DefinitionKind::Value(value) => Some((id, whole(aoi, value))),
        DefinitionKind::ValueBox(ty) => Some((id, Ok(boxed(ty, definition.span)))),
        _ => None,
    };
    let shapes: Vec<_> = aoi.definitions.iter().filter_map(shape).collect();
    let mut reasons = Reasons::new();
    for (id, shape) in shapes {
        aoi.definitions[id].kind = match shape {
            Ok(value) => DefinitionKind::Value(value),
            Err(reason) => {
                reasons.insert(id, reason);
                DefinitionKind::Native
            }
        };
    }
    reasons
}

/// The type in a box.
pub(super) fn in_box(value: &ValueType) -> Option<&Type> {
    match &value.state[..] {
        [field] if field.name == BOXED => Some(&field.ty),
        _ => None,
    }
}

/// The value type whose state comes before its own.
pub(super) fn base(aoi: &Aoi, value: &ValueType) -> Option<DefinitionId> {
    let has_state = |id: &DefinitionId| match &aoi.definitions[*id].kind {
        DefinitionKind::Value(base) => !base.is_abstract,
        _ => false,
    };
    value.bases.first().copied().filter(has_state)
}

/// The value type, and the bases that its values may be taken for: as far as each is `truncatable` to the next.
pub(super) fn takeable(aoi: &Aoi, id: DefinitionId) -> Vec<DefinitionId> {
    let mut found = vec![id];
    while let Some(last) = found.last()
        && let DefinitionKind::Value(value) = &aoi.definitions[*last].kind
        && value.is_truncatable
        && let Some(base) = base(aoi, value).filter(|base| !found.contains(base))
    {
        found.push(base);
    }
    found
}

fn boxed(ty: &Type, span: source::Span) -> ValueType {
    let field = Field { name: BOXED.to_string(), ty: ty.clone(), span };
    ValueType { state: vec![field], ..ValueType::default() }
}

fn whole(aoi: &Aoi, value: &ValueType) -> Result<ValueType, &'static str> {
    let mut states = vec![&value.state];
    let mut last = value;
    while let Some(id) = base(aoi, last) {
        let DefinitionKind::Value(base) = &aoi.definitions[id].kind else { break };
        if states.len() > MOST_BASES {
            return Err("it inherits from more than 64 others");
        }
        check(base)?;
        states.push(&base.state);
        last = base;
    }
    check(value)?;
    let state = states.into_iter().rev().flatten().cloned().collect();
    Ok(ValueType { state, ..value.clone() })
}

fn check(value: &ValueType) -> Result<(), &'static str> {
    match value {
        _ if value.is_abstract => Err("it is abstract, so that it says nothing of their state"),
        _ if value.is_custom => {
            Err("it, or what it inherits from, is `custom`, so that only functions of its own know their bytes")
        }
        _ => Ok(()),
    }
}
