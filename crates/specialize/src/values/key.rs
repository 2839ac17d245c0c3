//! The live part of a state as a key: two states with equal keys share residual code. Residual registers count up to
//! renaming: they are numbered in the order of a walk over the state, and become the parameters of the shared block.

use std::collections::{BTreeMap, BTreeSet};

use core_c::LocalId;

use crate::engine::rewrite;
use crate::engine::state::State;
use crate::memory::elements::Slot;
use crate::memory::{Background, Object, Origin};
use crate::mutation;
use crate::scenario;
use crate::values::distances;
use crate::values::value::{ObjectId, Value};

/// A state's key, with what it was made from.
#[derive(Debug)]
pub(crate) struct Keyed {
    pub(crate) key: Vec<i128>,
    /// Residual registers in the order of the walk.
    pub(crate) registers: Vec<LocalId>,
    /// Objects that the walk reached; no other can matter any more.
    pub(crate) reached: BTreeSet<ObjectId>,
}

struct Walk<'s> {
    state: &'s State,
    key: Vec<i128>,
    registers: Vec<LocalId>,
    register_numbers: BTreeMap<LocalId, i128>,
    object_numbers: BTreeMap<ObjectId, i128>,
    waiting: Vec<ObjectId>,
    /// Registers that hold an address from the caller.
    callers: &'s BTreeSet<LocalId>,
    /// Objects of which something is known, and private ones, by their addresses in registers.
    pointees: BTreeMap<LocalId, ObjectId>,
}

/// The key of a state; `live` gives the live locals of each frame, `kept` objects that matter in any case, `callers` the registers that
/// hold an address from the caller. With `loads`, what has only been loaded is part of it.
pub(crate) fn key(
    state: &State,
    live: &[BTreeSet<LocalId>],
    (kept, loads): (&[ObjectId], bool),
    callers: &BTreeSet<LocalId>,
) -> Keyed {
    let mut walk = Walk {
        state,
        key: Vec::new(),
        registers: Vec::new(),
        register_numbers: BTreeMap::new(),
        object_numbers: BTreeMap::new(),
        waiting: Vec::new(),
        callers,
        pointees: pointees(state, loads),
    };
    for (frame, live) in state.frames.iter().zip(live) {
        walk.key.extend([i128::from(frame.chain.0), number(frame.block), frame.statement as i128]);
        for local in live {
            if let Some(value) = frame.registers.get(local) {
                walk.key.push(number(*local));
                walk.value(value);
            }
            if let Some(object) = frame.objects.get(local) {
                walk.key.push(number(*local));
                walk.object(*object);
            }
        }
        let arguments = frame.variable_arguments.clone();
        arguments.iter().for_each(|(value, _)| walk.value(value));
    }
    for (id, object) in state.memory.iter() {
        // What nobody writes is the same in all states, looked at or not.
        if matches!(object.origin, Origin::Global(_)) && !object.constant {
            walk.object(id);
        }
    }
    kept.iter().for_each(|id| walk.object(*id));
    while let Some(id) = walk.waiting.pop() {
        walk.content(id);
    }
    walk.facts();
    Keyed { key: walk.key, registers: walk.registers, reached: walk.object_numbers.into_keys().collect() }
}

fn pointees(state: &State, loads: bool) -> BTreeMap<LocalId, ObjectId> {
    let knows =
        |object: &Object| loads && !object.cells.is_empty() || object.cells.values().any(|cell| cell.value.is_known());
    let kept = state.memory.iter().filter(|(_, object)| object.isolated || object.within.is_some() || knows(object));
    let address = |origin| if let Origin::Pointee(local) = origin { Some(local) } else { None };
    kept.filter_map(|(id, object)| Some((address(object.origin)?, id))).collect()
}

fn number<T>(id: la_arena::Idx<T>) -> i128 {
    i128::from(u32::from(id.into_raw()))
}

impl Walk<'_> {
    fn register(&mut self, local: LocalId) {
        let next = self.registers.len() as i128;
        let number = *self.register_numbers.entry(local).or_insert(next);
        if number == next {
            self.registers.push(local);
        }
        self.key.extend([if self.callers.contains(&local) { -12 } else { -5 }, number]);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Integer(value) => self.key.extend([-1, *value]),
            Value::Float(bits) => self.key.extend([-2, i128::from(*bits)]),
            Value::Pointer(pointer) => {
                self.key.extend([-3, i128::from(pointer.offset)]);
                let array = pointer.array.map(|array| [array.from, array.size].map(i128::from));
                self.key.extend(array.into_iter().flatten());
                self.object(pointer.object);
            }
            Value::Function(function) => self.key.extend([-4, number(*function)]),
            Value::Arguments(chain, next) => self.key.extend([-11, i128::from(chain.0), *next as i128]),
            Value::Label(function, block) => self.key.extend([-6, number(*function), number(*block)]),
            Value::Dynamic(local) => {
                self.register(*local);
                if let Some(object) = self.pointees.get(local) {
                    self.object(*object);
                }
            }
            Value::Undefined | Value::Tree(_) => self.key.push(-7),
        }
    }

    /// Facts about registers that are still there.
    fn facts(&mut self) {
        let state = self.state;
        for fact in &state.facts {
            let mut expression = fact.expression.clone();
            let numbers = &self.register_numbers;
            if !scenario::registers(&expression).iter().all(|register| numbers.contains_key(register)) {
                continue;
            }
            let place = |local: LocalId| u32::try_from(numbers[&local]).unwrap_or(u32::MAX);
            rewrite::expression(&mut expression, &|local| LocalId::from_raw(place(local).into()));
            self.key.push(-10);
            self.key.extend(format!("{:?}", expression.kind).bytes().map(i128::from));
            self.key.push(fact.value);
        }
    }

    /// Mentions an object; its content follows once, later.
    fn object(&mut self, id: ObjectId) {
        let next = self.object_numbers.len() as i128;
        let number = *self.object_numbers.entry(id).or_insert(next);
        if number == next {
            self.waiting.push(id);
        }
        self.key.extend([-8, number]);
    }

    fn content(&mut self, id: ObjectId) {
        self.key.extend([-9, self.object_numbers[&id]]);
        let state = self.state;
        let Some(object) = state.memory.get(id) else { return };
        if let (Origin::Global(global), true) = (object.origin, object.settled) {
            self.key.extend([2, number(global)]);
            let values = object.cells.values().map(|cell| &cell.value);
            // What it leads to can still be reached.
            values.filter_map(Value::pointer).for_each(|pointer| self.object(pointer.object));
            return;
        }
        self.head(object);
        for (offset, cell) in &object.cells {
            self.key.extend([i128::from(*offset), i128::from(cell.size)]);
            match cell.value {
                // A parameter of the variant, on all paths.
                Value::Dynamic(local) if is_looked_at(object) => self.key.extend([-13, number(local)]),
                ref value => self.value(value),
            }
        }
    }

    fn slot(&mut self, slot: &Slot) {
        let bytes = [slot.array.from, slot.array.size, slot.stride, slot.offset, slot.size];
        self.key.extend(bytes.map(i128::from));
    }

    fn head(&mut self, object: &Object) {
        match object.origin {
            Origin::Local(chain, local) => self.key.extend([1, i128::from(chain.0), number(local)]),
            Origin::Global(global) => self.key.extend([2, number(global)]),
            Origin::Pointee(local) => {
                self.key.push(3);
                self.register(local);
            }
            Origin::Snapshot(number) => self.key.extend([4, number as i128]),
        }
        let background = match object.background {
            Background::Undefined => 0,
            Background::Zero => 1,
            Background::Unknown => 2,
        };
        let flags = [object.residual, object.escaped, object.isolated, object.promised];
        let flags = flags.into_iter().fold(background, |flags, flag| flags * 2 + i128::from(flag));
        self.key.extend([flags, object.size.map_or(-1, i128::from)]);
        object.elements.keys().for_each(|slot| self.slot(slot));
        if let Some(within) = object.within {
            self.key.push(5);
            self.slot(&within.slot);
            self.object(within.object);
        }
    }
}

/// An object of the caller that is only looked at: what it holds has one name all through the variant.
fn is_looked_at(object: &Object) -> bool {
    matches!(object.origin, Origin::Snapshot(_))
}

/// Gives residual registers new names in a whole state.
pub(crate) fn rename(state: &mut State, names: &BTreeMap<LocalId, LocalId>) {
    if mutation::forgets("rename") {
        return;
    }
    let renamed = |value: &mut Value| {
        if let Value::Dynamic(local) = value
            && let Some(name) = names.get(local)
        {
            *local = *name;
        }
    };
    state
        .facts
        .retain(|fact| scenario::registers(&fact.expression).iter().all(|register| names.contains_key(register)));
    for fact in &mut state.facts {
        rewrite::expression(&mut fact.expression, &|local| names.get(&local).copied().unwrap_or(local));
    }
    let numbers = state.numbers.iter().filter_map(|(local, number)| Some((*names.get(local)?, *number)));
    state.numbers = numbers.collect::<BTreeMap<_, _>>().into();
    state.distances = distances::renamed(&state.distances, names);
    for frame in &mut state.frames {
        frame.registers.values_mut().for_each(renamed);
        if frame.variable_arguments.iter().any(|(value, _)| matches!(value, Value::Dynamic(_))) {
            let mut arguments = (*frame.variable_arguments).clone();
            arguments.iter_mut().for_each(|(value, _)| renamed(value));
            frame.variable_arguments = arguments.into();
        }
    }
    for id in state.memory.ids() {
        let Some(object) = state.memory.get(id) else { continue };
        let has_dynamic = object.cells.values().any(|cell| matches!(cell.value, Value::Dynamic(_)));
        let is_pointee = matches!(object.origin, Origin::Pointee(_));
        if !has_dynamic && !is_pointee || is_looked_at(object) {
            continue;
        }
        let Some(object) = state.memory.get_mut(id) else { continue };
        object.cells.values_mut().for_each(|cell| renamed(&mut cell.value));
        if let Origin::Pointee(local) = &mut object.origin
            && let Some(name) = names.get(local)
        {
            *local = *name;
        }
    }
}
