//! The links `onc-tcp` and `onc-udp`: calls of ONC RPC without a library. Stubs marshal straight into the message, behind a
//! header that is a constant but for its number.
//!
//! In: PRES_C of the plain style ([`pres::ObjectInterface`] with numbers). Out: `b_types.c` (what lets go of values),
//! `b_client.c` (the client's functions), `b_server.c` (a function for each procedure, and the dispatch), and the run time
//! that carries messages (`runtime/onc`), over whichever transport an address names. Source: RFC 5531; Flick (PLDI'97)
//! section 3.

mod client;
mod marshalling;
pub mod runtime;
mod server;
mod types;

use cast::{Declaration, Expression, File, Type, build};
use pres::PresC;

use crate::plan::Plan;

pub use client::client_file;
pub use server::server_file;
pub use types::types_file;

/// What shapes the stubs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
}

/// Sees the plan as lowered (`lower`) and after each pass, by the pass's name.
pub type After<'a> = &'a mut dyn FnMut(&str, &Plan);

/// A file that begins as all do.
fn file(pres: &PresC, options: &Options, rest: Vec<Declaration>) -> File {
    let mut declarations = super::net::checked(pres.prologue.clone());
    let own = declarations.iter().position(|d| matches!(d, Declaration::Include(_))).unwrap_or(declarations.len());
    let string = Declaration::system_include("string.h");
    // The marshalling headers take it from here.
    let depth = options.max_depth.map(|depth| {
        let value = Some(build::unsigned(u64::from(depth)));
        Declaration::Define(cast::Definition { name: "WHITTLE_MAX_DEPTH".to_string(), value })
    });
    declarations.splice(own..own, depth.into_iter().chain([string]).collect::<Vec<_>>());
    declarations.extend(rest);
    while declarations.last() == Some(&Declaration::Blank) {
        declarations.pop();
    }
    File { declarations }
}

/// A pointer to `const char`.
fn bytes() -> Type {
    Type::CHAR.constant().pointer()
}

/// `0x20000001u, 1u`: what a call or a program is known by.
fn numbers(object: &pres::ObjectInterface) -> [Expression; 2] {
    let prefix = object.name.to_ascii_uppercase();
    ["PROGRAM", "VERSION"].map(|what| build::name(format!("{prefix}_{what}"), Type::named("uint32_t")))
}

/// A number of 32 bits.
fn word(number: u32) -> Expression {
    build::unsigned(u64::from(number))
}

/// `at == NULL ? NULL : function(arguments)`.
fn unless_null(at: Expression, routine: &str, arguments: Vec<Expression>) -> Expression {
    let ty = at.ty.clone();
    build::conditional(build::equal(at, build::null()), build::null(), build::call(routine, arguments, ty))
}
