//! What differs with whittle in rpcgen's place. In: calls and edits. Out: remarks, each with a place and, where something is to be
//! done, how.

use super::calls::{Call, Edit};
use super::tree::Tree;
use crate::rpcgen::arguments::{Misuse, parse};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// It must be mended.
    Error,
    /// It may have to be.
    Warning,
    Note,
}

impl Severity {
    pub(super) fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "note",
        }
    }
}

/// Something that differs.
pub(super) struct Remark {
    pub(super) severity: Severity,
    pub(super) file: String,
    pub(super) line: Option<usize>,
    pub(super) message: String,
    pub(super) help: Option<&'static str>,
}

/// False for words that a build system computes.
pub(super) fn is_literal(word: &str) -> bool {
    !word.contains(['$', '`', '*']) && (!word.starts_with('@') || !word.ends_with('@'))
}

/// The descriptions that a call names.
pub(super) fn inputs(call: &Call) -> Vec<&str> {
    let takes_value = |word: &String| matches!(word.as_str(), "-o" | "-s" | "-n" | "-K" | "-i" | "-Y");
    let mut inputs = Vec::new();
    let mut before: Option<&String> = None;
    for word in &call.arguments {
        let is_value = before.is_some_and(takes_value);
        if is_literal(word) && word.ends_with(".x") && !word.starts_with('-') && !is_value {
            inputs.push(word.as_str());
        }
        before = Some(word);
    }
    inputs
}

/// What is to be said of a call.
pub(super) fn call(call: &Call) -> Vec<Remark> {
    let remark = |severity, message: String, help| {
        let (file, line) = (call.file.clone(), Some(call.line));
        Remark { severity, file, line, message, help }
    };
    let (words, unknown) = known_words(call);
    let mut remarks = Vec::new();
    if let Err(Misuse(why)) = parse(&words) {
        let why = if why.is_empty() { "these arguments make no command of rpcgen's".to_owned() } else { why };
        let help = "`whittle rpcgen --help` lists the flags, which are those of rpcgen 1.4.3: leave others out";
        remarks.push(remark(Severity::Error, format!("whittle refuses this call: {why}"), Some(help)));
    }
    if !unknown.is_empty() {
        let message = format!("not known without running the build: {}", unknown.join(" "));
        remarks.push(remark(Severity::Note, message, None));
    }
    let has = |flag: &str| words.iter().any(|word| word == flag);
    if has("-i") {
        let message = "`-i` has no effect: all code is inline".to_owned();
        remarks.push(remark(Severity::Note, message, None));
    }
    if has("-a") || has("-Sm") {
        let message = "`make clean` of the sample Makefile keeps the sample client and server".to_owned();
        remarks.push(remark(Severity::Note, message, None));
    }
    remarks
}

/// The arguments as `whittle rpcgen` would read them, and those that a build computes.
fn known_words(call: &Call) -> (Vec<String>, Vec<String>) {
    let (mut words, mut unknown): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for word in &call.arguments {
        if is_literal(word) {
            words.push(word.clone());
            continue;
        }
        // What stands for a value is one.
        match words.last().map(String::as_str) {
            Some("-s") => words.push("tcp".to_owned()),
            Some("-K" | "-i") => words.push("1".to_owned()),
            Some("-n") => words.push("tcp".to_owned()),
            Some("-o" | "-Y") => words.push("out".to_owned()),
            _ => {}
        }
        if !["$@", "$<", "@INPUT@", "@OUTPUT@"].contains(&word.as_str()) {
            unknown.push(word.clone());
        }
    }
    let has_input = !inputs(call).is_empty() || words.iter().any(|word| !word.starts_with('-') && word.contains('.'));
    if !has_input {
        words.push("input.x".to_owned());
    }
    (words, unknown)
}

pub(super) fn edit(edit: &Edit) -> Remark {
    Remark {
        severity: Severity::Warning,
        file: edit.file.clone(),
        line: Some(edit.line),
        message: format!("{} changes or reads what rpcgen wrote", edit.tool),
        help: Some(
            "names, prototypes and macros are the same, function bodies are not: see whether its patterns still match",
        ),
    }
}

pub(super) fn too_many_calls() -> Remark {
    Remark {
        severity: Severity::Error,
        file: String::new(),
        line: None,
        message: format!("there are {} calls of rpcgen or more, which are not all judged", super::calls::MOST_CALLS),
        help: Some("name a smaller folder"),
    }
}

/// Files that were not read.
pub(super) fn unread(tree: &Tree) -> Vec<Remark> {
    let remark = |(path, why): &(String, &'static str)| Remark {
        severity: Severity::Warning,
        file: path.clone(),
        line: None,
        message: format!("not read: {why}"),
        help: None,
    };
    tree.unread.iter().map(remark).collect()
}

#[cfg(test)]
mod tests {
    use super::super::builds::System;
    use super::*;

    #[track_caller]
    fn check(arguments: &str, expected: &[&str]) {
        let call = Call {
            file: "Makefile".into(),
            line: 1,
            system: System::Make,
            variable: None,
            arguments: arguments.split(' ').map(str::to_owned).collect(),
            folder: String::new(),
        };
        let said: Vec<String> = super::call(&call).into_iter().map(|remark| remark.message).collect();
        assert_eq!(said, expected);
    }

    #[test]
    fn flags_are_judged_as_whittle_reads_them() {
        check("-N -M -C -h -o $@ $<", &[]);
        check("-s $(NET) b.x", &["not known without running the build: $(NET)"]);
        check("-c -h b.x", &["whittle refuses this call: Cannot have more than one file generation flag!"]);
        check("-P b.x", &["whittle refuses this call: there is no flag -P"]);
        check("-i 5 -c b.x", &["`-i` has no effect: all code is inline"]);
    }
}
