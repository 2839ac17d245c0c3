//! What a compilation found, gathered over the runs of one input, each finding once.

use std::collections::BTreeSet;

use source::{Diagnostic, SourceMap, render};

/// What is not known of one specialized function, and might have been.
#[derive(Clone, Debug, Default)]
pub struct GivenUp {
    pub root: String,
    pub generalizations: Vec<specialize::Generalization>,
    /// Loops that were computed round by round, and stand as loops again.
    pub rolled: usize,
}

/// Findings and dumps.
#[derive(Clone, Debug, Default)]
pub struct Report {
    pub sources: SourceMap,
    pub findings: Vec<Diagnostic>,
    /// What the preprocessor said, as it said it.
    pub remarks: String,
    /// Trees that the user asked to see.
    pub dumps: String,
    /// What the specializer gave up, function by function.
    pub given_up: Vec<GivenUp>,
    seen: BTreeSet<String>,
}

impl Report {
    /// True when something stops the pipeline.
    pub fn has_errors(&self) -> bool {
        self.findings.iter().any(Diagnostic::is_error)
    }

    /// Adds findings; true when one is an error. One file is read anew for each output, so the same finding may
    /// come again, and is kept once.
    pub fn add(&mut self, findings: impl IntoIterator<Item = Diagnostic>) -> bool {
        let mut failed = false;
        for finding in findings {
            failed |= finding.is_error();
            if self.seen.insert(render::short(&self.sources, std::slice::from_ref(&finding))) {
                self.findings.push(finding);
            }
        }
        failed
    }

    /// Adds what the preprocessor said, once.
    pub fn remark(&mut self, remarks: &str) {
        if !remarks.is_empty() && self.seen.insert(remarks.to_owned()) {
            self.remarks.push_str(remarks);
        }
    }
}
