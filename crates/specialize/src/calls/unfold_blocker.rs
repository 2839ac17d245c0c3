//! What keeps a function from being unfolded: it is called as it stands, with all it may touch in memory.

use core_c::{Callee, Function, Program, StatementKind};

use crate::library::effects::Effects;

/// Why the specializer cannot go into a function, if it cannot.
pub(crate) fn unfold_blocker(program: &Program, function: &Function, effects: &Effects) -> Option<String> {
    if let Some(reason) = &function.refused {
        return Some(reason.clone());
    }
    if function.blocks.is_empty() {
        return Some("the program does not define it".to_string());
    }
    let mut statements = function.blocks.iter().flat_map(|(_, block)| &block.statements);
    statements.find_map(|statement| match &statement.kind {
        StatementKind::Assembly { .. } => Some("it has assembly".to_string()),
        StatementKind::Begin { size: Some(_), .. } => Some("it has an array whose length is computed".to_string()),
        StatementKind::Call { callee: Callee::Function(callee), .. } => {
            let name = &program.functions[*callee].name;
            let reason = match name.trim_start_matches("__builtin_") {
                name if effects.returns_twice(name) => "returns more than once",
                "alloca" | "return_address" | "frame_address" => "needs the function's own frame",
                _ => return None,
            };
            Some(format!("it calls `{name}`, which {reason}"))
        }
        _ => None,
    })
}

/// Why a function cannot be a root, beside what keeps it from being unfolded: nobody knows its variable arguments.
pub(crate) fn unfold_blocker_at_root(program: &Program, function: &Function) -> Option<String> {
    let mut statements = function.blocks.iter().flat_map(|(_, block)| &block.statements);
    let begins = statements.any(|statement| match &statement.kind {
        StatementKind::Call { callee: Callee::Function(callee), .. } => {
            program.functions[*callee].name == "__builtin_va_start"
        }
        _ => false,
    });
    begins.then(|| "it calls `__builtin_va_start`, which needs the function's own frame".to_owned())
}
