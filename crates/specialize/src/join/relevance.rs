//! Which knowledge is worth residual code of its own. Where paths join, a variable's value is kept apart only if
//! something can be decided by it: a test, an address, a call. What is merely handed on to the residual program, or is
//! known of memory that other code may change any time, is given up for shared code.

use std::collections::BTreeSet;
use std::rc::Rc;

use core_c::{Argument, Callee, Expression, ExpressionKind, Function, FunctionId, LocalId, PlaceBase, Program};
use core_c::{StatementKind, StepKind, Terminator};

use crate::engine::Engine;
use crate::engine::call_chain::ChainId;
use crate::engine::mentions;
use crate::engine::state::State;
use crate::join::differences::differences;
use crate::join::generalize::CellName;
use crate::library::effects::Effects;
use crate::memory::{Object, Origin};
use crate::values::value::Value;

/// What is lost where states are made alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Loss {
    Nothing,
    /// What only one of them knows.
    Knowledge,
    /// What both know, each its own.
    Choice,
}

impl Engine<'_> {
    /// How much would be lost if two states at one point shared their code. What the root returns decides nothing in a loop; elsewhere it is
    /// worth a `return` of its own.
    pub(crate) fn loss(&mut self, (a, b): (&State, &State), is_head: bool) -> Loss {
        if a.facts.len() != b.facts.len() {
            return Loss::Knowledge;
        }
        let cells = differences(a, b);
        // Comparing large states takes its time.
        self.steps += a.memory.iter().map(|(_, object)| object.cells.len() as u64 + 1).sum::<u64>() / 2;
        cells.iter().map(|cell| self.cell_loss(cell, (a, b), is_head)).max().unwrap_or(Loss::Nothing)
    }

    fn cell_loss(&mut self, cell: &CellName, (a, b): (&State, &State), is_head: bool) -> Loss {
        let (in_a, in_b) = match *cell {
            CellName::Register(chain, local) => {
                let Some(frame) = a.frames.iter().find(|frame| frame.chain == chain) else { return Loss::Choice };
                let (in_a, in_b) = (register(a, chain, local), register(b, chain, local));
                if !leads_to_virtual(in_a, a)
                    && !leads_to_virtual(in_b, b)
                    && !self.deciding(frame.function, is_head && chain == a.frames[0].chain).contains(&local)
                {
                    return Loss::Nothing;
                }
                let known = |value: Option<&Value>, state| value.is_some_and(|value| is_known(value, state));
                (known(in_a, a), known(in_b, b))
            }
            CellName::Memory(origin, offset, _) => {
                let selects = self.selecting.contains(&offset);
                (in_object(a, (origin, offset), selects), in_object(b, (origin, offset), selects))
            }
            CellName::Pointees(offset, _) => {
                let selects = self.selecting.contains(&offset);
                (in_pointees(a, offset, selects), in_pointees(b, offset, selects))
            }
        };
        match (in_a, in_b) {
            (false, false) => Loss::Nothing,
            (true, true) => Loss::Choice,
            _ => Loss::Knowledge,
        }
    }

    /// Registers of a function by whose values something can be decided; what a root returns is not among them.
    pub(crate) fn deciding(&mut self, function: FunctionId, is_root: bool) -> Rc<BTreeSet<LocalId>> {
        let (input, effects) = (self.input, &self.options.effects);
        let found = || Rc::new(deciding((input, effects), &input.functions[function], is_root));
        Rc::clone(self.deciding.entry((function, is_root)).or_insert_with(found))
    }
}

/// How many cells something is known of.
pub(crate) fn knowledge(state: &State) -> usize {
    let registers = state.frames.iter().flat_map(|frame| frame.registers.values());
    let own = |object: &&Object| !object.residual || object.isolated || !object.escaped;
    let objects = state.memory.iter().map(|(_, object)| object).filter(own);
    let cells = objects.flat_map(|object| object.cells.values().map(|cell| &cell.value));
    registers.chain(cells).filter(|value| is_known(value, state)).count()
}

fn register(state: &State, chain: ChainId, local: LocalId) -> Option<&Value> {
    state.frames.iter().find(|frame| frame.chain == chain)?.registers.get(&local)
}

/// More is known of a value than that it is in a register, and perhaps somewhere in memory that anybody may change.
fn is_known(value: &Value, state: &State) -> bool {
    match value {
        Value::Dynamic(_) | Value::Tree(_) | Value::Undefined => false,
        Value::Pointer(pointer) => {
            let object = state.memory.get(pointer.object);
            object.is_some_and(|object| !matches!(object.origin, Origin::Pointee(_)) || object.isolated)
        }
        Value::Integer(_) | Value::Float(_) | Value::Function(_) | Value::Label(..) | Value::Arguments(..) => true,
    }
}

/// Something is known of a cell that no other code changes; or that other code could change, and has not, where it selects what runs next.
fn in_object(state: &State, (origin, offset): (Origin, u64), selects: bool) -> bool {
    let object = state.memory.find(origin).and_then(|id| state.memory.get(id));
    object.is_some_and(|object| {
        let is_own = !object.residual || object.isolated || !object.escaped;
        let counts = |value: &Value| is_own || selects || matches!(value, Value::Pointer(_) | Value::Function(_));
        object.cells.get(&offset).is_some_and(|cell| counts(&cell.value) && is_known(&cell.value, state))
    })
}

/// The same of what the scenario says is private. Numbers there are read again at little cost, unless they select what runs next.
fn in_pointees(state: &State, offset: u64, selects: bool) -> bool {
    let is_pointee = |object: &&Object| matches!(object.origin, Origin::Pointee(_)) && object.isolated;
    let mut cells =
        state.memory.iter().map(|(_, object)| object).filter(is_pointee).filter_map(|object| object.cells.get(&offset));
    cells.any(|cell| (selects || !matches!(cell.value, Value::Integer(_))) && is_known(&cell.value, state))
}

/// Giving up such a pointer gives up what it leads to.
fn leads_to_virtual(value: Option<&Value>, state: &State) -> bool {
    let Some(Value::Pointer(pointer)) = value else { return false };
    state.memory.get(pointer.object).is_some_and(|object| !object.residual)
}

fn deciding((program, effects): (&Program, &Effects), function: &Function, is_root: bool) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut moves = Vec::new();
    for (_, block) in function.blocks.iter() {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Set { local, value } => {
                    addresses(value, &mut found);
                    moves.push((*local, value));
                }
                StatementKind::Call { callee: Callee::Function(callee), .. }
                    if program.functions[*callee].blocks.is_empty()
                        && !effects.may_be_computed(&program.functions[*callee].name) =>
                {
                    statement.kind.expressions().into_iter().for_each(|value| addresses(value, &mut found));
                }
                other => {
                    other.expressions().into_iter().for_each(|value| mentions::expression(value, &mut found));
                    other.places().into_iter().for_each(|(_, place)| mentions::place(place, &mut found));
                }
            }
        }
        match &block.end {
            Terminator::Return(Some(Argument::Value(value))) if is_root => addresses(value, &mut found),
            end => mentions::end(end, &mut found),
        }
    }
    loop {
        let before = found.len();
        for (local, value) in &moves {
            if found.contains(local) {
                mentions::expression(value, &mut found);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// What the addresses of loads in an expression are computed from.
fn addresses(value: &Expression, found: &mut BTreeSet<LocalId>) {
    value.walk(&mut |part| {
        if let ExpressionKind::Load(place) = &part.kind {
            if let PlaceBase::Pointee(pointer) = &place.base {
                mentions::expression(pointer, found);
            }
            for step in &place.steps {
                if let StepKind::Index(index) = &step.kind {
                    mentions::expression(index, found);
                }
            }
        }
    });
}
