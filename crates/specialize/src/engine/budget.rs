//! What a run takes, against what it may take: steps, residual statements, values that are known, and time where that is
//! limited. In: the engine as it stands. Out: a run that begins again with a smaller restart budget, or a refusal that names the limit. Why here: a scenario is a
//! program, and programs may take anything.

use std::time::Instant;

use source::{Limit, Span};

use crate::engine::{Engine, Interrupt, Step};
use crate::{Budget, Refusal};

/// Runs that were too long are shorter and shorter: together they take twice the first. The others are short as a rule; all
/// together may take so many times what one may.
const RUNS: u64 = 3;

/// Steps between two looks at memory, at least.
const SELDOM: u64 = 4096;

/// Steps between two looks at the clock.
const OFTEN: u64 = 256;

/// What was measured.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measure {
    /// Steps of the runs before this one.
    earlier: u64,
    /// The step at which memory is looked at again.
    next: u64,
    /// The step of the last look at the clock.
    looked: u64,
    /// When half of the time is gone that was left the last time.
    half: Option<Instant>,
}

impl Measure {
    /// A run begins, after one of so many steps.
    pub(crate) fn begin(&mut self, steps: u64) {
        self.earlier = self.earlier.saturating_add(steps);
        self.next = SELDOM;
        self.looked = 0;
    }
}

/// The middle between now and the end.
fn half(until: Instant) -> Instant {
    let now = Instant::now();
    now + until.saturating_duration_since(now) / 2
}

/// Whether the time is used up.
pub(crate) fn is_over(budget: &Budget) -> bool {
    budget.until.is_some_and(|until| Instant::now() >= until)
}

/// What is said then.
pub(crate) fn too_late(span: Option<Span>) -> Refusal {
    let reason =
        "the time that it may take is used up; a scenario that knows less, or knows it of less code, is done earlier";
    Refusal { reason: reason.to_owned(), span, limit: Some(Limit::Time), ..Refusal::default() }
}

impl Engine<'_> {
    /// Ends the run where it takes too much.
    pub(crate) fn stays_within_limits(&mut self) -> Step<()> {
        let budget = &self.options.budget;
        self.stays_within_time()?;
        if self.measure.earlier.saturating_add(self.steps) > budget.steps.saturating_mul(RUNS) {
            return self.refuse_beyond(Limit::Steps);
        }
        if self.steps > self.restart_budget.steps(budget) {
            return self.out_of_budget(Limit::Steps);
        }
        if self.residual.statements > budget.statements {
            return self.out_of_budget(Limit::Statements);
        }
        if self.functions.statements > budget.total {
            self.outline()?;
        }
        if self.steps < self.measure.next {
            return Ok(());
        }
        if self.functions.steps.saturating_add(self.steps) > budget.steps {
            self.outline()?;
        }
        let cells = self.state.memory.cells() as u64;
        let here = self.state.weight() + cells + self.state.decisions.count() as u64;
        let all = here + self.variants.weight + self.worklist.weight;
        // Looking takes time, too: in proportion to what is looked at.
        self.measure.next = self.steps + here.max(SELDOM);
        if self.paths.count() > budget.memory {
            return self.refuse_beyond(Limit::Memory);
        }
        if all > budget.memory {
            return self.out_of_budget(Limit::Memory);
        }
        Ok(())
    }

    /// The clock decides nothing where it is not asked to.
    fn stays_within_time(&mut self) -> Step<()> {
        if self.measure.looked > 0 && self.steps < self.measure.looked + OFTEN {
            return Ok(());
        }
        self.options.progress.count(self.steps - self.measure.looked);
        self.measure.looked = self.steps;
        let Some(until) = self.options.budget.until else { return Ok(()) };
        if is_over(&self.options.budget) {
            return Err(Interrupt::Refuse(too_late(self.span)));
        }
        if Instant::now() >= *self.measure.half.get_or_insert_with(|| half(until)) {
            self.measure.half = Some(half(until));
            self.restart_with_less()?;
        }
        Ok(())
    }

    /// Refuses what no generalization makes smaller.
    pub(crate) fn refuse_beyond<T>(&self, limit: Limit) -> Step<T> {
        let reason = "it takes too much, and nothing is left that could be generalized".to_owned();
        Err(Interrupt::Refuse(Refusal { reason, span: self.span, limit: Some(limit), ..Refusal::default() }))
    }
}
