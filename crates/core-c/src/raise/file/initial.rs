//! Initial values as braces around constants, from the bytes where they stand.

use cast::{Designator, Expression, ExpressionKind, FieldLayout, Initializer, RecordKind, Type};

use super::super::Raiser;
use crate::{Function, Global, Initial, Program, Shape, TypeId, Types};

/// The initial value of an object; none where it is all zeros.
pub(in crate::raise) fn value(program: &Program, global: &Global) -> Option<Expression> {
    let initial = global.initial.as_ref().filter(|initial| !initial.is_empty())?;
    let nobody = Function {
        name: String::new(),
        ty: global.ty,
        linkage: crate::Linkage::Internal,
        inline: false,
        cold: false,
        parameters: Vec::new(),
        locals: la_arena::Arena::default(),
        blocks: la_arena::Arena::default(),
        unit: None,
        refused: None,
        names: Default::default(),
        span: None,
    };
    let raiser = Raiser::outside(program, &nobody);
    Some(part(&raiser, global.ty, 0, initial))
}

/// What stands in `size` bytes from `at` on.
fn part(raiser: &Raiser, ty: TypeId, at: u64, initial: &[Initial]) -> Expression {
    let types = &raiser.program.types;
    let c = types.get(ty).c.clone();
    match types.shape_of(ty) {
        Shape::Array(element, _) => {
            let width = types.size_of(*element).unwrap_or(1).max(1);
            let within = within(initial, at, types.size_of(ty));
            let mut parts = Vec::new();
            let mut next = 0;
            for index in indices(within, at, width) {
                let designators = match index == next {
                    true => Vec::new(),
                    false => vec![Designator::Index(cast::build::integer(i128::from(index)))],
                };
                next = index + 1;
                parts.push(Initializer { designators, value: part(raiser, *element, at + index * width, initial) });
            }
            braces(parts, c)
        }
        Shape::Record(tag) => record(raiser, tag, at, initial, c),
        _ => match initial.iter().find(|part| part.offset == at && part.bits.is_none()) {
            Some(part) => raiser.assigned(&part.value, &c),
            None => cast::build::integer(0),
        },
    }
}

fn within(initial: &[Initial], at: u64, size: Option<u64>) -> &[Initial] {
    let first = initial.partition_point(|part| part.offset < at);
    let last = size.map_or(initial.len(), |size| initial.partition_point(|part| part.offset < at + size));
    &initial[first..last.max(first)]
}

fn indices(initial: &[Initial], at: u64, width: u64) -> Vec<u64> {
    let mut found: Vec<u64> = initial.iter().map(|part| (part.offset - at) / width).collect();
    found.dedup();
    found
}

fn record(raiser: &Raiser, tag: &str, at: u64, initial: &[Initial], c: Type) -> Expression {
    let mut parts = Vec::new();
    members(raiser, tag, at, initial, &mut parts);
    braces(parts, c)
}

/// The members that have a value; those of an anonymous record are named as the outer one's.
fn members(raiser: &Raiser, tag: &str, at: u64, initial: &[Initial], found: &mut Vec<Initializer>) {
    let types = &raiser.program.types;
    let Some(layout) = raiser.table().records.get(tag) else { return };
    let fields = layout.fields.iter().filter_map(|field| Some((field, types.find(&field.ty)?)));
    let has_part = |field: &FieldLayout, ty| {
        field.bits.is_some() || !within(initial, at + field.offset / 8, types.size_of(ty)).is_empty()
    };
    let mut fields: Vec<_> = fields.filter(|(field, ty)| has_part(field, *ty)).collect();
    if layout.kind == RecordKind::Union {
        // One member alone has a value: the one that the parts are of.
        let whole = within(initial, at, layout.size);
        let fits = |ty| whole.iter().all(|part| part.bits.is_some() || is_of(types, ty, at, part));
        let chosen = fields.iter().position(|(_, ty)| fits(*ty)).unwrap_or(0);
        fields = fields.into_iter().skip(chosen).take(1).collect();
    }
    for (field, ty) in fields {
        let start = at + field.offset / 8;
        let value = match (&field.name, field.bits, types.shape_of(ty)) {
            (None, None, Shape::Record(inner)) => {
                members(raiser, inner, start, initial, found);
                continue;
            }
            (None, ..) => continue,
            (_, Some(bits), _) => match bit_field(raiser, at * 8 + field.offset, bits, initial, &field.ty) {
                Some(value) => value,
                None => continue,
            },
            _ => part(raiser, ty, start, initial),
        };
        let name = field.name.iter().map(|name| Designator::Member(name.clone())).collect();
        found.push(Initializer { designators: name, value });
    }
}

/// True where a part is one of the scalars of a type that begins at `at`.
fn is_of(types: &Types, ty: TypeId, at: u64, part: &Initial) -> bool {
    let is_inside = |ty: TypeId, at: u64| {
        at <= part.offset && types.size_of(ty).is_some_and(|size| part.offset - at < size) && is_of(types, ty, at, part)
    };
    match types.shape_of(ty) {
        Shape::Array(element, _) => {
            let width = types.size_of(*element).unwrap_or(1).max(1);
            part.offset >= at && is_inside(*element, at + (part.offset - at) / width * width)
        }
        Shape::Record(tag) => {
            let fields = types.table.records.get(tag).map(|layout| layout.fields.as_slice()).unwrap_or_default();
            let mut places = fields.iter().filter_map(|field| Some((types.find(&field.ty)?, at + field.offset / 8)));
            places.any(|(ty, at)| is_inside(ty, at))
        }
        shape => {
            let held = types.shape_of(part.value.ty);
            let is_alike = std::mem::discriminant(shape) == std::mem::discriminant(held);
            part.offset == at && is_alike && types.size_of(ty) == types.size_of(part.value.ty)
        }
    }
}

fn bit_field(raiser: &Raiser, start: u64, width: u32, initial: &[Initial], ty: &Type) -> Option<Expression> {
    let found = initial.iter().find(|part| {
        part.bits.is_some_and(|bits| part.offset * 8 + u64::from(bits.first) == start && bits.width == width)
    })?;
    Some(raiser.assigned(&found.value, ty))
}

/// Braces are never empty in C11.
fn braces(mut parts: Vec<Initializer>, ty: Type) -> Expression {
    if parts.is_empty() {
        parts.push(Initializer { designators: Vec::new(), value: cast::build::integer(0) });
    }
    Expression { kind: ExpressionKind::Braces(parts), ty, span: None }
}
