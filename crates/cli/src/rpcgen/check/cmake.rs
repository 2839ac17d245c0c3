//! CMake. In: a text. Out: the `COMMAND`s that call rpcgen, and the `find_program` that looks for it.

use super::builds::System;
use super::calls::{Found, Place, Search, Variables, expanded};
use super::shell::{Command, Word};
use super::tree::BuildFile;

/// Words that end a `COMMAND`.
const KEYWORDS: [&str; 14] = [
    "COMMAND",
    "OUTPUT",
    "DEPENDS",
    "WORKING_DIRECTORY",
    "COMMENT",
    "VERBATIM",
    "MAIN_DEPENDENCY",
    "BYPRODUCTS",
    "ARGS",
    "RESULT_VARIABLE",
    "OUTPUT_VARIABLE",
    "ERROR_VARIABLE",
    "SOURCES",
    "ALL",
];

pub(super) fn read(file: &BuildFile, found: &mut Found) {
    let mut variables = Variables::new();
    for (name, arguments) in invocations(&file.text) {
        let Some(first) = arguments.first() else { continue };
        match name.to_ascii_lowercase().as_str() {
            "set" => {
                let value: Vec<String> = arguments[1..].iter().map(|word| expanded(&word.text, &variables)).collect();
                variables.insert(first.text.clone(), value.join(" "));
            }
            "find_program" if arguments[1..].iter().any(|word| word.text == "rpcgen") => {
                found.searches.push(Search {
                    file: file.path.clone(),
                    line: first.line,
                    system: System::CMake,
                    variable: Some(first.text.clone()),
                });
                variables.insert(first.text.clone(), "rpcgen".to_owned());
            }
            "add_custom_command" | "add_custom_target" | "execute_process" => {
                let folder = file.folder().to_owned();
                let place = Place { file: &file.path, system: System::CMake, folder, variables: &variables };
                found.take(&commands(&arguments), place);
            }
            _ => {}
        }
    }
}

/// What stands behind each `COMMAND`.
fn commands(arguments: &[Word]) -> Vec<Command> {
    let mut commands: Vec<Command> = Vec::new();
    let mut is_command = false;
    for word in arguments {
        match word.text.as_str() {
            "COMMAND" => {
                is_command = true;
                commands.push(Command::default());
            }
            "ARGS" => {}
            keyword if KEYWORDS.contains(&keyword) => is_command = false,
            _ if is_command => commands.last_mut().into_iter().for_each(|command| command.words.push(word.clone())),
            _ => {}
        }
    }
    // `cmake -E chdir DIR rpcgen …` and `cmake -E env … rpcgen …` call what follows.
    for command in &mut commands {
        let at = command.words.iter().position(|word| super::calls::base_name(&word.text) == "rpcgen");
        if let Some(at) = at.filter(|_| command.words.iter().any(|word| word.text == "-E")) {
            command.words.drain(..at);
        }
    }
    commands
}

/// Every `name(arguments)`.
fn invocations(text: &str) -> Vec<(String, Vec<Word>)> {
    let mut all: Vec<(String, Vec<Word>)> = Vec::new();
    let (mut name, mut depth, mut line) = (String::new(), 0_usize, 1);
    let mut word: Option<Word> = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let begun = |word: &mut Option<Word>, line| {
            word.get_or_insert_with(|| Word { text: String::new(), line });
        };
        match character {
            '#' if word.is_none() => while rest.next_if(|next| *next != '\n').is_some() {},
            '(' if depth == 0 => {
                depth = 1;
                all.push((std::mem::take(&mut name).trim().to_owned(), Vec::new()));
            }
            '(' => depth += 1,
            '"' => {
                begun(&mut word, line);
                while let Some(next) = rest.next().filter(|next| *next != '"') {
                    line += usize::from(next == '\n');
                    let next = if next == '\\' { rest.next().unwrap_or('\\') } else { next };
                    word.as_mut().into_iter().for_each(|word| word.text.push(next));
                }
            }
            _ if depth == 0 && (character.is_alphanumeric() || character == '_') => name.push(character),
            _ if depth == 0 => name.clear(),
            ')' | ' ' | '\t' | '\n' | '\r' | ';' => {
                let ended = word.take();
                all.last_mut().into_iter().for_each(|(_, words)| words.extend(ended.clone()));
                depth -= usize::from(character == ')');
            }
            other => {
                begun(&mut word, line);
                word.as_mut().into_iter().for_each(|word| word.text.push(other));
            }
        }
        line += usize::from(character == '\n');
    }
    all
}
