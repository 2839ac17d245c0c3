//! Types and functions of an interface file: everything that was generated is linked into a shared object with debug information, once
//! of each tool's files, and `abidiff` compares the two. In: both tools' files. Out: its lines, or why there is nothing to compare.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Side, Sides};
use crate::packages::making;

/// Why types could not be compared.
pub(super) enum Obstacle {
    /// rpcgen's files do not compile.
    Theirs(String),
    /// Ours do not, or carry no debug information.
    Ours(String),
}

/// Lines of `abidiff` that say what differs.
pub(super) fn compare(sides: &Sides<'_>) -> Result<Vec<String>, Obstacle> {
    // Some packages write the client by hand, since what rpcgen makes of it does not compile.
    let (theirs, is_wanted) = shared(&sides.theirs, with_client)
        .map(|object| (object, with_client as fn(&str) -> bool))
        .or_else(|problem| {
            Ok((shared(&sides.theirs, is_routines).map_err(|_| problem)?, is_routines as fn(&str) -> bool))
        })
        .map_err(Obstacle::Theirs)?;
    let ours = shared(&sides.ours, is_wanted).map_err(Obstacle::Ours)?;
    for object in [&theirs, &ours] {
        if !has_debug_information(object) {
            return Err(Obstacle::Ours(format!("{} has no debug information", object.display())));
        }
    }
    let mut abidiff = Command::new("abidiff");
    // Every type has a routine, through which it is reached.
    let output = abidiff.arg("--no-show-locs").arg(&theirs).arg(&ours).output();
    let output = output.map_err(|problem| Obstacle::Ours(format!("abidiff: {problem}")))?;
    // Bits: an error, a wrong use, a change, an incompatible change.
    let code = output.status.code().unwrap_or(1);
    if code & 3 != 0 {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(Obstacle::Ours(format!("abidiff: {}", said.lines().next().unwrap_or("fails"))));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if code == 0 {
        return Ok(Vec::new());
    }
    Ok(text.lines().filter(|line| !line.trim().is_empty()).map(|line| line.trim_end().to_owned()).collect())
}

fn with_client(ending: &str) -> bool {
    ending.ends_with(".c") && !ending.contains("svc") && !ending.contains("_all")
}

fn is_routines(ending: &str) -> bool {
    with_client(ending) && !ending.contains("clnt")
}

/// Links generated files; what they call is not needed.
fn shared(side: &Side<'_>, is_wanted: fn(&str) -> bool) -> Result<PathBuf, String> {
    let sources = side.files(is_wanted);
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
