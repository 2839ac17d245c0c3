//! What each file looks like: its first line, its length, its line ends, its words.

use crate::tree::File;

/// A file of more lines is two files.
const LINES_MOST: usize = 850;

/// Words that tell of the machine a file was made on, or cite what is not in the repository; cut in two so that this file may
/// hold them.
const BANNED: [(&str, &str); 11] = [
    ("/wo", "rk/"),
    ("/ho", "me/"),
    ("/ro", "ot/"),
    ("/Us", "ers/"),
    ("bash_", "jobs"),
    ("sub", "agent"),
    ("/far", "m/"),
    ("FIX", "ME"),
    ("X", "XX"),
    ("CONTRA", "CTS"),
    ("DES", "IGN"),
];

/// What identifiers and comments do not say, cut in two as above, and the field's own terms, which an engineer looks for.
const PLAIN: [(&str, &str, &str); 5] = [
    ("let ", "go of", "release"),
    ("lets ", "go", "releases"),
    ("let", "_go", "release"),
    ("lets", "_go", "release"),
    ("to", "ld", "notified, given, known or distinguished"),
];

pub(super) fn check(file: &File) -> Vec<String> {
    let mut problems = Vec::new();
    let path = &file.path;
    let is_source = [".rs", ".c", ".h", ".x"].iter().any(|end| path.ends_with(end));
    let is_data = path.starts_with("tests/") || path.contains("/tests/data/");
    if path.ends_with(".rs") && !file.text.starts_with("//!") {
        problems.push(format!("{path}:1: begins with `//!`, saying what the file is for"));
    }
    let lines = file.text.lines().count();
    if is_source && !is_data && lines > LINES_MOST {
        problems.push(format!("{path}: {lines} lines; cut it in two (at most {LINES_MOST})"));
    }
    for (number, line) in file.text.lines().enumerate() {
        problems.extend(line_problems(line, path, is_data).map(|what| format!("{path}:{}: {what}", number + 1)));
    }
    if !is_data && !file.text.is_empty() && !file.text.ends_with('\n') {
        problems.push(format!("{path}: the last line does not end"));
    }
    problems
}

fn line_problems(line: &str, path: &str, is_data: bool) -> Option<String> {
    if path.ends_with(".lock") {
        return None;
    }
    if let Some((front, back)) = BANNED.iter().find(|(front, back)| line.contains(&format!("{front}{back}"))) {
        return Some(format!("holds `{front}{back}`"));
    }
    let is_source = [".rs", ".c", ".h"].iter().any(|end| path.ends_with(end)) && !is_data;
    let said = PLAIN.iter().find(|(front, back, _)| is_source && has_word(line, &format!("{front}{back}")));
    if let Some((front, back, instead)) = said {
        return Some(format!("says `{front}{back}`; plainer: {instead}"));
    }
    let reminder = concat!("TO", "DO");
    if let Some(at) = line.find(reminder) {
        // One such line names its kind: perf, soon, cleanup.
        if !line[at + reminder.len()..].starts_with('(') {
            return Some(format!("{reminder} without a kind: `{reminder}(perf)`, `{reminder}(soon)`, …"));
        }
    }
    (!is_data && line.trim_end() != line).then(|| "blanks at the end".to_owned())
}

/// Whether it stands in the line with no letter before or behind it.
fn has_word(line: &str, word: &str) -> bool {
    let is_letter = |part: Option<char>| part.is_some_and(|letter| letter.is_ascii_alphabetic());
    line.match_indices(word)
        .any(|(at, _)| !is_letter(line[..at].chars().next_back()) && !is_letter(line[at + word.len()..].chars().next()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<String> {
        check(&File { path: path.into(), text: text.into() })
    }

    #[test]
    fn a_clean_file_has_no_problems() {
        assert_eq!(problems("a/b.rs", "//! Something.\n"), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_problem_is_found() {
        assert_eq!(problems("a.rs", "fn f() {}\n").len(), 1);
        assert_eq!(problems("a.c", "int a; \n"), ["a.c:1: blanks at the end"]);
        assert_eq!(problems("a.c", concat!("/* TO", "DO: later */\n")).len(), 1);
        assert_eq!(problems("a.c", concat!("/* TO", "DO(soon): later */\n")).len(), 0);
        assert_eq!(problems("a.md", concat!("see /ho", "me/x\n")).len(), 1);
        assert_eq!(problems("a.h", concat!("/* it is to", "ld. */\n")).len(), 1);
        assert_eq!(problems("a.h", "int untold, toldest;\n").len(), 0);
        assert_eq!(problems("a.h", &"\n".repeat(LINES_MOST + 1)).len(), 1);
        assert_eq!(problems("a.h", "int a;").len(), 1);
    }
}
