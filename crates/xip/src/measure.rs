//! Times and rates, in the units they were written in.

use crate::Name;

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeUnit {
    Microseconds,
    Milliseconds,
    Seconds,
}

impl TimeUnit {
    /// All, with how Spi and XIP write them.
    pub const ALL: [(TimeUnit, &'static str); 3] =
        [(TimeUnit::Microseconds, "us"), (TimeUnit::Milliseconds, "ms"), (TimeUnit::Seconds, "s")];

    /// The unit that is written so.
    pub fn from_word(word: &str) -> Option<TimeUnit> {
        Self::ALL.iter().find(|(_, written)| *written == word).map(|(unit, _)| *unit)
    }

    /// How the unit is written.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(unit, _)| *unit == self).map_or("", |(_, written)| written)
    }
}

/// A length of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Duration {
    pub amount: u64,
    pub unit: TimeUnit,
}

impl Duration {
    /// In microseconds; times that 64 bits do not hold are the longest that they do.
    pub fn microseconds(self) -> u64 {
        self.amount.saturating_mul(match self.unit {
            TimeUnit::Microseconds => 1,
            TimeUnit::Milliseconds => 1_000,
            TimeUnit::Seconds => 1_000_000,
        })
    }
}

impl std::fmt::Display for Duration {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} {}", self.amount, self.unit.word())
    }
}

/// So much in a second: items, or bytes where the unit is one of [`Rate::BYTES`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rate {
    pub amount: u64,
    /// What is counted; without it, items.
    pub unit: Option<Name>,
}

impl Rate {
    /// Units that count bytes, and how many: powers of ten, as network rates have them.
    pub const BYTES: [(&'static str, u64); 4] = [("B", 1), ("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000)];

    /// Bytes in a second, where the rate counts bytes.
    pub fn bytes(&self) -> Option<u64> {
        let unit = self.unit.as_ref()?;
        let (_, size) = Self::BYTES.iter().find(|(word, _)| unit == *word)?;
        Some(self.amount.saturating_mul(*size))
    }

    /// Items in a second, where the rate counts items.
    pub fn items(&self) -> Option<u64> {
        self.bytes().is_none().then_some(self.amount)
    }
}

impl std::fmt::Display for Rate {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.unit {
            Some(unit) => write!(formatter, "{} {unit}/s", self.amount),
            None => write!(formatter, "{}/s", self.amount),
        }
    }
}
