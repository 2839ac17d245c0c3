//! The types of AOI, all in one place.

use la_arena::{Arena, Idx};
use source::Span;

/// Names a definition of an [`Aoi`].
pub type DefinitionId = Idx<Definition>;

/// Everything one input describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aoi {
    /// Every named type and constant, in order of declaration.
    pub definitions: Arena<Definition>,
    /// What the file holds, in its order; generated declarations keep it.
    pub items: Vec<Item>,
}

/// One thing at the top level of a file or a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Definition(DefinitionId),
    Interface(Interface),
    Module(Module),
    Verbatim(Verbatim),
}

/// A named scope (`namespace` in `.x`).
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    pub name: String,
    pub items: Vec<Item>,
    pub span: Span,
}

/// A line the user wants in the output as it stands (`%` lines of ONC), at its place among the declarations.
#[derive(Clone, Debug, PartialEq)]
pub struct Verbatim {
    /// Without the `%` and without the line end.
    pub text: String,
    pub span: Span,
    pub origin: Origin,
}

/// Which file a declaration stands in.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Origin {
    /// The file the user named.
    #[default]
    Main,
    /// A file it includes, by the name of the line marker.
    Included(String),
}

/// A named type or constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Definition {
    pub name: String,
    pub kind: DefinitionKind,
    /// The name's place.
    pub span: Span,
    pub origin: Origin,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum DefinitionKind {
    Constant(Constant),
    Structure(Structure),
    Union(Union),
    Enumeration(Enumeration),
    /// Another name for a type (`typedef`).
    Alias(Type),
}

/// A named constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub value: Value,
}

/// A number or a name that stands for one: bounds, lengths, labels, constants, identifiers of programs.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A literal, with its spelling (`0x10`, `017`, `-1`): presentations that show it keep the user's radix.
    Integer { value: i128, spelling: String },
    /// A literal that is no integer, passed on as it stands (some files write `const X = "text"`).
    Text(String),
    /// A constant of this file.
    Constant(DefinitionId),
    /// A member of an enumeration of this file.
    Member { enumeration: DefinitionId, member: usize },
    /// A member of an enumeration without a name of its own, nested in a type; `value` is known.
    NestedMember { name: String, value: i128 },
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A name that only a C header defines; symbolic through every stage.
    External(String),
}

/// A type.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    Void,
    /// A whole number of 8, 16, 32 or 64 bits. `spelling` is how the source names it (`long`, `u_int`, `hyper`):
    /// a hint to presentations whose C types follow the source's words; it takes no part in the contract.
    Integer {
        bits: u8,
        signed: bool,
        spelling: String,
    },
    /// IEEE 754, of 32, 64 or 128 bits.
    Float {
        bits: u8,
    },
    Boolean,
    /// Characters without NUL, at most `bound` bytes.
    Text {
        bound: Option<Value>,
    },
    /// Exactly `length` uninterpreted bytes.
    FixedOpaque {
        length: Value,
    },
    /// At most `bound` uninterpreted bytes.
    Opaque {
        bound: Option<Value>,
    },
    /// Exactly `length` elements.
    Array {
        element: Box<Type>,
        length: Value,
    },
    /// At most `bound` elements.
    Sequence {
        element: Box<Type>,
        bound: Option<Value>,
    },
    /// Nothing or one element; the way recursion is written in ONC.
    Optional(Box<Type>),
    Structure(Structure),
    Union(Union),
    Enumeration(Enumeration),
    /// A type of this file.
    Named(DefinitionId),
    /// A type that the user supplies, with its marshalling routine.
    External(String),
}

/// Fields in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Structure {
    pub fields: Vec<Field>,
}

/// A named part of a structure, or the body of a union's case.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

/// One of several bodies, selected by a discriminant.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    /// The discriminant's name and type: an integer, a boolean or an enumeration, perhaps through names.
    pub discriminant: Box<Field>,
    pub cases: Vec<UnionCase>,
    /// The body of all other values; `None` when other values are errors.
    pub default: Option<Box<UnionCase>>,
    /// Where `default` stood among the cases, counted from 0: C output keeps the order.
    pub default_position: usize,
}

/// A body and the labels that select it.
#[derive(Clone, Debug, PartialEq)]
pub struct UnionCase {
    /// Empty for the default.
    pub labels: Vec<Value>,
    /// `None` for `void`.
    pub body: Option<Field>,
    pub span: Span,
}

/// Named numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Enumeration {
    pub members: Vec<EnumerationMember>,
}

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumerationMember {
    pub name: String,
    /// What the source says; `None` for one more than the member before.
    pub explicit: Option<Value>,
    /// The number, where no external name hides it.
    pub value: Option<i128>,
    pub span: Span,
}

/// A set of operations that one server offers: a version of an ONC program.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// The interface's own name; for ONC, the version's.
    pub name: String,
    pub identity: Identity,
    pub operations: Vec<Operation>,
    pub span: Span,
    pub origin: Origin,
}

/// What the source language says of an interface's identity on the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    pub onc: Option<OncIdentity>,
}

/// Program and version (RFC 5531 section 8). Versions of one program follow each other in the file.
#[derive(Clone, Debug, PartialEq)]
pub struct OncIdentity {
    pub program_name: String,
    pub program: Value,
    pub version: Value,
}

/// Something a client can ask for.
#[derive(Clone, Debug, PartialEq)]
pub struct Operation {
    pub name: String,
    /// The number that selects it (ONC: the procedure's).
    pub code: Value,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    pub span: Span,
}

/// One argument. ONC arguments have no names in most files.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: Option<String>,
    pub direction: Direction,
    pub ty: Type,
    pub span: Span,
}

/// Which way an argument travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    In,
    Out,
    InOut,
}
