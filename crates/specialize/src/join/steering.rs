//! Which way known tests sent the run. Where they send each round of a loop another way, what is known steers it, as a
//! program steers its interpreter, and going round again pays; where all rounds are alike, it merely counts them. Rounds that
//! each read a row of a constant table with addresses in it are not alike either.

use std::collections::BTreeMap;
use std::rc::Rc;

use core_c::BlockId;

use crate::engine::Engine;
use crate::engine::call_chain::ChainId;

/// What known tests decided last, and how often that was something else than before.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    last: Rc<BTreeMap<(ChainId, BlockId), BlockId>>,
    pub(crate) changes: usize,
    /// Loads from constant tables with addresses in them.
    pub(crate) reads: usize,
}

impl Decisions {
    /// How many tests were decided.
    pub(crate) fn count(&self) -> usize {
        self.last.len()
    }
}

impl Engine<'_> {
    /// A known test in the current block sends the run to a block.
    pub(crate) fn decided(&mut self, target: BlockId) {
        self.tested(true);
        let frame = self.state.top();
        let (function, place) = (frame.function, (frame.chain, frame.block));
        let flow = self.flow(function);
        // A test that ends a loop inside comes out differently in its last round, whatever is known.
        let leaves = flow.loops.values().any(|body| body.contains(&place.1) && !body.contains(&target));
        let decisions = &mut self.state.decisions;
        let last = decisions.last.get(&place).copied();
        if leaves || last == Some(target) {
            return;
        }
        decisions.changes += usize::from(last.is_some());
        Rc::make_mut(&mut decisions.last).insert(place, target);
    }
}
