//! Types: a descriptor, a shape in C, and who translates and releases values.

use crate::TypeName;
use source::Span;

/// How wide the words of the machine are: what pointers take, and what everything in a message is aligned to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    Bits32,
    Bits64,
}

impl Word {
    /// Bytes of a word.
    pub fn bytes(self) -> u64 {
        match self {
            Word::Bits32 => 4,
            Word::Bits64 => 8,
        }
    }

    /// Bits of a right to a port that stands in the message itself: as many as the kernel's pointer has.
    pub fn right_bits(self) -> u32 {
        match self {
            Word::Bits32 => 32,
            Word::Bits64 => 64,
        }
    }

    /// Bytes up to the next word.
    pub fn aligned(self, bytes: u64) -> u64 {
        bytes.next_multiple_of(self.bytes())
    }
}

/// What a value is in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number, a right, a structure: passed as it is.
    Value,
    /// An array of C, passed by the address of its first element.
    Array,
    /// Characters that end with a zero.
    Text,
}

/// How many elements there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    Fixed,
    /// Up to so many, counted in [`Type::element`]s.
    AtMost(u64),
    /// Any number; so many find room in the message.
    Any(u64),
}

/// Who releases data that does not stand in the message itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deallocate {
    /// The sender keeps it.
    No,
    /// It leaves the sender with the message.
    Yes,
    /// The caller says it, with each value.
    Asked,
}

/// A function that translates a value: `intran: task_t convert_port_to_task(mach_port_t)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Translation {
    pub result: String,
    pub function: String,
    /// Absent where the description does not say it.
    pub argument: Option<String>,
}

/// The C types of a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CTypes {
    /// In the user's functions and messages.
    pub user: String,
    /// In the server's messages.
    pub server: String,
    /// In the server's functions.
    pub translated: String,
}

/// How a definition composes a value. A descriptor tells only units of so many bits; who writes values otherwise goes by this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Form {
    /// What the descriptor says.
    Unit,
    /// A type that the file defines: its place among [`crate::Subsystem::definitions`].
    Named(usize),
    /// So many elements, or as many as there are in a value: [`Type::length`] bounds them.
    Elements {
        of: Box<Type>,
        count: Option<u64>,
    },
    Structure(Vec<Member>),
}

/// A member of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub name: String,
    pub at: Span,
    pub ty: Type,
}

/// A type under the name that the file gives to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub at: Span,
    pub ty: Type,
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    pub sent: TypeName,
    pub received: TypeName,
    /// Bits of one unit, as the descriptor says it.
    pub bits: u32,
    /// Units: of the whole value, or of one element where the length varies.
    pub units: u64,
    pub shape: Shape,
    pub length: Length,
    /// Whether it stands in the message itself.
    pub is_inline: bool,
    pub deallocate: Deallocate,
    /// In bytes, as C aligns it.
    pub alignment: u64,
    /// The C types of an element, where the length varies, or of what a pointer leads to.
    pub element: CTypes,
    pub c: CTypes,
    pub intran: Option<Translation>,
    pub outtran: Option<Translation>,
    /// Of the request's port, where it is a payload.
    pub payload: Option<Translation>,
    pub destructor: Option<Translation>,
    pub form: Form,
}

impl Type {
    /// Whether this says the same of messages and of C; how the definition composes it is left aside.
    pub fn is_presented_as(&self, other: &Type) -> bool {
        let without = |ty: &Type| Type { form: Form::Unit, ..ty.clone() };
        without(self) == without(other)
    }

    /// Bytes of the whole value, or of one element where the length varies.
    pub fn bytes(&self) -> u64 {
        (self.units * u64::from(self.bits)).div_ceil(8)
    }

    /// Bytes that the value takes in a message at most; with what fills it up to a word.
    pub fn room(&self, word: Word) -> u64 {
        if !self.is_inline {
            return word.bytes();
        }
        let elements = match self.length {
            Length::Fixed => 1,
            Length::AtMost(most) | Length::Any(most) => most,
        };
        word.aligned((self.bytes() * elements).max(if self.is_any() { word.bytes() } else { 0 }))
    }

    /// The name under which it leaves. The kernel's server has rights already as what they arrive as.
    pub fn leaves_as(&self, is_from_kernel_server: bool) -> TypeName {
        if is_from_kernel_server && self.is_right() { self.received } else { self.sent }
    }

    pub fn is_variable(&self) -> bool {
        self.length != Length::Fixed
    }

    /// Whether it goes out of the message where it is long.
    pub fn is_any(&self) -> bool {
        self.is_inline && matches!(self.length, Length::Any(_))
    }

    /// Whether what follows it in a message stands where its length says.
    pub fn moves_what_follows(&self) -> bool {
        self.is_inline && self.is_variable()
    }

    /// Whether the C of it is an array or text in the message: passed by address, whatever the direction.
    pub fn is_passed_by_address(&self) -> bool {
        self.is_inline && self.shape != Shape::Value && !self.is_any()
    }

    /// Whether values are rights to ports.
    pub fn is_right(&self) -> bool {
        self.sent.may_be_right() && self.received.may_be_right()
    }

    /// Whether the descriptor needs its long form: its counts are too large for the short one, or nobody knows them.
    pub fn is_long(&self) -> bool {
        let most = match self.length {
            Length::Fixed => self.units,
            Length::AtMost(most) => self.units.saturating_mul(most),
            Length::Any(_) => return true,
        };
        self.bits > 255 || most > 4095 || (!self.is_inline && self.is_variable())
    }
}
