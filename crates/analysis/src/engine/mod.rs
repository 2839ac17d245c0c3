//! The abstract interpreter: from the roots down, every function in every state it is called in, until nothing
//! changes. One file for each thing it has to understand.

mod calls;
mod ends;
mod evaluate;
mod lists;
mod matching;
mod memory;
mod outside;
mod places;
mod record;
mod roots;
mod run;
mod statements;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

use core_c::graph::{Graph, Liveness};
use core_c::{Block, BlockId, Function, FunctionId, LocalId, Program, StatementKind};
use source::Span;

use crate::cause::{Cause, CauseId, Causes, Insensitivity, Reason};
use crate::effects::Effects;
use crate::lattice::{Content, Offsets, Store, Targets, Value};
use crate::object::{OUTSIDE, ObjectId, ObjectName, Objects, StatementId};
use crate::options::{Generalization, Options};
use crate::scan::Scan;
use crate::uses::Forced;
use crate::variant::{Variant, VariantId, Way};

pub(crate) use places::Access;
pub(crate) use record::Record;
use record::Recording;

pub(crate) struct Engine<'a> {
    pub(crate) program: &'a Program,
    pub(crate) options: &'a Options,
    pub(crate) effects: &'a dyn Effects,
    pub(crate) scan: Scan,
    pub(crate) objects: Objects,
    pub(crate) causes: Causes,
    pub(crate) variants: Vec<Variant>,
    by_function: BTreeMap<FunctionId, Vec<VariantId>>,
    /// Cells of which more numbers were seen than are told apart, by the function that is called with them.
    numbers: BTreeMap<FunctionId, matching::Numbers>,
    graphs: BTreeMap<FunctionId, Rc<Graph<Block>>>,
    liveness: BTreeMap<FunctionId, Rc<Liveness>>,
    /// What objects hold that no store mentions.
    background: BTreeMap<ObjectId, Arc<Content>>,
    generalizations: BTreeMap<(FunctionId, BlockId), Vec<Generalization>>,
    /// Variants to be looked at again, each with the variants that changed under it.
    dirty: BTreeMap<VariantId, BTreeSet<VariantId>>,
    /// Functions that are being looked at, each called by the one before.
    depth: usize,
    /// Grows with every change.
    changes: u64,
    /// As many blocks were looked at.
    blocks: usize,
    ways: Ways,
    recording: Option<Recording>,
    /// What functions usually return, on the scenario's word.
    usual: BTreeMap<String, i128>,
    /// What is dynamic because it would be used both ways.
    forced: BTreeSet<Forced>,
}

/// A statement in a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Point {
    pub(crate) variant: VariantId,
    pub(crate) at: StatementId,
    pub(crate) way: Way,
}

/// Ways that conditions which usually hold lead to: the way before, the place, and whether the condition holds.
#[derive(Debug, Default)]
struct Ways {
    known: BTreeMap<(Way, StatementId, bool), Way>,
}

/// More ways of one analysis are not told apart.
const WAYS_MOST: usize = 64;

impl Ways {
    fn after(&mut self, way: Way, at: StatementId, holds: bool) -> Way {
        let next = Way(u32::try_from(self.known.len()).unwrap_or(u32::MAX) + 1);
        if self.known.len() >= WAYS_MOST {
            return way;
        }
        *self.known.entry((way, at, holds)).or_insert(next)
    }
}

pub(crate) fn number(local: LocalId) -> usize {
    local.into_raw().into_u32() as usize
}

impl<'a> Engine<'a> {
    pub(crate) fn new(
        program: &'a Program,
        effects: &'a dyn Effects,
        options: &'a Options,
        generalizations: &[Generalization],
        forced: BTreeSet<Forced>,
    ) -> Engine<'a> {
        let mut by_block: BTreeMap<_, Vec<Generalization>> = BTreeMap::new();
        for generalization in generalizations {
            let key = (generalization.function, generalization.block);
            by_block.entry(key).or_default().push(generalization.clone());
        }
        Engine {
            program,
            options,
            effects,
            scan: Scan::of(program, effects),
            objects: Objects::new(),
            causes: Causes::default(),
            variants: Vec::new(),
            by_function: BTreeMap::new(),
            numbers: BTreeMap::new(),
            graphs: BTreeMap::new(),
            liveness: BTreeMap::new(),
            background: BTreeMap::new(),
            generalizations: by_block,
            dirty: BTreeMap::new(),
            depth: 0,
            changes: 0,
            blocks: 0,
            ways: Ways::default(),
            recording: None,
            usual: BTreeMap::new(),
            forced,
        }
    }

    /// No more is looked at.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.blocks > self.options.blocks_most
    }

    fn variant(&mut self, id: VariantId) -> &mut Variant {
        &mut self.variants[id.index()]
    }

    fn function(&self, id: FunctionId) -> &'a Function {
        &self.program.functions[id]
    }

    fn graph(&mut self, id: FunctionId) -> Rc<Graph<Block>> {
        let function = self.function(id);
        Rc::clone(self.graphs.entry(id).or_insert_with(|| Rc::new(Graph::of(function))))
    }

    fn liveness(&mut self, id: FunctionId) -> Rc<Liveness> {
        let (function, graph) = (self.function(id), self.graph(id));
        Rc::clone(self.liveness.entry(id).or_insert_with(|| Rc::new(Liveness::of(function, &graph))))
    }

    /// A value as it may stand in a register.
    fn in_register(&mut self, point: Point, function: FunctionId, local: LocalId, value: Value) -> Value {
        if value.is_dynamic() || !self.forced.contains(&Forced::Register(function, local)) {
            return value;
        }
        value.made_dynamic(self.cause(point, Reason::Insensitive(Insensitivity::Uses), value.cause))
    }

    /// A value as it may stand in a cell.
    fn in_cell(&mut self, point: Point, access: &Access, value: Value) -> Value {
        let is_forced = |(object, offsets): &(ObjectId, Offsets)| {
            let (name, range) = (self.objects.name(*object), offsets.range());
            let (start, end) =
                (range.low * 8 + access.part.first, range.high * 8 + access.part.first + access.part.width);
            self.forced
                .iter()
                .any(|forced| matches!(forced, Forced::Cell(of, from, to) if *of == name && *from < end && start < *to))
        };
        if value.is_dynamic() || self.forced.is_empty() || !access.targets.iter().any(is_forced) {
            return value;
        }
        value.made_dynamic(self.cause(point, Reason::Insensitive(Insensitivity::Uses), value.cause))
    }

    /// The object of a name; on first sight, what it holds where no store mentions it is found out.
    pub(crate) fn object(&mut self, name: ObjectName) -> ObjectId {
        let known = self.objects.find(name);
        if let Some(id) = known {
            return id;
        }
        let id = self.objects.id(name);
        let content = match name {
            ObjectName::Global(global) if self.scan.constant.contains(&global) => {
                self.background.insert(id, Arc::new(Content::of(Value::any())));
                Some(self.initial_content(global))
            }
            ObjectName::Global(_) => {
                let cause = self.at_the_beginning(Reason::Initially(name));
                Some(Content::of(Value::dynamic(cause, outside())))
            }
            ObjectName::Behind(..) | ObjectName::Outside => Some(self.pristine(name)),
            _ => None,
        };
        if let Some(content) = content {
            self.background.insert(id, Arc::new(content));
        }
        id
    }

    /// Memory from outside, of which nothing is known.
    pub(crate) fn pristine(&mut self, name: ObjectName) -> Content {
        let cause = self.at_the_beginning(Reason::Initially(name));
        Content { pristine: true, ..Content::of(Value::dynamic(cause, outside())) }
    }

    /// What an object holds; none where it does not exist.
    pub(crate) fn content(&self, store: &Store, object: ObjectId) -> Option<Arc<Content>> {
        store.get(object).cloned().or_else(|| absent(&self.background, object, store))
    }

    /// Notes why something is dynamic from here on.
    pub(crate) fn cause(&mut self, point: Point, reason: Reason, from: Option<CauseId>) -> CauseId {
        let span = self.span(point.at);
        self.causes.note(Cause { at: Some((point.variant, point.at)), span, reason, from })
    }

    fn at_the_beginning(&mut self, reason: Reason) -> CauseId {
        let span = match &reason {
            Reason::Initially(ObjectName::Global(global)) => self.program.globals[*global].span,
            Reason::Parameter(function, position) => {
                let function = self.function(*function);
                function.parameters.get(*position).and_then(|parameter| function.locals[*parameter].span)
            }
            Reason::Initially(ObjectName::Pointee(function, position)) => {
                let function = self.function(*function);
                function.parameters.get(*position).and_then(|parameter| function.locals[*parameter].span)
            }
            _ => None,
        };
        self.causes.note(Cause { at: None, span, reason, from: None })
    }

    /// Where a statement stands in the source.
    pub(crate) fn span(&self, at: StatementId) -> Option<Span> {
        let function = self.function(at.function);
        let block = &function.blocks[at.block];
        match block.statements.get(at.index) {
            Some(statement) => statement.span,
            None => block.span,
        }
    }

    /// True where pointers from outside may lead to the object.
    pub(crate) fn is_exposed(&self, store: &Store, object: ObjectId) -> bool {
        match self.objects.name(object) {
            ObjectName::Outside | ObjectName::Pointee(..) | ObjectName::Behind(..) => true,
            ObjectName::Global(global) if self.scan.reachable.contains(&global) => true,
            _ => store.exposed.holds(object.0 as usize),
        }
    }

    /// Notes that the variant looks at an object, or changes it.
    fn touch(&mut self, point: Point, store: &Store, object: ObjectId) {
        let clobbered = store.get(object).is_some_and(|content| content.clobbered);
        if clobbered {
            return self.reach(point, object);
        }
        if self.variants[point.variant.index()].touched.insert(object.0 as usize) {
            self.changes += 1;
        }
    }

    /// Notes that it matters to the variant whether an object can be reached from outside.
    fn reach(&mut self, point: Point, object: ObjectId) {
        if self.variants[point.variant.index()].reached.insert(object.0 as usize) {
            self.changes += 1;
        }
    }

    /// The statement at a place; none for a block's end.
    pub(crate) fn statement(&self, at: StatementId) -> Option<&'a StatementKind> {
        self.function(at.function).blocks[at.block].statements.get(at.index).map(|statement| &statement.kind)
    }
}

/// What an object holds that a store does not mention.
fn absent(background: &BTreeMap<ObjectId, Arc<Content>>, object: ObjectId, store: &Store) -> Option<Arc<Content>> {
    let content = background.get(&object)?;
    if content.pristine && store.outside_written {
        return Some(Arc::new(Content { pristine: false, ..(**content).clone() }));
    }
    Some(Arc::clone(content))
}

/// What a pointer from outside points to.
pub(crate) fn outside() -> Targets {
    Targets::one(OUTSIDE, Offsets::anywhere())
}
