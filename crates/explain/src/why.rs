//! Why a variable, or a part of one, is not known: the places where it was left, each with its origin.

use core_c::names::{Path, path_of_expression, path_of_place, plain};
use core_c::{Program, Receiver, StatementKind};
use specialize::{Construct, Trace, Value, Why};

use crate::{Place, expressions, statement};

/// The answer to "why is this not known?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Nothing of that name is read or set where the specializer came.
    NotFound,
    /// It is known wherever it is used.
    Known,
    /// Where it was left, for each place the reason, as far as there is one.
    Left(Vec<Option<Why>>),
}

/// `name` is an expression of names, members and indices, such as `size`, `xdrs->x_handy` or `table[].entry`; a member alone
/// means it in whatever it is found. A function's name and a colon stand before it where only that function is meant.
pub fn why(program: &Program, trace: &Trace, name: &str) -> Answer {
    let (function, name) = match name.split_once(':') {
        Some((function, rest)) => (Some(function), rest.trim_start_matches(':')),
        None => (None, name),
    };
    let path = Path::parse(name);
    match find(program, trace, function, &path, true) {
        Answer::NotFound => find(program, trace, function, &path, false),
        found => found,
    }
}

fn find(program: &Program, trace: &Trace, function: Option<&str>, path: &Path, exactly: bool) -> Answer {
    let (mut left, mut is_found) = (Vec::new(), false);
    for (id, constructs) in &trace.functions {
        if function.is_some_and(|name| name != plain(&program.functions[*id].name)) {
            continue;
        }
        for ((block, at), construct) in constructs {
            let place = (*id, *block, *at);
            for value in values(program, place, construct, (path, exactly)) {
                is_found = true;
                left.extend(value.filter(|value| value.count.left > 0).map(|value| value.why.clone()));
            }
        }
    }
    match (is_found, left.is_empty()) {
        (false, _) => Answer::NotFound,
        (true, true) => Answer::Known,
        (true, false) => Answer::Left(left),
    }
}

/// What the path stands for in a construct: the values that are read, and the one that is set. None for what the trace says
/// nothing of: constants, results of calls.
fn values<'t>(
    program: &Program,
    place: Place,
    construct: &'t Construct,
    (path, exactly): (&Path, bool),
) -> Vec<Option<&'t Value>> {
    let function = &program.functions[place.0];
    let value = |at: usize| construct.values.get(at).and_then(Option::as_ref);
    let (mut values, mut number, mut last) = (Vec::new(), 0, None);
    for expression in expressions(program, place) {
        last = Some(number);
        expression.walk(&mut |part| {
            if path_of_expression(program, place.0, part).is_some_and(|found| path.is_part_of(&found, exactly)) {
                values.push(value(number));
            }
            number += 1;
        });
    }
    let kind = statement(program, place).map(|statement| &statement.kind);
    let written = match kind {
        Some(
            StatementKind::Set { local, .. }
            | StatementKind::LoadVolatile { local, .. }
            | StatementKind::Call { receiver: Some(Receiver::Register(local)), .. },
        ) => Some(Path::of_local(function, *local)),
        Some(StatementKind::Store { place: to, .. }) => path_of_place(program, place.0, to),
        _ => None,
    };
    if written.is_some_and(|written| path.is_part_of(&written, exactly)) {
        // The value comes last among what a statement evaluates.
        let is_call = matches!(kind, Some(StatementKind::Call { .. }));
        values.push(last.filter(|_| !is_call).and_then(value));
    }
    values
}
