//! Where in an object a pointer may point: a few known offsets, or every so many bytes between two bounds.

/// As good as infinitely far away, in bytes.
pub(crate) const FAR: i64 = 1 << 50;

/// As many offsets are told apart; more become a [`Range`].
const POINTS_MOST: usize = 4;

/// Byte offsets from the start of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Offsets {
    /// In order, each once, at least one.
    Points(Vec<i64>),
    Range(Range),
}

/// All offsets from `low` to `high` (both included) that leave `phase` when divided by `step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Range {
    pub low: i64,
    pub high: i64,
    /// At least 1.
    pub step: i64,
    pub phase: i64,
}

impl Range {
    fn new(low: i64, high: i64, step: i64, phase: i64) -> Range {
        let (low, high) = (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR));
        let step = step.max(1);
        Range { low, high, step, phase: phase.rem_euclid(step) }
    }

    /// True where one of the offsets lies between `first` and `last`, both included.
    pub(crate) fn meets(&self, first: i64, last: i64) -> bool {
        let (first, last) = (first.max(self.low), last.min(self.high));
        if first > last {
            return false;
        }
        let next = first + (self.phase - first).rem_euclid(self.step);
        next <= last
    }

    pub(crate) fn holds(&self, offset: i64) -> bool {
        self.meets(offset, offset)
    }

    /// The offsets, where they are at most `most`.
    pub(crate) fn few(&self, most: i64) -> Option<Vec<i64>> {
        let first = self.low + (self.phase - self.low).rem_euclid(self.step);
        let count = if first > self.high { 0 } else { (self.high - first) / self.step + 1 };
        (count <= most).then(|| (0..count).map(|number| first + number * self.step).collect())
    }

    fn join(&self, other: &Range) -> Range {
        let step = gcd(gcd(self.step, other.step), (self.phase - other.phase).abs());
        Range::new(self.low.min(other.low), self.high.max(other.high), step, self.phase)
    }
}

impl Offsets {
    pub(crate) fn at(offset: i64) -> Offsets {
        Offsets::Points(vec![offset])
    }

    /// Any byte of the object.
    pub(crate) fn anywhere() -> Offsets {
        Offsets::Range(Range::new(-FAR, FAR, 1, 0))
    }

    /// The one offset there is.
    pub fn single(&self) -> Option<i64> {
        match self {
            Offsets::Points(points) if points.len() == 1 => points.first().copied(),
            _ => None,
        }
    }

    pub(crate) fn range(&self) -> Range {
        match self {
            Offsets::Range(range) => *range,
            Offsets::Points(points) => {
                let low = points.first().copied().unwrap_or(0);
                let high = points.last().copied().unwrap_or(low);
                let step = points.iter().fold(0, |step, point| gcd(step, point - low));
                Range::new(low, high, step, low)
            }
        }
    }

    /// All offsets moved by as many bytes.
    pub(crate) fn shifted(&self, by: i64) -> Offsets {
        match self {
            Offsets::Points(points) => Offsets::Points(points.iter().map(|point| point.saturating_add(by)).collect()),
            Offsets::Range(range) => {
                let end = |bound: i64| if bound.abs() == FAR { bound } else { bound.saturating_add(by) };
                Offsets::Range(Range::new(end(range.low), end(range.high), range.step, range.phase + by % range.step))
            }
        }
    }

    /// All offsets moved by an unknown number of steps: at least `fewest`, at most `most` of them, where that is known.
    pub(crate) fn spread(&self, step: i64, fewest: Option<i64>, most: Option<i64>) -> Offsets {
        if step == 0 {
            return self.clone();
        }
        let range = self.range();
        let (common, phase) = match self {
            Offsets::Points(points) if points.len() == 1 => (step.abs(), range.low),
            Offsets::Points(_) => (gcd(range.step, step), range.low),
            Offsets::Range(_) => (gcd(range.step, step), range.phase),
        };
        let bound = |from: i64, count: Option<i64>, far: i64| match count {
            Some(count) if from.abs() != FAR => from.saturating_add(count.saturating_mul(step)),
            _ => far,
        };
        Offsets::Range(Range::new(bound(range.low, fewest, -FAR), bound(range.high, most, FAR), common, phase))
    }

    pub(crate) fn join(&self, other: &Offsets) -> Offsets {
        if let (Offsets::Points(left), Offsets::Points(right)) = (self, other) {
            let mut points = left.clone();
            points.extend(right);
            points.sort_unstable();
            points.dedup();
            if points.len() <= POINTS_MOST {
                return Offsets::Points(points);
            }
            return Offsets::Range(Offsets::Points(points).range());
        }
        let (left, right) = (self.as_range(other), other.as_range(self));
        Offsets::Range(left.join(&right))
    }

    /// As a range; a single point takes the step of the other side, so that it does not spoil it.
    fn as_range(&self, other: &Offsets) -> Range {
        match (self.single(), other) {
            (Some(point), Offsets::Range(range)) => Range::new(point, point, range.step, point),
            _ => self.range(),
        }
    }

    /// As [`Offsets::join`], but a bound that moves goes to infinity, so that repetition ends.
    pub(crate) fn widened(&self, other: &Offsets) -> Offsets {
        let joined = self.join(other);
        if joined == *self {
            return joined;
        }
        let (old, new) = (self.range(), joined.range());
        let low = if new.low < old.low { -FAR } else { old.low };
        let high = if new.high > old.high { FAR } else { old.high };
        Offsets::Range(Range::new(low, high, new.step, new.phase))
    }
}

pub(crate) fn gcd(left: i64, right: i64) -> i64 {
    let (mut left, mut right) = (left.abs(), right.abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pointer_that_walks_keeps_its_step_and_its_lower_bound() {
        let walked = Offsets::at(8).widened(&Offsets::at(12));
        assert_eq!(walked, Offsets::Range(Range { low: 8, high: FAR, step: 4, phase: 0 }));
        assert_eq!(walked.widened(&walked.shifted(4)), walked);
    }

    #[test]
    fn an_index_of_an_array_stays_inside() {
        let elements = Offsets::at(16).spread(12, Some(0), Some(4));
        let Offsets::Range(range) = elements else { panic!("a range") };
        assert_eq!(range.few(9), Some(vec![16, 28, 40, 52, 64]));
        assert!(range.meets(20, 28));
        assert!(!range.meets(17, 27));
        assert!(!range.meets(65, 200));
    }

    #[test]
    fn few_offsets_are_told_apart_and_many_become_a_range() {
        let few = Offsets::at(0).join(&Offsets::at(8)).join(&Offsets::at(24));
        assert_eq!(few, Offsets::Points(vec![0, 8, 24]));
        let many = few.join(&Offsets::at(32)).join(&Offsets::at(40));
        assert_eq!(many, Offsets::Range(Range { low: 0, high: 40, step: 8, phase: 0 }));
    }
}
