//! The counter of a loop, and what each growing constant is in terms of it.
//!
//! In: the progressions of a run. Out: the counter's type and bounds, chosen so that most constants become the counter
//! itself or a multiple of it, and expressions none of whose parts overflows in any iteration.

use cast::{Scalar, Type};
use core_c::{BinaryOperator, Expression, ExpressionKind, LocalId, Shape, TypeId, Types};

use super::run::Progression;

/// Counts from `first` to before `end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counter {
    pub(super) ty: TypeId,
    pub(super) first: i128,
    pub(super) end: i128,
}

impl Counter {
    /// None where some constant would need numbers that no type holds.
    pub(super) fn of(types: &mut Types, progressions: &[Progression], count: usize) -> Option<Counter> {
        let count = i128::try_from(count).ok()?;
        let growing: Vec<&Progression> = progressions.iter().filter(|progression| progression.stride != 0).collect();
        let mut firsts = vec![0];
        firsts.extend(growing.iter().filter(|one| one.index && one.stride == 1).map(|one| one.first));
        // What remains to be added, the fewest times; the first one of equals.
        let left_over = |first: i128| growing.iter().filter(|one| one.first != one.stride * first).count();
        let first = firsts.into_iter().min_by_key(|first| left_over(*first)).unwrap_or(0);
        let wide = wide(types);
        let ty = common_type(types, &growing).filter(|ty| fits(types, *ty, first) && fits(types, *ty, first + count));
        let counter = Counter { ty: ty.unwrap_or(wide), first, end: first + count };
        let all_fit = growing.iter().all(|one| counter.arithmetic(types, one, wide).is_some());
        (all_fit && fits(types, counter.ty, first) && fits(types, counter.ty, counter.end)).then_some(counter)
    }

    /// A growing constant, with every step written out so that equal loops stay equal.
    pub(super) fn value(&self, types: &mut Types, index: LocalId, progression: &Progression) -> Expression {
        let wide = wide(types);
        let ty = self.arithmetic(types, progression, wide).unwrap_or(wide);
        let counter = converted(Expression { kind: ExpressionKind::Local(index), ty: self.ty, span: None }, ty);
        let grown = binary(BinaryOperator::Multiply, integer(progression.stride, ty), counter);
        let rest = progression.first - progression.stride * self.first;
        converted(binary(BinaryOperator::Add, grown, integer(rest, ty)), progression.ty)
    }

    /// The type to compute in.
    fn arithmetic(&self, types: &Types, progression: &Progression, wide: TypeId) -> Option<TypeId> {
        let Progression { first, stride, ty, .. } = *progression;
        let rest = first - stride * self.first;
        let last = self.end - 1;
        let parts = [stride, rest, stride * self.first, stride * last, first, rest + stride * last, self.first, last];
        let holds = |ty: TypeId| parts.iter().all(|part| fits(types, ty, *part));
        [ty, wide].into_iter().find(|ty| is_arithmetic(types, *ty) && holds(*ty))
    }
}

/// A type whose numbers address all memory.
fn wide(types: &mut Types) -> TypeId {
    let long_is_wide = types.table.target.long >= types.table.target.pointer;
    types.scalar(if long_is_wide { Scalar::Long } else { Scalar::LongLong })
}

/// The type of all growing constants.
fn common_type(types: &Types, growing: &[&Progression]) -> Option<TypeId> {
    let ty = growing.first()?.ty;
    (growing.iter().all(|one| one.ty == ty) && is_arithmetic(types, ty)).then_some(ty)
}

/// True for integers that C computes with as they are.
fn is_arithmetic(types: &Types, ty: TypeId) -> bool {
    let is_enumeration = matches!(types.get(ty).c, Type::Tagged(..));
    !is_enumeration && matches!(types.shape_of(ty), Shape::Integer { bits: 32.., boolean: false, .. })
}

/// True where the type holds a number and its negative, if it holds negative ones at all.
fn fits(types: &Types, ty: TypeId, value: i128) -> bool {
    match *types.shape_of(ty) {
        Shape::Integer { bits, signed: true, .. } => value.unsigned_abs() < 1 << (bits - 1).min(120),
        Shape::Integer { bits, .. } => value >= 0 && value < 1 << bits.min(120),
        _ => false,
    }
}

pub(super) fn integer(value: i128, ty: TypeId) -> Expression {
    Expression { kind: ExpressionKind::Integer(value), ty, span: None }
}

pub(super) fn binary(operator: BinaryOperator, left: Expression, right: Expression) -> Expression {
    let ty = left.ty;
    Expression { kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)), ty, span: None }
}

pub(super) fn converted(value: Expression, ty: TypeId) -> Expression {
    if value.ty == ty {
        return value;
    }
    Expression { kind: ExpressionKind::Convert(Box::new(value)), ty, span: None }
}
