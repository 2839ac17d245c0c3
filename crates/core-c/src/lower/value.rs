//! Values: C expressions become trees without effects; what has effects becomes statements before them.

use cast::{BinaryOperator as Op, Expression as Source, ExpressionKind as Kind, Type, UnaryOperator};

use super::body::Body;
use super::order::effects;
use super::place::Target;
use super::{Lowered, Meaning, ctype, literal, refuse};
use crate::{
    BinaryOperator, Expression, ExpressionKind, LocalId, Place, Shape, StatementKind, TypeId, UnaryOperator as Unary,
};

impl Body<'_, '_> {
    pub(super) fn shape(&mut self, ty: &Type) -> Shape {
        let id = self.ty(ty);
        self.types().shape_of(id).clone()
    }

    /// A scalar value.
    pub(super) fn value(&mut self, source: &Source) -> Lowered<Expression> {
        let mut value = self.value_inside(source)?;
        value.span = source.span.or(value.span);
        Ok(value)
    }

    fn value_inside(&mut self, source: &Source) -> Lowered<Expression> {
        match self.shape(&source.ty) {
            Shape::Array(..) => return self.decay(source),
            Shape::Function(_) => return self.function(source),
            Shape::Record(_) | Shape::Opaque => return refuse("a structure where a number or pointer is expected"),
            _ if self.is_opaque_operation(source) => return self.opaque(source),
            Shape::Void | Shape::Integer { .. } | Shape::Float { .. } | Shape::Pointer(_) => {}
        }
        let ty = self.ty(&source.ty);
        match &source.kind {
            Kind::Integer(spelling) => {
                let value = literal::integer(spelling)?;
                self.number(value, ty)
            }
            Kind::Known { value, .. } => self.number(*value, ty),
            Kind::Float(spelling) => Ok(self.expression(ExpressionKind::Float(spelling.clone()), ty)),
            Kind::SizeofType(of) => self.size(of, ty),
            Kind::SizeofValue(of) => self.size(&of.ty, ty),
            Kind::Unary(operator, operand) => self.unary(source, *operator, operand, ty),
            Kind::Binary(Op::And | Op::Or, ..) | Kind::Conditional(..) | Kind::Otherwise(..) => self.chosen(source, ty),
            Kind::Binary(Op::Comma, first, second) => {
                self.effect(first)?;
                self.value(second)
            }
            Kind::Binary(operator, left, right) => self.binary(*operator, left, right, ty),
            Kind::Cast(inner) | Kind::Implicit(inner) => {
                if matches!(source.kind, Kind::Cast(_)) {
                    self.lengths(&source.ty)?;
                }
                self.converted(inner, ty)
            }
            Kind::Assign(..) => self.assignment_value(source),
            Kind::Call(..) | Kind::VariableArgument(_) => self.called(source, ty),
            Kind::Block(statements) => self.block_value(statements, ty),
            Kind::LabelAddress(label) => {
                let block = self.label(label);
                self.targets.insert(label.clone());
                Ok(self.expression(ExpressionKind::Label(block), ty))
            }
            Kind::Name(_) | Kind::Index(..) | Kind::Member(..) | Kind::Compound(_) => self.read(source),
            Kind::Braces(parts) => match parts.as_slice() {
                [one] if one.designators.is_empty() => self.converted(&one.value, ty),
                _ => refuse("braces where a number or pointer is expected"),
            },
            Kind::Text(_) | Kind::Literal { .. } => refuse("a string that is no array"),
            Kind::Verbatim(text) => refuse(format!("`{}` is not modelled", first_words(text))),
        }
    }

    /// What an lvalue holds.
    pub(super) fn read(&mut self, lvalue: &Source) -> Lowered<Expression> {
        match self.target(lvalue)? {
            Target::Register(local) => Ok(self.register(local)),
            Target::Place(place) => self.load(place),
        }
    }

    fn converted(&mut self, inner: &Source, ty: TypeId) -> Lowered<Expression> {
        let value = self.value(inner)?;
        self.convert(value, ty)
    }

    /// A number of a scalar type.
    pub(super) fn number(&mut self, value: i128, ty: TypeId) -> Lowered<Expression> {
        match super::constant::wrap(self.types(), value, ty) {
            Some(value) => Ok(self.expression(ExpressionKind::Integer(value), ty)),
            None => {
                let int = self.types_mut().int();
                let value = self.expression(ExpressionKind::Integer(value), int);
                self.convert(value, ty)
            }
        }
    }

    fn size(&mut self, of: &Type, ty: TypeId) -> Lowered<Expression> {
        let size = self.size_value(of)?;
        self.convert(size, ty)
    }

    /// An array as a pointer to its first element.
    fn decay(&mut self, array: &Source) -> Lowered<Expression> {
        let ty = self.decayed(&array.ty);
        let place = self.place_or_object(array)?;
        Ok(self.expression(ExpressionKind::Address(Box::new(place)), ty))
    }

    /// A function as a pointer to it.
    fn function(&mut self, source: &Source) -> Lowered<Expression> {
        match &source.kind {
            Kind::Name(name) => {
                let ty = self.ty(&source.ty.clone().pointer());
                let id = self.function_called(name, &source.ty)?;
                Ok(self.expression(ExpressionKind::Function(id), ty))
            }
            Kind::Unary(UnaryOperator::Dereference, pointer) => self.value(pointer),
            Kind::Cast(inner) | Kind::Implicit(inner) => self.function(inner),
            Kind::Binary(Op::Comma, first, second) => {
                self.effect(first)?;
                self.function(second)
            }
            _ => refuse("a function that no name and no pointer gives"),
        }
    }

    /// The function that a name stands for; compilers' builtins need no declaration.
    pub(super) fn function_called(&mut self, name: &str, ty: &Type) -> Lowered<crate::FunctionId> {
        match self.meaning(name) {
            Some(Meaning::Function(id)) => Ok(id),
            None => {
                let nothing = Type::Function(Box::new(cast::FunctionType { unprototyped: true, ..Default::default() }));
                let ty = if self.context.is_function(ty) { ty } else { &nothing };
                Ok(self.context.function_named(self.unit, name, ty, crate::Linkage::External))
            }
            Some(_) => refuse(format!("the object `{name}` as a function")),
        }
    }

    fn unary(&mut self, source: &Source, operator: UnaryOperator, operand: &Source, ty: TypeId) -> Lowered<Expression> {
        let kind = match operator {
            UnaryOperator::Negate => Unary::Negate,
            UnaryOperator::Complement => Unary::Complement,
            UnaryOperator::Not => {
                let value = self.value(operand)?;
                return self.is_zero(value);
            }
            UnaryOperator::AddressOf => return self.address_of(operand, ty),
            UnaryOperator::Dereference => return self.read(source),
            UnaryOperator::Increment
            | UnaryOperator::Decrement
            | UnaryOperator::IncrementAfter
            | UnaryOperator::DecrementAfter => return self.step_value(operator, operand),
        };
        self.refuse_wide(operand)?;
        let value = self.converted(operand, ty)?;
        let is_number = matches!(value.kind, ExpressionKind::Integer(_));
        let value = self.expression(ExpressionKind::Unary(kind, Box::new(value)), ty);
        Ok(if is_number { super::constant::fold(self.types(), value) } else { value })
    }

    fn address_of(&mut self, operand: &Source, ty: TypeId) -> Lowered<Expression> {
        if matches!(self.shape(&operand.ty), Shape::Function(_)) {
            return self.function(operand);
        }
        if ctype::qualifiers(&self.context.program.types.table, &operand.ty).atomic {
            return refuse("the address of an atomic object");
        }
        let place = self.place_or_object(operand)?;
        self.address(place, ty)
    }

    /// `value == 0`.
    pub(super) fn is_zero(&mut self, value: Expression) -> Lowered<Expression> {
        let int = self.types_mut().int();
        let zero = match self.types().shape_of(value.ty) {
            Shape::Float { .. } => self.expression(ExpressionKind::Float("0.0".to_owned()), value.ty),
            _ => self.number(0, value.ty)?,
        };
        let kind = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(value), Box::new(zero));
        Ok(self.expression(kind, int))
    }

    fn binary(&mut self, operator: Op, left: &Source, right: &Source, ty: TypeId) -> Lowered<Expression> {
        self.refuse_wide(left)?;
        self.refuse_wide(right)?;
        let later = effects(right);
        let first = self.value(left)?;
        let first = self.protect(first, &later)?;
        let second = self.value(right)?;
        self.operation(operator, (first, &left.ty), (second, &right.ty), ty)
    }

    /// An operator applied to two values, with C's rules for pointers.
    pub(super) fn operation(
        &mut self,
        operator: Op,
        (a, first): (Expression, &Type),
        (b, second): (Expression, &Type),
        ty: TypeId,
    ) -> Lowered<Expression> {
        let is_pointer =
            |types: &crate::Types, value: &Expression| matches!(types.shape_of(value.ty), Shape::Pointer(_));
        let (left, right) = (is_pointer(self.types(), &a), is_pointer(self.types(), &b));
        let Some(kind) = core_operator(operator) else { return refuse("an operator where none can be") };
        match (operator, left, right) {
            (Op::Add, true, false) => self.offset(a, b, false, first),
            (Op::Add, false, true) => self.offset(b, a, false, second),
            (Op::Subtract, true, false) => self.offset(a, b, true, first),
            (Op::Subtract, true, true) => self.distance(a, b, first, ty),
            _ if kind.is_comparison() => self.comparison(kind, a, b, ty),
            (Op::ShiftLeft | Op::ShiftRight, ..) => {
                let a = self.convert(a, ty)?;
                Ok(self.expression(ExpressionKind::Binary(kind, Box::new(a), Box::new(b)), ty))
            }
            _ => {
                let (a, b) = (self.convert(a, ty)?, self.convert(b, ty)?);
                Ok(self.expression(ExpressionKind::Binary(kind, Box::new(a), Box::new(b)), ty))
            }
        }
    }

    fn comparison(
        &mut self,
        operator: BinaryOperator,
        a: Expression,
        b: Expression,
        ty: TypeId,
    ) -> Lowered<Expression> {
        let is_number = |types: &crate::Types, ty| !matches!(types.shape_of(ty), Shape::Pointer(_));
        let (a, b) = if is_number(self.types(), a.ty) && is_number(self.types(), b.ty) {
            let common = self.common_type(a.ty, b.ty);
            (self.convert(a, common)?, self.convert(b, common)?)
        } else {
            (a, b)
        };
        let int = self.types_mut().int();
        let result = self.expression(ExpressionKind::Binary(operator, Box::new(a), Box::new(b)), int);
        self.convert(result, ty)
    }

    /// A pointer, `source` in C, moved by a number of elements.
    pub(super) fn offset(
        &mut self,
        pointer: Expression,
        count: Expression,
        negative: bool,
        source: &Type,
    ) -> Lowered<Expression> {
        let ty = pointer.ty;
        if let Some(element) = self.computed_target(source) {
            return self.offset_by_bytes(pointer, count, &element, negative, ty);
        }
        let (pointer, moved) = self.counted(pointer)?;
        if let ExpressionKind::Integer(0) = count.kind {
            return self.convert(pointer, ty);
        }
        let kind = ExpressionKind::Offset { pointer: Box::new(pointer), count: Box::new(count), negative };
        let value = self.expression(kind, moved);
        self.convert(value, ty)
    }

    fn distance(&mut self, a: Expression, b: Expression, source: &Type, ty: TypeId) -> Lowered<Expression> {
        if let Some(element) = self.computed_target(source) {
            return self.distance_by_bytes(a, b, &element, ty);
        }
        let ((a, _), (b, _)) = (self.counted(a)?, self.counted(b)?);
        Ok(self.expression(ExpressionKind::Distance(Box::new(a), Box::new(b)), ty))
    }

    /// What a pointer points to, where its size is computed.
    fn computed_target(&self, pointer: &Type) -> Option<Type> {
        let element = ctype::element(&self.types().table, pointer)?;
        self.has_computed_size(element).then(|| element.clone())
    }

    /// A pointer whose elements have a size: what `void *` and pointers to functions point to has one byte in GNU C.
    fn counted(&mut self, pointer: Expression) -> Lowered<(Expression, TypeId)> {
        let types = &self.context.program.types;
        let element = types.element(pointer.ty);
        match element.map(|element| (types.shape_of(element), types.size_of(element))) {
            Some((_, Some(_))) => {
                let ty = pointer.ty;
                Ok((pointer, ty))
            }
            Some((Shape::Void | Shape::Function(_), None)) => {
                let bytes = self.ty(&Type::CHAR.pointer());
                Ok((self.convert(pointer, bytes)?, bytes))
            }
            _ => refuse("arithmetic on a pointer to something of unknown or computed size"),
        }
    }

    /// The value of `({ … })`.
    fn block_value(&mut self, statements: &[cast::Statement], ty: TypeId) -> Lowered<Expression> {
        let result = self.temporary(ty);
        self.inner_block(statements, &mut |body: &mut Self, last: &Source| {
            let value = body.value(last)?;
            let value = body.convert(value, ty)?;
            body.set(result, value)
        })?;
        Ok(self.register(result))
    }

    /// A value of structure, union or opaque type: the place that holds it. It may be an object of the program,
    /// which later effects may change.
    pub(super) fn object(&mut self, source: &Source) -> Lowered<Place> {
        if self.is_lvalue(source) {
            return self.place(source);
        }
        let ty = self.ty(&source.ty);
        match &source.kind {
            Kind::Assign(None, target, value) => self.assign_object(target, value),
            Kind::Binary(Op::Comma, first, second) => {
                self.effect(first)?;
                self.object(second)
            }
            Kind::Cast(inner) | Kind::Implicit(inner) if self.types_agree(inner, ty) => self.object(inner),
            _ => {
                let place = self.temporary_object(ty)?;
                self.store(&place, source)?;
                Ok(place)
            }
        }
    }

    pub(super) fn types_agree(&mut self, inner: &Source, ty: TypeId) -> bool {
        let id = self.ty(&inner.ty);
        let types = self.types();
        match types.shape_of(ty) {
            Shape::Opaque => self.is_alike(&inner.ty, &types.get(ty).c),
            shape => types.shape_of(id) == shape,
        }
    }

    /// Gives a register, which no other effect of `source` writes last, the value of an expression.
    pub(super) fn value_into(&mut self, register: LocalId, source: &Source) -> Lowered<()> {
        let ty = self.locals[register].ty;
        let agrees = self.types_agree(source, ty);
        match &source.kind {
            Kind::Call(..) | Kind::VariableArgument(_) if agrees => {
                self.call(source, Some(crate::Receiver::Register(register)))
            }
            Kind::Binary(Op::And | Op::Or, ..) | Kind::Conditional(..) if agrees => self.choose(register, source),
            _ => {
                let value = self.value(source)?;
                let value = self.convert(value, ty)?;
                self.set(register, value)
            }
        }
    }

    /// An expression for its effects alone.
    pub(super) fn effect(&mut self, source: &Source) -> Lowered<()> {
        match &source.kind {
            Kind::Assign(..) => self.assignment(source),
            Kind::Unary(
                operator @ (UnaryOperator::Increment
                | UnaryOperator::Decrement
                | UnaryOperator::IncrementAfter
                | UnaryOperator::DecrementAfter),
                target,
            ) => self.step(*operator, target),
            Kind::Call(..) => self.call(source, None),
            Kind::Binary(Op::Comma, first, second) => {
                self.effect(first)?;
                self.effect(second)
            }
            Kind::Binary(Op::And | Op::Or, ..) | Kind::Conditional(..) => self.chosen_effect(source),
            Kind::Cast(inner) | Kind::Implicit(inner) => self.effect(inner),
            Kind::Block(statements) => {
                self.inner_block(statements, &mut |body: &mut Self, last: &Source| body.effect(last))
            }
            _ if self.is_lvalue(source) => self.discard(source),
            _ => match self.shape(&source.ty) {
                Shape::Record(_) | Shape::Opaque => self.object(source).map(|_| ()),
                Shape::Void => refuse("an expression without a value"),
                _ => self.value(source).map(|_| ()),
            },
        }
    }

    /// An lvalue whose value nobody wants: what it costs to find it, and the access where accesses count.
    fn discard(&mut self, lvalue: &Source) -> Lowered<()> {
        match self.shape(&lvalue.ty) {
            Shape::Function(_) | Shape::Void => Ok(()),
            Shape::Array(..) => self.place(lvalue).map(|_| ()),
            Shape::Record(_) | Shape::Opaque => {
                let place = self.place(lvalue)?;
                if place.volatile {
                    let to = self.temporary_object(place.ty)?;
                    self.emit(StatementKind::Copy { to, from: place })?;
                }
                Ok(())
            }
            _ => self.read(lvalue).map(|_| ()),
        }
    }
}

fn core_operator(operator: Op) -> Option<BinaryOperator> {
    Some(match operator {
        Op::Multiply => BinaryOperator::Multiply,
        Op::Divide => BinaryOperator::Divide,
        Op::Remainder => BinaryOperator::Remainder,
        Op::Add => BinaryOperator::Add,
        Op::Subtract => BinaryOperator::Subtract,
        Op::ShiftLeft => BinaryOperator::ShiftLeft,
        Op::ShiftRight => BinaryOperator::ShiftRight,
        Op::Less => BinaryOperator::Less,
        Op::LessEqual => BinaryOperator::LessEqual,
        Op::Greater => BinaryOperator::Greater,
        Op::GreaterEqual => BinaryOperator::GreaterEqual,
        Op::Equal => BinaryOperator::Equal,
        Op::NotEqual => BinaryOperator::NotEqual,
        Op::BitAnd => BinaryOperator::And,
        Op::BitXor => BinaryOperator::Xor,
        Op::BitOr => BinaryOperator::Or,
        Op::And | Op::Or | Op::Comma => return None,
    })
}

/// The beginning of a text, for a message.
pub(super) fn first_words(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 40 { line } else { format!("{}…", line.chars().take(40).collect::<String>()) }
}
