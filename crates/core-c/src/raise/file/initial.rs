//! Initial values as braces around constants, from the bytes where they stand.

use cast::{Designator, Expression, ExpressionKind, Initializer, Type};

use super::super::Raiser;
use crate::{Function, Global, Initial, Program, Shape, TypeId};

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
    let table = raiser.table();
    let mut parts = Vec::new();
    for field in table.records.get(tag).map(|layout| layout.fields.as_slice()).unwrap_or_default() {
        let Some(name) = &field.name else { continue };
        let start = at + field.offset / 8;
        let Some(ty) = raiser.program.types.find(&field.ty) else { continue };
        let is_there = match field.bits {
            Some(bits) => bit_field(raiser, at * 8 + field.offset, bits, initial, &field.ty),
            None => {
                let size = raiser.program.types.size_of(ty);
                (!within(initial, start, size).is_empty()).then(|| part(raiser, ty, start, initial))
            }
        };
        if let Some(value) = is_there {
            parts.push(Initializer { designators: vec![Designator::Member(name.clone())], value });
        }
    }
    braces(parts, c)
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
