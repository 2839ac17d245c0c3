//! Which globals a function may touch, itself or through what it calls: code of the program that the residual program
//! calls as it stands finds them where they are.

use std::collections::BTreeSet;

use core_c::{Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, Place, PlaceBase, Program};
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
