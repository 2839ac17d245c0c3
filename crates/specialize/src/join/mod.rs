//! The meeting of paths: equal states share their residual code.

pub(crate) mod crowd;
pub(crate) mod differences;
pub(crate) mod generalize;
pub(crate) mod relevance;
pub(crate) mod selectors;
pub(crate) mod shared;
pub(crate) mod steered;
pub(crate) mod steering;
pub(crate) mod widen;

use std::collections::BTreeMap;

use core_c::{LocalId, LocalKind};
use source::Span;

use crate::engine::residual::{End, ResidualBlock};
use crate::engine::state::State;
use crate::engine::worklist::{JoinEdge, Waiting};
use crate::engine::{Engine, Interrupt, Point, Step};
use crate::join::relevance::Loss;
use crate::join::shared::Variant;
use crate::memory::Origin;
use crate::mutation;
use crate::report::Cause;
use crate::values::key;

/// A path that has come, with the key of its state.
#[derive(Debug)]
pub(crate) struct Incoming {
    pub(crate) block: ResidualBlock,
    pub(crate) state: State,
    pub(crate) edge: JoinEdge,
    key: Vec<i128>,
    pub(crate) registers: Vec<LocalId>,
}

/// Paths with equal keys.
pub(crate) type Group = Vec<Incoming>;

impl Engine<'_> {
    /// Several paths lead here: this one waits for the others. Where no paths have parted before (`idle`), none can meet.
    pub(crate) fn enter_join(&mut self, point: Point, edge: JoinEdge, idle: bool) {
        if idle && !self.generalizations.at.contains_key(&point) {
            return;
        }
        let state = std::mem::take(&mut self.state);
        self.later(self.current, state, Some(edge));
        self.waits = true;
    }

    /// Goes on with all paths of one turn.
    pub(crate) fn gather(&mut self, waiting: Vec<Waiting>) -> Step<()> {
        let mut arrived = Vec::new();
        let is_one = waiting.len() == 1;
        for Waiting { block, state, edge, .. } in waiting {
            (self.current, self.state) = (block, state);
            let Some(edge) = edge else {
                self.run_block()?;
                continue;
            };
            let point = self.point();
            self.is_between = true;
            self.span = self.span_of(point).or(self.span);
            // In a loop, a path that nothing joins keeps what it has loaded, and with it what its tests have shown of that: elsewhere that
            // only makes more code.
            let is_alone = is_one && !edge.is_head && self.is_in_loop() && !self.generalizations.concern(point);
            if !is_alone {
                self.generalize_here(point)?;
            }
            arrived.push(self.incoming(edge, is_alone));
        }
        let Some(first) = arrived.first() else { return Ok(()) };
        let top = first.state.top();
        let point = (top.chain, top.block, top.statement);
        self.is_between = true;
        let mut groups = unite(arrived);
        if groups.len() > 1 {
            groups = self.widen(groups)?;
        }
        for group in groups {
            self.go_on(point, group)?;
        }
        Ok(())
    }

    /// Where a point stands in the source.
    fn span_of(&self, (_, block, statement): Point) -> Option<Span> {
        let block = &self.input.functions[self.state.top().function].blocks[block];
        let next = block.statements[statement.min(block.statements.len())..].iter().find_map(|next| next.span);
        next.or(block.span)
    }

    fn point(&self) -> Point {
        let top = self.state.top();
        (top.chain, top.block, top.statement)
    }

    /// Whether the top frame is in a loop of its function.
    fn is_in_loop(&self) -> bool {
        let top = self.state.top();
        let flow = self.flows.get(&top.function);
        flow.is_some_and(|flow| flow.around.get(&top.block).is_some_and(|heads| !heads.is_empty()))
    }

    /// The current state as a path, without what cannot matter any more; what has only been loaded matters with `loads`.
    pub(crate) fn incoming(&mut self, edge: JoinEdge, loads: bool) -> Incoming {
        let live = self.live();
        let keyed = key::key(&self.state, &live, (&self.entry_objects, loads), &self.callers);
        self.state.memory.retain(|id| keyed.reached.contains(&id));
        self.drop_dead(&live);
        // Large states take their time.
        self.steps += keyed.key.len() as u64 / 2;
        let state = std::mem::take(&mut self.state);
        Incoming { block: self.current, state, edge, key: keyed.key, registers: keyed.registers }
    }

    /// All paths of a group go on in one residual block: one that is there, or a new one.
    fn go_on(&mut self, point: Point, group: Group) -> Step<()> {
        let Some(first) = group.first() else { return Ok(()) };
        let known = self.variants.find(point, &first.key).map(|variant| variant.block);
        let any = self.variants.of(point).first().map(|variant| variant.block);
        let known = known.or(any.filter(|_| mutation::forgets("join")));
        if known.is_none() && first.edge.is_head {
            self.compare_rounds(point, first)?;
        }
        let target = known.unwrap_or_else(|| self.residual.block());
        for incoming in &group {
            self.current = incoming.block;
            self.end(End::Jump(target, incoming.registers.clone()));
        }
        if known.is_some() {
            return self.check_numbers(point, target, &group);
        }
        let (numbers, distances) = (self.join_numbers(point, &group), self.join_distances(point, &group));
        let Some(first) = group.into_iter().next() else { return Ok(()) };
        self.state = first.state;
        (self.state.numbers, self.state.distances) = (numbers, distances);
        if first.edge.is_head {
            let top = self.state.top_mut();
            top.exits.entry(point.1).or_default().residual_head = target;
        }
        self.begin_shared(point, target, first.key, &first.registers);
        self.run_block()
    }

    /// A loop that has had its rounds, or whose rounds differ in nothing that matters, gives up what they differ in.
    fn compare_rounds(&mut self, point: Point, incoming: &Incoming) -> Step<()> {
        let list = self.variants.of(point);
        let last = incoming.edge.before.and_then(|block| list.iter().rev().find(|variant| variant.block == block));
        let Some(before) = last.map(|variant| variant.state.clone()) else { return Ok(()) };
        if list.len() >= self.options.budget.variants && !incoming.edge.is_over {
            self.shorten(&incoming.state)?;
            return self.give_up(point, (&before, &incoming.state), &Cause::Budget);
        }
        if incoming.edge.is_over && self.give_up_growing(point, &Cause::Rounds) {
            return Err(Interrupt::Restart);
        }
        if incoming.edge.is_over || self.loss((&before, &incoming.state), false) == Loss::Nothing {
            return self.give_up(point, (&before, &incoming.state), &Cause::Rounds);
        }
        Ok(())
    }

    /// The residual block of a new variant, with parameters for the state's residual registers.
    fn begin_shared(&mut self, point: Point, block: usize, key: Vec<i128>, registers: &[LocalId]) {
        let mut names = BTreeMap::new();
        for register in registers {
            let local = self.residual.locals[*register].clone();
            let parameter = self.residual.local(&local.name, local.ty, LocalKind::Register);
            self.residual.blocks[block].parameters.push(parameter);
            let blame = self.blames.of_register(*register);
            self.blames.set(parameter, blame);
            self.blames.pass(parameter, *register);
            if let Some(origin) = self.derived.get(register) {
                self.derived.insert(parameter, *origin);
            }
            if self.callers.contains(register) {
                self.callers.insert(parameter);
            }
            names.insert(*register, parameter);
        }
        // What a register points to goes by that register's name.
        for parameter in names.values() {
            if let Some(Origin::Pointee(register)) = self.derived.get_mut(parameter) {
                *register = names.get(register).copied().unwrap_or(*register);
            }
        }
        key::rename(&mut self.state, &names);
        let variant = Variant { key, block, state: self.state.clone() };
        self.variants.add(point, variant);
        self.current = block;
    }
}

/// Paths by their keys, in the order of arrival.
pub(crate) fn unite(arrived: Vec<Incoming>) -> Vec<Group> {
    let mut places: BTreeMap<Vec<i128>, usize> = BTreeMap::new();
    let mut groups: Vec<Group> = Vec::new();
    for incoming in arrived {
        match places.get(&incoming.key) {
            Some(at) => groups[*at].push(incoming),
            None => {
                places.insert(incoming.key.clone(), groups.len());
                groups.push(vec![incoming]);
            }
        }
    }
    groups
}
