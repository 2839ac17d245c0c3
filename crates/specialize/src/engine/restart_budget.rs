//! What becomes of a run that takes too long: it begins again with a smaller restart budget, so that the last one ends soon.

use source::Limit;

use crate::Budget;
use crate::engine::{Engine, Interrupt, Step};
use crate::join::differences::differences;
use crate::report::Cause;

/// Rounds of a loop that are computed to the end after the first run that was too long.
const ROUNDS: usize = 1 << 14;

/// How much longer runs may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RestartBudget {
    /// Runs that were too long so far.
    overruns: u32,
    /// Rounds of a loop that leave nothing residual, before what changes in them is given up.
    pub(crate) rounds: usize,
}

impl Default for RestartBudget {
    fn default() -> Self {
        RestartBudget { overruns: 0, rounds: usize::MAX }
    }
}

impl RestartBudget {
    /// Statements that this run may execute.
    pub(crate) fn steps(&self, budget: &Budget) -> u64 {
        budget.steps >> self.overruns.min(5)
    }
}

impl Engine<'_> {
    /// The budget is used up: the longest loop gives up what changes in it, or the points with the most variants what
    /// varies there, one at first, then more; where nothing varies, loops that were computed without end in sight are
    /// cut short.
    pub(crate) fn out_of_budget(&mut self, limit: Limit) -> Step<()> {
        self.restart_with_less()?;
        self.refuse_beyond(limit)
    }

    /// Begins again with a smaller restart budget; goes on where nothing is left to be given up.
    pub(crate) fn restart_with_less(&mut self) -> Step<()> {
        let wanted = 1_usize << self.restart_budget.overruns.min(16);
        self.restart_budget.overruns += 1;
        let here = self.state.clone();
        self.shorten(&here)?;
        let mut points: Vec<_> = self.variants.points().map(|(point, list)| (list.len(), point)).collect();
        points.sort_by_key(|(count, point)| (std::cmp::Reverse(*count), *point));
        let mut given_up = 0;
        for (_, point) in points {
            let [first, .., last] = self.variants.of(point) else { continue };
            let cells = differences(&first.state, &last.state);
            if !cells.is_empty() && self.generalizations.add(point, cells, &Cause::Budget) {
                given_up += 1;
            }
            if given_up == wanted {
                break;
            }
        }
        if given_up > 0 {
            return Err(Interrupt::Restart);
        }
        if self.restart_budget.rounds > 1 {
            self.restart_budget.rounds = (self.restart_budget.rounds / 16).min(ROUNDS);
            return Err(Interrupt::Restart);
        }
        Ok(())
    }
}
