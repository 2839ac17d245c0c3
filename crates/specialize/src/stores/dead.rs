//! Stores that are overwritten before anybody looks.
//!
//! In: a function and the objects that are its own. Out: the function without such stores. A backward analysis: at each
//! point, which bytes every path from there writes before it reads them. Private objects outlive the function, variables do
//! not.

use std::collections::BTreeMap;

use core_c::graph::Graph;
use core_c::{Block, BlockId, Function, Place, StatementKind, Terminator};

use super::bases::{Base, BaseSet, Bases, Spot, loads, reads};
use super::leaks::{Leaks, Manner};
use super::ranges::{Range, Ranges};

/// Bytes that will be written before they are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Doomed(BTreeMap<Base, Ranges>);

impl Doomed {
    fn covers(&self, base: Base, range: Range) -> bool {
        self.0.get(&base).is_some_and(|ranges| ranges.covers(range))
    }

    fn common(&self, other: &Doomed) -> Doomed {
        let both = self.0.iter().filter_map(|(base, ranges)| Some((*base, ranges.common(other.0.get(base)?))));
        Doomed(both.filter(|(_, ranges)| !ranges.is_empty()).collect())
    }

    fn spare(&mut self, bases: &BaseSet) {
        bases.iter().for_each(|base| drop(self.0.remove(base)));
    }
}

struct Pass<'a> {
    bases: &'a Bases<'a>,
    leaks: &'a Leaks<'a>,
    /// Every variable in memory.
    variables: Doomed,
}

/// True where something changed.
pub(super) fn remove(function: &mut Function, bases: &Bases<'_>, leaks: &Leaks<'_>) -> bool {
    let in_memory = function.locals.iter().filter(|(_, local)| local.kind == core_c::LocalKind::Memory);
    let variables = Doomed(in_memory.map(|(id, _)| (Base::Local(id), Ranges::all())).collect());
    let pass = Pass { bases, leaks, variables };
    let graph = Graph::of(function);
    let mut before: BTreeMap<BlockId, Doomed> = BTreeMap::new();
    let mut changed = true;
    while changed {
        changed = false;
        for block in graph.order().rev() {
            let doomed = pass.through(&graph, &before, block, &function.blocks[block], &mut Vec::new());
            if before.get(&block) != Some(&doomed) {
                before.insert(block, doomed);
                changed = true;
            }
        }
    }
    let mut found = false;
    for block in graph.order().collect::<Vec<_>>() {
        let mut dead = Vec::new();
        pass.through(&graph, &before, block, &function.blocks[block], &mut dead);
        found |= !dead.is_empty();
        // They were found from the last one on.
        let mut at = 0;
        function.blocks[block].statements.retain(|_| {
            let is_dead = dead.last() == Some(&at);
            if is_dead {
                dead.pop();
            }
            at += 1;
            !is_dead
        });
    }
    found
}

impl Pass<'_> {
    /// What is doomed before a block; notes the statements of it that nobody needs.
    fn through(
        &self,
        graph: &Graph,
        before: &BTreeMap<BlockId, Doomed>,
        id: BlockId,
        block: &Block,
        dead: &mut Vec<usize>,
    ) -> Doomed {
        // A path that has not been looked at yet agrees to everything.
        let ways = graph.successors(id).filter_map(|next| before.get(&next));
        let mut doomed =
            ways.fold(None, |met: Option<Doomed>, way| Some(met.map_or_else(|| way.clone(), |met| met.common(way))));
        let leaked = self.leaks.along(id, &block.statements);
        let at_end = &leaked[block.statements.len()];
        let doomed = doomed.get_or_insert_with(|| match block.end {
            Terminator::Return(_) | Terminator::Unreachable => self.variables.clone(),
            _ => self.everything(),
        });
        let mut read = Vec::new();
        block.end.expressions().into_iter().for_each(|value| loads(value, &mut |place| read.push(place)));
        read.extend(block.end.place());
        read.into_iter().for_each(|place| self.read(place, at_end, doomed));
        for (at, statement) in block.statements.iter().enumerate().rev() {
            if self.step(&statement.kind, &leaked[at], doomed) {
                dead.push(at);
            }
        }
        std::mem::take(doomed)
    }

    fn everything(&self) -> Doomed {
        let mut all = self.variables.clone();
        all.0.extend(self.bases.pointees().map(|base| (base, Ranges::all())));
        all
    }

    /// Goes back over a statement; true where nobody needs it.
    fn step(&self, statement: &StatementKind, leaked: &BaseSet, doomed: &mut Doomed) -> bool {
        let written = match statement {
            StatementKind::Store { place, .. } | StatementKind::Zero { place } => Some(place),
            StatementKind::Copy { to, from } if !from.volatile => Some(to),
            _ => None,
        };
        if let Some(place) = written.filter(|place| !place.volatile)
            && let Spot::Bytes(base, range) = self.bases.spot(place)
        {
            if doomed.covers(base, range) {
                return true;
            }
            doomed.0.entry(base).or_default().add(range);
        }
        match statement {
            StatementKind::Begin { local, .. } => drop(doomed.0.insert(Base::Local(*local), Ranges::all())),
            StatementKind::Assembly { .. } => doomed.0.clear(),
            StatementKind::Call { callee, .. } => {
                if self.leaks.manner(callee) == Manner::Unknown {
                    doomed.0.retain(|base, _| matches!(base, Base::Local(_)));
                }
                let mut known = leaked.clone();
                self.leaks.add(statement, &mut known);
                doomed.spare(&self.leaks.touched(statement, &known));
            }
            _ => {}
        }
        // Who else has an address may look whenever something volatile is done.
        if statement.places().into_iter().any(|(_, place)| place.volatile) {
            doomed.spare(leaked);
        }
        reads(statement, &mut |place| self.read(place, leaked, doomed));
        false
    }

    fn read(&self, place: &Place, leaked: &BaseSet, doomed: &mut Doomed) {
        match self.bases.spot(place) {
            Spot::Bytes(base, range) => {
                if let Some(ranges) = doomed.0.get_mut(&base) {
                    ranges.remove(range);
                }
            }
            Spot::Among(bases) => {
                doomed.spare(&bases);
                doomed.spare(leaked);
            }
            Spot::Elsewhere => {}
        }
    }
}
