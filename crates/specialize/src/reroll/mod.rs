//! Loops again, of iterations that were written out one by one.
//!
//! In: a residual function whose loops of the source are unrolled completely. Out: the same function, where each row of
//! statements that are equal but for evenly growing constants has become one loop, as the policy says; and what the
//! loops are. Statements are executed in the same order as before, so that nothing has to be known of memory. Inner
//! loops come first; loops and tests inside an iteration are compared as parts of it. Source: `docs/`'s picture of the
//! specializer ("unrolled in the store, re-rolled in the residual"); finding equal iterations is the unification of
//! two flow graphs, with constants and registers as its variables.

mod bulk;
mod bytes;
mod classes;
mod compact;
mod cost;
mod counter;
mod find;
mod fold;
mod kept;
mod mentions;
mod normal;
mod outline;
mod repeats;
mod run;
mod spine;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use core_c::{ExpressionKind, Function, FunctionId, LocalId, Program, Terminator};

pub use bulk::{Bulk, FoldedKind};

/// What to do with iterations that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Unrolling {
    /// They stay as they are.
    Keep,
    /// Always a loop.
    Fold,
    /// A loop that does so many at a time.
    Chunk(usize),
    /// Whatever is expected to run fastest.
    #[default]
    Auto,
}

/// How iterations that are alike are looked for and what becomes of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub unrolling: Unrolling,
    /// Fewer iterations stay as they are; at least 3.
    pub least: usize,
    /// In statements and tests, those inside inner loops and arms left out.
    pub longest_period: usize,
    /// What may stand for runs that copy.
    pub bulk: Bulk,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    pub kind: FoldedKind,
    /// Rounds of the loop, or copied elements.
    pub count: usize,
    /// The loop's counter, for a loop.
    pub counter: Option<LocalId>,
}

impl Default for Policy {
    fn default() -> Self {
        Policy { unrolling: Unrolling::Auto, least: 8, longest_period: 64, bulk: Bulk::default() }
    }
}

/// Loops are found from the inside out, one level at a time; more levels stay unrolled.
const LEVELS: usize = 8;

/// Folds what is alike in a function; gives what became of each run, inner ones first.
pub fn reroll(program: &mut Program, id: FunctionId, policy: &Policy) -> Vec<Folded> {
    let mut function = program.functions[id].clone();
    let mut folded = Vec::new();
    if policy.unrolling == Unrolling::Keep || has_addresses_of_labels(&function) {
        return folded;
    }
    if let Some(swap) = policy.bulk.swap32
        && kept::replace(program, &mut function, swap)
    {
        program.functions[id] = function.clone();
    }
    normal::spell_out(&mut program.types, &mut function);
    for _ in 0..LEVELS {
        compact::compact(&mut function);
        let found = find::find(program, &function, policy);
        if found.is_empty() {
            break;
        }
        for foldable in &found {
            folded.push(fold::fold(program, &mut function, foldable));
        }
    }
    if !folded.is_empty() {
        compact::compact(&mut function);
        normal::shorten(&program.types, &mut function);
        program.functions[id] = function;
    }
    folded
}

/// Blocks whose addresses are values cannot be moved or left out.
fn has_addresses_of_labels(function: &Function) -> bool {
    let is_label = &mut |part: &core_c::Expression| matches!(part.kind, ExpressionKind::Label(_));
    function.blocks.values().any(|block| {
        let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
        matches!(block.end, Terminator::GotoAddress { .. })
            || statements.chain(block.end.expressions()).any(|value| value.any(is_label))
    })
}
