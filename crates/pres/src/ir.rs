//! PRES nodes and the stubs of types.

use std::collections::BTreeMap;

use cast::{Declaration, Expression, Type};
use la_arena::{Arena, Idx};
use mint::Mint;
use source::Span;

/// Names a node.
pub type NodeId = Idx<Node>;
/// Names a type that has a marshalling routine of its own.
pub type TypeStubId = Idx<TypeStub>;

/// The programmer's contract: declarations, messages, and the nodes that tie them.
#[derive(Clone, Debug, Default)]
pub struct PresC {
    pub mint: Mint,
    pub nodes: Arena<Node>,
    /// Types with a routine each, in the order in which the header declares them.
    pub types: Arena<TypeStub>,
    pub interfaces: Vec<crate::Interface>,
    /// The header, guard and all.
    pub header: Vec<Declaration>,
    /// What every C file begins with: its own header, the user's verbatim lines.
    pub prologue: Vec<Declaration>,
    /// The same lines among the types, for the file of their routines.
    pub lines: Lines,
    /// What both sides share, in a file of its own: descriptions of types.
    pub common: Vec<Declaration>,
    /// How the stubs of all operations pass arguments and results, in rpcgen's style.
    pub conventions: crate::Conventions,
    /// True where a number that no member of its enumeration has is an error; else it passes through.
    pub strict_enumerations: bool,
    /// The function that releases storage that the context of the message manages; empty where the style has no such storage.
    pub managed_release: String,
    /// Arguments that servers decode into an arena each; the structures are in the header, the routines are wanted.
    pub arenas: Vec<crate::ArenaArgument>,
    /// The types of which single values travel, without an operation around them: packets of flows.
    pub packets: Vec<Packet>,
    /// The numbers that the description gives to members (`@id`), by type and in order; for encodings whose fields have numbers.
    pub field_numbers: BTreeMap<String, Vec<Option<u32>>>,
    /// The least and the greatest number that a member may hold (`range`), likewise.
    pub ranges: BTreeMap<String, Vec<Option<(i128, i128)>>>,
    /// How protobuf has the whole numbers of members (`@protobuf`), likewise.
    pub number_forms: BTreeMap<String, Vec<Option<NumberForm>>>,
    /// Where types stand in the description, by name; not part of the text form.
    pub places: BTreeMap<String, Place>,
}

/// Where a type stands, for findings that come late.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    pub of: Span,
    pub members: BTreeMap<String, Span>,
}

/// The form of a whole number where that is not the usual one (protobuf.dev, "Encoding").
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberForm {
    /// Small numbers below zero are short, too: `sint32`, `sint64`.
    Zigzag { bits: u8 },
    /// As many bytes for each number: `fixed32`, `fixed64`, `sfixed32`, `sfixed64`.
    Fixed { bits: u8, signed: bool },
}

impl NumberForm {
    pub const ALL: [NumberForm; 6] = [
        NumberForm::Zigzag { bits: 32 },
        NumberForm::Zigzag { bits: 64 },
        NumberForm::Fixed { bits: 32, signed: false },
        NumberForm::Fixed { bits: 64, signed: false },
        NumberForm::Fixed { bits: 32, signed: true },
        NumberForm::Fixed { bits: 64, signed: true },
    ];

    /// What protobuf calls it, and descriptions.
    pub fn word(self) -> String {
        match self {
            NumberForm::Zigzag { bits } => format!("sint{bits}"),
            NumberForm::Fixed { bits, signed: false } => format!("fixed{bits}"),
            NumberForm::Fixed { bits, signed: true } => format!("sfixed{bits}"),
        }
    }

    pub fn named(word: &str) -> Option<NumberForm> {
        NumberForm::ALL.into_iter().find(|form| form.word() == word)
    }
}

/// The user's verbatim lines, each before the type that it stands before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    pub before: BTreeMap<String, Vec<String>>,
    /// Behind the last type.
    pub last: Vec<String>,
    /// Types that may be left out, or whose routines may be replaced, by number of the branch of `#if … #else … #endif` that they
    /// stand in; those of one branch are there together. Other types call their routines as users do.
    pub branches: BTreeMap<String, usize>,
}

/// A named type and its marshalling routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeStub {
    /// The type's name in the interface language.
    pub name: String,
    /// The routine's name: `xdr_direntry`.
    pub routine: String,
    /// The C type that the routine marshals.
    pub ty: Type,
    /// True where the type is a C array, so that the routine's parameter is the array itself, not a pointer to it.
    pub is_array: bool,
    pub node: NodeId,
    /// True for a type of an included file: its routine is written where that file's stubs are.
    pub imported: bool,
}

/// A type of which single values travel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// The type's name in the interface language.
    pub name: String,
    pub stub: TypeStubId,
    /// What both sides must agree on, in a form that is the same for all that agree: fields, types, units, bounds.
    pub schema: String,
}

impl PresC {
    /// Where the member stands, or else the type; `None` where PRES was read back.
    pub fn place(&self, of: &str, member: &str) -> Option<Span> {
        let place = self.places.get(of)?;
        Some(place.members.get(member).copied().unwrap_or(place.of))
    }

    /// The bound of an array or a text, where it is a number.
    pub fn most(&self, node: NodeId) -> Option<u64> {
        match &self.mint.nodes[self.nodes[node].mint].node {
            mint::Node::Array { most: mint::Bound::Number(most), .. } => u64::try_from(*most).ok(),
            _ => None,
        }
    }
}

/// How one MINT node and one C value correspond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    pub pres: Pres,
    /// The C type of the value.
    pub ty: Type,
    pub mint: mint::NodeId,
}

/// The kinds of correspondence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pres {
    /// No C value.
    Void,
    /// One C scalar for one number of the message.
    Direct(ScalarKind),
    /// Members of a C structure, in the message's order.
    Structure(Vec<Member>),
    /// A discriminant and a C union.
    Union {
        discriminant: Member,
        /// The member that holds the C union: `result_u`.
        body: String,
        body_type: Type,
        arms: Vec<Arm>,
        default: DefaultArm,
    },
    /// A C array inside its parent.
    FixedArray { element: NodeId, length: Extent },
    /// A C array of bytes inside its parent.
    FixedBytes { length: Extent },
    /// A structure of a count and a pointer.
    CountedArray {
        length: String,
        data: String,
        element: NodeId,
        bound: Option<Extent>,
        storage: Storage,
        sequence: Option<SequenceMembers>,
    },
    /// A structure of a count and a pointer to bytes, or to the characters of a text, which may hold zeros and end with none.
    CountedBytes {
        length: String,
        data: String,
        bound: Option<Extent>,
        storage: Storage,
        sequence: Option<SequenceMembers>,
    },
    /// A C array inside its parent, as long as the bound, of which a member of the parent, which comes before it in the
    /// message, says how many elements there are. Without a bound that member can say no more than there is room for.
    InlineArray { count: String, element: NodeId, bound: Option<Extent> },
    /// The same of bytes.
    InlineBytes { count: String, bound: Option<Extent> },
    /// A C array of `char` inside its parent, one longer than the bound: bytes that end with NUL.
    InlineText { bound: Extent },
    /// A pointer to bytes that end with NUL.
    TerminatedText { bound: Option<Extent>, storage: Storage },
    /// A pointer that is NULL where the message has nothing.
    OptionalPointer { target: NodeId, storage: Storage },
    /// A pointer to a value that is always in the message; NULL is at fault. The caller's storage is decoded into where it is.
    Reference { target: NodeId, storage: Storage },
    /// A type with a routine of its own.
    Named(TypeStubId),
    /// A type whose routine the user, or the library, supplies: `bool_t routine(XDR *, T *)` under XDR; what it is called
    /// elsewhere the encoding says. `arguments` are constants that it takes beside the value.
    External { routine: String, arguments: Vec<u64> },
}

/// What a sequence of CORBA's C mapping has beside its length and its buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SequenceMembers {
    /// How many items the buffer has room for.
    pub maximum: String,
    /// Whether the buffer is released with the sequence.
    pub release: String,
}

/// The C side of a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarKind {
    /// An integer type of exactly `bits` bits on every host.
    Integer { bits: u8, signed: bool },
    /// `long`: 32 bits in the message, 32 or 64 in C.
    Long { signed: bool },
    /// `float`, `double`.
    Float { bits: u8 },
    /// 16 bytes in the message's order: `quadruple`, which no C library computes with.
    Quadruple,
    /// An `int`, or a `bool`, that decodes to 0 or 1.
    Boolean,
    /// A C enumeration, `int` in size; `strict`: its own numbers alone.
    Enumeration { strict: bool },
}

/// A member of a C structure and what it corresponds to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub node: NodeId,
}

/// A body of a union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arm {
    pub labels: Vec<Label>,
    /// `None` where the body is void.
    pub member: Option<Member>,
}

/// A number that selects: an arm of a union, a program, an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The number, where known before the C compiler runs.
    pub value: Option<i128>,
    /// How C writes it: an enumerator's name, a number.
    pub c: Expression,
}

/// What other values of the discriminant mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefaultArm {
    /// They are errors.
    Error,
    /// They select this body; void without a member.
    Body(Option<Member>),
}

/// A length or a bound: known, or only to the C compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extent {
    pub value: Option<u64>,
    /// How C writes it: `MAXNAMELEN`, `30`.
    pub c: Expression,
}

/// Who owns storage that decoding fills, and for how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// The heap; released by the type's free routine, member by member.
    Heap,
    /// One arena per message; released at once.
    Arena,
    /// The caller's; must be there before.
    Caller,
    /// Inside the message buffer, as long as it lives.
    Buffer,
    /// What the context of the message allocates; freeing it frees all that hangs on it, too.
    Managed,
}
