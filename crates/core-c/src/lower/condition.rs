//! Conditions, and what is evaluated only under them: `&&`, `||`, `!`, `?:`.

use cast::{BinaryOperator as Op, Expression as Source, ExpressionKind as Kind, UnaryOperator};

use super::body::Body;
use super::{Lowered, constant, refuse};
use crate::{BlockId, Expression, LocalId, Place, Shape, Terminator, TypeId};

impl Body<'_, '_> {
    /// Goes to `then` where the condition is not zero, else to `otherwise`.
    pub(super) fn branch(&mut self, condition: &Source, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        match &condition.kind {
            Kind::Unary(UnaryOperator::Not, inner) => self.branch(inner, otherwise, then),
            Kind::Binary(Op::And, first, second) => {
                let middle = self.block();
                self.branch(first, middle, otherwise)?;
                self.at = middle;
                self.branch(second, then, otherwise)
            }
            Kind::Binary(Op::Or, first, second) => {
                let middle = self.block();
                self.branch(first, then, middle)?;
                self.at = middle;
                self.branch(second, then, otherwise)
            }
            Kind::Binary(Op::Comma, first, second) => {
                self.effect(first)?;
                self.branch(second, then, otherwise)
            }
            _ if self.is_opaque(&condition.ty) => {
                let place = self.object(condition)?;
                let operands = vec![self.load(place)?];
                let int = self.types_mut().int();
                let kind = crate::ExpressionKind::Opaque { text: "⟨0⟩ != 0".to_owned(), operands };
                let value = self.expression(kind, int);
                self.branch_on(value, then, otherwise)
            }
            _ => {
                let value = self.value(condition)?;
                self.branch_on(value, then, otherwise)
            }
        }
    }

    /// Goes where a value says; a constant one needs no branch.
    pub(super) fn branch_on(&mut self, value: Expression, then: BlockId, otherwise: BlockId) -> Lowered<()> {
        let known = constant::fold(&self.context.program.types, value.clone());
        match constant::integer(&known) {
            Some(0) => self.end(Terminator::Goto(otherwise)),
            Some(_) => self.end(Terminator::Goto(then)),
            None => self.end(Terminator::Branch { condition: value, then, otherwise }),
        }
    }

    /// The value of `&&`, `||`, `?:` and `?:` without its middle.
    pub(super) fn chosen(&mut self, source: &Source, ty: TypeId) -> Lowered<Expression> {
        if self.is_constant_context() {
            return self.chosen_constant(source, ty);
        }
        if *self.types().shape_of(ty) == Shape::Void {
            return refuse("an expression without a value");
        }
        let result = self.temporary(ty);
        self.choose(result, source)?;
        Ok(self.register(result))
    }

    /// Gives a register the value that a condition chooses.
    pub(super) fn choose(&mut self, result: LocalId, source: &Source) -> Lowered<()> {
        let (then, otherwise, end) = (self.block(), self.block(), self.block());
        match &source.kind {
            Kind::Conditional(condition, first, second) => {
                self.branch(condition, then, otherwise)?;
                self.at = then;
                self.value_into(result, first)?;
                self.enter_after(end, otherwise)?;
                self.value_into(result, second)?;
            }
            Kind::Otherwise(first, second) => {
                let value = self.value(first)?;
                let value = match value.kind {
                    crate::ExpressionKind::Local(_) | crate::ExpressionKind::Integer(_) => value,
                    _ => self.hold(value)?,
                };
                self.branch_on(value.clone(), then, otherwise)?;
                self.at = then;
                let ty = self.locals[result].ty;
                let value = self.convert(value, ty)?;
                self.set(result, value)?;
                self.enter_after(end, otherwise)?;
                self.value_into(result, second)?;
            }
            _ => {
                self.branch(source, then, otherwise)?;
                self.at = then;
                let ty = self.locals[result].ty;
                let (yes, no) = (self.number(1, ty)?, self.number(0, ty)?);
                self.set(result, yes)?;
                self.enter_after(end, otherwise)?;
                self.set(result, no)?;
            }
        }
        self.enter(end)
    }

    /// The current block goes to `end`; what follows stands in `next`.
    fn enter_after(&mut self, end: BlockId, next: BlockId) -> Lowered<()> {
        self.end(Terminator::Goto(end))?;
        self.at = next;
        Ok(())
    }

    /// Puts the structure that a condition chooses into a place.
    pub(super) fn choose_object(&mut self, to: &Place, source: &Source) -> Lowered<()> {
        let Kind::Conditional(condition, first, second) = &source.kind else {
            return refuse("a choice between structures without a middle");
        };
        let (then, otherwise, end) = (self.block(), self.block(), self.block());
        self.branch(condition, then, otherwise)?;
        self.at = then;
        self.store(to, first)?;
        self.enter_after(end, otherwise)?;
        self.store(to, second)?;
        self.enter(end)
    }

    /// `&&`, `||` or `?:` for its effects.
    pub(super) fn chosen_effect(&mut self, source: &Source) -> Lowered<()> {
        let (then, otherwise, end) = (self.block(), self.block(), self.block());
        match &source.kind {
            Kind::Conditional(condition, first, second) => {
                self.branch(condition, then, otherwise)?;
                self.at = then;
                self.effect(first)?;
                self.enter_after(end, otherwise)?;
                self.effect(second)?;
            }
            Kind::Binary(Op::And, first, second) => {
                self.branch(first, then, otherwise)?;
                self.at = then;
                self.effect(second)?;
                self.enter_after(end, otherwise)?;
            }
            Kind::Binary(Op::Or, first, second) => {
                self.branch(first, then, otherwise)?;
                self.at = otherwise;
                self.effect(second)?;
                self.enter_after(end, then)?;
            }
            _ => return refuse("a choice without a condition"),
        }
        self.enter(end)
    }

    /// The same in an initializer of static storage, where all conditions are constants.
    fn chosen_constant(&mut self, source: &Source, ty: TypeId) -> Lowered<Expression> {
        let chosen = match &source.kind {
            Kind::Conditional(condition, first, second) => {
                if self.known_condition(condition)? {
                    first
                } else {
                    second
                }
            }
            Kind::Otherwise(first, second) => {
                if self.known_condition(first)? {
                    first
                } else {
                    second
                }
            }
            Kind::Binary(operator, first, second) => {
                let first = self.known_condition(first)?;
                let decided = first == (*operator == Op::Or);
                let value = if decided { first } else { self.known_condition(second)? };
                return self.number(value.into(), ty);
            }
            _ => return refuse("a choice without a condition"),
        };
        let value = self.value(chosen)?;
        self.convert(value, ty)
    }

    fn known_condition(&mut self, condition: &Source) -> Lowered<bool> {
        let value = self.value(condition)?;
        match constant::fold(&self.context.program.types, value).kind {
            crate::ExpressionKind::Integer(value) => Ok(value != 0),
            // An object or function has an address that is not zero.
            crate::ExpressionKind::Address(_) | crate::ExpressionKind::Function(_) => Ok(true),
            _ => refuse("an initializer whose condition is no constant"),
        }
    }
}
