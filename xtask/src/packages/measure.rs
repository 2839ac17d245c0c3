//! Compiles a generated file as its package does. In: a C file and flags. Out: whether it compiles, the warnings, the bytes that are
//! loaded, and the processor's time.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::making::{Made, Output};

/// What a compiler made of a file.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    pub(crate) object: PathBuf,
    /// Its first error, or what the tool said that should have made the file.
    pub(crate) failure: Option<String>,
    /// The options of gcc's that the warnings are of, one a warning.
    pub(crate) warnings: Vec<String>,
    /// Bytes of code, constants and variables.
    pub(crate) size: u64,
    /// Of the processor.
    pub(crate) milliseconds: u64,
}

/// Compiles with the package's flags and these.
pub(crate) fn compile(made: &Made, output: &Output, more: &[&str]) -> Compiled {
    let object = output.path.with_extension("o");
    let mut compiled = Compiled {
        object: object.clone(),
        failure: output.failure.clone(),
        warnings: Vec::new(),
        size: 0,
        milliseconds: 0,
    };
    if compiled.failure.is_some() {
        return compiled;
    }
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-fdiagnostics-color=never"]).args(&made.flags).args(more).arg("-c");
    gcc.arg(format!("-I{}", output.path.parent().unwrap_or(Path::new(".")).display()));
    // Without optimization there is nothing to compare.
    gcc.arg(&output.path).arg("-o").arg(&object).env("LC_ALL", "C");
    let before = children_milliseconds();
    let done = gcc.output();
    compiled.milliseconds = children_milliseconds().saturating_sub(before);
    match done {
        Err(problem) => compiled.failure = Some(format!("gcc: {problem}")),
        Ok(done) => {
            let said = String::from_utf8_lossy(&done.stderr).into_owned();
            compiled.warnings = said.lines().filter(|line| line.contains(" warning: ")).map(kind_of_warning).collect();
            if done.status.success() {
                compiled.size = loaded(&object);
            } else {
                compiled.failure = Some(first_error(&said));
            }
        }
    }
    compiled
}

/// `x.c:1:2: warning: text [-Wkind]`.
fn kind_of_warning(line: &str) -> String {
    let kind = line.rsplit_once("[-W").and_then(|(_, kind)| kind.strip_suffix(']'));
    kind.unwrap_or("always").to_owned()
}

/// The message with the file's name, without the folders.
fn first_error(said: &str) -> String {
    let line =
        said.lines().find(|line| line.contains("error: ")).or_else(|| said.lines().last()).unwrap_or("gcc fails");
    let (place, rest) = line.split_once(": ").unwrap_or(("", line));
    format!("{}: {rest}", place.rsplit('/').next().unwrap_or(place)).trim_start_matches(": ").to_owned()
}

/// The sections of code, constants and variables; no unwind tables.
pub(crate) fn loaded(object: &Path) -> u64 {
    let output = Command::new("size").arg("-A").arg(object).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let is_counted = |name: &str| [".text", ".rodata", ".data"].iter().any(|kind| name.starts_with(kind));
    let size = |line: &str| {
        let mut words = line.split_whitespace();
        let name = words.next()?;
        if is_counted(name) { words.next()?.parse::<u64>().ok() } else { None }
    };
    text.lines().filter_map(size).sum()
}

/// What the processor spent on this program's children, in steps of 10 ms.
pub(crate) fn children_milliseconds() -> u64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold blanks; after it, the fields are counted from the third.
    let fields = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>() * 10
}
