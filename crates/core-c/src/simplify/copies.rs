//! Reads of a register that holds what another register, a constant or the address of an object is, read that.
//!
//! A forward data-flow analysis: at each point, which registers are known to be equal to something simple on every
//! way there.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{Graph, Liveness};
use crate::{BlockId, Expression, ExpressionKind, Function, LocalId, PlaceBase, Program, StatementKind, StepKind};

/// True where something changed.
pub(super) fn propagate(program: &Program, function: &mut Function) -> bool {
    let graph = Graph::of(function);
    let liveness = Liveness::of(function, &graph);
    let mut before: BTreeMap<BlockId, Known> = BTreeMap::new();
    let mut after: BTreeMap<BlockId, Known> = BTreeMap::new();
    graph.settle_forward(|block| {
        let mut known = met(&graph, block, &after);
        before.insert(block, known.clone());
        for statement in &function.blocks[block].statements {
            known.step(program, function, &statement.kind);
        }
        known.equal.retain(|local, _| liveness.after(block).contains(*local));
        let changed = after.get(&block).is_none_or(|earlier| earlier.equal != known.equal);
        if changed {
            after.insert(block, known);
        }
        changed
    });
    let mut changed = false;
    for block in graph.order() {
        let mut known = before.remove(&block).unwrap_or_default();
        known.index();
        let mut statements = std::mem::take(&mut function.blocks[block].statements);
        for statement in &mut statements {
            if !matches!(statement.kind, StatementKind::Assembly { .. }) {
                statement.kind.expressions_mut().into_iter().for_each(|value| changed |= known.replace(value));
            }
            known.step(program, function, &statement.kind);
        }
        function.blocks[block].statements = statements;
        function.blocks[block].end.expressions_mut().into_iter().for_each(|value| changed |= known.replace(value));
    }
    changed
}

/// What all ways to a block agree on; a way that has not been looked at yet agrees to everything.
fn met(graph: &Graph, block: BlockId, after: &BTreeMap<BlockId, Known>) -> Known {
    let mut result: Option<Known> = None;
    // Nothing is known at the start.
    if graph.position(block) == Some(0) {
        return Known::default();
    }
    for way in graph.predecessors(block).filter_map(|before| after.get(&before)) {
        match &mut result {
            None => result = Some(Known { equal: way.equal.clone(), readers: BTreeMap::new() }),
            Some(known) => {
                known.equal.retain(|local, value| way.equal.get(local).is_some_and(|other| same(other, value)))
            }
        }
    }
    let mut known = result.unwrap_or_default();
    known.index();
    known
}

/// The registers that are equal to something simple.
#[derive(Clone, Default)]
struct Known {
    equal: BTreeMap<LocalId, Expression>,
    /// For each register, those that are equal to it.
    readers: BTreeMap<LocalId, BTreeSet<LocalId>>,
}

fn same(left: &Expression, right: &Expression) -> bool {
    left.kind == right.kind && left.ty == right.ty
}

impl Known {
    fn index(&mut self) {
        self.readers.clear();
        for (local, value) in &self.equal {
            if let ExpressionKind::Local(source) = value.kind {
                self.readers.entry(source).or_default().insert(*local);
            }
        }
    }

    fn step(&mut self, program: &Program, function: &Function, statement: &StatementKind) {
        let Some(written) = statement.written_register() else { return };
        self.forget(written);
        let StatementKind::Set { value, .. } = statement else { return };
        let mut value = value.clone();
        if let ExpressionKind::Local(source) = value.kind
            && let Some(known) = self.equal.get(&source)
        {
            value = known.clone();
        }
        let is_itself = matches!(value.kind, ExpressionKind::Local(source) if source == written);
        if is_itself || !is_simple(program, &value) || value.ty != function.locals[written].ty {
            return;
        }
        if let ExpressionKind::Local(source) = value.kind {
            self.readers.entry(source).or_default().insert(written);
        }
        value.span = None;
        self.equal.insert(written, value);
    }

    fn forget(&mut self, written: LocalId) {
        if let Some(Expression { kind: ExpressionKind::Local(source), .. }) = self.equal.remove(&written)
            && let Some(readers) = self.readers.get_mut(&source)
        {
            readers.remove(&written);
        }
        for reader in self.readers.remove(&written).unwrap_or_default() {
            self.equal.remove(&reader);
        }
    }

    fn replace(&self, value: &mut Expression) -> bool {
        let mut changed = false;
        value.walk_mut(&mut |part| {
            if let ExpressionKind::Local(local) = part.kind
                && let Some(known) = self.equal.get(&local)
            {
                *part = Expression { span: part.span, ..known.clone() };
                changed = true;
            }
        });
        changed
    }
}

/// True for what is as short as a register's name.
fn is_simple(program: &Program, value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Local(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_) => true,
        ExpressionKind::Address(place) => {
            let is_object = match place.base {
                PlaceBase::Local(_) => true,
                PlaceBase::Global(global) => program.globals[global].literal.is_none(),
                PlaceBase::Pointee(_) => false,
            };
            is_object
                && place.steps.len() < 3
                && place.steps.iter().all(|step| matches!(step.kind, StepKind::Field { .. }))
        }
        _ => false,
    }
}
