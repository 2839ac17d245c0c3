//! Functions that never return and go round no loop, such as those that report a failure and exit, or jump out by `longjmp`.
//!
//! In: a program. Out: those functions. What such a function does happens once at most, so that nothing is won where it is unfolded;
//! where that takes long, since it frees or formats much before it ends, it is called as it stands.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{BlockId, Callee, Function, FunctionId, Program, Statement, StatementKind, Terminator};

use crate::engine::flow::successors;
use crate::engine::{Engine, Interrupt, Step};
use crate::library::effects::Effects;

/// More residual statements are too many for a failure.
const LONG: usize = 1000;

/// The functions of a program that end so on all paths.
fn failures(program: &Program, effects: &Effects) -> BTreeSet<FunctionId> {
    let has_body = |function: &Function| !function.blocks.is_empty() && function.refused.is_none();
    let mut found: BTreeSet<FunctionId> =
        program.functions.iter().filter(|(_, function)| has_body(function)).map(|(id, _)| id).collect();
    loop {
        let ends = |function: FunctionId| {
            let data = &program.functions[function];
            found.contains(&function) || !data.has_body() && effects.never_returns(&data.name)
        };
        let others: Vec<FunctionId> =
            found.iter().copied().filter(|id| !only_fails(&program.functions[*id], &ends)).collect();
        if others.is_empty() {
            return found;
        }
        found.retain(|id| !others.contains(id));
    }
}

/// True where each path through a function's blocks comes to a call that ends, and none comes back to where it was.
fn only_fails(function: &Function, ends: &dyn Fn(FunctionId) -> bool) -> bool {
    let is_end = |statement: &Statement| matches!(&statement.kind, StatementKind::Call { callee: Callee::Function(callee), .. } if ends(*callee));
    let mut ways_to: BTreeMap<BlockId, usize> = BTreeMap::new();
    let mut ways_from: BTreeMap<BlockId, Vec<BlockId>> = BTreeMap::new();
    let mut work: Vec<BlockId> = function.blocks.iter().next().map(|(entry, _)| entry).into_iter().collect();
    while let Some(block) = work.pop() {
        if ways_from.contains_key(&block) {
            continue;
        }
        let data = &function.blocks[block];
        let next = match &data.end {
            _ if data.statements.iter().any(is_end) => Vec::new(),
            Terminator::Return(_) | Terminator::GotoAddress { .. } => return false,
            end => successors(end),
        };
        next.iter().for_each(|next| *ways_to.entry(*next).or_default() += 1);
        work.extend(&next);
        ways_from.insert(block, next);
    }
    // Whoever goes along all paths, each once all that lead there are gone, gets everywhere if there is no loop.
    work.extend(ways_from.keys().filter(|block| !ways_to.contains_key(block)));
    let mut gone = 0;
    while let Some(block) = work.pop() {
        gone += 1;
        for next in &ways_from[&block] {
            let left = ways_to.entry(*next).or_default();
            *left -= 1;
            if *left == 0 {
                work.push(*next);
            }
        }
    }
    gone == ways_from.len()
}

impl Engine<'_> {
    /// True for a function of the program that never returns.
    pub(crate) fn only_fails(&mut self, function: FunctionId) -> bool {
        let (input, effects) = (self.input, &self.options.effects);
        self.failures.get_or_insert_with(|| Rc::new(failures(input, effects))).contains(&function)
    }

    /// A failure under work that has become long is called as it stands from here on.
    pub(crate) fn keep_long_failures(&mut self) -> Step<()> {
        let long: Vec<FunctionId> = (self.state.frames.iter().skip(1))
            .filter(|frame| self.made.saturating_sub(frame.made) > LONG)
            .map(|frame| frame.function)
            .collect();
        let Some(function) = long.into_iter().find(|function| self.only_fails(*function)) else { return Ok(()) };
        self.functions.kept.insert(function, "it never returns, and would become long".to_owned());
        Err(Interrupt::RestartAll)
    }
}
