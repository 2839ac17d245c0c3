//! What a C preprocessor is not asked to do: to expand macros without measure, and to read what has no end. In: a text and
//! where its included files are looked for. Out: whether the preprocessor may run; a finding with a place where not. What this does not
//! see (macros that put together the names of others, included names that macros make) ends at the bounds of the process.

mod macros;
mod tokens;

use std::collections::BTreeSet;

use source::{FileId, Limit, Span};

use crate::{Host, Included, Report, SourceText, errors};
use macros::Macros;
use tokens::{Part, Token, parts};

/// A file that will be preprocessed, and where those that it includes are looked for.
pub(crate) struct Preprocessed<'a> {
    pub(crate) source: &'a SourceText,
    /// `-I` among others.
    pub(crate) arguments: &'a [String],
}

/// Whether the preprocessor may run.
pub(crate) fn is_bounded(of: &Preprocessed<'_>, host: &dyn Host, report: &mut Report) -> bool {
    if !of.source.text.contains('#') {
        return true;
    }
    let Some(files) = gather(of, host, report) else { return false };
    let parts: Vec<(usize, Vec<Part<'_>>)> =
        files.iter().enumerate().map(|(number, file)| (number, parts(&file.text))).collect();
    let mut macros = Macros::default();
    let directives = parts.iter().flat_map(|(_, parts)| parts).filter_map(|part| match part {
        Part::Directive(words) => Some(words),
        Part::Text(_) => None,
    });
    directives.for_each(|words| macros.take(words));
    macros.weigh_all();
    let mut left = report.limits().get(Limit::Expansion);
    for (number, parts) in &parts {
        for part in parts {
            let words = match part {
                Part::Text(words) => words.as_slice(),
                Part::Directive(words) => condition(words),
            };
            match macros.spend(words, left) {
                Ok(rest) => left = rest,
                Err(at) => {
                    expands_too_far(&files[*number], at, report);
                    return false;
                }
            }
        }
    }
    true
}

/// What a directive has expanded.
fn condition<'w, 'a>(words: &'w [Token<'a>]) -> &'w [Token<'a>] {
    match words {
        [kind, condition @ ..] if ["if", "elif", "include", "line"].contains(&kind.text) => condition,
        _ => &[],
    }
}

fn expands_too_far(file: &SourceText, at: usize, report: &mut Report) {
    let place = span(report.sources.add(&file.name, file.text.as_str()), at, 0);
    let finding = report.limits().exceeded(Limit::Expansion, Some(place));
    report.add([finding.note("macros multiply")]);
}

fn span(file: FileId, at: usize, length: usize) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(file, offset(at), offset(at + length))
}

/// Files that are looked at. One that includes itself under names of its own (`a/../f.x`, `b/../f.x`) is another file each time.
const MOST_FILES: usize = 5_000;

/// The text and all that it includes, each once. `None` where one of them is no file, or too long: it is in the report.
fn gather(of: &Preprocessed<'_>, host: &dyn Host, report: &mut Report) -> Option<Vec<SourceText>> {
    let folders = folders(of.arguments);
    let mut known = BTreeSet::from([of.source.name.clone()]);
    let mut files = vec![of.source.clone()];
    let (mut next, mut size) = (0, of.source.text.len());
    // What is longer altogether is the preprocessor's output to be judged.
    while next < files.len() && files.len() < MOST_FILES && !report.limits().are_exceeded(Limit::Expansion, size) {
        for (name, at) in included(&files[next].text) {
            let Some((path, found)) = find(&name, &files[next].name, &folders, host) else { continue };
            if let Included::Text(text) = found {
                if known.insert(path) {
                    size += text.text.len();
                    files.push(text);
                }
                continue;
            }
            let file = report.sources.add(&files[next].name, files[next].text.as_str());
            let place = span(file, at, name.len());
            let finding = match found {
                Included::NoFile(kind) => errors::included_is_no_file(place, &path, kind),
                _ => report.limits().exceeded(Limit::InputSize, Some(place)),
            };
            report.add([finding]);
            return None;
        }
        next += 1;
    }
    Some(files)
}

/// What a file includes by a name, looked for as a preprocessor does: beside the file, then in the folders.
fn find(name: &str, file: &str, folders: &[&str], host: &dyn Host) -> Option<(String, Included)> {
    let beside = match file.rsplit_once('/') {
        Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.to_owned(),
    };
    let folders = folders.iter().filter(|_| !name.starts_with('/'));
    let places = std::iter::once(beside).chain(folders.map(|folder| format!("{folder}/{name}")));
    let mut found = places.map(|path| (host.included(&path), path)).map(|(found, path)| (path, found));
    found.find(|(_, found)| *found != Included::Absent)
}

/// The folders of `-I`.
fn folders(arguments: &[String]) -> Vec<&str> {
    let mut folders = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix("-I") {
            Some("") => folders.extend(arguments.next().map(String::as_str)),
            Some(folder) => folders.push(folder),
            None => {}
        }
    }
    folders
}

/// The names behind `#include`, and where they begin.
fn included(text: &str) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        let words = directive.and_then(|directive| {
            directive
                .strip_prefix("include_next")
                .or_else(|| directive.strip_prefix("include"))
                .or_else(|| directive.strip_prefix("import"))
        });
        let name = words.map(str::trim_start).and_then(|rest| match rest.as_bytes().first() {
            Some(b'"') => rest[1..].split_once('"'),
            Some(b'<') => rest[1..].split_once('>'),
            _ => None,
        });
        if let Some((name, behind)) = name {
            names.push((name.to_owned(), begin + line.len() - behind.len() - 1 - name.len()));
        }
        begin += line.len();
    }
    names
}
