//! What the analysis gives: side tables, keyed by variants, statements, and expressions in them.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{BlockId, FunctionId, LocalId, Program};

use crate::actions::{self, Action};
use crate::cause::{Cause, CauseId, Causes};
use crate::effects::Effects;
use crate::engine::{Engine, Record};
use crate::lattice::{BindingTime, Bits, Offsets, State};
use crate::object::{ObjectName, Objects, StatementId};
use crate::options::{Extent, Generalization, Options, Root};
use crate::uses::{self, UseTable, Uses};
use crate::variant::{VariantId, Way};

/// The side tables of a program. Occurrences of expressions are numbered within a statement, or a block's end, in the
/// order of `expressions()`, each walked outermost first.
#[derive(Clone, Debug)]
pub struct Analysis {
    pub(crate) roots: Vec<(FunctionId, VariantId)>,
    pub(crate) variants: BTreeMap<VariantId, Table>,
    /// The variant that stands for all that are like it.
    representative: BTreeMap<VariantId, VariantId>,
    pub(crate) causes: Causes,
    pub(crate) objects: Objects,
    generalizations: BTreeMap<(FunctionId, BlockId), Vec<Generalization>>,
    pub(crate) uses: UseTable,
    extent: Extent,
}

/// One variant.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) function: FunctionId,
    pub(crate) records: BTreeMap<StatementId, Record>,
    pub(crate) actions: BTreeMap<StatementId, Action>,
    pub(crate) calls: BTreeMap<(StatementId, FunctionId, Way), VariantId>,
    /// Of the parameters.
    pub(crate) parameters: Vec<(BindingTime, Option<CauseId>)>,
    /// As many states that the function is called in are served alike.
    pub(crate) states: usize,
    pub(crate) remains: bool,
    /// What is known where each block starts, and the objects that matter.
    pub(crate) before: BTreeMap<(BlockId, Way), State>,
    pub(crate) touched: Bits,
}

impl Table {
    /// The variants that a call leads to, by way.
    pub(crate) fn callees(&self, at: StatementId, callee: FunctionId) -> impl Iterator<Item = VariantId> + '_ {
        let first = (at, callee, Way::default());
        self.calls.range(first..).take_while(move |(call, _)| (call.0, call.1) == (at, callee)).map(|(_, id)| *id)
    }
}

/// A promise of the scenario that is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BrokenContract {
    pub variant: VariantId,
    pub at: StatementId,
    pub cause: Option<CauseId>,
}

/// Analyses a program from its roots on. What the specializer could not keep static, it gives as generalizations.
pub fn analyze(
    program: &Program,
    roots: &[Root],
    effects: &dyn Effects,
    generalizations: &[Generalization],
    options: &Options,
) -> Analysis {
    let mut forced = BTreeSet::new();
    let mut extent = Extent::Whole;
    loop {
        let options = options.within(extent);
        let engine = Engine::new(program, effects, &options, generalizations, forced.clone());
        let mut analysis = run(engine, roots, generalizations);
        if analysis.extent == Extent::Unfinished && extent != Extent::Unfinished {
            extent = extent.less();
            if extent != Extent::Unfinished {
                continue;
            }
        }
        analysis.extent = extent;
        if options.sensitivities.uses || extent == Extent::Unfinished {
            return analysis;
        }
        let found = uses::used_both_ways(program, &analysis.variants, &analysis.uses, &analysis.objects);
        let before = forced.len();
        forced.extend(found);
        if forced.len() == before {
            return analysis;
        }
    }
}

fn run(mut engine: Engine<'_>, roots: &[Root], generalizations: &[Generalization]) -> Analysis {
    let program = engine.program;
    let entries = engine.solve(roots);
    let records = engine.record(&entries);
    let mut tables: BTreeMap<VariantId, Table> = BTreeMap::new();
    for id in engine.live(&entries) {
        let variant = &engine.variants[id.index()];
        let parameters = program.functions[variant.function].parameters.iter();
        let parameters = parameters.map(|parameter| {
            let value = &variant.entry.registers[crate::engine::number(*parameter)];
            (value.time, value.cause)
        });
        tables.insert(
            id,
            Table {
                function: variant.function,
                records: BTreeMap::new(),
                actions: BTreeMap::new(),
                calls: variant.calls.clone(),
                parameters: parameters.collect(),
                states: 1,
                remains: variant.residual,
                before: variant.before.clone(),
                touched: variant.touched.clone(),
            },
        );
    }
    for ((variant, at), record) in records {
        if let Some(table) = tables.get_mut(&variant) {
            table.actions.insert(at, actions::of_statement(program, at, &record));
            table.records.insert(at, record);
        }
    }
    let representative = alike(&tables);
    let roots = roots.iter().map(|root| root.function).zip(entries).collect();
    let mut by_block: BTreeMap<_, Vec<Generalization>> = BTreeMap::new();
    for generalization in generalizations {
        let key = (generalization.function, generalization.block);
        by_block.entry(key).or_default().push(generalization.clone());
    }
    let extent = if engine.is_exhausted() { Extent::Unfinished } else { Extent::Whole };
    let (causes, objects) = (engine.causes, engine.objects);
    let generalizations = by_block;
    let uses = UseTable::default();
    let mut analysis =
        Analysis { roots, variants: tables, representative, causes, objects, generalizations, uses, extent };
    analysis.merge();
    analysis.uses = uses::solve(program, &analysis.variants);
    analysis
}

/// Variants that differ in nothing that can be seen from outside the analysis, each with the first of its kind.
fn alike(tables: &BTreeMap<VariantId, Table>) -> BTreeMap<VariantId, VariantId> {
    // Classes are split as long as members of one have calls that lead to different classes.
    let mut class: BTreeMap<VariantId, usize> = BTreeMap::new();
    let mut count = 0;
    loop {
        let mut found: BTreeMap<Vec<u64>, usize> = BTreeMap::new();
        let mut next = BTreeMap::new();
        for (id, table) in tables {
            let mut key = signature(table);
            for (call, callee) in &table.calls {
                key.push(u64::from(call.1.into_raw().into_u32()));
                key.push(class.get(callee).map_or(0, |class| *class as u64));
            }
            let number = found.len();
            next.insert(*id, *found.entry(key).or_insert(number));
        }
        let stable = found.len() == count;
        count = found.len();
        class = next;
        if stable {
            break;
        }
    }
    let mut first: BTreeMap<usize, VariantId> = BTreeMap::new();
    class.iter().map(|(id, class)| (*id, *first.entry(*class).or_insert(*id))).collect()
}

/// What of a variant others see, calls aside.
fn signature(table: &Table) -> Vec<u64> {
    let mut key = vec![u64::from(table.function.into_raw().into_u32())];
    let time = |time: BindingTime| time as u64;
    key.extend(table.parameters.iter().map(|(known, _)| time(*known)));
    for (at, record) in &table.records {
        key.extend([u64::from(at.block.into_raw().into_u32()), at.index as u64]);
        key.extend(record.values.iter().map(|value| time(value.time)));
        key.extend([time(record.effect), u64::from(record.remains), u64::from(record.calls_others)]);
        key.push(record.result.as_ref().map_or(9, |value| time(value.time)));
        key.extend(record.callees.iter().map(|callee| u64::from(callee.into_raw().into_u32()) + 16));
    }
    key
}

impl Analysis {
    /// Leaves one variant of each kind.
    fn merge(&mut self) {
        let mut merged: BTreeMap<VariantId, Table> = BTreeMap::new();
        for (id, mut table) in std::mem::take(&mut self.variants) {
            let first = self.representative[&id];
            if let Some(known) = merged.get_mut(&first) {
                known.states += 1;
                continue;
            }
            for callee in table.calls.values_mut() {
                *callee = self.representative[callee];
            }
            merged.insert(first, table);
        }
        for (_, root) in &mut self.roots {
            *root = self.representative[root];
        }
        self.variants = merged;
    }

    /// How much was told apart.
    pub fn extent(&self) -> Extent {
        self.extent
    }

    /// The variant of a root.
    pub fn entry_variant(&self, root: FunctionId) -> Option<VariantId> {
        self.roots.iter().find(|(function, _)| *function == root).map(|(_, variant)| *variant)
    }

    /// The variant that a call leads to. Where the scenario says that something usually holds, there may be several;
    /// then it is the one in which it does.
    pub fn callee_variant(&self, variant: VariantId, at: StatementId, callee: FunctionId) -> Option<VariantId> {
        self.variants.get(&variant)?.callees(at, callee).next()
    }

    /// All variants that a call leads to.
    pub fn callee_variants(&self, variant: VariantId, at: StatementId, callee: FunctionId) -> BTreeSet<VariantId> {
        self.variants.get(&variant).into_iter().flat_map(|table| table.callees(at, callee)).collect()
    }

    /// All variants, in order.
    pub fn variants(&self) -> impl Iterator<Item = VariantId> + '_ {
        self.variants.keys().copied()
    }

    pub fn variants_of(&self, function: FunctionId) -> impl Iterator<Item = VariantId> + '_ {
        self.variants.iter().filter(move |(_, table)| table.function == function).map(|(id, _)| *id)
    }

    pub fn function(&self, variant: VariantId) -> Option<FunctionId> {
        self.variants.get(&variant).map(|table| table.function)
    }

    /// What may be done with a statement, or a block's end; none where control does not come there.
    pub fn action(&self, variant: VariantId, at: StatementId) -> Option<Action> {
        self.variants.get(&variant)?.actions.get(&at).copied()
    }

    /// What may be done with an expression.
    pub fn expression_action(
        &self,
        program: &Program,
        variant: VariantId,
        at: StatementId,
        occurrence: usize,
    ) -> Option<Action> {
        let record = self.record(variant, at)?;
        let block = &program.functions[at.function].blocks[at.block];
        let expressions = match block.statements.get(at.index) {
            Some(statement) => statement.kind.expressions(),
            None => block.end.expressions(),
        };
        let (mut number, mut found) = (0, None);
        for expression in expressions {
            expression.walk(&mut |part| {
                if number == occurrence {
                    found = Some(actions::of_expression(part, record, number));
                }
                number += 1;
            });
        }
        found
    }

    /// When an expression is computed.
    pub fn binding_time(&self, variant: VariantId, at: StatementId, occurrence: usize) -> Option<BindingTime> {
        self.record(variant, at)?.values.get(occurrence).map(|value| value.time)
    }

    /// When a statement's effect comes about; of a test, when it is decided.
    pub fn effect_time(&self, variant: VariantId, at: StatementId) -> Option<BindingTime> {
        self.record(variant, at).map(|record| record.effect)
    }

    /// When the value is known that a call gives.
    pub fn result_time(&self, variant: VariantId, at: StatementId) -> Option<BindingTime> {
        self.record(variant, at)?.result.as_ref().map(|value| value.time)
    }

    /// Of a parameter, by position.
    pub fn parameter_time(&self, variant: VariantId, position: usize) -> Option<BindingTime> {
        self.variants.get(&variant)?.parameters.get(position).map(|(time, _)| *time)
    }

    /// How the value is used that a statement defines.
    pub fn uses(&self, variant: VariantId, at: StatementId) -> Option<Uses> {
        self.uses.definitions.get(&(variant, at)).copied()
    }

    /// How a parameter is used.
    pub fn parameter_uses(&self, variant: VariantId, parameter: LocalId) -> Option<Uses> {
        self.uses.parameters.get(&(variant, parameter)).copied()
    }

    /// What the value of an expression may point to.
    pub fn points_to(&self, variant: VariantId, at: StatementId, occurrence: usize) -> Vec<(ObjectName, Offsets)> {
        let value = self.record(variant, at).and_then(|record| record.values.get(occurrence));
        let targets = value.into_iter().flat_map(|value| value.targets.iter());
        targets.map(|(object, offsets)| (self.objects.name(*object), offsets.clone())).collect()
    }

    /// The functions that a call may lead to; none where it may lead to others, too.
    pub fn callees(&self, variant: VariantId, at: StatementId) -> Option<&[FunctionId]> {
        self.record(variant, at).filter(|record| !record.calls_others).map(|record| &record.callees[..])
    }

    /// True where the variant leaves something to be done at run time.
    pub fn remains(&self, variant: VariantId) -> bool {
        self.variants.get(&variant).is_none_or(|table| table.remains)
    }

    /// What the specializer had made dynamic where a block starts.
    pub fn generalized(&self, function: FunctionId, block: BlockId) -> &[Generalization] {
        self.generalizations.get(&(function, block)).map_or(&[], |list| &list[..])
    }

    /// The scenario's promises that are not kept.
    pub fn broken_contracts(&self) -> Vec<BrokenContract> {
        let all = self.variants.iter().flat_map(|(variant, table)| {
            let broken = table.records.iter().filter_map(|(at, record)| Some((*at, record.broken?)));
            broken.map(|(at, cause)| BrokenContract { variant: *variant, at, cause })
        });
        all.collect()
    }

    /// Where a statement stands in the source.
    pub fn span(&self, program: &Program, at: StatementId) -> Option<source::Span> {
        crate::why::span_of(program, at)
    }

    /// An edge of the path that made something dynamic.
    pub fn cause(&self, id: CauseId) -> Option<&Cause> {
        self.causes.get(id)
    }

    pub(crate) fn record(&self, variant: VariantId, at: StatementId) -> Option<&Record> {
        self.variants.get(&variant)?.records.get(&at)
    }

    /// The functions that were looked into, in order.
    pub fn functions(&self) -> BTreeSet<FunctionId> {
        self.variants.values().map(|table| table.function).collect()
    }
}
