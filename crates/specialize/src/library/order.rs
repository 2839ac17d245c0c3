//! Comparisons of texts and bytes: `strcmp`, `strncmp`, `memcmp` (C11 section 7.24.4).
//!
//! In: such a call, with what is known of both sides. Out: its result, or facts about its sign. The standard gives the sign alone, and libraries differ in
//! the number; so the call of a program that may show the number is left to the residual program, and one whose result is only tested is done here.

use std::collections::BTreeSet;

use core_c::{
    Argument, BinaryOperator, Expression, ExpressionKind, Function, FunctionId, LocalId, PlaceBase, Receiver, Shape,
};
use core_c::{Statement, StatementKind, Terminator, TypeId, Types};

use crate::engine::{Engine, Step, mentions};
use crate::library::strings::MOST;
use crate::mutation;
use crate::scenario::Fact;
use crate::values::value::{Pointer, Value};

/// What a function does with the result of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(crate) enum Use {
    /// It looks at the sign.
    Tested,
    /// It looks at the sign, or returns the result.
    Returned,
    Shown,
}

impl Engine<'_> {
    /// The result of a comparison, where it is known as far as the program can tell.
    pub(super) fn known_comparison(
        &mut self,
        name: &str,
        values: &[(Value, TypeId)],
        receiver: Option<&Receiver>,
    ) -> Option<Value> {
        let order = self.known_order(name, values)?;
        let is_known = order == 0 || self.is_only_tested(receiver) || mutation::forgets("sign");
        is_known.then_some(Value::Integer(order))
    }

    /// The sign of what a comparison gives.
    fn known_order(&self, name: &str, values: &[(Value, TypeId)]) -> Option<i128> {
        let [(Value::Pointer(a), _), (Value::Pointer(b), _), rest @ ..] = values else { return None };
        let most = match (name, rest) {
            ("strcmp", []) => MOST,
            ("strncmp", [(Value::Integer(size), _)]) => u64::try_from(*size).ok()?.min(MOST),
            ("memcmp", [(Value::Integer(size), _)]) => u64::try_from(*size).ok().filter(|size| *size <= MOST)?,
            ("strncmp", [_]) if mutation::forgets("length") => MOST,
            _ => return None,
        };
        // All bytes that are to be compared may be read, up to the end of a text.
        let inside = |at: &Pointer| {
            let size = self.state.memory.get(at.object)?.size?;
            u64::try_from(at.offset).ok().filter(|at| at.checked_add(most).is_some_and(|end| end <= size))
        };
        if name == "memcmp" {
            inside(a).and(inside(b))?;
        }
        for at in 0..most as i64 {
            let byte = |text: &Pointer| self.known_byte(Pointer { offset: text.offset.checked_add(at)?, ..*text });
            let (a, b) = (byte(a)?, byte(b)?);
            if a != b {
                return Some(if a < b { -1 } else { 1 });
            }
            if a == 0 && name != "memcmp" {
                return Some(0);
            }
        }
        (most < MOST || name == "memcmp").then_some(0)
    }

    /// Nothing but the sign is looked at, here and in the callers that the result is returned to.
    pub(super) fn is_only_tested(&mut self, receiver: Option<&Receiver>) -> bool {
        let mut receiver = receiver.cloned();
        for at in (0..self.state.frames.len()).rev() {
            let local = match receiver {
                None => return true,
                Some(Receiver::Object(_)) => return false,
                Some(Receiver::Register(local)) => local,
            };
            match self.use_of(self.state.frames[at].function, local) {
                Use::Tested => return true,
                Use::Returned => receiver = self.state.frames[at].receiver.clone(),
                Use::Shown => return false,
            }
            if at == 0 {
                return false;
            }
        }
        false
    }

    fn use_of(&mut self, function: FunctionId, local: LocalId) -> Use {
        if let Some(known) = self.uses.get(&(function, local)) {
            return *known;
        }
        let found = Signs::of(&self.input.types, &self.input.functions[function], local).use_of_them();
        self.uses.insert((function, local), found);
        found
    }

    /// A comparison was left to the residual program: of its result the sign is known.
    pub(crate) fn learn_order(&mut self, name: &str, arguments: &[core_c::Argument], register: LocalId) -> Step<()> {
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        if !matches!(name, "strcmp" | "strncmp" | "memcmp") {
            return Ok(());
        }
        let mut values = Vec::new();
        for argument in arguments {
            let core_c::Argument::Value(value) = argument else { return Ok(()) };
            values.push((self.evaluate(value)?, value.ty));
        }
        let Some(order) = self.known_order(name, &values) else { return Ok(()) };
        let (ty, int) = (self.residual.locals[register].ty, self.types.int());
        use BinaryOperator as B;
        for (operator, holds) in [
            (B::Less, order < 0),
            (B::LessEqual, order <= 0),
            (B::Greater, order > 0),
            (B::GreaterEqual, order >= 0),
            (B::Equal, order == 0),
        ] {
            let operand = |kind| Box::new(Expression { kind, ty, span: None });
            let (left, right) = (operand(ExpressionKind::Local(register)), operand(ExpressionKind::Integer(0)));
            let expression = Expression { kind: ExpressionKind::Binary(operator, left, right), ty: int, span: None };
            self.state.facts.push(Fact { expression, value: holds.into() });
        }
        Ok(())
    }

    /// Whether a register is zero, where a fact says so.
    pub(crate) fn truth_by_fact(&mut self, register: LocalId) -> Option<Value> {
        let (ty, int) = (self.residual.locals[register].ty, self.types.int());
        let operand = |kind| Box::new(Expression { kind, ty, span: None });
        let (left, right) = (operand(ExpressionKind::Local(register)), operand(ExpressionKind::Integer(0)));
        let kind = ExpressionKind::Binary(BinaryOperator::NotEqual, left, right);
        self.by_fact(&Expression { kind, ty: int, span: None })
    }
}

/// Locals of a function that hold nothing but signs of one comparison, as far as that goes.
struct Signs<'p> {
    types: &'p Types,
    function: &'p Function,
    locals: BTreeSet<LocalId>,
}

impl<'p> Signs<'p> {
    /// A local, and those that it is copied to.
    fn of(types: &'p Types, function: &'p Function, local: LocalId) -> Signs<'p> {
        let mut signs = Signs { types, function, locals: BTreeSet::from([local]) };
        loop {
            let copies: Vec<LocalId> = signs.statements().filter_map(|statement| signs.copy(statement)).collect();
            let known = signs.locals.len();
            signs.locals.extend(copies);
            if signs.locals.len() == known {
                return signs;
            }
        }
    }

    fn statements(&self) -> impl Iterator<Item = &'p Statement> + use<'p> {
        self.function.blocks.values().flat_map(|block| &block.statements)
    }

    /// Where a statement copies a sign to.
    fn copy(&self, statement: &Statement) -> Option<LocalId> {
        match &statement.kind {
            StatementKind::Set { local, value } if self.is_sign(value) => Some(*local),
            _ => None,
        }
    }

    fn use_of_them(&self) -> Use {
        if !self.statements().all(|statement| self.only_tests(statement)) {
            return Use::Shown;
        }
        let ends = self.function.blocks.values().map(|block| &block.end);
        ends.map(|end| self.use_at(end)).fold(Use::Tested, |all, one| if one > all { one } else { all })
    }

    fn only_tests(&self, statement: &Statement) -> bool {
        let mut mentioned = BTreeSet::new();
        mentions::step_back(statement, &mut mentioned);
        if mentioned.is_disjoint(&self.locals) || self.copy(statement).is_some() {
            return true;
        }
        let is_elsewhere = |place: &core_c::Place| {
            let mut mentioned = BTreeSet::new();
            mentions::place(place, &mut mentioned);
            mentioned.is_disjoint(&self.locals)
        };
        match &statement.kind {
            StatementKind::Set { value, .. } => self.is_test(value),
            StatementKind::Store { place, value } => is_elsewhere(place) && self.is_test(value),
            StatementKind::Call { receiver, callee: core_c::Callee::Function(_), arguments } => {
                let is_kept = |argument: &Argument| match argument {
                    Argument::Value(value) => self.is_test(value),
                    Argument::Object(place) => is_elsewhere(place),
                };
                let receives = !matches!(receiver, Some(Receiver::Object(place)) if !is_elsewhere(place));
                receives && arguments.iter().all(is_kept)
            }
            _ => false,
        }
    }

    fn use_at(&self, end: &Terminator) -> Use {
        let is_test = match end {
            Terminator::Return(Some(Argument::Value(value))) if self.is_sign(value) => return Use::Returned,
            Terminator::Return(Some(Argument::Value(value))) => self.is_test(value),
            Terminator::Branch { condition, .. } => self.is_sign(condition) || self.is_test(condition),
            other => {
                let mut mentioned = BTreeSet::new();
                mentions::end(other, &mut mentioned);
                mentioned.is_disjoint(&self.locals)
            }
        };
        if is_test { Use::Tested } else { Use::Shown }
    }

    /// One of the locals, as it is or in a type that keeps its sign.
    fn is_sign(&self, value: &Expression) -> bool {
        match &value.kind {
            ExpressionKind::Local(local) => self.locals.contains(local),
            ExpressionKind::Convert(inner) => {
                let keeps = matches!(
                    self.types.shape_of(value.ty),
                    Shape::Integer { bits: 32.., signed: true, .. } | Shape::Integer { boolean: true, .. }
                );
                keeps && self.is_sign(inner)
            }
            _ => false,
        }
    }

    /// Mentions them in comparisons with zero alone, if at all.
    fn is_test(&self, value: &Expression) -> bool {
        let is_zero = |value: &Expression| matches!(value.kind, ExpressionKind::Integer(0));
        match &value.kind {
            ExpressionKind::Local(local) => !self.locals.contains(local),
            ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
                let tests = |a: &Expression, b: &Expression| self.is_sign(a) && is_zero(b);
                tests(left, right) || tests(right, left) || self.is_test(left) && self.is_test(right)
            }
            ExpressionKind::Load(place) | ExpressionKind::Address(place) => {
                !matches!(place.base, PlaceBase::Local(local) if self.locals.contains(&local))
                    && place.expressions().into_iter().all(|part| self.is_test(part))
            }
            _ => value.children().into_iter().all(|part| self.is_test(part)),
        }
    }
}
