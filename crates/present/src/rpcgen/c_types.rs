//! The C type of each AOI type, and the structures that C needs where the interface language needs none.

use std::collections::BTreeSet;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Field, Structure, Type, Union, UnionCase, Value};
use cast::{Record, RecordKind, TagKind};

use super::reserved::Typedef;
use super::{scalars, values};

/// What a C type depends on besides the AOI type.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) aoi: &'a Aoi,
    /// Records that are declared so far; others are named by their tag. `None` where all are.
    pub(super) declared: Option<&'a BTreeSet<DefinitionId>>,
    /// Constants that stand as numbers, since the file does not know their names or what they stand for.
    pub(super) unnamed: &'a [String],
}

impl Scope<'_> {
    /// How C writes a value here.
    pub(super) fn expression(self, value: &Value) -> cast::Expression {
        let Some(number) = self.aoi.number(value) else { return values::expression(self.aoi, value) };
        let is_unnamed = matches!(value, Value::Constant(id) if self.unnamed.contains(&self.aoi.definitions[*id].name));
        // C99 has no decimal literal for them, and the user's spelling may be one.
        let is_wide = number <= i128::from(i64::MIN) || number > i128::from(i64::MAX);
        match is_unnamed || is_wide {
            true => crate::values::number(number),
            false => values::expression(self.aoi, value),
        }
    }
}

/// Where a type stands: what its members are called, and what a nested enumeration is called.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    /// The names of the types and fields around it, joined by `_`.
    pub(super) owner: &'a str,
    /// The name it is declared with: `x` gives `x_len`, `x_val` and `x_u`.
    pub(super) name: &'a str,
    /// Inside an array, a list or optional data of that name.
    is_item: bool,
}

impl<'a> Place<'a> {
    pub(super) fn of(owner: &'a str, name: &'a str) -> Self {
        Place { owner, name, is_item: false }
    }

    pub(super) fn item(self) -> Self {
        Place { is_item: true, ..self }
    }

    /// The name that is unique in the file: `owner_name`. The name of a definition is that of the whole: C++ has no tag of the name, too.
    pub(super) fn path(self) -> String {
        match (self.owner, self.is_item) {
            ("", false) => self.name.to_string(),
            ("", true) => format!("{}_item", self.name),
            (owner, _) => format!("{owner}_{}", self.name),
        }
    }
}

/// The C type of `ty` at `place`.
pub(super) fn c_type(scope: Scope, ty: &Type, place: Place) -> cast::Type {
    if let Some(scalar) = scalars::of_type(ty) {
        return scalar.ty;
    }
    match ty {
        Type::Text { .. } => cast::Type::CHAR.pointer(),
        Type::FixedOpaque { length } => cast::Type::CHAR.array(scope.expression(length)),
        Type::Opaque { .. } => counted(cast::Type::CHAR, place.name),
        Type::Array { element, length } => c_type(scope, element, place.item()).array(scope.expression(length)),
        Type::Sequence { element, .. } => counted(c_type(scope, element, place.item()), place.name),
        Type::Optional(target) | Type::Recursive(target) => c_type(scope, target, place.item()).pointer(),
        Type::Structure(_) | Type::Union(_) => cast::Type::structure(place.path()),
        Type::Enumeration(_) => cast::Type::Tagged(TagKind::Enum, place.path()),
        Type::Named(id) => named(scope, *id),
        Type::External(name) => external(name),
        // `of_type` has answered for numbers; what the style has no form for was refused.
        _ => cast::Type::Void,
    }
}

/// A type of the user's headers; some files spell the tag.
pub(super) fn external(name: &str) -> cast::Type {
    let kinds = [("struct ", TagKind::Struct), ("union ", TagKind::Union), ("enum ", TagKind::Enum)];
    for (word, kind) in kinds {
        if let Some(tag) = name.strip_prefix(word) {
            return cast::Type::Tagged(kind, tag.trim().to_string());
        }
    }
    cast::Type::named(name)
}

fn named(scope: Scope, id: DefinitionId) -> cast::Type {
    let definition = &scope.aoi.definitions[id];
    let is_record = matches!(definition.kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_));
    if is_record && scope.declared.is_some_and(|declared| !declared.contains(&id)) {
        cast::Type::structure(&definition.name)
    } else {
        of_definition(scope, definition)
    }
}

/// The type of a definition: its name. Where a function has the name, its tag, or what an alias stands for.
pub(super) fn of_definition(scope: Scope, definition: &Definition) -> cast::Type {
    if Typedef::of(&definition.name) == Typedef::Everywhere {
        return cast::Type::named(&definition.name);
    }
    match &definition.kind {
        DefinitionKind::Structure(_) | DefinitionKind::Union(_) => cast::Type::structure(&definition.name),
        DefinitionKind::Enumeration(_) => cast::Type::Tagged(TagKind::Enum, definition.name.clone()),
        DefinitionKind::Alias(ty) => match c_type(scope, ty, Place::of("", &definition.name)) {
            cast::Type::Anonymous(_) => cast::Type::structure(&definition.name),
            ty => ty,
        },
        _ => cast::Type::named(&definition.name),
    }
}

fn anonymous(fields: Vec<cast::Field>) -> cast::Type {
    cast::Type::Anonymous(Box::new(Record { kind: RecordKind::Struct, tag: None, fields }))
}

fn field(name: impl Into<String>, ty: cast::Type) -> cast::Field {
    cast::Field { name: name.into(), ty }
}

/// `struct { u_int x_len; T *x_val; }`.
fn counted(element: cast::Type, name: &str) -> cast::Type {
    let length = field(format!("{name}_len"), cast::Type::named("u_int"));
    anonymous(vec![length, field(format!("{name}_val"), element.pointer())])
}

/// The members of a structure.
pub(super) fn structure_fields(scope: Scope, structure: &Structure, path: &str) -> Vec<cast::Field> {
    structure.fields.iter().map(|member| member_field(scope, member, path)).collect()
}

fn member_field(scope: Scope, member: &Field, path: &str) -> cast::Field {
    field(&member.name, c_type(scope, &member.ty, Place::of(path, &member.name)))
}

/// The members of the structure that stands for a union: the discriminant, and the C union of the bodies.
pub(super) fn union_fields(scope: Scope, union: &Union, place: Place) -> Vec<cast::Field> {
    let mut fields = vec![member_field(scope, &union.discriminant, &place.path())];
    let body = union_body(scope, union, &place.path());
    // A union without members would have one size in C and another in C++.
    if !body.fields.is_empty() {
        fields.push(field(union_body_name(place.name), cast::Type::Anonymous(Box::new(body))));
    }
    fields
}

/// `result_u`.
pub(super) fn union_body_name(name: &str) -> String {
    format!("{name}_u")
}

/// The C union of the bodies.
pub(super) fn union_body(scope: Scope, union: &Union, path: &str) -> Record {
    let bodies = cases_in_order(union).into_iter().filter_map(|case| case.body.as_ref());
    Record { kind: RecordKind::Union, tag: None, fields: bodies.map(|body| member_field(scope, body, path)).collect() }
}

/// The cases and the default, as the source has them.
pub(super) fn cases_in_order(union: &Union) -> Vec<&UnionCase> {
    let mut cases: Vec<&UnionCase> = union.cases.iter().collect();
    if let Some(default) = union.default.as_deref() {
        cases.insert(union.default_position.min(cases.len()), default);
    }
    cases
}

/// A type without a name of its own, inside another: C declares it apart, under the names on the way to it.
pub(super) enum Nested<'a> {
    Enumeration(&'a aoi::Enumeration),
    Structure(&'a Structure),
    Union(&'a Union),
}

/// Calls `found` for each type nested in `ty`, and for `ty` itself if it is one; innermost first.
pub(super) fn nested<'a>(ty: &'a Type, place: Place, found: &mut impl FnMut(Place, Nested<'a>)) {
    match ty {
        Type::Enumeration(enumeration) => found(place, Nested::Enumeration(enumeration)),
        Type::Array { element: inner, .. }
        | Type::Sequence { element: inner, .. }
        | Type::Optional(inner)
        | Type::Recursive(inner) => {
            nested(inner, place.item(), found);
        }
        Type::Structure(structure) => {
            nested_in_structure(structure, &place.path(), found);
            found(place, Nested::Structure(structure));
        }
        Type::Union(union) => {
            nested_in_union(union, &place.path(), found);
            found(place, Nested::Union(union));
        }
        _ => {}
    }
}

/// The same for the members of a structure.
pub(super) fn nested_in_structure<'a>(structure: &'a Structure, path: &str, found: &mut impl FnMut(Place, Nested<'a>)) {
    for member in &structure.fields {
        nested(&member.ty, Place::of(path, &member.name), found);
    }
}

/// The same for the discriminant and the bodies of a union.
pub(super) fn nested_in_union<'a>(union: &'a Union, path: &str, found: &mut impl FnMut(Place, Nested<'a>)) {
    let bodies = cases_in_order(union).into_iter().filter_map(|case| case.body.as_ref());
    for member in std::iter::once(&*union.discriminant).chain(bodies) {
        nested(&member.ty, Place::of(path, &member.name), found);
    }
}

/// The members of a C enumeration, with rpcgen's values: the last explicit one plus the distance from it.
pub(super) fn enumeration_members(
    aoi: &Aoi,
    enumeration: &aoi::Enumeration,
) -> Vec<(String, Option<cast::Expression>)> {
    let zero = Value::Integer { value: 0, spelling: "0".to_string() };
    let mut base = &zero;
    let mut distance = 0;
    let mut members = Vec::new();
    for member in &enumeration.members {
        if let Some(explicit) = &member.explicit {
            base = explicit;
            distance = 0;
        }
        let value = values::expression(aoi, base);
        let value = match (base, distance) {
            (_, 0) => value,
            (Value::Integer { spelling, .. }, _) if spelling == "0" => cast::build::integer(distance),
            _ => cast::build::add(value, cast::build::integer(distance)),
        };
        members.push((member.name.clone(), Some(value)));
        distance += 1;
    }
    members
}
