//! Ways that wait for their turn. They are followed in the order of the program, so that whoever comes to a place where
//! ways meet waits for all others that may still come there.

use std::collections::BTreeMap;

use crate::engine::Engine;
use crate::path::PathId;
use crate::residual::ResidualBlock;
use crate::state::State;

/// A way that goes on at the end of an open residual block.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) block: ResidualBlock,
    pub(crate) state: State,
    pub(crate) meeting: Option<Meeting>,
    /// What the state holds.
    pub(crate) weight: u64,
}

/// How a way comes to a place where ways meet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meeting {
    /// The place is the head of a loop.
    pub(crate) is_head: bool,
    /// The residual block of the head, a round ago.
    pub(crate) before: Option<ResidualBlock>,
    /// The loop has had its rounds: what changes from one to the next is to be given up.
    pub(crate) is_over: bool,
}

/// When a way is followed: for each frame the loops around its block, each with the round and the round's residual head,
/// then block and statement. A called function's ways come before those that have left it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    position: Vec<usize>,
    path: PathId,
    meets: bool,
}

/// All ways that wait.
#[derive(Debug, Default)]
pub(crate) struct Agenda {
    waiting: BTreeMap<Turn, Vec<Waiting>>,
    /// What their states hold.
    pub(crate) weight: u64,
}

impl Agenda {
    /// The ways whose turn is next.
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
    pub(crate) fn later(&mut self, block: ResidualBlock, state: State, meeting: Option<Meeting>) {
        let turn = self.turn(&state, meeting.is_some());
        let weight = state.weight() + turn.position.len() as u64 / 4;
        self.agenda.weight += weight;
        self.agenda.waiting.entry(turn).or_default().push(Waiting { block, state, meeting, weight });
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
        Turn { position, path: state.top().path, meets }
    }
}
