//! Two registers of which one is copied to the other, and that are never needed at once with different values, are one.
//!
//! As register allocators do it (Chaitin, "Register Allocation & Spilling via Graph Coloring", 1982), but only for
//! copies, and not where that would lose a name of the source.

use std::collections::{BTreeMap, BTreeSet};

use crate::graph::{Graph, Liveness, step_over, step_over_end};
use crate::{Expression, ExpressionKind, Function, LocalId, LocalKind, Program, StatementKind};

/// True where something changed.
pub(super) fn coalesce(_: &Program, function: &mut Function) -> bool {
    let pairs = copies(function);
    if pairs.is_empty() {
        return false;
    }
    let conflicts = Conflicts::of(function, &pairs);
    let mut groups = Groups { conflicts, into: BTreeMap::new() };
    let mut changed = false;
    for (to, from) in pairs {
        changed |= groups.join(function, to, from);
    }
    if changed {
        rename(function, &groups);
    }
    changed
}

/// The copies between registers of one type, of which one may disappear.
fn copies(function: &Function) -> Vec<(LocalId, LocalId)> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for statement in function.blocks.values().flat_map(|block| &block.statements) {
        if let StatementKind::Set { local: to, value: Expression { kind: ExpressionKind::Local(from), .. } } =
            statement.kind
            && to != from
            && function.locals[to].ty == function.locals[from].ty
            && seen.insert((to, from))
        {
            found.push((to, from));
        }
    }
    found
}

/// Registers that hold different values at one time.
struct Conflicts {
    with: BTreeMap<LocalId, BTreeSet<LocalId>>,
}

impl Conflicts {
    fn of(function: &Function, pairs: &[(LocalId, LocalId)]) -> Conflicts {
        let concerned: BTreeSet<LocalId> = pairs.iter().flat_map(|(to, from)| [*to, *from]).collect();
        let mut conflicts = Conflicts { with: BTreeMap::new() };
        let graph = Graph::of(function);
        let liveness = Liveness::of(function, &graph);
        for block in graph.order() {
            let mut live = liveness.after(block).clone();
            step_over_end(&function.blocks[block].end, &mut live);
            for statement in function.blocks[block].statements.iter().rev() {
                if let Some(written) = statement.kind.written_register().filter(|written| concerned.contains(written)) {
                    let source = match &statement.kind {
                        StatementKind::Set {
                            value: Expression { kind: ExpressionKind::Local(source), .. }, ..
                        } => Some(*source),
                        _ => None,
                    };
                    for other in live.iter().filter(|other| *other != written && Some(*other) != source) {
                        conflicts.add(written, other);
                    }
                }
                step_over(statement, &mut live);
            }
        }
        // Parameters have their values at once, before anything else.
        for (at, one) in function.parameters.iter().enumerate() {
            function.parameters[at + 1..].iter().for_each(|other| conflicts.add(*one, *other));
        }
        if let Some(entry) = graph.order().next() {
            let live: Vec<LocalId> = liveness.before(entry).iter().collect();
            for parameter in &function.parameters {
                live.iter().filter(|other| *other != parameter).for_each(|other| conflicts.add(*parameter, *other));
            }
        }
        conflicts
    }

    fn add(&mut self, one: LocalId, other: LocalId) {
        self.with.entry(one).or_default().insert(other);
        self.with.entry(other).or_default().insert(one);
    }

    fn has(&self, one: LocalId, other: LocalId) -> bool {
        self.with.get(&one).is_some_and(|with| with.contains(&other))
    }

    /// What conflicts with `from` conflicts with `to` from now on.
    fn merge(&mut self, to: LocalId, from: LocalId) {
        for other in self.with.remove(&from).unwrap_or_default() {
            if let Some(with) = self.with.get_mut(&other) {
                with.remove(&from);
            }
            self.add(to, other);
        }
    }
}

struct Groups {
    conflicts: Conflicts,
    /// What each register became a part of.
    into: BTreeMap<LocalId, LocalId>,
}

impl Groups {
    fn of(&self, local: LocalId) -> LocalId {
        let mut at = local;
        while let Some(next) = self.into.get(&at) {
            at = *next;
        }
        at
    }

    fn join(&mut self, function: &Function, to: LocalId, from: LocalId) -> bool {
        let (to, from) = (self.of(to), self.of(from));
        let Some((kept, gone)) = ranked(function, to, from) else { return false };
        if to == from || self.conflicts.has(to, from) {
            return false;
        }
        self.conflicts.merge(kept, gone);
        self.into.insert(gone, kept);
        true
    }
}

/// Which of two registers keeps its name; none where both have names that tell something.
fn ranked(function: &Function, one: LocalId, other: LocalId) -> Option<(LocalId, LocalId)> {
    let is_parameter = |local| function.parameters.contains(&local);
    let name = |local: LocalId| function.locals[local].name.split('@').next().unwrap_or_default();
    let alike = name(one) == name(other);
    match (is_parameter(one), is_parameter(other)) {
        (true, true) => None,
        (true, false) if alike || name(other).is_empty() => Some((one, other)),
        (false, true) if alike || name(one).is_empty() => Some((other, one)),
        (false, false) if name(other).is_empty() || alike => Some((one, other)),
        (false, false) if name(one).is_empty() => Some((other, one)),
        _ => None,
    }
}

fn rename(function: &mut Function, groups: &Groups) {
    let kinds: Vec<LocalKind> = function.locals.values().map(|local| local.kind).collect();
    let put = |local: &mut LocalId| {
        if kinds[crate::graph::number(*local)] == LocalKind::Register {
            *local = groups.of(*local);
        }
    };
    let in_expression = |value: &mut Expression| {
        value.walk_mut(&mut |part| {
            if let ExpressionKind::Local(local) = &mut part.kind {
                put(local);
            }
        });
    };
    for (_, block) in function.blocks.iter_mut() {
        for statement in &mut block.statements {
            statement.kind.expressions_mut().into_iter().for_each(in_expression);
            if let Some(local) = statement.kind.written_register_mut() {
                put(local);
            }
        }
        block.statements.retain(|statement| {
            !matches!(&statement.kind, StatementKind::Set { local, value } if value.kind == ExpressionKind::Local(*local))
        });
        block.end.expressions_mut().into_iter().for_each(in_expression);
    }
}
