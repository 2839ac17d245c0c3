//! What differs between states at one program point. In: two states, or all that a loop came with. Out: the cells that hold one thing
//! here and another there, or that go on taking new values. Whoever generalizes gives these up and no others.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::state::State;
use crate::join::generalize::CellName;
use crate::memory::{Object, Origin};
use crate::values::value::Value;

/// So many new values are taken for growth.
const NEW: usize = 4;

/// Cells that go on taking values in the later half of a point's states that they did not have in the earlier half. What takes
/// the same few values again, as an interpreter's program counter and stack pointer do in the guest's loops, is not among them.
/// Source: "bounded static variation" in Jones, Gomard, Sestoft (1993), chapter 14.
pub(crate) fn growing(states: &[&State]) -> Vec<CellName> {
    let (earlier, later) = states.split_at(states.len() / 2);
    let mut seen: BTreeMap<CellName, BTreeSet<String>> = BTreeMap::new();
    for state in earlier {
        each_cell(state, &mut |cell, value| {
            seen.entry(cell).or_default().insert(value);
        });
    }
    let mut new: BTreeMap<CellName, BTreeSet<String>> = BTreeMap::new();
    for state in later {
        each_cell(state, &mut |cell, value| {
            if seen.get(&cell).is_some_and(|values| !values.contains(&value)) {
                new.entry(cell).or_default().insert(value);
            }
        });
    }
    // One value more may be the end of something.
    new.into_iter().filter(|(_, values)| values.len() >= NEW).map(|(cell, _)| cell).collect()
}

/// Numbers that go beyond all earlier ones in the later half of a point's states, such as the depth of a stack: where what lies on the
/// stack multiplies the states, it takes few new values, but ever greater ones.
pub(crate) fn rising(states: &[&State]) -> Vec<CellName> {
    let range = |states: &[&State]| {
        let mut ranges: BTreeMap<CellName, (i128, i128)> = BTreeMap::new();
        for state in states {
            each_number(state, &mut |cell, number| {
                let range = ranges.entry(cell).or_insert((number, number));
                *range = (range.0.min(number), range.1.max(number));
            });
        }
        ranges
    };
    let (earlier, later) = states.split_at(states.len() / 2);
    let (before, after) = (range(earlier), range(later));
    let rises = |(cell, now): (CellName, (i128, i128))| {
        let was = before.get(&cell)?;
        // A number that never came back to where it was counts rounds, and is no depth.
        (was.0 < was.1 && (now.0 < was.0 || now.1 > was.1)).then_some(cell)
    };
    after.into_iter().filter_map(rises).collect()
}

pub(crate) fn each_number(state: &State, see: &mut dyn FnMut(CellName, i128)) {
    for frame in &state.frames {
        for (local, value) in &frame.registers {
            if let Value::Integer(number) = value {
                see(CellName::Register(frame.chain, *local), *number);
            }
        }
    }
    let is_own = |object: &Object| !matches!(object.origin, Origin::Pointee(_)) || object.isolated;
    for (_, object) in state.memory.iter().filter(|(_, object)| !object.constant && is_own(object)) {
        for (offset, cell) in &object.cells {
            if let Value::Integer(number) = cell.value {
                see(name(object, (*offset, cell.size)), number);
            }
        }
    }
}

/// The name of a cell of an object: what pointers lead to is not distinguished.
pub(crate) fn name(object: &Object, (offset, size): (u64, u64)) -> CellName {
    match object.origin {
        Origin::Pointee(_) => CellName::Pointees(offset, size),
        origin => CellName::Memory(origin, offset, size),
    }
}

/// The known cells of a state, by names and values that mean the same in all states of a run.
pub(crate) fn each_cell(state: &State, see: &mut dyn FnMut(CellName, String)) {
    let text = |value: &Value| match value {
        Value::Dynamic(_) | Value::Tree(_) | Value::Undefined => None,
        Value::Pointer(pointer) => {
            match state.memory.get(pointer.object).map(|object| object.origin) {
                // Its register has another name in each state.
                Some(Origin::Pointee(_)) => Some(format!("pointee {}", pointer.offset)),
                origin => Some(format!("{origin:?} {}", pointer.offset)),
            }
        }
        known => Some(format!("{known:?}")),
    };
    for frame in &state.frames {
        for (local, value) in &frame.registers {
            if let Some(text) = text(value) {
                see(CellName::Register(frame.chain, *local), text);
            }
        }
    }
    for (_, object) in state.memory.iter().filter(|(_, object)| !object.constant) {
        for (offset, cell) in &object.cells {
            if let Some(text) = text(&cell.value) {
                see(name(object, (*offset, cell.size)), text);
            }
        }
    }
}

/// Cells that hold one thing in one of two states at the same point, and another in the other.
pub(crate) fn differences(before: &State, now: &State) -> Vec<CellName> {
    let mut cells = Vec::new();
    for (old, new) in before.frames.iter().zip(&now.frames) {
        for (local, value) in &new.registers {
            if old.registers.get(local).is_some_and(|old| differs((old, before), (value, now))) {
                cells.push(CellName::Register(new.chain, *local));
            }
        }
    }
    let open = now.memory.iter().filter(|(_, object)| !object.settled);
    for (id, object) in open.filter(|(id, _)| !now.memory.shares(&before.memory, *id)) {
        let old = before.memory.get(id).or_else(|| before.memory.get(before.memory.find(object.origin)?));
        if let Some(old) = old {
            cells.extend(differing_cells((old, before), (object, now)));
        }
    }
    cells
}

fn differing_cells(old: (&Object, &State), new: (&Object, &State)) -> Vec<CellName> {
    let mut cells = Vec::new();
    for (offset, cell) in &new.0.cells {
        let same = old.0.cells.get(offset).filter(|other| other.size == cell.size);
        if same.is_none_or(|other| differs((&other.value, old.1), (&cell.value, new.1))) {
            cells.push(name(new.0, (*offset, cell.size)));
        }
    }
    let gone = old.0.cells.iter().filter(|(offset, _)| !new.0.cells.contains_key(offset));
    cells.extend(gone.map(|(offset, cell)| name(new.0, (*offset, cell.size))));
    cells
}

fn differs(old: (&Value, &State), new: (&Value, &State)) -> bool {
    match (old.0, new.0) {
        (Value::Dynamic(_), Value::Dynamic(_)) => false,
        (Value::Pointer(a), Value::Pointer(b)) => {
            let origin = |state: &State, id| state.memory.get(id).map(|object| object.origin);
            let same = match (origin(old.1, a.object), origin(new.1, b.object)) {
                (Some(Origin::Pointee(_)), Some(Origin::Pointee(_))) => true,
                (a, b) => a == b,
            };
            !same || a.offset != b.offset
        }
        (a, b) => a != b,
    }
}
