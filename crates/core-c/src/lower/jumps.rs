//! Loops, `switch`, labels and jumps.

use cast::{CaseLabel, Expression as Source, Statement, SwitchArm};

use super::body::{Body, index};
use super::{Lowered, constant, refuse};
use crate::{BlockId, Case, Shape, Terminator, TypeId};

/// Where `break` and `continue` go. A `switch` has only the first of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exits {
    pub(super) end: Option<BlockId>,
    pub(super) next: Option<BlockId>,
}

/// A `switch` whose labels are being collected.
#[derive(Clone, Debug)]
pub(super) struct Switch {
    ty: TypeId,
    cases: Vec<Case>,
    default: Option<BlockId>,
}

impl Body<'_, '_> {
    pub(super) fn choice(&mut self, condition: &Source, first: &[Statement], second: &[Statement]) -> Lowered<()> {
        self.span = condition.span.or(self.span);
        let (then, end) = (self.block(), self.block());
        let otherwise = if second.is_empty() { end } else { self.block() };
        self.branch(condition, then, otherwise)?;
        self.at = then;
        self.scope(first)?;
        self.end(Terminator::Goto(end))?;
        if !second.is_empty() {
            self.at = otherwise;
            self.scope(second)?;
            self.end(Terminator::Goto(end))?;
        }
        self.at = end;
        Ok(())
    }

    /// `while` and `for`.
    pub(super) fn repeat(
        &mut self,
        condition: Option<&Source>,
        step: Option<&Source>,
        body: &[Statement],
    ) -> Lowered<()> {
        let (head, inside, end) = (self.block(), self.block(), self.block());
        let next = if step.is_some() { self.block() } else { head };
        self.enter(head)?;
        match condition {
            Some(condition) => {
                self.span = condition.span.or(self.span);
                self.branch(condition, inside, end)?;
            }
            None => self.end(Terminator::Goto(inside))?,
        }
        self.at = inside;
        self.exits.push(Exits { end: Some(end), next: Some(next) });
        self.scope(body)?;
        self.exits.pop();
        if let Some(step) = step {
            self.enter(next)?;
            self.span = step.span.or(self.span);
            self.effect(step)?;
        }
        self.end(Terminator::Goto(head))?;
        self.at = end;
        Ok(())
    }

    pub(super) fn do_while(&mut self, body: &[Statement], condition: &Source) -> Lowered<()> {
        let (inside, next, end) = (self.block(), self.block(), self.block());
        self.enter(inside)?;
        self.exits.push(Exits { end: Some(end), next: Some(next) });
        self.scope(body)?;
        self.exits.pop();
        self.enter(next)?;
        self.span = condition.span.or(self.span);
        self.branch(condition, inside, end)?;
        self.at = end;
        Ok(())
    }

    /// `break` or `continue`.
    pub(super) fn leave(&mut self, target: fn(&Exits) -> Option<BlockId>) -> Lowered<()> {
        match self.exits.iter().rev().find_map(target) {
            Some(target) => self.end(Terminator::Goto(target)),
            None => refuse("a jump out of nothing"),
        }
    }

    /// A `switch`, whose labels stand anywhere in what `lower_body` lowers.
    pub(super) fn switch(
        &mut self,
        value: &Source,
        lower_body: &mut dyn FnMut(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        self.span = value.span.or(self.span);
        let value = self.value(value)?;
        let ty = self.promoted(value.ty);
        let value = self.convert(value, ty)?;
        let (head, end) = (self.at, self.block());
        let span = self.span;
        self.end(Terminator::Unreachable)?;
        self.switches.push(Switch { ty, cases: Vec::new(), default: None });
        self.exits.push(Exits { end: Some(end), next: None });
        lower_body(self)?;
        self.exits.pop();
        let Some(found) = self.switches.pop() else { return refuse("a `switch` that ends twice") };
        self.end(Terminator::Goto(end))?;
        let default = found.default.unwrap_or(end);
        let head = &mut self.blocks[index(head)];
        head.end = Some(Terminator::Switch { value, cases: found.cases, default });
        head.span = span;
        self.at = end;
        Ok(())
    }

    pub(super) fn switch_arms(&mut self, value: &Source, arms: &[SwitchArm]) -> Lowered<()> {
        self.switch(value, &mut |inner| {
            for arm in arms {
                arm.labels.iter().try_for_each(|label| inner.case(label))?;
                inner.scope(&arm.body)?;
            }
            Ok(())
        })
    }

    /// `case` or `default`.
    pub(super) fn case(&mut self, label: &CaseLabel) -> Lowered<()> {
        let target = self.block();
        self.enter(target)?;
        let range = match label {
            CaseLabel::Value(value) => {
                let value = self.case_value(value)?;
                Some((value, value))
            }
            CaseLabel::Range(first, last) => Some((self.case_value(first)?, self.case_value(last)?)),
            CaseLabel::Default => None,
        };
        let Some(switch) = self.switches.last_mut() else { return refuse("a label of no `switch`") };
        match range {
            // An empty range selects nothing.
            Some((first, last)) if first <= last => switch.cases.push(Case { first, last, target }),
            Some(_) => {}
            None => switch.default = Some(target),
        }
        Ok(())
    }

    fn case_value(&mut self, value: &Source) -> Lowered<i128> {
        let Some(ty) = self.switches.last().map(|switch| switch.ty) else { return refuse("a label of no `switch`") };
        let outer = std::mem::replace(&mut self.constant, true);
        let value = self.value(value).and_then(|value| self.convert(value, ty));
        self.constant = outer;
        match constant::integer(&constant::fold(&self.context.program.types, value?)) {
            Some(value) => Ok(value),
            None => refuse("a `case` that is no constant"),
        }
    }

    /// The block that a label stands before.
    pub(super) fn label(&mut self, label: &str) -> BlockId {
        if let Some(known) = self.labels.get(label) {
            return *known;
        }
        let block = self.block();
        self.labels.insert(label.to_owned(), block);
        block
    }

    pub(super) fn place_label(&mut self, label: &str) -> Lowered<()> {
        if !self.placed.insert(label.to_owned()) {
            return refuse(format!("the label `{label}`, which stands in two places"));
        }
        let block = self.label(label);
        self.enter(block)
    }

    /// A jump to a computed label; where to is filled in at the end of the function.
    pub(super) fn goto_address(&mut self, address: &Source) -> Lowered<()> {
        self.span = address.span.or(self.span);
        let address = self.value(address)?;
        if !matches!(self.types().shape_of(address.ty), Shape::Pointer(_)) {
            return refuse("a jump to something that is no pointer");
        }
        self.end(Terminator::GotoAddress { address, targets: Vec::new() })
    }
}
