//! The last look at every variant in use: when each expression is computed, and what each statement leaves to do.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Expression, FunctionId, StatementKind};

use crate::cause::CauseId;
use crate::lattice::{BindingTime, Part, Targets, Value};
use crate::object::StatementId;
use crate::variant::VariantId;

use super::{Engine, Point};

/// What became known of one statement, or of a block's end, in one variant.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// Of each expression in it, outermost first, in the order of `StatementKind::expressions`.
    pub(crate) values: Vec<Value>,
    /// When its effect comes about; of a test, when it is decided.
    pub(crate) effect: BindingTime,
    /// Something must be done at run time, though it may be known before what.
    pub(crate) remains: bool,
    /// Who may be called, where that is known.
    pub(crate) callees: Vec<FunctionId>,
    pub(crate) calls_others: bool,
    /// What a call gives.
    pub(crate) result: Option<Value>,
    /// The cells that its loads read, by the load's number.
    pub(crate) reads: BTreeMap<usize, (Targets, Part)>,
    /// The cells that it writes to.
    pub(crate) written: Vec<(Targets, Part)>,
    /// Why a contract is broken.
    pub(crate) broken: Option<Option<CauseId>>,
}

/// A record in the making.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    /// The expressions of the statement, by address.
    occurrences: BTreeMap<usize, usize>,
    record: Record,
    pub(crate) broken: Option<Option<CauseId>>,
    pub(crate) done: BTreeMap<(VariantId, StatementId), Record>,
}

impl Recording {
    pub(super) fn note(&mut self, expression: &Expression, value: &Value) {
        let address = std::ptr::from_ref(expression) as usize;
        if let Some(at) = self.occurrences.get(&address) {
            self.record.values[*at] = value.clone();
        }
    }

    pub(super) fn effect(&mut self, time: BindingTime, remains: bool) {
        self.record.effect = self.record.effect.max(time);
        self.record.remains |= remains;
    }

    pub(super) fn test(&mut self, cause: CauseId) {
        if let Some(first) = self.record.values.first_mut() {
            first.cause = Some(cause);
        }
    }

    pub(super) fn written(&mut self, targets: &Targets, part: Part) {
        self.record.written.push((targets.clone(), part));
    }

    pub(super) fn read(&mut self, expression: &Expression, targets: &Targets, part: Part) {
        let address = std::ptr::from_ref(expression) as usize;
        if let Some(at) = self.occurrences.get(&address) {
            self.record.reads.insert(*at, (targets.clone(), part));
        }
    }

    pub(super) fn callees(&mut self, callees: &[FunctionId], others: bool) {
        self.record.callees = callees.to_vec();
        self.record.calls_others = others;
    }

    pub(super) fn result(&mut self, value: &Value) {
        self.record.result = Some(value.clone());
    }
}

impl Engine<'_> {
    /// Looks once more at all variants in use and notes what happens there.
    pub(crate) fn record(&mut self, roots: &[VariantId]) -> BTreeMap<(VariantId, StatementId), Record> {
        self.recording = Some(Recording::default());
        let mut recorded = BTreeSet::new();
        // What is recorded may lead to variants that were not in use before.
        while let Some(id) = self.live(roots).into_iter().find(|id| !recorded.contains(id)) {
            recorded.insert(id);
            let function = self.variants[id.index()].function;
            let before = self.variants[id.index()].before.clone();
            for ((block, way), state) in before {
                self.pass(id, function, block, way, state);
            }
        }
        self.recording.take().map(|recording| recording.done).unwrap_or_default()
    }

    pub(super) fn start_recording(&mut self, at: StatementId, statement: Option<&StatementKind>) {
        let Some(recording) = &mut self.recording else { return };
        recording.record = Record::default();
        recording.broken = None;
        recording.occurrences.clear();
        let end = &self.program.functions[at.function].blocks[at.block].end;
        let expressions = statement.map_or_else(|| end.expressions(), StatementKind::expressions);
        let mut count = 0;
        for expression in expressions {
            expression.walk(&mut |part| {
                recording.occurrences.insert(std::ptr::from_ref(part) as usize, count);
                count += 1;
            });
        }
        recording.record.values = vec![Value::nothing(); count];
    }

    pub(super) fn finish_recording(&mut self, point: Point) {
        let Some(recording) = &mut self.recording else { return };
        let mut record = std::mem::take(&mut recording.record);
        record.broken = recording.broken.take();
        match recording.done.get_mut(&(point.variant, point.at)) {
            None => {
                recording.done.insert((point.variant, point.at), record);
            }
            Some(known) => known.also(record),
        }
    }
}

impl Record {
    /// The same statement on another way: what one of them may do early may be done early.
    fn also(&mut self, other: Record) {
        for (mine, theirs) in self.values.iter_mut().zip(other.values) {
            *mine = mine.earlier(theirs);
        }
        self.effect = self.effect.min(other.effect);
        self.remains |= other.remains;
        for callee in other.callees {
            if !self.callees.contains(&callee) {
                self.callees.push(callee);
            }
        }
        self.calls_others |= other.calls_others;
        self.result = match (self.result.take(), other.result) {
            (Some(mine), Some(theirs)) => Some(mine.earlier(theirs)),
            (mine, theirs) => mine.or(theirs),
        };
        for (number, (targets, part)) in other.reads {
            let mine = self.reads.entry(number).or_insert_with(|| (Targets::default(), part));
            mine.0 = mine.0.join(&targets, false);
        }
        for written in other.written {
            if !self.written.contains(&written) {
                self.written.push(written);
            }
        }
        self.broken = self.broken.or(other.broken);
    }
}

impl Value {
    /// The one that is known earlier; both lead to what either does.
    fn earlier(&self, other: Value) -> Value {
        let targets = self.targets.join(&other.targets, false);
        let earlier = if other.time < self.time { other } else { self.clone() };
        Value { targets, ..earlier }
    }
}
