//! Locals that nothing mentions go; the others are numbered anew.

use la_arena::Arena;

use crate::graph::{LocalSet, id, number};
use crate::{Expression, ExpressionKind, Function, LocalId, Place, PlaceBase, StatementKind};

pub(super) fn remove_unused(function: &mut Function) {
    let mut used = LocalSet::default();
    each_local(function, &mut |local| used.extend([*local]));
    let mut names: Vec<Option<LocalId>> = vec![None; function.locals.len()];
    let mut locals = Arena::new();
    for (old, local) in std::mem::take(&mut function.locals) {
        if used.contains(old) {
            names[number(old)] = Some(locals.alloc(local));
        }
    }
    function.locals = locals;
    each_local(function, &mut |local| *local = names[number(*local)].unwrap_or(id(0)));
}

/// Every mention of a local, parameters first.
fn each_local(function: &mut Function, visit: &mut dyn FnMut(&mut LocalId)) {
    function.parameters.iter_mut().for_each(&mut *visit);
    for (_, block) in function.blocks.iter_mut() {
        for statement in &mut block.statements {
            statement.kind.expressions_mut().into_iter().for_each(|value| in_expression(value, visit));
            statement.kind.places_mut().into_iter().for_each(|place| in_base(place, visit));
            if let Some(local) = statement.kind.written_register_mut() {
                visit(local);
            }
            if let StatementKind::Begin { local, .. } = &mut statement.kind {
                visit(local);
            }
        }
        block.end.expressions_mut().into_iter().for_each(|value| in_expression(value, visit));
        if let crate::Terminator::Return(Some(crate::Argument::Object(place))) = &mut block.end {
            in_base(place, visit);
        }
    }
}

fn in_base(place: &mut Place, visit: &mut dyn FnMut(&mut LocalId)) {
    if let PlaceBase::Local(local) = &mut place.base {
        visit(local);
    }
}

fn in_expression(value: &mut Expression, visit: &mut dyn FnMut(&mut LocalId)) {
    value.walk_mut(&mut |part| match &mut part.kind {
        ExpressionKind::Local(local) => visit(local),
        ExpressionKind::Load(place) | ExpressionKind::Address(place) => in_base(place, visit),
        _ => {}
    });
}
