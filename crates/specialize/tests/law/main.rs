//! The law: a residual program does what the original does.
//!
//! In: GCC's torture programs (where `cargo xtask corpora` put them), csmith's random programs, the small cases of
//! `tests/specialize`, and random calls of the C library. Each is specialized as the command would do it, in a process of its own; original and residual
//! are compiled by gcc and clang, run, and compared. A run takes a slice; `SOAK_SEED=n` or `WHITTLE_ALL=1` takes all.

// What a run as a whole finds is said after its trials.
#![allow(clippy::print_stderr)]

mod bundle;
mod cases;
mod compare;
mod conditions;
mod contexts;
mod csmith;
mod divided;
mod inputs;
mod library;
mod linked;
mod literals;
mod machines;
mod mutations;
mod owned;
mod plain;
mod program;
mod random;
mod refusals;
mod slice;
mod torture;
mod worker;

use std::path::Path;
use std::process::ExitCode;

use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if worker::is_asked_for() {
        return worker::run();
    }
    let arguments = Arguments::from_args();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora");
    let mut trials = cases::trials();
    add(&mut trials, "gcc-torture", torture::trials(&corpora.join("gcc-torture")));
    trials.extend(divided::trials(&corpora.join("gcc-torture")));
    trials.extend(library::trials());
    trials.extend(linked::trials());
    trials.extend(machines::trials());
    trials.extend(owned::trials());
    trials.extend(contexts::trials());
    trials.extend(conditions::trials());
    trials.extend(csmith::trials());
    trials.extend(mutations::trials());
    let conclusion = libtest_mimic::run(&arguments, trials);
    refusals::counted().iter().for_each(|line| eprintln!("{line}"));
    let wrong = refusals::too_many();
    wrong.iter().for_each(|line| eprintln!("{line}"));
    let plain = plain::verdict();
    plain.iter().for_each(|(text, _)| eprintln!("{text}"));
    if wrong.is_empty() && plain.is_none_or(|(_, is_wrong)| !is_wrong) {
        conclusion.exit_code()
    } else {
        ExitCode::FAILURE
    }
}

/// Adds the trials of a corpus, or one that says that it is absent.
fn add(trials: &mut Vec<Trial>, name: &str, found: Vec<Trial>) {
    if found.is_empty() {
        trials.push(oracle::absent(format!("law: {name}"), name));
    }
    trials.extend(found);
}
