//! Calls of rpcgen in commands. In: commands, and what variables hold. Out: the calls with their arguments, and commands that edit
//! what rpcgen wrote.

use std::collections::BTreeMap;

use super::builds::System;
use super::shell::{Command, Word};

/// Variables of one file.
pub(super) type Variables = BTreeMap<String, String>;

/// A call of rpcgen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) system: System,
    /// Holds the program's name; `None` where that stands there itself.
    pub(super) variable: Option<String>,
    /// What follows the program's name, as far as it is known without running anything.
    pub(super) arguments: Vec<String>,
    /// Where it is called, below the tree.
    pub(super) folder: String,
}

/// A command that changes what rpcgen wrote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Edit {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) tool: String,
}

/// A place that looks for rpcgen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Search {
    pub(super) file: String,
    pub(super) line: usize,
    pub(super) system: System,
    /// What holds the program afterwards.
    pub(super) variable: Option<String>,
}

/// All that was found.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) calls: Vec<Call>,
    pub(super) edits: Vec<Edit>,
    pub(super) searches: Vec<Search>,
}

/// Where commands stand.
pub(super) struct Place<'a> {
    pub(super) file: &'a str,
    pub(super) system: System,
    pub(super) folder: String,
    pub(super) variables: &'a Variables,
}

/// Programs that edit texts.
const EDITORS: [&str; 12] =
    ["sed", "gsed", "awk", "gawk", "mawk", "perl", "python", "python3", "ed", "ex", "patch", "grep"];

/// Words of shells before a command.
const BEFORE: [&str; 16] = [
    "if", "then", "else", "elif", "do", "while", "until", "!", "exec", "time", "env", "nice", "command", "{", "set",
    "sudo",
];

/// More calls than any tree has, and more arguments than any call.
pub(super) const MOST_CALLS: usize = 2000;
const MOST_ARGUMENTS: usize = 500;

impl Found {
    /// Takes a call, unless there are too many.
    pub(super) fn add(&mut self, mut call: Call) {
        call.arguments.truncate(MOST_ARGUMENTS);
        if self.calls.len() < MOST_CALLS {
            self.calls.push(call);
        }
    }

    /// Takes the commands of one recipe, script or string. Commands behind a call edit what it wrote, also where they name it by a
    /// variable.
    pub(super) fn take(&mut self, commands: &[Command], mut place: Place<'_>) {
        let mut has_call = false;
        let mut is_fed = false;
        for command in commands {
            let words = stripped(command);
            let Some((first, rest)) = words.split_first() else { continue };
            let was_fed = std::mem::replace(&mut is_fed, false);
            if first.text == "cd" {
                let folder = rest.first().map_or("", |word| word.text.as_str());
                place.folder = joined(&place.folder, folder);
            } else if let Some((variable, own)) = program(&first.text, place.variables) {
                has_call = true;
                is_fed = command.is_piped;
                let mut arguments = own;
                arguments.extend(rest.iter().flat_map(|word| expanded_words(&word.text, place.variables)));
                arguments.extend(command.input.clone());
                let (file, folder) = (place.file.to_owned(), place.folder.clone());
                let call = Call { file, line: first.line, system: place.system, variable, arguments, folder };
                self.add(call);
            } else if let Some(tool) = editor(&first.text).filter(|_| was_fed || edits(rest, has_call)) {
                let tool = tool.to_owned();
                self.edits.push(Edit { file: place.file.to_owned(), line: first.line, tool });
                is_fed = command.is_piped;
            }
        }
    }
}

/// The words of a command from its program on.
fn stripped(command: &Command) -> &[Word] {
    let mut words = command.words.as_slice();
    while let Some((first, rest)) = words.split_first() {
        let is_assignment = first.text.split_once('=').is_some_and(|(name, _)| is_name(name));
        if !is_assignment && !BEFORE.contains(&first.text.as_str()) && !unsilenced(&first.text).is_empty() {
            break;
        }
        words = rest;
    }
    words
}

/// A word without what keeps make quiet: `@`, `$(AM_V_GEN)`, `$(Q)` and the like hold nothing that is run.
fn unsilenced(word: &str) -> &str {
    let mut word = word.trim_start_matches(['@', '-', '+']);
    while let Some((name, rest)) = word.strip_prefix("$(").and_then(|rest| rest.split_once(')')) {
        if !name.starts_with("AM_V_") && !["Q", "V", "E", "AT", "QUIET", "SILENT"].contains(&name) {
            break;
        }
        word = rest.trim_start_matches(['@', '-', '+']);
    }
    word
}

/// What stands for rpcgen: the variable that holds it, and the arguments that it holds, too. `None` where it is another program.
pub(super) fn program(word: &str, variables: &Variables) -> Option<(Option<String>, Vec<String>)> {
    // `@RPCGEN@` is what `configure` found.
    let word = if word == "@RPCGEN@" { word } else { unsilenced(word) };
    let Some(name) = variable_name(word) else {
        let is_rpcgen = base_name(word) == "rpcgen" || word == "@RPCGEN@";
        return is_rpcgen.then(|| ((word == "@RPCGEN@").then(|| "RPCGEN".to_owned()), Vec::new()));
    };
    let value = variables.get(name).map_or("", String::as_str);
    let mut held = words_of(&expanded(value, variables)).into_iter();
    let first = held.next().unwrap_or_default();
    if base_name(&first) == "rpcgen" {
        return Some((Some(name.to_owned()), held.collect()));
    }
    let upper = name.to_ascii_uppercase();
    let is_named =
        upper.contains("RPCGEN") && !["FLAGS", "OPTS", "OPTIONS", "ARGS"].iter().any(|end| upper.ends_with(end));
    is_named.then(|| (Some(name.to_owned()), held.collect()))
}

/// The name in `$(NAME)`, `${NAME}` or `$NAME`.
pub(super) fn variable_name(word: &str) -> Option<&str> {
    let rest = word.strip_prefix('$')?;
    let name = match rest.as_bytes().first()? {
        b'(' => rest[1..].strip_suffix(')')?,
        b'{' => rest[1..].strip_suffix('}')?,
        _ => rest,
    };
    is_name(name).then_some(name)
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

pub(super) fn base_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// A folder as seen from another; what is computed, or leads out, leaves it.
pub(super) fn joined(folder: &str, next: &str) -> String {
    if next.is_empty() || next.starts_with(['/', '$', '-']) {
        return folder.to_owned();
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in next.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn editor(word: &str) -> Option<&str> {
    let word = unsilenced(word);
    match variable_name(word) {
        Some(name) => EDITORS.into_iter().find(|editor| name.eq_ignore_ascii_case(editor)),
        None => Some(base_name(word)).filter(|name| EDITORS.contains(name)),
    }
}

/// Whether arguments of an editor name what rpcgen writes.
fn edits(arguments: &[Word], follows_call: bool) -> bool {
    let is_output = |word: &Word| ["_xdr.c", "_clnt.c", "_svc.c", "_tbl.i"].iter().any(|end| word.text.contains(end));
    arguments.iter().any(is_output) || (follows_call && arguments.iter().any(|word| word.text.contains("$@")))
}

/// The longest value that is expanded: values may name each other.
const LONGEST: usize = 1 << 14;

/// The words of a text whose known variables are replaced.
pub(super) fn expanded_words(text: &str, variables: &Variables) -> Vec<String> {
    if text.contains('$') { words_of(&expanded(text, variables)) } else { vec![text.to_owned()] }
}

fn words_of(text: &str) -> Vec<String> {
    let commands = super::shell::commands(text, 1);
    commands.into_iter().flat_map(|command| command.words).map(|word| word.text).collect()
}

/// The text with the values of known variables; what is not known, or grows without measure, stays as it is.
pub(super) fn expanded(text: &str, variables: &Variables) -> String {
    let mut text = text.to_owned();
    for _ in 0..8 {
        let next = once(&text, variables);
        if next == text || next.len() > LONGEST {
            break;
        }
        text = next;
    }
    text
}

fn once(text: &str, variables: &Variables) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('$') {
        out.push_str(before);
        let length = match behind.as_bytes().first() {
            Some(b'(') => behind.find(')').map(|end| end + 1),
            Some(b'{') => behind.find('}').map(|end| end + 1),
            _ => Some(behind.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count()),
        };
        let length = length.unwrap_or(0);
        let reference = format!("${}", &behind[..length]);
        let value = variable_name(&reference).and_then(|name| variables.get(name));
        out.push_str(value.unwrap_or(&reference));
        rest = &behind[length..];
        if out.len() > LONGEST {
            break;
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variables(pairs: &[(&str, &str)]) -> Variables {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn values_that_multiply_are_not_expanded_without_end() {
        let value = "$(A)$(A)$(A)$(A)$(A)$(A)$(A)$(A)".repeat(16);
        assert!(expanded("$(A)", &variables(&[("A", &value)])).len() <= 2 * LONGEST);
    }

    #[test]
    fn programs_are_known_by_name_or_by_variable() {
        let variables = variables(&[("GEN", "/usr/bin/rpcgen -N"), ("CC", "gcc")]);
        assert_eq!(program("@rpcgen", &variables), Some((None, vec![])));
        assert_eq!(program("$(GEN)", &variables), Some((Some("GEN".into()), vec!["-N".into()])));
        assert_eq!(program("${RPCGEN}", &variables), Some((Some("RPCGEN".into()), vec![])));
        assert_eq!(program("$(RPCGENFLAGS)", &variables), None);
        assert_eq!(program("$(CC)", &variables), None);
    }
}
