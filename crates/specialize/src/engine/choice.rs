//! An index of which only a few values are left, into a table of addresses: each value gets residual code of its own, in which the
//! address is known. So a call through `table[n & 1]` becomes a test and two calls that are unfolded.
//!
//! In: a statement that loads an address from known memory at an index that is not known, but bounded. Out: a residual test of
//! the index, and the statement carried out for each value. Source: Jones, Gomard, Sestoft, "Partial Evaluation and Automatic
//! Program Generation" (1993), section 4.8.3 ("The Trick").

use std::collections::BTreeSet;

use core_c::{
    BinaryOperator, BlockId, Expression, ExpressionKind, Function, Place, PlaceBase, Shape, Statement, StepKind,
};
use core_c::{StatementKind, TypeId, Types};

use crate::engine::residual::End;
use crate::engine::worklist::JoinEdge;
use crate::engine::{Engine, Step};
use crate::memory::Origin;
use crate::values::number::{Number, Width};
use crate::values::value::Value;

/// Tables are looked up for at most so many values of an index.
const CHOICES: i128 = 8;

/// The value of an index for the statement under work: where the index stands in memory, and its value.
pub(crate) type Chosen = Option<(usize, i128)>;

/// An index that takes few values.
pub(crate) struct Choice {
    pub(crate) at: usize,
    pub(crate) index: Expression,
    pub(crate) values: Vec<i128>,
}

/// The statements that load an address at an index, or a number that may be an element's, by block and position.
pub(crate) fn statements(types: &Types, function: &Function) -> BTreeSet<(BlockId, usize)> {
    let mut found = BTreeSet::new();
    for (id, block) in function.blocks.iter() {
        for (at, statement) in block.statements.iter().enumerate() {
            let mut has_load = false;
            for expression in statement.kind.expressions() {
                expression.walk(&mut |part| {
                    has_load |= address_load(types, part).is_some_and(|place| !indices(place).is_empty());
                    has_load |= matches!(part.kind, ExpressionKind::Load(_))
                        && matches!(types.shape_of(part.ty), Shape::Integer { .. });
                });
            }
            if has_load {
                found.insert((id, at));
            }
        }
    }
    found
}

/// The place that an expression loads an address from, or the structure whose address it is.
fn address_load<'e>(types: &Types, expression: &'e Expression) -> Option<&'e Place> {
    match &expression.kind {
        ExpressionKind::Load(place) if matches!(types.shape_of(expression.ty), Shape::Pointer(_)) => Some(place),
        ExpressionKind::Address(place) if has_addresses(types, place.ty) => Some(place),
        _ => None,
    }
}

/// A structure with a pointer in it: which one it is decides what is called or looked at next.
pub(crate) fn has_addresses(types: &Types, ty: TypeId) -> bool {
    let is_pointer = |ty: &cast::Type| matches!(ty, cast::Type::Pointer(_));
    types.record(ty).is_some_and(|layout| layout.fields.iter().any(|field| is_pointer(types.table.resolve(&field.ty))))
}

/// A table of addresses, or of structures with addresses in them.
pub(crate) fn is_table(types: &Types, ty: TypeId) -> bool {
    let Shape::Array(element, _) = *types.shape_of(ty) else { return false };
    matches!(types.shape_of(element), Shape::Pointer(_)) || has_addresses(types, element)
}

/// Indices of a place, also of an item behind a pointer.
fn indices(place: &Place) -> Vec<&Expression> {
    let base = match &place.base {
        PlaceBase::Pointee(address) => match &address.kind {
            ExpressionKind::Offset { count, negative: false, .. } => Some(&**count),
            _ => None,
        },
        _ => None,
    };
    let steps = place.steps.iter().filter_map(|step| match &step.kind {
        StepKind::Index(index) => Some(&**index),
        StepKind::Field { .. } => None,
    });
    base.into_iter().chain(steps).filter(|index| !matches!(index.kind, ExpressionKind::Integer(_))).collect()
}

impl Engine<'_> {
    /// Carries a statement out for each value of an index that decides an address; false where there is none.
    pub(crate) fn choose(&mut self, statement: &Statement) -> Step<bool> {
        let choice = match self.choice(statement)? {
            Some(choice) => Some(choice),
            None => self.element_choice(statement)?,
        };
        let Some(choice) = choice else { return Ok(false) };
        self.trace.statement(statement, choice.values.len() > 1);
        let blocks = self.part_by(&choice);
        let state = self.state.clone();
        for (value, block) in choice.values.iter().zip(blocks).rev() {
            (self.state, self.current) = (state.clone(), block);
            if let Some(width) = Width::of(self.types.shape_of(choice.index.ty)) {
                self.narrow_to(&choice.index, Number::exactly(*value, width));
            }
            self.chosen = Some((choice.at, *value));
            let done = self.execute(statement);
            self.chosen = None;
            done?;
            self.go_on_later(statement, state.frames.len());
        }
        Ok(true)
    }

    /// A block for each value. Where there is but one, nothing is tested; where there is none, nobody comes here.
    fn part_by(&mut self, choice: &Choice) -> Vec<usize> {
        match choice.values.len() {
            0 => {
                self.end(End::Unreachable);
                Vec::new()
            }
            1 => vec![self.current],
            _ => {
                self.test_stays(&choice.index);
                let blocks: Vec<usize> = choice.values.iter().map(|_| self.residual.block()).collect();
                let end = self.test_of(choice, &blocks);
                self.end(end);
                self.tested(false);
                self.forks();
                blocks
            }
        }
    }

    /// After a call all paths go on together, where they are alike.
    fn go_on_later(&mut self, statement: &Statement, frames: usize) {
        if self.waits || self.residual.blocks[self.current].end.is_some() {
            self.waits = false;
            return;
        }
        let is_call = matches!(statement.kind, StatementKind::Call { .. });
        let is_over = is_call && self.state.frames.len() == frames;
        if is_call && !is_over {
            self.state.top_mut().forked = true;
        }
        let state = std::mem::take(&mut self.state);
        self.later(self.current, state, is_over.then(JoinEdge::default));
    }

    fn test_of(&mut self, choice: &Choice, blocks: &[usize]) -> End {
        let index = choice.index.clone();
        let number = |value| Box::new(Expression { kind: ExpressionKind::Integer(value), ty: index.ty, span: None });
        if let ([first, _], [on_first, on_other]) = (&choice.values[..], blocks) {
            let kind = ExpressionKind::Binary(BinaryOperator::Equal, Box::new(index.clone()), number(*first));
            let condition = Expression { kind, ty: self.types.int(), span: None };
            return End::Branch(condition, *on_first, *on_other);
        }
        let other = self.residual.block();
        self.residual.blocks[other].end = Some(End::Unreachable);
        let cases = choice.values.iter().zip(blocks).map(|(value, block)| (*value, *value, *block));
        End::Switch(index.clone(), cases.collect(), other)
    }

    fn choice(&mut self, statement: &Statement) -> Step<Option<Choice>> {
        let input = self.input;
        let mut loads: Vec<&Expression> = Vec::new();
        for expression in statement.kind.expressions() {
            walk(expression, &mut |part| {
                if address_load(&input.types, part).is_some() {
                    loads.push(part);
                }
            });
        }
        for load in loads {
            let Some(place) = address_load(&input.types, load) else { continue };
            for index in indices(place) {
                let Some((tree, values)) = self.few_values(index)? else { continue };
                let at = std::ptr::from_ref(index).addr();
                if self.decides(load, at, &values)? {
                    return Ok(Some(Choice { at, index: tree, values }));
                }
            }
        }
        Ok(None)
    }

    /// An index that is not known, and the few values that it may have.
    fn few_values(&mut self, index: &Expression) -> Step<Option<(Expression, Vec<i128>)>> {
        let value = self.evaluate(index)?;
        if value.is_known() || value == Value::Undefined {
            return Ok(None);
        }
        let tree = self.lift(value, index.ty)?;
        let Some((number, width)) = self.number_of(&tree).zip(Width::of(self.types.shape_of(index.ty))) else {
            return Ok(None);
        };
        if number.count() > CHOICES {
            return Ok(None);
        }
        let values: Vec<i128> = (number.least..=number.most).filter(|value| number.may_be(*value, width)).collect();
        Ok((values.len() > 1).then_some((tree, values)))
    }

    /// Each value of the index leads to an address that is known.
    fn decides(&mut self, load: &Expression, at: usize, values: &[i128]) -> Step<bool> {
        for value in values {
            self.chosen = Some((at, *value));
            let found = self.evaluate(load);
            self.chosen = None;
            let is_known = match found? {
                Value::Function(_) | Value::Integer(0) => true,
                Value::Pointer(pointer) => {
                    // Where the address of an element is taken, only a constant says more for it.
                    let is_element = matches!(load.kind, ExpressionKind::Address(_));
                    let object = self.state.memory.get(pointer.object);
                    object.is_some_and(|object| {
                        !matches!(object.origin, Origin::Pointee(_)) && (object.constant || !is_element)
                    })
                }
                _ => false,
            };
            if !is_known {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What was chosen for an expression.
    pub(crate) fn chosen_for(&self, expression: &Expression) -> Option<Value> {
        let (at, value) = self.chosen?;
        (at == std::ptr::from_ref(expression).addr()).then_some(Value::Integer(value))
    }

    /// Whether a statement of the block under work may choose.
    pub(crate) fn may_choose(&mut self, block: BlockId, at: usize) -> bool {
        let function = self.state.top().function;
        let input = self.input;
        let known = self.choices.entry(function);
        known.or_insert_with(|| statements(&input.types, &input.functions[function])).contains(&(block, at))
    }
}

/// As [`Expression::walk`], for parts that outlive the walk.
pub(crate) fn walk<'e>(expression: &'e Expression, visit: &mut impl FnMut(&'e Expression)) {
    visit(expression);
    expression.children().into_iter().for_each(|child| walk(child, visit));
}
