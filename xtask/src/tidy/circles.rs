//! Files of the run time that call each other in a circle. In: the C files of a folder that is to have none. Out: each circle, as the
//! files along it, with a function that each calls in the next.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::File;

/// Folders whose files stand in layers.
const LAYERED: [&str; 2] = ["runtime/net/", "runtime/corba/plain/"];

/// For each file those that it calls, and a function by which it does.
type Calls<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

pub(super) fn check(files: &[File]) -> Vec<String> {
    LAYERED.iter().filter_map(|folder| circle(files, folder)).collect()
}

fn circle(files: &[File], folder: &str) -> Option<String> {
    let is_of_folder =
        |file: &&File| file.path.strip_prefix(folder).is_some_and(|name| name.ends_with(".c") && !name.contains('/'));
    let sources: Vec<(&str, String)> =
        files.iter().filter(is_of_folder).map(|file| (file.path.as_str(), without_comments(&file.text))).collect();
    let calls = calls(&sources);
    let along = calls.keys().find_map(|&first| way_back(&calls, first))?;
    let steps: Vec<String> =
        along.windows(2).map(|step| format!("{} calls {} in", step[0], calls[step[0]][step[1]])).collect();
    Some(format!("a circle: {} {}", steps.join(" "), along[0]))
}

/// The shortest way from a file to itself, with the file at both ends.
fn way_back<'a>(calls: &Calls<'a>, first: &'a str) -> Option<Vec<&'a str>> {
    let mut worklist = vec![vec![first]];
    let mut seen = BTreeSet::new();
    while !worklist.is_empty() {
        let mut longer = Vec::new();
        for way in worklist {
            for &next in calls.get(way[way.len() - 1]).into_iter().flat_map(BTreeMap::keys) {
                let way = [way.as_slice(), &[next]].concat();
                if next == first {
                    return Some(way);
                }
                if seen.insert(next) {
                    longer.push(way);
                }
            }
        }
        worklist = longer;
    }
    None
}

fn calls<'a>(sources: &'a [(&'a str, String)]) -> Calls<'a> {
    let defined: BTreeMap<&str, &str> =
        sources.iter().flat_map(|(path, text)| definitions(text).map(move |name| (name, *path))).collect();
    sources
        .iter()
        .map(|(path, text)| {
            let used = words(text).filter_map(|word| defined.get(word).map(|at| (*at, word)));
            (*path, used.filter(|(at, _)| at != path).collect())
        })
        .collect()
}

/// Names of functions that other files can call: those whose definition begins a line and is not static.
fn definitions(text: &str) -> impl Iterator<Item = &str> {
    let begins = text.match_indices("\n{").map(|(offset, _)| &text[..offset]);
    begins.filter_map(|before| {
        let head = &before[before.rfind([';', '}']).map_or(0, |end| end + 1)..];
        let (declared, _) = head.split_once('(')?;
        let is_static = declared.split_whitespace().any(|word| word == "static");
        if is_static { None } else { words(declared).last() }
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

fn without_comments(text: &str) -> String {
    text.split("/*").enumerate().map(|(index, part)| if index == 0 { part } else { after_comment(part) }).collect()
}

fn after_comment(part: &str) -> &str {
    part.split_once("*/").map_or("", |(_, after)| after)
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tree::File;

    fn files(texts: [&str; 2]) -> [File; 2] {
        let names = ["runtime/net/one.c", "runtime/net/two.c"];
        [0, 1].map(|index| File { path: names[index].into(), text: texts[index].into() })
    }

    #[test]
    fn a_circle_is_found() {
        let problems = check(&files([
            "#include \"x.h\"\n\nvoid first(int a,\n           int b)\n{\n    second();\n}\n",
            "void second(void)\n{\n    first(1, 2);\n}\n",
        ]));
        assert_eq!(
            problems,
            ["a circle: runtime/net/one.c calls second in runtime/net/two.c calls first in runtime/net/one.c"]
        );
    }

    #[test]
    fn functions_of_a_file_alone_and_comments_make_none() {
        let problems = check(&files([
            "static void first(void)\n{\n    second();\n}\n",
            "/* first() is elsewhere */\nvoid second(void)\n{\n}\nstatic int first(int a)\n{\n    return first(a);\n}\n",
        ]));
        assert!(problems.is_empty(), "{problems:?}");
    }
}
