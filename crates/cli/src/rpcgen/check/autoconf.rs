//! `configure.ac` and its macros. In: a text. Out: where rpcgen is looked for, and the variable or the option that names another.

use super::builds::System;
use super::calls::{Found, Search};
use super::tree::BuildFile;

const MACROS: [&str; 6] =
    ["AC_PATH_PROGS", "AC_PATH_PROG", "AC_CHECK_PROGS", "AC_CHECK_PROG", "AC_CHECK_TOOL", "AC_PATH_TOOL"];

pub(super) fn read(file: &BuildFile, found: &mut Found) {
    let mut offset = 0;
    while let Some((at, macro_name)) = next(&file.text, offset) {
        offset = at + macro_name.len();
        let Some(arguments) = file.text[offset..].strip_prefix('(').map(arguments) else { continue };
        if !arguments.iter().skip(1).any(|argument| argument.contains("rpcgen")) {
            continue;
        }
        found.searches.push(Search {
            file: file.path.clone(),
            line: 1 + file.text[..at].matches('\n').count(),
            system: System::Autotools,
            variable: arguments.into_iter().next().filter(|name| !name.is_empty()),
        });
    }
    if let Some(at) = file.text.find("AC_ARG_WITH([rpcgen]") {
        let line = 1 + file.text[..at].matches('\n').count();
        let variable = Some("--with-rpcgen".to_owned());
        found.searches.push(Search { file: file.path.clone(), line, system: System::Autotools, variable });
    }
}

/// The next macro that looks for programs.
fn next(text: &str, from: usize) -> Option<(usize, &'static str)> {
    text[from..].match_indices("AC_").find_map(|(at, _)| {
        let rest = &text[from + at..];
        let name = MACROS.into_iter().find(|name| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('(')))?;
        Some((from + at, name))
    })
}

/// Arguments up to the parenthesis that closes them, without brackets around them.
fn arguments(text: &str) -> Vec<String> {
    let (mut all, mut depth) = (vec![String::new()], 0);
    for character in text.chars().take(2000) {
        match character {
            '[' | '(' => depth += 1,
            ')' if depth == 0 => break,
            ']' | ')' => depth -= 1,
            ',' if depth == 0 => all.push(String::new()),
            other => all.last_mut().into_iter().for_each(|last| last.push(other)),
        }
    }
    all.into_iter().map(|argument| argument.trim().to_owned()).collect()
}
