//! Whether a residual function may leave the address it gets in a parameter where others find it: stored, returned, or handed to
//! code that may keep it. In: a finished variant. Out: the parameters of which that may be so; what a caller passes in the others is as
//! private after the call as it was before. Where variants call each other, nothing is retained that none of them retains.

use std::collections::BTreeSet;

use core_c::{
    Argument, Callee, Expression, ExpressionKind, Function, LocalId, Receiver, Shape, StatementKind, Terminator,
};

use crate::engine::Engine;

/// Registers that hold an address, or a number made of one.
type Carriers = BTreeSet<LocalId>;

impl Engine<'_> {
    /// Whether the address in a parameter may be retained.
    pub(crate) fn retains(&self, function: &Function, parameter: LocalId) -> bool {
        let mut carriers = Carriers::from([parameter]);
        loop {
            let before = carriers.len();
            for statement in function.blocks.iter().flat_map(|(_, block)| &block.statements) {
                match &statement.kind {
                    StatementKind::Set { local, value } if carries(value, &carriers) => {
                        carriers.insert(*local);
                    }
                    // `memcpy` and its like return what they were given; a variant that did would be said to retain it.
                    StatementKind::Call { receiver: Some(Receiver::Register(local)), callee, arguments }
                        if !self.is_variant(callee) && arguments.iter().any(|argument| hands(argument, &carriers)) =>
                    {
                        carriers.insert(*local);
                    }
                    _ => {}
                }
            }
            if carriers.len() == before {
                break;
            }
        }
        let blocks = || function.blocks.iter().map(|(_, block)| block);
        let returned = blocks().any(|block| match &block.end {
            Terminator::Return(Some(value)) => hands(value, &carriers),
            _ => false,
        });
        returned || blocks().flat_map(|block| &block.statements).any(|kept| self.keeps(&kept.kind, &carriers))
    }

    fn is_variant(&self, callee: &Callee) -> bool {
        matches!(callee, Callee::Function(callee) if u32::from(callee.into_raw()) as usize >= self.input.functions.len())
    }

    fn keeps(&self, statement: &StatementKind, carriers: &Carriers) -> bool {
        match statement {
            StatementKind::Store { value, .. } => carries(value, carriers),
            StatementKind::Assembly { inputs, outputs, .. } => !inputs.is_empty() || !outputs.is_empty(),
            StatementKind::Call { callee, arguments, .. } => {
                let handed = arguments.iter().enumerate().filter(|(_, argument)| hands(argument, carriers));
                let mut handed = handed.map(|(at, _)| at);
                handed.any(|at| self.call_keeps(callee, arguments, at))
            }
            _ => false,
        }
    }

    fn call_keeps(&self, callee: &Callee, arguments: &[Argument], at: usize) -> bool {
        let Callee::Function(callee) = callee else { return true };
        let number = u32::from(callee.into_raw()) as usize;
        if let Some(index) = number.checked_sub(self.input.functions.len()) {
            // A parameter that is known is not passed.
            let variant = self.functions.list.get(index);
            let parameter = variant.and_then(|variant| variant.passed().nth(at));
            let known = variant.zip(parameter).map(|(variant, parameter)| (variant.source, parameter));
            return known.is_none_or(|known| self.functions.retained.contains(&known));
        }
        let data = &self.input.functions[*callee];
        let types = &self.types;
        let to_pointers = |argument: &Argument| match argument {
            Argument::Value(value) => {
                types.element(value.ty).is_some_and(|element| matches!(types.shape_of(element), Shape::Pointer(_)))
            }
            Argument::Object(_) => true,
        };
        let is_known = !data.has_body() && self.options.effects.comes_back(&data.name);
        !is_known || arguments.iter().any(to_pointers)
    }
}

fn hands(argument: &Argument, carriers: &Carriers) -> bool {
    match argument {
        Argument::Value(value) => carries(value, carriers),
        Argument::Object(_) => false,
    }
}

/// Whether a value may tell where a carrier's object is. What is loaded from there, and how two addresses compare, does not.
fn carries(value: &Expression, carriers: &Carriers) -> bool {
    match &value.kind {
        ExpressionKind::Local(local) => carriers.contains(local),
        ExpressionKind::Load(_) | ExpressionKind::Distance(..) => false,
        ExpressionKind::Binary(operator, ..) if operator.is_comparison() => false,
        ExpressionKind::Address(_)
        | ExpressionKind::Unary(..)
        | ExpressionKind::Binary(..)
        | ExpressionKind::Offset { .. }
        | ExpressionKind::Convert(_)
        | ExpressionKind::Opaque { .. } => value.children().into_iter().any(|child| carries(child, carriers)),
        _ => false,
    }
}
