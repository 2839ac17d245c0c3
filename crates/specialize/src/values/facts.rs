//! Facts by value: what is known of residual registers as numbers, learned from tests, masks, conversions and scenarios.
//!
//! In: residual expressions, and conditions that have come out one way. Out: ranges and bits of registers, which hold on the way
//! under work; they decide later tests, whatever their spelling. Where paths join, only what all of them know holds on; where a
//! loop comes back with less, the run begins again without these facts at its head.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{BinaryOperator, Case, Expression, ExpressionKind, LocalId, Shape, TypeId};

use crate::engine::control::is_comparison;
use crate::engine::residual::ResidualBlock;
use crate::engine::state::State;
use crate::engine::{Engine, Interrupt, Point, Step};
use crate::join::Incoming;
use crate::memory::Origin;
use crate::mutation;
use crate::values::distances::{self, Distances};
use crate::values::fold;
use crate::values::number::{Number, Width};
use crate::values::value::Value;

/// By residual register; what is not here may be anything of its type.
pub(crate) type Numbers = Rc<BTreeMap<LocalId, Number>>;

/// Expressions are looked into as deep as this.
const DEPTH: usize = 24;

impl Engine<'_> {
    fn width(&self, ty: TypeId) -> Option<Width> {
        Width::of(self.types.shape_of(ty))
    }

    /// What is known of an expression that is a number or an address.
    pub(crate) fn number_of(&self, expression: &Expression) -> Option<Number> {
        self.number_within(expression, DEPTH)
    }

    fn number_within(&self, expression: &Expression, depth: usize) -> Option<Number> {
        let width = self.width(expression.ty)?;
        let any = width.any();
        let known = match &expression.kind {
            _ if depth == 0 => None,
            ExpressionKind::Integer(value) => {
                Some(Number::exactly(*value, width)).filter(|_| any.may_be(*value, width))
            }
            ExpressionKind::Local(register) => match self.state.numbers.get(register) {
                Some(known) => known.and(any, width),
                // It leads into an object.
                None if self.derived.contains_key(register) => Number::between(1, any.most, width),
                None => None,
            },
            ExpressionKind::Address(_) | ExpressionKind::Function(_) => Number::between(1, any.most, width),
            ExpressionKind::Convert(inner) => {
                let inner = self.number_within(inner, depth - 1);
                inner.and_then(|inner| inner.converted(self.types.shape_of(expression.ty)))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (a, b) = (self.number_within(left, depth - 1), self.number_within(right, depth - 1));
                match (a, b) {
                    _ if operator.is_comparison() => {
                        let truth = a.zip(b).and_then(|(a, b)| a.compare(*operator, b));
                        let truth = truth.or_else(|| self.truth_by_distance(*operator, (left, right))).map(i128::from);
                        Number::between(truth.unwrap_or(0), truth.unwrap_or(1), width)
                    }
                    (Some(a), Some(b)) if self.width(left.ty) == Some(width) => a.operate(*operator, b, width),
                    _ => None,
                }
            }
            // What is moved stays in its object (C11 section 6.5.6).
            ExpressionKind::Offset { pointer, .. } => {
                let from = self.number_within(pointer, depth - 1);
                from.filter(|from| !from.may_be(0, width)).and_then(|_| Number::between(1, any.most, width))
            }
            ExpressionKind::Distance(left, right) => {
                self.elements_between(left, right).and_then(|(least, most)| Number::between(least, most, width))
            }
            _ => None,
        };
        Some(known.unwrap_or(any))
    }

    /// The value of an expression of which only one number is left.
    pub(crate) fn by_number(&self, tree: &Expression) -> Option<Value> {
        let only = self.number_of(tree)?.only()?;
        let is_number = matches!(self.types.shape_of(tree.ty), Shape::Integer { .. });
        (is_number || only == 0).then_some(Value::Integer(only))
    }

    /// The bits of a moved residual address under a mask, where what is known of the address decides them.
    pub(crate) fn masked_address(&self, register: LocalId, offset: i64, mask: i128) -> Option<i128> {
        let width = self.width(self.residual.locals[register].ty)?;
        let address = self.state.numbers.get(&register)?;
        let by = Number::exactly(fold::wrap(offset.into(), 64, false), width);
        let moved = address.operate(BinaryOperator::Add, by, width)?;
        moved.operate(BinaryOperator::And, Number::exactly(mask, width), width)?.only()
    }

    /// Whether an expression is true, as far as numbers tell.
    pub(crate) fn truth_by_number(&self, tree: &Expression) -> Option<bool> {
        let width = self.width(tree.ty)?;
        let number = self.number_of(tree)?;
        match number.may_be(0, width) {
            false => Some(true),
            true => number.only().map(|only| only != 0),
        }
    }

    /// Notes what is known of a new register from what it is set to.
    pub(crate) fn number_register(&mut self, register: LocalId, value: &Expression) {
        if let (Some(number), Some(width)) = (self.number_of(value), self.width(value.ty))
            && number.says_something(width)
        {
            Rc::make_mut(&mut self.state.numbers).insert(register, number);
        }
    }

    /// An address in a register leads somewhere.
    pub(crate) fn learn_not_null(&mut self, register: LocalId) {
        let ty = self.residual.locals[register].ty;
        let tree = Expression { kind: ExpressionKind::Local(register), ty, span: None };
        self.learn_numbers(&tree, true);
    }

    /// A register may be any number of its type.
    pub(crate) fn forget_number(&mut self, register: LocalId) {
        if self.state.numbers.contains_key(&register) {
            Rc::make_mut(&mut self.state.numbers).remove(&register);
        }
    }

    /// A condition has come out so: what it says of the registers in it holds from here on.
    pub(crate) fn learn_numbers(&mut self, condition: &Expression, holds: bool) {
        if !self.options.without.tests {
            self.learn_within(condition, holds, DEPTH);
        }
    }

    fn learn_within(&mut self, condition: &Expression, holds: bool, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match &condition.kind {
            ExpressionKind::Binary(operator, left, right) if operator.is_comparison() => {
                let operator = if holds { *operator } else { operator.opposite().unwrap_or(*operator) };
                self.learn_truth(left, operator, right, depth);
                self.learn_truth(right, mirrored(operator), left, depth);
                self.learn_distance(operator, (left, right));
                let (a, b) = (self.number_of(left), self.number_of(right));
                let (Some(a), Some(b), Some(width)) = (a, b, self.width(left.ty)) else { return };
                if let Some(known) = a.where_it(operator, b, width) {
                    self.narrow(left, known, depth);
                }
                if let Some(known) = b.where_it(mirrored(operator), a, width) {
                    self.narrow(right, known, depth);
                }
            }
            _ => {
                if let ExpressionKind::Local(register) = condition.kind
                    && let Some(definition) = self.definitions.get(&register).cloned()
                    && is_comparison(&definition)
                {
                    self.learn_within(&definition, holds, depth);
                }
                let operator = if holds { BinaryOperator::NotEqual } else { BinaryOperator::Equal };
                let Some(width) = self.width(condition.ty) else { return };
                let zero = Number::exactly(0, width);
                if let Some(known) = self.number_of(condition).and_then(|number| number.where_it(operator, zero, width))
                {
                    self.narrow(condition, known, depth);
                }
            }
        }
    }

    /// A truth value compares so with a constant: where only one of 0 and 1 does, it is that one.
    fn learn_truth(&mut self, truth: &Expression, operator: BinaryOperator, constant: &Expression, depth: usize) {
        let ExpressionKind::Integer(constant) = constant.kind else { return };
        let (Some(width), true) = (self.width(truth.ty), is_comparison(truth)) else { return };
        let number = Number::exactly(constant, width);
        let may_be = |value: i128| Number::exactly(value, width).compare(operator, number);
        match (may_be(0), may_be(1)) {
            (Some(false), Some(true)) => self.learn_within(truth, true, depth),
            (Some(true), Some(false)) => self.learn_within(truth, false, depth),
            _ => {}
        }
    }

    /// An expression is one of these numbers: so are the registers in it, as far as that can be known.
    pub(crate) fn narrow_to(&mut self, expression: &Expression, number: Number) {
        self.narrow(expression, number, DEPTH);
    }

    fn narrow(&mut self, expression: &Expression, number: Number, depth: usize) {
        let (Some(depth), Some(width)) = (depth.checked_sub(1), self.width(expression.ty)) else { return };
        match &expression.kind {
            ExpressionKind::Local(register) => {
                let known = self.state.numbers.get(register).copied().unwrap_or(width.any());
                let Some(both) = known.and(number, width).filter(|both| *both != known) else { return };
                Rc::make_mut(&mut self.state.numbers).insert(*register, both);
                let only = self.by_number(expression);
                if let Some(definition) = self.definitions.get(register).cloned() {
                    self.narrow(&definition, number, depth);
                }
                if let Some(only) = only {
                    self.learn(*register, &only);
                }
            }
            ExpressionKind::Convert(inner) => {
                let (Some(known), Some(any)) = (self.number_of(inner), self.width(expression.ty).map(Width::any))
                else {
                    return;
                };
                let is_truth = matches!(self.types.shape_of(expression.ty), Shape::Integer { boolean: true, .. });
                let inside = self.width(inner.ty).map_or(any, Width::any);
                // The value stays the same one; or a negative number would have become one that is too large to be meant.
                let is_same = known.least >= any.least && known.most <= any.most
                    || number.least >= 0 && number.most <= inside.most && any.most >= inside.most;
                let same = number.converted(&self.types.shape_of(inner.ty).clone());
                if let Some(same) = same.filter(|_| !is_truth && is_same) {
                    self.narrow(inner, same, depth);
                }
            }
            ExpressionKind::Distance(left, right) => self.narrow_elements((left, right), number),
            ExpressionKind::Binary(operator, left, right) => {
                let ExpressionKind::Integer(constant) = right.kind else { return };
                let inner = match operator {
                    BinaryOperator::And => number.under_mask(constant, width),
                    BinaryOperator::Add => before_sum(number, constant, width),
                    BinaryOperator::Subtract => before_sum(number, -constant, width),
                    _ => None,
                };
                if let Some(inner) = inner {
                    self.narrow(left, inner, depth);
                }
            }
            _ => {}
        }
    }

    /// The cases of a test that can be met, and whether one of them is in any case.
    pub(crate) fn possible(&self, value: &Expression, cases: &[Case]) -> (Vec<usize>, bool) {
        let (Some(number), Some(width)) = (self.number_of(value), self.width(value.ty)) else {
            return ((0..cases.len()).collect(), false);
        };
        let meets = |case: &Case| {
            Number::between(case.first, case.last, width).and_then(|range| range.and(number, width)).is_some()
        };
        let met: Vec<usize> = (0..cases.len()).filter(|at| meets(&cases[*at])).collect();
        let is_case = |value: i128| met.iter().any(|at| (cases[*at].first..=cases[*at].last).contains(&value));
        let all = number.count() <= MOST_VALUES
            && (number.least..=number.most).all(|value| !number.may_be(value, width) || is_case(value));
        (met, all)
    }

    /// On one arm of a test with cases.
    pub(crate) fn learn_case(&mut self, value: &Expression, case: &Case) {
        if let Some(width) = self.width(value.ty)
            && let Some(range) = Number::between(case.first, case.last, width)
            && !self.options.without.tests
        {
            self.narrow_to(value, range);
        }
    }

    /// On the arm that is left where no case is met.
    pub(crate) fn learn_default(&mut self, value: &Expression, cases: &[Case]) {
        for case in cases.iter().filter(|case| case.first == case.last && !self.options.without.tests) {
            if let (Some(width), Some(number)) = (self.width(value.ty), self.number_of(value))
                && let Some(other) =
                    number.where_it(BinaryOperator::NotEqual, Number::exactly(case.first, width), width)
            {
                self.narrow_to(value, other);
            }
        }
    }

    /// What holds where paths join that share residual code from here on: what each of them knows.
    pub(crate) fn join_numbers(&self, point: Point, group: &[Incoming]) -> Numbers {
        let Some((first, others)) = group.split_first() else { return Numbers::default() };
        let begun_again = self.generalizations.plain.get(&point).copied().unwrap_or(0);
        if first.state.numbers.is_empty() || begun_again > 1 {
            return Numbers::default();
        }
        if mutation::forgets("numbers") {
            return Rc::clone(&first.state.numbers);
        }
        let steady = first.edge.is_head.then(|| self.steady(&first.state, begun_again == 0));
        let mut joined = BTreeMap::new();
        for (at, register) in first.registers.iter().enumerate() {
            let is_steady = steady.as_ref().is_none_or(|steady| steady.contains(register));
            // What the rounds change may still be aligned before the first.
            let is_address = matches!(self.types.shape_of(self.residual.locals[*register].ty), Shape::Pointer(_));
            let kept = |known: Option<&Number>| match known {
                Some(known) if is_steady => Some(*known),
                Some(known) if is_address && begun_again == 0 => known.alignment(),
                _ => None,
            };
            let known = kept(first.state.numbers.get(register));
            let width = self.width(self.residual.locals[*register].ty);
            let all = others.iter().try_fold(known, |known, incoming| {
                let other = kept(incoming.state.numbers.get(incoming.registers.get(at)?));
                Some(known.zip(other).zip(width).map(|((known, other), width)| known.or(other, width)))
            });
            joined.extend(all.flatten().map(|number| (*register, number)));
        }
        joined.into()
    }

    /// The same of distances.
    pub(crate) fn join_distances(&self, point: Point, group: &[Incoming]) -> Distances {
        let begun_again = self.generalizations.plain.get(&point).copied().unwrap_or(0);
        let Some(first) = group.first().filter(|_| begun_again < 2) else { return Distances::default() };
        if mutation::forgets("numbers") {
            return Rc::clone(&first.state.distances);
        }
        let steady = first.edge.is_head.then(|| self.steady(&first.state, begun_again == 0));
        distances::joined(group, steady.as_ref())
    }

    /// Registers of which a loop's rounds do not hold another one each time, as far as the function's text tells. What is in memory may
    /// stay as it is, too (`hopes`); the run begins again where it does not.
    fn steady(&self, state: &State, hopes: bool) -> BTreeSet<LocalId> {
        let (top, below) = match state.frames.split_last() {
            Some(frames) => frames,
            None => return BTreeSet::new(),
        };
        let assigned = self.flows.get(&top.function).and_then(|flow| flow.assigned.get(&top.block));
        let kept = top.registers.iter().filter(|(local, _)| assigned.is_none_or(|set| !set.contains(local)));
        let objects = state.memory.iter().map(|(_, object)| object).filter(|object| hopes && !object.residual);
        let cells = objects.flat_map(|object| object.cells.values().map(|cell| &cell.value));
        let frames = below.iter().flat_map(|frame| frame.registers.values());
        let values = frames.chain(kept.map(|(_, value)| value)).chain(cells);
        let register = |value: &Value| match value {
            Value::Dynamic(register) => Some(*register),
            Value::Pointer(pointer) => match state.memory.get(pointer.object).map(|object| object.origin) {
                Some(Origin::Pointee(register)) => Some(register),
                _ => None,
            },
            _ => None,
        };
        values.filter_map(register).collect()
    }

    /// Paths come to residual code that others have begun: what it was made for must hold of them, too.
    pub(crate) fn check_numbers(&mut self, point: Point, target: ResidualBlock, group: &[Incoming]) -> Step<()> {
        let list = self.variants.of(point);
        let Some(made) = list.iter().find(|variant| variant.block == target) else { return Ok(()) };
        let parameters = &self.residual.blocks[target].parameters;
        let holds = |incoming: &Incoming| {
            distances::hold(&made.state.distances, parameters, incoming)
                && parameters.iter().zip(&incoming.registers).all(|(parameter, register)| {
                    made.state.numbers.get(parameter).is_none_or(|made| {
                        let (number, width) =
                            (incoming.state.numbers.get(register), self.width(self.residual.locals[*register].ty));
                        number.zip(width).is_some_and(|(number, width)| number.is_within(*made, width))
                    })
                })
        };
        if group.iter().all(holds) || mutation::forgets("numbers") {
            return Ok(());
        }
        *self.generalizations.plain.entry(point).or_default() += 1;
        self.outdated = true;
        Err(Interrupt::Restart)
    }
}

/// Tests of more values are not looked at one by one.
const MOST_VALUES: i128 = 1024;

/// What a number is whose sum with a constant is known, whether sums wrap or not: one range, or this says nothing of it.
fn before_sum(sum: Number, constant: i128, width: Width) -> Option<Number> {
    let any = width.any();
    let (least, most) = (sum.least - constant, sum.most - constant);
    let range = if least >= any.least && most <= any.most { Number::between(least, most, width)? } else { any };
    range.but_those_of(sum, -constant, width)
}

/// With its sides exchanged.
fn mirrored(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator as B;
    match operator {
        B::Less => B::Greater,
        B::LessEqual => B::GreaterEqual,
        B::Greater => B::Less,
        B::GreaterEqual => B::LessEqual,
        other => other,
    }
}
