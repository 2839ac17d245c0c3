//! Scripts: a shell's, and those of other languages that call rpcgen in strings. In: a text. Out: the calls.

use super::builds::System;
use super::calls::{Call, Edit, Found, Place, Variables, base_name};
use super::shell;
use super::tree::BuildFile;

/// A script of a shell, or of whatever its first line names.
pub(super) fn read(file: &BuildFile, found: &mut Found) {
    let first = file.text.lines().next().unwrap_or_default();
    let is_shell = !first.starts_with("#!") || first.contains("sh");
    match file.system {
        System::Script if is_shell => shell_script(file, found),
        _ => language(file, found),
    }
}

fn shell_script(file: &BuildFile, found: &mut Found) {
    let commands = shell::commands(&file.text, 1);
    let mut variables = Variables::new();
    for command in commands.iter().filter(|command| command.words.len() == 1) {
        if let Some((name, value)) = command.words[0].text.split_once('=') {
            // `${RPCGEN:-rpcgen}` is rpcgen where nothing else is said.
            let usual = value
                .strip_prefix("${")
                .and_then(|rest| rest.split_once(":-"))
                .map(|(_, usual)| usual.trim_end_matches('}'));
            variables.insert(name.to_owned(), usual.unwrap_or(value).to_owned());
        }
    }
    let place =
        Place { file: &file.path, system: System::Script, folder: file.folder().to_owned(), variables: &variables };
    found.take(&commands, place);
}

/// Perl, Python and others: strings that are a command, and lists of strings that begin with one.
fn language(file: &BuildFile, found: &mut Found) {
    for (number, line) in file.text.lines().enumerate().filter(|(_, line)| line.contains("rpcgen")) {
        if line.trim_start().starts_with('#') {
            continue;
        }
        let strings = strings(line);
        let variables = Variables::new();
        let place = || Place { file: &file.path, system: file.system, folder: String::new(), variables: &variables };
        let before = found.calls.len();
        for (at, string) in strings.iter().enumerate() {
            if base_name(string) == "rpcgen" && (line.contains('[') || line.contains("system") || line.contains("open"))
            {
                let arguments = strings[at + 1..].to_vec();
                found.add(call(file, number + 1, arguments));
                break;
            }
            if string.contains(' ') {
                found.take(&shell::commands(string, number + 1), place());
            }
        }
        let is_read = line.contains("open") && line.contains("$rpcgen");
        if is_read && found.calls.len() == before {
            found.add(call(file, number + 1, Vec::new()));
        }
        if is_read || (found.calls.len() > before && line.contains("open")) {
            let tool = "the script".to_owned();
            found.edits.push(Edit { file: file.path.clone(), line: number + 1, tool });
        }
    }
}

fn call(file: &BuildFile, line: usize, arguments: Vec<String>) -> Call {
    let folder = file.folder().to_owned();
    Call { file: file.path.clone(), line, system: file.system, variable: None, arguments, folder }
}

/// The texts in quotes.
fn strings(line: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut rest = line.chars();
    while let Some(quote) = rest.find(|character| ['"', '\'', '`'].contains(character)) {
        let mut text = String::new();
        while let Some(next) = rest.next().filter(|next| *next != quote) {
            text.push(if next == '\\' { rest.next().unwrap_or('\\') } else { next });
        }
        all.push(text);
    }
    all
}
