//! Each description of a tree, compiled in memory as rpcgen's flags say. In: the tree and the calls. Out: what is wrong with it, how
//! much C it becomes, and what it takes.

use std::collections::BTreeSet;

use driver::{Limits, Report};
use source::{Diagnostic, render};

use super::calls::{Call, base_name, joined};
use super::inside::Inside;
use super::judge::{inputs, is_literal};
use super::tree::Tree;
use crate::rpcgen::arguments::{Command, parse};

/// What became of one description.
pub(super) struct Description {
    pub(super) file: String,
    pub(super) report: Report,
    /// Files, lines and bytes of C.
    pub(super) files: usize,
    pub(super) lines: usize,
    pub(super) bytes: usize,
    /// Lines that go into the C as they are.
    pub(super) percent_lines: usize,
    /// Lines that a C preprocessor obeys.
    pub(super) directives: usize,
    /// Included files that are nowhere in the tree.
    pub(super) missing: Vec<String>,
}

impl Description {
    /// Whether it was judged: what includes files that a build makes is not.
    pub(super) fn is_checked(&self) -> bool {
        self.missing.is_empty()
    }

    pub(super) fn count(&self, errors: bool) -> usize {
        self.report.findings.iter().filter(|finding| finding.is_error() == errors).count()
    }

    /// The findings, one line each.
    pub(super) fn findings(&self, is_quiet: bool) -> String {
        render::short(&self.report.sources, &self.shown(is_quiet))
    }

    pub(super) fn json(&self, is_quiet: bool) -> String {
        render::json(&self.report.sources, &self.shown(is_quiet))
    }

    fn shown(&self, is_quiet: bool) -> Vec<Diagnostic> {
        if !self.is_checked() {
            return Vec::new();
        }
        self.report.findings.iter().filter(|finding| finding.is_error() || !is_quiet).cloned().collect()
    }
}

/// Compiles all of them.
pub(super) fn check_all(tree: &Tree, calls: &[Call], limits: Limits) -> Vec<Description> {
    tree.descriptions.iter().map(|file| check(tree, file, calls, limits)).collect()
}

fn check(tree: &Tree, file: &str, calls: &[Call], limits: Limits) -> Description {
    let host = Inside::new(tree.real.clone(), limits);
    let path = tree.shown(file);
    let text = driver::Host::read(&host, Some(&path)).map(|source| source.text).unwrap_or_default();
    let (folders, missing) = included(tree, file, &text);
    let mut arguments = flags(file, calls);
    arguments.extend(folders.iter().map(|folder| format!("--include={}", tree.shown(folder))));
    arguments.push(match path.starts_with('-') {
        true => format!("./{path}"),
        false => path,
    });
    let mut description = Description {
        file: file.to_owned(),
        report: Report::default(),
        files: 0,
        lines: 0,
        bytes: 0,
        percent_lines: text.lines().filter(|line| line.starts_with('%')).count(),
        directives: text.lines().filter(|line| line.trim_start().starts_with('#')).count(),
        missing,
    };
    if let Ok(Command::Compile(mut request, _)) = parse(&arguments) {
        request.limits = limits;
        description.report = driver::compile(&request, &host);
        let written = host.written.borrow();
        description.files = written.len();
        description.lines = written.iter().map(|file| file.text.lines().count()).sum();
        description.bytes = written.iter().map(|file| file.text.len()).sum();
    }
    description
}

/// The flags that decide what a description means: of the calls that name it, or of those that name none.
fn flags(file: &str, calls: &[Call]) -> Vec<String> {
    let names = |call: &&Call| {
        let inputs = inputs(call);
        inputs.is_empty() || inputs.iter().any(|input| is_of(input, call, file))
    };
    let mut flags = BTreeSet::new();
    for word in calls.iter().filter(names).flat_map(|call| &call.arguments).filter(|word| is_literal(word)) {
        let is_bundle = word.len() > 1 && word.starts_with('-') && !word.starts_with("--");
        if word.len() > 2 && word.starts_with("-D") {
            flags.insert(word.clone());
        } else if is_bundle && !word.contains(['Y', 'S']) {
            flags.extend(
                ['N', 'M', 'C'].into_iter().filter(|letter| word.contains(*letter)).map(|letter| format!("-{letter}")),
            );
        }
    }
    flags.into_iter().collect()
}

/// Whether a call's input is this file: by its path, or else by its name alone.
pub(super) fn is_of(input: &str, call: &Call, file: &str) -> bool {
    joined(&call.folder, input) == file || base_name(input) == base_name(file)
}

/// More files than any description includes.
const MOST_INCLUDES: usize = 200;

/// The folders of the tree where included files are, and the names that are nowhere.
fn included(tree: &Tree, file: &str, text: &str) -> (BTreeSet<String>, Vec<String>) {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let (mut folders, mut missing) = (BTreeSet::new(), Vec::new());
    let all = || tree.others.iter().chain(&tree.descriptions);
    for name in text.lines().filter_map(included_name).take(MOST_INCLUDES) {
        let beside = joined(folder, name);
        if name.starts_with('/') || all().any(|other| *other == beside) {
            continue;
        }
        let ending = format!("/{name}");
        let found = all().find(|other| *other == name || other.ends_with(&ending));
        match found.map(|found| found[..found.len() - name.len()].trim_end_matches('/')) {
            Some(found) => drop(folders.insert(found.to_owned())),
            None if !std::path::Path::new(&tree.shown(&beside)).exists() => missing.push(name.to_owned()),
            None => {}
        }
    }
    (folders, missing)
}

/// The name in `#include "name"`.
fn included_name(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    rest.trim_start().strip_prefix('"')?.split_once('"').map(|(name, _)| name)
}
