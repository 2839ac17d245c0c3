//! What the header of an interface file defines for the preprocessor. In: both tools' headers. Out: macros that only one has, or that
//! differ.

use std::collections::BTreeMap;
use std::process::Command;

use super::{Side, Sides};

/// A line for each difference.
pub(super) fn compare(sides: &Sides<'_>) -> Result<Vec<String>, String> {
    let (theirs, ours) = (macros(&sides.theirs)?, macros(&sides.ours)?);
    let mut lines = Vec::new();
    for (name, value) in &theirs {
        match ours.get(name) {
            None => lines.push(format!("macro {name} is missing; rpcgen's is `{value}`")),
            Some(other) if other != value => lines.push(format!("macro {name} is `{other}`; rpcgen's is `{value}`")),
            Some(_) => {}
        }
    }
    let more = ours.iter().filter(|(name, _)| !theirs.contains_key(*name));
    lines.extend(more.map(|(name, value)| format!("macro {name} is only ours: `{value}`")));
    Ok(lines)
}

fn macros(side: &Side<'_>) -> Result<BTreeMap<String, String>, String> {
    let headers = side.files(|ending| ending.ends_with(".h"));
    let mut all = BTreeMap::new();
    for header in headers {
        let mut gcc = Command::new("gcc");
        gcc.args(["-dM", "-E", "-w", "-x", "c"]).args(&side.made.flags).arg(header).env("LC_ALL", "C");
        let output = gcc.output().map_err(|problem| format!("gcc: {problem}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("the header is not preprocessed: {}", said.lines().next().unwrap_or("gcc fails")));
        }
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let definitions = text.lines().filter_map(|line| line.strip_prefix("#define "));
        // Whittle's own, which C++ alone needs.
        let definitions = definitions.filter(|line| !line.starts_with("WHITTLE_INT_ENUM"));
        all.extend(definitions.map(|line| {
            let (name, value) = line.split_once(' ').unwrap_or((line, ""));
            (name.to_owned(), value.to_owned())
        }));
    }
    Ok(all)
}
