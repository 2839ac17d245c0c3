//! How arguments are passed, and what messages are marshalled from and into. In: a value's passing class and its way.
//! Out: the type of the parameter, and the member of each structure that it has a part in. Source: OMG, C Language
//! Mapping (formal/99-07-35), section 1.21 (the table of argument and result passing).
//!
//! | | in | inout | out | result |
//! |---|---|---|---|---|
//! | number, enumeration, object | `T` | `T *` | `T *` | `T` |
//! | string | `const CORBA_char *` | `CORBA_char **` | `CORBA_char **` | `CORBA_char *` |
//! | structure, union: fixed | `const T *` | `T *` | `T *` | `T` |
//! | structure, union, sequence, any: variable | `const T *` | `T *` | `T **` | `T *` |
//! | array: fixed | `const T_slice *` | `T_slice *` | `T_slice *` | `T_slice *` |
//! | array: variable | `const T_slice *` | `T_slice *` | `T_slice **` | `T_slice *` |

use cast::Type as C;
use pres::{Passing, Storage, Way};

use crate::objects::Message;

/// The type of a parameter, or of what is returned; `slice` is an array's.
pub(super) fn passed(passing: Passing, way: Way, ty: &C, slice: &C) -> C {
    use Passing::{FixedArray, FixedRecord, Text, Value, VariableArray, VariableRecord};
    match (passing, way) {
        (Value, Way::In | Way::Result) | (FixedRecord, Way::Result) => ty.clone(),
        (Text, Way::In) => constant_text(ty),
        (Text, Way::Result) => ty.clone(),
        (FixedRecord | VariableRecord, Way::In) => ty.clone().constant().pointer(),
        (VariableRecord, Way::Out) => ty.clone().pointer().pointer(),
        (Value | Text, _) | (FixedRecord | VariableRecord, _) => ty.clone().pointer(),
        (FixedArray | VariableArray, Way::In) => slice.clone().constant().pointer(),
        (VariableArray, Way::Out) => slice.clone().pointer().pointer(),
        (FixedArray | VariableArray, _) => slice.clone().pointer(),
    }
}

fn constant_text(ty: &C) -> C {
    match ty.element() {
        Some(character) => character.clone().constant().pointer(),
        None => ty.clone(),
    }
}

/// How a structure for messages has a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// By value.
    Value,
    /// By a pointer to it.
    Pointer(Storage),
}

/// The part that a value has in a message; `None` where it does not travel there. One that `may_raise` has exceptions in place of results.
pub(super) fn part(passing: Passing, way: Way, message: Message, may_raise: bool) -> Option<Part> {
    let simple = matches!(passing, Passing::Value | Passing::Text);
    let managed = Part::Pointer(Storage::Managed);
    let callers = Part::Pointer(Storage::Caller);
    message.has(way).then_some(match (message, way, passing) {
        (Message::ClientRequest, ..) if simple => Part::Value,
        (Message::ClientRequest, ..) => callers,
        (Message::ServerRequest, ..) => Part::Value,
        (Message::ClientReply, ..) if simple => Part::Value,
        (Message::ClientReply, Way::Result, Passing::FixedRecord) => Part::Value,
        (Message::ClientReply, Way::Out | Way::InOut, Passing::FixedRecord | Passing::FixedArray) if may_raise => {
            Part::Value
        }
        // What has no storage of its own is read into the caller's.
        (Message::ClientReply, Way::Out | Way::InOut, Passing::FixedRecord | Passing::FixedArray) => callers,
        // What the caller has is kept until the reply is known to be good.
        (Message::ClientReply, Way::InOut, _) => Part::Value,
        (Message::ClientReply, ..) => managed,
        // The request's structure holds it.
        (Message::ServerReply, Way::InOut, _) => callers,
        (Message::ServerReply, ..) if simple => Part::Value,
        (Message::ServerReply, _, Passing::FixedRecord) => Part::Value,
        (Message::ServerReply, Way::Out, Passing::FixedArray) => Part::Value,
        (Message::ServerReply, ..) => managed,
    })
}
