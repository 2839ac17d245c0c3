//! How the functions of a scenario share the time that they may take. In: the limit, which nobody has unless asked for. Out: when
//! each function has to be done.

use std::time::{Duration, Instant};

use source::{Limit, Limits};

/// When all functions have to be done, where the time is limited.
pub(crate) fn end(limits: &Limits) -> Option<Instant> {
    Instant::now().checked_add(Duration::from_secs(limits.get(Limit::Time)))
}

/// When the next of so many functions has to be done: what one leaves of its share is for the others.
pub(crate) fn turn(end: Instant, functions: usize) -> Instant {
    let now = Instant::now();
    now + end.saturating_duration_since(now) / u32::try_from(functions).unwrap_or(u32::MAX).max(1)
}
