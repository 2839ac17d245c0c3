//! Values as C expressions, with casts only where C's own conversions would not do the same.
//!
//! What [`Raiser::value`] gives has the value of the Core C expression, and a type (recorded in `ty`: the one that C
//! gives it) that C's promotions bring to the same arithmetic type. Conversions depend on a value and on the type it goes to,
//! never on the type it had; so where the surroundings convert to the type that is wanted, a conversion may go.

use cast::{Expression, ExpressionKind, Scalar, Type, TypeTable, UnaryOperator, build};

use super::{Raiser, literal, types};
use crate::{self as core, BinaryOperator, TypeId};

impl Raiser<'_> {
    pub(super) fn table(&self) -> &TypeTable {
        &self.program.types.table
    }

    pub(super) fn c_type(&self, ty: TypeId) -> &Type {
        &self.program.types.get(ty).c
    }

    pub(super) fn scalar(&self, ty: &Type) -> Option<Scalar> {
        types::scalar(self.table(), ty)
    }

    /// The value of an expression; see above for its type.
    pub(super) fn value(&self, value: &core::Expression) -> Expression {
        let ty = self.c_type(value.ty);
        match &value.kind {
            core::ExpressionKind::Integer(number) => self.integer(*number, ty),
            core::ExpressionKind::Float(text) => self.cast_unless_same(ty, literal::float(text)),
            core::ExpressionKind::Local(local) => self.local(*local),
            core::ExpressionKind::Load(place) => self.fit_pointer(ty, self.load(place)),
            core::ExpressionKind::Address(place) => self.address(place, ty),
            core::ExpressionKind::Function(function) => self.fit_pointer(ty, self.function_name(*function)),
            core::ExpressionKind::Label(block) => self.label_address(*block, ty),
            core::ExpressionKind::Unary(operator, operand) => self.unary(*operator, operand, ty),
            core::ExpressionKind::Binary(operator, left, right) => self.binary(*operator, left, right, ty),
            core::ExpressionKind::Offset { pointer, count, negative } => self.offset(pointer, count, *negative),
            core::ExpressionKind::Distance(left, right) => {
                let (left, right) = (self.pointer(left), self.pointer(right));
                Expression { ty: Type::LONG, ..build::subtract(left, right) }
            }
            core::ExpressionKind::Convert(operand) => self.convert(operand, ty),
            core::ExpressionKind::Opaque { text, operands } => self.opaque(text, operands, ty),
        }
    }

    /// Text with holes, held as a call of the text until all names are final.
    fn opaque(&self, text: &str, operands: &[core::Expression], ty: &Type) -> Expression {
        let operands = operands.iter().map(|operand| self.value(operand)).collect();
        build::call_through(build::verbatim(text, ty.clone()), operands, ty.clone())
    }

    fn integer(&self, number: i128, ty: &Type) -> Expression {
        match self.scalar(ty) {
            Some(scalar) => literal::integer(self.table(), number, scalar),
            None => literal::address(number, ty),
        }
    }

    fn cast_unless_same(&self, ty: &Type, value: Expression) -> Expression {
        if self.scalar(ty) == self.scalar(&value.ty) { value } else { build::cast(ty.clone(), value) }
    }

    /// A value that is of this very type to C, promotions aside: for `...` and parameters that nothing is said of.
    pub(super) fn exact(&self, value: &core::Expression) -> Expression {
        let ty = self.c_type(value.ty);
        let raised = self.value(value);
        let alike = match (self.scalar(ty), self.scalar(&raised.ty)) {
            (Some(wanted), Some(given)) => {
                types::promoted(self.table(), wanted) == types::promoted(self.table(), given)
            }
            _ => !literal::is_null(&raised),
        };
        if alike { raised } else { build::cast(ty.clone(), raised) }
    }

    /// A value that is assigned, passed to a parameter or returned: C converts it to `target`.
    pub(super) fn assigned(&self, value: &core::Expression, target: &Type) -> Expression {
        let from = |value: &core::Expression| self.c_type(value.ty).clone();
        if let core::ExpressionKind::Convert(inner) = &value.kind
            && types::compatible(self.table(), self.c_type(value.ty), target)
            && types::assignable(self.table(), target, &from(inner))
            && (self.scalar(target).is_some() == self.scalar(&from(inner)).is_some())
            && !self.changes_constant(inner, target)
        {
            return self.assigned_as_is(self.value(inner), target);
        }
        self.assigned_as_is(self.value(value), target)
    }

    fn assigned_as_is(&self, value: Expression, target: &Type) -> Expression {
        let fits = literal::is_null(&value) || types::assignable(self.table(), target, &decayed(&value));
        if fits { value } else { build::cast(target.clone(), value) }
    }

    /// True for a literal that loses value in a conversion: compilers warn of it where it is not asked for.
    fn changes_constant(&self, value: &core::Expression, target: &Type) -> bool {
        let Some(scalar) = self.scalar(target) else { return false };
        match &value.kind {
            core::ExpressionKind::Integer(number) => !fits(self.table(), *number, scalar),
            core::ExpressionKind::Float(_) => types::integer(self.table(), scalar).is_some(),
            _ => self.is_constant(value),
        }
    }

    fn is_constant(&self, value: &core::Expression) -> bool {
        !value.any(&mut |part| {
            matches!(
                part.kind,
                core::ExpressionKind::Local(_) | core::ExpressionKind::Load(_) | core::ExpressionKind::Opaque { .. }
            )
        })
    }

    /// A value of which only matters whether it is zero.
    pub(super) fn condition(&self, value: &core::Expression) -> Expression {
        self.value(self.stripped(value))
    }

    /// The expression below conversions that keep every integer as it is.
    pub(super) fn stripped<'e>(&self, value: &'e core::Expression) -> &'e core::Expression {
        let mut value = value;
        while let core::ExpressionKind::Convert(inner) = &value.kind {
            let (to, from) = (self.scalar(self.c_type(value.ty)), self.scalar(self.c_type(inner.ty)));
            match to.zip(from) {
                Some((to, from)) if self.keeps(to, from, inner) => value = inner,
                _ => break,
            }
        }
        value
    }

    fn keeps(&self, to: Scalar, from: Scalar, value: &core::Expression) -> bool {
        let table = self.table();
        let integers = types::integer(table, to).is_some() && types::integer(table, from).is_some();
        integers && (types::holds_all(table, to, from) || is_truth(value))
    }

    fn convert(&self, operand: &core::Expression, to: &Type) -> Expression {
        let operand = self.stripped(operand);
        let value = self.value(operand);
        let (wanted, given) = (self.scalar(to), self.scalar(&value.ty));
        let source = self.scalar(self.c_type(operand.ty));
        match (wanted, given, source) {
            (Some(wanted), Some(given), Some(source)) => {
                let table = self.table();
                let alike = types::same_values(table, types::promoted(table, wanted), types::promoted(table, given));
                let kept = types::same_values(table, wanted, source) || self.keeps(wanted, source, operand);
                if alike && kept { value } else { build::cast(to.clone(), without_cast(value, wanted, self)) }
            }
            (Some(wanted), None, _) => self.pointer_to_integer(wanted, to, value),
            (None, Some(given), _) => self.integer_to_pointer(given, to, value),
            _ => self.fit_pointer(to, value),
        }
    }

    fn pointer_to_integer(&self, wanted: Scalar, to: &Type, value: Expression) -> Expression {
        let narrow =
            types::integer(self.table(), wanted).is_some_and(|(bits, _)| bits != self.pointer_bits() && bits != 1);
        let value = if narrow { build::cast(Type::LONG, value) } else { value };
        build::cast(to.clone(), value)
    }

    fn integer_to_pointer(&self, given: Scalar, to: &Type, value: Expression) -> Expression {
        let narrow = types::integer(self.table(), given).is_some_and(|(bits, _)| bits != self.pointer_bits());
        let value = if narrow && literal::value_of(&value).is_none() { build::cast(Type::LONG, value) } else { value };
        build::cast(to.clone(), value)
    }

    fn pointer_bits(&self) -> u32 {
        u32::from(self.table().target.pointer) * 8
    }

    /// A pointer that C takes as one of type `ty`; numbers stay as they are.
    pub(super) fn fit_pointer(&self, ty: &Type, value: Expression) -> Expression {
        let Some(wanted) = types::pointee(self.table(), ty) else { return value };
        let given = decayed(&value);
        let Some(given) = types::pointee(self.table(), &given) else {
            return build::cast(ty.clone(), value);
        };
        if literal::is_null(&value) {
            return value;
        }
        let (quals, has) = (types::qualifiers(self.table(), wanted), types::qualifiers(self.table(), given));
        let keeps = (quals.constant || !has.constant) && quals.volatile == has.volatile;
        if keeps && types::compatible(self.table(), wanted, given) {
            return value;
        }
        // A pointer keeps its bits from cast to cast.
        let inner = match value.kind {
            ExpressionKind::Cast(inner) if types::pointee(self.table(), &decayed(&inner)).is_some() => *inner,
            kind => Expression { kind, ..value },
        };
        if types::compatible(self.table(), ty, &decayed(&inner)) { inner } else { build::cast(ty.clone(), inner) }
    }

    /// A pointer as an operand, `NULL` with its type.
    fn pointer(&self, value: &core::Expression) -> Expression {
        let raised = self.value(value);
        if literal::is_null(&raised) { build::cast(self.c_type(value.ty).clone(), raised) } else { raised }
    }

    fn offset(&self, pointer: &core::Expression, count: &core::Expression, negative: bool) -> Expression {
        let pointer = self.without_byte_cast(self.pointer(pointer));
        let ty = decayed(&pointer);
        let count = self.value(self.stripped(count));
        let (count, negative) = match literal::value_of(&count) {
            Some(value) if value < 0 && value != i128::from(i64::MIN) => (literal_of(-value), !negative),
            Some(value) if value <= i128::from(i32::MAX) => (literal_of(value), negative),
            _ => (count, negative),
        };
        let moved = if negative { build::subtract(pointer, count) } else { build::add(pointer, count) };
        Expression { ty, ..moved }
    }

    /// A pointer to bytes moves as far as one to bytes of another name.
    fn without_byte_cast(&self, pointer: Expression) -> Expression {
        let step = |ty: &Type| {
            let to = types::pointee(self.table(), ty)?;
            let scalar = self
                .scalar(to)
                .filter(|scalar| matches!(scalar, Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar));
            scalar.map(|_| types::qualifiers(self.table(), to).volatile)
        };
        match pointer.kind {
            ExpressionKind::Cast(inner)
                if step(&pointer.ty).is_some() && step(&pointer.ty) == step(&decayed(&inner)) =>
            {
                *inner
            }
            kind => Expression { kind, ..pointer },
        }
    }

    fn label_address(&self, block: core::BlockId, ty: &Type) -> Expression {
        let label = self.label(block);
        Expression { kind: ExpressionKind::LabelAddress(label), ty: ty.clone(), span: None }
    }

    /// The names of labels are kept by block until the function is done.
    pub(super) fn label(&self, block: core::BlockId) -> String {
        super::label(crate::graph::number(block))
    }
}

fn literal_of(value: i128) -> Expression {
    let suffix = if i32::try_from(value).is_ok() { "" } else { "L" };
    build::spelled(format!("{value}{suffix}"), if suffix.is_empty() { Type::INT } else { Type::LONG })
}

/// True for values that are 0 or 1.
pub(super) fn is_truth(value: &core::Expression) -> bool {
    match &value.kind {
        core::ExpressionKind::Binary(operator, ..) => operator.is_comparison(),
        core::ExpressionKind::Integer(number) => matches!(number, 0 | 1),
        _ => false,
    }
}

pub(super) fn fits(table: &TypeTable, number: i128, scalar: Scalar) -> bool {
    match types::integer(table, scalar) {
        Some((bits, false)) if bits < 127 => (0..1_i128 << bits).contains(&number),
        Some((bits, true)) if bits < 128 => (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&number),
        _ => true,
    }
}

/// The type of a value after the decay of arrays and functions (C11 section 6.3.2.1).
pub(super) fn decayed(value: &Expression) -> Type {
    match value.ty.unqualified() {
        Type::Array(element, _) => match &value.ty {
            // The elements of a constant array are constants.
            Type::Qualified(qualifiers, _) => Type::Qualified(*qualifiers, element.clone()).pointer(),
            _ => element.as_ref().clone().pointer(),
        },
        Type::Function(_) => value.ty.clone().pointer(),
        other => other.clone(),
    }
}

/// `(short)(int)x` needs its outer cast alone, where `int` holds all that was there before or more than is kept.
fn without_cast(value: Expression, to: Scalar, raiser: &Raiser) -> Expression {
    let bits = |scalar| types::integer(raiser.table(), scalar).filter(|(bits, _)| *bits > 1).map(|(bits, _)| bits);
    if let ExpressionKind::Cast(inner) = &value.kind
        && let Some(middle) = raiser.scalar(&value.ty).and_then(bits)
        && let Some(to) = bits(to)
        && raiser.scalar(&inner.ty).and_then(bits).is_some()
        && to <= middle
    {
        return (**inner).clone();
    }
    value
}

impl Raiser<'_> {
    fn unary(&self, operator: core::UnaryOperator, operand: &core::Expression, ty: &Type) -> Expression {
        let wanted = self.scalar(ty).unwrap_or(Scalar::Int);
        let table = self.table();
        let full = self.value(operand);
        let value = match self.bare(operand) {
            Some(bare) if self.scalar(&bare.ty).is_some_and(|s| types::promoted(table, s) == wanted) => bare,
            _ => full,
        };
        let operator = match operator {
            core::UnaryOperator::Negate => UnaryOperator::Negate,
            core::UnaryOperator::Complement => UnaryOperator::Complement,
        };
        let result = types::promoted(table, wanted);
        let made = Expression { ty: Type::Scalar(result), ..build::unary(operator, value) };
        if result == wanted { made } else { build::cast(ty.clone(), made) }
    }

    /// An operand without a conversion or suffix that the operator may make needless.
    fn bare(&self, value: &core::Expression) -> Option<Expression> {
        let scalar = self.scalar(self.c_type(value.ty))?;
        if types::promoted(self.table(), scalar) != scalar {
            return None;
        }
        match &value.kind {
            core::ExpressionKind::Integer(number) if i32::try_from(*number).is_ok_and(|n| n > i32::MIN) => {
                types::integer(self.table(), scalar).map(|_| build::integer(*number))
            }
            core::ExpressionKind::Convert(inner) if self.scalar(self.c_type(inner.ty)).is_some() => {
                Some(self.value(self.stripped(inner)))
            }
            _ => None,
        }
    }

    fn binary(
        &self,
        operator: BinaryOperator,
        left: &core::Expression,
        right: &core::Expression,
        ty: &Type,
    ) -> Expression {
        use BinaryOperator::{Add, And, Or, ShiftLeft, ShiftRight, Subtract, Xor};
        match (operator, &left.kind, &right.kind) {
            (Add, _, core::ExpressionKind::Unary(core::UnaryOperator::Negate, right)) => {
                return self.binary(Subtract, left, right, ty);
            }
            (Add, core::ExpressionKind::Unary(core::UnaryOperator::Negate, left), _) => {
                return self.binary(Subtract, right, left, ty);
            }
            _ => {}
        }
        let spelled = spelled(operator);
        let table = self.table();
        let operands = self.scalar(self.c_type(left.ty));
        let Some(operands) = operands else {
            let (left, right) = self.compared_pointers(left, right);
            return Expression { ty: Type::INT, ..build::binary(left, spelled, right) };
        };
        let wanted = types::promoted(table, operands);
        if matches!(operator, ShiftLeft | ShiftRight) {
            let left = self.shifted(left, wanted);
            let made = build::binary(left, spelled, self.value(self.stripped(right)));
            let made = Expression { ty: Type::Scalar(wanted), ..made };
            return if wanted == operands { made } else { build::cast(ty.clone(), made) };
        }
        let (left, right) = self.operands(left, right, wanted, operator.is_comparison());
        if operator.is_comparison() {
            return Expression { ty: Type::INT, ..build::binary(left, spelled, right) };
        }
        let made = Expression { ty: Type::Scalar(wanted), ..build::binary(left, spelled, right) };
        // Bit operations on narrow numbers stay in their range.
        let stays = wanted == operands || matches!(operator, And | Or | Xor);
        if stays { made } else { build::cast(ty.clone(), made) }
    }

    fn shifted(&self, value: &core::Expression, wanted: Scalar) -> Expression {
        match self.bare(value) {
            Some(bare) if self.scalar(&bare.ty).map(|s| types::promoted(self.table(), s)) == Some(wanted) => bare,
            _ => self.value(value),
        }
    }

    /// Two operands that C brings to the type `wanted`.
    fn operands(
        &self,
        left: &core::Expression,
        right: &core::Expression,
        wanted: Scalar,
        compared: bool,
    ) -> (Expression, Expression) {
        let (full_left, full_right) = (self.value(left), self.value(right));
        let bare_left = self.bare(left).unwrap_or_else(|| full_left.clone());
        let bare_right = self.bare(right).unwrap_or_else(|| full_right.clone());
        let table = self.table();
        let good = |left: &Expression, right: &Expression| {
            let (Some(l), Some(r)) = (self.scalar(&left.ty), self.scalar(&right.ty)) else { return false };
            let signed = |value: &Expression, scalar| {
                let signed = types::integer(table, types::promoted(table, scalar)).is_some_and(|(_, signed)| signed);
                signed && literal::value_of(value).is_none_or(|value| value < 0)
            };
            let unsigned = types::integer(table, wanted).is_some_and(|(_, signed)| !signed);
            let usual = types::usual(table, l, r);
            // Numbers that are not negative compare alike in all types that hold them.
            let natural = |value: &Expression, scalar| {
                let narrow = types::integer(table, scalar).is_some_and(|(_, signed)| !signed);
                narrow && types::holds_all(table, usual, scalar) && types::holds_all(table, wanted, scalar)
                    || literal::value_of(value).is_some_and(|number| number >= 0 && fits(table, number, usual))
            };
            let alike = types::same_values(table, usual, wanted);
            alike && !(compared && unsigned && (signed(left, l) || signed(right, r)))
                || (compared && types::integer(table, usual).is_some() && natural(left, l) && natural(right, r))
        };
        if good(&bare_left, &bare_right) {
            (bare_left, bare_right)
        } else if good(&full_left, &bare_right) {
            (full_left, bare_right)
        } else if good(&bare_left, &full_right) {
            (bare_left, full_right)
        } else {
            (full_left, full_right)
        }
    }

    fn compared_pointers(&self, left: &core::Expression, right: &core::Expression) -> (Expression, Expression) {
        let (left, right) = (self.value(left), self.value(right));
        if literal::is_null(&left) || literal::is_null(&right) {
            return (left, right);
        }
        let (from, to) = (decayed(&right), decayed(&left));
        let bare = |ty: &Type| types::pointee(self.table(), ty).map(|to| to.unqualified().clone());
        let alike = match bare(&from).zip(bare(&to)) {
            Some((from, to)) => types::compatible(self.table(), &from, &to) || from == Type::Void || to == Type::Void,
            None => false,
        };
        if alike { (left, right) } else { (left, build::cast(to, right)) }
    }
}

fn spelled(operator: BinaryOperator) -> cast::BinaryOperator {
    match operator {
        BinaryOperator::Add => cast::BinaryOperator::Add,
        BinaryOperator::Subtract => cast::BinaryOperator::Subtract,
        BinaryOperator::Multiply => cast::BinaryOperator::Multiply,
        BinaryOperator::Divide => cast::BinaryOperator::Divide,
        BinaryOperator::Remainder => cast::BinaryOperator::Remainder,
        BinaryOperator::ShiftLeft => cast::BinaryOperator::ShiftLeft,
        BinaryOperator::ShiftRight => cast::BinaryOperator::ShiftRight,
        BinaryOperator::And => cast::BinaryOperator::BitAnd,
        BinaryOperator::Or => cast::BinaryOperator::BitOr,
        BinaryOperator::Xor => cast::BinaryOperator::BitXor,
        BinaryOperator::Equal => cast::BinaryOperator::Equal,
        BinaryOperator::NotEqual => cast::BinaryOperator::NotEqual,
        BinaryOperator::Less => cast::BinaryOperator::Less,
        BinaryOperator::LessEqual => cast::BinaryOperator::LessEqual,
        BinaryOperator::Greater => cast::BinaryOperator::Greater,
        BinaryOperator::GreaterEqual => cast::BinaryOperator::GreaterEqual,
    }
}
