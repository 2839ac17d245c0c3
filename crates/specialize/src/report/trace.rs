//! What a run did with each construct of the source: carried out, or left to the residual program, and why. Colours, `--why`,
//! `--statistics` and contracts say what stands here, and nothing else.
//!
//! In: the engine's notes while it runs ([`Recorder`]); only those of the run that succeeds are kept. Out: counts for each
//! statement, end of a block and expression that was reached ([`Trace`]).

use std::collections::{BTreeMap, BTreeSet};

use core_c::{
    BlockId, Callee, Expression, Function, FunctionId, LocalId, Program, Statement, StatementKind, Terminator,
};
use source::Span;

use crate::mutation;
use crate::report::Generalization;
use crate::report::blame::{BlameId, Blames};

/// How often something was done before run time, and how often it was left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub computed: usize,
    pub left: usize,
}

/// Why something is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    pub origin: Generalization,
    /// Variables whose residual values lead from the origin to the place in question, in order.
    pub steps: Vec<Step>,
}

/// A variable that is computed at run time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub span: Option<Span>,
    pub name: String,
}

/// What became of an expression.
#[derive(Clone, Debug, Default)]
pub struct Value {
    pub count: Count,
    /// Of the times that it was computed, how often it was an address at a known distance from an unknown place.
    pub places: usize,
    /// Where it was left, the first time.
    pub why: Option<Why>,
}

/// What became of calls from one place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// The callee's statements took its place.
    pub unfolded: usize,
    /// A library function was computed, or an annotation was obeyed.
    pub computed: usize,
    /// A function made for what is known is called.
    pub variants: usize,
    /// A function of the program is called as it stands.
    pub general: usize,
    /// A function without a body here is called.
    pub outside: usize,
    /// It is not known which function is called.
    pub unknown: usize,
}

/// A statement or the end of a block that was reached.
#[derive(Clone, Debug, Default)]
pub struct Construct {
    /// Of an end: whether it was decided where to go on.
    pub count: Count,
    pub calls: Calls,
    /// Its expressions and their parts, in the order of `expressions` and `walk`; constants are not evaluated.
    pub values: Vec<Option<Value>>,
}

/// The constructs of a function by block and position; the end of a block comes after its last statement.
pub type Constructs = BTreeMap<(BlockId, usize), Construct>;

/// What became of the functions that were reached.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub functions: BTreeMap<FunctionId, Constructs>,
}

impl Trace {
    /// Adds what another run did.
    pub fn add(&mut self, other: Trace) {
        for (function, constructs) in other.functions {
            let known = self.functions.entry(function).or_default();
            for (at, construct) in constructs {
                known.entry(at).or_default().add(construct);
            }
        }
    }
}

impl Count {
    fn add(&mut self, other: Count) {
        self.computed += other.computed;
        self.left += other.left;
    }

    fn note(&mut self, is_left: bool) {
        *(if is_left { &mut self.left } else { &mut self.computed }) += 1;
    }
}

impl Construct {
    /// Something of it is in the residual code.
    fn leaves_something(&self) -> bool {
        let Calls { variants, general, outside, unknown, .. } = self.calls;
        let is_left = |value: &Value| value.count.left + value.places > 0;
        self.count.left + variants + general + outside + unknown > 0 || self.values.iter().flatten().any(is_left)
    }

    fn add(&mut self, other: Construct) {
        self.count.add(other.count);
        let (calls, more) = (&mut self.calls, other.calls);
        calls.unfolded += more.unfolded;
        calls.computed += more.computed;
        calls.variants += more.variants;
        calls.general += more.general;
        calls.outside += more.outside;
        calls.unknown += more.unknown;
        self.values.resize(self.values.len().max(other.values.len()), None);
        for (value, more) in self.values.iter_mut().zip(other.values) {
            match (value, more) {
                (Some(value), Some(more)) => {
                    value.count.add(more.count);
                    value.places += more.places;
                    value.why = value.why.take().or(more.why);
                }
                (value @ None, more) => *value = more,
                (Some(_), None) => {}
            }
        }
    }
}

/// A place of the source that stands in residual code though the trace says that all of it was computed. There is none.
pub(crate) fn unreported<'r>(
    trace: &Trace,
    source: &Program,
    residual: impl IntoIterator<Item = &'r Function>,
) -> Option<Span> {
    let mut places: BTreeMap<(u32, u32, u32), bool> = BTreeMap::new();
    let key = |span: Span| (span.file.0, span.start, span.end);
    for (function, constructs) in &trace.functions {
        for ((block, at), construct) in constructs {
            let block = &source.functions[*function].blocks[*block];
            let span = block.statements.get(*at).map_or(block.span, |statement| statement.span);
            if let Some(span) = span {
                *places.entry(key(span)).or_default() |= construct.leaves_something();
            }
        }
    }
    let is_unreported = |span: &Span| places.get(&key(*span)) == Some(&false);
    residual.into_iter().flat_map(|function| function.blocks.values()).find_map(|block| {
        let mut spans = block.statements.iter().map(|statement| statement.span).chain([block.span]).flatten();
        spans.find(is_unreported)
    })
}

/// Why an expression is left, while its run goes on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source {
    Register(LocalId),
    Blame(BlameId),
}

#[derive(Clone, Copy, Debug, Default)]
struct Evaluated {
    count: Count,
    places: usize,
    source: Option<Source>,
}

/// Notes by where in memory a construct of the input program stands, which does not move while a run lasts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recorder {
    functions: BTreeSet<FunctionId>,
    expressions: ByAddress<Evaluated>,
    /// Statements and ends of blocks.
    constructs: ByAddress<Count>,
    calls: ByAddress<Calls>,
}

/// Looked up at each step of a run, and never gone through.
#[expect(clippy::disallowed_types, reason = "nothing depends on its order")]
type ByAddress<T> = std::collections::HashMap<usize, T>;

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of).addr()
}

impl Recorder {
    pub(crate) fn function(&mut self, function: FunctionId) {
        self.functions.insert(function);
    }

    pub(crate) fn statement(&mut self, statement: &Statement, is_left: bool) {
        let is_left = is_left && !mutation::forgets("trace");
        self.constructs.entry(address(statement)).or_default().note(is_left);
    }

    pub(crate) fn end(&mut self, end: &Terminator, is_left: bool) {
        self.constructs.entry(address(end)).or_default().note(is_left);
    }

    pub(crate) fn call(&mut self, callee: &Callee) -> &mut Calls {
        self.calls.entry(address(callee)).or_default()
    }

    /// An expression was computed (also as a distance from an unknown place, which comes from `source`), or left.
    pub(crate) fn expression(&mut self, expression: &Expression, is_left: bool, source: Option<Source>) {
        let known = self.expressions.entry(address(expression)).or_default();
        known.count.note(is_left);
        known.places += usize::from(!is_left && source.is_some());
        known.source = known.source.or(source);
    }

    /// All notes by function and place.
    pub(crate) fn finish(&self, program: &Program, blames: &Blames) -> Trace {
        let mut trace = Trace::default();
        for id in &self.functions {
            trace.functions.insert(*id, self.constructs_of(&program.functions[*id], blames));
        }
        trace
    }

    fn constructs_of(&self, function: &Function, blames: &Blames) -> Constructs {
        let mut constructs = Constructs::new();
        for (id, block) in function.blocks.iter() {
            for (at, statement) in block.statements.iter().enumerate() {
                let values = self.values(&statement.kind.expressions(), blames);
                let Some(count) = self.count(address(statement), &values) else { continue };
                let calls = match &statement.kind {
                    StatementKind::Call { callee, .. } => self.calls.get(&address(callee)).copied(),
                    _ => None,
                };
                constructs.insert((id, at), Construct { count, calls: calls.unwrap_or_default(), values });
            }
            let values = self.values(&block.end.expressions(), blames);
            if let Some(count) = self.count(address(&block.end), &values) {
                let construct = Construct { count, calls: Calls::default(), values };
                constructs.insert((id, block.statements.len()), construct);
            }
        }
        constructs
    }

    /// How often a construct was carried out; where the run ended in it, it was left.
    fn count(&self, at: usize, values: &[Option<Value>]) -> Option<Count> {
        let ended = values.iter().any(Option::is_some).then_some(Count { computed: 0, left: 1 });
        self.constructs.get(&at).copied().or(ended)
    }

    fn values(&self, expressions: &[&Expression], blames: &Blames) -> Vec<Option<Value>> {
        let mut values = Vec::new();
        for expression in expressions {
            expression.walk(&mut |part| {
                let known = self.expressions.get(&address(part));
                values.push(known.map(|known| Value {
                    count: known.count,
                    places: known.places,
                    why: known.source.and_then(|source| blames.why(source)),
                }));
            });
        }
        values
    }
}
