//! What of other languages has no form in this style. In: AOI of OMG IDL. Out: the types that have none, each with the part
//! that is at fault. Why: a file may be asked for its types alone, and then only those that somebody uses matter.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Type, Union, Value};
use source::Span;

/// What has no form, and where it stands.
type Cause = (&'static str, Span);

/// What a type is for which the RPC language has no word; `None` for all others, whatever they hold.
pub(super) fn of_type(aoi: &Aoi, ty: &Type) -> Option<&'static str> {
    match ty {
        Type::Character { is_wide: true } | Type::WideText { .. } => Some("a wide character"),
        Type::Fixed { .. } => Some("a fixed-point number"),
        Type::Any => Some("`any`"),
        Type::TypeCode => Some("a type code"),
        Type::Object => Some("an object reference"),
        Type::Named(id) => of_definition(&aoi.definitions[*id].kind),
        _ => None,
    }
}

fn of_definition(kind: &DefinitionKind) -> Option<&'static str> {
    match kind {
        DefinitionKind::Reference(_) => Some("an object reference"),
        DefinitionKind::Value(_) | DefinitionKind::ValueBox(_) => Some("a value type"),
        DefinitionKind::Native => Some("a native type"),
        DefinitionKind::Exception(_) => Some("an exception"),
        DefinitionKind::Constant(constant) => of_constant(&constant.value),
        _ => None,
    }
}

pub(super) fn of_constant(value: &Value) -> Option<&'static str> {
    matches!(value, Value::WideText(_) | Value::Fixed(_)).then_some("a constant of this type")
}

/// The definitions without a form, by what they are or by what they hold.
pub(crate) fn formless(aoi: &Aoi) -> BTreeMap<DefinitionId, Cause> {
    let mut found = Found { aoi, causes: BTreeMap::new(), users: BTreeMap::new() };
    for (id, definition) in aoi.definitions.iter() {
        if let Some(what) = of_definition(&definition.kind) {
            found.causes.insert(id, (what, definition.span));
        }
        match &definition.kind {
            DefinitionKind::Structure(structure) => {
                structure.fields.iter().for_each(|field| found.part(id, &field.ty, field.span));
            }
            DefinitionKind::Union(union) => found.union(id, union),
            DefinitionKind::Alias(ty) => found.part(id, ty, definition.span),
            _ => {}
        }
    }
    let Found { mut causes, mut users, .. } = found;
    let mut open: Vec<DefinitionId> = causes.keys().copied().collect();
    while let Some(id) = open.pop() {
        let cause = causes[&id];
        for user in users.remove(&id).unwrap_or_default() {
            causes.entry(user).or_insert_with(|| {
                open.push(user);
                cause
            });
        }
    }
    causes
}

struct Found<'a> {
    aoi: &'a Aoi,
    causes: BTreeMap<DefinitionId, Cause>,
    /// The definitions that hold each.
    users: BTreeMap<DefinitionId, Vec<DefinitionId>>,
}

impl Found<'_> {
    fn union(&mut self, id: DefinitionId, union: &Union) {
        self.part(id, &union.discriminant.ty, union.discriminant.span);
        let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
        bodies.for_each(|body| self.part(id, &body.ty, body.span));
    }

    /// A type at a place inside the definition `id`.
    fn part(&mut self, id: DefinitionId, ty: &Type, span: Span) {
        if let Some(what) = of_type(self.aoi, ty) {
            self.causes.entry(id).or_insert((what, span));
        }
        match ty {
            Type::Array { element, .. }
            | Type::Sequence { element, .. }
            | Type::Optional(element)
            | Type::Recursive(element) => {
                self.part(id, element, span);
            }
            Type::Structure(structure) => {
                structure.fields.iter().for_each(|field| self.part(id, &field.ty, field.span));
            }
            Type::Union(union) => self.union(id, union),
            Type::Named(held) => self.users.entry(*held).or_default().push(id),
            _ => {}
        }
    }
}
