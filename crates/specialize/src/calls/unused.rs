//! Calls that nobody needs: the function changes nothing, and its result is decided already.

use std::collections::BTreeSet;

use core_c::{Callee, Function, LocalId, Program, Receiver, Statement, StatementKind};

use crate::engine::mentions;
use crate::library::COMPUTED;
use crate::library::effects::Effects;

/// The function without such calls.
pub(crate) fn remove(program: &Program, effects: &Effects, function: &mut Function) {
    let mut read: BTreeSet<LocalId> = BTreeSet::new();
    for block in function.blocks.values() {
        for statement in &block.statements {
            statement.kind.expressions().into_iter().for_each(|value| mentions::expression(value, &mut read));
            statement.kind.places().into_iter().for_each(|(_, place)| mentions::place(place, &mut read));
        }
        mentions::end(&block.end, &mut read);
    }
    let is_needless = |statement: &Statement| {
        let StatementKind::Call { receiver, callee: Callee::Function(callee), .. } = &statement.kind else {
            return false;
        };
        let is_unread = match receiver {
            None => true,
            Some(Receiver::Register(local)) => !read.contains(local),
            Some(Receiver::Object(_)) => false,
        };
        let callee = &program.functions[*callee];
        let is_pure = |name: &str| {
            let is_computable = effects.may_be_computed(name) || COMPUTED.contains(&name);
            is_computable && effects.is_pure(name)
        };
        let pure = is_pure(&callee.name) || is_pure(callee.name.trim_start_matches("__builtin_"));
        is_unread && !callee.has_body() && pure
    };
    for (_, block) in function.blocks.iter_mut() {
        block.statements.retain(|statement| !is_needless(statement));
    }
}
