//! Temporaries that are read once go into the expression that reads them, where nothing in between changes what they
//! are made of.

use std::collections::{BTreeMap, BTreeSet};

use super::alias;
use super::uses::Uses;
use crate::graph::{Graph, number};
use crate::{BlockId, Expression, ExpressionKind, Function, LocalId, Program, Statement, StatementKind};

/// Expressions of more parts are not easy to read.
const LARGEST: usize = 30;

/// True where something changed.
pub(super) fn fold(program: &Program, function: &mut Function) -> bool {
    let uses = Uses::of(function);
    let folded = may_go(function, &uses);
    let graph = Graph::of(function);
    let readers = readers(function, &folded);
    let mut folder = Folder { program, uses: &uses, folded: &folded, waiting: BTreeMap::new(), taken: BTreeSet::new() };
    // What waits at the end of a block for readers that only that block leads to.
    let mut handed: BTreeMap<BlockId, Waiting> = BTreeMap::new();
    for at in graph.order().collect::<Vec<_>>() {
        folder.waiting = handed.remove(&at).unwrap_or_default();
        let block = &mut function.blocks[at];
        for (number, statement) in block.statements.iter_mut().enumerate() {
            folder.statement((at, number), statement);
        }
        block.end.expressions_mut().into_iter().for_each(|value| folder.put(value));
        for next in graph.successors(at).filter(|next| *next != at && graph.predecessors(*next).len() == 1) {
            let reads_it = |local: &LocalId| readers.get(local).is_some_and(|reader| graph.dominates(next, *reader));
            let kept: Waiting = folder.waiting.iter().filter(|(local, _)| reads_it(local)).map(owned).collect();
            if !kept.is_empty() {
                handed.insert(next, kept);
            }
        }
    }
    let taken = folder.taken;
    for (id, block) in function.blocks.iter_mut() {
        let mut number = 0;
        block.statements.retain(|_| {
            number += 1;
            !taken.contains(&(id, number - 1))
        });
    }
    !taken.is_empty()
}

fn owned((local, waiting): (&LocalId, &(Origin, Expression))) -> (LocalId, (Origin, Expression)) {
    (*local, waiting.clone())
}

/// The block that reads each register that may disappear.
fn readers(function: &Function, folded: &[bool]) -> BTreeMap<LocalId, BlockId> {
    let mut found = BTreeMap::new();
    for (at, block) in function.blocks.iter() {
        let values = block.statements.iter().flat_map(|statement| statement.kind.expressions());
        for value in values.chain(block.end.expressions()) {
            value.walk(&mut |part| {
                if let ExpressionKind::Local(local) = part.kind
                    && folded[number(local)]
                {
                    found.insert(local, at);
                }
            });
        }
    }
    found
}

/// The registers that may disappear: read and set once, and not something that the source names, of which there is
/// one.
fn may_go(function: &Function, uses: &Uses) -> Vec<bool> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for local in function.locals.values() {
        *names.entry(local.name.as_str()).or_default() += 1;
    }
    let is_free = |id: LocalId| {
        let local = &function.locals[id];
        let is_named = !local.name.is_empty() && names.get(local.name.as_str()) == Some(&1);
        !is_named && uses.reads(id) == 1 && uses.writes(id) == 1 && !function.parameters.contains(&id)
    };
    function.locals.iter().map(|(id, _)| is_free(id)).collect()
}

struct Folder<'a> {
    program: &'a Program,
    uses: &'a Uses,
    folded: &'a [bool],
    waiting: Waiting,
    taken: BTreeSet<Origin>,
}

/// A statement by its block and number.
type Origin = (BlockId, usize);

/// Values that wait for their reader, with the statement that made them.
type Waiting = BTreeMap<LocalId, (Origin, Expression)>;

impl Folder<'_> {
    fn statement(&mut self, at: Origin, statement: &mut Statement) {
        if !matches!(statement.kind, StatementKind::Assembly { .. }) && !self.waiting.is_empty() {
            statement.kind.expressions_mut().into_iter().for_each(|value| self.put(value));
        }
        let written = statement.kind.written_register();
        let (program, uses) = (self.program, self.uses);
        self.waiting.retain(|_, (_, value)| {
            let changed = written.is_some_and(|written| reads(value, written))
                || alias::may_change(program, uses, &statement.kind, value);
            !changed
        });
        if let StatementKind::Set { local, value } = &statement.kind
            && self.folded[number(*local)]
        {
            self.waiting.insert(*local, (at, value.clone()));
        }
    }

    /// Puts what waits into an expression.
    fn put(&mut self, value: &mut Expression) {
        if self.waiting.is_empty() {
            return;
        }
        let mut size = size(value);
        value.walk_mut(&mut |part| {
            if let ExpressionKind::Local(local) = part.kind
                && let Some((at, found)) = self.waiting.get(&local)
                && size + self::size(found) <= LARGEST
            {
                size += self::size(found);
                self.taken.insert(*at);
                *part = found.clone();
                self.waiting.remove(&local);
            }
        });
    }
}

fn reads(value: &Expression, register: LocalId) -> bool {
    value.any(&mut |part| matches!(part.kind, ExpressionKind::Local(local) if local == register))
}

fn size(value: &Expression) -> usize {
    let mut count = 0;
    value.walk(&mut |_| count += 1);
    count
}
