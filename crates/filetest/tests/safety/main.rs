//! The duties of generated decoders and encoders, on random interfaces: they agree with rpcgen's on every stream and by
//! every pass, and survive whatever arrives. `SOAK_SEED=n` takes other seeds, and more of each (`make soak`).

mod compile;
mod duties;
mod messages;
mod program;
mod tables;

use filetest::{oracle, random};
use libtest_mimic::{Arguments, Failed, Trial};
use program::{CLANG_SANITIZED, GCC, GCC_SANITIZED, SUITE, Subject, Toolchain, all_variants, default_variant, run_checks};

/// What a run covers.
struct Plan {
    seed: u64,
    /// Random interface files, and how many inputs each check tries.
    interfaces: u64,
    effort: &'static str,
}

fn plan() -> Plan {
    match std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse::<u64>().ok()) {
        Some(seed) => Plan { seed: 1000 * seed, interfaces: 24, effort: "4" },
        None => Plan { seed: 1, interfaces: 4, effort: "1" },
    }
}

const CHECKS: [&str; 6] = ["agree", "arena", "truncate", "lie", "starve", "random"];

/// Every check over an interface file's types.
fn survives(name: &str, text: &str, toolchain: &Toolchain, plan: &Plan) -> Result<(), Failed> {
    let subject = Subject::new(name, text, &[default_variant()])?;
    let program = subject.build(toolchain, &SUITE)?;
    let (small, large) = (subject.messages(plan.seed, 3, 0)?, subject.messages(plan.seed, 2, 60_000)?);
    for check in CHECKS {
        // What looks at every byte has enough with small messages.
        let messages = if ["agree", "arena"].contains(&check) { &large } else { &small };
        run_checks(&program, &[check, &messages.display().to_string(), &plan.seed.to_string(), plan.effort])?;
    }
    Ok(())
}

fn passes_agree(name: &str, text: &str, toolchain: &Toolchain, plan: &Plan) -> Result<(), Failed> {
    let subject = Subject::new(name, text, &all_variants())?;
    let program = subject.build(toolchain, &SUITE)?;
    let messages = subject.messages(plan.seed, 6, 40_000)?;
    run_checks(&program, &["passes", &messages.display().to_string(), &plan.seed.to_string(), plan.effort])
}

fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    let mut add = |name: String, toolchain: Toolchain, run: Box<dyn FnOnce(&str) -> Result<(), Failed> + Send>| {
        let folder = name.clone();
        trials.push(oracle::trial(name, &["rpcgen", toolchain.compiler], move || run(&folder)));
    };
    let plan = plan();
    for index in 0..plan.interfaces {
        let seed = plan.seed + index;
        for toolchain in [GCC_SANITIZED, CLANG_SANITIZED, GCC] {
            let name = format!("random interface {seed} survives, {}", toolchain.name);
            let run = move |name: &str| survives(name, &random::interface(seed, 12), &toolchain, &self::plan());
            add(name, toolchain, Box::new(run));
        }
        if index % 2 == 0 {
            let toolchain = if index % 4 == 0 { GCC_SANITIZED } else { CLANG_SANITIZED };
            let name = format!("every pass does the same for random interface {seed}, {}", toolchain.name);
            let run = move |name: &str| passes_agree(name, &random::interface(seed, 10), &toolchain, &self::plan());
            add(name, toolchain, Box::new(run));
        }
    }
    trials
}

fn main() {
    libtest_mimic::run(&Arguments::from_args(), trials().into_iter().chain(duties::trials()).collect()).exit();
}
