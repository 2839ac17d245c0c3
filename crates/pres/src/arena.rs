//! Arguments that servers decode into an arena each.

use cast::Type;
use sexpr::{Cursor, Sexpr};

use crate::NodeId;

/// A value and the arena that all it points to lives in: `struct T_in_arena { T value; void *arena; ROOM first; }`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaArgument {
    /// The structure's name: `pair_in_arena`.
    pub name: String,
    /// The routine that decodes into it and, with `XDR_FREE`, releases the arena: `xdr_pair_in_arena`.
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
