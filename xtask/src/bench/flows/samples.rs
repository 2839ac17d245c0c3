//! What trials showed, by metric, packet and participant. In: numbers of rounds. Out: medians, sums, how far apart they
//! are, and ratios within rounds, which a noisy neighbour disturbs least.

use std::collections::BTreeMap;

/// What is measured: workload and metric (`two-throughput`), and the bytes of a packet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cell {
    pub(super) workload: String,
    pub(super) size: u64,
}

/// The numbers of all rounds.
#[derive(Default)]
pub(super) struct Samples {
    numbers: BTreeMap<(Cell, &'static str), BTreeMap<u64, f64>>,
}

impl Samples {
    pub(super) fn add(&mut self, cell: Cell, who: &'static str, round: u64, number: f64) {
        self.numbers.entry((cell, who)).or_default().insert(round, number);
    }

    fn sorted(&self, cell: &Cell, who: &'static str) -> Option<Vec<f64>> {
        let mut values: Vec<f64> = self.numbers.get(&(cell.clone(), who))?.values().copied().collect();
        values.sort_by(f64::total_cmp);
        Some(values)
    }

    pub(super) fn median(&self, cell: &Cell, who: &'static str) -> Option<f64> {
        at(&self.sorted(cell, who)?, 0.5)
    }

    pub(super) fn sum(&self, cell: &Cell, who: &'static str) -> Option<f64> {
        Some(self.sorted(cell, who)?.into_iter().sum())
    }

    /// The middle half of the numbers is so wide, as a share of the median.
    pub(super) fn spread(&self, cell: &Cell, who: &'static str) -> Option<f64> {
        let values = self.sorted(cell, who)?;
        Some((at(&values, 0.75)? - at(&values, 0.25)?) / at(&values, 0.5)?)
    }

    /// Of times: how many times as fast as `other`, the middle of what the rounds say.
    pub(super) fn speed_up(&self, cell: &Cell, who: &'static str, other: &'static str) -> Option<f64> {
        let (mine, theirs) = (self.numbers.get(&(cell.clone(), who))?, self.numbers.get(&(cell.clone(), other))?);
        let mut ratios: Vec<f64> =
            mine.iter().filter_map(|(round, number)| Some(theirs.get(round)? / number)).collect();
        ratios.sort_by(f64::total_cmp);
        at(&ratios, 0.5)
    }
}

fn at(sorted: &[f64], share: f64) -> Option<f64> {
    sorted.get(((sorted.len() as f64 - 1.0) * share).round().max(0.0) as usize).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_taken_within_rounds_and_outliers_widen_no_spread() {
        let cell = Cell { workload: "two-throughput".to_string(), size: 4 };
        let mut samples = Samples::default();
        for (round, disturbance) in [(0, 1.0), (1, 10.0), (2, 1.0), (3, 1.0), (4, 1.0)] {
            samples.add(cell.clone(), "rpcgen", round, 60.0 * disturbance);
            samples.add(cell.clone(), "whittle", round, 10.0 * disturbance);
        }
        assert_eq!(samples.speed_up(&cell, "whittle", "rpcgen"), Some(6.0));
        assert_eq!(samples.median(&cell, "whittle"), Some(10.0));
        assert_eq!(samples.spread(&cell, "whittle"), Some(0.0));
        assert_eq!(samples.sum(&cell, "whittle"), Some(140.0));
        assert_eq!(samples.speed_up(&cell, "whittle", "absent"), None);
    }
}
