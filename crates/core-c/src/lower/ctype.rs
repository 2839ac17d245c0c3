//! Questions about C types whose answer may stand behind typedef names.

use cast::{Qualifiers, Type, TypeTable};

/// The type behind typedef names and outermost qualifiers.
pub(super) fn resolve<'a>(table: &'a TypeTable, ty: &'a Type) -> &'a Type {
    match ty {
        Type::Qualified(_, inner) => resolve(table, inner),
        Type::Named(name) => match table.typedefs.get(name) {
            Some(typedef) => resolve(table, &typedef.ty),
            None => ty,
        },
        other => other,
    }
}

/// The qualifiers of an object of this type; an array has its elements' (C11 section 6.7.3).
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
        Type::Named(name) => table.typedefs.get(name).map_or_else(Qualifiers::default, |typedef| {
            // A typedef of itself (`typedef struct s s`) goes through a tag, so this ends.
            qualifiers(table, &typedef.ty)
        }),
        Type::Array(element, _) => qualifiers(table, element),
        _ => Qualifiers::default(),
    }
}

/// What a pointer points to or an array consists of, qualifiers kept.
pub(super) fn element<'a>(table: &'a TypeTable, ty: &'a Type) -> Option<&'a Type> {
    match resolve(table, ty) {
        Type::Pointer(element) | Type::Array(element, _) => Some(element),
        _ => None,
    }
}

/// True for two spellings of one type: typedef names are looked through, below pointers, too.
pub(super) fn is_alike(table: &TypeTable, a: &Type, b: &Type) -> bool {
    match (resolve(table, a), resolve(table, b)) {
        (Type::Pointer(a), Type::Pointer(b)) => qualifiers(table, a) == qualifiers(table, b) && is_alike(table, a, b),
        (a, b) => a == b,
    }
}
