//! Which locals are still needed: registers that may be read again before they are set, memory locals that may be
//! mentioned again before their lifetime begins anew.

use super::{Graph, number};
use crate::{
    Block, BlockId, Expression, ExpressionKind, Function, LocalId, Place, PlaceBase, Statement, StatementKind,
    Terminator,
};

/// A set of a function's locals; most are small.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LocalSet {
    /// In order.
    list: Vec<LocalId>,
}

impl LocalSet {
    pub fn contains(&self, local: LocalId) -> bool {
        self.list.binary_search(&local).is_ok()
    }

    /// True where it was not there before.
    pub fn insert(&mut self, local: LocalId) -> bool {
        match self.list.binary_search(&local) {
            Ok(_) => false,
            Err(at) => {
                self.list.insert(at, local);
                true
            }
        }
    }

    pub fn remove(&mut self, local: LocalId) {
        if let Ok(at) = self.list.binary_search(&local) {
            self.list.remove(at);
        }
    }

    /// True where something was added.
    pub fn add_all(&mut self, other: &LocalSet) -> bool {
        let before = self.list.len();
        if other.list.iter().all(|local| self.contains(*local)) {
            return false;
        }
        self.list.extend(&other.list);
        self.list.sort_unstable();
        self.list.dedup();
        self.list.len() > before
    }

    /// Adds all of these.
    pub fn extend(&mut self, locals: impl IntoIterator<Item = LocalId>) {
        for local in locals {
            self.insert(local);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The locals in it, in order.
    pub fn iter(&self) -> impl Iterator<Item = LocalId> + '_ {
        self.list.iter().copied()
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
