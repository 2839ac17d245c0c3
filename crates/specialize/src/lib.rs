//! The specializer: general C and what is known of its use, in; residual C, out.
//!
//! In: a Core C program and a scenario's function. Out: the residual function, which for every dynamic input does what
//! the original does. The run is symbolic execution on real values: what is known is computed, what is not becomes
//! residual code; calls are unfolded, dynamic tests fork the state, equal states share their code, and where code
//! would grow without end knowledge is given up. Source: Jones, Gomard, Sestoft, "Partial Evaluation
//! and Automatic Program Generation" (1993) for polyvariant program points.
//!
//! | folder | what it is |
//! |---|---|
//! | `values` | what is known of one value: a number, an address, a range, bits; a state as a key |
//! | `memory` | objects of cells, how addresses lead into them, and how the residual program names them |
//! | `engine` | the run: paths in order, statements, expressions, tests, what it may take; the residual function as it grows |
//! | `calls` | calls that are unfolded, functions that get variants of their own, and those that are called as they stand |
//! | `library` | what the C library's functions do on what is known |
//! | `join` | paths that come together: equal states share code, others give up what they differ in |
//! | `linkage` | what has one copy because general code is linked beside the residual code |
//! | `stores`, `induction`, `reroll` | passes over the finished residual function |
//! | `report` | what was computed, what was not, and why |

mod calls;
mod engine;
pub mod harness;
mod induction;
mod join;
mod library;
mod linkage;
mod memory;
mod mutation;
mod report;
pub mod reroll;
mod scenario;
mod sensitivity;
mod stores;
mod values;

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use core_c::{Function, FunctionId, GlobalId, Linkage, Program, Terminator};
use source::{Limit, Limits, Span};

pub use crate::engine::progress::Progress;
pub use crate::library::effects::Effects;
pub use crate::report::trace::{Calls, Construct, Constructs, Count, Step, Trace, Value, Why};
pub use library::COMPUTED;
pub use linkage::sharing::{Shared, share};
pub use report::{Cause, Generalization};
pub use scenario::{is_annotated, strip};
pub use sensitivity::Without;

/// How far the specializer may go, and what it may take for granted.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The root is a whole program's `main`: globals hold their initial values when it begins.
    pub program_start: bool,
    /// Functions that run before `main`, and those that run after it, without being called.
    pub hooks: Hooks,
    pub budget: Budget,
    pub effects: Effects,
    /// Sensitivities that are switched off.
    pub without: Without,
    /// What becomes of loops that were unrolled.
    pub rerolling: reroll::Policy,
    /// Where runs say how far they are.
    pub progress: Arc<Progress>,
}

/// What runs without being called.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hooks {
    /// Constructors, and functions in sections that the system runs.
    pub before: Vec<FunctionId>,
    /// Destructors.
    pub after: Vec<FunctionId>,
}

/// Where growth ends and generalization begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Source statements that one run may execute.
    pub steps: u64,
    /// Residual statements that one run may make.
    pub statements: usize,
    /// Residual statements that the functions made for known calls may have together, before anything is cleaned up.
    pub total: usize,
    /// Residual variants of one program point.
    pub variants: usize,
    /// Residual copies of what follows where paths join, in one round of a loop.
    pub meetings: usize,
    /// Rounds of a loop that known tests keep going and residual ones may end.
    pub rounds: usize,
    /// Runs, each with one generalization more.
    pub restarts: usize,
    /// Values that are known at one time.
    pub memory: u64,
    /// When all has to be done; without it, no clock is read.
    pub until: Option<Instant>,
}

impl Default for Budget {
    fn default() -> Self {
        Budget::within(&Limits::default())
    }
}

impl Budget {
    /// What the limits of a compilation allow.
    pub fn within(limits: &Limits) -> Self {
        let (steps, memory) = (limits.get(Limit::Steps), limits.get(Limit::Memory));
        let (statements, variants) = (limits.size(Limit::Statements), limits.size(Limit::Variants));
        let total = usize::MAX;
        Budget { steps, statements, total, variants, meetings: 8, rounds: 8, restarts: 400, memory, until: None }
    }
}

/// Why a function stays general.
#[derive(Clone, Debug, Default)]
pub struct Refusal {
    pub reason: String,
    pub span: Option<Span>,
    /// What is not known, where that is the reason.
    pub because: Option<Box<Why>>,
    /// The limit that was exceeded, where that is the reason.
    pub limit: Option<Limit>,
    /// What became of the constructs of the source up to there.
    pub trace: Trace,
}

/// What specializing a root gives.
#[derive(Debug)]
pub struct Outcome {
    /// The input program, with the residual function in the root's place and types that the residual needs.
    pub program: Program,
    /// Functions that the residual code calls as they are.
    pub called: Vec<FunctionId>,
    /// What is not known and might have been, with the tests that stay because of it.
    pub generalizations: Vec<Generalization>,
    /// Loops that were computed round by round, and stand as loops again.
    pub rolled: usize,
    /// Tests and calls that were decided.
    pub decided: usize,
    /// Constants of the program that residual code still reads, such as the table that an interpreter walks through.
    pub constants: BTreeSet<GlobalId>,
    /// What became of each construct of the source.
    pub trace: Trace,
    pub size: Size,
}

/// How much residual code there is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// The root's, and those made for what is known in calls.
    pub functions: usize,
    pub statements: usize,
    pub tests: usize,
}

impl Size {
    /// Of some functions.
    pub fn of<'f>(functions: impl IntoIterator<Item = &'f Function>) -> Size {
        let mut size = Size::default();
        for function in functions {
            size.functions += 1;
            for block in function.blocks.values() {
                size.statements += block.statements.len();
                size.tests += usize::from(matches!(block.end, Terminator::Branch { .. } | Terminator::Switch { .. }));
            }
        }
        size
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Size) -> Size {
        Size {
            functions: self.functions + other.functions,
            statements: self.statements + other.statements,
            tests: self.tests + other.tests,
        }
    }
}

/// Specializes one function of a program to what is known where it begins.
pub fn specialize(program: &Program, root: FunctionId, options: &Options) -> Result<Outcome, Refusal> {
    let mut options = options.clone();
    options.program_start &= options.hooks.before.is_empty() || mutation::forgets("constructor");
    // A whole program has other units beside it where its residual code comes to them; anything else may have.
    let mut beside = crate::linkage::beside(program, root);
    if options.program_start {
        let hooks = options.hooks.after.iter().filter_map(|hook| program.functions[*hook].unit);
        beside = hooks.filter(|unit| beside.contains(unit)).collect();
    }
    loop {
        let link = crate::linkage::Link::of(program, &beside);
        let (size, units) = (link.size(), beside.len());
        let (outcome, made) = specialize_within(program, root, &options, link)?;
        let reached = crate::linkage::reached(&outcome.program, root, &made, &options.hooks.after);
        // What calls `main` again does not find the initial values.
        let begins_again = options.program_start && reached.root;
        options.program_start &= !begins_again;
        beside.extend(reached.units);
        let is_linked_so = beside.len() == units || crate::linkage::Link::of(program, &beside).size() == size;
        if !begins_again && is_linked_so {
            return Ok(outcome);
        }
    }
}

fn specialize_within(
    program: &Program,
    root: FunctionId,
    options: &Options,
    link: crate::linkage::Link,
) -> Result<(Outcome, Vec<FunctionId>), Refusal> {
    let mut out = program.clone();
    let general = out.functions[root].clone();
    let name = format!("{}_general", general.name);
    let mut general = Function { name, linkage: Linkage::Internal, cold: true, ..general };
    scenario::strip(&out, &mut general);
    let general = out.functions.alloc(general);
    let mut source = out.clone();
    let letters = crate::library::ctype::CharacterTables::of(&mut source);
    let mut engine = crate::engine::Engine::new(&source, options, Rc::new(link), Rc::new(letters));
    engine.general = Some(general);
    let (residual, private) = match engine.run(root) {
        Ok(made) => made,
        Err(refusal) => return Err(Refusal { trace: engine.trace.finish(&source, &engine.blames), ..refusal }),
    };
    engine.align_globals(&mut out);
    out.types = engine.types;
    out.functions[root] = residual;
    let mut made = vec![root];
    let mut trace = engine.trace.finish(&source, &engine.blames);
    let mut generalizations = engine.blames.finish();
    for variant in engine.functions.list {
        trace.add(variant.trace);
        generalizations.extend(variant.found);
        made.push(out.functions.alloc(variant.residual.unwrap_or_else(|| source.functions[variant.source].clone())));
    }
    let unreported =
        crate::report::trace::unreported(&trace, &source, made.iter().map(|function| &out.functions[*function]));
    debug_assert_eq!(
        unreported, None,
        "this is in the residual code of `{}`, and the trace says otherwise",
        source.functions[root].name
    );
    let nothing = BTreeSet::new();
    let private = |function: FunctionId| if function == root { &private } else { &nothing };
    let (mut rolled, mut objects) = (0, Vec::new());
    let own = source.globals.len();
    for function in &made {
        if crate::engine::budget::is_over(&options.budget) {
            return Err(Refusal { trace, ..crate::engine::budget::too_late(source.functions[root].span) });
        }
        rolled += tidy(&mut out, *function, private(*function), options, &mut objects);
    }
    calls::merge::merge(&mut out, &mut made);
    let mentions =
        made.iter().flat_map(|function| crate::linkage::Mentions::of_function(&out.functions[*function]).objects);
    let is_own = |object: &GlobalId| (object.into_raw().into_u32() as usize) < own;
    let constants = mentions.filter(|object| is_own(object) && out.globals[*object].constant).collect();
    let called = engine.called.into_iter().collect();
    let decided = engine.decided;
    let size = Size::of(made.iter().map(|function| &out.functions[*function]));
    Ok((Outcome { program: out, called, generalizations, rolled, decided, constants, trace, size }, made))
}

/// Rounds of deciding what counters decide.
const DECIDED: usize = 4;

/// Cleans a residual function up, and rolls what was unrolled; gives the number of loops that this makes.
fn tidy(
    program: &mut Program,
    function: FunctionId,
    private: &BTreeSet<core_c::LocalId>,
    options: &Options,
    objects: &mut stores::constants::Made,
) -> usize {
    let mut with_calls = program.functions[function].clone();
    crate::calls::unused::remove(program, &options.effects, &mut with_calls);
    stores::reduce(program, &options.effects, &mut with_calls, private);
    program.functions[function] = with_calls;
    let mut residual = core_c::simplify::function(program, &program.functions[function]);
    // A loop without its tests may be one whose rounds are known.
    for _ in 0..DECIDED {
        if !induction::decide(program, &mut residual) {
            break;
        }
        residual = core_c::simplify::function(program, &residual);
    }
    // What only removed code used is not needed either.
    crate::calls::unused::remove(program, &options.effects, &mut residual);
    program.functions[function] = residual;
    stores::constants::share(program, &options.effects, function, objects);
    let rolled = reroll::reroll(program, function, &options.rerolling);
    let mut rolled_up = core_c::simplify::function(program, &program.functions[function]);
    crate::calls::unused::remove(program, &options.effects, &mut rolled_up);
    program.functions[function] = rolled_up;
    rolled.iter().filter(|folded| folded.kind == reroll::FoldedKind::Loop).count()
}
