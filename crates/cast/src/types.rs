//! C types (C11 section 6.2.5).

use crate::{Expression, Parameter, Record};

/// A C type, as a value: two equal types compare equal.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Type {
    #[default]
    Void,
    Scalar(Scalar),
    /// A typedef's name: `u_int`, `bool_t`, a user's type.
    Named(String),
    /// `struct tag`, `union tag`, `enum tag`.
    Tagged(TagKind, String),
    /// A structure or union without a tag, defined where it is used.
    Anonymous(Box<Record>),
    Pointer(Box<Type>),
    /// `None`: an incomplete or flexible array.
    Array(Box<Type>, Option<Box<Expression>>),
    Function(Box<FunctionType>),
    Qualified(Qualifiers, Box<Type>),
    /// A type of imported C that the tree does not model (vectors, complex numbers, `__builtin_va_list`): its
    /// values are moved, never looked into.
    Opaque(OpaqueType),
}

/// The spelling of a type, and what storage it takes, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpaqueType {
    pub spelling: String,
    pub size: u64,
    pub alignment: u64,
}

/// C's own arithmetic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    /// GNU C's `__int128`.
    Int128,
    UnsignedInt128,
    Float,
    Double,
    LongDouble,
    /// GNU C's `__float128`, C's `_Float128`.
    Float128,
}

impl Scalar {
    /// The C spelling.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "_Bool",
            Scalar::Char => "char",
            Scalar::SignedChar => "signed char",
            Scalar::UnsignedChar => "unsigned char",
            Scalar::Short => "short",
            Scalar::UnsignedShort => "unsigned short",
            Scalar::Int => "int",
            Scalar::UnsignedInt => "unsigned int",
            Scalar::Long => "long",
            Scalar::UnsignedLong => "unsigned long",
            Scalar::LongLong => "long long",
            Scalar::UnsignedLongLong => "unsigned long long",
            Scalar::Int128 => "__int128",
            Scalar::UnsignedInt128 => "unsigned __int128",
            Scalar::Float => "float",
            Scalar::Double => "double",
            Scalar::LongDouble => "long double",
            Scalar::Float128 => "__float128",
        }
    }
}

/// The name space a tag lives in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagKind {
    Struct,
    Union,
    Enum,
}

/// `const`, `volatile`, `restrict` and `_Atomic`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Qualifiers {
    pub constant: bool,
    pub volatile: bool,
    pub restrict: bool,
    pub atomic: bool,
}

impl Qualifiers {
    /// Those of both.
    #[must_use]
    pub fn and(self, other: Qualifiers) -> Qualifiers {
        Qualifiers {
            constant: self.constant || other.constant,
            volatile: self.volatile || other.volatile,
            restrict: self.restrict || other.restrict,
            atomic: self.atomic || other.atomic,
        }
    }
}

/// A function's signature without its name.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct FunctionType {
    pub result: Type,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    /// `int f()`, of before C23: nothing is said of the parameters, and arguments are promoted.
    pub unprototyped: bool,
}

/// A member of a structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub ty: Type,
}

impl Type {
    pub const INT: Type = Type::Scalar(Scalar::Int);
    pub const CHAR: Type = Type::Scalar(Scalar::Char);
    pub const LONG: Type = Type::Scalar(Scalar::Long);

    /// A typedef's name as a type.
    pub fn named(name: impl Into<String>) -> Type {
        Type::Named(name.into())
    }

    /// `struct tag`.
    pub fn structure(tag: impl Into<String>) -> Type {
        Type::Tagged(TagKind::Struct, tag.into())
    }

    /// A pointer to this type.
    #[must_use]
    pub fn pointer(self) -> Type {
        Type::Pointer(Box::new(self))
    }

    /// The type of an object that may be assigned to: not itself constant, whatever it points to.
    pub fn assignable(self) -> Type {
        match self {
            Type::Qualified(qualifiers, to) if qualifiers.constant => {
                let rest = Qualifiers { constant: false, ..qualifiers };
                if rest == Qualifiers::default() { *to } else { Type::Qualified(rest, to) }
            }
            other => other,
        }
    }

    /// This type, `const`.
    #[must_use]
    pub fn constant(self) -> Type {
        Type::Qualified(Qualifiers { constant: true, ..Qualifiers::default() }, Box::new(self))
    }

    /// This type, `volatile`.
    #[must_use]
    pub fn volatile(self) -> Type {
        Type::Qualified(Qualifiers { volatile: true, ..Qualifiers::default() }, Box::new(self))
    }

    /// This type, `restrict`.
    #[must_use]
    pub fn restrict(self) -> Type {
        Type::Qualified(Qualifiers { restrict: true, ..Qualifiers::default() }, Box::new(self))
    }

    /// An array of `length` elements of this type.
    #[must_use]
    pub fn array(self, length: Expression) -> Type {
        Type::Array(Box::new(self), Some(Box::new(length)))
    }

    /// The type without its outermost qualifiers.
    pub fn unqualified(&self) -> &Type {
        match self {
            Type::Qualified(_, inner) => inner.unqualified(),
            other => other,
        }
    }

    /// What a value of this type points to or consists of, after the decay of arrays (C11 section 6.3.2.1).
    pub fn element(&self) -> Option<&Type> {
        match self.unqualified() {
            Type::Pointer(element) | Type::Array(element, _) => Some(element),
            _ => None,
        }
    }
}
