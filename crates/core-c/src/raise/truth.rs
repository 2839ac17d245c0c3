//! Products, shifts and chosen constants where C wants a truth value say `!= 0`: gcc warns of them otherwise, since a slip for `&&`
//! or `<` looks the same (`-Wint-in-bool-context`). In: a function's statements, as they will be printed. Out: the same, spelled so.

use cast::{BinaryOperator, Expression, ExpressionKind, Statement, UnaryOperator, build};

use super::{literal, walk};

/// See above.
pub(super) fn spell(statement: &mut Statement) {
    match statement {
        Statement::If { condition, .. }
        | Statement::While { condition, .. }
        | Statement::DoWhile { condition, .. }
        | Statement::For { condition: Some(condition), .. } => tested(condition),
        _ => {}
    }
    walk::expressions_mut(statement).into_iter().for_each(|value| walk::walk_mut(value, &mut operands));
}

/// The operands of an operator that takes truth values.
fn operands(value: &mut Expression) {
    match &mut value.kind {
        ExpressionKind::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
            tested(left);
            tested(right);
        }
        ExpressionKind::Unary(UnaryOperator::Not, inner) => tested(inner),
        ExpressionKind::Conditional(condition, ..) => tested(condition),
        _ => {}
    }
}

fn tested(value: &mut Expression) {
    if looks_like_a_slip(value) {
        let number = std::mem::replace(value, build::integer(0));
        *value = build::not_equal(number, build::integer(0));
    }
}

fn looks_like_a_slip(value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply | BinaryOperator::ShiftLeft, ..) => true,
        ExpressionKind::Conditional(_, yes, no) => {
            [yes, no].into_iter().any(|arm| literal::value_of(arm).is_some_and(|value| value != 0 && value != 1))
        }
        ExpressionKind::Cast(inner) | ExpressionKind::Implicit(inner) => looks_like_a_slip(inner),
        _ => false,
    }
}
