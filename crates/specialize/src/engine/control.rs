//! Paths through the program: jumps, tests, returns.

use std::collections::BTreeSet;

use core_c::{
    Argument, BinaryOperator, BlockId, Case, Expression, ExpressionKind, LocalId, Receiver, Shape, Terminator,
};

use crate::engine::mentions;
use crate::engine::residual::End;
use crate::engine::state::{Exits, State};
use crate::engine::worklist::JoinEdge;
use crate::engine::{Engine, Step};
use crate::values::fold;
use crate::values::value::Value;

/// Rounds of a loop that each read a constant table add so many times the usual number of rounds: tables of that many rows become code.
const READING: usize = 3;

impl Engine<'_> {
    pub(crate) fn terminate(&mut self, end: &Terminator) -> Step<()> {
        match end {
            Terminator::Goto(target) => {
                self.trace.end(end, false);
                self.jump(*target)
            }
            Terminator::Branch { condition, then, otherwise } => self.branch(end, condition, (*then, *otherwise)),
            Terminator::Switch { value, cases, default } => self.switch(end, value, (cases, *default)),
            Terminator::Return(value) => {
                let (is_root, made) = (self.state.frames.len() == 1, self.made);
                self.leave(value.as_ref())?;
                self.trace.end(end, is_root || self.made > made);
                Ok(())
            }
            Terminator::GotoAddress { address, .. } => match self.evaluate(address)? {
                Value::Label(_, block) => {
                    self.trace.end(end, false);
                    self.decided += 1;
                    self.decided(block);
                    self.jump(block)
                }
                _ => self.refuse("a computed goto whose target is not known"),
            },
            Terminator::Unreachable => {
                self.trace.end(end, false);
                self.end(End::Unreachable);
                Ok(())
            }
        }
    }

    /// Goes on at a block of the same function.
    fn jump(&mut self, target: BlockId) -> Step<()> {
        let (function, chain, from) = {
            let frame = self.state.top();
            (frame.function, frame.chain, frame.block)
        };
        let flow = self.flow(function);
        let (changes, reads) = (self.state.decisions.changes, self.state.decisions.reads);
        let frame = self.state.top_mut();
        (frame.block, frame.statement) = (target, 0);
        if let Some(body) = flow.loops.get(&target) {
            let comes_back = body.contains(&from);
            let last = frame.exits.get(&target).copied().unwrap_or_default();
            let round = if comes_back { last.round + 1 } else { 0 };
            let count = |so_far: usize, more: bool| if comes_back { so_far + usize::from(more) } else { 0 };
            let steered = count(last.steered, changes > last.changes);
            let reading = count(last.reading, reads > last.reads);
            let exits = Exits { made: self.made, round, changes, reads, steered, reading, ..Exits::default() };
            frame.exits.insert(target, exits);
            let limit = match last {
                Exits { decided: false, .. } => 0,
                // Some known test stays in the loop, such as one for room, but others may end it: a few rounds, and more
                // where what is known steers them, or where each is about another row of a table.
                Exits { decided: true, residual: true, .. } => {
                    self.options.budget.rounds * (1 + steered + reading.min(READING))
                }
                Exits { decided: true, residual: false, .. } => self.options.budget.variants,
            };
            // A round that left nothing residual was computed, and is over.
            let is_short = round < self.restart_budget.rounds;
            let idle = is_short && if comes_back { last.made == self.made } else { !frame.forked };
            let before = comes_back.then_some(last.residual_head);
            let edge = JoinEdge { is_head: true, before, is_over: comes_back && (round > limit || !is_short) };
            self.enter_join((chain, target, 0), edge, idle);
        } else if flow.joins.contains(&target) {
            let idle = !frame.forked;
            self.enter_join((chain, target, 0), JoinEdge::default(), idle);
        }
        Ok(())
    }

    /// Live locals of each frame.
    pub(crate) fn live(&mut self) -> Vec<BTreeSet<LocalId>> {
        let places: Vec<_> =
            self.state.frames.iter().map(|frame| (frame.function, frame.block, frame.statement)).collect();
        let input = self.input;
        let mut live: Vec<BTreeSet<LocalId>> = places
            .into_iter()
            .map(|(function, block, statement)| {
                self.flow(function).live_at(&input.functions[function], block, statement)
            })
            .collect();
        // Where a result goes is looked up when the call returns.
        for (frame, live) in self.state.frames.iter().skip(1).zip(&mut live) {
            if let Some(Receiver::Object(place)) = &frame.receiver {
                mentions::place(place, live);
            }
        }
        live
    }

    pub(crate) fn drop_dead(&mut self, live: &[BTreeSet<LocalId>]) {
        for (frame, live) in self.state.frames.iter_mut().zip(live) {
            frame.registers.retain(|local, _| live.contains(local));
            frame.objects.retain(|local, _| live.contains(local));
        }
    }

    fn branch(&mut self, end: &Terminator, condition: &Expression, (then, otherwise): (BlockId, BlockId)) -> Step<()> {
        let value = self.evaluate(condition)?;
        let value = self.truth(value, condition)?;
        self.trace.end(end, then != otherwise && !matches!(value, Value::Integer(_)));
        if let Value::Integer(value) = value {
            let target = if value != 0 { then } else { otherwise };
            self.decided += 1;
            self.decided(target);
            return self.jump(target);
        }
        if then == otherwise {
            return self.jump(then);
        }
        let condition = self.lift(value, condition.ty)?;
        self.test_stays(&condition);
        let (on_true, on_false) = (self.residual.block(), self.residual.block());
        self.end(End::Branch(condition.clone(), on_true, on_false));
        self.tested(false);
        self.forks();
        let state = self.state.clone();
        let (if_true, if_false) = (self.implied(&condition, true), self.implied(&condition, false));
        let learns = |known, holds| Learnt { known, truth: Some((&condition, holds)), ..Learnt::default() };
        self.arm(on_false, state.clone(), otherwise, &learns(if_false, false))?;
        self.arm(on_true, state, then, &learns(if_true, true))
    }

    /// Paths part here.
    pub(crate) fn forks(&mut self) {
        let frame = self.state.top_mut();
        (frame.under_dynamic_control, frame.forked) = (true, true);
    }

    /// A scalar as a truth value, where it can be known.
    fn truth(&mut self, value: Value, condition: &Expression) -> Step<Value> {
        match value {
            Value::Integer(_) => Ok(value),
            Value::Float(raw) => {
                let width = match *self.types.shape_of(condition.ty) {
                    Shape::Float { bits } => bits,
                    _ => 64,
                };
                Ok(Value::Integer((fold::float(width, raw) != 0.0).into()))
            }
            Value::Function(_) | Value::Label(..) => Ok(Value::Integer(1)),
            Value::Pointer(_) => {
                let boolean = self.types.scalar(cast::Scalar::Bool);
                match self.convert(value, condition.ty, boolean)? {
                    Value::Tree(tree) => {
                        let tested = match tree.kind {
                            ExpressionKind::Convert(inner) => inner,
                            _ => tree,
                        };
                        let known = self.truth_by_number(&tested).map(|truth| Value::Integer(truth.into()));
                        Ok(known.unwrap_or(Value::Tree(tested)))
                    }
                    known => Ok(known),
                }
            }
            Value::Undefined => Ok(self.indeterminate(condition.ty)),
            Value::Dynamic(register) => {
                let ty = self.residual.locals[register].ty;
                let tree = Expression { kind: ExpressionKind::Local(register), ty, span: None };
                let by_number = self.truth_by_number(&tree).map(|truth| Value::Integer(truth.into()));
                Ok(self.truth_by_fact(register).or(by_number).unwrap_or(value))
            }
            Value::Tree(tree) => match self.truth_by_number(&tree) {
                Some(truth) => Ok(Value::Integer(truth.into())),
                None => Ok(Value::Tree(tree)),
            },
            other => Ok(other),
        }
    }

    /// Leaves one arm of a residual test for later; on this path something is known of registers.
    fn arm(&mut self, block: usize, state: State, target: BlockId, learnt: &Learnt<'_>) -> Step<()> {
        let (here, now) = (self.current, std::mem::replace(&mut self.state, state));
        for (register, value) in &learnt.known {
            self.learn(*register, &Value::Integer(*value));
        }
        if let Some((condition, holds)) = learnt.truth {
            self.learn_numbers(condition, holds);
        }
        if let Some((value, case)) = learnt.case {
            self.learn_case(value, case);
        }
        if let Some((value, cases)) = learnt.none {
            self.learn_default(value, cases);
        }
        self.current = block;
        self.jump(target)?;
        if !std::mem::take(&mut self.waits) && self.residual.blocks[self.current].end.is_none() {
            let state = std::mem::take(&mut self.state);
            self.later(self.current, state, None);
        }
        self.current = here;
        self.state = now;
        Ok(())
    }

    /// A residual register is known to have a value from here on.
    pub(crate) fn learn(&mut self, register: LocalId, value: &Value) {
        if self.options.without.tests {
            return;
        }
        let known = |held: &mut Value| {
            if *held == Value::Dynamic(register) {
                *held = value.clone();
            }
        };
        for frame in &mut self.state.frames {
            frame.registers.values_mut().for_each(known);
        }
        for id in self.state.memory.ids() {
            let holds = |object: &crate::memory::Object| {
                object.cells.values().any(|cell| cell.value == Value::Dynamic(register))
            };
            if self.state.memory.get(id).is_some_and(holds)
                && let Some(object) = self.state.memory.get_mut(id)
            {
                object.cells.values_mut().for_each(|cell| known(&mut cell.value));
            }
        }
    }

    /// A test was decided here, or left to the residual program: loops that it can end take note.
    pub(crate) fn tested(&mut self, decided: bool) {
        let frame = self.state.top();
        let (function, block) = (frame.function, frame.block);
        let flow = self.flow(function);
        for (head, tests) in &flow.tests {
            if tests.contains(&block) {
                let exits = self.state.top_mut().exits.entry(*head).or_default();
                exits.decided |= decided;
                exits.residual |= !decided;
            }
        }
    }

    fn switch(&mut self, end: &Terminator, value: &Expression, (cases, default): (&[Case], BlockId)) -> Step<()> {
        self.steers_by_value(value)?;
        let known = self.evaluate(value)?;
        self.trace.end(end, !matches!(known, Value::Integer(_)));
        if let Value::Integer(number) = known {
            let case = cases.iter().find(|case| case.first <= number && number <= case.last);
            let target = case.map_or(default, |case| case.target);
            self.decided += 1;
            self.decided(target);
            return self.jump(target);
        }
        let known = self.bind(known, "");
        let register = match known {
            Value::Dynamic(register) => Some(register),
            _ => None,
        };
        let scrutinee = self.lift(known, value.ty)?;
        let mut targets = Vec::new();
        let mut arms = Vec::new();
        let (met, is_covered) = self.possible(&scrutinee, cases);
        for case in met.into_iter().map(|at| &cases[at]) {
            let block = self.residual.block();
            targets.push((case.first, case.last, block));
            let known = register.filter(|_| case.first == case.last).map(|register| (register, case.first));
            let learnt =
                Learnt { known: known.into_iter().collect(), case: Some((&scrutinee, case)), ..Learnt::default() };
            arms.push((block, case.target, learnt));
        }
        let other = self.residual.block();
        self.test_stays(&scrutinee);
        if is_covered {
            self.residual.blocks[other].end = Some(End::Unreachable);
        } else {
            arms.push((other, default, Learnt { none: Some((&scrutinee, cases)), ..Learnt::default() }));
        }
        self.end(End::Switch(scrutinee.clone(), targets, other));
        self.tested(false);
        self.forks();
        let state = self.state.clone();
        for (block, target, learnt) in arms.into_iter().rev() {
            self.arm(block, state.clone(), target, &learnt)?;
        }
        Ok(())
    }

    /// Returns from the top frame.
    fn leave(&mut self, value: Option<&Argument>) -> Step<()> {
        if self.state.frames.len() == 1 {
            let value = value.map(|value| self.lift_argument(value)).transpose()?;
            if let Some(index) = self.variant {
                self.check_exit(index)?;
            }
            self.end(End::Return(value));
            return Ok(());
        }
        self.return_to_caller(value)
    }

    /// What registers must hold where a condition has come out so.
    fn implied(&self, condition: &Expression, holds: bool) -> Vec<(LocalId, i128)> {
        let mut known = Vec::new();
        let mut next = Some((condition.clone(), holds));
        while let Some((condition, holds)) = next.take() {
            match &condition.kind {
                ExpressionKind::Local(register) => {
                    let definition = self.definitions.get(register);
                    let is_truth = definition.is_some_and(is_comparison);
                    if !holds || is_truth {
                        known.push((*register, holds.into()));
                    }
                    next = definition.filter(|_| is_truth || !holds).map(|definition| (definition.clone(), holds));
                }
                ExpressionKind::Binary(operator @ (BinaryOperator::Equal | BinaryOperator::NotEqual), left, right) => {
                    let equal = holds == (*operator == BinaryOperator::Equal);
                    let (tested, number) = match (&left.kind, &right.kind) {
                        (_, ExpressionKind::Integer(number)) => (left, *number),
                        (ExpressionKind::Integer(number), _) => (right, *number),
                        _ => break,
                    };
                    match &tested.kind {
                        ExpressionKind::Local(register) if equal => known.push((*register, number)),
                        _ => {}
                    }
                    let is_register = matches!(tested.kind, ExpressionKind::Local(_));
                    if number == 0 && (is_comparison(tested) || is_register) {
                        next = Some(((**tested).clone(), !equal));
                    }
                }
                _ => {}
            }
        }
        // A float that is zero may be the negative one.
        let is_float =
            |register: LocalId| matches!(self.types.shape_of(self.residual.locals[register].ty), Shape::Float { .. });
        known.retain(|(register, _)| !is_float(*register));
        known
    }
}

/// What an arm of a test knows.
#[derive(Default)]
struct Learnt<'e> {
    /// Values of registers.
    known: Vec<(LocalId, i128)>,
    /// How a condition came out.
    truth: Option<(&'e Expression, bool)>,
    /// Which case a value is.
    case: Option<(&'e Expression, &'e Case)>,
    /// Which cases it is not.
    none: Option<(&'e Expression, &'e [Case])>,
}

/// A comparison: its value is a truth value.
pub(crate) fn is_comparison(expression: &Expression) -> bool {
    matches!(expression.kind, ExpressionKind::Binary(operator, ..) if operator.is_comparison())
}
