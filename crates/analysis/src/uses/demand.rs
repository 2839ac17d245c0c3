//! What one statement asks of the values that it reads.

use core_c::{
    Argument, Callee, Expression, ExpressionKind, FunctionId, Place, PlaceBase, Program, Receiver, StatementKind,
    StepKind, Terminator,
};

use crate::engine::Record;
use crate::lattice::BindingTime;
use crate::object::StatementId;
use crate::scan::is_outside;
use crate::tables::Table;
use crate::variant::VariantId;

use super::{Live, UseTable, Uses, is_liftable};

pub(super) struct Demand<'a> {
    pub(super) program: &'a Program,
    pub(super) variant: &'a Table,
    pub(super) id: VariantId,
    pub(super) at: StatementId,
    pub(super) record: &'a Record,
    pub(super) live: &'a mut Live,
    pub(super) table: &'a mut UseTable,
    /// The number of the expression that comes next, as the record counts them.
    pub(super) next: usize,
    /// What was asked of the expressions so far.
    pub(super) asked_of: Vec<Uses>,
}

impl Demand<'_> {
    pub(super) fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Set { local, value } => {
                let uses = self.live.get(*local);
                self.live.remove(*local);
                self.table.define(self.id, self.at, uses);
                let asked = self.asked(value, uses);
                self.expression(value, asked);
            }
            StatementKind::Store { place, value } => {
                let uses = self.cell_uses();
                self.table.define(self.id, self.at, uses);
                self.place(place, self.record.remains);
                let uses = if self.record.remains { uses.and(Uses::DYNAMIC) } else { uses };
                let asked = self.asked(value, uses);
                self.expression(value, asked);
            }
            StatementKind::LoadVolatile { local, place } => {
                self.live.remove(*local);
                self.table.define(self.id, self.at, Uses::DYNAMIC);
                self.place(place, true);
            }
            StatementKind::Copy { to, from } => {
                let uses = self.cell_uses();
                self.table.define(self.id, self.at, uses);
                let remains = self.record.remains;
                // In the order that `StatementKind::expressions` has.
                self.place(from, remains);
                self.place(to, remains);
            }
            StatementKind::Zero { place } => self.place(place, self.record.remains),
            StatementKind::Begin { size, .. } => {
                if let Some(size) = size {
                    self.expression(size, Uses::STATIC);
                }
            }
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments),
            StatementKind::Assembly { outputs, inputs, .. } => {
                outputs.iter().for_each(|place| self.place(place, true));
                inputs.iter().for_each(|input| self.expression(input, Uses::DYNAMIC));
            }
        }
    }

    pub(super) fn end(&mut self, end: &Terminator) {
        match end {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::GotoAddress { address: value, .. } => {
                let uses = if self.record.effect.is_dynamic() { Uses::DYNAMIC } else { Uses::STATIC };
                self.expression(value, uses);
            }
            Terminator::Return(Some(Argument::Value(value))) => {
                let uses = self.table.result(self.id);
                let asked = self.asked(value, uses);
                self.expression(value, asked);
            }
            Terminator::Return(Some(Argument::Object(place))) => self.place(place, self.record.effect.is_dynamic()),
            Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
        }
    }

    fn call(&mut self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) {
        let mut uses = Uses::NONE;
        if let Some(Receiver::Register(local)) = receiver {
            uses = self.live.get(*local);
            self.live.remove(*local);
        }
        self.table.define(self.id, self.at, uses);
        let callees: Vec<FunctionId> = self.record.callees.clone();
        let variants: Vec<VariantId> =
            callees.iter().flat_map(|callee| self.variant.callees(self.at, *callee)).collect();
        for variant in &variants {
            self.table.add_result(*variant, uses);
        }
        // Places come first, as `StatementKind::expressions` has it.
        for argument in arguments {
            if let Argument::Object(place) = argument {
                self.place(place, self.record.remains);
            }
        }
        if let Some(Receiver::Object(place)) = receiver {
            self.place(place, self.record.remains);
        }
        if let Callee::Pointer(pointer) = callee {
            let uses = if self.record.calls_others { Uses::BOTH } else { Uses::STATIC };
            self.expression(pointer, uses);
        }
        let outside = self.record.calls_others || callees.iter().any(|id| is_outside(&self.program.functions[*id]));
        for (position, argument) in arguments.iter().enumerate() {
            let Argument::Value(value) = argument else { continue };
            let mut uses = if outside && self.record.remains { Uses::DYNAMIC } else { Uses::NONE };
            if outside && !self.record.remains {
                uses = Uses::STATIC;
            }
            for variant in &variants {
                let function = &self.program.functions[self.function_of(*variant, &callees)];
                let parameter = function.parameters.get(position);
                uses = uses.and(parameter.map_or(Uses::BOTH, |parameter| {
                    self.table.parameters.get(&(*variant, *parameter)).copied().unwrap_or_default()
                }));
            }
            let asked = self.asked(value, uses);
            self.expression(value, asked);
        }
    }

    fn function_of(&self, variant: VariantId, callees: &[FunctionId]) -> FunctionId {
        let calls = |callee: &&FunctionId| self.variant.callees(self.at, **callee).any(|found| found == variant);
        callees.iter().find(calls).copied().unwrap_or(self.at.function)
    }

    /// How the cells are used that the statement writes.
    fn cell_uses(&self) -> Uses {
        let written = self.record.written.iter();
        written.fold(Uses::NONE, |all, (targets, part)| all.and(self.table.cell_uses(targets, *part)))
    }

    /// What is asked of an expression whose value is used so. A number is written out where it is needed.
    fn asked(&self, value: &Expression, uses: Uses) -> Uses {
        let time = self.time(self.next);
        if time.is_dynamic() || uses == Uses::NONE {
            return if uses == Uses::NONE { Uses::NONE } else { Uses::DYNAMIC };
        }
        if is_liftable(self.program, value.ty) { Uses::STATIC } else { uses }
    }

    fn time(&self, number: usize) -> BindingTime {
        self.record.values.get(number).map_or(BindingTime::Dynamic, |value| value.time)
    }

    /// Passes on what is asked of an expression.
    fn expression(&mut self, expression: &Expression, asked: Uses) {
        let number = self.next;
        self.next += 1;
        let is_dynamic = self.time(number).is_dynamic();
        // What is computed now asks for it now; what stays asks for it then.
        let asked = match asked {
            Uses { statically: false, dynamically: false } => Uses::NONE,
            _ if is_dynamic => Uses::DYNAMIC,
            _ if is_liftable(self.program, expression.ty) => Uses::STATIC,
            uses => uses.and(Uses::STATIC),
        };
        self.asked_of.push(asked);
        match &expression.kind {
            ExpressionKind::Local(local) => self.live.add(*local, asked),
            ExpressionKind::Load(place) => {
                if let Some((targets, part)) = self.record.reads.get(&number).cloned() {
                    self.table.add_cells(&targets, part, asked);
                }
                self.inner_place(place, asked);
            }
            ExpressionKind::Address(place) => self.inner_place(place, asked),
            ExpressionKind::Offset { pointer, count, .. } => {
                self.expression(pointer, asked);
                self.expression(count, asked);
            }
            _ => expression.children().into_iter().for_each(|child| self.expression(child, asked)),
        }
    }

    /// The expressions of a place that is read or written; `stays` where the access is left in the program.
    fn place(&mut self, place: &Place, stays: bool) {
        self.inner_place(place, if stays { Uses::BOTH } else { Uses::STATIC });
    }

    fn inner_place(&mut self, place: &Place, asked: Uses) {
        if let PlaceBase::Pointee(pointer) = &place.base {
            // It is followed now, if it can be.
            let followed = if asked == Uses::NONE { asked } else { asked.and(Uses::STATIC) };
            self.expression(pointer, followed);
        }
        for step in &place.steps {
            if let StepKind::Index(index) = &step.kind {
                self.expression(index, asked);
            }
        }
    }
}
