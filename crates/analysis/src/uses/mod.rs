//! How values are used, backward from their uses to their definitions: at specialization time, at run time, or both.
//!
//! In: the records of all variants. Out: the uses of each definition. A pointer that is followed now and stands in the
//! residual program, too, is used both ways; without use sensitivity it would have to be dynamic. Numbers are never
//! needed as they stand: a known one is written out where it is used. Registers are followed along the control flow, memory cell
//! by cell, all program points together. Source: Hornof, Noyé, Consel, "Effective Specialization of Realistic
//! Programs via Use Sensitivity" (1997), section 4.

mod demand;

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, FunctionId, LocalId, LocalKind, Program, Receiver, Shape, StatementKind, TypeId};

use crate::lattice::{Bits, Offsets, Part, Targets};
use crate::object::{ObjectId, ObjectName, Objects, StatementId};
use crate::tables::Table;
use crate::variant::VariantId;

/// How a definition is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Uses {
    pub statically: bool,
    pub dynamically: bool,
}

impl Uses {
    pub(crate) const NONE: Uses = Uses { statically: false, dynamically: false };
    pub(crate) const STATIC: Uses = Uses { statically: true, dynamically: false };
    pub(crate) const DYNAMIC: Uses = Uses { statically: false, dynamically: true };
    pub(crate) const BOTH: Uses = Uses { statically: true, dynamically: true };

    #[must_use]
    pub(crate) fn and(self, other: Uses) -> Uses {
        Uses { statically: self.statically || other.statically, dynamically: self.dynamically || other.dynamically }
    }

    pub fn both(self) -> bool {
        self == Uses::BOTH
    }
}

/// The uses of all definitions.
#[derive(Clone, Debug, Default)]
pub(crate) struct UseTable {
    pub(crate) definitions: BTreeMap<(VariantId, StatementId), Uses>,
    pub(crate) parameters: BTreeMap<(VariantId, LocalId), Uses>,
    /// Of each expression of a statement, as the records number them.
    pub(crate) occurrences: BTreeMap<(VariantId, StatementId), Vec<Uses>>,
    results: BTreeMap<VariantId, Uses>,
    /// By the bits they cover.
    pub(crate) cells: BTreeMap<ObjectId, BTreeMap<(i64, i64), Uses>>,
    /// Registers that are used where a block starts.
    before: BTreeMap<(VariantId, BlockId), Live>,
    changed: bool,
}

/// Registers by how they are used from here on.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Live {
    statically: Bits,
    dynamically: Bits,
}

impl Live {
    fn get(&self, local: LocalId) -> Uses {
        let at = crate::engine::number(local);
        Uses { statically: self.statically.holds(at), dynamically: self.dynamically.holds(at) }
    }

    fn add(&mut self, local: LocalId, uses: Uses) {
        let at = crate::engine::number(local);
        if uses.statically {
            self.statically.insert(at);
        }
        if uses.dynamically {
            self.dynamically.insert(at);
        }
    }

    fn remove(&mut self, local: LocalId) {
        let at = crate::engine::number(local);
        self.statically.remove(at);
        self.dynamically.remove(at);
    }

    fn add_all(&mut self, other: &Live) -> bool {
        self.statically.add_all(&other.statically) | self.dynamically.add_all(&other.dynamically)
    }
}

pub(crate) fn solve(program: &Program, variants: &BTreeMap<VariantId, Table>) -> UseTable {
    let mut table = UseTable { changed: true, ..UseTable::default() };
    while std::mem::take(&mut table.changed) {
        for (id, variant) in variants.iter().rev() {
            table.variant(program, *id, variant);
        }
    }
    table
}

impl UseTable {
    fn variant(&mut self, program: &Program, id: VariantId, variant: &Table) {
        let function = &program.functions[variant.function];
        let mut again = true;
        while std::mem::take(&mut again) {
            for (block, _) in function.blocks.iter().rev() {
                let live = self.block(program, id, variant, block);
                again |= self.before.entry((id, block)).or_default().add_all(&live);
            }
        }
        let Some((first, _)) = function.blocks.iter().next() else { return };
        let start = self.before.get(&(id, first)).cloned().unwrap_or_default();
        for parameter in &function.parameters {
            let uses = match function.locals[*parameter].kind {
                LocalKind::Register => start.get(*parameter),
                LocalKind::Memory => Uses::BOTH,
            };
            let known = self.parameters.entry((id, *parameter)).or_default();
            self.changed |= known.and(uses) != *known;
            *known = known.and(uses);
        }
    }

    /// What is used where a block starts.
    fn block(&mut self, program: &Program, id: VariantId, variant: &Table, block: BlockId) -> Live {
        let data = &program.functions[variant.function].blocks[block];
        let mut live = Live::default();
        for next in data.end.targets() {
            if let Some(after) = self.before.get(&(id, next)) {
                live.add_all(after);
            }
        }
        for index in (0..=data.statements.len()).rev() {
            let at = StatementId { function: variant.function, block, index };
            let Some(record) = variant.records.get(&at) else { continue };
            let mut demand = demand::Demand {
                program,
                variant,
                id,
                at,
                record,
                live: &mut live,
                table: self,
                next: 0,
                asked_of: Vec::new(),
            };
            match data.statements.get(index) {
                Some(statement) => demand.statement(&statement.kind),
                None => demand.end(&data.end),
            }
            let asked = std::mem::take(&mut demand.asked_of);
            self.occurrences.insert((id, at), asked);
        }
        live
    }

    fn define(&mut self, variant: VariantId, at: StatementId, uses: Uses) {
        self.definitions.insert((variant, at), uses);
    }

    fn add_result(&mut self, variant: VariantId, uses: Uses) {
        let known = self.results.entry(variant).or_default();
        self.changed |= known.and(uses) != *known;
        *known = known.and(uses);
    }

    fn result(&self, variant: VariantId) -> Uses {
        self.results.get(&variant).copied().unwrap_or_default()
    }

    /// Notes how cells are used.
    fn add_cells(&mut self, targets: &Targets, part: Part, uses: Uses) {
        for (object, offsets) in targets.iter() {
            let cells = self.cells.entry(*object).or_default();
            for bits in bits_of(offsets, part) {
                let known = cells.entry(bits).or_default();
                self.changed |= known.and(uses) != *known;
                *known = known.and(uses);
            }
        }
    }

    /// How what is stored in cells is used.
    pub(crate) fn cell_uses(&self, targets: &Targets, part: Part) -> Uses {
        let mut all = Uses::NONE;
        for (object, offsets) in targets.iter() {
            let Some(cells) = self.cells.get(object) else { continue };
            for (start, end) in bits_of(offsets, part) {
                for (bits, uses) in cells {
                    if bits.0 < end && start < bits.1 {
                        all = all.and(*uses);
                    }
                }
            }
        }
        all
    }
}

/// The bits of a cell; of one cell out of many, all that it may be.
fn bits_of(offsets: &Offsets, part: Part) -> Vec<(i64, i64)> {
    match offsets {
        Offsets::Points(points) => {
            let bits = points.iter().map(|point| point * 8 + part.first);
            bits.map(|start| (start, start + part.width)).collect()
        }
        Offsets::Range(range) => vec![(range.low * 8, range.high * 8 + part.first + part.width)],
    }
}

/// Values of this type can be written down in C, whatever they are.
pub(crate) fn is_liftable(program: &Program, ty: TypeId) -> bool {
    matches!(program.types.shape_of(ty), Shape::Integer { .. } | Shape::Float { .. })
}

/// Definitions that would have to be dynamic if a value could not be used both ways.
pub(crate) fn used_both_ways(
    program: &Program,
    variants: &BTreeMap<VariantId, Table>,
    uses: &UseTable,
    objects: &Objects,
) -> BTreeSet<Forced> {
    let mut forced = BTreeSet::new();
    for ((id, at), how) in &uses.definitions {
        let block = &program.functions[at.function].blocks[at.block];
        let Some(statement) = block.statements.get(at.index) else { continue };
        let record = &variants[id].records[at];
        let is_dynamic = record.result.as_ref().map_or(record.effect.is_dynamic(), |value| value.is_dynamic());
        if !how.dynamically || is_dynamic {
            continue;
        }
        match &statement.kind {
            StatementKind::Set { local, .. }
            | StatementKind::Call { receiver: Some(Receiver::Register(local)), .. }
                if !is_liftable(program, program.functions[at.function].locals[*local].ty) =>
            {
                forced.insert(Forced::Register(at.function, *local));
            }
            StatementKind::Store { place, .. } if !is_liftable(program, place.ty) => {
                for (targets, part) in &record.written {
                    for (object, offsets) in targets.iter() {
                        let (cells, name) = (bits_of(offsets, *part), objects.name(*object));
                        forced.extend(cells.into_iter().map(|(start, end)| Forced::Cell(name, start, end)));
                    }
                }
            }
            _ => {}
        }
    }
    for ((id, local), how) in &uses.parameters {
        let function = variants[id].function;
        if how.dynamically && !is_liftable(program, program.functions[function].locals[*local].ty) {
            forced.insert(Forced::Register(function, *local));
        }
    }
    forced
}

/// What is dynamic because its uses are, when a value may not be used both ways.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Forced {
    Register(FunctionId, LocalId),
    /// The bits from the first to the second.
    Cell(ObjectName, i64, i64),
}
