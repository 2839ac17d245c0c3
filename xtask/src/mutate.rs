//! Does the specializer's suite notice? One duty after the other is forgotten, and some trial must fail for each.

use crate::cargo;

/// Runs the trials that do it; they name who noticed.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let mut test = cargo::command();
    test.args(["test", "-p", "specialize", "--features", "mutations", "--test", "law", "--"]);
    test.args(["--test-threads", "1", "mutation"]);
    cargo::run(&mut test, "cargo xtask mutate")
}
