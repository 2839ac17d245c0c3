//! Temporaries that are read once go into the expression that reads them, where nothing in between changes what they
//! are made of.

use std::collections::BTreeMap;

use super::alias;
use super::uses::Uses;
use crate::{Expression, ExpressionKind, Function, LocalId, Program, Statement, StatementKind};

/// Expressions of more parts are not easy to read.
const LARGEST: usize = 30;

/// True where something changed.
pub(super) fn fold(program: &Program, function: &mut Function) -> bool {
    let uses = Uses::of(function);
    let folded = may_go(function, &uses);
    let mut changed = false;
    for (_, block) in function.blocks.iter_mut() {
        let mut folder = Folder { program, uses: &uses, folded: &folded, waiting: BTreeMap::new(), taken: Vec::new() };
        for at in 0..block.statements.len() {
            folder.statement(at, &mut block.statements[at]);
        }
        block.end.expressions_mut().into_iter().for_each(|value| folder.put(value));
        changed |= !folder.taken.is_empty();
        let mut at = 0;
        let taken = &folder.taken;
        block.statements.retain(|_| {
            at += 1;
            !taken.contains(&(at - 1))
        });
    }
    changed
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
    /// Values that wait for their reader, with the statement that made them.
    waiting: BTreeMap<LocalId, (usize, Expression)>,
    taken: Vec<usize>,
}

impl Folder<'_> {
    fn statement(&mut self, at: usize, statement: &mut Statement) {
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
            && self.folded[crate::graph::number(*local)]
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
                self.taken.push(*at);
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
