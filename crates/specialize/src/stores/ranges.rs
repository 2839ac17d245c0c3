//! Sets of bytes of an object, as ranges.

/// From the first byte to the one after the last.
pub(super) type Range = (i128, i128);

/// All bytes that an object may have.
pub(super) const ALL: Range = (i128::MIN, i128::MAX);

/// Ranges in order that neither overlap nor touch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranges(Vec<Range>);

impl Ranges {
    pub(super) fn all() -> Ranges {
        Ranges(vec![ALL])
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn covers(&self, (from, to): Range) -> bool {
        self.0.iter().any(|(start, end)| *start <= from && to <= *end)
    }

    pub(super) fn add(&mut self, (mut from, mut to): Range) {
        self.0.retain(|(start, end)| {
            let is_apart = *end < from || to < *start;
            if !is_apart {
                (from, to) = (from.min(*start), to.max(*end));
            }
            is_apart
        });
        self.0.push((from, to));
        self.0.sort_unstable();
    }

    pub(super) fn remove(&mut self, (from, to): Range) {
        let rest = self.0.iter().flat_map(|(start, end)| [(*start, (*end).min(from)), ((*start).max(to), *end)]);
        self.0 = rest.filter(|(start, end)| start < end).collect();
    }

    /// What is in both.
    pub(super) fn common(&self, other: &Ranges) -> Ranges {
        let pairs = self.0.iter().flat_map(|one| other.0.iter().map(move |two| (one.0.max(two.0), one.1.min(two.1))));
        Ranges(pairs.filter(|(start, end)| start < end).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_grow_together_and_fall_apart() {
        let mut ranges = Ranges::default();
        for range in [(8, 12), (0, 4), (4, 8)] {
            ranges.add(range);
        }
        assert_eq!(ranges, Ranges(vec![(0, 12)]));
        ranges.remove((4, 6));
        assert!(ranges.covers((0, 4)) && ranges.covers((6, 12)) && !ranges.covers((3, 5)));
        let mut other = Ranges::all();
        other.remove((7, 8));
        assert_eq!(ranges.common(&other), Ranges(vec![(0, 4), (6, 7), (8, 12)]));
        other.remove(ALL);
        assert!(other.is_empty() && ranges.common(&other).is_empty());
    }
}
