//! Functions that get variants of their own because unfolding them makes too much code: those that are unfolded often, and leave much
//! each time. In: what each unfolded call has left. Out: one function more that is called instead, and a restart.
//!
//! Unfolding is the best for what a call decides, and the worst for what it leaves: a scanner that a parser calls in ten places is there ten
//! times, in each state of the parser.

use std::collections::BTreeMap;

use core_c::{Callee, FunctionId, Shape, StatementKind};

use crate::engine::{Engine, Interrupt, Step};

/// Unfolded calls of one function, and the residual statements that they have left, those of what they call included.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Unfolded {
    calls: usize,
    statements: usize,
}

/// What a call leaves at least, for a function of its own to be worth a call.
const WORTH_A_CALL: usize = 12;

/// So many open calls are looked at for each statement.
const OPEN: usize = 24;

impl Engine<'_> {
    pub(crate) fn count_call(&mut self, function: FunctionId) {
        self.functions.unfolded.entry(function).or_default().calls += 1;
    }

    /// A residual statement belongs to all calls that are open.
    pub(crate) fn count_statement(&mut self) {
        let open = self.state.frames.iter().skip(1).rev().take(OPEN);
        for frame in open {
            self.functions.unfolded.entry(frame.function).or_default().statements += 1;
        }
    }

    /// More than all functions together may have: one that is unfolded often is called from here on; where there is none, there may be fewer
    /// variants. Goes on where nothing helps.
    pub(crate) fn outline(&mut self) -> Step<()> {
        let found = self.most_unfolded();
        let helps = found.is_some() || self.functions.room.shrink();
        self.functions.outlined.extend(found);
        self.functions.lessons.clear();
        self.functions.unfolded.clear();
        (self.functions.statements, self.functions.steps) = (0, 0);
        if helps { Err(Interrupt::RestartAll) } else { Ok(()) }
    }

    /// The function whose unfolded calls have left the most, though none that it calls has left most of that.
    fn most_unfolded(&self) -> Option<FunctionId> {
        let worth = |(function, unfolded): (&FunctionId, &Unfolded)| {
            let is_called = unfolded.calls > 1 && unfolded.statements >= unfolded.calls * WORTH_A_CALL;
            (is_called && self.takes_values(*function)).then_some((*function, unfolded.statements))
        };
        let candidates: BTreeMap<FunctionId, usize> = self.functions.unfolded.iter().filter_map(worth).collect();
        let is_innermost = |(function, left): &(&FunctionId, &usize)| {
            let callees = self.callees(**function);
            callees.filter_map(|callee| candidates.get(&callee)).all(|inner| inner * 2 < **left)
        };
        let found = candidates.iter().filter(is_innermost).max_by_key(|(function, left)| (**left, **function));
        found.map(|(function, _)| *function)
    }

    fn takes_values(&self, function: FunctionId) -> bool {
        let data = &self.input.functions[function];
        if matches!(self.types.shape_of(data.ty), Shape::Function(signature) if signature.variadic) {
            return false;
        }
        let is_value = |parameter: &core_c::LocalId| self.types.is_scalar(data.locals[*parameter].ty);
        Some(function) != self.root && data.parameters.iter().all(is_value)
    }

    /// The functions that one calls by name, itself aside.
    fn callees(&self, function: FunctionId) -> impl Iterator<Item = FunctionId> {
        let statements = self.input.functions[function].blocks.values().flat_map(|block| &block.statements);
        statements.filter_map(move |statement| match statement.kind {
            StatementKind::Call { callee: Callee::Function(callee), .. } if callee != function => Some(callee),
            _ => None,
        })
    }
}
