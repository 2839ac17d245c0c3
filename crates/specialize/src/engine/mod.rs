//! The specializer's run over one root function: what it keeps, and its main loop.

pub(crate) mod budget;
pub(crate) mod call_chain;
pub(crate) mod choice;
pub(crate) mod control;
pub(crate) mod evaluate;
pub(crate) mod execute;
pub(crate) mod flow;
pub(crate) mod mentions;
pub(crate) mod progress;
pub(crate) mod residual;
pub(crate) mod restart_budget;
pub(crate) mod rewrite;
pub(crate) mod state;
pub(crate) mod worklist;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{Linkage, Shape};

use core_c::{
    Expression, ExpressionKind, Function, FunctionId, GlobalId, LocalId, LocalKind, Program, Statement, StatementKind,
    TypeId, Types,
};
use source::{Limit, Span};

use crate::calls::unfold_blocker;
use crate::calls::variants::FunctionVariants;
use crate::engine::budget::Measure;
use crate::engine::call_chain::{CallChains, ChainId};
use crate::engine::choice::Chosen;
use crate::engine::flow::Flow;
use crate::engine::residual::{End, Residual, ResidualBlock};
use crate::engine::restart_budget::RestartBudget;
use crate::engine::state::{Frame, State};
use crate::engine::worklist::Worklist;
use crate::join::generalize::Generalizations;
use crate::join::selectors::Member;
use crate::join::shared::Variants;
use crate::library::ctype::CharacterTables;
use crate::library::effects::Moved;
use crate::library::order::Use;
use crate::linkage::Link;
use crate::memory::elements::{Elements, Slot};
use crate::memory::{Background, Cell, Object, Origin};
use crate::report::blame::Blames;
use crate::report::trace::Recorder;
use crate::values::value::{ObjectId, Value};
use crate::{Options, Refusal};

/// Why a run stops before its end.
#[derive(Debug)]
pub(crate) enum Interrupt {
    /// A generalization was recorded; the run begins again with it.
    Restart,
    /// The same, for the root's run and those of all functions it calls.
    RestartAll,
    Refuse(Refusal),
}

pub(crate) type Step<T> = Result<T, Interrupt>;

/// Where a variant of a program point belongs.
pub(crate) type Point = (ChainId, core_c::BlockId, usize);

pub(crate) struct Engine<'p> {
    pub(crate) input: &'p Program,
    pub(crate) types: Types,
    pub(crate) options: &'p Options,
    /// What has to stay in its own unit.
    pub(crate) link: Rc<Link>,
    pub(crate) letters: Rc<CharacterTables>,
    /// Residual registers that point to tables of letters' classes.
    pub(crate) letter_tables: BTreeSet<LocalId>,
    pub(crate) flows: BTreeMap<FunctionId, Rc<Flow>>,
    obstacles: BTreeMap<FunctionId, Option<String>>,
    pub(crate) paths: CallChains,
    pub(crate) generalizations: Generalizations,
    pub(crate) residual: Residual,
    /// Where residual statements go now.
    pub(crate) current: ResidualBlock,
    pub(crate) state: State,
    pub(crate) worklist: Worklist,
    /// The path under work has come to a place where it waits for others.
    pub(crate) waits: bool,
    pub(crate) variants: Variants,
    /// Memory locals of the residual function, by the object they stand for.
    pub(crate) places: BTreeMap<Origin, LocalId>,
    objects: u32,
    pub(crate) steps: u64,
    pub(crate) measure: Measure,
    pub(crate) restart_budget: RestartBudget,
    /// What residual registers were set to.
    pub(crate) definitions: BTreeMap<LocalId, Expression>,
    /// What external functions usually return, by the scenario's word.
    pub(crate) usual_results: BTreeMap<String, i128>,
    /// A generalization was recorded: what this run makes is not wanted.
    pub(crate) outdated: bool,
    /// Tests and calls that this run has decided.
    pub(crate) decided: usize,
    /// Statements that may load an address at an index of few values.
    pub(crate) choices: BTreeMap<FunctionId, BTreeSet<(core_c::BlockId, usize)>>,
    /// The value of an index while its statement is carried out for it.
    pub(crate) chosen: Chosen,
    /// Why what is residual is not known.
    pub(crate) blames: Blames,
    /// What became of the constructs of the source.
    pub(crate) trace: Recorder,
    /// Residual statements and ends of blocks so far.
    pub(crate) made: usize,
    /// Paths meet, and no statement is under work.
    pub(crate) is_between: bool,
    /// Where the statement under work stands.
    pub(crate) span: Option<Span>,
    /// Functions of the program that the residual code calls as they are.
    pub(crate) called: BTreeSet<FunctionId>,
    /// What functions may touch, once asked for.
    pub(crate) reached: BTreeMap<FunctionId, Rc<BTreeSet<GlobalId>>>,
    /// Globals that a pointer may lead to, once asked for.
    pub(crate) addressed: Option<Rc<BTreeSet<GlobalId>>>,
    /// Functions that never return, once asked for.
    pub(crate) failures: Option<Rc<BTreeSet<FunctionId>>>,
    /// Registers by which something can be decided, once asked for.
    pub(crate) deciding: BTreeMap<(FunctionId, bool), Rc<BTreeSet<LocalId>>>,
    /// What functions do with results of comparisons, once asked for.
    pub(crate) uses: BTreeMap<(FunctionId, LocalId), Use>,
    /// Members that select what runs next, once asked for.
    pub(crate) selectors: Option<BTreeSet<Member<'p>>>,
    /// Where such members were seen behind pointers.
    pub(crate) selecting: BTreeSet<u64>,
    /// The function that this run is about.
    pub(crate) root: Option<FunctionId>,
    /// The root's own body, for where a fact does not hold.
    pub(crate) general: Option<FunctionId>,
    pub(crate) functions: FunctionVariants,
    /// How often this run has unfolded a call of a function inside another one that a residual test governs.
    pub(crate) reentries: BTreeMap<FunctionId, usize>,
    /// Which of them this run makes.
    pub(crate) variant: Option<usize>,
    /// What its pointer parameters point to, in order.
    pub(crate) entry_objects: Vec<ObjectId>,
    /// What the objects of its snapshot hold at the entry.
    pub(crate) entry_cells: Vec<BTreeMap<u64, Cell>>,
    /// Of the address that was moved last by an unknown distance.
    pub(crate) moved_from: Moved,
    /// Of the place that was located last: the array in which it lies at an unknown index, and where in its element.
    pub(crate) slot_at: Option<Slot>,
    /// Of the place that is loaded or stored now: the structure whose member it is, and where in it.
    pub(crate) member_at: Option<(TypeId, u64)>,
    /// Residual registers that lead into an object, with its name.
    pub(crate) derived: BTreeMap<LocalId, Origin>,
    /// Residual registers that hold an address from the caller.
    pub(crate) callers: BTreeSet<LocalId>,
    /// Objects whose alignment the residual program decides.
    pub(crate) aligned: BTreeSet<Origin>,
    /// Slots that were loaded before anything was stored there.
    pub(crate) unfilled: BTreeSet<(Origin, Slot)>,
}

impl<'p> Engine<'p> {
    pub(crate) fn new(
        input: &'p Program,
        options: &'p Options,
        link: Rc<Link>,
        letters: Rc<CharacterTables>,
    ) -> Engine<'p> {
        Engine {
            input,
            types: input.types.clone(),
            options,
            link,
            letters,
            letter_tables: BTreeSet::new(),
            flows: BTreeMap::new(),
            obstacles: BTreeMap::new(),
            paths: CallChains::new(),
            generalizations: Generalizations::default(),
            residual: Residual::default(),
            current: 0,
            state: State::default(),
            worklist: Worklist::default(),
            waits: false,
            variants: Variants::default(),
            places: BTreeMap::new(),
            objects: 0,
            steps: 0,
            measure: Measure::default(),
            restart_budget: RestartBudget::default(),
            definitions: BTreeMap::new(),
            usual_results: BTreeMap::new(),
            outdated: false,
            decided: 0,
            choices: BTreeMap::new(),
            chosen: None,
            blames: Blames::default(),
            trace: Recorder::default(),
            made: 0,
            is_between: false,
            span: None,
            called: BTreeSet::new(),
            reached: BTreeMap::new(),
            addressed: None,
            failures: None,
            deciding: BTreeMap::new(),
            uses: BTreeMap::new(),
            selectors: None,
            selecting: BTreeSet::new(),
            root: None,
            general: None,
            functions: FunctionVariants::default(),
            reentries: BTreeMap::new(),
            variant: None,
            entry_objects: Vec::new(),
            entry_cells: Vec::new(),
            slot_at: None,
            derived: BTreeMap::new(),
            callers: BTreeSet::new(),
            member_at: None,
            aligned: BTreeSet::new(),
            unfilled: BTreeSet::new(),
            moved_from: None,
        }
    }

    /// The residual function of a root, its private registers, and the types it needs.
    pub(crate) fn run(&mut self, root: FunctionId) -> Result<(Function, BTreeSet<LocalId>), Refusal> {
        let data = &self.input.functions[root];
        if !self.input.types.table.target.little_endian {
            let reason = "the target is big-endian, which the specializer does not know yet".to_string();
            return Err(Refusal { reason, ..Refusal::default() });
        }
        let why = unfold_blocker::unfold_blocker(self.input, data, &self.options.effects);
        if let Some(why) = why.or_else(|| unfold_blocker::unfold_blocker_at_root(self.input, data)) {
            return Err(Refusal { reason: why, span: data.span, ..Refusal::default() });
        }
        for _ in 0..self.options.budget.restarts {
            match self.attempt(root) {
                Ok(()) => {
                    let residual = std::mem::take(&mut self.residual);
                    return Ok(residual.finish(&mut self.types, &self.input.functions[root]));
                }
                Err(Interrupt::Restart) => {}
                Err(Interrupt::RestartAll) => self.functions.begin_again(),
                Err(Interrupt::Refuse(refusal)) => {
                    self.stay_general(root, &refusal).ok_or(refusal)?;
                    self.functions.begin_again();
                }
            }
        }
        Err(self.endless(root))
    }

    /// The greatest number that variants of a function of that name have from runs for other roots.
    fn numbers_used(&self, name: &str) -> usize {
        let number = |function: &Function| function.name.strip_prefix(name)?.strip_prefix('_')?.parse().ok();
        self.input.functions.iter().filter_map(|(_, function)| number(function)).max().unwrap_or(0)
    }

    /// What cannot be specialized is called as it stands, if it is not the root itself.
    fn stay_general(&mut self, root: FunctionId, refusal: &Refusal) -> Option<()> {
        let frame = self.state.frames.last()?;
        if frame.function == root || refusal.limit == Some(Limit::Time) {
            return None;
        }
        let known = self.functions.kept.insert(frame.function, refusal.reason.clone());
        known.is_none().then_some(())
    }

    fn endless(&self, root: FunctionId) -> Refusal {
        let reason = format!("after {} generalizations there is still no end in sight", self.options.budget.restarts);
        Refusal { reason, span: self.input.functions[root].span, ..Refusal::default() }
    }

    /// The residual function for a variant's entry.
    pub(crate) fn run_variant(&mut self, function: FunctionId, index: usize) -> Step<Function> {
        for _ in 0..self.options.budget.restarts {
            // Variants that a run before this one began and did not end are not there; those that it ended hold.
            while self.functions.list.len() > index + 1
                && self.functions.list.last().is_some_and(|last| last.residual.is_none())
            {
                self.functions.list.pop();
            }
            match self.attempt(function) {
                Ok(()) => return Ok(self.variant_function(function, index)),
                Err(Interrupt::Restart) => {}
                Err(Interrupt::Refuse(refusal)) => {
                    self.stay_general(function, &refusal).ok_or(Interrupt::Refuse(refusal))?;
                    return Err(Interrupt::RestartAll);
                }
                Err(other) => return Err(other),
            }
        }
        Err(Interrupt::Refuse(self.endless(function)))
    }

    /// Head and body of a variant; parameters that are known are gone.
    fn variant_function(&mut self, function: FunctionId, index: usize) -> Function {
        let residual = std::mem::take(&mut self.residual);
        let source = &self.input.functions[function];
        let parameter = |local: &LocalId| {
            let ty = self.types.get(residual.locals[*local].ty).c.clone();
            cast::Parameter { name: Some(residual.locals[*local].name.clone()), ty }
        };
        let parameters = residual.parameters.iter().map(parameter).collect();
        let result = match self.types.shape_of(source.ty) {
            Shape::Function(signature) => self.types.get(signature.result).c.clone(),
            _ => cast::Type::Void,
        };
        let ty = cast::FunctionType { result, parameters, ..cast::FunctionType::default() };
        let ty = self.types.intern(&cast::Type::Function(Box::new(ty)));
        let name = format!("{}_{}", source.name, self.numbers_used(&source.name) + index + 1);
        Function { name, ty, linkage: Linkage::Internal, ..residual.finish(&mut self.types, source).0 }
    }

    fn attempt(&mut self, root: FunctionId) -> Step<()> {
        self.residual = Residual::default();
        self.variants.clear();
        self.places.clear();
        self.definitions.clear();
        self.blames = Blames::default();
        self.trace = Recorder::default();
        self.outdated = false;
        self.decided = 0;
        self.measure.begin(std::mem::take(&mut self.steps));
        self.usual_results.clear();
        self.unfilled.clear();
        self.derived.clear();
        self.callers.clear();
        self.called.clear();
        self.reentries.clear();
        self.worklist.clear();
        self.waits = false;
        self.is_between = false;
        self.state = State::default();
        self.root = Some(root);
        self.current = self.residual.block();
        self.enter_root(root);
        // What runs after the program finds the globals where they are.
        let options = self.options;
        options.hooks.after.iter().try_for_each(|hook| self.expose_function(*hook))?;
        self.run_block()?;
        while let Some(waiting) = self.worklist.next() {
            self.gather(waiting)?;
        }
        self.settle_elements();
        if self.outdated { Err(Interrupt::Restart) } else { Ok(()) }
    }

    fn enter_root(&mut self, root: FunctionId) {
        let function = &self.input.functions[root];
        let Some((entry, _)) = function.blocks.iter().next() else { return };
        self.span = function.span;
        self.trace.function(root);
        self.entry_objects.clear();
        self.entry_cells.clear();
        let mut frame = Frame {
            function: root,
            chain: ChainId::ROOT,
            registers: BTreeMap::new(),
            objects: BTreeMap::new(),
            block: entry,
            statement: 0,
            receiver: None,
            variable_arguments: Rc::new(Vec::new()),
            given: Rc::new(Vec::new()),
            under_dynamic_control: false,
            forked: false,
            exits: BTreeMap::new(),
            made: self.made,
        };
        if let Some(index) = self.variant {
            self.state.frames.push(frame);
            return self.enter_variant(root, index);
        }
        for parameter in &function.parameters {
            let local = &function.locals[*parameter];
            let origin = Origin::Local(ChainId::ROOT, *parameter);
            if !self.types.is_scalar(local.ty) {
                let id = self.own_parameter(origin, (&local.name, local.ty));
                frame.objects.insert(*parameter, id);
                continue;
            }
            let here = self.residual.local(&local.name, local.ty, LocalKind::Register);
            if local.kind == LocalKind::Register {
                self.residual.parameters.push(here);
                self.note_parameter(here, local.ty);
                self.blame_parameter(here, &local.name);
                frame.registers.insert(*parameter, Value::Dynamic(here));
                continue;
            }
            self.residual.parameters.push(here);
            self.note_parameter(here, local.ty);
            self.blame_parameter(here, &local.name);
            let mut object = self.fresh(origin, local.ty, Background::Undefined);
            let size = object.size.unwrap_or(0);
            object.cells.insert(0, crate::memory::Cell { size, ty: local.ty, value: Value::Dynamic(here) });
            let id = self.next_object();
            self.state.memory.insert(id, object);
            frame.objects.insert(*parameter, id);
        }
        self.state.frames.push(frame);
    }

    /// An object without content.
    pub(crate) fn fresh(&self, origin: Origin, ty: TypeId, background: Background) -> Object {
        Object {
            origin,
            ty,
            size: self.types.size_of(ty),
            cells: BTreeMap::new(),
            background,
            elements: Elements::new(),
            residual: false,
            escaped: false,
            constant: false,
            settled: false,
            isolated: false,
            promised: false,
            within: None,
            lost: None,
        }
    }

    pub(crate) fn next_object(&mut self) -> ObjectId {
        self.objects += 1;
        ObjectId(self.objects)
    }

    /// Runs the state in the current residual block until that block has its end, or waits for others.
    pub(crate) fn run_block(&mut self) -> Step<()> {
        self.is_between = false;
        while !std::mem::take(&mut self.waits) && self.residual.blocks[self.current].end.is_none() {
            self.steps += 1;
            self.stays_within_limits()?;
            let frame = self.state.top();
            let function: &'p Function = &self.input.functions[frame.function];
            let block = &function.blocks[frame.block];
            let at = (frame.block, frame.statement);
            match block.statements.get(frame.statement) {
                Some(statement) => {
                    self.span = statement.span.or(self.span);
                    self.state.top_mut().statement += 1;
                    let made = self.made;
                    if self.may_choose(at.0, at.1) && self.choose(statement)? {
                        break;
                    }
                    self.execute(statement)?;
                    self.trace.statement(statement, self.made > made);
                    if self.made > made {
                        self.used(statement);
                    }
                }
                None => {
                    self.span = block.span.or(self.span);
                    self.terminate(&block.end)?;
                }
            }
        }
        Ok(())
    }

    /// True for functions that can only be called as they stand.
    pub(crate) fn is_kept(&mut self, function: FunctionId) -> bool {
        let (input, effects) = (self.input, &self.options.effects);
        let found = |_: &FunctionId| unfold_blocker::unfold_blocker(input, &input.functions[function], effects);
        self.link.stay.contains_key(&function)
            || self.functions.kept.contains_key(&function)
            || self.obstacles.entry(function).or_insert_with_key(found).is_some()
    }

    /// Why a function of the program is called as it stands.
    pub(crate) fn why_kept(&self, function: FunctionId) -> String {
        let known = self.link.stay.get(&function).cloned();
        let known = known.or_else(|| self.obstacles.get(&function).cloned().flatten());
        let known = known.or_else(|| self.functions.kept.get(&function).cloned());
        known.unwrap_or_else(|| "it cannot be taken apart here".to_owned())
    }

    pub(crate) fn flow(&mut self, function: FunctionId) -> Rc<Flow> {
        let input = self.input;
        Rc::clone(self.flows.entry(function).or_insert_with(|| Rc::new(Flow::of(&input.functions[function]))))
    }

    pub(crate) fn emit(&mut self, kind: StatementKind) {
        self.made += 1;
        self.count_statement();
        // What makes states alike belongs to no statement.
        let span = self.span.filter(|_| !self.is_between);
        let statement = Statement { kind, span };
        self.residual.push(self.current, statement);
    }

    pub(crate) fn end(&mut self, end: End) {
        self.made += 1;
        self.residual.blocks[self.current].end = Some(end);
        self.residual.blocks[self.current].span = self.span;
    }

    /// A value in a residual register of its own; known values stay as they are.
    pub(crate) fn bind(&mut self, value: Value, name: &str) -> Value {
        let Value::Tree(tree) = value else { return value };
        if let ExpressionKind::Local(local) = tree.kind
            && self.residual.locals[local].ty == tree.ty
        {
            return Value::Dynamic(local);
        }
        Value::Dynamic(self.bind_tree(*tree, name))
    }

    pub(crate) fn bind_tree(&mut self, tree: Expression, name: &str) -> LocalId {
        let local = self.residual.local(name, tree.ty, LocalKind::Register);
        let blame = self.blame_of(&tree);
        self.blames.set(local, blame);
        self.blames.derive(local, &tree, name, self.span);
        if matches!(tree.kind, ExpressionKind::Binary(..) | ExpressionKind::Convert(_)) {
            self.definitions.insert(local, tree.clone());
        }
        self.number_register(local, &tree);
        self.note_address(local, &tree);
        self.emit(StatementKind::Set { local, value: tree });
        local
    }

    pub(crate) fn refuse<T>(&self, reason: impl Into<String>) -> Step<T> {
        Err(Interrupt::Refuse(Refusal { reason: reason.into(), span: self.span, ..Refusal::default() }))
    }
}
