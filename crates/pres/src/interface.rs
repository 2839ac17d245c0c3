//! The stubs of one interface, as far as a link needs them: identity and operations.

use cast::{Expression, Type};
use sexpr::{Cursor, Sexpr};

use crate::NodeId;

/// How a style passes arguments and results; the same for all operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conventions {
    /// Arguments are passed by value, each as a parameter of its own; else one pointer to the only argument.
    pub by_value: bool,
    /// The caller supplies the room for results and a status is returned; else a static result's address is.
    pub caller_results: bool,
    /// Declarations say what functions take; without, as before ANSI C, they only say what functions return.
    pub prototypes: bool,
}

impl Default for Conventions {
    fn default() -> Self {
        Conventions { by_value: false, caller_results: false, prototypes: true }
    }
}

/// One version of one program, with the names that the style gives to its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterfaceStubs {
    pub program_name: String,
    /// The program's number, as C writes it.
    pub program: Expression,
    pub version_name: String,
    pub version: Expression,
    /// The version as names carry it: `1` in `list_1`.
    pub version_suffix: String,
    /// The dispatch routine: `directory_1`.
    pub dispatch: String,
    pub operations: Vec<OperationStub>,
}

/// One operation as the client calls it and the server implements it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationStub {
    /// The procedure's name as declared; also the macro that holds its number.
    pub name: String,
    /// The procedure's number as the stubs write it: the macro, or the number where the macro is ambiguous.
    pub code: Expression,
    /// The number, where known before the C compiler runs.
    pub number: Option<i128>,
    /// `list_1`.
    pub client: String,
    /// `list_1_svc`.
    pub server: String,
    /// The arguments in order; empty for `void`.
    pub arguments: Vec<StubValue>,
    /// What travels to the server: the only argument, or a structure of all of them, each a member under its own
    /// name; `None` for `void`.
    pub request: Option<StubValue>,
    /// `None` for `void`.
    pub result: Option<StubValue>,
}

/// An argument or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StubValue {
    /// `arg1` and so on.
    pub name: String,
    pub ty: Type,
    /// True where the type is a C array.
    pub is_array: bool,
    /// What a pointer to the value is passed as: `pair *`; `int *` for an array of `int`.
    pub pointer: Type,
    /// The routine that marshals it: `xdr_int`, `xdr_wrapstring`, `xdr_direntseq`.
    pub routine: String,
    pub node: NodeId,
    /// With a server arena, the structure that holds the value and its arena while a call lasts.
    pub arena: Option<ArenaArgument>,
}

/// A value and the arena that all it points to lives in: `struct T_in_arena { T value; void *arena; ROOM first; }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaArgument {
    /// The structure's name: `pair_in_arena`.
    pub name: String,
    /// The routine that decodes into it and, with `XDR_FREE`, lets go of the arena: `xdr_pair_in_arena`.
    pub routine: String,
    /// The type of the member `value`.
    pub ty: Type,
    pub node: NodeId,
    pub members: ArenaMembers,
}

/// What a structure with an arena calls its members: not as the user's macros and types are called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaMembers {
    /// The argument; to be zeroed before decoding.
    pub value: String,
    /// The arena's blocks; to be zeroed before decoding.
    pub arena: String,
    /// Where the arena begins.
    pub first: String,
}

impl Default for ArenaMembers {
    fn default() -> Self {
        ArenaMembers { value: "value".to_string(), arena: "arena".to_string(), first: "first".to_string() }
    }
}

impl ArenaMembers {
    /// `(members VALUE ARENA FIRST)`; nothing where they have their usual names.
    pub fn write(&self) -> Option<Sexpr> {
        let names = [&self.value, &self.arena, &self.first];
        (*self != ArenaMembers::default()).then(|| sexpr::node("members", names.map(sexpr::atom)))
    }

    /// Reads what [`ArenaMembers::write`] writes, if it is next.
    pub fn read(parts: &mut Cursor) -> Option<ArenaMembers> {
        let Some(mut names) = parts.list("members") else { return Some(ArenaMembers::default()) };
        let mut name = || names.atom().map(str::to_string);
        Some(ArenaMembers { value: name()?, arena: name()?, first: name()? })
    }
}
