//! Imported C: translation units linked as one program, with what the target says of its types.
//!
//! Names are made unique by the front end, so that a type's name or tag means the same everywhere in a program: where
//! two scopes or units declare different types of one name, the later ones are called `name@2`, `name@3`, and types
//! without a tag `@4`. Printing drops what follows the `@`.

use std::collections::BTreeMap;

use source::Span;

use crate::{File, RecordKind, Scalar, Type};

/// Several translation units, and the types they share.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    pub units: Vec<Unit>,
    pub types: TypeTable,
}

/// One translation unit. Declarations of types stand in it as text, in their place; what they mean is in the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    /// The file that was compiled, as the command named it.
    pub path: String,
    pub file: File,
}

/// What every type name and tag of a program means.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeTable {
    pub typedefs: BTreeMap<String, Typedef>,
    /// Structures and unions by tag.
    pub records: BTreeMap<String, Layout>,
    /// Enumerations by tag.
    pub enumerations: BTreeMap<String, EnumerationLayout>,
    pub target: Target,
}

/// `typedef`: another name for a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Typedef {
    pub ty: Type,
    pub declaration: TypeDeclaration,
}

/// Where and how a type is declared, so that C which uses it can repeat the declaration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeDeclaration {
    /// The declaration as the source spells it, semicolon included.
    pub text: String,
    /// The system header that the outermost `#include` of the unit names, where the declaration comes from one.
    pub header: Option<String>,
    /// The function it is declared in; none at file level.
    pub function: Option<String>,
    pub span: Option<Span>,
    /// Position among all declarations of the program; types are repeated in this order.
    pub order: u32,
}

/// A structure or union as the target lays it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    pub kind: RecordKind,
    /// In bytes; none while the record is incomplete.
    pub size: Option<u64>,
    /// In bytes.
    pub alignment: u64,
    pub fields: Vec<FieldLayout>,
    pub declaration: TypeDeclaration,
}

/// A member and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// None for an anonymous structure or union, whose members are the outer record's too, and for padding bits.
    pub name: Option<String>,
    pub ty: Type,
    /// From the start of the record, in bits.
    pub offset: u64,
    /// The width of a bit-field.
    pub bits: Option<u32>,
}

/// An enumeration and the integer type that stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumerationLayout {
    pub scalar: Scalar,
    pub members: Vec<(String, i128)>,
    pub declaration: TypeDeclaration,
}

/// What the machine says of C's own types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub little_endian: bool,
    /// Of a pointer, in bytes.
    pub pointer: u8,
    /// Of `long`, in bytes.
    pub long: u8,
    pub char_signed: bool,
}

impl Default for Target {
    /// x86-64 under Linux.
    fn default() -> Self {
        Target { little_endian: true, pointer: 8, long: 8, char_signed: true }
    }
}
