//! Tests on C sources, by property.

mod answers;
mod caution;
mod display;
mod properties;

use core_c::{FunctionId, Program, StatementKind, Terminator};
use source::SourceMap;

use crate::effects::Nothing;
use crate::{Action, Analysis, BindingTime, Options, Root, Sensitivities, StatementId, VariantId, analyze};

/// A program and its analysis; places are named by the text that stands there.
pub(crate) struct Case {
    pub(crate) sources: SourceMap,
    pub(crate) program: Program,
    pub(crate) analysis: Analysis,
    root: FunctionId,
}

pub(crate) fn program(text: &str) -> (SourceMap, Program) {
    let mut sources = SourceMap::new();
    let input = front_c::Input { path: "case.c".into(), text: text.into(), flags: Vec::new() };
    let (cast, findings) = front_c::import(&[input], &mut sources);
    assert!(findings.iter().all(|finding| !finding.is_error()), "{findings:?}");
    let (program, findings) = core_c::lower(&cast);
    assert!(findings.is_empty(), "{findings:?}");
    (sources, program)
}

impl Case {
    /// Analyses `text` from the function `root` on.
    pub(crate) fn new(text: &str, sensitivities: Sensitivities) -> Case {
        Case::with(text, &Options { sensitivities, ..Options::default() }, |_| {})
    }

    pub(crate) fn with(text: &str, options: &Options, state: impl Fn(&mut Root)) -> Case {
        let (sources, program) = program(text);
        let root = function(&program, "root");
        let mut start = Root::new(root);
        state(&mut start);
        let analysis = analyze(&program, &[start], &Nothing, &[], options);
        Case { sources, program, analysis, root }
    }

    pub(crate) fn root(&self) -> VariantId {
        self.analysis.entry_variant(self.root).unwrap()
    }

    /// The variants of a function.
    pub(crate) fn variants(&self, name: &str) -> Vec<VariantId> {
        self.analysis.variants_of(function(&self.program, name)).collect()
    }

    /// The statements and block ends whose source text, blanks aside, holds `text`.
    fn places(&self, text: &str) -> Vec<StatementId> {
        let mut found = Vec::new();
        for (id, function) in self.program.functions.iter() {
            for (block, data) in function.blocks.iter() {
                for (index, statement) in data.statements.iter().enumerate() {
                    let at = StatementId { function: id, block, index };
                    if statement.span.is_some_and(|span| self.sources.slice(span).contains(text)) {
                        found.push(at);
                    }
                }
                let at = StatementId { function: id, block, index: data.statements.len() };
                if data.span.is_some_and(|span| self.sources.slice(span).contains(text)) {
                    found.push(at);
                }
            }
        }
        found
    }

    fn actions(&self, variant: VariantId, text: &str, wanted: impl Fn(&Case, StatementId) -> bool) -> Vec<Action> {
        let places = self.places(text).into_iter().filter(|at| wanted(self, *at));
        let mut actions: Vec<Action> = places.filter_map(|at| self.analysis.action(variant, at)).collect();
        actions.sort();
        actions.dedup();
        actions
    }

    fn is_test(&self, at: StatementId) -> bool {
        let block = &self.program.functions[at.function].blocks[at.block];
        at.index == block.statements.len() && matches!(block.end, Terminator::Branch { .. } | Terminator::Switch { .. })
    }

    fn anywhere(&self, text: &str, wanted: impl Fn(&Case, StatementId) -> bool) -> Vec<Action> {
        let variants = self.analysis.variants();
        let mut all: Vec<Action> = variants.flat_map(|variant| self.actions(variant, text, &wanted)).collect();
        all.sort();
        all.dedup();
        all
    }

    /// What is to be done with the test at `text`, in all variants of its function.
    pub(crate) fn tests(&self, text: &str) -> Vec<Action> {
        self.anywhere(text, Case::is_test)
    }

    /// As [`Case::tests`], for what is stored in memory.
    pub(crate) fn stores(&self, text: &str) -> Vec<Action> {
        self.anywhere(text, |case, at| matches!(case.kind(at), Some(StatementKind::Store { .. })))
    }

    /// As [`Case::tests`], for what is set in registers.
    pub(crate) fn sets(&self, text: &str) -> Vec<Action> {
        self.anywhere(text, |case, at| matches!(case.kind(at), Some(StatementKind::Set { .. })))
    }

    /// As [`Case::tests`], for calls.
    pub(crate) fn calls(&self, text: &str) -> Vec<Action> {
        self.anywhere(text, |case, at| matches!(case.kind(at), Some(StatementKind::Call { .. })))
    }

    fn kind(&self, at: StatementId) -> Option<&StatementKind> {
        let block = &self.program.functions[at.function].blocks[at.block];
        block.statements.get(at.index).map(|statement| &statement.kind)
    }

    /// How a parameter is used.
    pub(crate) fn parameter(&self, variant: VariantId, position: usize) -> crate::Uses {
        let function = &self.program.functions[self.analysis.function(variant).unwrap()];
        self.analysis.parameter_uses(variant, function.parameters[position]).unwrap()
    }

    /// When the root's result is known.
    pub(crate) fn returned(&self, variant: VariantId) -> BindingTime {
        let function = self.analysis.function(variant).unwrap();
        let blocks = self.program.functions[function].blocks.iter();
        let ends = blocks.filter(|(_, block)| matches!(block.end, Terminator::Return(Some(_))));
        let places = ends.map(|(block, data)| StatementId { function, block, index: data.statements.len() });
        places.filter_map(|at| self.analysis.effect_time(variant, at)).max().unwrap()
    }
}

pub(crate) fn function(program: &Program, name: &str) -> FunctionId {
    program.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id).unwrap()
}
