//! An input through the C preprocessor: bounded before it runs, with its complaints at their places.
//!
//! In: a text, and how the preprocessor is called. Out: what it made of it, as a file of the report whose places lead back to
//! the files that people know. Why apart: every front end's descriptions go through a C preprocessor.

use std::collections::BTreeSet;

use source::{Diagnostic, FileId};

use crate::{Host, Preprocess, Preprocessed, Preprocessor, Report, SourceText, ahead, bounds, complaints};

/// One input and its preprocessor.
pub(crate) struct Preprocessing<'a> {
    pub(crate) host: &'a dyn Host,
    pub(crate) source: &'a SourceText,
    /// `None` for standard input.
    pub(crate) path: Option<&'a str>,
    pub(crate) preprocessor: Preprocessor,
    /// Whether the preprocessor may run, once that is known.
    is_bounded: Option<bool>,
    /// The preprocessor failed, and would do so again.
    is_refused: bool,
}

impl<'a> Preprocessing<'a> {
    pub(crate) fn new(
        host: &'a dyn Host,
        source: &'a SourceText,
        path: Option<&'a str>,
        preprocessor: Preprocessor,
    ) -> Self {
        Preprocessing { host, source, path, preprocessor, is_bounded: None, is_refused: false }
    }

    /// What the preprocessor makes of the input; `None` when there is an error, which is in the report then.
    pub(crate) fn run(&mut self, symbol: Option<&str>, report: &mut Report) -> Option<Preprocessed> {
        let run = Preprocess { path: self.path, source: self.source, options: &self.preprocessor, symbol };
        if !*self.is_bounded.get_or_insert_with(|| {
            let of = ahead::Preprocessed { source: self.source, arguments: &self.preprocessor.arguments };
            ahead::is_bounded(&of, self.host, report)
        }) {
            return None;
        }
        if self.is_refused {
            return None;
        }
        let preprocessed = match self.host.preprocess(&run) {
            Ok(preprocessed) => preprocessed,
            Err(finding) => {
                self.is_refused = true;
                self.refused(*finding, report);
                return None;
            }
        };
        report.remark(&preprocessed.remarks);
        bounds::is_expanded_within(&self.source.name, &preprocessed.text, report).then_some(preprocessed)
    }

    /// Adds why the preprocessor refused the input. A comment that is never closed is shown where it starts, in the
    /// input or in a file that the preprocessor named.
    fn refused(&self, finding: Diagnostic, report: &mut Report) {
        let mut named: Vec<&str> = finding.notes.iter().filter_map(|note| note.split(':').next()).collect();
        let mut seen = BTreeSet::new();
        named.retain(|name| seen.insert(*name));
        let mut open = open_comment(self.source, report);
        for name in named {
            if open.is_none()
                && name != self.source.name
                && let Ok(source) = self.host.read(Some(name))
            {
                open = open_comment(&source, report);
            }
        }
        let complaints = finding.notes.iter().filter(|note| note.contains("error:")).count();
        if open.is_none() || complaints > 1 {
            let text_of = |name: &str| match name == self.source.name {
                true => Some(self.source.text.clone()),
                false => self.host.read(Some(name)).ok().map(|source| source.text),
            };
            let mut placed = complaints::placed(&finding, text_of, report);
            // That is what `open` says better.
            placed.retain(|finding| open.is_none() || !finding.message.contains("unterminated comment"));
            report.add(if placed.is_empty() { vec![finding] } else { placed });
        }
        report.add(open);
    }

    /// Adds the text, and what the files that it was made from say themselves.
    pub(crate) fn add_source(&self, text: &str, has_markers: bool, report: &mut Report) -> FileId {
        let sources = &mut report.sources;
        if !has_markers {
            return sources.add(&self.source.name, text);
        }
        let file = sources.add_preprocessed(&self.source.name, text);
        let names: Vec<String> = sources.marked_files(file).into_iter().map(str::to_owned).collect();
        for name in names {
            if Some(name.as_str()) == self.path || (name == "<stdin>" && self.source.name == name) {
                sources.add_original(name, self.source.text.as_str());
            } else if !name.starts_with('<') {
                // A file that went away since shows as the preprocessor saw it.
                if let Ok(original) = self.host.read(Some(&name)) {
                    sources.add_original(name, original.text);
                }
            }
        }
        file
    }
}

fn open_comment(source: &SourceText, report: &mut Report) -> Option<Diagnostic> {
    let file = report.sources.add(&source.name, source.text.as_str());
    tokens::unterminated_comment(&source.text, file)
}
