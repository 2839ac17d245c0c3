//! Makefiles. In: a text. Out: what their recipes call, the rule's prerequisite in the place of `$<`.

use super::calls::{Found, Place, Search, Variables, expanded};
use super::shell;
use super::tree::BuildFile;

/// Reads one file.
pub(super) fn read(file: &BuildFile, found: &mut Found) {
    let lines = logical_lines(&file.text);
    let variables = variables(&lines);
    let mut first = None;
    let mut recipe: Vec<shell::Command> = Vec::new();
    let take = |recipe: &mut Vec<shell::Command>, first: &Option<String>, found: &mut Found| {
        for word in recipe.iter_mut().flat_map(|command| &mut command.words) {
            if let Some(first) = first.as_ref().filter(|_| word.text.contains("$<")) {
                word.text = word.text.replace("$<", first);
            }
        }
        let folder = file.folder().to_owned();
        found.take(recipe, Place { file: &file.path, system: file.system, folder, variables: &variables });
        recipe.clear();
    };
    for (number, line) in &lines {
        if let Some(command) = line.strip_prefix('\t') {
            recipe.extend(shell::commands(&unescaped(command), *number));
            continue;
        }
        let line = without_comment(line);
        if assignment(line).is_some() || line.trim().is_empty() {
            continue;
        }
        let Some((targets, behind)) = line.split_once(':') else { continue };
        take(&mut recipe, &first, found);
        let (prerequisites, command) = behind.split_once(';').unwrap_or((behind, ""));
        first = first_prerequisite(targets, prerequisites, &variables);
        recipe.extend(shell::commands(&unescaped(command), *number));
    }
    take(&mut recipe, &first, found);
    let assigned = lines.iter().filter_map(|(number, line)| Some((number, assignment(without_comment(line))?)));
    for (number, (name, value)) in assigned {
        if value.split_whitespace().next().is_some_and(|word| super::calls::base_name(word) == "rpcgen") {
            let variable = Some(name.to_owned());
            found.searches.push(Search { file: file.path.clone(), line: *number, system: file.system, variable });
        }
    }
}

/// Lines with those that a backslash joins, and the number of the first of each.
pub(super) fn logical_lines(text: &str) -> Vec<(usize, String)> {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut goes_on = false;
    for (number, line) in text.lines().enumerate() {
        let joins = line.ends_with('\\');
        match lines.last_mut().filter(|_| goes_on) {
            Some((_, before)) => {
                before.push('\n');
                before.push_str(line);
            }
            None => lines.push((number + 1, line.to_owned())),
        }
        goes_on = joins;
    }
    lines
}

/// `$$x` is the shell's `$x`.
fn unescaped(command: &str) -> String {
    command.replace("$$", "$")
}

fn without_comment(line: &str) -> &str {
    line.split_once('#').map_or(line, |(before, _)| before)
}

/// `NAME = value`, also `:=`, `?=`, `+=`.
fn assignment(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.split_once('=')?;
    let name = name.trim_end_matches([':', '?', '+', '!']).trim();
    let name = name.strip_prefix("export ").unwrap_or(name).trim();
    let is_name =
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    is_name.then_some((name, value.trim()))
}

fn variables(lines: &[(usize, String)]) -> Variables {
    let mut variables = Variables::new();
    for (_, line) in lines.iter().filter(|(_, line)| !line.starts_with('\t')) {
        let line = without_comment(line);
        if let Some((name, value)) = assignment(line) {
            let value = value.replace("\\\n", " ");
            let adds = line.contains("+=");
            let entry = variables.entry(name.to_owned()).or_default();
            if adds {
                entry.push(' ');
                entry.push_str(&value);
            } else {
                *entry = value;
            }
        }
    }
    // What `configure` fills in is not known here.
    variables.retain(|_, value| !value.starts_with('@'));
    variables
}

/// What `$<` stands for; of a rule for many files it is not known.
fn first_prerequisite(targets: &str, prerequisites: &str, variables: &Variables) -> Option<String> {
    let prerequisites = expanded(prerequisites.rsplit(':').next().unwrap_or_default(), variables);
    let first = prerequisites.split_whitespace().next().map(|word| word.trim_start_matches("$(srcdir)/").to_owned());
    let first = first.filter(|word| !word.contains(['%', '$']));
    let of_suffix = targets.trim().starts_with('.') && first.is_none();
    first.filter(|_| !of_suffix)
}
