//! Types and functions of an interface file: everything that was generated is linked into a shared object with debug information, once
//! of each tool's files, and `abidiff` compares the two. In: both tools' files. Out: its lines, or why there is nothing to compare.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Side, Sides};
use crate::packages::making;

/// Types that only routines use, and what they are aligned like.
const PRIVATE: &str = "[suppress_type]\nname_regexp = ^(whittle_|max_align_t)\n";

/// Why types could not be compared.
pub(super) enum Obstacle {
    /// rpcgen's files do not compile.
    Theirs(String),
    /// Ours do not, or carry no debug information.
    Ours(String),
}

/// Lines of `abidiff` that say what differs.
pub(super) fn compare(sides: &Sides<'_>) -> Result<Vec<String>, Obstacle> {
    let theirs = shared(&sides.theirs).map_err(Obstacle::Theirs)?;
    let ours = shared(&sides.ours).map_err(Obstacle::Ours)?;
    for object in [&theirs, &ours] {
        if !has_debug_information(object) {
            return Err(Obstacle::Ours(format!("{} has no debug information", object.display())));
        }
    }
    let private = ours.with_extension("private");
    std::fs::write(&private, PRIVATE).map_err(|problem| Obstacle::Ours(format!("{}: {problem}", private.display())))?;
    let mut abidiff = Command::new("abidiff");
    abidiff.args(["--no-show-locs", "--non-reachable-types"]).arg("--suppressions").arg(&private);
    let output = abidiff.arg(&theirs).arg(&ours).output();
    let output = output.map_err(|problem| Obstacle::Ours(format!("abidiff: {problem}")))?;
    // Bits: an error, a wrong use, a change, an incompatible change.
    let code = output.status.code().unwrap_or(1);
    if code & 3 != 0 {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Obstacle::Ours(format!("abidiff: {}", said.lines().next().unwrap_or("fails"))));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if code == 0 || only_new_types(&text) {
        return Ok(Vec::new());
    }
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()).collect())
}

/// A type that no function reaches may be one that rpcgen's header has under its other name, as `struct T` or as `T`.
fn only_new_types(report: &str) -> bool {
    let is_same = |line: &str| {
        let (what, counts) = line.split_once(" summary: ").unwrap_or_default();
        let counts: Vec<&str> = counts.split(", ").filter(|count| !count.starts_with("0 ")).collect();
        counts.is_empty() || (what.starts_with("Unreachable") && counts.iter().all(|count| count.contains(" added ")))
    };
    report.lines().filter(|line| line.contains(" summary: ")).all(is_same)
}

/// Links the routines and the client, if there is one; what they call is not needed.
fn shared(side: &Side<'_>) -> Result<PathBuf, String> {
    let sources = side.files(|ending| ending.ends_with(".c") && !ending.contains("svc") && !ending.contains("_all"));
    if let Some(problem) = side.outputs.iter().find_map(|output| output.failure.clone()) {
        return Err(problem);
    }
    let headers = side.files(|ending| ending.ends_with(".h"));
    let first = headers.first().ok_or_else(|| "there is no header".to_owned())?;
    let (object, anchor) = (first.with_extension("so"), first.with_extension("anchor.c"));
    // An interface may have no routine at all, and a header more than the routines need.
    let name = first.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let text = format!("#include \"{name}\"\nint anchor;\n");
    std::fs::write(&anchor, text).map_err(|problem| format!("{}: {problem}", anchor.display()))?;
    let mut gcc = Command::new("gcc");
    gcc.args(["-g", "-O0", "-w", "-fPIC", "-shared", "-fno-eliminate-unused-debug-types"]).args(&side.made.flags);
    // One place of symbols for both: hiding is not what is compared.
    gcc.arg("-fvisibility=default").arg(&anchor).args(&sources).arg("-o").arg(&object).env("LC_ALL", "C");
    making::run(&mut gcc)?;
    Ok(object)
}

fn has_debug_information(object: &Path) -> bool {
    let output = Command::new("readelf").args(["-S", "--wide"]).arg(object).output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(".debug_info"))
}
