//! Flags of a build for its own files: `compile_commands.json`, as CMake, Meson, Bear and others write it. In: the file, and the C files
//! that are to be read. Out: for each of them, the flags that decide what its text means. Source: Clang, "JSON Compilation Database
//! Format Specification".

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use driver::Failure;
use serde::Deserialize;

use crate::errors;

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    /// As a shell reads it, where there are no `arguments`.
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Flags with a value of their own, which may follow at once; those of folders and files are relative to the entry's folder.
const PATHS: [&str; 6] = ["-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros"];
const VALUES: [&str; 2] = ["-D", "-U"];

/// Flags that stand for themselves, by their beginnings.
const ALONE: [&str; 8] = [
    "-std=",
    "-ansi",
    "-pthread",
    "-fsigned-char",
    "-funsigned-char",
    "-fshort-enums",
    "-fno-builtin",
    "-ffreestanding",
];

/// The flags for each of `files` that the build compiles, by the name given here.
///
/// # Errors
///
/// What cannot be read or is no list of commands.
pub(crate) fn flags(path: &str, files: &[&String]) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let inside = Path::new(path).join("compile_commands.json");
    let path = if inside.is_file() { inside } else { PathBuf::from(path) };
    let text = fs::read_to_string(&path).map_err(|why| errors::bad_commands(&path, &errors::describe(&why)))?;
    let entries: Vec<Entry> =
        serde_json::from_str(&text).map_err(|why| errors::bad_commands(&path, &why.to_string()))?;
    let mut found = BTreeMap::new();
    for file in files {
        let Ok(real) = fs::canonicalize(file) else { continue };
        let is_it = |entry: &&Entry| fs::canonicalize(entry.directory.join(&entry.file)).is_ok_and(|of| of == real);
        if let Some(entry) = entries.iter().find(is_it) {
            found.insert((*file).clone(), entry.flags());
        }
    }
    Ok(found)
}

impl Entry {
    fn flags(&self) -> Vec<String> {
        let words = self.arguments.clone().or_else(|| shlex::split(self.command.as_deref()?));
        let mut words = words.unwrap_or_default().into_iter().skip(1);
        let mut flags = Vec::new();
        while let Some(word) = words.next() {
            if ALONE.iter().any(|alone| word.starts_with(alone)) {
                flags.push(word);
                continue;
            }
            let starts = |flag: &&&str| word.starts_with(**flag);
            let is_path = PATHS.iter().find(starts);
            let Some(flag) = is_path.or_else(|| VALUES.iter().find(starts)) else { continue };
            let value = match word.strip_prefix(flag).filter(|rest| !rest.is_empty()) {
                Some(rest) => Some(rest.to_owned()),
                None => words.next(),
            };
            let Some(value) = value else { continue };
            let value = if is_path.is_some() { self.directory.join(value).display().to_string() } else { value };
            // A folder's flag and its value are one word or two, by the flag's length.
            if flag.len() == 2 {
                flags.push(format!("{flag}{value}"))
            } else {
                flags.extend([(*flag).to_owned(), value])
            }
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_decide_what_a_text_means_are_taken() {
        let entry = |command: &str| Entry {
            directory: "/build".into(),
            file: "a.c".into(),
            command: Some(command.to_owned()),
            arguments: None,
        };
        let flags =
            entry("gcc -Iinc -I ../x -DA='b c' -U B -isystem s -O2 -Wall -std=gnu99 -c -o a.o a.c -MF a.d").flags();
        let expected = ["-I/build/inc", "-I/build/../x", "-DA=b c", "-UB", "-isystem", "/build/s", "-std=gnu99"]
            .map(str::to_owned);
        assert_eq!(flags, expected);
        assert_eq!(entry("gcc -D").flags(), Vec::<String>::new());
        assert_eq!(entry("'unended").flags(), Vec::<String>::new());
    }
}
