//! The names of routines and of their variables in C.

use std::collections::BTreeSet;

use crate::plan::{Direction, RoutineId};

/// The C function of a routine: `encode_direntry`, `release_direntry__name` for a part of a type.
pub(super) fn function_name(id: &RoutineId) -> String {
    let verb = match id.direction {
        Direction::Encode => "encode",
        Direction::Decode => "decode",
        Direction::Release => "release",
    };
    format!("{verb}_{}", id.name.replace('.', "__"))
}

/// A variable's name, changed where the user's header gives it another meaning.
pub(super) fn variable(name: &str, reserved: &BTreeSet<String>) -> String {
    let mut name = name.to_string();
    while reserved.contains(&name) || is_keyword(&name) {
        name.push('_');
    }
    name
}

/// Words of C and C++ that a member's name cannot be, but a name made of it may.
fn is_keyword(name: &str) -> bool {
    matches!(name, "auto" | "break" | "case" | "char" | "const" | "default" | "do" | "double" | "else" | "enum")
        || matches!(name, "extern" | "float" | "for" | "goto" | "if" | "inline" | "int" | "long" | "register")
        || matches!(name, "return" | "short" | "signed" | "sizeof" | "static" | "struct" | "switch" | "typedef")
}
