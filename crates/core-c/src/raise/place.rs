//! Places as C's lvalues.

use cast::{Expression, ExpressionKind, Qualifiers, Scalar, Type, UnaryOperator, build};

use super::expression::decayed;
use super::{Raiser, types};
use crate::{BitRange, FunctionId, GlobalId, LocalId, Place, PlaceBase, Shape, Step, StepKind, find_field};

impl Raiser<'_> {
    /// A local by its name, with the type it is declared with.
    pub(super) fn local(&self, local: LocalId) -> Expression {
        // Initial values are assigned: nothing is declared `const`.
        let ty = writable(self.c_type(self.function.locals[local].ty));
        let name = self.names[crate::graph::number(local)].clone();
        build::name(name, if self.volatile.contains(local) { ty.volatile() } else { ty })
    }

    pub(super) fn function_name(&self, function: FunctionId) -> Expression {
        let function = &self.program.functions[function];
        build::name(function.name.clone(), self.c_type(function.ty).clone())
    }

    fn global(&self, global: GlobalId, volatile: bool) -> Expression {
        let global = &self.program.globals[global];
        let ty = self.c_type(global.ty).clone();
        match global.spelled() {
            Some(spelling) => {
                let kind = ExpressionKind::Literal { spelling: spelling.to_owned(), bytes: Vec::new() };
                Expression { kind, ty, span: None }
            }
            None if global.constant || volatile => {
                let qualifiers = Qualifiers { constant: global.constant, volatile, ..Qualifiers::default() };
                build::name(global.name.clone(), Type::Qualified(qualifiers, Box::new(ty)))
            }
            None => build::name(global.name.clone(), ty),
        }
    }

    /// The lvalue that a place is; its type is the one that C gives it, qualifiers included.
    pub(super) fn place(&self, place: &Place) -> Expression {
        let mut lvalue = match &place.base {
            PlaceBase::Local(local) => self.local(*local),
            PlaceBase::Global(global) => self.global(*global, place.volatile && place.steps.is_empty()),
            PlaceBase::Pointee(pointer) => self.pointee(pointer, place),
        };
        if place.volatile && !place.steps.is_empty() && self.is_packed(place) {
            // The address of such a member is not one of its type.
            let whole = lvalue.ty.clone().volatile();
            lvalue = build::dereference(build::cast(whole.pointer(), build::address(lvalue)));
        }
        for step in &place.steps {
            lvalue = self.step(lvalue, step);
        }
        if place.bits().is_some() {
            return lvalue;
        }
        self.viewed_as(lvalue, self.c_type(place.ty), place.volatile)
    }

    /// True for a part of a structure that need not be aligned as its type is.
    fn is_packed(&self, place: &Place) -> bool {
        let alignment = |ty| self.program.types.get(ty).alignment;
        let owners = place.steps.iter().map(|step| step.ty);
        let whole = match &place.base {
            PlaceBase::Global(global) => Some(self.program.globals[*global].ty),
            PlaceBase::Local(local) => Some(self.function.locals[*local].ty),
            PlaceBase::Pointee(pointer) => self.program.types.element(pointer.ty),
        };
        owners.chain(whole).any(|owner| alignment(owner) < alignment(place.ty))
    }

    /// The lvalue of a place that is written to, even where C says that only its initial value may be.
    pub(super) fn target(&self, place: &Place) -> Expression {
        let lvalue = self.place(place);
        if !types::qualifiers(self.table(), &lvalue.ty).constant {
            return lvalue;
        }
        if place.bits().is_some() {
            return self.bits_of_writable(lvalue);
        }
        let ty = self.c_type(place.ty).clone();
        let ty = if place.volatile { ty.volatile() } else { ty };
        build::dereference(build::cast(ty.pointer(), build::address(lvalue)))
    }

    /// The same bit-field, which has no address, in a structure that is looked at without `const`.
    fn bits_of_writable(&self, lvalue: Expression) -> Expression {
        let ExpressionKind::Member(whole, name) = lvalue.kind else { return lvalue };
        let is_volatile = types::qualifiers(self.table(), &whole.ty).volatile;
        let plain = whole.ty.unqualified().clone();
        let target = if is_volatile { plain.volatile() } else { plain };
        let whole = build::dereference(build::cast(target.pointer(), build::address(*whole)));
        build::member(whole, name, lvalue.ty.unqualified().clone())
    }

    /// An lvalue looked at through the type that its accesses have.
    fn viewed_as(&self, lvalue: Expression, ty: &Type, volatile: bool) -> Expression {
        let is_volatile = types::qualifiers(self.table(), &lvalue.ty).volatile;
        if types::compatible(self.table(), &writable(&lvalue.ty), &writable(ty)) && (is_volatile || !volatile) {
            return lvalue;
        }
        let ty = if volatile { ty.clone().volatile() } else { ty.clone() };
        build::dereference(build::cast(ty.pointer(), build::address(lvalue)))
    }

    fn pointee(&self, pointer: &crate::Expression, place: &Place) -> Expression {
        let raised = self.value(pointer);
        let target = match place.steps.is_empty() {
            true => self.c_type(place.ty).clone(),
            false => match self.program.types.shape_of(pointer.ty) {
                Shape::Pointer(to) => self.c_type(*to).clone(),
                _ => Type::Void,
            },
        };
        let ty = decayed(&raised);
        let given = types::pointee(self.table(), &ty);
        let is_volatile = given.is_some_and(|given| types::qualifiers(self.table(), given).volatile);
        let volatile = place.volatile && place.steps.is_empty();
        let fits = given.is_some_and(|given| types::compatible(self.table(), given, &target));
        if !super::literal::is_null(&raised) && fits && (is_volatile || !volatile) {
            return self.pointed_at(raised);
        }
        let target = if volatile || is_volatile { target.volatile() } else { target };
        let inner = match raised.kind {
            ExpressionKind::Cast(inner) if types::pointee(self.table(), &decayed(&inner)).is_some() => *inner,
            kind => Expression { kind, ..raised },
        };
        build::dereference(build::cast(target.pointer(), inner))
    }

    fn step(&self, base: Expression, step: &Step) -> Expression {
        let outer = types::qualifiers(self.table(), &base.ty);
        match &step.kind {
            StepKind::Field { name, .. } => {
                let layout = self.layout(&base.ty);
                let declared = layout.and_then(|layout| find_field(self.table(), layout, name)).map(|field| field.ty);
                let ty = declared.unwrap_or_else(|| self.c_type(step.ty).clone());
                build::member(self.without_hidden(base, name), name.clone(), qualified(outer, ty))
            }
            StepKind::Index(index) => {
                let index = self.value(self.stripped(index));
                let index = match super::literal::value_of(&index) {
                    Some(value) if i32::try_from(value).is_ok() => build::integer(value),
                    _ => index,
                };
                let element = match types::resolve(self.table(), &base.ty) {
                    Type::Array(element, _) => element.as_ref().clone(),
                    _ => self.c_type(step.ty).clone(),
                };
                Expression { ty: qualified(outer, element), ..build::index(base, index) }
            }
        }
    }

    fn layout(&self, ty: &Type) -> Option<&cast::Layout> {
        match types::resolve(self.table(), ty) {
            Type::Tagged(_, tag) => self.table().records.get(tag),
            _ => None,
        }
    }

    /// System headers define names like `sa_handler` as macros for members of hidden ones, `__sigaction_handler.sa_handler`:
    /// the macro's name stands for both.
    fn without_hidden(&self, base: Expression, name: &str) -> Expression {
        match base.kind {
            ExpressionKind::Member(outer, hidden) if hidden.starts_with('_') && !name.starts_with('_') => {
                let is_systems = self.layout(&outer.ty).is_some_and(|layout| layout.declaration.header.is_some());
                if is_systems {
                    return self.without_hidden(*outer, name);
                }
                Expression { kind: ExpressionKind::Member(outer, hidden), ..base }
            }
            kind => Expression { kind, ..base },
        }
    }

    /// What a place holds; the type is the one that C's loading of the lvalue gives.
    pub(super) fn load(&self, place: &Place) -> Expression {
        let lvalue = self.place(place);
        match place.bits() {
            Some(bits) => self.bit_field(lvalue, bits),
            None => lvalue,
        }
    }

    /// Bit-fields that `int` holds are promoted to it; of wider ones compilers have two opinions.
    fn bit_field(&self, lvalue: Expression, bits: BitRange) -> Expression {
        let signed = self.scalar(&lvalue.ty).and_then(|scalar| types::integer(self.table(), scalar));
        let volatile = types::qualifiers(self.table(), &lvalue.ty).volatile;
        let ty = match signed {
            Some((_, signed)) if bits.width < 32 || (bits.width == 32 && signed) => Type::INT,
            Some(_) if bits.width == 32 => Type::Scalar(Scalar::UnsignedInt),
            _ => {
                let ty = lvalue.ty.unqualified().clone();
                return build::cast(ty, lvalue);
            }
        };
        Expression { ty: if volatile { ty.volatile() } else { ty }, ..lvalue }
    }

    /// `p[i]` for what `p + i` points to.
    fn pointed_at(&self, pointer: Expression) -> Expression {
        let pointee = |value: &Expression| types::pointee(self.table(), &decayed(value)).cloned();
        let ty = pointee(&pointer).unwrap_or(Type::Void);
        match pointer.kind {
            ExpressionKind::Binary(cast::BinaryOperator::Add, base, index) if pointee(&base).is_some() => {
                let base = Box::new(self.without_bounds(*base, &index));
                Expression { kind: ExpressionKind::Index(base, index), ty, span: None }
            }
            ExpressionKind::Unary(UnaryOperator::AddressOf, inner) => *inner,
            kind => Expression { ty, ..build::dereference(Expression { kind, ..pointer }) },
        }
    }

    /// Indices of an array have bounds, which compilers go by; what a pointer is moved by has none but the whole object's. So a
    /// pointer into an array that is a part of something is written as a pointer, unless the index is known to be inside.
    fn without_bounds(&self, base: Expression, index: &Expression) -> Expression {
        let Type::Array(element, length) = types::resolve(self.table(), &base.ty) else { return base };
        let length = length.as_deref().and_then(cast::array_length);
        let inside = super::literal::value_of(index)
            .zip(length)
            .is_some_and(|(index, length)| (0..i128::from(length)).contains(&index));
        let is_whole = matches!(base.kind, ExpressionKind::Name(_) | ExpressionKind::Literal { .. });
        let is_nested = matches!(types::resolve(self.table(), element), Type::Array(..));
        if inside || is_whole && !is_nested || crate::mutation::forgets("bounds") {
            return base;
        }
        build::cast(decayed(&base), base)
    }

    /// The address of a place as a pointer of type `ty`.
    pub(super) fn address(&self, place: &Place, ty: &Type) -> Expression {
        // Taking an address is no access: its volatility is the type's business.
        let lvalue = self.place(&Place { volatile: false, ..place.clone() });
        if let Type::Array(element, _) = types::resolve(self.table(), &lvalue.ty)
            && let Some(wanted) = types::pointee(self.table(), ty)
            && types::compatible(self.table(), element, wanted)
        {
            return self.fit_pointer(ty, lvalue);
        }
        self.fit_pointer(ty, build::address(lvalue))
    }
}

/// An array type without `const` on its elements.
fn writable(ty: &Type) -> Type {
    match ty {
        Type::Array(element, length) => match &**element {
            Type::Qualified(qualifiers, inner) => {
                let qualifiers = Qualifiers { constant: false, ..*qualifiers };
                let inner = writable(inner);
                let element = if qualifiers == Qualifiers::default() {
                    inner
                } else {
                    Type::Qualified(qualifiers, Box::new(inner))
                };
                Type::Array(Box::new(element), length.clone())
            }
            inner => Type::Array(Box::new(writable(inner)), length.clone()),
        },
        other => other.clone(),
    }
}

/// A part of a qualified object is qualified too.
fn qualified(outer: Qualifiers, ty: Type) -> Type {
    if outer.constant || outer.volatile {
        let outer = Qualifiers { constant: outer.constant, volatile: outer.volatile, ..Qualifiers::default() };
        return Type::Qualified(outer, Box::new(ty));
    }
    ty
}
