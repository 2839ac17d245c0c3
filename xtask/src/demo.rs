//! `make demo`: the directory service, built twice, run, and timed.

use std::process::Command;

use crate::tree;

/// Builds whittle, hands over to the example's own Makefile.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let status = Command::new("make")
        .args(["-C", "examples/directory", "demo"])
        .current_dir(tree::root())
        .status()
        .map_err(|problem| vec![format!("make: {problem}")])?;
    if status.success() { Ok(()) } else { Err(vec!["demo: make failed".into()]) }
}
