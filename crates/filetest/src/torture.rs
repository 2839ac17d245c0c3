//! What the comments of GCC's torture programs say to whoever runs them.

use std::fs;
use std::path::Path;

/// The options that a program asks for, as in `{ dg-options "-fwrapv" }`.
pub fn flags(program: &Path) -> Vec<String> {
    let text = String::from_utf8_lossy(&fs::read(program).unwrap_or_default()).into_owned();
    let lines = text.lines().filter(|line| line.contains("dg-options") || line.contains("dg-additional-options"));
    // What is for other machines says so behind the options.
    let ours = lines.filter(|line| !line.contains("target"));
    ours.flat_map(|line| line.split('"').nth(1).unwrap_or("").split_whitespace()).map(str::to_owned).collect()
}
