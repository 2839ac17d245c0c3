//! The link `giop-tcp`: requests and replies of GIOP over TCP, carried by the ORB that stands beside what is generated.
//!
//! In: PRES_C whose interfaces are objects ([`pres::ObjectInterface`]). Out: `b-common.c` (type codes, what lets go of
//! values), `b-stubs.c` (the client's functions), `b-skels.c` (a function for each operation of a servant, and the
//! dispatch). Headers of messages, connections and object references are the ORB's (`runtime/corba/orb/giop.h`).
//! Source: CORBA 3.3 part 2, chapter 9; Flick (PLDI'97) section 3.3 (dispatch by words).

mod client;
mod common;
mod demux;
mod marshalling;
pub mod plain;
pub mod runtime;
mod server;
mod words;

use cast::{Declaration, File};
use pres::PresC;

use crate::plan::Plan;

pub use client::client_file;
pub use common::common_file;
pub use server::server_file;

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
    /// What the runtime's headers are told before they are included; nothing for the host's.
    fn definition(self) -> Option<(&'static str, &'static str)> {
        let order = match self {
            SentOrder::Host => return None,
            SentOrder::Big => "__ORDER_BIG_ENDIAN__",
            SentOrder::Little => "__ORDER_LITTLE_ENDIAN__",
        };
        Some(("WHITTLE_BYTE_ORDER", order))
    }
}

/// What shapes the stubs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
    pub byte_order: SentOrder,
}

/// Sees the plan as lowered (`lower`) and after each pass, by the pass's name.
pub type After<'a> = &'a mut dyn FnMut(&str, &Plan);

/// A file that begins as all do.
fn file(pres: &PresC, options: &Options, system: &[&'static str], rest: Vec<Declaration>) -> File {
    let mut declarations = super::net::checked(pres.prologue.clone());
    let own = declarations.iter().position(|d| matches!(d, Declaration::Include(_))).unwrap_or(declarations.len());
    let includes = system.iter().map(|path| Declaration::system_include(path));
    // The marshalling headers take these from here.
    let depth = options.max_depth.map(|depth| ("WHITTLE_MAX_DEPTH", cast::build::unsigned(u64::from(depth))));
    let order = options.byte_order.definition().map(|(name, order)| (name, cast::build::name(order, cast::Type::INT)));
    let definitions = depth
        .into_iter()
        .chain(order)
        .map(|(name, value)| Declaration::Define(cast::Definition { name: name.to_string(), value: Some(value) }));
    declarations.splice(own..own, definitions.chain(includes).collect::<Vec<_>>());
    declarations.extend(rest);
    while declarations.last() == Some(&Declaration::Blank) {
        declarations.pop();
    }
    File { declarations }
}
