//! Assignments, compound assignments, `++` and `--` (C11 sections 6.5.16, 6.5.2.4, 6.5.3.1).

use cast::{BinaryOperator as Op, Expression as Source, ExpressionKind as Kind, Type, UnaryOperator};

use super::body::Body;
use super::order::{Effects, effects};
use super::place::Target;
use super::{Lowered, refuse};
use crate::{Expression, ExpressionKind, Place, Receiver, Shape, StatementKind, TypeId};

/// What was there before an assignment.
struct Before<'t> {
    /// The target's C type.
    ty: &'t Type,
    /// The target's value, where it was read already.
    value: Option<Expression>,
}

impl Body<'_, '_> {
    /// An assignment whose value nobody wants.
    pub(super) fn assignment(&mut self, source: &Source) -> Lowered<()> {
        match &source.kind {
            Kind::Assign(None, target, value) => {
                let is_scalar = self.is_scalar(target);
                if !is_scalar {
                    return self.assign_object(target, value).map(|_| ());
                }
                match self.target(target)? {
                    Target::Register(register) => self.value_into(register, value),
                    Target::Place(place) => {
                        let place = self.protect_place(place, &effects(value))?;
                        self.store(&place, value)
                    }
                }
            }
            Kind::Assign(Some(operator), target, value) if self.is_opaque(&target.ty) => {
                self.opaque_update(*operator, target, Some(value)).map(|_| ())
            }
            Kind::Assign(Some(operator), target, value) => {
                self.compound_assignment(*operator, target, value, false).map(|_| ())
            }
            _ => refuse("an assignment to nothing"),
        }
    }

    /// An assignment, and the value that the target has after it.
    pub(super) fn assignment_value(&mut self, source: &Source) -> Lowered<Expression> {
        let (target, value) = match &source.kind {
            Kind::Assign(None, target, value) => (target, value),
            Kind::Assign(Some(operator), target, value) => {
                return self.compound_assignment(*operator, target, value, true);
            }
            _ => return refuse("an assignment to nothing"),
        };
        match self.target(target)? {
            Target::Register(register) => {
                self.value_into(register, value)?;
                Ok(self.register(register))
            }
            Target::Place(place) => {
                let place = self.protect_place(place, &effects(value))?;
                let value = self.value(value)?;
                let value = self.convert(value, place.ty)?;
                self.store_and_keep(place, value)
            }
        }
    }

    /// Stores a value and gives what the place holds then; a volatile place is not read again.
    fn store_and_keep(&mut self, place: Place, value: Expression) -> Lowered<Expression> {
        if place.bits().is_some() && !place.volatile {
            // Only reading back says what a few bits hold.
            let place = self.protect_place(place, &Effects::write())?;
            self.emit(StatementKind::Store { place: place.clone(), value })?;
            return self.load(place);
        }
        if place.bits().is_some() {
            return refuse("the value of an assignment to a volatile bit-field");
        }
        let is_simple = matches!(value.kind, ExpressionKind::Integer(_) | ExpressionKind::Local(_));
        let value = if is_simple { value } else { self.hold(value)? };
        self.emit(StatementKind::Store { place, value: value.clone() })?;
        Ok(value)
    }

    /// `target op= value`; gives what the target has after it.
    fn compound_assignment(
        &mut self,
        operator: Op,
        target: &Source,
        value: &Source,
        wanted: bool,
    ) -> Lowered<Expression> {
        if matches!(operator, Op::Divide | Op::Remainder) {
            self.refuse_wide(target)?;
        }
        self.refuse_wide(value)?;
        let lvalue = self.target(target)?;
        let lvalue = self.protect_target(lvalue, &effects(value))?;
        let value = self.value(value)?;
        let before = Before { ty: &target.ty, value: None };
        self.update(lvalue, operator, before, value, wanted)
    }

    /// `target = target op value`, in the type that C computes it in, and what the target has after it.
    fn update(
        &mut self,
        target: Target,
        operator: Op,
        before: Before,
        value: Expression,
        wanted: bool,
    ) -> Lowered<Expression> {
        let target = if wanted { self.protect_target(target, &Effects::write())? } else { target };
        let ty = self.target_type(&target);
        let old = match before.value {
            Some(old) => old,
            None => self.read_target(&target)?,
        };
        let computed = self.computed(operator, &target, (old, before.ty), value)?;
        let result = self.convert(computed, ty)?;
        if wanted && matches!(&target, Target::Place(place) if place.volatile && place.bits().is_some()) {
            return refuse("the value of an assignment to a volatile bit-field");
        }
        self.write_target(target, result)
    }

    fn computed(
        &mut self,
        operator: Op,
        target: &Target,
        (old, source): (Expression, &Type),
        value: Expression,
    ) -> Lowered<Expression> {
        if matches!(self.types().shape_of(old.ty), Shape::Pointer(_)) {
            let ty = old.ty;
            return self.operation(operator, (old, source), (value, &Type::INT), ty);
        }
        let promoted = self.promoted_target(target, old.ty);
        let ty = match operator {
            Op::ShiftLeft | Op::ShiftRight => promoted,
            _ => self.common_type(promoted, value.ty),
        };
        self.operation(operator, (old, source), (value, &Type::INT), ty)
    }

    fn promoted_target(&mut self, target: &Target, ty: TypeId) -> TypeId {
        match target {
            Target::Place(place) => match place.bits() {
                Some(bits) => self.promoted_bits(ty, bits.width),
                None => self.promoted(ty),
            },
            Target::Register(_) => self.promoted(ty),
        }
    }

    fn protect_target(&mut self, target: Target, effects: &Effects) -> Lowered<Target> {
        match target {
            Target::Place(place) => self.protect_place(place, effects).map(Target::Place),
            register @ Target::Register(_) => Ok(register),
        }
    }

    fn target_type(&self, target: &Target) -> TypeId {
        match target {
            Target::Register(register) => self.locals[*register].ty,
            Target::Place(place) => place.ty,
        }
    }

    fn read_target(&mut self, target: &Target) -> Lowered<Expression> {
        match target {
            Target::Register(register) => Ok(self.register(*register)),
            Target::Place(place) => self.load(place.clone()),
        }
    }

    /// Writes, and gives what is there then. Reading back is right for all but volatile places.
    fn write_target(&mut self, target: Target, value: Expression) -> Lowered<Expression> {
        match target {
            Target::Register(register) => {
                self.set(register, value)?;
                Ok(self.register(register))
            }
            Target::Place(place) if place.volatile => {
                let value = self.hold(value)?;
                self.emit(StatementKind::Store { place, value: value.clone() })?;
                Ok(value)
            }
            Target::Place(place) => {
                self.emit(StatementKind::Store { place: place.clone(), value })?;
                let ty = place.ty;
                Ok(self.expression(ExpressionKind::Load(Box::new(place)), ty))
            }
        }
    }

    /// `++` or `--` whose value nobody wants.
    pub(super) fn step(&mut self, operator: UnaryOperator, target: &Source) -> Lowered<()> {
        if self.is_opaque(&target.ty) {
            let is_up = matches!(operator, UnaryOperator::Increment | UnaryOperator::IncrementAfter);
            return self.opaque_update(if is_up { Op::Add } else { Op::Subtract }, target, None).map(|_| ());
        }
        let lvalue = self.target(target)?;
        self.step_target(operator, lvalue, Before { ty: &target.ty, value: None }, false).map(|_| ())
    }

    /// `++` or `--`, and its value.
    pub(super) fn step_value(&mut self, operator: UnaryOperator, target: &Source) -> Lowered<Expression> {
        let lvalue = self.target(target)?;
        if matches!(operator, UnaryOperator::Increment | UnaryOperator::Decrement) {
            return self.step_target(operator, lvalue, Before { ty: &target.ty, value: None }, true);
        }
        let old = self.read_target(&lvalue)?;
        let old = self.hold(old)?;
        self.step_target(operator, lvalue, Before { ty: &target.ty, value: Some(old.clone()) }, false)?;
        Ok(old)
    }

    fn step_target(
        &mut self,
        operator: UnaryOperator,
        target: Target,
        before: Before,
        wanted: bool,
    ) -> Lowered<Expression> {
        let is_up = matches!(operator, UnaryOperator::Increment | UnaryOperator::IncrementAfter);
        let int = self.types_mut().int();
        let one = self.expression(ExpressionKind::Integer(1), int);
        self.update(target, if is_up { Op::Add } else { Op::Subtract }, before, one, wanted)
    }

    fn is_scalar(&mut self, source: &Source) -> bool {
        let ty = self.ty(&source.ty);
        self.types().is_scalar(ty)
    }

    /// Assigns a structure, union or opaque value; gives the object assigned to.
    pub(super) fn assign_object(&mut self, target: &Source, value: &Source) -> Lowered<Place> {
        let to = self.place(target)?;
        let to = self.protect_place(to, &effects(value))?;
        self.store(&to, value)?;
        Ok(to)
    }

    /// Puts the value of any expression into a place.
    pub(super) fn store(&mut self, to: &Place, source: &Source) -> Lowered<()> {
        if self.types().is_scalar(to.ty) {
            let value = self.value(source)?;
            let value = self.convert(value, to.ty)?;
            return self.emit(StatementKind::Store { place: to.clone(), value });
        }
        match &source.kind {
            Kind::Call(..) | Kind::VariableArgument(_) => self.call(source, Some(Receiver::Object(to.clone()))),
            Kind::Conditional(..) | Kind::Otherwise(..) => self.choose_object(to, source),
            Kind::Block(statements) => {
                self.inner_block(statements, &mut |body: &mut Self, last: &Source| body.store(to, last))
            }
            Kind::Braces(_) if !self.is_opaque(&source.ty) => self.initialize(to, source, &source.ty),
            Kind::Verbatim(text) if !self.is_opaque_operation(source) => {
                refuse(format!("`{}` is not modelled", super::value::first_words(text)))
            }
            _ if self.is_opaque_operation(source) => {
                let value = self.opaque(source)?;
                self.emit(StatementKind::Store { place: to.clone(), value })
            }
            Kind::Cast(inner) if self.union_member(to, inner).is_some() => self.store_member(to, inner),
            _ if self.gives_object(source) => {
                let from = self.object(source)?;
                if from == *to {
                    return Ok(());
                }
                self.emit(StatementKind::Copy { to: to.clone(), from })
            }
            _ => refuse(format!("an operation on values of type `{}`", cast::print_type(&source.ty))),
        }
    }

    /// The member of a union that a value is converted to by GNU C's `(union u)value`.
    fn union_member(&mut self, to: &Place, value: &Source) -> Option<cast::FieldLayout> {
        let layout = self.types().record(to.ty).filter(|layout| layout.kind == cast::RecordKind::Union)?;
        layout.fields.iter().find(|field| field.name.is_some() && self.is_alike(&field.ty, &value.ty)).cloned()
    }

    fn store_member(&mut self, to: &Place, value: &Source) -> Lowered<()> {
        let Some(field) = self.union_member(to, value) else { return refuse("a member that a union lacks") };
        let ty = self.ty(&field.ty);
        let place = self.member(to.clone(), &field.name.unwrap_or_default(), ty)?;
        // The value may come from the union itself.
        let held = self.temporary_object(ty)?;
        self.store(&held, value)?;
        self.emit(StatementKind::Zero { place: to.clone() })?;
        let is_scalar = self.types().is_scalar(ty);
        let kind = match is_scalar {
            true => StatementKind::Store { place, value: self.load(held)? },
            false => StatementKind::Copy { to: place, from: held },
        };
        self.emit(kind)
    }

    /// True for expressions that [`Body::object`] takes to pieces itself.
    fn gives_object(&mut self, source: &Source) -> bool {
        match &source.kind {
            Kind::Assign(None, ..) | Kind::Binary(Op::Comma, ..) => true,
            Kind::Cast(inner) | Kind::Implicit(inner) => {
                let ty = self.ty(&source.ty);
                self.types_agree(inner, ty)
            }
            _ => self.is_lvalue(source),
        }
    }
}
