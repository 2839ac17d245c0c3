//! What nobody looks at goes: values of registers that are not read, stores to locals that are not read any more.

use super::uses::Uses;
use crate::graph::{Graph, LocalSet, number};
use crate::{
    Access, Expression, ExpressionKind, Function, LocalId, Place, Program, Receiver, StatementKind, Terminator,
};

/// True where something changed.
pub(super) fn remove(program: &Program, function: &mut Function) -> bool {
    let graph = Graph::of(function);
    let uses = Uses::of(function);
    let wanted = Wanted { program, function, uses: &uses };
    let mut before = vec![LocalSet::default(); function.blocks.len()];
    graph.settle_backward(|block| {
        let live = wanted.before(&graph, block, &before);
        before[number(block)].add_all(&live)
    });
    let mut dead: Vec<(crate::BlockId, Vec<Fate>)> = Vec::new();
    for block in graph.order() {
        let mut live = LocalSet::default();
        for next in graph.successors(block) {
            live.add_all(&before[number(next)]);
        }
        wanted.step_end(&function.blocks[block].end, &mut live);
        let statements = function.blocks[block].statements.iter().rev();
        let mut fates: Vec<Fate> = statements.map(|statement| wanted.step(&statement.kind, &mut live)).collect();
        fates.reverse();
        dead.push((block, fates));
    }
    let mut changed = false;
    for (block, fates) in dead {
        let mut fates = fates.into_iter();
        function.blocks[block].statements.retain_mut(|statement| match fates.next() {
            Some(Fate::Gone) => {
                changed = true;
                false
            }
            Some(Fate::WithoutReceiver) => {
                if let StatementKind::Call { receiver, .. } = &mut statement.kind {
                    changed = true;
                    *receiver = None;
                }
                true
            }
            _ => true,
        });
    }
    changed
}

/// What becomes of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    Stays,
    Gone,
    WithoutReceiver,
}

struct Wanted<'a> {
    program: &'a Program,
    function: &'a Function,
    uses: &'a Uses,
}

impl Wanted<'_> {
    /// What is wanted before a block.
    fn before(&self, graph: &Graph, block: crate::BlockId, before: &[LocalSet]) -> LocalSet {
        let mut live = LocalSet::default();
        for next in graph.successors(block) {
            live.add_all(&before[number(next)]);
        }
        self.step_end(&self.function.blocks[block].end, &mut live);
        for statement in self.function.blocks[block].statements.iter().rev() {
            self.step(&statement.kind, &mut live);
        }
        live
    }

    /// Turns what is wanted after a statement into what is wanted before it.
    fn step(&self, statement: &StatementKind, live: &mut LocalSet) -> Fate {
        let fate = self.fate(statement, live);
        if fate == Fate::Gone {
            return fate;
        }
        if let Some(local) = statement.written_register() {
            live.remove(local);
        }
        for (access, place) in statement.places() {
            if access == Access::Write && self.is_whole(place) {
                place.local_base().into_iter().for_each(|local| live.remove(local));
            }
        }
        if let StatementKind::Begin { local, .. } = statement {
            live.remove(*local);
        }
        for (access, place) in statement.places() {
            // An assembly may read what it is said to write.
            if access == Access::Read || matches!(statement, StatementKind::Assembly { .. }) {
                live.extend(place.local_base());
            }
        }
        statement.expressions().into_iter().for_each(|value| reads(value, live));
        fate
    }

    fn step_end(&self, end: &Terminator, live: &mut LocalSet) {
        end.expressions().into_iter().for_each(|value| reads(value, live));
        live.extend(end.place().and_then(Place::local_base));
    }

    fn fate(&self, statement: &StatementKind, live: &LocalSet) -> Fate {
        let unread = |place: &Place| {
            let hidden = place.local_base().filter(|local| !self.uses.is_addressed(*local));
            !place.volatile && hidden.is_some_and(|local| !live.contains(local))
        };
        match statement {
            StatementKind::Set { local, .. } if !live.contains(*local) => Fate::Gone,
            StatementKind::Set { local, value } if is_local(value, *local) => Fate::Gone,
            StatementKind::Store { place, .. } | StatementKind::Zero { place } if unread(place) => Fate::Gone,
            StatementKind::Copy { to, from } if to == from || (unread(to) && !from.volatile) => Fate::Gone,
            StatementKind::Begin { local, .. } if !self.uses.is_mentioned(*local) => Fate::Gone,
            StatementKind::Call { receiver: Some(Receiver::Object(place)), .. } if unread(place) => {
                if self.is_argument(statement) { Fate::Stays } else { Fate::WithoutReceiver }
            }
            StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } if !live.contains(*local) => {
                // What `va_arg` gives says of which type it is.
                if self.is_argument(statement) { Fate::Stays } else { Fate::WithoutReceiver }
            }
            _ => Fate::Stays,
        }
    }

    fn is_argument(&self, statement: &StatementKind) -> bool {
        match statement {
            StatementKind::Call { callee: crate::Callee::Function(function), .. } => {
                self.program.functions[*function].name.starts_with("__builtin_va_arg")
            }
            _ => false,
        }
    }

    /// True where a write leaves nothing of what was there.
    fn is_whole(&self, place: &Place) -> bool {
        let Some(local) = place.local_base() else { return false };
        place.steps.is_empty() && place.ty == self.function.locals[local].ty && !place.volatile
    }
}

fn is_local(value: &Expression, local: LocalId) -> bool {
    matches!(value.kind, ExpressionKind::Local(found) if found == local)
}

fn reads(value: &Expression, live: &mut LocalSet) {
    value.walk(&mut |part| match &part.kind {
        ExpressionKind::Local(local) => live.extend([*local]),
        ExpressionKind::Load(place) | ExpressionKind::Address(place) => live.extend(place.local_base()),
        _ => {}
    });
}
