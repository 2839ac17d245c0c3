//! What addresses of named objects say: they are not null, and those into one object compare and differ by their distances in it.
//!
//! In: an expression whose parts are simplified. Out: the number that it is. Why: what paths know of an address is known only after they have been
//! joined, and compilers warn of tests that always come out the same (C11 section 6.3.2.3, 6.5.6, 6.5.8).

use std::cmp::Ordering;

use crate::types::Types;
use crate::{BinaryOperator, Expression, ExpressionKind, GlobalId, LocalId, Place, PlaceBase, Shape, StepKind};

/// An object that has a name, and how far in it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Object {
    Local(LocalId),
    Global(GlobalId),
}

/// The value of a comparison or difference of addresses, where it is known.
pub(super) fn known(types: &Types, value: &Expression) -> Option<i128> {
    match &value.kind {
        ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
            let null = |side: &Expression| matches!(side.kind, ExpressionKind::Integer(0));
            let ordering = match (address(types, left), address(types, right)) {
                (Some((a, from)), Some((b, to))) if a == b => from.cmp(&to),
                (Some(_), None) if null(right) => Ordering::Greater,
                (None, Some(_)) if null(left) => Ordering::Less,
                _ => return None,
            };
            Some(holds(*operator, ordering).into())
        }
        ExpressionKind::Distance(left, right) => {
            let ((a, from), (b, to)) = (address(types, left)?, address(types, right)?);
            let size = i128::from(types.size_of(types.element(left.ty)?)?);
            let is_whole = a == b && size > 0 && (from - to) % size == 0;
            is_whole.then(|| (from - to) / size)
        }
        _ => None,
    }
}

/// True for the address of a named object or of a part.
pub(super) fn leads_somewhere(types: &Types, value: &Expression) -> bool {
    matches!(types.shape_of(value.ty), Shape::Pointer(_)) && address(types, value).is_some()
}

fn holds(operator: BinaryOperator, ordering: Ordering) -> bool {
    match operator {
        BinaryOperator::Less => ordering.is_lt(),
        BinaryOperator::LessEqual => ordering.is_le(),
        BinaryOperator::Greater => ordering.is_gt(),
        BinaryOperator::GreaterEqual => ordering.is_ge(),
        BinaryOperator::Equal => ordering.is_eq(),
        _ => ordering.is_ne(),
    }
}

fn address(types: &Types, value: &Expression) -> Option<(Object, i128)> {
    match &value.kind {
        ExpressionKind::Address(place) => {
            let object = match place.base {
                PlaceBase::Local(local) => Object::Local(local),
                PlaceBase::Global(global) => Object::Global(global),
                PlaceBase::Pointee(_) => return None,
            };
            Some((object, distance(types, place)?))
        }
        ExpressionKind::Convert(inner) => {
            let is_pointer = |ty| matches!(types.shape_of(ty), Shape::Pointer(_));
            address(types, inner).filter(|_| is_pointer(value.ty) && is_pointer(inner.ty))
        }
        ExpressionKind::Offset { pointer, count, negative } => {
            let ExpressionKind::Integer(count) = count.kind else { return None };
            let (object, from) = address(types, pointer)?;
            let by = count.checked_mul(types.size_of(types.element(pointer.ty)?)?.into())?;
            Some((object, if *negative { from.checked_sub(by)? } else { from.checked_add(by)? }))
        }
        _ => None,
    }
}

fn distance(types: &Types, place: &Place) -> Option<i128> {
    place.steps.iter().try_fold(0i128, |sum, step| {
        let by = match &step.kind {
            StepKind::Field { offset, .. } => i128::from(*offset),
            StepKind::Index(index) => match index.kind {
                ExpressionKind::Integer(index) => index.checked_mul(types.size_of(step.ty)?.into())?,
                _ => return None,
            },
        };
        sum.checked_add(by)
    })
}
