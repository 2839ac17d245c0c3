//! What cargo knows about the workspace, and builds of it.

use std::path::PathBuf;
use std::process::Command;

use serde_json::Value;

use crate::tree;

/// The cargo that runs this, or the one on the path.
pub(crate) fn command() -> Command {
    let mut command = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()));
    command.current_dir(tree::root());
    command
}

/// `cargo metadata`, without the packages of others.
pub(crate) fn metadata() -> Result<Value, Vec<String>> {
    let output = command()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|problem| vec![format!("cargo metadata: {problem}")])?;
    serde_json::from_slice(&output.stdout).map_err(|problem| vec![format!("cargo metadata: {problem}")])
}

/// The same with all packages that are built with, as the lock file has them.
pub(crate) fn graph() -> Result<Value, Vec<String>> {
    let output = command()
        .args(["metadata", "--format-version", "1", "--locked"])
        .output()
        .map_err(|problem| vec![format!("cargo metadata: {problem}")])?;
    if !output.status.success() {
        return Err(vec![format!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr).trim_end())]);
    }
    serde_json::from_slice(&output.stdout).map_err(|problem| vec![format!("cargo metadata: {problem}")])
}

/// Builds the command and says where it is.
pub(crate) fn build_whittle() -> Result<PathBuf, Vec<String>> {
    run(command().args(["build", "--quiet", "--release", "--package", "whittle"]), "cargo build")?;
    Ok(target()?.join("release/whittle"))
}

/// The same as tests have it: not optimized, and most often there already.
pub(crate) fn build_whittle_quickly() -> Result<PathBuf, Vec<String>> {
    run(command().args(["build", "--quiet", "--package", "whittle"]), "cargo build")?;
    Ok(target()?.join("debug/whittle"))
}

/// The folder that cargo builds into.
pub(crate) fn target() -> Result<PathBuf, Vec<String>> {
    let metadata = metadata()?;
    Ok(PathBuf::from(metadata["target_directory"].as_str().unwrap_or("target")))
}

/// Runs a command that speaks for itself.
pub(crate) fn run(command: &mut Command, name: &str) -> Result<(), Vec<String>> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(vec![format!("{name}: {status}")]),
        Err(problem) => Err(vec![format!("{name}: {problem}")]),
    }
}
