//! Scalars that live in memory for no reason become registers: nobody takes their address, and every access is to the
//! whole of them.

use super::uses::Uses;
use crate::graph::LocalSet;
use crate::{
    Argument, Expression, ExpressionKind, Function, LocalId, LocalKind, Place, Program, Receiver, Shape, Statement,
    StatementKind,
};

/// True where something changed.
pub(super) fn promote(program: &Program, function: &mut Function) -> bool {
    let promoted = candidates(program, function);
    if promoted.is_empty() {
        return false;
    }
    for (id, local) in function.locals.iter_mut() {
        if promoted.contains(id) {
            local.kind = LocalKind::Register;
        }
    }
    for (_, block) in function.blocks.iter_mut() {
        let statements = std::mem::take(&mut block.statements);
        block.statements = statements.into_iter().filter_map(|s| statement(program, &promoted, s)).collect();
        block.end.expressions_mut().into_iter().for_each(|value| load(&promoted, value));
    }
    true
}

fn candidates(program: &Program, function: &Function) -> LocalSet {
    let uses = Uses::of(function);
    let mut found = LocalSet::default();
    for (id, local) in function.locals.iter() {
        if local.kind == LocalKind::Memory && program.types.is_scalar(local.ty) && !uses.is_addressed(id) {
            found.insert(id);
        }
    }
    if found.is_empty() {
        return found;
    }
    let mut refused = Vec::new();
    let mut look = |place: &Place| {
        if let Some(local) = place.local_base().filter(|local| found.contains(*local))
            && (!place.steps.is_empty() || place.volatile || place.ty != function.locals[local].ty)
        {
            refused.push(local);
        }
    };
    for block in function.blocks.values() {
        for statement in &block.statements {
            statement.kind.places().into_iter().for_each(|(_, place)| look(place));
            statement.kind.expressions().into_iter().for_each(|value| each_place(value, &mut look));
        }
        block.end.place().into_iter().for_each(|place| look(&Place { volatile: true, ..place.clone() }));
        block.end.expressions().into_iter().for_each(|value| each_place(value, &mut look));
        for argument in block.statements.iter().flat_map(|statement| objects(&statement.kind)) {
            look(&Place { volatile: true, ..argument.clone() });
        }
    }
    for local in refused {
        found.remove(local);
    }
    found
}

/// Places that are moved as a whole, whatever they hold.
fn objects(statement: &StatementKind) -> Vec<&Place> {
    match statement {
        StatementKind::Copy { to, from } => vec![to, from],
        StatementKind::Call { arguments, .. } => arguments
            .iter()
            .filter_map(|argument| match argument {
                Argument::Object(place) => Some(place),
                Argument::Value(_) => None,
            })
            .collect(),
        StatementKind::Assembly { outputs, .. } => outputs.iter().collect(),
        _ => Vec::new(),
    }
}

fn each_place(value: &Expression, look: &mut dyn FnMut(&Place)) {
    value.walk(&mut |part| {
        if let ExpressionKind::Load(place) = &part.kind {
            look(place);
        }
    });
}

fn statement(program: &Program, promoted: &LocalSet, mut statement: Statement) -> Option<Statement> {
    statement.kind.expressions_mut().into_iter().for_each(|value| load(promoted, value));
    let is_promoted = |place: &Place| place.local_base().filter(|local| promoted.contains(*local));
    let kind = match statement.kind {
        StatementKind::Begin { local, .. } if promoted.contains(local) => return None,
        StatementKind::Store { place, value } => match is_promoted(&place) {
            Some(local) => StatementKind::Set { local, value },
            None => StatementKind::Store { place, value },
        },
        StatementKind::Zero { place } => match is_promoted(&place) {
            Some(local) => StatementKind::Set { local, value: zero(program, &place) },
            None => StatementKind::Zero { place },
        },
        StatementKind::Call { receiver: Some(Receiver::Object(place)), callee, arguments } => {
            let receiver = match is_promoted(&place) {
                Some(local) => Receiver::Register(local),
                None => Receiver::Object(place),
            };
            StatementKind::Call { receiver: Some(receiver), callee, arguments }
        }
        other => other,
    };
    Some(Statement { kind, ..statement })
}

fn zero(program: &Program, place: &Place) -> Expression {
    let kind = match program.types.shape_of(place.ty) {
        Shape::Float { .. } => ExpressionKind::Float("0.0".to_owned()),
        _ => ExpressionKind::Integer(0),
    };
    Expression { kind, ty: place.ty, span: None }
}

fn load(promoted: &LocalSet, value: &mut Expression) {
    value.walk_mut(&mut |part| {
        if let ExpressionKind::Load(place) = &part.kind
            && let Some(local) = local_of(place, promoted)
        {
            part.kind = ExpressionKind::Local(local);
        }
    });
}

fn local_of(place: &Place, promoted: &LocalSet) -> Option<LocalId> {
    place.local_base().filter(|local| promoted.contains(*local))
}
