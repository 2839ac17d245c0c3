//! C becomes Core C: effects are put in order, one a statement, and control flow becomes a graph.
//!
//! In: typed CAST of a whole program. Out: Core C, and findings about the program as a whole. What cannot be modelled
//! makes its function refused, with the reason; such a function has no blocks and is used from its C text. Evaluation
//! is from left to right, an order that C11 section 6.5 allows; expressions stay trees wherever no effect comes
//! between a read and its use.

mod assign;
mod body;
mod call;
mod condition;
pub(crate) mod constant;
mod convert;
mod ctype;
mod definition;
mod graph;
mod initial;
mod jumps;
mod link;
mod literal;
mod memory;
mod opaque;
mod order;
mod path;
mod place;
mod rotate;
mod statement;

pub(crate) use statement::alignment;
#[cfg(test)]
mod tests;
mod value;
mod variable;
mod walk;

use std::collections::{BTreeMap, BTreeSet};

use source::{Diagnostic, Span};

use crate::{FunctionId, GlobalId, LocalId, Program, Types};

/// Lowers a program. Functions that cannot be modelled are there, refused; findings are about what concerns several
/// units, and a warning for each refused function.
pub fn lower(source: &cast::Program) -> (Program, Vec<Diagnostic>) {
    // Recursion goes as deep as expressions nest.
    std::thread::scope(|scope| {
        let worker = std::thread::Builder::new().stack_size(STACK);
        match worker.spawn_scoped(scope, || lower_here(source)) {
            Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => lower_here(source),
        }
    })
}

/// In bytes; what is not used costs nothing.
const STACK: usize = 1 << 28;

fn lower_here(source: &cast::Program) -> (Program, Vec<Diagnostic>) {
    let program = Program { types: Types::new(source.types.clone()), ..Program::default() };
    let mut context = Context {
        program,
        units: vec![BTreeMap::new(); source.units.len()],
        external: BTreeMap::new(),
        literals: BTreeMap::new(),
        names: BTreeSet::new(),
        definitions: Vec::new(),
        initials: Vec::new(),
        findings: Vec::new(),
    };
    context.link(source);
    context.lower_initials();
    context.lower_definitions();
    (context.program, context.findings)
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Local(LocalId),
    Global(GlobalId),
    Function(FunctionId),
}

/// What is known of the program while it is lowered.
struct Context<'a> {
    program: Program,
    /// The file-level names of each unit.
    units: Vec<BTreeMap<String, Meaning>>,
    /// The names with external linkage.
    external: BTreeMap<String, Meaning>,
    /// String literals by type and spelling.
    literals: BTreeMap<String, GlobalId>,
    /// The names that objects and functions have.
    names: BTreeSet<String>,
    /// The functions with bodies, and their units.
    definitions: Vec<(FunctionId, usize, &'a cast::Function)>,
    /// The objects with initializers, and their units.
    initials: Vec<(GlobalId, usize, &'a cast::Expression)>,
    findings: Vec<Diagnostic>,
}

/// Why something cannot be modelled.
#[derive(Clone, Debug)]
struct Refusal {
    reason: String,
    span: Option<Span>,
}

type Lowered<T> = Result<T, Refusal>;

/// A refusal whose place is filled in on the way out.
fn refuse<T>(reason: impl Into<String>) -> Lowered<T> {
    Err(Refusal { reason: reason.into(), span: None })
}
