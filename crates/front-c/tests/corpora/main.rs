//! C that others wrote, through the front end and back: what is printed compiles and does what the original does.
//!
//! GCC's torture programs, csmith's random programs, and whole libraries. They are found where `cargo xtask corpora` put
//! them. A run takes a slice; `SOAK_SEED=n` or `WHITTLE_ALL=1` takes all.

mod case;
mod csmith;
mod libraries;
mod samples;
mod torture;

use std::path::Path;

use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let arguments = Arguments::from_args();
    let corpora = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora");
    let mut trials: Vec<Trial> = Vec::new();
    add(&mut trials, "gcc-torture", torture::trials(&corpora.join("gcc-torture")));
    trials.extend(csmith::trials());
    trials.extend(libraries::trials(&corpora));
    libtest_mimic::run(&arguments, trials).exit();
}

/// Adds the trials of a corpus, or one that says that it is absent.
fn add(trials: &mut Vec<Trial>, name: &str, found: Vec<Trial>) {
    if found.is_empty() {
        trials.push(oracle::absent(format!("corpora: {name}"), name));
    }
    trials.extend(found);
}
