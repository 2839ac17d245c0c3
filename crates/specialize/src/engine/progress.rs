//! How far a run is, for whoever shows it from another thread. In: what the engine counts. Out: a line's worth of numbers; nothing
//! of it comes back to the engine.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Which function is under work, and how many steps its runs took.
#[derive(Debug, Default)]
pub struct Progress {
    function: Mutex<String>,
    steps: AtomicU64,
}

impl Progress {
    /// A function's turn comes.
    pub fn begin(&self, function: &str) {
        function.clone_into(&mut self.function.lock().unwrap_or_else(PoisonError::into_inner));
        self.steps.store(0, Ordering::Relaxed);
    }

    pub(crate) fn count(&self, more: u64) {
        self.steps.fetch_add(more, Ordering::Relaxed);
    }

    /// The function and its steps; no function before the first begins.
    pub fn now(&self) -> (String, u64) {
        let function = self.function.lock().unwrap_or_else(PoisonError::into_inner).clone();
        (function, self.steps.load(Ordering::Relaxed))
    }
}
