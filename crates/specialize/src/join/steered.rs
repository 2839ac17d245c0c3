//! What steers an interpreter: registers and cells by which rows of constant tables are looked up, such as its program counter.
//!
//! In: loads from constant tables, and tests of several cases, as the run comes to them. Out: which names hold what leads there. Where
//! states are too many, those that hold the same in them are joined. Source: Jones, Gomard, Sestoft (1993), section 4.9.3.

use std::collections::BTreeSet;

use core_c::{Expression, ExpressionKind, LocalId, Place, StatementKind};

use crate::engine::call_chain::ChainId;
use crate::engine::choice::walk;
use crate::engine::mentions;
use crate::engine::{Engine, Step};
use crate::join::differences::name;
use crate::join::generalize::CellName;
use crate::memory::access::Location;
use crate::values::value::Pointer;

/// What leads to rows of constant tables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steered {
    locals: BTreeSet<(ChainId, LocalId)>,
    cells: BTreeSet<CellName>,
    /// Where that was looked at.
    seen: BTreeSet<(ChainId, usize)>,
}

impl Engine<'_> {
    /// A row of a constant table is looked up at a place of the source.
    pub(crate) fn steers_by_place(&mut self, place: &Place) -> Step<()> {
        if !self.is_first_look(std::ptr::from_ref(place).addr()) {
            return Ok(());
        }
        let mut locals = BTreeSet::new();
        mentions::place(place, &mut locals);
        self.follow(locals);
        place.expressions().into_iter().try_for_each(|part| self.steers_by_loads(part))
    }

    /// A value selects one of several cases.
    pub(crate) fn steers_by_value(&mut self, value: &Expression) -> Step<()> {
        if !self.is_first_look(std::ptr::from_ref(value).addr()) {
            return Ok(());
        }
        let mut locals = BTreeSet::new();
        mentions::expression(value, &mut locals);
        self.follow(locals);
        self.steers_by_loads(value)
    }

    /// A register of the source is set: where it steers, so does what its value is loaded from.
    pub(crate) fn steers_by_register(&mut self, local: LocalId, value: &Expression) -> Step<()> {
        let is_one = self.generalizations.steered.locals.contains(&(self.state.top().chain, local));
        if !is_one || !self.is_first_look(std::ptr::from_ref(value).addr()) {
            return Ok(());
        }
        self.steers_by_loads(value)
    }

    /// True of a name that holds what leads to rows of constant tables.
    pub(crate) fn steers(&self, cell: &CellName) -> bool {
        match cell {
            CellName::Register(chain, local) => self.generalizations.steered.locals.contains(&(*chain, *local)),
            cell => self.generalizations.steered.cells.contains(cell),
        }
    }

    /// True of an address in an object that nobody changes.
    pub(crate) fn is_constant(&self, pointer: Pointer) -> bool {
        self.state.memory.get(pointer.object).is_some_and(|object| object.constant)
    }

    fn is_first_look(&mut self, at: usize) -> bool {
        let chain = self.state.top().chain;
        self.generalizations.steered.seen.insert((chain, at))
    }

    /// Adds locals, and those that they are computed from in their function.
    fn follow(&mut self, mut locals: BTreeSet<LocalId>) {
        let (function, chain) = (self.state.top().function, self.state.top().chain);
        let steered = &mut self.generalizations.steered;
        locals.retain(|local| !steered.locals.contains(&(chain, *local)));
        while !locals.is_empty() {
            let mut next = BTreeSet::new();
            steered.locals.extend(locals.iter().map(|local| (chain, *local)));
            for (_, block) in self.input.functions[function].blocks.iter() {
                for statement in &block.statements {
                    if let StatementKind::Set { local, value } = &statement.kind
                        && locals.contains(local)
                    {
                        moved(value, &mut next);
                    }
                }
            }
            next.retain(|local| !steered.locals.contains(&(chain, *local)));
            locals = next;
        }
    }

    /// Cells from which an expression is loaded.
    fn steers_by_loads(&mut self, value: &Expression) -> Step<()> {
        let mut places = Vec::new();
        walk(value, &mut |part| {
            if let ExpressionKind::Load(place) = &part.kind {
                places.push(place);
            }
        });
        for place in places {
            let Location::Known(pointer) = self.locate(place)? else { continue };
            let object = self.state.memory.get(pointer.object).filter(|object| !object.constant);
            let (Some(object), Ok(at)) = (object, u64::try_from(pointer.offset)) else { continue };
            if let Some(size) = self.types.size_of(place.ty) {
                let cell = name(object, (at, size));
                self.generalizations.steered.cells.insert(cell);
            }
        }
        Ok(())
    }
}

/// The locals whose values, or their sums, an expression is; not those that only say where something is loaded.
fn moved(value: &Expression, found: &mut BTreeSet<LocalId>) {
    match &value.kind {
        ExpressionKind::Local(local) => drop(found.insert(*local)),
        ExpressionKind::Load(_) => {}
        _ => value.children().into_iter().for_each(|child| moved(child, found)),
    }
}
