//! The types of AOI, all in one place.

use la_arena::Idx;
use source::Span;

/// Names a definition of an [`Aoi`].
pub type DefinitionId = Idx<Definition>;

/// Everything one input describes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aoi {
    /// Every named type and constant, in order of declaration.
    pub definitions: crate::Definitions,
    /// What the file holds, in its order; generated declarations keep it.
    pub items: Vec<Item>,
}

/// One thing at the top level of a file or a module.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a file has few items, and its interfaces are what matters")]
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
    /// The modules and interfaces around it, outermost first; none in languages without scopes.
    pub scope: Vec<String>,
    /// `IDL:Mail/Folder:1.0`, where the language has such names (CORBA 3.3 part 1, section 14.7.3).
    pub repository_id: Option<String>,
    pub kind: DefinitionKind,
    pub annotations: Vec<Annotation>,
    /// The name's place.
    pub span: Span,
    pub origin: Origin,
}

/// `@name(parameter = value)`: what a source says of a declaration beside the contract (OMG IDL 4.2 section 7.4.15).
#[derive(Clone, Debug, PartialEq)]
pub struct Annotation {
    pub name: String,
    /// Parameters by name; the only parameter may go without (`value`).
    pub parameters: Vec<(String, Value)>,
    pub span: Span,
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
    /// What an operation may answer instead of its results.
    Exception(Structure),
    /// The type of references to the objects of an interface, declared in full or not.
    Reference(ReferenceType),
    Value(ValueType),
    /// A value type around one type (`valuetype T long;`).
    ValueBox(Type),
    /// A type that each language mapping defines for itself.
    Native,
}

/// References to objects of an interface.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReferenceType {
    /// Objects never leave their process.
    pub is_local: bool,
    /// Values may stand in for objects.
    pub is_abstract: bool,
}

/// An object passed by value (CORBA 3.3 part 1, chapter 9).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueType {
    /// The value types that it inherits from.
    pub bases: Vec<DefinitionId>,
    /// The interfaces that it supports.
    pub supports: Vec<DefinitionId>,
    pub state: Vec<Field>,
    pub is_abstract: bool,
    pub is_custom: bool,
    pub is_truncatable: bool,
}

/// A named constant.
#[derive(Clone, Debug, PartialEq)]
pub struct Constant {
    pub value: Value,
    /// Where the language types its constants.
    pub ty: Option<Type>,
}

/// A number or a name that stands for one: bounds, lengths, labels, constants, identifiers of programs.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A literal, with its spelling (`0x10`, `017`, `-1`): presentations that show it keep the user's radix.
    Integer { value: i128, spelling: String },
    /// What a text holds, without quotes and escapes.
    Text(String),
    /// A constant of this file.
    Constant(DefinitionId),
    /// A member of an enumeration of this file.
    Member { enumeration: DefinitionId, member: usize },
    /// A member of an enumeration without a name of its own, nested in a type; `value` is known.
    NestedMember { name: String, value: i128 },
    /// `TRUE` or `FALSE`.
    Boolean(bool),
    /// A number with a fraction, in C's decimal spelling.
    Float(String),
    /// A decimal number of a fixed-point type, as written without its suffix: `-12.50`.
    Fixed(String),
    /// A code point, or a byte of a character that is not wide.
    Character { code: u32, is_wide: bool },
    /// What a text of wide characters holds.
    WideText(String),
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
    /// A character of the 8-bit, or of the wide, set that both sides agree on.
    Character {
        is_wide: bool,
    },
    /// Characters without NUL, at most `bound` bytes.
    Text {
        bound: Option<Value>,
    },
    /// Wide characters without NUL, at most `bound` of them.
    WideText {
        bound: Option<Value>,
    },
    /// A decimal number of so many digits, `scale` of them behind the point.
    Fixed {
        digits: u16,
        scale: i16,
    },
    /// A value together with its type.
    Any,
    /// A description of a type.
    TypeCode,
    /// A reference to an object of any interface. Those to an interface's own are `Named`.
    Object,
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
    /// One element, as if it stood here by itself, of a type that this is part of: only that a union may choose otherwise keeps
    /// values from having no end. Messages do not show it; what lies in memory needs a way around it.
    Recursive(Box<Type>),
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
    /// The modules around it, outermost first; none in languages without scopes.
    pub scope: Vec<String>,
    pub identity: Identity,
    /// The type of references to its objects, where the language has them.
    pub reference: Option<DefinitionId>,
    /// The interfaces that it inherits from, by the types of references to their objects.
    pub bases: Vec<DefinitionId>,
    /// Its own, without the inherited ones; an attribute is one operation, or two.
    pub operations: Vec<Operation>,
    pub annotations: Vec<Annotation>,
    pub span: Span,
    pub origin: Origin,
}

/// What the source language says of an interface's identity on the network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identity {
    pub onc: Option<OncIdentity>,
    /// The repository id: `IDL:Mail/Folder:1.0`.
    pub corba: Option<String>,
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
    /// The number that selects it (ONC: the procedure's). Where the language has none: counted from 1, inherited
    /// operations first.
    pub code: Value,
    pub role: Role,
    /// The caller does not wait, and learns nothing.
    pub is_oneway: bool,
    pub parameters: Vec<Parameter>,
    pub result: Type,
    /// The exceptions that it may answer.
    pub raises: Vec<DefinitionId>,
    /// Names of the caller's environment that travel with a call (`context`).
    pub contexts: Vec<String>,
    pub annotations: Vec<Annotation>,
    pub span: Span,
}

/// What an operation is in the source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    #[default]
    Plain,
    /// Reads the attribute of its name.
    Getter,
    /// Writes the attribute of its name: one parameter, no result.
    Setter,
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
