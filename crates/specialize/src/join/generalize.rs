//! Where residual code would grow without end, knowledge is given up: a *generalization* names a program point and a
//! cell that is to be dynamic there, and the run begins again with it. There are finitely many of both, so this ends.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use core_c::{LocalId, Shape};

use crate::calls::variadic::LOST;
use crate::engine::call_chain::ChainId;
use crate::engine::state::State;
use crate::engine::{Engine, Interrupt, Point, Step};
use crate::join::differences::{differences, growing, rising};
use crate::join::steered::Steered;
use crate::memory::elements;
use crate::memory::{Cell, Found, Origin};
use crate::report::Cause;
use crate::values::value::{ObjectId, Pointer, Value};

/// So many states tell what grows from what comes again.
const ROUNDS: usize = 24;

/// A cell, by a name that holds over restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum CellName {
    Register(ChainId, LocalId),
    /// Part of an object: offset and size.
    Memory(Origin, u64, u64),
    /// The same part of every pointee.
    Pointees(u64, u64),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Generalizations {
    pub(crate) at: BTreeMap<Point, BTreeMap<CellName, Cause>>,
    /// Frames at whose points nothing is kept that residual memory can be asked for again.
    pub(crate) loads: BTreeSet<ChainId>,
    /// Points to which a loop came back with less known of numbers: 1 where nothing holds there of what the rounds change, 2 where nothing
    /// holds at all.
    pub(crate) plain: BTreeMap<Point, u8>,
    /// Objects that a loop's rounds make known elsewhere: they are from the first one on, which so is not copied.
    pub(crate) escapes: BTreeMap<Point, BTreeSet<Origin>>,
    /// Parts of arrays whose elements decide something, with the numbers that are stored there.
    pub(crate) elements: elements::Numbers,
    /// What leads to rows of constant tables.
    pub(crate) steered: Steered,
}

impl Generalizations {
    /// Something is given up at a point.
    pub(crate) fn concern(&self, point: Point) -> bool {
        self.at.contains_key(&point) || self.escapes.contains_key(&point)
    }

    /// Adds cells; true where there was a new one.
    pub(crate) fn add(&mut self, point: Point, cells: impl IntoIterator<Item = CellName>, cause: &Cause) -> bool {
        let known = self.at.entry(point).or_default();
        let before = known.len();
        for cell in cells {
            known.entry(cell).or_insert_with(|| cause.clone());
        }
        known.len() > before
    }
}

impl Engine<'_> {
    /// Gives up what was recorded for a point.
    pub(crate) fn generalize_here(&mut self, point: Point) -> Step<()> {
        let all = self.generalizations.loads.contains(&point.0);
        self.forget_loads(all);
        for origin in self.generalizations.escapes.get(&point).cloned().unwrap_or_default() {
            if let Some(id) = self.state.memory.find(origin) {
                self.materialize(id)?;
                self.escape(id);
            }
        }
        let Some(cells) = self.generalizations.at.get(&point).cloned() else { return Ok(()) };
        cells.iter().try_for_each(|(cell, cause)| self.generalize_cell(*cell, cause))?;
        // Giving up an address puts what it leads to into residual memory, where less is kept.
        cells.iter().try_for_each(|(cell, cause)| self.generalize_cell(*cell, cause))
    }

    /// Makes one cell dynamic.
    pub(crate) fn generalize_cell(&mut self, cell: CellName, cause: &Cause) -> Step<()> {
        match cell {
            CellName::Register(chain, local) => self.generalize_register(chain, local, cause)?,
            CellName::Memory(origin, offset, size) => {
                if let Some(id) = self.state.memory.find(origin) {
                    self.generalize_memory(id, (offset, size), cause)?;
                }
            }
            CellName::Pointees(offset, size) => {
                for id in self.state.memory.ids() {
                    let object = self.state.memory.get(id);
                    if object.is_some_and(|object| matches!(object.origin, Origin::Pointee(_))) {
                        self.forget(id, (offset, size), cause);
                    }
                }
            }
        }
        Ok(())
    }

    fn generalize_register(&mut self, chain: ChainId, local: LocalId, cause: &Cause) -> Step<()> {
        let Some(at) = self.state.frames.iter().position(|frame| frame.chain == chain) else { return Ok(()) };
        let frame = &self.state.frames[at];
        let source = &self.input.functions[frame.function].locals[local];
        let Some(value) = frame.registers.get(&local).cloned() else { return Ok(()) };
        if matches!(value, Value::Dynamic(_)) {
            return Ok(());
        }
        let is_known = value.is_known();
        let bound = self.bind_address(value, source.ty, &source.name)?;
        self.given_up(CellName::Register(chain, local), bound, (cause, is_known));
        self.state.frames[at].registers.insert(local, Value::Dynamic(bound));
        Ok(())
    }

    /// A register stands for what was known of a cell.
    fn given_up(&mut self, cell: CellName, register: LocalId, (cause, is_known): (&Cause, bool)) {
        let name = self.cell_name(cell);
        let blame = self.blame(cause.clone(), name);
        self.blames.set(register, Some(blame));
        // Where paths join, each leaves what it knows of the number.
        if *cause != Cause::Join {
            self.forget_number(register);
        }
        if is_known {
            self.blames.tell(blame);
        }
    }

    /// A range of a residual object is only in memory from here on.
    fn forget(&mut self, id: ObjectId, (offset, size): (u64, u64), cause: &Cause) {
        let Some(object) = self.state.memory.get(id) else { return };
        let origin = object.origin;
        let gone: Vec<bool> =
            object.cells.range(offset..offset.saturating_add(size)).map(|(_, cell)| cell.value.is_known()).collect();
        if !gone.is_empty() {
            let name = self.cell_name(CellName::Memory(origin, offset, size));
            let blame = self.blame(cause.clone(), name);
            if gone.contains(&true) {
                self.blames.tell(blame);
            }
            if let Some(object) = self.state.memory.get_mut(id) {
                object.lost = Some(blame);
            }
        }
        if let Some(object) = self.state.memory.get_mut(id) {
            object.forget(offset, size);
        }
    }

    fn generalize_memory(&mut self, id: ObjectId, (offset, size): (u64, u64), cause: &Cause) -> Step<()> {
        let Some(object) = self.state.memory.get(id) else { return Ok(()) };
        if object.residual {
            self.forget(id, (offset, size), cause);
            return Ok(());
        }
        let origin = object.origin;
        let cell = object.cells.get(&offset).filter(|cell| cell.size == size).cloned();
        let Some(cell) = cell.or_else(|| self.member_of(id, (offset, size))) else {
            return self.materialize(id);
        };
        if let Value::Arguments(chain, _) = cell.value {
            // It may still end, but where it stands is not known any more.
            let lost = Cell { value: Value::Arguments(chain, LOST), ..cell };
            if let Some(object) = self.state.memory.get_mut(id) {
                object.write(offset, lost);
            }
            return Ok(());
        }
        if !self.types.is_scalar(cell.ty) || self.types.size_of(cell.ty) != Some(size) {
            self.materialize(id)?;
            return self.generalize_memory(id, (offset, size), cause);
        }
        if matches!(cell.value, Value::Dynamic(_)) {
            return Ok(());
        }
        let is_known = cell.value.is_known();
        let bound = self.bind_address(cell.value, cell.ty, "")?;
        self.given_up(CellName::Memory(origin, offset, size), bound, (cause, is_known));
        let cell = Cell { value: Value::Dynamic(bound), ..cell };
        if let Some(object) = self.state.memory.get_mut(id) {
            object.write(offset, cell);
        }
        Ok(())
    }

    /// A declared member that is known as part of more bytes.
    fn member_of(&mut self, id: ObjectId, (offset, size): (u64, u64)) -> Option<Cell> {
        let at = Pointer { offset: i64::try_from(offset).ok()?, ..Pointer::to(id) };
        let [(0, ty)] = self.declared_in(at, size)?[..] else { return None };
        let object = self.state.memory.get(id).filter(|object| !object.constant)?;
        let value = match object.read(offset, size) {
            Found::Bytes(bits) => self.value_of_bytes(bits, ty)?,
            Found::Undefined => Value::Undefined,
            _ => return None,
        };
        Some(Cell { size, ty, value })
    }

    /// Residual memory still has what was loaded from it. Addresses are kept as long as possible (`all` is false),
    /// since with them goes what is known of the objects behind them; those of private objects are always kept.
    fn forget_loads(&mut self, all: bool) {
        for id in self.state.memory.ids() {
            let Some(object) = self.state.memory.get(id).filter(|object| object.residual) else { continue };
            let needless = |cell: &&Cell| match cell.value {
                Value::Dynamic(register) if all => !self.leads_to_private(register),
                Value::Dynamic(_) => !matches!(self.types.shape_of(cell.ty), Shape::Pointer(_)),
                _ => false,
            };
            let gone: Vec<u64> = object.cells.iter().filter(|(_, cell)| needless(cell)).map(|(at, _)| *at).collect();
            let registers = gone.iter().filter_map(|at| match object.cells[at].value {
                Value::Dynamic(register) => self.blames.of_register(register),
                _ => None,
            });
            let blame = object.lost.or_else(|| registers.into_iter().next());
            if let (false, Some(object)) = (gone.is_empty(), self.state.memory.get_mut(id)) {
                object.lost = blame;
                gone.iter().for_each(|at| drop(object.cells.remove(at)));
            }
        }
    }

    pub(crate) fn leads_to_private(&self, register: LocalId) -> bool {
        self.state.memory.find(Origin::Pointee(register)).is_some_and(|id| self.is_private(id))
    }

    /// Records that a loop's states must become more alike, and asks for a restart.
    pub(crate) fn give_up(&mut self, point: Point, (before, now): (&State, &State), cause: &Cause) -> Step<()> {
        let cells = differences(before, now);
        let mut is_new = !cells.is_empty() && self.generalizations.add(point, cells, cause);
        if !is_new {
            let escapes = self.generalizations.escapes.entry(point).or_default();
            let known = escapes.len();
            escapes.extend(escaping(before, now));
            is_new = escapes.len() > known;
            is_new |= self.lose_elements(before, now);
        }
        if !is_new && !self.generalizations.loads.insert(point.0) {
            return Ok(());
        }
        self.outdated = true;
        Err(Interrupt::Restart)
    }

    /// Records what goes on taking new values from round to round of a loop; false where nothing does, or the rounds are few.
    pub(crate) fn give_up_growing(&mut self, point: Point, cause: &Cause) -> bool {
        let list = self.variants.of(point);
        if list.len() < ROUNDS {
            return false;
        }
        let states: Vec<&State> = list.iter().map(|variant| &variant.state).collect();
        let mut cells = growing(&states);
        if cells.is_empty() {
            cells = rising(&states);
        }
        let is_new = !cells.is_empty() && self.generalizations.add(point, cells, cause);
        self.outdated |= is_new;
        is_new
    }

    /// Of the loops around, in all frames, the one that has gone round most often gives up what changes from round to
    /// round: short loops inside it may go on being unrolled.
    pub(crate) fn shorten(&mut self, state: &State) -> Step<()> {
        let mut loops = Vec::new();
        for (depth, frame) in state.frames.iter().enumerate() {
            let flow = self.flow(frame.function);
            for head in flow.around.get(&frame.block).into_iter().flatten() {
                let exits = frame.exits.get(head).copied().unwrap_or_default();
                if exits.round > 1 {
                    loops.push((Reverse(exits.round), depth, (frame.chain, *head, 0), exits.residual_head));
                }
            }
        }
        loops.sort();
        if loops.iter().any(|(_, _, point, _)| self.give_up_growing(*point, &Cause::Budget)) {
            return Err(Interrupt::Restart);
        }
        for (_, _, point, round) in loops {
            let list = self.variants.of(point);
            let place = list.iter().rposition(|variant| variant.block == round).filter(|at| *at > 0);
            let cells = place.map(|at| differences(&list[at - 1].state, &list[at].state)).unwrap_or_default();
            if !cells.is_empty() && self.generalizations.add(point, cells, &Cause::Budget) {
                return Err(Interrupt::Restart);
            }
        }
        Ok(())
    }
}

/// Objects that a later state knows elsewhere, and an earlier one does not.
fn escaping(before: &State, now: &State) -> Vec<Origin> {
    let escaped = now.memory.iter().map(|(_, object)| object).filter(|object| object.escaped);
    let was_own = |origin: &Origin| {
        let id = before.memory.find(*origin);
        id.and_then(|id| before.memory.get(id)).is_some_and(|object| !object.escaped)
    };
    escaped
        .map(|object| object.origin)
        .filter(|origin| matches!(origin, Origin::Local(..)) && was_own(origin))
        .collect()
}
