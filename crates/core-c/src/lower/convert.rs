//! Conversions between scalars (C11 section 6.3), made only where they change the value or the type that C sees.

use cast::{Qualifiers, Scalar, Type};

use super::body::Body;
use super::{Lowered, ctype, refuse};
use crate::{Expression, ExpressionKind, Shape, TypeId, Types};

impl Body<'_, '_> {
    /// The value as a value of another scalar type.
    pub(super) fn convert(&mut self, value: Expression, to: TypeId) -> Lowered<Expression> {
        if self.is_same(value.ty, to) {
            return Ok(value);
        }
        let types = &self.context.program.types;
        if !types.is_scalar(value.ty) || !types.is_scalar(to) {
            let spelled = |ty| cast::print_type(&types.get(ty).c);
            return refuse(format!("a conversion from `{}` to `{}`", spelled(value.ty), spelled(to)));
        }
        if let ExpressionKind::Integer(known) = value.kind
            && let Some(known) = super::constant::wrap(types, known, to)
        {
            return Ok(Expression { kind: ExpressionKind::Integer(known), ty: to, span: value.span });
        }
        let span = value.span;
        // A pointer keeps its value from pointer type to pointer type.
        let is_pointer = |ty| matches!(types.shape_of(ty), Shape::Pointer(_));
        let value = match value.kind {
            ExpressionKind::Convert(inner) if is_pointer(to) && is_pointer(value.ty) && is_pointer(inner.ty) => *inner,
            kind => Expression { kind, ..value },
        };
        if self.is_same(value.ty, to) {
            return Ok(value);
        }
        Ok(Expression { kind: ExpressionKind::Convert(Box::new(value)), ty: to, span })
    }

    /// True where a value of one type is as it stands a value of the other.
    fn is_same(&self, from: TypeId, to: TypeId) -> bool {
        let types = &self.context.program.types;
        if from == to {
            return true;
        }
        match (types.shape_of(from), types.shape_of(to)) {
            (Shape::Pointer(a), Shape::Pointer(b)) => {
                let alike = a == b || ctype::is_alike(&types.table, &types.get(*a).c, &types.get(*b).c);
                alike && keeps_qualifiers(types, from, to)
            }
            (a, b) => a == b,
        }
    }

    /// The type in which two arithmetic operands meet (C11 section 6.3.1.8).
    pub(super) fn common_type(&mut self, a: TypeId, b: TypeId) -> TypeId {
        let (a, b) = (self.promoted(a), self.promoted(b));
        let types = &self.context.program.types;
        match (types.shape_of(a).clone(), types.shape_of(b).clone()) {
            (Shape::Float { bits: left }, Shape::Float { bits: right }) => pick(left >= right, a, b),
            (Shape::Float { .. }, _) => a,
            (_, Shape::Float { .. }) => b,
            (Shape::Integer { bits: left, signed: true, .. }, Shape::Integer { bits: right, signed: false, .. }) => {
                pick(left > right, a, b)
            }
            (Shape::Integer { bits: left, signed: false, .. }, Shape::Integer { bits: right, signed: true, .. }) => {
                pick(left >= right, a, b)
            }
            (Shape::Integer { bits: left, .. }, Shape::Integer { bits: right, .. }) if left == right => {
                pick(rank(types, a) >= rank(types, b), a, b)
            }
            (Shape::Integer { bits: left, .. }, Shape::Integer { bits: right, .. }) => pick(left > right, a, b),
            _ => a,
        }
    }

    /// The type of an operand after the integer promotions (C11 section 6.3.1.1).
    pub(super) fn promoted(&mut self, ty: TypeId) -> TypeId {
        match self.types().shape_of(ty) {
            Shape::Integer { bits, .. } if *bits < 32 => self.types_mut().int(),
            _ => ty,
        }
    }

    /// The type of a bit-field's value after the promotions: `int` where that holds all its values.
    pub(super) fn promoted_bits(&mut self, ty: TypeId, width: u32) -> TypeId {
        match self.types().shape_of(ty) {
            Shape::Integer { signed, .. } if width < 32 || (width == 32 && *signed) => self.types_mut().int(),
            Shape::Integer { signed: false, .. } if width == 32 => self.types_mut().scalar(Scalar::UnsignedInt),
            _ => ty,
        }
    }

    /// The type that an argument without a parameter is passed as (C11 section 6.5.2.2).
    pub(super) fn argument_type(&mut self, ty: TypeId) -> TypeId {
        match self.types().shape_of(ty) {
            Shape::Float { bits: 32 } => self.types_mut().scalar(Scalar::Double),
            _ => self.promoted(ty),
        }
    }

    /// The type of a pointer to what `ty`, an array's C type, consists of, qualifiers kept.
    pub(super) fn decayed(&mut self, ty: &Type) -> TypeId {
        let table = &self.types().table;
        let element = ctype::element(table, ty).cloned().unwrap_or_default();
        // An element of a constant array is constant (C11 section 6.7.3).
        let qualifiers = ctype::qualifiers(table, ty);
        let element = match qualifiers == ctype::qualifiers(table, &element) {
            true => element,
            false => Type::Qualified(qualifiers, Box::new(element.unqualified().clone())),
        };
        self.ty(&element.pointer())
    }
}

fn pick(first: bool, a: TypeId, b: TypeId) -> TypeId {
    if first { a } else { b }
}

/// `long` and `long long` may have one size and are still two types.
fn rank(types: &Types, ty: TypeId) -> u32 {
    match ctype::resolve(&types.table, &types.get(ty).c) {
        Type::Scalar(Scalar::LongLong | Scalar::UnsignedLongLong) => 2,
        Type::Scalar(Scalar::Long | Scalar::UnsignedLong) => 1,
        _ => 0,
    }
}

/// True where converting the pointer needs no cast in C: what it points to loses no qualifier, and stays as volatile
/// as it was.
fn keeps_qualifiers(types: &Types, from: TypeId, to: TypeId) -> bool {
    let pointee = |ty| match ctype::element(&types.table, &types.get(ty).c) {
        Some(pointee) => ctype::qualifiers(&types.table, pointee),
        None => Qualifiers::default(),
    };
    let (from, to) = (pointee(from), pointee(to));
    from.volatile == to.volatile && from.atomic == to.atomic && (to.constant || !from.constant)
}
