//! Computes what is known, and takes away operations that do nothing. Undefined operations stay (a signed sum that
//! overflows, a division by zero).

use crate::lower::constant;
use crate::simplify::addresses;
use crate::{
    BinaryOperator, Expression, ExpressionKind, Function, Place, PlaceBase, Program, Shape, Step, StepKind, TypeId,
};

/// True where something changed.
pub(super) fn fold(program: &Program, function: &mut Function) -> bool {
    let mut folder = Folder { program, changed: false };
    for (_, block) in function.blocks.iter_mut() {
        for statement in &mut block.statements {
            if matches!(statement.kind, crate::StatementKind::Assembly { .. }) {
                continue;
            }
            statement.kind.expressions_mut().into_iter().for_each(|value| folder.expression(value));
            statement.kind.places_mut().into_iter().for_each(|place| folder.place(place));
        }
        block.end.expressions_mut().into_iter().for_each(|value| folder.expression(value));
        if let crate::Terminator::Branch { condition, .. } = &mut block.end
            && addresses::leads_somewhere(&program.types, condition)
            && let Some(int) = program.types.find(&cast::Type::INT)
        {
            *condition = Expression { kind: ExpressionKind::Integer(1), ty: int, span: condition.span };
            folder.changed = true;
        }
        if let crate::Terminator::Return(Some(crate::Argument::Object(place))) = &mut block.end {
            folder.place(place);
        }
    }
    folder.changed
}

struct Folder<'a> {
    program: &'a Program,
    changed: bool,
}

impl Folder<'_> {
    fn expression(&mut self, value: &mut Expression) {
        value.walk_mut(&mut |part| {
            if let Some(place) = part.place_mut() {
                self.place(place);
            }
            if let Some(new) = self.smaller(part) {
                *part = new;
                self.changed = true;
            }
        });
    }

    /// What the address of a place points to is the place.
    fn place(&mut self, place: &mut Place) {
        let PlaceBase::Pointee(pointer) = &place.base else { return };
        let ExpressionKind::Address(inner) = &pointer.kind else { return };
        let Some(pointee) = self.program.types.element(pointer.ty) else { return };
        let mut steps = inner.steps.clone();
        if inner.ty != pointee {
            // An array that decays to a pointer to its first element.
            let Shape::Array(element, Some(_)) = self.program.types.shape_of(inner.ty) else { return };
            if *element != pointee {
                return;
            }
            let Some(zero) = self.zero() else { return };
            steps.push(Step { kind: StepKind::Index(Box::new(zero)), ty: pointee });
        }
        let wanted = place.steps.is_empty().then_some(place.ty);
        if wanted.is_some_and(|wanted| wanted != pointee) || inner.bits().is_some() {
            return;
        }
        place.base = inner.base.clone();
        steps.append(&mut place.steps);
        place.steps = steps;
        self.changed = true;
    }

    fn zero(&self) -> Option<Expression> {
        let ty = self.program.types.find(&cast::Type::LONG).or_else(|| self.program.types.find(&cast::Type::INT))?;
        Some(Expression { kind: ExpressionKind::Integer(0), ty, span: None })
    }

    fn smaller(&self, value: &Expression) -> Option<Expression> {
        if let Some(known) = addresses::known(&self.program.types, value) {
            return Some(Expression { kind: ExpressionKind::Integer(known), ..value.clone() });
        }
        match &value.kind {
            ExpressionKind::Unary(_, operand) if is_integer(operand) => self.computed(value),
            ExpressionKind::Binary(operator, left, right) => {
                if is_integer(left) && is_integer(right) {
                    return self.computed(value);
                }
                self.truth(*operator, left, right, value)
                    .or_else(|| self.without_sign(*operator, left, right, value))
                    .or_else(|| self.with_itself(*operator, left, right, value))
                    .or_else(|| self.neutral(*operator, left, right, value.ty))
            }
            ExpressionKind::Convert(operand) if is_integer(operand) => self.computed(value),
            ExpressionKind::Convert(operand) => self.converted(operand, value),
            ExpressionKind::Offset { pointer, count, .. } if is_number(count, 0) => {
                (pointer.ty == value.ty).then(|| (**pointer).clone())
            }
            ExpressionKind::Offset { pointer, count, negative } => self.moved_twice(pointer, count, *negative, value),
            _ => None,
        }
    }

    fn computed(&self, value: &Expression) -> Option<Expression> {
        let folded = constant::fold(&self.program.types, value.clone());
        is_integer(&folded).then_some(folded)
    }

    /// `(a < b) != 0`, `(a == b) == 0`: a comparison, or its opposite. Of floats that may be NaN, less has no opposite.
    fn truth(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        value: &Expression,
    ) -> Option<Expression> {
        let ExpressionKind::Binary(inner, a, b) = &left.kind else { return None };
        if !inner.is_comparison() || !is_number(right, 0) || left.ty != value.ty {
            return None;
        }
        let is_equality = matches!(inner, BinaryOperator::Equal | BinaryOperator::NotEqual);
        let is_float = matches!(self.program.types.shape_of(a.ty), Shape::Float { .. });
        match operator {
            BinaryOperator::NotEqual => Some(left.clone()),
            BinaryOperator::Equal if is_equality || !is_float => {
                let kind = ExpressionKind::Binary(inner.opposite()?, a.clone(), b.clone());
                Some(Expression { kind, ..value.clone() })
            }
            _ => None,
        }
    }

    /// `x < 0`, `0 <= x`: what has no sign is never less than zero.
    fn without_sign(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        value: &Expression,
    ) -> Option<Expression> {
        if !matches!(self.program.types.shape_of(left.ty), Shape::Integer { signed: false, .. }) {
            return None;
        }
        let holds = match operator {
            BinaryOperator::Less if is_number(right, 0) => false,
            BinaryOperator::GreaterEqual if is_number(right, 0) => true,
            BinaryOperator::Greater if is_number(left, 0) => false,
            BinaryOperator::LessEqual if is_number(left, 0) => true,
            _ => return None,
        };
        Some(Expression { kind: ExpressionKind::Integer(holds.into()), ..value.clone() })
    }

    /// `x == x`, `x < x`, `x - x`: how a register compares with itself; floats may be NaN.
    fn with_itself(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        value: &Expression,
    ) -> Option<Expression> {
        let shape = self.program.types.shape_of(left.ty);
        if !is_one_register(left, right) || !matches!(shape, Shape::Integer { .. } | Shape::Pointer(_)) {
            return None;
        }
        if operator == BinaryOperator::Subtract {
            return Some(Expression { kind: ExpressionKind::Integer(0), ..value.clone() });
        }
        if !operator.is_comparison() {
            return None;
        }
        let holds =
            matches!(operator, BinaryOperator::Equal | BinaryOperator::LessEqual | BinaryOperator::GreaterEqual);
        Some(Expression { kind: ExpressionKind::Integer(holds.into()), ..value.clone() })
    }

    /// `x + 0`, `x * 1`, `x << 0`: what the operand is.
    fn neutral(
        &self,
        operator: BinaryOperator,
        left: &Expression,
        right: &Expression,
        ty: TypeId,
    ) -> Option<Expression> {
        use BinaryOperator::{Add, Divide, Multiply, Or, ShiftLeft, ShiftRight, Subtract, Xor};
        if !matches!(self.program.types.shape_of(ty), Shape::Integer { .. }) {
            return None;
        }
        let left_goes = match operator {
            Add | Or | Xor => is_number(left, 0),
            Multiply => is_number(left, 1),
            _ => false,
        };
        let right_goes = match operator {
            Add | Subtract | Or | Xor | ShiftLeft | ShiftRight => is_number(right, 0),
            Multiply | Divide => is_number(right, 1),
            _ => false,
        };
        let kept = match (left_goes, right_goes) {
            (_, true) => left,
            (true, false) => right,
            (false, false) => return None,
        };
        (kept.ty == ty).then(|| kept.clone())
    }

    /// Conversions of which one does what two say.
    fn converted(&self, operand: &Expression, value: &Expression) -> Option<Expression> {
        if operand.ty == value.ty {
            return Some(operand.clone());
        }
        let ExpressionKind::Convert(inner) = &operand.kind else { return None };
        let types = &self.program.types;
        let skips = match (types.shape_of(value.ty), types.shape_of(operand.ty), types.shape_of(inner.ty)) {
            (Shape::Pointer(_), Shape::Pointer(_), Shape::Pointer(_)) => true,
            (
                Shape::Integer { bits: to, boolean: false, .. },
                Shape::Integer { bits: middle, signed, boolean: false },
                Shape::Integer { bits: from, signed: was, .. },
            ) => {
                let holds = middle > from && (*signed || !was) || middle == from && signed == was;
                to <= middle || holds
            }
            _ => false,
        };
        skips.then(|| Expression { kind: ExpressionKind::Convert(inner.clone()), ..value.clone() })
    }

    /// A pointer that is moved by two known numbers of elements of one type.
    fn moved_twice(
        &self,
        pointer: &Expression,
        count: &Expression,
        negative: bool,
        value: &Expression,
    ) -> Option<Expression> {
        let ExpressionKind::Offset { pointer: start, count: first, negative: back } = &pointer.kind else {
            return None;
        };
        let (ExpressionKind::Integer(first), ExpressionKind::Integer(second)) = (&first.kind, &count.kind) else {
            return None;
        };
        if start.ty != pointer.ty || pointer.ty != value.ty {
            return None;
        }
        let signed = |count: i128, negative: bool| if negative { -count } else { count };
        let sum = signed(*first, *back) + signed(*second, negative);
        let long = self.program.types.find(&cast::Type::LONG)?;
        let count = Expression { kind: ExpressionKind::Integer(sum.abs()), ty: long, span: count.span };
        let kind = ExpressionKind::Offset { pointer: start.clone(), count: Box::new(count), negative: sum < 0 };
        Some(Expression { kind, ..value.clone() })
    }
}

fn is_integer(value: &Expression) -> bool {
    matches!(value.kind, ExpressionKind::Integer(_))
}

fn is_number(value: &Expression, number: i128) -> bool {
    matches!(value.kind, ExpressionKind::Integer(found) if found == number)
}

/// Both are the same register, converted in the same way.
fn is_one_register(left: &Expression, right: &Expression) -> bool {
    match (&left.kind, &right.kind) {
        (ExpressionKind::Local(a), ExpressionKind::Local(b)) => a == b,
        (ExpressionKind::Convert(a), ExpressionKind::Convert(b)) => left.ty == right.ty && is_one_register(a, b),
        _ => false,
    }
}
