//! How much larger residual code may be than the code that it is made of. In: a root, and the multiple that is allowed. Out: what
//! specializing it gives, with as much patience as keeps it that small and ends within the limits. Code for each known case is made apart, and cases multiply:
//! with fewer cases it is smaller, and decides less.

use std::collections::BTreeSet;

use core_c::{Callee, FunctionId, Program, StatementKind};
use source::Limit;
use specialize::{Budget, Options, Outcome, Refusal, Size, Trace};

/// Allowed without being asked.
pub const MAX_GROWTH: u32 = 16;

/// Residual code of so many statements is not too much, whatever it is made of.
const SMALL: usize = 4000;

/// Each attempt has so much less patience than the one before it.
const LESS: usize = 4;

/// As many attempts are made.
const ATTEMPTS: usize = 4;

/// Residual code is so many times as large before it is cleaned up.
const BEFORE: usize = 3;

/// Residual code, and the code that it is made of.
pub(crate) struct Growth {
    pub(crate) made: Size,
    pub(crate) of: Size,
}

impl Growth {
    /// How many times as large it is, rounded up.
    pub(crate) fn times(&self) -> usize {
        self.made.statements.div_ceil(self.of.statements.max(1))
    }

    fn exceeds(&self, most: u32) -> bool {
        self.made.statements > self.of.statements.saturating_mul(most as usize)
    }
}

/// What ends a specialization.
pub(crate) enum Failure {
    Refused(Box<Refusal>),
    /// Though little was distinguished.
    TooLarge(Growth),
}

/// Code that is larger than its source, and than so many statements, is made again with fewer cases distinguished where paths join.
const WORTH_A_TRY: usize = 300;

/// Specializes a root; where that takes too much, or the result is too large, again with less patience. No limit: as large as it gets.
pub(crate) fn specialize(
    program: &Program,
    root: FunctionId,
    options: &Options,
    most: Option<u32>,
) -> Result<Outcome, Failure> {
    let mut options = options.clone();
    let called = Size::of(called(program, root).iter().map(|function| &program.functions[*function])).statements;
    let allowed = most.map_or(usize::MAX, |most| called.saturating_mul(most as usize).max(SMALL));
    options.budget.total = allowed.saturating_mul(BEFORE);
    let mut attempts = ATTEMPTS;
    loop {
        attempts -= 1;
        let failure = match specialize::specialize(program, root, &options) {
            Ok(outcome) => {
                let outcome = or_smaller(outcome, program, root, &options);
                let growth = growth(&outcome, program);
                if growth.made.statements <= SMALL || most.is_none_or(|most| !growth.exceeds(most)) {
                    return Ok(outcome);
                }
                Failure::TooLarge(growth)
            }
            Err(refusal) => Failure::Refused(Box::new(refusal)),
        };
        let may_help = match &failure {
            Failure::TooLarge(_) => true,
            Failure::Refused(refusal) => refusal.limit.is_some_and(|limit| limit != Limit::Time),
        };
        if attempts == 0 || !may_help {
            return Err(failure);
        }
        options.budget = match &failure {
            Failure::TooLarge(Growth { made, .. }) if made.statements < options.budget.total => {
                Budget { total: made.statements, ..options.budget }
            }
            _ => less(&options.budget),
        };
    }
}

/// The same, or what fewer cases give, if that is smaller and does as well: it reads no constant that the larger one does without, as what
/// interprets a known program would.
fn or_smaller(outcome: Outcome, program: &Program, root: FunctionId, options: &Options) -> Outcome {
    let least = source(program, &outcome.trace).statements.max(WORTH_A_TRY);
    if outcome.size.statements <= least {
        return outcome;
    }
    let budget = Budget { meetings: (options.budget.meetings / 2).max(1), ..options.budget };
    match specialize::specialize(program, root, &Options { budget, ..options.clone() }) {
        Ok(other)
            if other.size.statements < outcome.size.statements
                && other.size.tests <= outcome.size.tests
                && other.constants.is_subset(&outcome.constants) =>
        {
            other
        }
        _ => outcome,
    }
}

/// A root, and all that is called by name from it.
fn called(program: &Program, root: FunctionId) -> BTreeSet<FunctionId> {
    let (mut found, mut work) = (BTreeSet::new(), vec![root]);
    while let Some(function) = work.pop() {
        if !found.insert(function) {
            continue;
        }
        let statements = program.functions[function].blocks.values().flat_map(|block| &block.statements);
        work.extend(statements.filter_map(|statement| match statement.kind {
            StatementKind::Call { callee: Callee::Function(callee), .. } => Some(callee),
            _ => None,
        }));
    }
    found
}

/// A budget with which less is distinguished.
fn less(budget: &Budget) -> Budget {
    let less = |number: usize| (number / LESS).max(1);
    Budget { variants: less(budget.variants), meetings: less(budget.meetings), rounds: less(budget.rounds), ..*budget }
}

fn growth(outcome: &Outcome, program: &Program) -> Growth {
    Growth { made: outcome.size, of: source(program, &outcome.trace) }
}

/// How much it grew, where that is more than the multiple, and only stands because it is small.
pub(crate) fn beyond(outcome: &Outcome, program: &Program, most: Option<u32>) -> Option<Growth> {
    Some(growth(outcome, program)).filter(|growth| most.is_some_and(|most| growth.exceeds(most)))
}

/// The functions that were gone through, each once.
fn source(program: &Program, trace: &Trace) -> Size {
    let inside = |id: &&FunctionId| (id.into_raw().into_u32() as usize) < program.functions.len();
    Size::of(trace.functions.keys().filter(inside).map(|id| &program.functions[*id]))
}
