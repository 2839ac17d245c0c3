//! When two types are one: typedefs seen through, qualifiers left aside.

use cast::{Type, TypeTable, array_length};

/// Whether two types are one but for their qualifiers, and for how much is said of arrays and functions.
pub(crate) fn same(types: &TypeTable, one: &Type, other: &Type) -> bool {
    match (types.resolve(one), types.resolve(other)) {
        (Type::Pointer(one), Type::Pointer(other)) => same(types, one, other),
        (Type::Array(one, one_length), Type::Array(other, other_length)) => {
            let lengths = [one_length, other_length].map(|length| length.as_deref().and_then(array_length));
            (lengths.contains(&None) || lengths[0] == lengths[1]) && same(types, one, other)
        }
        (Type::Function(one), Type::Function(other)) => same(types, &one.result, &other.result),
        (one, other) => one == other,
    }
}

/// Whether two types are equal but for lengths of arrays that only one of them says: libclang does not say variable ones.
pub(crate) fn alike(one: &Type, other: &Type) -> bool {
    match (one, other) {
        (Type::Pointer(one), Type::Pointer(other)) => alike(one, other),
        (Type::Array(one, one_length), Type::Array(other, other_length)) => {
            (one_length.is_none() || other_length.is_none() || one_length == other_length) && alike(one, other)
        }
        (Type::Qualified(one_qualifiers, one), Type::Qualified(other_qualifiers, other)) => {
            one_qualifiers == other_qualifiers && alike(one, other)
        }
        (one, other) => one == other,
    }
}
