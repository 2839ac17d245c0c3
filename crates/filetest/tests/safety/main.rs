//! The duties of generated decoders and encoders, on random interfaces: they agree with rpcgen's on every stream and by
//! every pass, and survive whatever arrives. `SOAK_SEED=n` takes other seeds, and more of each (`make soak`).

mod compile;
mod duties;
mod fuzzed;
mod messages;
mod program;
mod tables;
mod toolchain;

use filetest::{oracle, random};
use libtest_mimic::{Arguments, Failed, Trial};
use program::{SUITE, Subject, Variant, all_variants, default_variant, routines_and_tables, run_checks};
use toolchain::{BIG_ENDIAN, CLANG_SANITIZED, GCC, GCC_SANITIZED, NARROW, Toolchain, trial};

/// What a run covers.
struct Plan {
    seed: u64,
    /// Random interface files, and how many inputs each check tries.
    interfaces: u64,
    effort: &'static str,
    /// Inputs that each fuzzer that compares tries.
    runs: u64,
}

fn plan() -> Plan {
    match std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()) {
        Some(seed) => Plan { seed: 1000 * seed, interfaces: 16, effort: "3", runs: 300_000 },
        None => Plan { seed: 1, interfaces: 1, effort: "1", runs: 20_000 },
    }
}

/// What is done with an interface file: its routines in these variants, under these checks.
#[derive(Clone, Copy)]
struct Work {
    verb: &'static str,
    variants: fn() -> Vec<Variant>,
    definitions: usize,
    checks: &'static [&'static str],
}

const SURVIVES: Work = Work {
    verb: "survives",
    variants: routines_and_tables,
    definitions: 12,
    checks: &["agree", "arena", "truncate", "lie", "starve", "random"],
};
/// On other machines, which are emulated: their tables have the cases of `tests/wire`.
const AGREES: Work =
    Work { verb: "agrees", variants: || vec![default_variant()], definitions: 12, checks: &["agree", "starve"] };
const PASSES: Work =
    Work { verb: "is the same by every pass", variants: all_variants, definitions: 9, checks: &["passes"] };

impl Work {
    fn run(&self, name: &str, text: &str, seed: u64, toolchain: &Toolchain) -> Result<(), Failed> {
        let plan = plan();
        let subject = Subject::new(name, text, &(self.variants)())?;
        let program = subject.build(toolchain, &SUITE)?;
        let (small, large) = (subject.messages(seed, 3, 0)?, subject.messages(seed, 3, 60_000)?);
        for check in self.checks {
            // What looks at every byte has enough with small messages.
            let messages = if ["agree", "arena", "passes"].contains(check) { &large } else { &small };
            let messages = messages.display().to_string();
            run_checks(toolchain, &program, &[check, &messages, &seed.to_string(), plan.effort])?;
        }
        Ok(())
    }
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |work: Work, seed: u64, toolchain: Toolchain| {
        let name = format!("random interface {seed} {}, {}", work.verb, toolchain.name);
        let text = move || random::interface(seed, work.definitions);
        trials.push(trial(name.clone(), toolchain, move || work.run(&name, &text(), seed, &toolchain)));
    };
    let plan = plan();
    for index in 0..plan.interfaces {
        let seed = plan.seed + index;
        let (this, other) =
            if index % 2 == 0 { (GCC_SANITIZED, CLANG_SANITIZED) } else { (CLANG_SANITIZED, GCC_SANITIZED) };
        add(SURVIVES, seed, this);
        // One of each kind that `everything.x` has, too: `make soak` goes through them.
        if !oracle::is_soak() {
            continue;
        }
        match index % 4 {
            0 => add(SURVIVES, seed, GCC),
            1 => add(PASSES, seed, other),
            2 => add(AGREES, seed, BIG_ENDIAN),
            _ => add(AGREES, seed, NARROW),
        }
    }
    trials
}

/// Every construct at once: the interface with which compatibility is shown.
fn everything_text() -> Result<String, Failed> {
    let file = toolchain::root().join("tests/compat/everything.x");
    let output = oracle::succeed(oracle::command("cpp").arg("-P").arg(file))?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn everything() -> Vec<Trial> {
    let run = |work: Work, toolchain: Toolchain| {
        let name = format!("everything.x {}, {}", work.verb, toolchain.name);
        let title = name.clone();
        trial(title, toolchain, move || work.run(&name, &everything_text()?, plan().seed, &toolchain))
    };
    vec![run(SURVIVES, GCC_SANITIZED), run(PASSES, CLANG_SANITIZED), run(AGREES, BIG_ENDIAN)]
}

fn main() {
    let trials = trials().into_iter().chain(everything()).chain(fuzzed::trials()).chain(duties::trials()).collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
