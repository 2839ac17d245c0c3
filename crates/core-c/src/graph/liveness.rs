//! Which locals are still needed: registers that may be read again before they are set, memory locals that may be
//! mentioned again before their lifetime begins anew.

use super::{Graph, number};
use crate::{
    Block, BlockId, Expression, ExpressionKind, Function, LocalId, Place, PlaceBase, Statement, StatementKind,
    Terminator,
};

/// A set of a function's locals.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LocalSet {
    words: Vec<u64>,
}

impl LocalSet {
    pub fn contains(&self, local: LocalId) -> bool {
        let at = number(local);
        self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1)
    }

    /// True where it was not there before.
    pub fn insert(&mut self, local: LocalId) -> bool {
        let at = number(local);
        if self.words.len() <= at / 64 {
            self.words.resize(at / 64 + 1, 0);
        }
        let bit = 1 << (at % 64);
        let new = self.words[at / 64] & bit == 0;
        self.words[at / 64] |= bit;
        new
    }

    pub fn remove(&mut self, local: LocalId) {
        let at = number(local);
        if let Some(word) = self.words.get_mut(at / 64) {
            *word &= !(1 << (at % 64));
        }
    }

    /// True where something was added.
    pub fn add_all(&mut self, other: &LocalSet) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut added = false;
        for (word, more) in self.words.iter_mut().zip(&other.words) {
            added |= more & !*word != 0;
            *word |= more;
        }
        added
    }

    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// The locals in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| super::id(at * 64 + bit))
        })
    }
}

/// The locals that are needed at the start and at the end of each block.
#[derive(Clone, Debug)]
pub struct Liveness {
    before: Vec<LocalSet>,
    after: Vec<LocalSet>,
}

impl Liveness {
    pub fn of(function: &Function, graph: &Graph<Block>) -> Liveness {
        let count = function.blocks.len();
        let mut liveness =
            Liveness { before: vec![LocalSet::default(); count], after: vec![LocalSet::default(); count] };
        let mut changed = true;
        while changed {
            changed = false;
            for block in graph.order().rev() {
                let mut live = std::mem::take(&mut liveness.after[number(block)]);
                for next in graph.successors(block) {
                    live.add_all(&liveness.before[number(next)]);
                }
                liveness.after[number(block)] = live.clone();
                step_over_end(&function.blocks[block].end, &mut live);
                for statement in function.blocks[block].statements.iter().rev() {
                    step_over(statement, &mut live);
                }
                changed |= liveness.before[number(block)].add_all(&live);
            }
        }
        liveness
    }

    /// The locals that are needed where a block starts.
    pub fn before(&self, block: BlockId) -> &LocalSet {
        &self.before[number(block)]
    }

    /// The locals that are needed after a block's end.
    pub fn after(&self, block: BlockId) -> &LocalSet {
        &self.after[number(block)]
    }
}

/// Turns what is needed after a block's end into what is needed before it.
pub fn step_over_end(end: &Terminator, live: &mut LocalSet) {
    end.expressions().into_iter().for_each(|value| mentions(value, live));
    if let Some(local) = end.place().and_then(Place::local_base) {
        live.insert(local);
    }
}

/// Turns what is needed after a statement into what is needed before it.
pub fn step_over(statement: &Statement, live: &mut LocalSet) {
    let kind = &statement.kind;
    if let Some(local) = kind.written_register() {
        live.remove(local);
    }
    if let StatementKind::Begin { local, .. } = kind {
        live.remove(*local);
    }
    for (_, place) in kind.places() {
        live_base(place, live);
    }
    kind.expressions().into_iter().for_each(|value| mentions(value, live));
}

fn live_base(place: &Place, live: &mut LocalSet) {
    if let PlaceBase::Local(local) = place.base {
        live.insert(local);
    }
}

fn mentions(value: &Expression, live: &mut LocalSet) {
    value.walk(&mut |part| match &part.kind {
        ExpressionKind::Local(local) => {
            live.insert(*local);
        }
        ExpressionKind::Load(place) | ExpressionKind::Address(place) => live_base(place, live),
        _ => {}
    });
}
