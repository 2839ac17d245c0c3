//! What C makes of types when operators and assignments meet them (C11 section 6.3).

use cast::{Expression, ExpressionKind, Qualifiers, Scalar, TagKind, Type, TypeTable};

/// A type without typedef names and outer qualifiers.
pub(super) fn resolve<'a>(table: &'a TypeTable, ty: &'a Type) -> &'a Type {
    let mut ty = ty.unqualified();
    // A typedef that names itself is no C; the bound keeps wrong tables from hanging us.
    for _ in 0..100 {
        match ty {
            Type::Named(name) => match table.typedefs.get(name) {
                Some(typedef) => ty = typedef.ty.unqualified(),
                None => break,
            },
            _ => break,
        }
    }
    ty
}

/// The qualifiers on a type, those of its typedefs and array elements included.
pub(super) fn qualifiers(table: &TypeTable, ty: &Type) -> Qualifiers {
    match ty {
        Type::Qualified(outer, inner) => {
            let inner = qualifiers(table, inner);
            Qualifiers {
                constant: outer.constant || inner.constant,
                volatile: outer.volatile || inner.volatile,
                restrict: outer.restrict || inner.restrict,
                atomic: outer.atomic || inner.atomic,
            }
        }
        Type::Named(name) => match table.typedefs.get(name) {
            Some(typedef) => qualifiers(table, &typedef.ty),
            None => Qualifiers::default(),
        },
        Type::Array(element, _) => qualifiers(table, element),
        _ => Qualifiers::default(),
    }
}

/// The arithmetic type that a type is, enumerations as their integers.
pub(super) fn scalar(table: &TypeTable, ty: &Type) -> Option<Scalar> {
    match resolve(table, ty) {
        Type::Scalar(scalar) => Some(*scalar),
        Type::Tagged(TagKind::Enum, tag) => {
            Some(table.enumerations.get(tag).map_or(Scalar::UnsignedInt, |found| found.scalar))
        }
        _ => None,
    }
}

/// What a pointer points to.
pub(super) fn pointee<'a>(table: &'a TypeTable, ty: &'a Type) -> Option<&'a Type> {
    match resolve(table, ty) {
        Type::Pointer(to) => Some(to),
        _ => None,
    }
}

/// Integers as the target has them: width in bits, and whether there is a sign.
pub(super) fn integer(table: &TypeTable, scalar: Scalar) -> Option<(u32, bool)> {
    let long = u32::from(table.target.long) * 8;
    Some(match scalar {
        Scalar::Bool => (1, false),
        Scalar::Char => (8, table.target.char_signed),
        Scalar::SignedChar => (8, true),
        Scalar::UnsignedChar => (8, false),
        Scalar::Short => (16, true),
        Scalar::UnsignedShort => (16, false),
        Scalar::Int => (32, true),
        Scalar::UnsignedInt => (32, false),
        Scalar::Long => (long, true),
        Scalar::UnsignedLong => (long, false),
        Scalar::LongLong => (64, true),
        Scalar::UnsignedLongLong => (64, false),
        Scalar::Int128 => (128, true),
        Scalar::UnsignedInt128 => (128, false),
        Scalar::Float | Scalar::Double | Scalar::LongDouble | Scalar::Float128 => return None,
    })
}

/// True where both have the same values and compute alike.
pub(super) fn same_values(table: &TypeTable, left: Scalar, right: Scalar) -> bool {
    left == right || (integer(table, left).is_some() && integer(table, left) == integer(table, right))
}

/// True where `wide` holds all values of `narrow`.
pub(super) fn holds_all(table: &TypeTable, wide: Scalar, narrow: Scalar) -> bool {
    match (integer(table, wide), integer(table, narrow)) {
        (Some(wide), Some(narrow)) if wide.1 == narrow.1 => wide.0 >= narrow.0,
        (Some(wide), Some(narrow)) => wide.1 && wide.0 > narrow.0,
        (None, None) => float_rank(wide) >= float_rank(narrow),
        _ => false,
    }
}

fn float_rank(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Float => 1,
        Scalar::Double => 2,
        Scalar::LongDouble => 3,
        Scalar::Float128 => 4,
        _ => 0,
    }
}

/// The integer promotions (C11 section 6.3.1.1).
pub(super) fn promoted(table: &TypeTable, scalar: Scalar) -> Scalar {
    match integer(table, scalar) {
        Some((bits, _)) if bits < 32 => Scalar::Int,
        _ => scalar,
    }
}

/// The usual arithmetic conversions (C11 section 6.3.1.8).
pub(super) fn usual(table: &TypeTable, left: Scalar, right: Scalar) -> Scalar {
    if float_rank(left).max(float_rank(right)) > 0 {
        return if float_rank(left) >= float_rank(right) { left } else { right };
    }
    let (left, right) = (promoted(table, left), promoted(table, right));
    if integer_rank(left) == integer_rank(right) {
        return if is_signed(table, left) { right } else { left };
    }
    let (high, low) = if integer_rank(left) > integer_rank(right) { (left, right) } else { (right, left) };
    if is_signed(table, high) && !is_signed(table, low) && !holds_all(table, high, low) {
        return unsigned_of(high);
    }
    high
}

fn is_signed(table: &TypeTable, scalar: Scalar) -> bool {
    integer(table, scalar).is_some_and(|(_, signed)| signed)
}

fn integer_rank(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::Int | Scalar::UnsignedInt => 1,
        Scalar::Long | Scalar::UnsignedLong => 2,
        Scalar::LongLong | Scalar::UnsignedLongLong => 3,
        Scalar::Int128 | Scalar::UnsignedInt128 => 4,
        _ => 0,
    }
}

fn unsigned_of(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::Int => Scalar::UnsignedInt,
        Scalar::Long => Scalar::UnsignedLong,
        Scalar::LongLong => Scalar::UnsignedLongLong,
        Scalar::Int128 => Scalar::UnsignedInt128,
        other => other,
    }
}

/// True where both are one type to C, outer qualifiers aside (C11 section 6.2.7).
pub(super) fn compatible(table: &TypeTable, left: &Type, right: &Type) -> bool {
    let (left, right) = (resolve(table, left), resolve(table, right));
    match (left, right) {
        (Type::Pointer(left), Type::Pointer(right)) => compatible_pointees(table, left, right),
        (Type::Array(left, first), Type::Array(right, second)) => {
            let lengths = first.as_deref().and_then(length).zip(second.as_deref().and_then(length));
            // An array of constants is a constant array, to which C makes no pointers of other types.
            lengths.is_none_or(|(first, second)| first == second) && compatible(table, left, right)
        }
        (Type::Function(left), Type::Function(right)) => {
            let known = !left.unprototyped && !right.unprototyped;
            let alike = left.variadic == right.variadic
                && left.parameters.len() == right.parameters.len()
                && left.parameters.iter().zip(&right.parameters).all(|(l, r)| compatible(table, &l.ty, &r.ty));
            compatible(table, &left.result, &right.result) && (!known || alike)
        }
        (Type::Tagged(TagKind::Enum, one), Type::Tagged(TagKind::Enum, other)) => one == other,
        (Type::Tagged(TagKind::Enum, _), Type::Scalar(_)) | (Type::Scalar(_), Type::Tagged(TagKind::Enum, _)) => {
            scalar(table, left) == scalar(table, right)
        }
        _ => left == right,
    }
}

fn compatible_pointees(table: &TypeTable, left: &Type, right: &Type) -> bool {
    qualifiers(table, left) == qualifiers(table, right) && compatible(table, left, right)
}

fn length(length: &Expression) -> Option<i128> {
    match &length.kind {
        ExpressionKind::Integer(text) => text.trim_end_matches(['u', 'U', 'l', 'L']).parse().ok(),
        ExpressionKind::Known { value, .. } => Some(*value),
        _ => None,
    }
}

/// True where C converts in silence when a value of type `from` is assigned to an object of type `to`.
pub(super) fn assignable(table: &TypeTable, to: &Type, from: &Type) -> bool {
    if scalar(table, to).is_some() {
        return scalar(table, from).is_some()
            || (scalar(table, to) == Some(Scalar::Bool) && pointee(table, from).is_some());
    }
    let (Some(to), Some(from)) = (pointee(table, to), pointee(table, from)) else {
        return compatible(table, to, from);
    };
    let (wanted, given) = (qualifiers(table, to), qualifiers(table, from));
    let keeps = (wanted.constant || !given.constant) && (wanted.volatile || !given.volatile);
    let is_void = |ty: &Type| *resolve(table, ty) == Type::Void;
    let is_function = |ty: &Type| matches!(resolve(table, ty), Type::Function(_));
    let alike = compatible(table, to, from) || (is_void(to) || is_void(from)) && !is_function(to) && !is_function(from);
    keeps && alike
}

/// True for structures with members that may not be assigned to.
pub(super) fn has_constant_parts(table: &TypeTable, ty: &Type) -> bool {
    match resolve(table, ty) {
        Type::Array(element, _) => has_constant_parts(table, element),
        Type::Tagged(_, tag) => table.records.get(tag).is_some_and(|layout| {
            layout
                .fields
                .iter()
                .any(|field| qualifiers(table, &field.ty).constant || has_constant_parts(table, &field.ty))
        }),
        _ => false,
    }
}
