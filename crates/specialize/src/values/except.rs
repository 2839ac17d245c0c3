//! A few numbers that a set of numbers leaves out: what tests for equality say on their other side.
//!
//! In: numbers. Out: up to six of them; more are not noted, which is always right.

/// So many numbers are kept that a set leaves out.
const EXCEPTIONS: usize = 6;

/// Numbers that a set leaves out, in ascending order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Except {
    count: usize,
    values: [i128; EXCEPTIONS],
}

impl Except {
    pub(crate) fn values(&self) -> impl Iterator<Item = i128> + use<> {
        let values = self.values;
        (0..self.count).map(move |at| values[at])
    }

    pub(crate) fn has(&self, value: i128) -> bool {
        self.values[..self.count].contains(&value)
    }

    /// Adds a number where there is room.
    pub(crate) fn add(&mut self, value: i128) {
        if self.count < EXCEPTIONS && !self.has(value) {
            self.values[self.count] = value;
            self.count += 1;
            self.values[..self.count].sort_unstable();
        }
    }

    pub(crate) fn retain(&mut self, keep: impl Fn(i128) -> bool) {
        let old = *self;
        *self = Except::default();
        old.values().filter(|value| keep(*value)).for_each(|value| self.add(value));
    }
}
