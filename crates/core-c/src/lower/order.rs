//! Keeps the order of effects: a value that was read before an effect and is used after it waits in a temporary.

use std::collections::BTreeSet;

use cast::{Expression as Source, ExpressionKind as Kind, UnaryOperator};

use super::body::Body;
use super::{Lowered, Meaning, walk};
use crate::{Expression, ExpressionKind, LocalKind, Place, PlaceBase, StepKind};

/// What evaluating a C expression may change.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Any memory.
    memory: bool,
    /// Any variable, too.
    everything: bool,
    /// Variables assigned by name.
    names: BTreeSet<String>,
}

impl Effects {
    /// A write somewhere to memory.
    pub(super) fn write() -> Effects {
        Effects { memory: true, ..Effects::default() }
    }

    pub(super) fn is_none(&self) -> bool {
        !self.memory && !self.everything && self.names.is_empty()
    }

    fn add(&mut self, expression: &Source) {
        match &expression.kind {
            Kind::Assign(_, target, _) => self.assigned(target),
            Kind::Unary(
                UnaryOperator::Increment
                | UnaryOperator::Decrement
                | UnaryOperator::IncrementAfter
                | UnaryOperator::DecrementAfter,
                target,
            ) => self.assigned(target),
            Kind::Call(callee, _) if is_pure_builtin(callee) => {}
            Kind::Call(..) | Kind::VariableArgument(_) => self.memory = true,
            Kind::Block(_) | Kind::Verbatim(_) => {
                self.memory = true;
                self.everything = true;
            }
            _ => {}
        }
        let mut found = Vec::new();
        walk::operands(expression, &mut |operand| found.push(operand), &mut |_| {});
        found.into_iter().for_each(|operand| self.add(operand));
    }

    fn assigned(&mut self, target: &Source) {
        match &target.kind {
            Kind::Name(name) => {
                self.names.insert(name.clone());
            }
            _ => self.memory = true,
        }
    }
}

/// Builtins that change nothing.
fn is_pure_builtin(callee: &Source) -> bool {
    let names = ["__builtin_expect", "__builtin_constant_p", "__builtin_object_size"];
    let begins = ["__builtin_bswap", "__builtin_rotate"];
    matches!(&callee.kind, Kind::Name(name)
        if names.contains(&name.as_str()) || begins.iter().any(|begin| name.starts_with(begin)))
}

/// What evaluating an expression may change.
pub(super) fn effects(expression: &Source) -> Effects {
    let mut effects = Effects::default();
    effects.add(expression);
    effects
}

/// What evaluating several expressions may change.
pub(super) fn effects_of<'a>(expressions: impl IntoIterator<Item = &'a Source>) -> Effects {
    let mut effects = Effects::default();
    expressions.into_iter().for_each(|expression| effects.add(expression));
    effects
}

impl Body<'_, '_> {
    /// The value, in a temporary where the effects may change what it reads.
    pub(super) fn protect(&mut self, value: Expression, effects: &Effects) -> Lowered<Expression> {
        if effects.is_none() || !self.is_touched(&value, effects) { Ok(value) } else { self.hold(value) }
    }

    /// The place, its addresses and indices in temporaries where the effects may change what they read. What the
    /// place holds may still change.
    pub(super) fn protect_place(&mut self, mut place: Place, effects: &Effects) -> Lowered<Place> {
        if effects.is_none() {
            return Ok(place);
        }
        if let PlaceBase::Pointee(pointer) = place.base {
            place.base = PlaceBase::Pointee(Box::new(self.protect(*pointer, effects)?));
        }
        for step in &mut place.steps {
            if let StepKind::Index(index) = &mut step.kind {
                **index = self.protect((**index).clone(), effects)?;
            }
        }
        Ok(place)
    }

    fn is_touched(&self, value: &Expression, effects: &Effects) -> bool {
        match &value.kind {
            ExpressionKind::Integer(_)
            | ExpressionKind::Float(_)
            | ExpressionKind::Function(_)
            | ExpressionKind::Label(_) => false,
            ExpressionKind::Local(local) => {
                // A temporary is written once for each use.
                let name = &self.locals[*local].name;
                !name.is_empty() && (effects.everything || effects.names.contains(name))
            }
            ExpressionKind::Load(place) => {
                (self.writes_memory(effects) && !self.is_constant(place)) || self.is_place_touched(place, effects)
            }
            ExpressionKind::Address(place) => self.is_place_touched(place, effects),
            ExpressionKind::Unary(_, a) | ExpressionKind::Convert(a) => self.is_touched(a, effects),
            ExpressionKind::Binary(_, a, b)
            | ExpressionKind::Distance(a, b)
            | ExpressionKind::Offset { pointer: a, count: b, .. } => {
                self.is_touched(a, effects) || self.is_touched(b, effects)
            }
            ExpressionKind::Opaque { operands, .. } => operands.iter().any(|value| self.is_touched(value, effects)),
        }
    }

    fn is_place_touched(&self, place: &Place, effects: &Effects) -> bool {
        let base = match &place.base {
            PlaceBase::Pointee(pointer) => self.is_touched(pointer, effects),
            PlaceBase::Local(_) | PlaceBase::Global(_) => false,
        };
        base || place.steps.iter().any(|step| match &step.kind {
            StepKind::Index(index) => self.is_touched(index, effects),
            StepKind::Field { .. } => false,
        })
    }

    fn writes_memory(&self, effects: &Effects) -> bool {
        let in_memory = |name: &String| match self.meaning(name) {
            Some(Meaning::Local(local)) => self.locals[local].kind == LocalKind::Memory,
            _ => true,
        };
        effects.memory || effects.names.iter().any(in_memory)
    }

    fn is_constant(&self, place: &Place) -> bool {
        matches!(place.base, PlaceBase::Global(global) if self.context.program.globals[global].constant)
    }
}
