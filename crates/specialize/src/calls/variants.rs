//! Functions that cannot be unfolded without end become residual functions of their own, one for each *entry*: what
//! is known of the parameters and of what they point to. A variant that is met again while it is being made is called
//! as it will be; what differs between entries is given up where there are too many (`recursion.rs`).
//!
//! After a call, what was known at the entry and is still there at every exit stays known.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{Argument, Callee, Function, FunctionId, LocalKind, Receiver, Shape, StatementKind};
use la_arena::RawIdx;

use crate::Size;
use crate::calls::lessons::Lessons;
use crate::calls::outlined::Unfolded;
use crate::calls::recursion::Room;
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::snapshots::Snapshot;
use crate::memory::{Background, Cell, Origin};
use crate::mutation;
use crate::report::trace::Trace;
use crate::report::{Cause, Generalization};
use crate::sensitivity::Shared;
use crate::values::value::{ObjectId, Pointer, Value};

/// What is known of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Entry {
    Known(Value),
    Dynamic,
    /// A residual pointer, with cells of what it points to; `isolated` as in [`crate::memory::Object`].
    Pointer {
        cells: Vec<(u64, Cell)>,
        isolated: bool,
    },
    /// A structure by value, with its own cells.
    Structure(Vec<(u64, Cell)>),
}

impl Entry {
    /// Whether anything is known.
    fn tells(&self) -> bool {
        match self {
            Entry::Known(_) => true,
            Entry::Dynamic => false,
            Entry::Pointer { cells, .. } | Entry::Structure(cells) => !cells.is_empty(),
        }
    }
}

/// A residual function, finished or being made.
#[derive(Clone, Debug)]
pub(crate) struct FunctionVariant {
    pub(crate) source: FunctionId,
    pub(crate) entries: Vec<Entry>,
    /// What known addresses lead to in the caller.
    pub(crate) snapshot: Snapshot,
    pub(crate) id: FunctionId,
    /// Entry cells that an exit does not leave as they were: parameter, offset.
    pub(crate) changed: BTreeSet<(usize, u64)>,
    pub(crate) residual: Option<Function>,
    /// What its run gave up.
    pub(crate) found: Vec<Generalization>,
    /// What it did with the constructs of the source.
    pub(crate) trace: Trace,
}

impl FunctionVariant {
    /// Addresses of constants are compared by the global they mean, since object numbers differ between runs.
    pub(crate) fn has_entries(&self, entries: &[Entry]) -> bool {
        self.entries.len() == entries.len()
            && self.entries.iter().zip(entries).all(|pair| match pair {
                (Entry::Pointer { cells: a, isolated: p }, Entry::Pointer { cells: b, isolated: q }) => {
                    p == q && a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && a.1 == b.1)
                }
                (a, b) => a == b,
            })
    }

    /// The parameters that are passed, by their number in the source.
    pub(crate) fn passed(&self) -> impl Iterator<Item = usize> {
        let is_passed = |entry: &Entry| !matches!(entry, Entry::Known(_));
        self.entries.iter().enumerate().filter(move |(_, entry)| is_passed(entry)).map(|(at, _)| at)
    }
}

/// Knowledge that entries of a function do without: parameter, and offset in what it points to.
pub(crate) type EntryGeneralization = (FunctionId, usize, Option<u64>);

/// What the runs over all functions share.
#[derive(Debug, Default)]
pub(crate) struct FunctionVariants {
    pub(crate) list: Vec<FunctionVariant>,
    pub(crate) general: BTreeSet<EntryGeneralization>,
    /// By source function and parameter: offsets that some exit was found to change.
    pub(crate) changed: BTreeSet<(FunctionId, usize, u64)>,
    /// Functions that turned out to be called as they stand, and why.
    pub(crate) kept: BTreeMap<FunctionId, String>,
    /// Parameters whose address some exit was found to leave where others find it.
    pub(crate) retained: BTreeSet<(FunctionId, usize)>,
    /// Parameters that a snapshot of what they lead to was found not to be enough for.
    pub(crate) without_snapshot: BTreeSet<(FunctionId, usize)>,
    pub(crate) room: Room,
    /// What was given up for entries.
    pub(crate) lessons: Vec<Lessons>,
    /// Functions whose recursion under a residual test was found to go on.
    pub(crate) recursive: BTreeSet<FunctionId>,
    /// Functions that are not unfolded, since that makes too much code.
    pub(crate) outlined: BTreeSet<FunctionId>,
    pub(crate) unfolded: BTreeMap<FunctionId, Unfolded>,
    /// Residual statements of those that are finished.
    pub(crate) statements: usize,
    /// What is unknown somewhere, while a sensitivity is off that would tell it apart.
    pub(crate) shared: BTreeSet<Shared>,
    /// What finished runs over them took.
    pub(crate) steps: u64,
}

impl FunctionVariants {
    /// The root's run begins again, and all variants with it.
    pub(crate) fn begin_again(&mut self) {
        self.list.clear();
        self.statements = 0;
    }
}

/// In place of an offset: other pointers may lead to the same memory.
const SHARED: u64 = u64::MAX;

impl Engine<'_> {
    /// Calls a residual function made for what is known here; false where the arguments do not allow it.
    pub(crate) fn call_variant(
        &mut self,
        function: FunctionId,
        receiver: Option<&Receiver>,
        arguments: &[Argument],
    ) -> Step<bool> {
        let data = &self.input.functions[function];
        if self.is_kept(function) || data.parameters.len() != arguments.len() {
            return Ok(false);
        }
        let (values, mut structures) = self.given(function, arguments)?;
        let has_structures = !structures.is_empty();
        let leads: Vec<ObjectId> = structures.values().flat_map(|structure| structure.leads.iter().copied()).collect();
        // The variant and functions it is given may touch what they name.
        self.reveal(&Callee::Function(function))?;
        for (value, _) in &values {
            if let Value::Function(given) = value {
                self.expose_function(*given)?;
            }
        }
        let before = self.known_elsewhere();
        let apart = self.apart(&values, &leads);
        let hidden: Vec<ObjectId> = values.iter().filter_map(|(value, _)| self.hidden(value)).collect();
        let (mut entries, mut passed, mut objects) = (Vec::new(), Vec::new(), Vec::new());
        let (looked_at, snapshot) = self.looked_at(function, &values);
        for (at, (value, ty)) in values.into_iter().enumerate() {
            if let Some(structure) = structures.remove(&at) {
                entries.push(Entry::Structure(structure.cells));
                passed.push(structure.argument);
                objects.push(None);
                continue;
            }
            let (entry, object) = match &looked_at[at] {
                Some(known) => (Entry::Known(known.clone()), None),
                None => self.entry(function, at, &value, ty, apart[at]),
            };
            if !matches!(entry, Entry::Known(_)) {
                passed.push(Argument::Value(self.lift(value, ty)?));
            }
            entries.push(entry);
            objects.push(object);
        }
        if has_structures && !entries.iter().any(Entry::tells) {
            return Ok(false);
        }
        for (value, ty) in snapshot.passed() {
            passed.push(Argument::Value(self.lift(value.clone(), *ty)?));
        }
        let index = self.variant(function, entries, snapshot.sealed())?;
        let variant = self.functions.list[index].clone();
        let kept = self.kept(&variant, &objects);
        let cause = Cause::Recursion(self.plain_name(function));
        let (target, value) = self.residual_receiver(receiver, cause.clone())?;
        self.emit(StatementKind::Call { receiver: target, callee: Callee::Function(variant.id), arguments: passed });
        self.clobber(&cause);
        if let Some(Receiver::Object(place)) = receiver {
            let location = self.locate(place)?;
            self.written(location.root(), None);
        }
        self.keep_private(&before.private);
        let known = objects.iter().flatten().map(|pointer| pointer.object).chain(leads);
        known.for_each(|id| self.forget_all(id, &cause));
        for (at, pointer) in objects.iter().enumerate().filter_map(|(at, object)| Some((at, (*object)?))) {
            let is_retained = self.functions.retained.contains(&(function, at)) && !mutation::forgets("retained");
            if hidden.contains(&pointer.object) && apart[at] && !is_retained {
                self.mark_escaped(pointer.object, false);
            }
        }
        for (id, offset, cell) in kept {
            if let Some(object) = self.state.memory.get_mut(id) {
                object.write(offset, cell);
            }
        }
        if let (Some(Receiver::Register(local)), Some(value)) = (receiver, value) {
            self.state.top_mut().registers.insert(*local, value);
        }
        Ok(true)
    }

    /// For each argument that is an address of objects that the function may only look at: the address in a snapshot of them.
    fn looked_at(&self, function: FunctionId, values: &[(Value, core_c::TypeId)]) -> (Vec<Option<Value>>, Snapshot) {
        let is_wanted = |(at, (value, ty)): (usize, &(Value, core_c::TypeId))| {
            matches!(self.types.shape_of(*ty), Shape::Pointer(_))
                && !self.is_lasting(value)
                && !self.functions.general.contains(&(function, at, None))
                && !self.functions.without_snapshot.contains(&(function, at))
        };
        let mut wanted: Vec<bool> = values.iter().enumerate().map(is_wanted).collect();
        loop {
            let mut snapshot = Snapshot::default();
            let take = |((value, _), wanted): (&(Value, _), &bool)| {
                value.pointer().filter(|_| *wanted).and_then(|pointer| self.take(pointer, &mut snapshot))
            };
            let known: Vec<Option<Value>> = values.iter().zip(&wanted).map(take).collect();
            // What the function gets an address of besides it may write.
            let given = values.iter().zip(&known).filter(|(_, known)| known.is_none());
            let given = self.reached(given.flat_map(|((value, _), _)| self.leads_to(value)).collect());
            let is_shared = |at: usize| {
                let own = self.reached(self.leads_to(&values[at].0));
                let changing = |id: &ObjectId| self.state.memory.get(*id).is_some_and(|object| !object.constant);
                own.intersection(&given).any(changing)
            };
            let still: Vec<bool> = (0..values.len()).map(|at| known[at].is_some() && !is_shared(at)).collect();
            if still == wanted {
                return (known, snapshot);
            }
            wanted = still;
        }
    }

    /// Objects, and all that can be reached from them by addresses that are known.
    pub(super) fn reached(&self, mut waiting: Vec<ObjectId>) -> BTreeSet<ObjectId> {
        let mut seen = BTreeSet::new();
        while let Some(id) = waiting.pop() {
            if seen.insert(id) {
                waiting.extend(self.leads_from(id));
            }
        }
        seen
    }

    /// The object that an address leads to, if no code but this knows it.
    fn hidden(&self, value: &Value) -> Option<ObjectId> {
        let Value::Pointer(pointer) = value else { return None };
        let object = self.state.memory.get(pointer.object)?;
        (!object.escaped && matches!(object.origin, Origin::Local(..))).then_some(pointer.object)
    }

    fn forget_all(&mut self, id: ObjectId, cause: &Cause) {
        for id in self.whole_of(id) {
            if self.state.memory.get(id).is_some_and(|object| !object.constant) {
                self.lose(id, cause.clone());
                if let Some(object) = self.state.memory.get_mut(id) {
                    object.cells.clear();
                    object.elements.clear();
                }
            }
        }
    }

    /// For each argument, whether no other that is passed, and nothing that can be reached from one, leads where it does; `also` is what
    /// structures lead to.
    fn apart(&self, values: &[(Value, core_c::TypeId)], also: &[ObjectId]) -> Vec<bool> {
        let targets: Vec<Vec<ObjectId>> = values.iter().map(|(value, _)| self.leads_to(value)).collect();
        let others = |at: usize| targets.iter().enumerate().filter(move |(other, _)| *other != at);
        let is_apart = |at: usize| {
            let mut waiting: Vec<ObjectId> = others(at).flat_map(|(_, to)| to).chain(also).copied().collect();
            waiting.extend(targets[at].iter().flat_map(|id| self.leads_from(*id)));
            let seen = self.reached(waiting);
            targets[at].iter().all(|id| !seen.contains(id))
        };
        (0..values.len()).map(is_apart).collect()
    }

    fn leads_from(&self, id: ObjectId) -> Vec<ObjectId> {
        let cells = self.state.memory.get(id).into_iter().flat_map(|object| object.cells.values());
        cells.flat_map(|cell| self.leads_to(&cell.value)).collect()
    }

    pub(crate) fn leads_to(&self, value: &Value) -> Vec<ObjectId> {
        let registers = match value {
            Value::Pointer(pointer) => return self.with_base(pointer.object),
            Value::Dynamic(register) => vec![*register],
            Value::Tree(tree) => crate::scenario::registers(tree),
            _ => Vec::new(),
        };
        let found = registers.into_iter().filter_map(|register| self.state.memory.find(Origin::Pointee(register)));
        found.flat_map(|id| self.with_base(id)).collect()
    }

    /// A pointee, and the object that it is part of.
    fn with_base(&self, id: ObjectId) -> Vec<ObjectId> {
        let within = self.state.memory.get(id).and_then(|object| object.within);
        [id].into_iter().chain(within.map(|within| within.object)).collect()
    }

    /// What is known of an argument, and the object it points to.
    fn entry(
        &mut self,
        function: FunctionId,
        at: usize,
        value: &Value,
        ty: core_c::TypeId,
        apart: bool,
    ) -> (Entry, Option<Pointer>) {
        if self.functions.general.contains(&(function, at, None)) {
            return (Entry::Dynamic, None);
        }
        if self.is_lasting(value) {
            return (Entry::Known(value.clone()), None);
        }
        let is_pointer = matches!(self.types.shape_of(ty), Shape::Pointer(_));
        let Some(pointer) = is_pointer.then(|| self.as_pointer(value)).flatten() else { return (Entry::Dynamic, None) };
        let Some(object) = self.state.memory.get(pointer.object) else { return (Entry::Dynamic, None) };
        let shared = self.functions.general.contains(&(function, at, Some(SHARED)));
        // Where the function puts the address somewhere, others lead there before it ends.
        let retained = self.functions.retained.contains(&(function, at)) && !mutation::forgets("retained");
        let isolated = apart && !shared && !retained && (object.isolated || !object.escaped);
        let cells = object.cells.iter().filter_map(|(offset, cell)| {
            let offset = u64::try_from(i64::try_from(*offset).ok()? - pointer.offset).ok()?;
            let known = self.is_lasting(&cell.value);
            let general = self.functions.general.contains(&(function, at, Some(offset)));
            (known && !general).then(|| (offset, cell.clone()))
        });
        (Entry::Pointer { cells: cells.collect(), isolated }, Some(pointer))
    }

    /// Values that mean the same in every function: numbers, functions, addresses of what nobody writes.
    pub(crate) fn is_lasting(&self, value: &Value) -> bool {
        match value {
            Value::Integer(_) | Value::Float(_) | Value::Function(_) => true,
            // A path on which an address has left its object is not one that is taken: it need not be followed for ever.
            Value::Pointer(pointer) => self.state.memory.get(pointer.object).is_some_and(|object| {
                let inside =
                    u64::try_from(pointer.offset).is_ok_and(|offset| object.size.is_some_and(|size| offset <= size));
                object.constant && matches!(object.origin, Origin::Global(_)) && inside
            }),
            _ => false,
        }
    }

    /// Entry cells that the call leaves as they are, where they lie in the caller.
    fn kept(&self, variant: &FunctionVariant, objects: &[Option<Pointer>]) -> Vec<(ObjectId, u64, Cell)> {
        let mut kept = Vec::new();
        for (at, (entry, pointer)) in variant.entries.iter().zip(objects).enumerate() {
            let (Entry::Pointer { cells, isolated: true }, Some(pointer)) = (entry, pointer) else { continue };
            for (offset, _) in cells {
                let here = i64::try_from(*offset).ok().and_then(|offset| u64::try_from(offset + pointer.offset).ok());
                let changed = variant.changed.contains(&(at, *offset));
                let cell = here.and_then(|here| self.state.memory.get(pointer.object)?.cells.get(&here).cloned());
                if let (false, Some(here), Some(cell)) = (changed, here, cell) {
                    kept.push((pointer.object, here, cell));
                }
            }
        }
        kept
    }

    /// The variant for an entry, made if it is not there.
    fn variant(&mut self, function: FunctionId, entries: Vec<Entry>, snapshot: Snapshot) -> Step<usize> {
        let same = |variant: &FunctionVariant| {
            variant.source == function && variant.has_entries(&entries) && variant.snapshot == snapshot
        };
        if let Some(index) = self.functions.list.iter().position(same) {
            return Ok(index);
        }
        self.bound_recursion(function, &entries, &snapshot)?;
        let number = self.input.functions.len() + self.functions.list.len();
        let id = FunctionId::from_raw(RawIdx::from(u32::try_from(number).unwrap_or(u32::MAX)));
        let known = self.functions.changed.iter().filter(|(source, ..)| *source == function);
        let changed = known.map(|(_, at, offset)| (*at, *offset)).collect();
        let index = self.functions.list.len();
        self.functions.list.push(FunctionVariant {
            source: function,
            entries,
            snapshot,
            id,
            changed,
            residual: None,
            found: Vec::new(),
            trace: Trace::default(),
        });
        let residual = self.make(function, index)?;
        self.functions.list[index].residual = Some(residual);
        Ok(index)
    }

    /// Runs the specializer over a function from an entry.
    fn make(&mut self, function: FunctionId, index: usize) -> Step<Function> {
        let mut inner = Engine::new(self.input, self.options, Rc::clone(&self.link), Rc::clone(&self.letters));
        inner.types = std::mem::take(&mut self.types);
        inner.functions = std::mem::take(&mut self.functions);
        inner.called = std::mem::take(&mut self.called);
        inner.addressed = self.addressed.clone();
        inner.variant = Some(index);
        let shared = inner.functions.shared.len();
        let variant = inner.functions.list[index].clone();
        inner.recall(index);
        let outcome = inner.run_variant(function, index);
        inner.remember(&variant);
        self.types = inner.types;
        self.functions = inner.functions;
        self.functions.steps += inner.steps;
        self.called.extend(inner.called);
        self.decided += inner.decided;
        if let Some(variant) = self.functions.list.get_mut(index) {
            variant.trace = inner.trace.finish(self.input, &inner.blames);
            variant.found = inner.blames.finish();
        }
        let residual = outcome?;
        if self.functions.shared.len() > shared {
            return Err(Interrupt::RestartAll);
        }
        self.functions.statements += Size::of([&residual]).statements;
        self.note_retained(function, index, &residual)?;
        Ok(residual)
    }

    /// Which addresses a finished variant retains; callers that took one to be left alone begin again.
    fn note_retained(&mut self, function: FunctionId, index: usize, residual: &Function) -> Step<()> {
        let passed: Vec<usize> = self.functions.list[index].passed().collect();
        let known = self.functions.retained.len();
        for (parameter, at) in residual.parameters.iter().zip(passed) {
            if !self.functions.retained.contains(&(function, at)) && self.retains(residual, *parameter) {
                self.functions.retained.insert((function, at));
            }
        }
        if self.functions.retained.len() > known { Err(Interrupt::RestartAll) } else { Ok(()) }
    }

    /// Parameters of a variant: known ones are gone from its head.
    pub(crate) fn enter_variant(&mut self, function: FunctionId, index: usize) {
        let data = &self.input.functions[function];
        let entries = self.functions.list[index].entries.clone();
        for (parameter, entry) in data.parameters.iter().zip(entries) {
            let local = &data.locals[*parameter];
            let value = match entry {
                Entry::Structure(cells) => {
                    self.enter_structure(*parameter, cells);
                    continue;
                }
                Entry::Known(value) => self.own_value(value),
                Entry::Dynamic => self.parameter(&local.name, local.ty),
                Entry::Pointer { cells, isolated } => {
                    let value = self.parameter(&local.name, local.ty);
                    // The caller has accessed what it leads to.
                    if let (Value::Dynamic(register), false) = (&value, cells.is_empty()) {
                        self.learn_not_null(*register);
                    }
                    self.know_pointee(&value, cells, isolated);
                    value
                }
            };
            self.give(*parameter, value);
        }
        let snapshot = self.functions.list[index].snapshot.clone();
        self.enter_snapshot(&snapshot);
    }

    pub(crate) fn parameter(&mut self, name: &str, ty: core_c::TypeId) -> Value {
        let here = self.residual.local(name, ty, LocalKind::Register);
        self.residual.parameters.push(here);
        self.note_parameter(here, ty);
        self.blame_parameter(here, name);
        Value::Dynamic(here)
    }

    fn know_pointee(&mut self, value: &Value, cells: Vec<(u64, Cell)>, isolated: bool) {
        let Some(pointer) = self.as_pointer(value) else { return };
        let cells: Vec<(u64, Cell)> = cells.into_iter().map(|(offset, cell)| (offset, self.own(cell))).collect();
        self.entry_objects.push(pointer.object);
        if let Some(object) = self.state.memory.get_mut(pointer.object) {
            object.isolated = isolated;
            object.cells.extend(cells);
        }
    }

    /// A cell of another run; the global that it may point to is there in this run, too.
    pub(crate) fn own(&mut self, cell: Cell) -> Cell {
        Cell { value: self.own_value(cell.value), ..cell }
    }

    fn own_value(&mut self, value: Value) -> Value {
        if let Value::Pointer(pointer) = value
            && let Some(global) = pointer.object.global()
        {
            self.global_object(global);
        }
        value
    }

    /// A parameter of the bottom frame gets its value.
    fn give(&mut self, parameter: core_c::LocalId, value: Value) {
        let frame = self.state.top();
        let local = &self.input.functions[frame.function].locals[parameter];
        if local.kind == LocalKind::Register {
            self.state.top_mut().registers.insert(parameter, value);
            return;
        }
        let origin = Origin::Local(frame.chain, parameter);
        let mut object = self.fresh(origin, local.ty, Background::Undefined);
        object.cells.insert(0, Cell { size: object.size.unwrap_or(0), ty: local.ty, value });
        let id = self.next_object();
        self.state.memory.insert(id, object);
        self.state.top_mut().objects.insert(parameter, id);
    }

    /// At an exit of a variant: entry cells that are not as they were are changed, for this variant and for what
    /// took them to be unchanged before.
    pub(crate) fn check_exit(&mut self, index: usize) -> Step<()> {
        self.check_snapshot(index)?;
        let variant = self.functions.list[index].clone();
        let mut found = Vec::new();
        let mut objects = self.entry_objects.clone().into_iter();
        for (at, entry) in variant.entries.iter().enumerate() {
            let Entry::Pointer { cells, .. } = entry else { continue };
            let Some(id) = objects.next() else { continue };
            for (offset, cell) in cells {
                let own = self.own(cell.clone());
                let is_as_before = self.state.memory.get(id).is_some_and(|object| object.holds(*offset, &own));
                if !is_as_before && !variant.changed.contains(&(at, *offset)) {
                    found.push((variant.source, at, *offset));
                }
            }
        }
        if found.is_empty() || mutation::forgets("exit") {
            return Ok(());
        }
        self.functions.changed.extend(found);
        Err(Interrupt::RestartAll)
    }
}

/// What two entries of one function disagree about.
pub(crate) fn differing(function: FunctionId, a: &[Entry], b: &[Entry]) -> Vec<EntryGeneralization> {
    let mut lost = Vec::new();
    let differ = |at: usize, a: &[(u64, Cell)], b: &[(u64, Cell)]| -> Vec<EntryGeneralization> {
        let (first, second) = (a.iter().filter(|cell| !b.contains(cell)), b.iter().filter(|cell| !a.contains(cell)));
        first.chain(second).map(|cell| (function, at, Some(cell.0))).collect()
    };
    for (at, pair) in a.iter().zip(b).enumerate() {
        match pair {
            (Entry::Pointer { cells: a, isolated: p }, Entry::Pointer { cells: b, isolated: q }) => {
                lost.extend((p != q).then_some((function, at, Some(SHARED))));
                lost.extend(differ(at, a, b));
            }
            (Entry::Structure(a), Entry::Structure(b)) => lost.extend(differ(at, a, b)),
            (a, b) if a != b => lost.push((function, at, None)),
            _ => {}
        }
    }
    lost
}
