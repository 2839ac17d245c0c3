//! Long runs of the random suites: rounds of tests with more cases and another seed each, until the time is up. Then the kernels
//! whose sources are named (`MACH_SRC`, `SEL4_SRC`), storms over flows, all packages that run rpcgen, all attacks, all faults, and attacks under sanitizers. Last, a look at whether the
//! specializer's suite notices anything.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::{abi, attack, cargo, faults, mutate, packages, tree};

/// The kinds of random programs of the specializer's law.
const KINDS: [&str; 7] = ["linked:", "machines:", "owned:", "contexts:", "conditions:", "library:", "csmith"];

/// Storms of a soak: more than 10,000 blows.
const STORMS: &str = "20";

/// Programs after which a run takes note of where it is.
const CHUNK: u64 = 200;

/// Specializes so many random programs of each kind, from where the last run ended. A failure ends it and names its seed.
pub(crate) fn programs(count: &str) -> Result<(), Vec<String>> {
    from_last("programs", count, CHUNK, |next, end| {
        for kind in KINDS {
            let mut test = cargo::command();
            test.args(["test", "--release", "--quiet", "-p", "specialize", "--test", "law", "--", kind]);
            test.env("LAW_SEEDS", format!("{next}..{end}"));
            cargo::run(
                &mut test,
                &format!("LAW_SEEDS={next}..{end} cargo test --release -p specialize --test law -- {kind}"),
            )?;
        }
        Ok(())
    })
}

/// Storms over the edges of flows, from where the last run ended: each kills, stops and cuts off processes some 670 times.
/// A failure ends it and names its seed.
pub(crate) fn storms(count: &str) -> Result<(), Vec<String>> {
    from_last("storms", count, 1, |seed, _| {
        let mut make = Command::new("make");
        let seed = format!("SEED={seed}");
        let tests = tree::root().join("runtime/flow/tests");
        make.arg("-s").arg("-C").arg(tests).args(["storm", &seed]);
        cargo::run(&mut make, &format!("make -C runtime/flow/tests storm {seed}"))
    })
}

/// Runs `count` cases by `run`, which takes the first and the one behind the last, `chunk` at a time. `target/soak/NAME` has the
/// number of the next one.
fn from_last(
    name: &str,
    count: &str,
    chunk: u64,
    run: impl Fn(u64, u64) -> Result<(), Vec<String>>,
) -> Result<(), Vec<String>> {
    let count: u64 = count.parse().map_err(|_| vec![format!("soak {name} takes a number, not `{count}`")])?;
    let place = tree::root().join("target/soak").join(name);
    let failed = |problem: std::io::Error| vec![format!("{}: {problem}", place.display())];
    let known = fs::read_to_string(&place).ok().and_then(|text| text.trim().parse().ok());
    let (mut next, start): (u64, u64) = (known.unwrap_or(1), known.unwrap_or(1));
    fs::create_dir_all(place.parent().unwrap_or(&place)).map_err(failed)?;
    while next < start + count {
        let end = (next + chunk).min(start + count);
        run(next, end)?;
        next = end;
        fs::write(&place, format!("{next}\n")).map_err(failed)?;
        println!("soak: {name} {start} to {} hold", next - 1);
    }
    Ok(())
}

/// Builds, boots and tests each kernel whose sources the environment names.
fn kernels() -> Result<(), Vec<String>> {
    for (target, variable) in [("mach", "MACH_SRC"), ("sel4", "SEL4_SRC")] {
        let Some(sources) = std::env::var_os(variable).filter(|sources| !sources.is_empty()) else {
            println!("soak: `make {target}` is left out: {variable} names no sources");
            continue;
        };
        let mut make = Command::new("make");
        make.arg("-C").arg(tree::root()).arg(target).env(variable, sources);
        cargo::run(&mut make, &format!("make {target} {variable}=DIR"))?;
    }
    Ok(())
}

/// Runs for so many hours (`0.1` will do for a try). A round that fails ends it and names its seed.
pub(crate) fn run(hours: &str) -> Result<(), Vec<String>> {
    let hours: f64 = hours.parse().map_err(|_| vec![format!("soak takes hours, not `{hours}`")])?;
    let time = Duration::try_from_secs_f64(hours * 3600.0).map_err(|problem| vec![problem.to_string()])?;
    let start = Instant::now();
    let mut round = 0_u32;
    while start.elapsed() < time {
        round += 1;
        println!("soak: round {round}, {} of {} s", start.elapsed().as_secs(), time.as_secs());
        let mut test = cargo::command();
        test.args(["test", "--workspace", "--release", "--quiet"]);
        test.env("PROPTEST_CASES", "20000").env("WHITTLE_FUZZ_INPUTS", "1000000").env("SOAK_SEED", round.to_string());
        let again = format!(
            "round {round} (SOAK_SEED={round} PROPTEST_CASES=20000 WHITTLE_FUZZ_INPUTS=1000000 cargo test --release)"
        );
        cargo::run(&mut test, &again)?;
    }
    println!("soak: {round} rounds in {} s, no failure", start.elapsed().as_secs());
    kernels()?;
    storms(STORMS)?;
    // Every package that runs rpcgen, as it is and by its debug information; services both ways.
    packages::run(&[])?;
    abi::run(&[])?;
    packages::services::run(&[])?;
    // Each attack and each fault once; then a quarter of the time under sanitizers.
    attack::run(&[])?;
    faults::run(&[])?;
    let slice = (hours * 3600.0 / 8.0).max(60.0).to_string();
    for sanitizer in ["thread", "address,undefined"] {
        attack::run(&["--sanitize", sanitizer, "--seconds", &slice])?;
    }
    mutate::run()
}
