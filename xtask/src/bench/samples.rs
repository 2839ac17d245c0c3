//! Times of rounds in which all implementations took turns. In: one time per implementation and round. Out: medians, and
//! ratios taken within each round, which a noisy neighbour disturbs least.

use std::collections::BTreeMap;

/// What is measured: workload and direction (`ints-encode`), and the application bytes of a message.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) workload: String,
    pub(super) size: u64,
}

/// The times of all rounds.
#[derive(Default)]
pub(super) struct Samples {
    times: BTreeMap<Cell, BTreeMap<String, BTreeMap<u64, f64>>>,
    /// In the order of their first appearance.
    names: Vec<String>,
}

impl Samples {
    pub(super) fn add(&mut self, cell: Cell, who: &str, round: u64, time: f64) {
        if !self.names.iter().any(|name| name == who) {
            self.names.push(who.to_string());
        }
        self.times.entry(cell).or_default().entry(who.to_string()).or_default().insert(round, time);
    }

    /// The same over groups of so many rounds, each group's own, in ascending order.
    pub(super) fn speed_ups(&self, cell: &Cell, (who, other): (&str, &str), rounds: u64) -> Vec<f64> {
        let mut groups: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        self.ratios(cell, who, other)
            .into_iter()
            .for_each(|(round, ratio)| groups.entry(round / rounds).or_default().push(ratio));
        let mut middles: Vec<f64> = groups.into_values().filter_map(median).collect();
        middles.sort_by(f64::total_cmp);
        middles
    }

    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.times.keys()
    }

    /// The middle time.
    pub(super) fn median(&self, cell: &Cell, who: &str) -> Option<f64> {
        let times = self.times.get(cell)?.get(who)?;
        median(times.values().copied().collect())
    }

    /// How many times as fast as `other`: the middle of what the rounds say.
    pub(super) fn speed_up(&self, cell: &Cell, who: &str, other: &str) -> Option<f64> {
        median(self.ratios(cell, who, other).into_iter().map(|(_, ratio)| ratio).collect())
    }

    /// By round.
    fn ratios(&self, cell: &Cell, who: &str, other: &str) -> Vec<(u64, f64)> {
        let of = |name: &str| self.times.get(cell)?.get(name);
        let (Some(mine), Some(theirs)) = (of(who), of(other)) else { return Vec::new() };
        mine.iter().filter_map(|(round, time)| Some((*round, theirs.get(round)? / time))).collect()
    }
}

fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_a_round() {
        let cell = Cell { workload: "ints-encode".to_string(), size: 64 };
        let mut samples = Samples::default();
        for (round, disturbance) in [(0, 1.0), (1, 10.0), (2, 1.0)] {
            samples.add(cell.clone(), "rpcgen", round, 60.0 * disturbance);
            samples.add(cell.clone(), "whittle", round, 10.0 * disturbance);
        }
        assert_eq!(samples.speed_up(&cell, "whittle", "rpcgen"), Some(6.0));
        assert_eq!(samples.median(&cell, "whittle"), Some(10.0));
        assert_eq!(samples.speed_up(&cell, "absent", "rpcgen"), None);
    }
}
