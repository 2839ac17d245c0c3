//! Paths that come together with too many different states are made alike: what varies between them is given up on the
//! spot, each path leaving its own value in a register before it joins the others. Nothing need be run again for it.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Expression, ExpressionKind, LocalId, LocalKind, Program, StatementKind, Types};

use crate::engine::choice::has_addresses;
use crate::engine::state::State;
use crate::engine::{Engine, Interrupt, Step};
use crate::join::crowd;
use crate::join::differences::{differences, each_cell};
use crate::join::generalize::CellName;
use crate::join::relevance::{Loss, knowledge};
use crate::join::{Group, unite};
use crate::memory::elements::Slot;
use crate::memory::{Cell, Object, Origin, callers};
use crate::report::Cause;
use crate::values::value::{Pointer, Value};

/// So many states at the head of a loop are a crowd: something in them may take ever more values.
const CROWD: usize = 128;

/// Where states differ in the row of a constant table that they have found, so many times as many are kept apart.
const ROWS: usize = 8;

impl Engine<'_> {
    /// Makes states alike: those between which nothing of interest differs, and, where there are too many, all but those of
    /// which most is known. Those that agree in what the function under work holds itself, such as a status, become alike
    /// first. At the head of a loop what all know, each its own, is kept apart: it may be what leads the loop.
    pub(crate) fn widen(&mut self, groups: Vec<Group>) -> Step<Vec<Group>> {
        let is_head = groups.iter().flatten().any(|incoming| incoming.edge.is_head);
        let mut buckets = self.join(groups.into_iter().map(|group| vec![group]).collect(), Loss::Nothing, is_head);
        if is_head && buckets.len() > CROWD {
            self.thin_out(&buckets)?;
        }
        let limit =
            self.options.budget.meetings * if differ_in_rows((self.input, &self.types), &buckets) { ROWS } else { 1 };
        if is_head && buckets.len() > limit {
            buckets = self.by_steering(buckets, limit);
        }
        if buckets.len() > limit {
            buckets.sort_by_key(|bucket| std::cmp::Reverse(knowledge(&bucket[0][0].state)));
            let mut rest = buckets.split_off(limit / 2);
            rest = if is_head { self.join(rest, Loss::Knowledge, is_head) } else { by_own_registers(rest) };
            let most = if is_head { self.options.budget.variants } else { limit };
            if buckets.len() + rest.len() > most {
                rest = vec![rest.into_iter().flatten().collect()];
            }
            buckets.extend(rest);
        }
        let mut leveled = Vec::new();
        for bucket in buckets {
            if bucket.len() == 1 {
                leveled.extend(bucket);
            } else {
                leveled.extend(self.give_up_here(bucket)?);
            }
        }
        Ok(leveled)
    }

    /// Gives up what makes a crowd of the states: it multiplies with each round. The run begins again, so that no round is copied for it.
    fn thin_out(&mut self, buckets: &[Vec<Group>]) -> Step<()> {
        let states: Vec<&State> = buckets.iter().map(|bucket| &bucket[0][0].state).collect();
        let top = states[0].top();
        let point = (top.chain, top.block, top.statement);
        let mut cells = crowd::varying(&states);
        if cells.is_empty() {
            let before: Vec<&State> = self.variants.of(point).iter().map(|variant| &variant.state).collect();
            cells = crowd::multiplying(&states, &before);
        }
        if self.generalizations.add(point, cells, &Cause::Join) {
            self.outdated = true;
            return Err(Interrupt::Restart);
        }
        Ok(())
    }

    /// Joins buckets that are alike but for so much.
    fn join(&mut self, buckets: Vec<Vec<Group>>, loss: Loss, is_head: bool) -> Vec<Vec<Group>> {
        let mut joined: Vec<Vec<Group>> = Vec::new();
        for bucket in buckets {
            let place =
                joined.iter().position(|other| self.loss((&other[0][0].state, &bucket[0][0].state), is_head) <= loss);
            match place {
                Some(at) => joined[at].extend(bucket),
                None => joined.push(bucket),
            }
        }
        joined
    }

    /// Joins buckets whose states hold the same in all that steers, where few are left then.
    fn by_steering(&self, buckets: Vec<Vec<Group>>, limit: usize) -> Vec<Vec<Group>> {
        let held = |bucket: &Vec<Group>| {
            let mut held: BTreeMap<CellName, String> = BTreeMap::new();
            each_cell(&bucket[0][0].state, &mut |cell, value| {
                if self.steers(&cell) {
                    held.insert(cell, value);
                }
            });
            held
        };
        let marks: Vec<_> = buckets.iter().map(held).collect();
        let kinds: BTreeSet<_> = marks.iter().collect();
        if kinds.len() < 2 || kinds.len() > limit {
            return buckets;
        }
        let mut joined: BTreeMap<_, Vec<Group>> = BTreeMap::new();
        for (mark, bucket) in marks.into_iter().zip(buckets) {
            joined.entry(mark).or_default().extend(bucket);
        }
        joined.into_values().collect()
    }

    /// Gives up what differs between the groups, in each of their paths.
    fn give_up_here(&mut self, mut groups: Vec<Group>) -> Step<Vec<Group>> {
        let unlike = callers::unlike(&groups, &self.callers);
        for severity in 0..6 {
            let globals = globals(&groups);
            let flags = if severity > 1 { flags(&groups) } else { BTreeMap::new() };
            let mut cells: BTreeSet<CellName> = BTreeSet::new();
            let (first, others) = groups.split_at(1);
            for other in others {
                cells.extend(differences(&first[0][0].state, &other[0].state));
                cells.extend(differences(&other[0].state, &first[0][0].state));
            }
            let mut widened = Vec::new();
            for incoming in groups.into_iter().flatten() {
                (self.current, self.state) = (incoming.block, incoming.state);
                for global in &globals {
                    self.global_object(*global);
                }
                self.raise_flags(&flags)?;
                if severity == 0 {
                    self.forget_callers(&unlike);
                }
                for cell in &cells {
                    self.generalize_cell(*cell, &Cause::Join)?;
                }
                if severity > 0 {
                    self.forget_open_pointees();
                }
                if severity > 1 {
                    self.forget_arrays();
                }
                if severity > 2 {
                    self.separate();
                }
                if severity > 3 {
                    self.state.facts.clear();
                }
                if severity > 4 {
                    self.expose_all();
                }
                widened.push(self.incoming(incoming.edge, false));
            }
            groups = unite(widened);
            if groups.len() == 1 {
                break;
            }
        }
        Ok(groups)
    }

    /// Objects that are residual or reachable in one state are in all.
    fn raise_flags(&mut self, flags: &BTreeMap<Origin, Flags>) -> Step<()> {
        for (origin, flags) in flags {
            let Some(id) = self.state.memory.find(*origin) else { continue };
            if flags.residual {
                self.materialize(id)?;
            }
            if flags.escaped && self.state.memory.get(id).is_some_and(|object| !object.escaped) {
                self.escape(id);
            }
            if flags.shared {
                self.mark_private(id, false);
            }
            if let (true, Some(object)) = (flags.unpromised, self.state.memory.get_mut(id)) {
                object.promised = false;
            }
            if let Some(object) = self.state.memory.get_mut(id).filter(|object| !object.elements.is_empty()) {
                object.elements.retain(|slot, _| flags.slots.as_ref().is_some_and(|slots| slots.contains(slot)));
            }
        }
        Ok(())
    }

    /// What pointers that are only in registers lead to is in memory alone, unless it is private: some of the states may not have looked at it.
    fn forget_open_pointees(&mut self) {
        let values = self.state.frames.iter().flat_map(|frame| frame.registers.values());
        let cells = self.state.memory.iter().flat_map(|(_, object)| object.cells.values().map(|cell| &cell.value));
        let named: BTreeSet<_> = values.chain(cells).filter_map(Value::pointer).map(|pointer| pointer.object).collect();
        for id in self.state.memory.ids() {
            let is_open = |object: &Object| {
                let is_pointee = matches!(object.origin, Origin::Pointee(_));
                is_pointee && !object.isolated && object.within.is_none() && !object.cells.is_empty()
            };
            if !named.contains(&id)
                && self.state.memory.get(id).is_some_and(is_open)
                && let Some(object) = self.state.memory.get_mut(id)
            {
                object.cells.clear();
            }
        }
    }

    /// Addresses count as taken in their objects.
    fn forget_arrays(&mut self) {
        let forget = |value: &mut Value| {
            if let Value::Pointer(pointer) = value {
                pointer.array = None;
            }
        };
        for frame in &mut self.state.frames {
            frame.registers.values_mut().for_each(forget);
        }
        for id in self.state.memory.ids() {
            let is_taken = |cell: &Cell| matches!(cell.value, Value::Pointer(Pointer { array: Some(_), .. }));
            if self.state.memory.get(id).is_some_and(|object| object.cells.values().any(is_taken))
                && let Some(object) = self.state.memory.get_mut(id)
            {
                object.cells.values_mut().for_each(|cell| forget(&mut cell.value));
            }
        }
    }

    /// Where one register is known to be in several places, each place gets its own.
    fn separate(&mut self) {
        let mut seen = BTreeSet::new();
        let mut state = std::mem::take(&mut self.state);
        let pointees: BTreeSet<Origin> = state.memory.iter().map(|(_, object)| object.origin).collect();
        for frame in &mut state.frames {
            for value in frame.registers.values_mut() {
                self.own_register(value, &mut seen, &pointees);
            }
        }
        for id in state.memory.ids() {
            if let Some(object) = state.memory.get_mut(id) {
                object.cells.values_mut().for_each(|cell| self.own_register(&mut cell.value, &mut seen, &pointees));
            }
        }
        self.state = state;
    }

    fn own_register(&mut self, value: &mut Value, seen: &mut BTreeSet<LocalId>, pointees: &BTreeSet<Origin>) {
        let Value::Dynamic(register) = *value else { return };
        if seen.insert(register) || pointees.contains(&Origin::Pointee(register)) {
            return;
        }
        *value = Value::Dynamic(self.copy_register(register));
    }

    /// A register with the same value, of which nothing else is known.
    pub(crate) fn copy_register(&mut self, register: LocalId) -> LocalId {
        let local = self.residual.locals[register].clone();
        let copy = self.residual.local(&local.name, local.ty, LocalKind::Register);
        let blame = self.blames.of_register(register);
        self.blames.set(copy, blame);
        let source = Expression { kind: ExpressionKind::Local(register), ty: local.ty, span: None };
        self.emit(StatementKind::Set { local: copy, value: source });
        copy
    }
}

/// Each state's function under work holds an address of its own of a row in a constant table, and rows have addresses in them: what is
/// called or looked at next is another thing for each.
fn differ_in_rows((program, types): (&Program, &Types), buckets: &[Vec<Group>]) -> bool {
    let Some(first) = buckets.first() else { return false };
    let top = first[0][0].state.top();
    let row = |bucket: &Vec<Group>, local: &LocalId| {
        let state = &bucket[0][0].state;
        let pointer = state.top().registers.get(local)?.pointer()?;
        state.memory.get(pointer.object).filter(|object| object.constant).map(|object| (object.origin, pointer.offset))
    };
    let is_of_rows = |local: &&LocalId| {
        let element = types.element(program.functions[top.function].locals[**local].ty);
        element.is_some_and(|element| has_addresses(types, element))
    };
    top.registers.keys().filter(is_of_rows).any(|local| {
        let rows: Option<BTreeSet<_>> = buckets.iter().map(|bucket| row(bucket, local)).collect();
        rows.is_some_and(|rows| rows.len() > buckets.len() / 2)
    })
}

/// Joins buckets whose states hold the same in the registers of the function under work.
fn by_own_registers(buckets: Vec<Vec<Group>>) -> Vec<Vec<Group>> {
    let own = |state: &State| -> Vec<Option<i128>> {
        let known = |value: &Value| if let Value::Integer(value) = value { Some(*value) } else { None };
        state.top().registers.values().map(known).collect()
    };
    let mut joined: Vec<(Vec<Option<i128>>, Vec<Group>)> = Vec::new();
    for bucket in buckets {
        let mark = own(&bucket[0][0].state);
        match joined.iter().position(|(other, _)| *other == mark) {
            Some(at) => joined[at].1.extend(bucket),
            None => joined.push((mark, bucket)),
        }
    }
    joined.into_iter().map(|(_, bucket)| bucket).collect()
}

/// Globals that one of the states has looked at.
fn globals(groups: &[Group]) -> BTreeSet<core_c::GlobalId> {
    let states = groups.iter().flatten().map(|incoming| &incoming.state);
    let origins = states.flat_map(|state| state.memory.iter().map(|(_, object)| object.origin));
    origins.filter_map(|origin| if let Origin::Global(global) = origin { Some(global) } else { None }).collect()
}

/// What must be said of an object where it holds in one of several states.
#[derive(Clone, Debug, Default)]
struct Flags {
    residual: bool,
    escaped: bool,
    shared: bool,
    unpromised: bool,
    /// Whose numbers are known in all of them.
    slots: Option<BTreeSet<Slot>>,
}

fn flags(groups: &[Group]) -> BTreeMap<Origin, Flags> {
    let mut all: BTreeMap<Origin, Flags> = BTreeMap::new();
    let mut add = |object: &Object| {
        let flags = all.entry(object.origin).or_default();
        flags.residual |= object.residual;
        flags.escaped |= object.escaped;
        flags.shared |= !object.isolated;
        flags.unpromised |= !object.promised;
        let slots = object.elements.keys().filter(|slot| flags.slots.as_ref().is_none_or(|known| known.contains(slot)));
        flags.slots = Some(slots.copied().collect());
    };
    for incoming in groups.iter().flatten() {
        incoming.state.memory.iter().map(|(_, object)| object).filter(|object| !object.settled).for_each(&mut add);
    }
    all
}
