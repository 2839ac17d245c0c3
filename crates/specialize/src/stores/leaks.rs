//! Addresses that get to where others may use them: stored in memory, or kept by a function.
//!
//! In: a function and its bases. Out: which objects may be reached from elsewhere where a block begins, and what a statement
//! adds. A forward analysis.

use std::collections::BTreeMap;

use core_c::graph::Graph;
use core_c::{Argument, BlockId, Callee, Function, Program, Receiver, Shape, Statement, StatementKind};

use super::bases::{Base, BaseSet, Bases};
use crate::library::effects::Effects;

/// What a call may do to objects whose addresses it is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Manner {
    /// It looks at its arguments' values alone.
    Silent,
    /// It comes back, and keeps no address.
    Known,
    /// Anything, and it may never come back.
    Unknown,
}

pub(super) struct Leaks<'a> {
    program: &'a Program,
    effects: &'a Effects,
    bases: &'a Bases<'a>,
    before: BTreeMap<BlockId, BaseSet>,
}

impl<'a> Leaks<'a> {
    pub(super) fn of(
        program: &'a Program,
        function: &Function,
        effects: &'a Effects,
        bases: &'a Bases<'a>,
    ) -> Leaks<'a> {
        let graph = Graph::of(function);
        let mut leaks = Leaks { program, effects, bases, before: BTreeMap::new() };
        let mut changed = true;
        while changed {
            changed = false;
            for block in graph.order() {
                let mut leaked = leaks.before(block);
                for statement in &function.blocks[block].statements {
                    leaks.add(&statement.kind, &mut leaked);
                }
                for next in graph.successors(block) {
                    let known = leaks.before.entry(next).or_default();
                    let count = known.len();
                    known.extend(leaked.iter().copied());
                    changed |= known.len() > count;
                }
            }
        }
        leaks
    }

    pub(super) fn before(&self, block: BlockId) -> BaseSet {
        self.before.get(&block).cloned().unwrap_or_default()
    }

    /// What is reached from elsewhere before each statement of a block, and at its end.
    pub(super) fn along(&self, block: BlockId, statements: &[Statement]) -> Vec<BaseSet> {
        let mut leaked = vec![self.before(block)];
        for statement in statements {
            let mut next = leaked.last().cloned().unwrap_or_default();
            self.add(&statement.kind, &mut next);
            leaked.push(next);
        }
        leaked
    }

    /// What is reached from elsewhere after a statement, from what was before it.
    pub(super) fn add(&self, statement: &StatementKind, leaked: &mut BaseSet) {
        match statement {
            StatementKind::Store { value, .. } => leaked.extend(self.bases.reached(value)),
            StatementKind::Copy { from, .. } => leaked.extend(self.bases.held(from)),
            StatementKind::Call { callee, arguments, .. } if self.may_keep(callee, arguments) => {
                leaked.extend(self.bases.handed(arguments));
            }
            StatementKind::Assembly { .. } => {
                for value in statement.expressions() {
                    leaked.extend(self.bases.reached(value));
                }
                let outputs = statement.places().into_iter().filter_map(|(_, place)| place.local_base());
                leaked.extend(outputs.map(Base::Local));
            }
            _ => return,
        }
        self.bases.behind(leaked);
    }

    pub(super) fn manner(&self, callee: &Callee) -> Manner {
        let Callee::Function(callee) = callee else { return Manner::Unknown };
        let callee = &self.program.functions[*callee];
        if callee.has_body() {
            return Manner::Unknown;
        }
        let name = callee.name.as_str();
        match self.effects.comes_back(name) {
            false => Manner::Unknown,
            true if matches!(name.trim_start_matches("__builtin_"), "htonl" | "ntohl" | "htons" | "ntohs")
                || name.starts_with("__builtin_bswap") =>
            {
                Manner::Silent
            }
            true => Manner::Known,
        }
    }

    /// True where a call may put one of its arguments where others find it: `strtol` puts it into its second one.
    fn may_keep(&self, callee: &Callee, arguments: &[Argument]) -> bool {
        let types = &self.program.types;
        let holds_pointers = |argument: &Argument| match argument {
            Argument::Value(value) => {
                types.element(value.ty).is_some_and(|element| matches!(types.shape_of(element), Shape::Pointer(_)))
            }
            Argument::Object(_) => false,
        };
        self.manner(callee) == Manner::Unknown || arguments.iter().any(holds_pointers)
    }

    /// The objects that a call may look at or change; all where it may not come back.
    pub(super) fn touched(&self, statement: &StatementKind, leaked: &BaseSet) -> BaseSet {
        let StatementKind::Call { receiver, callee, arguments } = statement else { return BaseSet::new() };
        let mut touched = self.bases.handed(arguments);
        if let Callee::Pointer(callee) = callee {
            touched.extend(self.bases.reached(callee));
        }
        if let Some(Receiver::Object(place)) = receiver
            && let core_c::PlaceBase::Local(local) = place.base
        {
            touched.insert(Base::Local(local));
        }
        self.bases.behind(&mut touched);
        if self.manner(callee) != Manner::Silent {
            touched.extend(leaked.iter().copied());
        }
        touched
    }
}
