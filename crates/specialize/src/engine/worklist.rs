//! Paths that wait for their turn. They are followed in the order of the program, so that whoever comes to a place where
//! paths join waits for all others that may still come there.

use std::collections::BTreeMap;

use crate::engine::Engine;
use crate::engine::call_chain::ChainId;
use crate::engine::residual::ResidualBlock;
use crate::engine::state::State;

/// A path that goes on at the end of an open residual block.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) block: ResidualBlock,
    pub(crate) state: State,
    pub(crate) edge: Option<JoinEdge>,
    /// What the state holds.
    pub(crate) weight: u64,
}

/// how a path comes to a join.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JoinEdge {
    /// The place is the head of a loop.
    pub(crate) is_head: bool,
    /// The residual block of the head, a round ago.
    pub(crate) before: Option<ResidualBlock>,
    /// The loop has had its rounds: what changes from one to the next is to be given up.
    pub(crate) is_over: bool,
}

/// When a way is followed: for each frame the loops around its block, each with the round and the round's residual head,
/// then block and statement. A called function's paths come before those that have left it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    position: Vec<usize>,
    chain: ChainId,
    meets: bool,
}

/// All paths that wait.
#[derive(Debug, Default)]
pub(crate) struct Worklist {
    waiting: BTreeMap<Turn, Vec<Waiting>>,
    /// What their states hold.
    pub(crate) weight: u64,
}

impl Worklist {
    /// The paths whose turn is next.
    pub(crate) fn next(&mut self) -> Option<Vec<Waiting>> {
        let (_, waiting) = self.waiting.pop_first()?;
        self.weight -= waiting.iter().map(|waiting| waiting.weight).sum::<u64>();
        Some(waiting)
    }

    pub(crate) fn clear(&mut self) {
        (self.weight, self.waiting) = (0, BTreeMap::new());
    }
}

impl Engine<'_> {
    /// Leaves a state to be followed when its turn comes.
    pub(crate) fn later(&mut self, block: ResidualBlock, state: State, edge: Option<JoinEdge>) {
        let turn = self.turn(&state, edge.is_some());
        let weight = state.weight() + turn.position.len() as u64 / 4;
        self.worklist.weight += weight;
        self.worklist.waiting.entry(turn).or_default().push(Waiting { block, state, edge, weight });
    }

    fn turn(&mut self, state: &State, meets: bool) -> Turn {
        let mut position = Vec::new();
        for frame in &state.frames {
            let flow = self.flow(frame.function);
            for head in flow.around.get(&frame.block).into_iter().flatten() {
                let exits = frame.exits.get(head).copied().unwrap_or_default();
                position.extend([flow.order[head], exits.round, exits.residual_head]);
            }
            position.extend([flow.order.get(&frame.block).copied().unwrap_or(0), frame.statement]);
        }
        position.push(usize::MAX);
        Turn { position, chain: state.top().chain, meets }
    }
}
