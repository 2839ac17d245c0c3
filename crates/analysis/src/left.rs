//! What stays in the residual program of a function, or of a line of source, and why.

use std::collections::BTreeSet;

use core_c::{Callee, FunctionId, Program, StatementKind, Terminator};
use source::Span;

use crate::cause::{CauseId, Reason};
use crate::effects::Statement;
use crate::engine::Record;
use crate::object::{StatementId, plain};
use crate::scan::is_outside;
use crate::tables::Analysis;
use crate::variant::VariantId;
use crate::why::{Blame, span_of};

/// Something that stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    pub variant: VariantId,
    pub at: StatementId,
    pub span: Option<Span>,
    /// Brief, lower case: `a test`.
    pub what: String,
    pub blame: Blame,
}

impl Analysis {
    /// The tests and calls that stay of a function, in all its variants; of a function without a body here, its calls.
    /// None where it is never looked at.
    pub fn left_of_function(&self, program: &Program, function: FunctionId) -> Option<Vec<Left>> {
        if is_outside(&program.functions[function]) {
            let records =
                self.variants.iter().flat_map(|(variant, table)| table.records.iter().map(move |all| (variant, all)));
            let calls = records
                .filter(|(_, (_, record))| record.callees.contains(&function))
                .map(|(variant, (at, record))| (*variant, *at, record));
            let mut calls = calls.peekable();
            calls.peek()?;
            return Some(
                calls.filter_map(|(variant, at, record)| self.left_of(program, variant, at, record)).collect(),
            );
        }
        let mut variants = self.variants.iter().filter(|(_, table)| table.function == function).peekable();
        variants.peek()?;
        let all = variants.flat_map(|(variant, table)| {
            let records = table.records.iter().filter(|(at, _)| is_control(program, **at));
            records.flat_map(|(at, record)| self.left_of(program, *variant, *at, record))
        });
        Some(all.collect())
    }

    /// What stays of the code for whose place `is_meant`; none where no code that is looked at stands there.
    pub fn left_of_place(&self, program: &Program, is_meant: &dyn Fn(Span) -> bool) -> Option<Vec<Left>> {
        let mut spans: BTreeSet<(u32, u32)> = BTreeSet::new();
        let (mut left, mut is_code) = (Vec::new(), false);
        for (variant, table) in &self.variants {
            for (at, record) in &table.records {
                let Some(span) = span_of(program, *at) else { continue };
                if !spans.contains(&(span.start, span.end)) && !is_meant(span) {
                    continue;
                }
                spans.insert((span.start, span.end));
                is_code = true;
                left.extend(self.left_of(program, *variant, *at, record));
            }
        }
        is_code.then_some(left)
    }

    fn left_of(&self, program: &Program, variant: VariantId, at: StatementId, record: &Record) -> Option<Left> {
        let block = &program.functions[at.function].blocks[at.block];
        let (what, first) = match block.statements.get(at.index).map(|statement| &statement.kind) {
            Some(kind) => (of_statement(program, kind, record)?, self.of_callee(variant, at, record)),
            None if !record.effect.is_dynamic() => return None,
            None => (of_end(&block.end)?.to_owned(), record.values.first().and_then(|value| value.cause)),
        };
        let dynamic = record.values.iter().filter(|value| value.is_dynamic()).find_map(|value| value.cause);
        let cause: Option<CauseId> = first.or(dynamic);
        let blame = cause.map(|cause| self.blame(program, cause)).unwrap_or_default();
        Some(Left { variant, at, span: span_of(program, at), what, blame })
    }

    /// Why a function without a body here runs at run time, where that is its own nature.
    fn of_callee(&self, variant: VariantId, at: StatementId, record: &Record) -> Option<CauseId> {
        record.callees.iter().find_map(|callee| {
            let reasons = [Reason::Unknown(Some(*callee)), Reason::External(*callee)];
            reasons.into_iter().find_map(|reason| self.causes.find((variant, at), reason))
        })
    }
}

fn is_control(program: &Program, at: StatementId) -> bool {
    let block = &program.functions[at.function].blocks[at.block];
    match block.statements.get(at.index).map(|statement| &statement.kind) {
        Some(StatementKind::Call { .. }) => true,
        Some(_) => false,
        None => matches!(block.end, Terminator::Branch { .. } | Terminator::Switch { .. }),
    }
}

fn of_statement(program: &Program, kind: &StatementKind, record: &Record) -> Option<String> {
    let StatementKind::Call { callee, .. } = kind else {
        return (record.effect.is_dynamic() || record.remains).then(|| "a statement".to_owned());
    };
    let name = |function: &FunctionId| plain(&program.functions[*function].name).to_owned();
    let is_said = |function: &FunctionId| {
        let name = name(function);
        matches!(crate::effects::builtin(&name), Some(crate::effects::Effect::Scenario(Statement::MustBeStatic)))
    };
    if record.calls_others {
        return Some("a call through a pointer".to_owned());
    }
    if matches!(callee, Callee::Function(function) if is_said(function)) {
        return record.broken.map(|_| "a contract that is not kept".to_owned());
    }
    let outside = record.callees.iter().find(|function| is_outside(&program.functions[**function]));
    outside.filter(|_| record.effect.is_dynamic()).map(|function| format!("the call of `{}`", name(function)))
}

fn of_end(end: &Terminator) -> Option<&'static str> {
    match end {
        Terminator::Branch { .. } | Terminator::Switch { .. } | Terminator::GotoAddress { .. } => Some("a test"),
        Terminator::Return(_) => Some("the result"),
        Terminator::Goto(_) | Terminator::Unreachable => None,
    }
}
