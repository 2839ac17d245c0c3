//! Why residual registers are not known: each leads back to what made it so, and so does each residual test.

use std::collections::{BTreeMap, BTreeSet};

use core_c::names::{self, ObjectName};
use core_c::{Expression, ExpressionKind, FunctionId, LocalId, Place};
use source::Span;

use crate::engine::Engine;
use crate::engine::mentions;
use crate::join::generalize::CellName;
use crate::memory::Origin;
use crate::report::trace::{Source, Step, Why};
use crate::report::{Cause, Generalization};
use crate::values::value::{ObjectId, Value};

/// An entry of [`Blames`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlameId(u32);

/// A path has at most so many steps.
const STEPS: usize = 32;

/// What one run found.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blames {
    list: Vec<Generalization>,
    known: BTreeMap<(Cause, String, Option<Span>), BlameId>,
    /// Reported whether a test stays or not.
    reported: BTreeSet<BlameId>,
    registers: BTreeMap<LocalId, BlameId>,
    /// Pointers of whose targets something was known once, and why it is not any more.
    lost: BTreeMap<LocalId, BlameId>,
    /// What residual registers are computed from.
    derived: BTreeMap<LocalId, Derived>,
}

/// A residual register's name and place, and a register in the value that it was set to.
#[derive(Clone, Debug)]
struct Derived {
    step: Step,
    from: LocalId,
}

impl Blames {
    pub(crate) fn of_register(&self, register: LocalId) -> Option<BlameId> {
        self.registers.get(&register).copied()
    }

    /// A register is not known for this reason.
    pub(crate) fn set(&mut self, register: LocalId, blame: Option<BlameId>) {
        self.registers.extend(blame.map(|blame| (register, blame)));
    }

    /// Notes what a register is computed from.
    pub(crate) fn derive(&mut self, register: LocalId, value: &Expression, name: &str, span: Option<Span>) {
        if let Some(Source::Register(from)) = self.source_of(value) {
            let step = Step { span, name: names::plain(name).to_owned() };
            self.derived.insert(register, Derived { step, from });
        }
    }

    /// What was computed without a name gets that of the first variable it is put into.
    pub(crate) fn name(&mut self, register: LocalId, name: &str, span: Option<Span>) {
        if let Some(derived) = self.derived.get_mut(&register).filter(|derived| derived.step.name.is_empty()) {
            derived.step = Step { span, name: names::plain(name).to_owned() };
        }
    }

    /// A register takes the place of another one.
    pub(crate) fn pass(&mut self, register: LocalId, of: LocalId) {
        self.derived.extend(self.derived.get(&of).cloned().map(|derived| (register, derived)));
        self.lost.extend(self.lost.get(&of).copied().map(|blame| (register, blame)));
    }

    /// The register on whose account a residual expression is not known.
    pub(crate) fn source_of(&self, expression: &Expression) -> Option<Source> {
        let mut registers = BTreeSet::new();
        mentions::expression(expression, &mut registers);
        registers.into_iter().find(|register| self.registers.contains_key(register)).map(Source::Register)
    }

    /// The origin of what is not known, and the variables on the way.
    pub(crate) fn why(&self, source: Source) -> Option<Why> {
        let mut steps = Vec::new();
        let blame = match source {
            Source::Blame(blame) => blame,
            Source::Register(register) => {
                let mut next = self.derived.get(&register);
                // A chain is as long as the residual code at most.
                while let Some(derived) = next.filter(|_| steps.len() < STEPS) {
                    steps.push(derived.step.clone());
                    next = self.derived.get(&derived.from);
                }
                self.of_register(register)?
            }
        };
        steps.retain(|step| !step.name.is_empty());
        steps.reverse();
        steps.dedup();
        Some(Why { origin: self.list.get(blame.0 as usize)?.clone(), steps })
    }

    pub(crate) fn tell(&mut self, blame: BlameId) {
        self.reported.insert(blame);
    }

    /// What is worth telling, in the order of first sight.
    pub(crate) fn finish(self) -> Vec<Generalization> {
        let reported = self.reported;
        let all = self.list.into_iter().zip(0..);
        all.filter(|(found, at)| !found.tests.is_empty() || reported.contains(&BlameId(*at)))
            .map(|(found, _)| found)
            .collect()
    }
}

impl Engine<'_> {
    /// Notes where the run stands that something is not known.
    pub(crate) fn blame(&mut self, cause: Cause, what: String) -> BlameId {
        let next = BlameId(u32::try_from(self.blames.list.len()).unwrap_or(u32::MAX));
        let blame = *self.blames.known.entry((cause.clone(), what.clone(), self.span)).or_insert(next);
        if blame == next {
            let function = self.state.frames.last().map(|frame| frame.function).or(self.root);
            let function = function.map(|function| self.plain_name(function)).unwrap_or_default();
            self.blames.list.push(Generalization { cause, what, function, span: self.span, tests: Vec::new() });
        }
        blame
    }

    pub(crate) fn plain_name(&self, function: FunctionId) -> String {
        let name = &self.input.functions[function].name;
        name.split('@').next().unwrap_or(name).to_owned()
    }

    /// Why a residual expression is not known.
    pub(crate) fn blame_of(&mut self, expression: &Expression) -> Option<BlameId> {
        let mut registers = BTreeSet::new();
        mentions::expression(expression, &mut registers);
        let known = registers.iter().find_map(|register| self.blames.of_register(*register));
        known.or_else(|| self.blame_of_operation(expression))
    }

    /// Of known operands a value that is not: addresses have no numbers, and some operations are not done here.
    fn blame_of_operation(&mut self, expression: &Expression) -> Option<BlameId> {
        let (mut is_operation, mut has_address, mut is_load) = (false, false, false);
        expression.walk(&mut |part| match &part.kind {
            ExpressionKind::Address(_) | ExpressionKind::Function(_) | ExpressionKind::Label(_) => has_address = true,
            ExpressionKind::Load(_) => is_load = true,
            ExpressionKind::Integer(_) | ExpressionKind::Float(_) | ExpressionKind::Local(_) => {}
            _ => is_operation = true,
        });
        match (is_operation, has_address, is_load) {
            (_, _, true) | (false, ..) => None,
            (_, true, _) => Some(self.blame(Cause::Address, "an address".to_owned())),
            (_, false, _) => Some(self.blame(Cause::Operation, "a number".to_owned())),
        }
    }

    /// Why what residual memory holds is not known.
    pub(crate) fn blame_of_memory(&mut self, id: ObjectId, range: Option<(u64, u64)>) -> Option<BlameId> {
        let object = self.state.memory.get(id)?;
        if object.lost.is_some() {
            return object.lost;
        }
        let (origin, (from, size)) = (object.origin, range.unwrap_or((0, u64::MAX)));
        let touching = object.cells.range(..from.saturating_add(size)).filter(|(at, cell)| *at + cell.size > from);
        let registers = touching.filter_map(|(_, cell)| match cell.value {
            Value::Dynamic(register) => Some(register),
            _ => None,
        });
        let registers: Vec<LocalId> = registers.collect();
        if let Some(blame) = registers.iter().find_map(|register| self.blames.of_register(*register)) {
            return Some(blame);
        }
        let what = self.part_name(origin, range.map(|range| range.0));
        let is_given = match origin {
            Origin::Pointee(register) if self.blames.lost.contains_key(&register) => {
                return self.blames.lost.get(&register).copied();
            }
            Origin::Pointee(register) => match self.blames.of_register(register) {
                // A pointer that something made unknown leads to unknown memory.
                Some(blame) if self.blames.list[blame.0 as usize].cause != Cause::Parameter => return Some(blame),
                _ => true,
            },
            Origin::Global(global) => {
                self.variant.is_some() || !self.options.program_start || {
                    let data = &self.input.globals[global];
                    data.initial.is_none() || data.thread_local
                }
            }
            Origin::Snapshot(_) => true,
            Origin::Local(..) => self.residual.parameters.iter().any(|local| self.places.get(&origin) == Some(local)),
        };
        Some(self.blame(if is_given { self.at_entry() } else { Cause::Bytes }, what))
    }

    /// Why something is not known where the function begins.
    fn at_entry(&self) -> Cause {
        match (self.variant, self.root) {
            (Some(_), Some(root)) => Cause::Recursion(self.plain_name(root)),
            _ => Cause::Beginning,
        }
    }

    /// A parameter of the residual function is not known.
    pub(crate) fn blame_parameter(&mut self, register: LocalId, name: &str) {
        let cause = match self.at_entry() {
            Cause::Beginning => Cause::Parameter,
            recursion => recursion,
        };
        let blame = self.blame(cause, format!("`{name}`"));
        self.blames.set(register, Some(blame));
    }

    /// A test is left to the residual program.
    pub(crate) fn test_stays(&mut self, condition: &Expression) {
        if let Some(blame) = self.blame_of(condition) {
            let span = self.span;
            self.blames.list[blame.0 as usize].tests.push(span);
        }
    }

    /// Something that was known of an object is not any more.
    pub(crate) fn lose(&mut self, id: ObjectId, cause: Cause) {
        let Some(origin) = self.state.memory.get(id).map(|object| object.origin) else { return };
        let what = self.part_name(origin, None);
        let blame = self.blame(cause, what);
        if let Origin::Pointee(register) = origin {
            self.blames.lost.insert(register, blame);
        }
        if let Some(object) = self.state.memory.get_mut(id) {
            object.lost = Some(blame);
        }
    }

    /// A cell as people name it.
    pub(crate) fn cell_name(&self, cell: CellName) -> String {
        match cell {
            CellName::Register(chain, local) => {
                let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
                frame.map_or_else(
                    || "a local variable".to_owned(),
                    |frame| ObjectName::Local(frame.function, local).describe(self.input),
                )
            }
            CellName::Memory(origin, offset, _) => self.part_name(origin, Some(offset)),
            CellName::Pointees(..) => "what a pointer points to".to_owned(),
        }
    }

    /// An object, or a part of it, as people name it.
    fn part_name(&self, origin: Origin, offset: Option<u64>) -> String {
        let offset = offset.and_then(|offset| i64::try_from(offset).ok());
        match origin {
            Origin::Local(chain, local) => {
                let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
                let name = |function| ObjectName::Local(function, local).describe_part(self.input, offset);
                frame.map_or_else(|| "a local variable".to_owned(), |frame| name(frame.function))
            }
            Origin::Global(global) => ObjectName::Global(global).describe_part(self.input, offset),
            Origin::Pointee(register) => match self.residual.locals[register].name.as_str() {
                "" => "what a pointer points to".to_owned(),
                name => format!("what `{name}` points to"),
            },
            Origin::Snapshot(_) => "what a pointer points to".to_owned(),
        }
    }

    /// A place of the source as people name it.
    pub(crate) fn place_name(&self, place: &Place) -> String {
        let function = self.state.top().function;
        names::spelling(self.input, function, place)
            .map_or_else(|| "what a pointer points to".to_owned(), |name| format!("`{name}`"))
    }
}
