//! What a compilation found, gathered over the runs of one input, each finding once.

use std::collections::BTreeSet;

use source::{Diagnostic, Limit, Limits, Severity, SourceMap, render};

/// What is not known of one specialized function, and might have been.
#[derive(Clone, Debug, Default)]
pub struct GivenUp {
    pub root: String,
    pub generalizations: Vec<specialize::Generalization>,
    /// Loops that were computed round by round, and stand as loops again.
    pub rolled: usize,
    /// What became of each construct of the source.
    pub trace: specialize::Trace,
    pub size: specialize::Size,
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
    limits: Limits,
    /// Findings beyond the limit are counted, not kept.
    is_full: bool,
    seen: BTreeSet<String>,
}

impl Report {
    /// No findings yet, of an input that may ask for so much.
    pub fn within(limits: Limits) -> Self {
        Report { limits, ..Report::default() }
    }

    pub(crate) fn limits(&self) -> Limits {
        self.limits
    }

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
            if self.limits.are_exceeded(Limit::Findings, self.findings.len() + 1) {
                self.full(finding.is_error());
                continue;
            }
            let finding = shortened(finding);
            if self.seen.insert(render::short(&self.sources, std::slice::from_ref(&finding))) {
                self.findings.push(finding);
            }
        }
        failed
    }

    /// Says once that there are more findings than are kept. The place is that of the last one that is.
    fn full(&mut self, is_error: bool) {
        let has_errors = is_error || self.has_errors();
        if !std::mem::replace(&mut self.is_full, true) {
            let place = self.findings.last().and_then(|last| last.primary.as_ref()).map(|label| label.span);
            self.findings.push(self.limits.exceeded(Limit::Findings, place));
        }
        if let Some(last) = self.findings.last_mut().filter(|_| !has_errors) {
            // Many warnings are none the less warnings.
            last.severity = Severity::Warning;
        } else if let Some(last) = self.findings.last_mut() {
            last.severity = Severity::Error;
        }
    }

    /// Adds what the preprocessor said, once.
    pub fn remark(&mut self, remarks: &str) {
        if !remarks.is_empty() && self.seen.insert(remarks.to_owned()) {
            self.remarks.push_str(remarks);
        }
    }
}

/// The longest message that anybody reads; names may have any length.
const LONGEST: usize = 4000;

/// The same finding; of very long texts the beginning.
fn shortened(mut finding: Diagnostic) -> Diagnostic {
    let texts = std::iter::once(&mut finding.message).chain(&mut finding.notes).chain(&mut finding.help);
    let labels = finding.primary.iter_mut().chain(&mut finding.secondary).map(|label| &mut label.text);
    for text in texts.chain(labels).filter(|text| text.len() > LONGEST) {
        let end = (0..=LONGEST).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    finding
}
