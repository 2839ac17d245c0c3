//! The state of a run at one point: the frames of the unfolded calls, and memory.

use std::collections::BTreeMap;
use std::rc::Rc;

use core_c::{BlockId, FunctionId, LocalId, Receiver, TypeId};

use crate::engine::call_chain::ChainId;
use crate::join::steering::Decisions;
use crate::memory::Memory;
use crate::scenario::Fact;
use crate::values::distances::Distances;
use crate::values::facts::Numbers;
use crate::values::value::{ObjectId, Value};

#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The root function's first.
    pub(crate) frames: Vec<Frame>,
    pub(crate) memory: Memory,
    /// What the scenario says of residual expressions.
    pub(crate) facts: Vec<Fact>,
    /// What is known of residual registers as numbers.
    pub(crate) numbers: Numbers,
    /// How far they are apart.
    pub(crate) distances: Distances,
    pub(crate) decisions: Decisions,
}

/// One call that is being unfolded.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) function: FunctionId,
    pub(crate) chain: ChainId,
    pub(crate) registers: BTreeMap<LocalId, Value>,
    /// Memory locals whose life has begun.
    pub(crate) objects: BTreeMap<LocalId, ObjectId>,
    pub(crate) block: BlockId,
    /// The next statement of the block.
    pub(crate) statement: usize,
    /// What the caller does with the result.
    pub(crate) receiver: Option<Receiver>,
    /// Arguments beyond the parameters.
    pub(crate) variable_arguments: Rc<Vec<(Value, TypeId)>>,
    /// The arguments that are values, as the call gave them.
    pub(crate) given: Rc<Vec<Value>>,
    /// A test that only the residual program can decide has been passed in this frame.
    pub(crate) under_dynamic_control: bool,
    /// Paths have parted in this frame or in one it called: they may meet again.
    pub(crate) forked: bool,
    /// By loop head: what happened at paths out of the loop since the head was last passed.
    pub(crate) exits: BTreeMap<BlockId, Exits>,
    /// How much residual code there was when the call began.
    pub(crate) made: usize,
}

/// Tests that lead out of a loop.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exits {
    /// One was decided: the loop is known to go on, or to end.
    pub(crate) decided: bool,
    /// One was left to the residual program.
    pub(crate) residual: bool,
    /// How much residual code there was when the head was passed.
    pub(crate) made: usize,
    /// How often the loop was gone round.
    pub(crate) round: usize,
    /// The residual block that this round began in, if others can share it.
    pub(crate) residual_head: usize,
    /// Known tests that had come out differently than before when the head was passed.
    pub(crate) changes: usize,
    /// Loads from constant tables when the head was passed.
    pub(crate) reads: usize,
    /// Rounds that known tests sent another way than those before.
    pub(crate) steered: usize,
    /// Rounds that read constant tables.
    pub(crate) reading: usize,
}

impl State {
    /// How many values it holds. Objects are shared with the states that it was copied from; their cells are counted apart.
    pub(crate) fn weight(&self) -> u64 {
        let of_frame = |frame: &Frame| 4 + frame.registers.len() + frame.objects.len() + frame.exits.len();
        (self.frames.iter().map(of_frame).sum::<usize>() + self.memory.count() + self.facts.len()) as u64
    }

    pub(crate) fn top(&self) -> &Frame {
        self.frames.last().expect("a run has a frame")
    }

    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a run has a frame")
    }
}
