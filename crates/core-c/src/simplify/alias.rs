//! Whether a statement may change what a load reads.

use super::uses::Uses;
use crate::{Expression, ExpressionKind, Place, PlaceBase, Program, Shape, StatementKind, Step, StepKind};

/// True where a statement may change what some load in an expression reads.
pub(super) fn may_change(program: &Program, uses: &Uses, statement: &StatementKind, value: &Expression) -> bool {
    value.any(&mut |part| match &part.kind {
        ExpressionKind::Load(place) => may_write(program, uses, statement, place),
        _ => false,
    })
}

/// True where a statement may write to a place.
pub(super) fn may_write(program: &Program, uses: &Uses, statement: &StatementKind, place: &Place) -> bool {
    match statement {
        StatementKind::Set { .. } | StatementKind::LoadVolatile { .. } => false,
        StatementKind::Store { place: to, .. } | StatementKind::Zero { place: to } | StatementKind::Copy { to, .. } => {
            may_overlap(program, uses, to, place)
        }
        StatementKind::Call { .. } => {
            let by_receiver = statement
                .places()
                .iter()
                .any(|(access, to)| *access == crate::Access::Write && may_overlap(program, uses, to, place));
            by_receiver || is_shared(program, uses, place)
        }
        StatementKind::Begin { local, .. } => place.local_base() == Some(*local),
        StatementKind::Assembly { outputs, .. } => {
            is_shared(program, uses, place) || outputs.iter().any(|to| may_overlap(program, uses, to, place))
        }
    }
}

/// True where others may write to a place.
pub(super) fn is_shared(program: &Program, uses: &Uses, place: &Place) -> bool {
    match place.base {
        PlaceBase::Local(local) => uses.is_addressed(local),
        PlaceBase::Global(global) => !program.globals[global].constant,
        PlaceBase::Pointee(_) => true,
    }
}

/// True where two places may share a byte.
pub(super) fn may_overlap(program: &Program, uses: &Uses, left: &Place, right: &Place) -> bool {
    match (&left.base, &right.base) {
        (PlaceBase::Local(one), PlaceBase::Local(other)) => one == other && steps_may_meet(program, left, right),
        (PlaceBase::Global(one), PlaceBase::Global(other)) => one == other && steps_may_meet(program, left, right),
        (PlaceBase::Local(local), PlaceBase::Pointee(_)) | (PlaceBase::Pointee(_), PlaceBase::Local(local)) => {
            uses.is_addressed(*local)
        }
        (PlaceBase::Global(global), PlaceBase::Pointee(_)) | (PlaceBase::Pointee(_), PlaceBase::Global(global)) => {
            !program.globals[*global].constant
        }
        (PlaceBase::Pointee(one), PlaceBase::Pointee(other)) => {
            let (one, other) = (displaced(program, one), displaced(program, other));
            if !same_value(one.0, other.0) {
                return true;
            }
            let (first, second) = (extent(program, left, one.1), extent(program, right, other.1));
            match (first, second) {
                (Some(first), Some(second)) => first.0 < second.1 && second.0 < first.1,
                _ => one.1 != other.1 || steps_may_meet(program, left, right),
            }
        }
        _ => false,
    }
}

/// A pointer as another one and a number of bytes.
fn displaced<'e>(program: &Program, pointer: &'e Expression) -> (&'e Expression, i128) {
    match &pointer.kind {
        ExpressionKind::Convert(inner) if matches!(program.types.shape_of(inner.ty), Shape::Pointer(_)) => {
            displaced(program, inner)
        }
        ExpressionKind::Offset { pointer: inner, count, negative } => {
            let size = program.types.element(inner.ty).and_then(|element| program.types.size_of(element));
            match (&count.kind, size) {
                (ExpressionKind::Integer(count), Some(size)) => {
                    let (root, before) = displaced(program, inner);
                    let moved = count * i128::from(size);
                    (root, if *negative { before - moved } else { before + moved })
                }
                _ => (pointer, 0),
            }
        }
        _ => (pointer, 0),
    }
}

/// True where two expressions have one value, as long as what they read does not change.
fn same_value(left: &Expression, right: &Expression) -> bool {
    left.kind == right.kind
}

/// The bytes of a place, from a known start; none where an index is not known.
fn extent(program: &Program, place: &Place, start: i128) -> Option<(i128, i128)> {
    let mut at = start;
    for step in &place.steps {
        at += match &step.kind {
            StepKind::Field { offset, .. } => i128::from(*offset),
            StepKind::Index(index) => {
                let ExpressionKind::Integer(index) = index.kind else { return None };
                index * i128::from(program.types.size_of(step.ty)?)
            }
        };
    }
    Some((at, at + i128::from(program.types.size_of(place.ty)?)))
}

/// True where places in one object may share a byte.
fn steps_may_meet(program: &Program, left: &Place, right: &Place) -> bool {
    if let (Some(first), Some(second)) = (extent(program, left, 0), extent(program, right, 0)) {
        return first.0 < second.1 && second.0 < first.1;
    }
    for (one, other) in left.steps.iter().zip(&right.steps) {
        if apart(program, one, other) {
            return false;
        }
        if one.kind != other.kind {
            return true;
        }
    }
    true
}

/// True for different members of a structure, or different known elements.
fn apart(program: &Program, one: &Step, other: &Step) -> bool {
    match (&one.kind, &other.kind) {
        (StepKind::Field { offset: first, .. }, StepKind::Field { offset: second, .. }) => {
            let ends = |offset: &u64, step: &Step| program.types.size_of(step.ty).map(|size| offset + size);
            match (ends(first, one), ends(second, other)) {
                (Some(end), Some(last)) => end <= *second || last <= *first,
                _ => false,
            }
        }
        (StepKind::Index(first), StepKind::Index(second)) => {
            matches!((&first.kind, &second.kind), (ExpressionKind::Integer(a), ExpressionKind::Integer(b)) if a != b)
        }
        _ => false,
    }
}
