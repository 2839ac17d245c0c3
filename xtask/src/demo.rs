//! `make demo`: the directory service, built with rpcgen and with whittle, run, and timed.

use std::process::Command;

use crate::{cargo, tree};

/// Builds whittle; the example's own Makefile does the rest.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let whittle = cargo::build_whittle()?;
    let mut make = Command::new("make");
    make.args(["--no-print-directory", "-C", "examples/directory", "demo"]);
    make.arg(format!("WHITTLE={}", whittle.display())).current_dir(tree::root());
    cargo::run(&mut make, "make demo")
}
