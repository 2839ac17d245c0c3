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
        if other.is_subset(self) {
            return false;
        }
        self.list.extend(&other.list);
        // Both parts are in order, which this sorting makes use of.
        self.list.sort();
        self.list.dedup();
        true
    }

    /// True where all of these are in `other`.
    fn is_subset(&self, other: &LocalSet) -> bool {
        let mut rest = other.list.iter();
        self.list.len() <= other.list.len() && self.list.iter().all(|local| rest.any(|found| found == local))
    }

    fn remove_all(&mut self, other: &LocalSet) {
        let mut rest = other.list.iter().peekable();
        self.list.retain(|local| {
            while rest.next_if(|other| *other < local).is_some() {}
            rest.peek() != Some(&local)
        });
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
        let blocks: Vec<Effect> = function.blocks.values().map(Effect::of).collect();
        graph.settle_backward(|block| {
            let Liveness { before, after } = &mut liveness;
            let after = &mut after[number(block)];
            graph.successors(block).for_each(|next| {
                after.add_all(&before[number(next)]);
            });
            let mut live = after.clone();
            live.remove_all(&blocks[number(block)].kills);
            live.add_all(&blocks[number(block)].needs);
            before[number(block)].add_all(&live)
        });
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

/// What a block does, whatever is needed after it.
struct Effect {
    /// Needed before it.
    needs: LocalSet,
    /// Not needed before it, but for those.
    kills: LocalSet,
}

impl Effect {
    fn of(block: &Block) -> Effect {
        let mut effect = Effect { needs: LocalSet::default(), kills: LocalSet::default() };
        step_over_end(&block.end, &mut effect.needs);
        for statement in block.statements.iter().rev() {
            step_over(statement, &mut effect.needs);
            effect.kills.extend(ended(&statement.kind));
        }
        effect
    }
}

/// The local whose earlier value nobody needs after a statement.
fn ended(statement: &StatementKind) -> Option<LocalId> {
    match statement {
        StatementKind::Begin { local, .. } => Some(*local),
        other => other.written_register(),
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
    if let Some(local) = ended(kind) {
        live.remove(local);
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
