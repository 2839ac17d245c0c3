//! The names of types in descriptors (`msgt_name`), as `mach/message.h` has them.

/// A name that the language knows: what it is on the sender's side, on the receiver's, and how many bits an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: &'static str,
    pub sent: TypeName,
    pub received: TypeName,
    /// 0 where the description has to say it.
    pub bits: u32,
}

/// What stands in a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeName {
    /// A macro of `mach/message.h`, and its value.
    Known(&'static str, u32),
    /// A number that the description gives.
    Number(u32),
    /// The caller says it, with each value.
    Polymorphic,
}

impl TypeName {
    /// Whether it is a right to a port, which makes the message complex.
    pub fn is_right(self) -> bool {
        self.value().is_some_and(|value| (16..=21).contains(&value))
    }

    /// Whether it is a right, or may turn out to be one.
    pub fn may_be_right(self) -> bool {
        self == TypeName::Polymorphic || self.is_right()
    }

    /// The number, where it is known before a message is made.
    pub fn value(self) -> Option<u32> {
        match self {
            TypeName::Known(_, value) | TypeName::Number(value) => Some(value),
            TypeName::Polymorphic => None,
        }
    }
}

const RECEIVE: TypeName = TypeName::Known("MACH_MSG_TYPE_PORT_RECEIVE", 16);
const SEND: TypeName = TypeName::Known("MACH_MSG_TYPE_PORT_SEND", 17);
const SEND_ONCE: TypeName = TypeName::Known("MACH_MSG_TYPE_PORT_SEND_ONCE", 18);

/// Data: the same on both sides.
const fn data(name: &'static str, value: u32, bits: u32) -> Symbol {
    let known = TypeName::Known(name, value);
    Symbol { name, sent: known, received: known, bits }
}

/// A right that is made of one that the sender holds; what arrives is another.
const fn right(name: &'static str, value: u32, received: TypeName) -> Symbol {
    Symbol { name, sent: TypeName::Known(name, value), received, bits: RIGHT }
}

/// A right that arrives, however the sender made it.
const fn arriving(name: &'static str, received: TypeName) -> Symbol {
    Symbol { name, sent: TypeName::Polymorphic, received, bits: RIGHT }
}

/// Bits of a right in a message; on machines of 64 bits there is room for a kernel's pointer, see `Word::right_bits`.
const RIGHT: u32 = 32;

const SYMBOLS: [Symbol; 29] = [
    data("MACH_MSG_TYPE_UNSTRUCTURED", 0, 0),
    data("MACH_MSG_TYPE_BIT", 0, 1),
    data("MACH_MSG_TYPE_BOOLEAN", 0, 32),
    data("MACH_MSG_TYPE_INTEGER_8", 9, 8),
    data("MACH_MSG_TYPE_INTEGER_16", 1, 16),
    data("MACH_MSG_TYPE_INTEGER_32", 2, 32),
    data("MACH_MSG_TYPE_INTEGER_64", 11, 64),
    data("MACH_MSG_TYPE_CHAR", 8, 8),
    data("MACH_MSG_TYPE_BYTE", 9, 8),
    data("MACH_MSG_TYPE_REAL", 10, 0),
    data("MACH_MSG_TYPE_REAL_32", 10, 32),
    data("MACH_MSG_TYPE_REAL_64", 10, 64),
    data("MACH_MSG_TYPE_STRING", 12, 0),
    data("MACH_MSG_TYPE_STRING_C", 12, 0),
    data("MACH_MSG_TYPE_PORT_NAME", 15, 32),
    right("MACH_MSG_TYPE_MOVE_RECEIVE", 16, RECEIVE),
    right("MACH_MSG_TYPE_MOVE_SEND", 17, SEND),
    right("MACH_MSG_TYPE_MOVE_SEND_ONCE", 18, SEND_ONCE),
    right("MACH_MSG_TYPE_COPY_SEND", 19, SEND),
    right("MACH_MSG_TYPE_MAKE_SEND", 20, SEND),
    right("MACH_MSG_TYPE_MAKE_SEND_ONCE", 21, SEND_ONCE),
    arriving("MACH_MSG_TYPE_PORT_RECEIVE", RECEIVE),
    arriving("MACH_MSG_TYPE_PORT_SEND", SEND),
    arriving("MACH_MSG_TYPE_PORT_SEND_ONCE", SEND_ONCE),
    Symbol {
        name: "MACH_MSG_TYPE_POLYMORPHIC",
        sent: TypeName::Polymorphic,
        received: TypeName::Polymorphic,
        bits: RIGHT,
    },
    Symbol { name: "polymorphic", sent: TypeName::Polymorphic, received: TypeName::Polymorphic, bits: RIGHT },
    // Mach 2.5's names, which descriptions of that time use.
    arriving("MSG_TYPE_PORT", SEND),
    data("MSG_TYPE_INTEGER_32", 2, 32),
    data("MSG_TYPE_CHAR", 8, 8),
];

/// The symbol of this name; `polymorphic` in any case of letters.
pub fn symbol(name: &str) -> Option<&'static Symbol> {
    SYMBOLS.iter().find(|symbol| {
        symbol.name == name || (symbol.name == "polymorphic" && name.eq_ignore_ascii_case("polymorphic"))
    })
}

impl Symbol {
    /// Whether it is text that ends with a zero.
    pub fn is_text(&self) -> bool {
        self.received.value() == Some(12)
    }

    /// Every name, for whoever looks for a misspelled one.
    pub fn all() -> impl Iterator<Item = &'static str> {
        SYMBOLS.iter().map(|symbol| symbol.name)
    }
}
