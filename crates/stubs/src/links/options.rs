//! What shapes the stubs of every link: the same choices, whatever carries the messages.

use cast::{Declaration, Expression};

use crate::plan::Plan;

/// The byte order of messages that are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SentOrder {
    /// That of the machine which the C is compiled for.
    #[default]
    Host,
    Big,
    Little,
}

impl SentOrder {
    /// Macros that are defined before the run time's headers are included; nothing for the host's.
    pub(super) fn definition(self) -> Option<(&'static str, &'static str)> {
        let order = match self {
            SentOrder::Host => return None,
            SentOrder::Big => "__ORDER_BIG_ENDIAN__",
            SentOrder::Little => "__ORDER_LITTLE_ENDIAN__",
        };
        Some(("WHITTLE_BYTE_ORDER", order))
    }
}

/// The user's choices.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
    /// Of messages that are sent, where the encoding has a choice.
    pub byte_order: SentOrder,
}

impl Options {
    /// What the marshalling headers take from the file that includes them.
    pub(super) fn definitions(&self) -> impl Iterator<Item = Declaration> {
        let depth = self.max_depth.map(|depth| ("WHITTLE_MAX_DEPTH", cast::build::unsigned(u64::from(depth))));
        let order = self.byte_order.definition().map(|(name, order)| (name, cast::build::name(order, cast::Type::INT)));
        let define = |(name, value): (&str, Expression)| {
            Declaration::Define(cast::Definition { name: name.to_string(), value: Some(value) })
        };
        depth.into_iter().chain(order).map(define)
    }
}

/// Sees the plan as lowered (`lower`) and after each pass, by the pass's name.
pub type After<'a> = &'a mut dyn FnMut(&str, &Plan);
