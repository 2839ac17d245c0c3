//! One form for equal things while runs are looked for, and the short form afterwards.
//!
//! Before: an address at no distance from a pointer says so (`p + 0 elements`), as its neighbours say `+ 1`. After:
//! sums with nothing, products with one and detours of pointers through `char *` disappear again.

use cast::Scalar;
use core_c::{
    Argument, BinaryOperator, Expression, ExpressionKind, Function, PlaceBase, Shape, StatementKind, TypeId, Types,
};

use super::counter::{binary, integer};

/// Writes the distances of pointers out.
pub(super) fn spell_out(types: &mut Types, function: &mut Function) {
    let long = types.scalar(Scalar::Long);
    let character = types.scalar(Scalar::Char);
    let spelling = Spelling { long, bytes: types.pointer_to(character) };
    for block in function.blocks.values_mut() {
        for statement in &mut block.statements {
            for place in statement.kind.places_mut() {
                spelling.base(types, &mut place.base);
            }
            for value in statement.kind.expressions_mut() {
                spelling.inside(types, value);
            }
            for value in whole_values(&mut statement.kind) {
                spelling.pointer(types, value);
            }
        }
        block.end.expressions_mut().into_iter().for_each(|value| spelling.inside(types, value));
    }
}

/// Values that a statement stores, sets or passes.
fn whole_values(kind: &mut StatementKind) -> Vec<&mut Expression> {
    match kind {
        StatementKind::Set { value, .. } | StatementKind::Store { value, .. } => vec![value],
        StatementKind::Call { arguments, .. } => arguments
            .iter_mut()
            .filter_map(|argument| match argument {
                Argument::Value(value) => Some(value),
                Argument::Object(_) => None,
            })
            .collect(),
        _ => Vec::new(),
    }
}

struct Spelling {
    long: TypeId,
    /// `char *`
    bytes: TypeId,
}

impl Spelling {
    /// Places that are loaded or whose addresses are taken.
    fn inside(&self, types: &Types, value: &mut Expression) {
        value.walk_mut(&mut |part| {
            if let Some(place) = part.place_mut() {
                self.base(types, &mut place.base);
            }
        });
    }

    fn base(&self, types: &Types, base: &mut PlaceBase) {
        if let PlaceBase::Pointee(pointer) = base {
            self.pointer(types, pointer);
        }
    }

    fn pointer(&self, types: &Types, value: &mut Expression) {
        if !is_pointer(types, value.ty) {
            return;
        }
        match &mut value.kind {
            ExpressionKind::Offset { .. } | ExpressionKind::Integer(_) => {}
            ExpressionKind::Convert(inner) if is_pointer(types, inner.ty) => {
                if matches!(inner.kind, ExpressionKind::Offset { .. } | ExpressionKind::Integer(_)) {
                    return;
                }
                if inner.ty != self.bytes {
                    let kind = ExpressionKind::Convert(Box::new(taken(inner)));
                    **inner = Expression { kind, ty: self.bytes, span: None };
                }
                **inner = self.moved(taken(inner));
            }
            _ => {
                let element = types.element(value.ty);
                if element.and_then(|element| types.size_of(element)).is_some_and(|size| size > 0) {
                    *value = self.moved(taken(value));
                }
            }
        }
    }

    /// `pointer + 0 elements`
    fn moved(&self, pointer: Expression) -> Expression {
        let (ty, span) = (pointer.ty, pointer.span);
        let count = Box::new(integer(0, self.long));
        let kind = ExpressionKind::Offset { pointer: Box::new(pointer), count, negative: false };
        Expression { kind, ty, span }
    }
}

/// Takes back what [`spell_out`] and the counters of loops have written out.
pub(super) fn shorten(types: &Types, function: &mut Function) {
    for block in function.blocks.values_mut() {
        let statements = block.statements.iter_mut().flat_map(|statement| statement.kind.expressions_mut());
        for value in statements.chain(block.end.expressions_mut()) {
            value.walk_mut(&mut |part| shorten_one(types, part));
        }
    }
}

fn shorten_one(types: &Types, value: &mut Expression) {
    let ty = value.ty;
    let is_integer = matches!(types.shape_of(ty), Shape::Integer { .. });
    let is_signed = matches!(types.shape_of(ty), Shape::Integer { signed: true, .. });
    match &mut value.kind {
        ExpressionKind::Offset { pointer, count, .. } if count.kind == ExpressionKind::Integer(0) => {
            *value = taken(pointer);
        }
        ExpressionKind::Convert(inner) if is_pointer(types, ty) && is_pointer(types, inner.ty) => {
            if let ExpressionKind::Convert(innermost) = &mut inner.kind
                && is_pointer(types, innermost.ty)
            {
                **inner = taken(innermost);
            }
            if inner.ty == ty {
                *value = taken(inner);
            }
        }
        ExpressionKind::Binary(BinaryOperator::Multiply, left, right) if is_integer => match left.kind {
            ExpressionKind::Integer(1) => *value = taken(right),
            ExpressionKind::Integer(-1) if is_signed => {
                let operand = Box::new(taken(right));
                value.kind = ExpressionKind::Unary(core_c::UnaryOperator::Negate, operand);
            }
            _ => {}
        },
        ExpressionKind::Binary(BinaryOperator::Add, left, right) if is_integer => {
            shorten_sum(left, right).into_iter().for_each(|shorter| *value = shorter);
        }
        _ => {}
    }
}

/// `x + 0`, `x + -c` and `-x + c` in fewer words.
fn shorten_sum(left: &mut Expression, right: &mut Expression) -> Option<Expression> {
    let ExpressionKind::Integer(constant) = right.kind else { return None };
    if constant == 0 {
        return Some(taken(left));
    }
    if let ExpressionKind::Unary(core_c::UnaryOperator::Negate, operand) = &mut left.kind {
        return Some(binary(BinaryOperator::Subtract, taken(right), taken(operand)));
    }
    // A counter's constants stay away from their types' lowest number, whose negative does not exist.
    let positive = constant.checked_neg().filter(|positive| (1..1 << 31).contains(positive))?;
    Some(binary(BinaryOperator::Subtract, taken(left), integer(positive, right.ty)))
}

fn is_pointer(types: &Types, ty: TypeId) -> bool {
    matches!(types.shape_of(ty), Shape::Pointer(_))
}

fn taken(value: &mut Expression) -> Expression {
    let ty = value.ty;
    std::mem::replace(value, integer(0, ty))
}
