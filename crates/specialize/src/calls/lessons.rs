//! What runs for an entry have given up, kept while everything begins again: the next run for the same entry does not find it out once more.
//! In: a variant's engine, before its runs and after them. Out: the same, with the generalizations of runs before.

use core_c::FunctionId;

use crate::calls::variants::{Entry, FunctionVariant};
use crate::engine::Engine;
use crate::engine::call_chain::CallChains;
use crate::join::generalize::Generalizations;
use crate::memory::snapshots::Snapshot;

/// So many entries are remembered.
const MOST: usize = 1024;

/// Of one entry. Points are named by chains of calls, which are kept with them.
#[derive(Debug)]
pub(crate) struct Lessons {
    source: FunctionId,
    entries: Vec<Entry>,
    snapshot: Snapshot,
    paths: CallChains,
    generalizations: Generalizations,
}

impl Engine<'_> {
    /// Before the first run for a variant's entry.
    pub(crate) fn recall(&mut self, index: usize) {
        let Some(variant) = self.functions.list.get(index) else { return };
        let is_same = |lessons: &Lessons| lessons.is_of(variant);
        if let Some(at) = self.functions.lessons.iter().position(is_same) {
            let lessons = self.functions.lessons.swap_remove(at);
            (self.paths, self.generalizations) = (lessons.paths, lessons.generalizations);
        }
    }

    /// After the last run, whatever became of it; the engine is not used any more.
    pub(crate) fn remember(&mut self, variant: &FunctionVariant) {
        if self.generalizations.at.is_empty() || self.functions.lessons.len() == MOST {
            return;
        }
        let FunctionVariant { source, entries, snapshot, .. } = variant.clone();
        let paths = std::mem::replace(&mut self.paths, CallChains::new());
        let generalizations = std::mem::take(&mut self.generalizations);
        self.functions.lessons.push(Lessons { source, entries, snapshot, paths, generalizations });
    }
}

impl Lessons {
    fn is_of(&self, variant: &FunctionVariant) -> bool {
        self.source == variant.source && self.snapshot == variant.snapshot && variant.has_entries(&self.entries)
    }
}
