//! The iteration: blocks of a variant until its states settle, variants until their exits settle.

use std::collections::BTreeSet;
use std::rc::Rc;

use core_c::graph::Graph;
use core_c::{Block, BlockId, Callee, LocalId, StatementKind};

use crate::effects::{Effect, Statement};
use crate::lattice::{Known, State, Value};
use crate::object::{StatementId, plain};
use crate::options::Root;
use crate::scan::effect_of;
use crate::variant::{VariantId, Way};

use super::{Engine, Point};

type Work = BTreeSet<(usize, Way, BlockId)>;

impl Engine<'_> {
    /// Everything that can be reached from the roots; the variant of each.
    pub(crate) fn solve(&mut self, roots: &[Root]) -> Vec<VariantId> {
        let entries: Vec<VariantId> = roots.iter().map(|root| self.root(root)).collect();
        for root in &entries {
            self.analyze(*root, None);
        }
        self.settle();
        // A variant that was made for a state of an earlier round may have lost its place to another one; once more
        // over all that is in use, until nothing moves.
        loop {
            let before = self.changes;
            for variant in self.live(&entries) {
                self.analyze(variant, None);
            }
            self.settle();
            if self.changes == before || self.is_exhausted() {
                return entries;
            }
        }
    }

    fn settle(&mut self) {
        while let Some((variant, changed)) = self.dirty.pop_last() {
            if self.is_exhausted() {
                return;
            }
            let seen = self.variants[variant.index()].seen;
            self.analyze(variant, seen.then_some(&changed));
        }
    }

    /// The variants that calls lead to, from the given ones on, in order.
    pub(crate) fn live(&self, entries: &[VariantId]) -> Vec<VariantId> {
        let mut open: Vec<VariantId> = entries.to_vec();
        let mut live: BTreeSet<VariantId> = entries.iter().copied().collect();
        while let Some(variant) = open.pop() {
            for callee in self.variants[variant.index()].calls.values() {
                if live.insert(*callee) {
                    open.push(*callee);
                }
            }
        }
        live.into_iter().collect()
    }

    /// Looks at a variant. Where `changed` is given, only its calls of these variants have to be looked at again.
    pub(super) fn analyze(&mut self, id: VariantId, changed: Option<&BTreeSet<VariantId>>) {
        if self.variants[id.index()].open {
            self.dirty.entry(id).or_default().extend(changed.into_iter().flatten());
            return;
        }
        let function = self.variants[id.index()].function;
        let Some((first, _)) = self.program.functions[function].blocks.iter().next() else { return };
        let graph = self.graph(function);
        // A variant that turns up while another one is recorded is not part of that record.
        let recording = self.recording.take();
        let (variant, before) = {
            let variant = self.variant(id);
            variant.open = true;
            variant.seen = true;
            let before = variant.seen_from_outside();
            (variant.entry.clone(), before)
        };
        self.depth += 1;
        let mut work = Work::new();
        let known: Vec<(BlockId, Way)> = self.variants[id.index()].before.keys().copied().collect();
        self.flow_to(id, (first, Way(0)), &variant, true, &graph, &mut work);
        let calling: Option<BTreeSet<BlockId>> = changed.map(|changed| {
            let calls = self.variants[id.index()].calls.iter().filter(|(_, callee)| changed.contains(callee));
            calls.map(|((at, ..), _)| at.block).collect()
        });
        for (block, way) in known {
            if calling.as_ref().is_none_or(|calling| calling.contains(&block)) {
                work.insert((graph.position(block).unwrap_or(0), way, block));
            }
        }
        while let Some((_, way, block)) = work.pop_first() {
            self.blocks += 1;
            if self.is_exhausted() {
                break;
            }
            self.block(id, block, way, &graph, &mut work);
        }
        self.depth -= 1;
        self.recording = recording;
        let variant = self.variant(id);
        variant.open = false;
        let after = variant.seen_from_outside();
        if after != before {
            let users = variant.users.clone();
            self.changes += 1;
            for user in users {
                self.dirty.entry(user).or_default().insert(id);
            }
        }
    }

    fn block(&mut self, id: VariantId, block: BlockId, way: Way, graph: &Rc<Graph<Block>>, work: &mut Work) {
        let Some(mut state) = self.variants[id.index()].before.get(&(block, way)).cloned() else { return };
        let function = self.variants[id.index()].function;
        if !self.options.sensitivities.flow {
            self.join_whole(id, &mut state);
            self.variant(id).before.insert((block, way), state.clone());
        }
        for (way, block, state) in self.pass(id, function, block, way, state) {
            let from = graph.position(block.0);
            let widen = graph.position(block.1) <= from;
            self.flow_to(id, (block.1, way), &state, widen, graph, work);
        }
    }

    /// Runs a block; the states that flow on, by edge.
    pub(super) fn pass(
        &mut self,
        id: VariantId,
        function: core_c::FunctionId,
        block: BlockId,
        way: Way,
        mut state: State,
    ) -> Vec<(Way, (BlockId, BlockId), State)> {
        let data = &self.program.functions[function].blocks[block];
        let start = Point { variant: id, at: StatementId { function, block, index: 0 }, way };
        for generalization in self.generalizations.get(&(function, block)).cloned().unwrap_or_default() {
            self.generalize(start, &mut state, generalization.cell, &generalization.reason);
        }
        let mut states = vec![(way, state)];
        let mut flows = Vec::new();
        for (index, statement) in data.statements.iter().enumerate() {
            let at = StatementId { function, block, index };
            let usual = self.usual_result(&statement.kind);
            let usually = self.is_usually(&statement.kind);
            let mut after = Vec::new();
            for (way, mut state) in states {
                let point = Point { variant: id, at, way };
                self.start_recording(at, Some(&statement.kind));
                let mut other = usually.then(|| state.clone());
                let goes_on = self.execute(point, &mut state, &statement.kind);
                self.finish_recording(point);
                if !goes_on {
                    continue;
                }
                if let Some((register, number)) = usual
                    && state.registers[super::number(register)].is_dynamic()
                {
                    other = Some(state.clone());
                    state.registers[super::number(register)] = Value::exact(number);
                }
                let Some(other) = other else {
                    after.push((way, state));
                    continue;
                };
                after.push((self.ways.after(way, at, true), state));
                after.push((self.ways.after(way, at, false), other));
            }
            states = after;
        }
        let at = StatementId { function, block, index: data.statements.len() };
        for (way, state) in states {
            let point = Point { variant: id, at, way };
            self.start_recording(at, None);
            if !self.options.sensitivities.flow {
                self.keep_whole(id, &state);
            }
            for (next, state) in self.end(point, state, &data.end) {
                flows.push((way, (block, next), state));
            }
            self.finish_recording(point);
        }
        flows
    }

    /// The register that takes a call's result, and what that usually is.
    fn usual_result(&self, statement: &StatementKind) -> Option<(LocalId, i128)> {
        let StatementKind::Call { callee: Callee::Function(callee), receiver, .. } = statement else { return None };
        let Some(core_c::Receiver::Register(register)) = receiver else { return None };
        let number = self.usual.get(plain(&self.program.functions[*callee].name))?;
        Some((*register, *number))
    }

    fn is_usually(&self, statement: &StatementKind) -> bool {
        let StatementKind::Call { callee: Callee::Function(callee), .. } = statement else { return false };
        let function = &self.program.functions[*callee];
        function.blocks.is_empty()
            && matches!(effect_of(function, self.effects), Some(Effect::Scenario(Statement::Usually)))
    }

    fn flow_to(
        &mut self,
        id: VariantId,
        to: (BlockId, Way),
        state: &State,
        widen: bool,
        graph: &Rc<Graph<Block>>,
        work: &mut Work,
    ) {
        let changed = match self.variants[id.index()].before.get(&to).cloned() {
            None => {
                let mut state = state.clone();
                self.drop_dead(id, to.0, &mut state);
                self.variant(id).before.insert(to, state);
                true
            }
            Some(mut before) => {
                let mut state = state.clone();
                self.drop_dead(id, to.0, &mut state);
                let changed = self.join(&mut before, &state, widen);
                if changed {
                    self.variant(id).before.insert(to, before);
                }
                changed
            }
        };
        if changed {
            self.changes += 1;
            work.insert((graph.position(to.0).unwrap_or(0), to.1, to.0));
        }
        if !self.options.sensitivities.flow && std::mem::take(&mut self.variant(id).whole_changed) {
            let known: Vec<(BlockId, Way)> = self.variants[id.index()].before.keys().copied().collect();
            for (block, way) in known {
                work.insert((graph.position(block).unwrap_or(0), way, block));
            }
        }
    }

    /// Registers that nobody reads again keep no two states apart.
    fn drop_dead(&mut self, id: VariantId, block: BlockId, state: &mut State) {
        let live = self.liveness(self.variants[id.index()].function);
        for (at, register) in state.registers.iter_mut().enumerate() {
            let local = LocalId::from_raw(u32::try_from(at).unwrap_or(u32::MAX).into());
            if register.known != Known::Nothing && !live.before(block).contains(local) {
                *register = Value::nothing();
            }
        }
    }

    /// Adds what holds anywhere in the variant.
    fn join_whole(&mut self, id: VariantId, state: &mut State) {
        if let Some(whole) = self.variants[id.index()].whole.clone() {
            self.join(state, &whole, true);
        }
    }

    /// Notes what holds somewhere in the variant, for everywhere.
    fn keep_whole(&mut self, id: VariantId, state: &State) {
        match self.variants[id.index()].whole.clone() {
            None => {
                self.variant(id).whole = Some(state.clone());
                self.variant(id).whole_changed = true;
            }
            Some(mut whole) => {
                if self.join(&mut whole, state, true) {
                    self.variant(id).whole = Some(whole);
                    self.variant(id).whole_changed = true;
                    self.changes += 1;
                }
            }
        }
    }
}
