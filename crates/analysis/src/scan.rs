//! What one look at the whole program tells: which globals are never changed, which functions allocate.

use std::collections::BTreeSet;

use core_c::{
    Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, Linkage, Place, PlaceBase, Program,
    StatementKind,
};

use crate::effects::{Effect, Effects, Outcome, builtin};

/// Facts about a program.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Globals that hold their initial value for ever.
    pub(crate) constant: BTreeSet<GlobalId>,
    /// Globals that pointers from outside may lead to.
    pub(crate) reachable: BTreeSet<GlobalId>,
    /// Functions that call an allocating function: what they allocate is told apart by their callers.
    pub(crate) allocating: BTreeSet<FunctionId>,
}

/// The meaning of a function without a body.
pub(crate) fn effect_of(function: &Function, effects: &dyn Effects) -> Option<Effect> {
    let name = crate::object::plain(&function.name);
    effects.of(name).or_else(|| builtin(name)).or_else(|| effects.of(name.strip_prefix("__builtin_")?))
}

impl Scan {
    pub(crate) fn of(program: &Program, effects: &dyn Effects) -> Scan {
        let mut seen = Seen::default();
        for global in program.globals.values() {
            global.initial.iter().flatten().for_each(|initial| seen.expression(&initial.value));
        }
        let mut scan = Scan::default();
        for (id, function) in program.functions.iter() {
            if function.refused.is_some() {
                seen.refused = true;
            }
            seen.function(function);
            let called = function.blocks.values().flat_map(|block| &block.statements).filter_map(|statement| {
                match &statement.kind {
                    StatementKind::Call { callee: Callee::Function(callee), .. } => Some(&program.functions[*callee]),
                    _ => None,
                }
            });
            let fresh = |callee: &Function| match effect_of(callee, effects) {
                Some(Effect::Described(described)) => matches!(described.result, Outcome::Fresh { .. }),
                _ => false,
            };
            if called.filter(|callee| is_outside(callee)).any(fresh) {
                scan.allocating.insert(id);
            }
        }
        for (id, global) in program.globals.iter() {
            let hidden = global.linkage == Linkage::Internal || global.literal.is_some();
            // A function that is not modelled may do anything to what it can name.
            let untouched = hidden && !seen.refused && !seen.written.contains(&id) && !seen.addressed.contains(&id);
            if global.initial.is_some() && (global.constant || global.literal.is_some() || untouched) {
                scan.constant.insert(id);
            } else if !hidden || seen.addressed.contains(&id) {
                scan.reachable.insert(id);
            }
        }
        scan
    }
}

/// True where the program has no body that it could look into.
pub(crate) fn is_outside(function: &Function) -> bool {
    function.blocks.is_empty() || function.refused.is_some()
}

#[derive(Default)]
struct Seen {
    written: BTreeSet<GlobalId>,
    addressed: BTreeSet<GlobalId>,
    refused: bool,
}

impl Seen {
    fn function(&mut self, function: &Function) {
        for block in function.blocks.values() {
            for statement in &block.statements {
                for (access, place) in statement.kind.places() {
                    if access == core_c::Access::Write
                        && let PlaceBase::Global(global) = place.base
                    {
                        self.written.insert(global);
                    }
                }
                statement.kind.expressions().into_iter().for_each(|value| self.expression(value));
            }
            block.end.expressions().into_iter().for_each(|value| self.expression(value));
        }
    }

    fn expression(&mut self, expression: &Expression) {
        expression.walk(&mut |part| {
            if let ExpressionKind::Address(place) = &part.kind
                && let Place { base: PlaceBase::Global(global), .. } = **place
            {
                self.addressed.insert(global);
            }
        });
    }
}
