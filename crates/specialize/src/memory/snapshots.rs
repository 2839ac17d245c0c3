//! What a caller's own objects hold, for recursive functions that only look at it: a tree, a graph or a program that a scenario has
//! built in local memory.
//!
//! In: the arguments of a recursive call. Out: a snapshot of the objects they lead to, if no other code knows these and what leads on
//! from them is known; a variant is made for it, as for a constant. Run-time values that they hold are parameters of the variant, beside
//! those of its source: a continuation that a matcher passes on is a known function with a known successor, and the position in the
//! text where it began. A variant that turns out to write there, or to need such an object at run time, begins again without.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{FunctionId, Shape, TypeId};

use crate::calls::variants::Entry;
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::{Background, Cell, Origin};
use crate::mutation;
use crate::values::value::{ObjectId, Pointer, Value};

/// Larger snapshots are not made: more objects, more cells, more run-time values.
const OBJECTS: usize = 256;
const CELLS: usize = 4096;
const PASSED: usize = 8;

/// One object, as it is when the function is called.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    ty: TypeId,
    size: Option<u64>,
    background: Background,
    cells: BTreeMap<u64, Cell>,
    /// Where values are that the caller passes, and of what size and type.
    passed: BTreeMap<u64, (u64, TypeId)>,
}

/// Objects by their numbers in a variant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Snapshot {
    pictures: Vec<Picture>,
    numbers: BTreeMap<ObjectId, usize>,
    /// Run-time values that the objects hold, in the order of the pictures, for the one who makes the call.
    passed: Vec<(Value, TypeId)>,
}

impl Snapshot {
    /// As it stands in a variant, whoever makes the call.
    pub(crate) fn sealed(mut self) -> Snapshot {
        self.numbers.clear();
        self.passed.clear();
        self
    }

    /// What the caller passes beside the arguments.
    pub(crate) fn passed(&self) -> &[(Value, TypeId)] {
        &self.passed
    }

    fn number(&self, id: ObjectId) -> Option<ObjectId> {
        self.numbers.get(&id).map(|number| ObjectId::of_snapshot(*number))
    }

    fn held(&self, value: &Value) -> Value {
        match value {
            Value::Pointer(pointer) => {
                let object = self.number(pointer.object).unwrap_or(pointer.object);
                Value::Pointer(Pointer { object, ..*pointer })
            }
            other => other.clone(),
        }
    }

    /// The numbers that one leads to.
    fn from(&self, number: usize) -> BTreeSet<usize> {
        let (mut found, mut work) = (BTreeSet::new(), vec![number]);
        while let Some(number) = work.pop() {
            if let Some(picture) = self.pictures.get(number)
                && found.insert(number)
            {
                let values = picture.cells.values().filter_map(|cell| cell.value.pointer());
                work.extend(values.filter_map(|pointer| pointer.object.snapshot()));
            }
        }
        found
    }
}

impl Engine<'_> {
    /// An address as it is in a snapshot, which grows by what it leads to; none, and the snapshot as before, where something of that
    /// is not known or known elsewhere.
    pub(crate) fn take(&self, pointer: Pointer, snapshot: &mut Snapshot) -> Option<Value> {
        let mut grown = snapshot.clone();
        let mut work = vec![pointer.object];
        let mut new = Vec::new();
        while let Some(id) = work.pop() {
            if grown.numbers.contains_key(&id) {
                continue;
            }
            let object = self.state.memory.get(id)?;
            let is_own = matches!(object.origin, Origin::Local(..) | Origin::Snapshot(_));
            if !is_own || object.residual || object.escaped || object.isolated || grown.numbers.len() == OBJECTS {
                return None;
            }
            grown.numbers.insert(id, grown.numbers.len());
            new.push(id);
            for cell in object.cells.values() {
                match &cell.value {
                    Value::Pointer(to) if !self.is_lasting(&cell.value) => work.push(to.object),
                    Value::Undefined => {}
                    known if self.is_lasting(known) => {}
                    _ if self.may_be_passed(cell) => {}
                    _ => return None,
                }
            }
        }
        for id in new {
            let object = self.state.memory.get(id)?;
            let (mut cells, mut passed) = (BTreeMap::new(), BTreeMap::new());
            for (at, cell) in &object.cells {
                if is_run_time(&cell.value) {
                    passed.insert(*at, (cell.size, cell.ty));
                    grown.passed.push((cell.value.clone(), cell.ty));
                } else {
                    cells.insert(*at, Cell { value: grown.held(&cell.value), ..cell.clone() });
                }
            }
            let (ty, size, background) = (object.ty, object.size, object.background);
            grown.pictures.push(Picture { ty, size, background, cells, passed });
        }
        if grown.passed.len() > PASSED {
            return None;
        }
        if grown.pictures.iter().map(|picture| picture.cells.len()).sum::<usize>() > CELLS {
            return None;
        }
        *snapshot = grown;
        Some(snapshot.held(&Value::Pointer(pointer)))
    }

    /// A number that is not known before run time.
    fn may_be_passed(&self, cell: &Cell) -> bool {
        let is_number = matches!(self.types.shape_of(cell.ty), Shape::Integer { .. } | Shape::Float { .. });
        is_run_time(&cell.value) && is_number && self.leads_to(&cell.value).is_empty()
    }

    /// At the entry of a variant: its snapshot's objects are there.
    pub(crate) fn enter_snapshot(&mut self, snapshot: &Snapshot) {
        for (number, picture) in snapshot.pictures.iter().enumerate() {
            let mut object = self.fresh(Origin::Snapshot(number), picture.ty, picture.background);
            object.size = picture.size;
            object.cells = picture.cells.iter().map(|(at, cell)| (*at, self.own(cell.clone()))).collect();
            for (at, (size, ty)) in &picture.passed {
                let value = self.parameter("", *ty);
                object.cells.insert(*at, Cell { size: *size, ty: *ty, value });
            }
            self.entry_cells.push(object.cells.clone());
            let id = ObjectId::of_snapshot(number);
            self.entry_objects.push(id);
            self.state.memory.insert(id, object);
        }
    }

    /// A store to what a snapshot holds. Its end need not be waited for: by then, numbers that are counted in it have made another
    /// snapshot, and another variant, for each call.
    pub(crate) fn only_look_at(&mut self, pointer: Pointer, cell: &Cell) -> Step<()> {
        let Some(number) = pointer.object.snapshot().filter(|_| !mutation::forgets("snapshot")) else { return Ok(()) };
        let offset = u64::try_from(pointer.offset).ok();
        let now = offset.and_then(|offset| self.state.memory.get(pointer.object)?.cells.get(&offset));
        if now == Some(cell) { Ok(()) } else { self.do_without_snapshot(number) }
    }

    /// At an exit of a variant: nothing of its snapshot has been written.
    pub(crate) fn check_snapshot(&mut self, index: usize) -> Step<()> {
        let snapshot = &self.functions.list[index].snapshot;
        let is_same = |(number, (picture, cells)): (usize, (&Picture, &BTreeMap<u64, Cell>))| {
            let object = self.state.memory.get(ObjectId::of_snapshot(number));
            object.is_some_and(|object| object.cells == *cells && object.background == picture.background)
        };
        let is_changed = |picture| !is_same(picture) && !mutation::forgets("snapshot");
        match snapshot.pictures.iter().zip(&self.entry_cells).enumerate().position(is_changed) {
            Some(changed) => self.do_without_snapshot(changed),
            None => Ok(()),
        }
    }

    /// A picture is not enough: the parameters that lead there are given the objects themselves.
    pub(crate) fn do_without_snapshot<T>(&mut self, number: usize) -> Step<T> {
        let Some(variant) = self.variant.and_then(|index| self.functions.list.get(index)) else {
            return self.refuse("an object of another function is needed here");
        };
        let leads = |entry: &Entry| match entry {
            Entry::Known(Value::Pointer(pointer)) => {
                pointer.object.snapshot().is_some_and(|first| variant.snapshot.from(first).contains(&number))
            }
            _ => false,
        };
        let parameters = variant.entries.iter().enumerate().filter(|(_, entry)| leads(entry));
        let found: Vec<(FunctionId, usize)> = parameters.map(|(at, _)| (variant.source, at)).collect();
        self.functions.without_snapshot.extend(found);
        Err(Interrupt::RestartAll)
    }
}

/// Not known before run time, though it is a value.
fn is_run_time(value: &Value) -> bool {
    matches!(value, Value::Dynamic(_))
}
