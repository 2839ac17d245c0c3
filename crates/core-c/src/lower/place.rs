//! Lvalues: which object, or part of one, an expression names (C11 section 6.3.2.1).

use cast::{Expression as Source, ExpressionKind as Kind, Type, UnaryOperator};

use super::body::Body;
use super::order::{Effects, effects};
use super::{Lowered, Meaning, ctype, refuse};
use crate::{
    BitRange, Expression, ExpressionKind, LocalId, LocalKind, Place, PlaceBase, Shape, StatementKind, Step, StepKind,
    TypeId, find_field,
};

/// What can be assigned to.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Target {
    Register(LocalId),
    Place(Place),
}

impl Body<'_, '_> {
    /// What an lvalue stands for.
    pub(super) fn target(&mut self, lvalue: &Source) -> Lowered<Target> {
        if let Kind::Name(name) = &lvalue.kind
            && let Some(Meaning::Local(local)) = self.meaning(name)
            && self.locals[local].kind == LocalKind::Register
        {
            return Ok(Target::Register(local));
        }
        self.place(lvalue).map(Target::Place)
    }

    /// The place that an lvalue names.
    pub(super) fn place(&mut self, lvalue: &Source) -> Lowered<Place> {
        let qualifiers = ctype::qualifiers(&self.context.program.types.table, &lvalue.ty);
        if qualifiers.atomic {
            return refuse("an atomic object");
        }
        let mut place = self.place_without_qualifiers(lvalue)?;
        place.volatile |= qualifiers.volatile;
        Ok(place)
    }

    fn place_without_qualifiers(&mut self, lvalue: &Source) -> Lowered<Place> {
        let ty = self.ty(&lvalue.ty);
        match &lvalue.kind {
            Kind::Name(name) => self.named(name, ty),
            Kind::Unary(UnaryOperator::Dereference, pointer) => {
                let pointer = self.value(pointer)?;
                Ok(self.pointee(pointer, ty))
            }
            Kind::Index(base, index) => self.element(base, index, ty),
            Kind::Member(base, name) => {
                let base = self.place_or_object(base)?;
                self.member(base, name, ty)
            }
            Kind::Literal { spelling, bytes } => {
                let global = self.context.string(spelling, bytes, ty, lvalue.span);
                Ok(Place::global(global, ty))
            }
            Kind::Compound(value) => self.compound(value, &lvalue.ty),
            Kind::Cast(inner) | Kind::Implicit(inner) if self.is_same_object(inner, ty) => self.place_or_object(inner),
            _ => self.object(lvalue),
        }
    }

    fn named(&mut self, name: &str, ty: TypeId) -> Lowered<Place> {
        match self.meaning(name) {
            Some(Meaning::Local(local)) if self.locals[local].kind == LocalKind::Memory => {
                let ty = self.locals[local].ty;
                Ok(Place::local(local, ty))
            }
            Some(Meaning::Global(global)) => {
                let known = self.context.program.globals[global].ty;
                // The use may know an array's length that the first declaration did not say, or the reverse.
                let ty = if self.types().size_of(known).is_some() { known } else { ty };
                Ok(Place::global(global, ty))
            }
            Some(Meaning::Local(_)) => refuse(format!("the address of `{name}`, which lives in a register")),
            Some(Meaning::Function(_)) => refuse(format!("the function `{name}` as an object")),
            None => refuse(format!("`{name}`, which is not declared")),
        }
    }

    /// What a pointer points to; `*&x` is `x`.
    pub(super) fn pointee(&mut self, pointer: Expression, ty: TypeId) -> Place {
        if let ExpressionKind::Address(place) = pointer.kind {
            if place.ty == ty && !place.volatile {
                return *place;
            }
            return Place::pointee(Expression { kind: ExpressionKind::Address(place), ..pointer }, ty);
        }
        Place::pointee(pointer, ty)
    }

    fn element(&mut self, base: &Source, index: &Source, ty: TypeId) -> Lowered<Place> {
        if !matches!(self.shape(&base.ty), Shape::Array(..) | Shape::Pointer(_)) {
            if matches!(self.shape(&index.ty), Shape::Array(..) | Shape::Pointer(_)) {
                // `index[base]`.
                return self.element(index, base, ty);
            }
            return refuse(format!("an element of a value of type `{}`", cast::print_type(&base.ty)));
        }
        let later = effects(index);
        if matches!(self.shape(&base.ty), Shape::Array(..)) {
            let array = self.place_or_object(base)?;
            let array = self.protect_place(array, &later)?;
            let index = self.value(index)?;
            let element = ctype::element(&self.types().table, &base.ty).cloned().unwrap_or_default();
            if self.has_computed_size(&element) {
                return self.computed_element(array, index, &element);
            }
            return Ok(step(array, StepKind::Index(Box::new(index)), ty));
        }
        let pointer = self.value(base)?;
        let pointer = self.protect(pointer, &later)?;
        let count = self.value(index)?;
        let pointer = self.offset(pointer, count, false, &base.ty)?;
        Ok(self.pointee(pointer, ty))
    }

    /// A member of a structure or union, anonymous ones between them looked through.
    pub(super) fn member(&mut self, base: Place, name: &str, ty: TypeId) -> Lowered<Place> {
        let types = &self.context.program.types;
        let found = types.record(base.ty).and_then(|layout| find_field(&types.table, layout, name));
        let Some(field) = found else {
            let record = cast::print_type(&types.get(base.ty).c);
            return refuse(format!("the member `{name}` of `{record}`, whose layout is not known"));
        };
        let bits = field.bits.map(|width| BitRange { first: (field.offset % 8) as u32, width });
        let kind = StepKind::Field { name: name.to_owned(), offset: field.offset / 8, bits };
        // The member's own type: the expression's may lack what `volatile` adds, never the reverse.
        let volatile = ctype::qualifiers(&types.table, &field.ty).volatile;
        let mut place = step(base, kind, ty);
        place.volatile |= volatile;
        Ok(place)
    }

    /// The place of an object, or of the value that an expression gives as a whole.
    pub(super) fn place_or_object(&mut self, expression: &Source) -> Lowered<Place> {
        if self.is_lvalue(expression) { self.place(expression) } else { self.object(expression) }
    }

    pub(super) fn is_lvalue(&self, expression: &Source) -> bool {
        match &expression.kind {
            Kind::Name(_) | Kind::Index(..) | Kind::Member(..) | Kind::Literal { .. } | Kind::Compound(_) => true,
            Kind::Unary(operator, _) => *operator == UnaryOperator::Dereference,
            _ => false,
        }
    }

    /// True for a conversion that changes nothing but qualifiers.
    fn is_same_object(&mut self, inner: &Source, ty: TypeId) -> bool {
        !self.types().is_scalar(ty) && self.types_agree(inner, ty)
    }

    /// An object that a compound literal makes.
    fn compound(&mut self, value: &Source, ty: &Type) -> Lowered<Place> {
        if self.is_constant_context() {
            return self.static_compound(value, ty);
        }
        let id = self.ty(ty);
        let place = self.temporary_object(id)?;
        self.initialize(&place, value, ty)?;
        Ok(place)
    }

    /// The address of a place, as a pointer of type `ty`; `&*p` is `p`.
    pub(super) fn address(&mut self, place: Place, ty: TypeId) -> Lowered<Expression> {
        match place {
            Place { base: PlaceBase::Pointee(pointer), steps, volatile: false, .. } if steps.is_empty() => {
                self.convert(*pointer, ty)
            }
            place => Ok(self.expression(ExpressionKind::Address(Box::new(place)), ty)),
        }
    }

    /// What a place holds: a load, or, where accesses are effects, what a load at this time gives.
    pub(super) fn load(&mut self, place: Place) -> Lowered<Expression> {
        let ty = place.ty;
        if place.volatile {
            let local = self.temporary(ty);
            self.emit(StatementKind::LoadVolatile { local, place })?;
            return Ok(self.register(local));
        }
        Ok(self.expression(ExpressionKind::Load(Box::new(place)), ty))
    }

    /// gcc gives a bit-field wider than `int` its own width as type, clang the declared type: what they compute with
    /// one is not the same, while its value, stored or converted, is.
    pub(super) fn refuse_wide(&mut self, operand: &Source) -> Lowered<()> {
        let field = match &operand.kind {
            Kind::Assign(_, target, _) => target,
            _ => operand,
        };
        let Kind::Member(base, name) = &field.kind else { return Ok(()) };
        let record = self.ty(&base.ty);
        let types = self.types();
        let found = types.record(record).and_then(|layout| find_field(&types.table, layout, name));
        if found.and_then(|field| field.bits).is_some_and(|width| width > 32) {
            return refuse(format!("arithmetic on `{name}`, a bit-field wider than `int`"));
        }
        Ok(())
    }

    /// The place as it is now: later effects change neither which one it is nor what it holds.
    pub(super) fn keep_object(&mut self, place: Place, later: &Effects) -> Lowered<Place> {
        // A list of arguments may be an array, which C passes by address.
        if later.is_none() || self.is_temporary(&place) || self.is_argument_list(place.ty) {
            return Ok(place);
        }
        let copy = self.temporary_object(place.ty)?;
        self.emit(StatementKind::Copy { to: copy.clone(), from: place })?;
        Ok(copy)
    }

    fn is_argument_list(&self, ty: TypeId) -> bool {
        let types = self.types();
        matches!(ctype::resolve(&types.table, &types.get(ty).c), Type::Opaque(opaque) if opaque.spelling == "__builtin_va_list")
    }

    fn is_temporary(&self, place: &Place) -> bool {
        matches!(place.base, PlaceBase::Local(local) if self.locals[local].name.is_empty())
    }
}

/// A part of a place.
pub(super) fn step(mut base: Place, kind: StepKind, ty: TypeId) -> Place {
    base.steps.push(Step { kind, ty });
    base.ty = ty;
    base
}
