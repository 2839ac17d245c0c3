//! Why something is dynamic: the path from where that came into the program to where it is asked for, and what would
//! help.

use std::collections::BTreeSet;

use core_c::{FunctionId, Program, StatementKind};
use source::Span;

use crate::cause::{Cause, CauseId, Insensitivity, Reason, Subject};
use crate::lattice::Value;
use crate::object::{StatementId, describe_local, plain};
use crate::paths::{Path, path_of_expression, path_of_place};
use crate::tables::Analysis;
use crate::variant::VariantId;

/// How something became dynamic, from the first step to the last.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Blame {
    pub steps: Vec<Step>,
    /// What would keep it static.
    pub suggestion: Option<String>,
}

/// One step of a blame path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    pub span: Option<Span>,
    /// Brief, lower case, no full stop.
    pub text: String,
}

/// The answer to "why is this dynamic?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// Nothing of that name is read or set in what was looked at.
    NotFound,
    /// It is known wherever it is looked at.
    Static,
    /// Where it is dynamic: the first place in each variant.
    Dynamic(Vec<Found>),
}

/// A place where something is dynamic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    pub variant: VariantId,
    pub at: StatementId,
    pub span: Option<Span>,
    pub blame: Blame,
}

impl Analysis {
    /// The path that leads to a cause.
    pub fn blame(&self, program: &Program, cause: CauseId) -> Blame {
        let mut steps = Vec::new();
        let mut next = Some(cause);
        let mut suggestion = None;
        let mut seen = BTreeSet::new();
        while let Some(cause) = next.filter(|cause| seen.insert(*cause)).and_then(|cause| self.cause(cause)) {
            if !is_intermediate(program, cause) {
                steps.push(Step { span: cause.span, text: describe(program, cause) });
            }
            suggestion = suggest(program, cause).or(suggestion);
            next = cause.from;
        }
        steps.reverse();
        steps.dedup();
        Blame { steps, suggestion }
    }

    /// Why a variable, or a part of one, is dynamic. `name` is an expression of names, members and indices, such as
    /// `size`, `xdrs->x_handy` or `table[].entry`; a member alone means it in whatever it is found. The function's name
    /// and a colon stand before it where only one function is meant.
    pub fn why(&self, program: &Program, name: &str) -> Why {
        let (function, path) = match name.split_once(':') {
            Some((function, rest)) => (Some(function), Path::parse(rest.trim_start_matches(':'))),
            None => (None, Path::parse(name)),
        };
        match self.why_path(program, name, function, &path, true) {
            Why::NotFound => self.why_path(program, name, function, &path, false),
            found => found,
        }
    }

    fn why_path(&self, program: &Program, name: &str, function: Option<&str>, path: &Path, exactly: bool) -> Why {
        let (mut found, mut is_known) = (Vec::new(), false);
        for (id, table) in &self.variants {
            let data = &program.functions[table.function];
            if function.is_some_and(|name| name != plain(&data.name)) {
                continue;
            }
            let places = table.records.keys().flat_map(|at| self.values_of(program, *id, *at, path, exactly));
            let places: Vec<(StatementId, Value, bool)> = places.collect();
            is_known |= !places.is_empty();
            let parameters = data.parameters.iter().zip(&table.parameters);
            let mut parameters = parameters.filter(|(local, _)| path.is_local(&data.locals[**local].name)).peekable();
            is_known |= parameters.peek().is_some();
            let entry = StatementId { function: table.function, block: la_arena::Idx::from_raw(0.into()), index: 0 };
            let dynamic = places.into_iter().find(|(_, value, _)| value.is_dynamic());
            let dynamic = parameters
                .find(|(_, (time, _))| time.is_dynamic())
                .map(|(_, (_, cause))| (entry, *cause, false))
                .or(dynamic.map(|(at, value, set)| (at, value.cause, set)));
            if let Some((at, cause, set)) = dynamic {
                let span = span_of(program, at);
                let mut blame = cause.map(|cause| self.blame(program, cause)).unwrap_or_default();
                let stored = Step { span, text: format!("stored in `{name}`") };
                if set && blame.steps.last() != Some(&stored) {
                    blame.steps.push(stored);
                }
                found.push(Found { variant: *id, at, span, blame });
            }
        }
        match (is_known, found.is_empty()) {
            (false, _) => Why::NotFound,
            (true, true) => Why::Static,
            (true, false) => Why::Dynamic(found),
        }
    }

    /// What the path stands for at a statement: the values that are read, and the one that is set (true).
    fn values_of(
        &self,
        program: &Program,
        variant: VariantId,
        at: StatementId,
        path: &Path,
        exactly: bool,
    ) -> Vec<(StatementId, Value, bool)> {
        let Some(record) = self.record(variant, at) else { return Vec::new() };
        let function = &program.functions[at.function];
        let block = &function.blocks[at.block];
        let mut values = Vec::new();
        let (expressions, statement) = match block.statements.get(at.index) {
            Some(statement) => (statement.kind.expressions(), Some(&statement.kind)),
            None => (block.end.expressions(), None),
        };
        let written = match statement {
            Some(StatementKind::Set { local, .. } | StatementKind::LoadVolatile { local, .. }) => {
                Some(Path::of_local(function, *local))
            }
            Some(StatementKind::Call { receiver: Some(core_c::Receiver::Register(local)), .. }) => {
                Some(Path::of_local(function, *local))
            }
            Some(StatementKind::Store { place, .. }) => path_of_place(program, at.function, place),
            _ => None,
        };
        let mut number = 0;
        let mut last = None;
        for expression in expressions {
            last = Some(number);
            expression.walk(&mut |part| {
                if path_of_expression(program, at.function, part).is_some_and(|found| path.is_part_of(&found, exactly))
                {
                    values.extend(record.values.get(number).map(|value| (at, value.clone(), false)));
                }
                number += 1;
            });
        }
        if written.is_some_and(|written| path.is_part_of(&written, exactly)) {
            // The value comes last among what a statement evaluates.
            let value = record.result.clone().or_else(|| last.and_then(|last| record.values.get(last).cloned()));
            values.extend(value.map(|value| (at, value, true)));
        }
        values
    }
}

pub(crate) fn span_of(program: &Program, at: StatementId) -> Option<Span> {
    let block = &program.functions[at.function].blocks[at.block];
    block.statements.get(at.index).map_or(block.span, |statement| statement.span)
}

fn name(program: &Program, function: FunctionId) -> String {
    format!("`{}`", plain(&program.functions[function].name))
}

fn parameter(program: &Program, function: FunctionId, position: usize) -> String {
    let data = &program.functions[function];
    match data.parameters.get(position) {
        Some(local) => describe_local(data, *local),
        None => "a further argument".to_owned(),
    }
}

fn subject(program: &Program, subject: Subject) -> String {
    match subject {
        Subject::Local(function, local) => describe_local(&program.functions[function], local),
        Subject::Part(object, offset) => crate::paths::describe_part(program, object, offset),
    }
}

/// Something that people have no name for: the path is as clear without it.
fn is_intermediate(program: &Program, cause: &Cause) -> bool {
    matches!(cause.reason, Reason::Stored(Subject::Local(function, local))
        if program.functions[function].locals[local].name.is_empty())
}

fn describe(program: &Program, cause: &Cause) -> String {
    match &cause.reason {
        Reason::Parameter(function, position) => {
            format!(
                "{} is a dynamic parameter of {}",
                parameter(program, *function, *position),
                name(program, *function)
            )
        }
        Reason::Unstated(object) => {
            format!("of {}, only some members are known", object.describe(program))
        }
        Reason::Initially(object) => {
            format!("what {} holds at the beginning is not known", object.describe(program))
        }
        Reason::Outside => "read from memory that the program did not make".to_owned(),
        Reason::Unknown(Some(function)) => format!("{} is called, of which nothing is known", name(program, *function)),
        Reason::Unknown(None) => "a function is called that is not known before run time".to_owned(),
        Reason::External(function) => format!("{} does its work at run time", name(program, *function)),
        Reason::Volatile => "a volatile object is read at run time".to_owned(),
        Reason::Assembly => "assembly is left as it is".to_owned(),
        Reason::Opaque => "an expression that is not modelled is left as it is".to_owned(),
        Reason::ReadThrough => "read at an address that is dynamic".to_owned(),
        Reason::WrittenThrough(object) => {
            format!("written at a dynamic address, which may be in {}", object.describe(program))
        }
        Reason::Alias(object) => {
            format!("{} is written, and may be the same memory", object.describe(program))
        }
        Reason::Address => "the number of an address decides, which is not known before run time".to_owned(),
        Reason::Allocation => "whether there is memory is not known before run time".to_owned(),
        Reason::Stored(what) => format!("stored in {}", subject(program, *what)),
        Reason::Passed(function, position) => {
            format!("passed to {} as {}", name(program, *function), parameter(program, *function, *position))
        }
        Reason::Returned(function) => format!("returned by {}", name(program, *function)),
        Reason::Within(function) => format!("during the call of {}", name(program, *function)),
        Reason::Extent => "how much is copied is dynamic".to_owned(),
        Reason::Generalized(reason) => format!("given up: {reason}"),
        Reason::Insensitive(Insensitivity::Uses) => {
            "used at run time, too, and use sensitivity is switched off".to_owned()
        }
        Reason::Insensitive(Insensitivity::Returns) => {
            "the call has effects at run time, and return sensitivity is switched off".to_owned()
        }
        Reason::Insensitive(Insensitivity::Structure) => {
            "another member or object is dynamic, and structures are not told apart".to_owned()
        }
    }
}

/// What would help against a reason, where anything would.
fn suggest(program: &Program, cause: &Cause) -> Option<String> {
    let text = match &cause.reason {
        Reason::Parameter(function, position) => {
            let parameter = parameter(program, *function, *position);
            format!("give {parameter} a value in the scenario, or state one with WHITTLE_FACT")
        }
        Reason::Unstated(object) | Reason::Initially(object) => {
            format!("set {} in the scenario, or state its value with WHITTLE_FACT", object.describe(program))
        }
        Reason::Outside => {
            "state the value with WHITTLE_FACT, and with WHITTLE_PRIVATE that no other pointer leads there".to_owned()
        }
        Reason::Unknown(Some(function)) => {
            format!("say what {} does in a file for --effects", name(program, *function))
        }
        Reason::Unknown(None) => "make the function that is called known: it comes through a pointer".to_owned(),
        Reason::External(_) => {
            "where one result is usual, say so with WHITTLE_USUALLY_RETURNS: that way is specialized apart".to_owned()
        }
        Reason::Volatile => {
            "where one value is usual, say so with WHITTLE_USUALLY: that way is specialized apart".to_owned()
        }
        Reason::WrittenThrough(_) | Reason::Alias(_) => {
            "say with WHITTLE_PRIVATE that no other pointer leads to the object".to_owned()
        }
        Reason::Allocation => "state with WHITTLE_FACT that the pointer is not NULL".to_owned(),
        Reason::Address => "state the result of the test with WHITTLE_FACT, or with WHITTLE_USUALLY".to_owned(),
        Reason::Generalized(_) => "allow the specializer more, or make the number of rounds known".to_owned(),
        _ => return None,
    };
    Some(text)
}
