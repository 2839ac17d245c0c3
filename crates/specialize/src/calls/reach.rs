//! Which globals a function may touch, itself or through what it calls: code of the program that the residual program
//! calls as it stands finds them where they are.

use std::collections::BTreeSet;

use core_c::{Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, Linkage, Place, PlaceBase, Program};
use core_c::{StatementKind, Terminator};

/// What running a function may touch; functions whose addresses it takes count as run.
pub(crate) fn globals(program: &Program, function: FunctionId) -> BTreeSet<GlobalId> {
    let mut found = Found::default();
    found.waiting.push(function);
    while let Some(function) = found.waiting.pop() {
        if !found.functions.insert(function) {
            continue;
        }
        let data = &program.functions[function];
        if data.refused.is_some() {
            return program.globals.iter().map(|(global, _)| global).collect();
        }
        found.function(data);
    }
    found.globals
}

/// Globals that a pointer may lead to: other files know them, or the program takes their address. Where code is kept as
/// text, that is all of them.
pub(crate) fn addressed(program: &Program) -> BTreeSet<GlobalId> {
    let all = || program.globals.iter().map(|(global, _)| global).collect();
    let mut found: BTreeSet<GlobalId> = BTreeSet::new();
    let mut is_text = false;
    let mut look = |value: &Expression| {
        value.walk(&mut |part| match &part.kind {
            ExpressionKind::Address(place) => {
                if let PlaceBase::Global(global) = place.base {
                    found.insert(global);
                }
            }
            ExpressionKind::Opaque { .. } => is_text = true,
            _ => {}
        });
    };
    for function in program.functions.values() {
        for block in function.blocks.values() {
            let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
            statements.chain(block.end.expressions()).for_each(&mut look);
        }
    }
    program.globals.values().flat_map(|global| global.initial.iter().flatten()).for_each(|part| look(&part.value));
    let is_kept = |function: &Function| {
        let mut statements = function.blocks.values().flat_map(|block| &block.statements);
        function.refused.is_some() || statements.any(|one| matches!(one.kind, StatementKind::Assembly { .. }))
    };
    if is_text || program.functions.values().any(is_kept) {
        return all();
    }
    let others = program.globals.iter().filter(|(_, global)| global.linkage == Linkage::External);
    found.extend(others.map(|(id, _)| id));
    found
}

#[derive(Default)]
struct Found {
    globals: BTreeSet<GlobalId>,
    functions: BTreeSet<FunctionId>,
    waiting: Vec<FunctionId>,
}

impl Found {
    fn function(&mut self, function: &Function) {
        for (_, block) in function.blocks.iter() {
            for statement in &block.statements {
                statement.kind.places().into_iter().for_each(|(_, place)| self.base(place));
                statement.kind.expressions().into_iter().for_each(|expression| self.expression(expression));
                if let StatementKind::Call { callee: Callee::Function(callee), .. } = &statement.kind {
                    self.waiting.push(*callee);
                }
            }
            match &block.end {
                Terminator::Branch { condition: value, .. }
                | Terminator::Switch { value, .. }
                | Terminator::GotoAddress { address: value, .. } => self.expression(value),
                Terminator::Return(Some(core_c::Argument::Value(value))) => self.expression(value),
                Terminator::Return(Some(core_c::Argument::Object(place))) => {
                    self.base(place);
                    place.expressions().into_iter().for_each(|expression| self.expression(expression));
                }
                Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
            }
        }
    }

    fn expression(&mut self, expression: &Expression) {
        expression.walk(&mut |part| {
            part.place().into_iter().for_each(|place| self.base(place));
            if let ExpressionKind::Function(function) = &part.kind {
                self.waiting.push(*function);
            }
        });
    }

    fn base(&mut self, place: &Place) {
        if let PlaceBase::Global(global) = place.base {
            self.globals.insert(global);
        }
    }
}
