//! Residual code by program point and state, for those that come later with an equal state.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::engine::Point;
use crate::engine::residual::ResidualBlock;
use crate::engine::state::State;

/// Residual code for a point and a state.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) key: Vec<i128>,
    pub(crate) block: ResidualBlock,
    pub(crate) state: State,
}

/// All variants of a run. Keys are long and many: they are looked up by what they hash to.
#[derive(Debug, Default)]
pub(crate) struct Variants {
    lists: BTreeMap<Point, Vec<Variant>>,
    by_key: BTreeMap<(Point, u64), Vec<usize>>,
    /// What all their states and keys hold.
    pub(crate) weight: u64,
}

impl Variants {
    pub(crate) fn clear(&mut self) {
        self.weight = 0;
        self.lists.clear();
        self.by_key.clear();
    }

    /// Those of a point, in the order in which they were begun.
    pub(crate) fn of(&self, point: Point) -> &[Variant] {
        self.lists.get(&point).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn points(&self) -> impl Iterator<Item = (Point, &[Variant])> {
        self.lists.iter().map(|(point, list)| (*point, list.as_slice()))
    }

    pub(crate) fn find(&self, point: Point, key: &[i128]) -> Option<&Variant> {
        let places = self.by_key.get(&(point, hash(key)))?;
        places.iter().map(|at| &self.lists[&point][*at]).find(|variant| variant.key == key)
    }

    pub(crate) fn add(&mut self, point: Point, variant: Variant) {
        self.weight += variant.state.weight() + variant.key.len() as u64 / 4;
        let list = self.lists.entry(point).or_default();
        self.by_key.entry((point, hash(&variant.key))).or_default().push(list.len());
        list.push(variant);
    }
}

fn hash(key: &[i128]) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    hasher.finish()
}
