//! What is left of a function or of a line: calls, tests and statements in the residual program, and why.

use std::collections::BTreeSet;

use core_c::names::plain;
use core_c::{Callee, FunctionId, Program, StatementKind, Terminator};
use source::Span;
use specialize::{Calls, Cause, Construct, Generalization, Trace, Why};

use crate::{Place, span, statement};

/// Something that is in the residual program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub span: Option<Span>,
    /// What it is: `a test`, `the call of ...`.
    pub what: String,
    pub why: Option<Why>,
}

/// The tests and calls that are left of a function; none where the specializer did not come there.
pub fn left_of_function(
    program: &Program,
    trace: &Trace,
    found: &[&Generalization],
    function: FunctionId,
) -> Option<Vec<Left>> {
    let constructs = trace.functions.get(&function)?;
    let places = constructs.iter().map(|((block, at), construct)| ((function, *block, *at), construct));
    let control = places.filter(|(place, _)| is_control(program, *place));
    Some(control.filter_map(|(place, construct)| left(program, place, construct, found)).collect())
}

/// What is left at places of the source; none where nothing that was reached stands there.
pub fn left_of_place(
    program: &Program,
    trace: &Trace,
    found: &[&Generalization],
    is_meant: &dyn Fn(Span) -> bool,
) -> Option<Vec<Left>> {
    let mut known: BTreeSet<(u32, u32)> = BTreeSet::new();
    let (mut all, mut is_code) = (Vec::new(), false);
    for (function, constructs) in &trace.functions {
        for ((block, at), construct) in constructs {
            let place = (*function, *block, *at);
            let Some(span) = span(program, place) else { continue };
            if !known.contains(&(span.start, span.end)) && !is_meant(span) {
                continue;
            }
            known.insert((span.start, span.end));
            is_code = true;
            all.extend(left(program, place, construct, found));
        }
    }
    is_code.then_some(all)
}

fn left(program: &Program, place: Place, construct: &Construct, found: &[&Generalization]) -> Option<Left> {
    let of_values = || construct.values.iter().flatten().find_map(|value| value.why.clone());
    let (what, why) = match statement(program, place).map(|statement| &statement.kind) {
        Some(StatementKind::Call { callee, .. }) => of_call(program, callee, construct.calls, found)?,
        _ if construct.count.left == 0 => return None,
        Some(_) => ("a statement".to_owned(), None),
        None => (of_end(&program.functions[place.0].blocks[place.1].end)?.to_owned(), None),
    };
    Some(Left { span: span(program, place), what, why: why.or_else(of_values) })
}

fn of_call(
    program: &Program,
    callee: &Callee,
    calls: Calls,
    found: &[&Generalization],
) -> Option<(String, Option<Why>)> {
    if calls.unknown > 0 {
        return Some(("a call through a pointer".to_owned(), None));
    }
    let name = match callee {
        Callee::Function(function) => format!("`{}`", plain(&program.functions[*function].name)),
        Callee::Pointer(_) => "what a pointer leads to".to_owned(),
    };
    let bare = name.trim_matches('`');
    if calls.general > 0 {
        let is_it = |found: &&&Generalization| matches!(&found.cause, Cause::Kept(kept, _) if kept == bare);
        let why = found.iter().find(is_it).map(|found| Why { origin: (*found).clone(), steps: Vec::new() });
        return Some((format!("the call of {name}"), why));
    }
    if calls.outside > 0 {
        let cause = Cause::Result(bare.to_owned());
        let what = format!("the call of {name}");
        let origin = Generalization { cause, what: what.clone(), ..Generalization::default() };
        return Some((what, Some(Why { origin, steps: Vec::new() })));
    }
    (calls.variants > 0).then(|| (format!("the call of a function made from {name}"), None))
}

fn is_control(program: &Program, place: Place) -> bool {
    let end = &program.functions[place.0].blocks[place.1].end;
    match statement(program, place) {
        Some(statement) => matches!(statement.kind, StatementKind::Call { .. }),
        None => matches!(end, Terminator::Branch { .. } | Terminator::Switch { .. }),
    }
}

fn of_end(end: &Terminator) -> Option<&'static str> {
    match end {
        Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::GotoAddress { .. } => Some("a test"),
        Terminator::Return(_) => Some("the result"),
        Terminator::Goto(_) | Terminator::Unreachable => None,
    }
}
