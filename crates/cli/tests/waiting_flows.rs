//! Stages that wait for packets of several inports, over each transport: what is given to a middle together belongs together, nothing
//! is given twice, and each packet is accounted for, also of a stage that dies or wants no more. Sources in `tests/flows/waits`. No
//! test looks at a clock.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use filetest::files::Failures;
use filetest::ports::Ports;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

/// Each edge, and what became of its packets.
type Accounts = Vec<(String, [u64; 7])>;

fn folder() -> Result<Scratch, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/waits");
    Ok(Scratch::with_files_of("waiting-flows", &sources)?)
}

fn run(folder: &Scratch, flow: &str, switch: &str) -> Result<Output, Box<dyn Error>> {
    let (ports, pages) = (Ports::take()?, format!("run-{flow}{switch}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "waits.spi", "--flow", flow, "--dir", &pages, "--port", &ports.first.to_string()]);
    command.current_dir(folder.path()).env("CFLAGS", "-O1 -g -I. -Wall -Wextra -Wpedantic -Werror").env("LTO", "");
    if !switch.is_empty() {
        command.env(switch, "1");
    }
    Ok(command.output()?)
}

/// Of each edge: offered, delivered, waiting, under way, dropped, faulty, unknown. Each is in balance, and nothing is on its way.
fn accounts(output: &Output, flow: &str) -> Result<Accounts, Box<dyn Error>> {
    let text = String::from_utf8(output.stdout.clone())?;
    let mut accounts = Vec::new();
    for line in text.lines().filter(|line| line.contains(" -> ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let counts: Vec<u64> = words[3..].iter().map_while(|word| word.parse().ok()).collect();
        let counts: [u64; 7] = counts.first_chunk().copied().ok_or_else(|| format!("{flow}: {line}"))?;
        let [offered, others @ ..] = counts;
        assert_eq!(offered, others.iter().sum::<u64>(), "{flow}, {line}: {output:?}");
        assert_eq!((counts[2], counts[3], counts[5]), (0, 0, 0), "{flow}, {line}: {output:?}");
        accounts.push((format!("{} -> {}", words[0], words[2]), counts));
    }
    Ok(accounts)
}

/// Runs a flow that ends well, in which a line is printed; its accounts.
fn assert_prints(folder: &Scratch, (flow, switch): (&str, &str), lines: &[&str]) -> Result<Accounts, Box<dyn Error>> {
    let output = run(folder, flow, switch)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{flow}: {output:?}");
    for line in lines {
        assert!(text.lines().any(|printed| printed == *line), "{flow}, {line}: {output:?}");
    }
    accounts(&output, flow)
}

/// What was offered at all edges to a port, and what was delivered.
fn of_port(accounts: &[(String, [u64; 7])], port: &str) -> (u64, u64) {
    let to_port = accounts.iter().filter(|(edge, _)| edge.ends_with(&format!("-> {port}")));
    to_port.fold((0, 0), |(offered, delivered), (_, counts)| (offered + counts[0], delivered + counts[1]))
}

#[test]
fn headers_say_what_is_waited_for() -> Outcome {
    let (folder, sources) = (folder()?, Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/waits"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let output = command.args(["compile", "waits.spi"]).current_dir(folder.path()).output()?;
    assert!(output.status.success(), "{output:?}");
    let mut failures = Failures::default();
    for pipe in ["All", "Any", "Newest", "Pairs"] {
        let header = fs::read_to_string(folder.path().join(format!("{pipe}.h")))?;
        failures.compare(&sources.join(format!("{pipe}.c")), "header", &header);
    }
    failures.report("whittle --test waiting_flows");
    Ok(())
}

#[test]
fn templates_build_and_run_as_they_are() -> Outcome {
    let folder = folder()?;
    for pipe in ["All", "Any", "Newest", "Pairs", "Timed", "Lefts", "Rights", "Slow", "Sink", "Hasty"] {
        fs::remove_file(folder.path().join(format!("{pipe}.c")))?;
    }
    for flow in ["all_mixed", "newest_direct", "pairs_shm", "timed"] {
        let output = run(&folder, flow, "")?;
        assert!(output.status.success(), "{flow}: {output:?}");
    }
    Ok(())
}

#[test]
fn one_of_each_comes_together() -> Outcome {
    let folder = folder()?;
    for flow in ["all_tcp", "all_unix", "all_shm", "all_mixed"] {
        let accounts = assert_prints(&folder, (flow, ""), &["All: 50 calls, 0 faults", "Sink: 50 calls, 0 faults"])?;
        assert_eq!(
            (of_port(&accounts, "All.a").1, of_port(&accounts, "All.b")),
            (50, (50, 50)),
            "{flow}: {accounts:?}"
        );
    }
    Ok(())
}

#[test]
fn one_of_any_comes_alone() -> Outcome {
    let accounts = assert_prints(&folder()?, ("any_unix", ""), &["Any: 150 calls, 0 faults"])?;
    assert_eq!((of_port(&accounts, "Any.a"), of_port(&accounts, "Any.b")), ((100, 100), (50, 50)), "{accounts:?}");
    Ok(())
}

#[test]
fn the_newest_of_each_comes() -> Outcome {
    let folder = folder()?;
    for flow in ["newest_tcp", "newest_unix", "newest_shm", "newest_direct"] {
        let accounts = assert_prints(&folder, (flow, ""), &["Newest: 100 and 50 in the end, 0 faults"])?;
        assert_eq!(
            (of_port(&accounts, "Newest.a").0, of_port(&accounts, "Newest.b").0),
            (100, 50),
            "{flow}: {accounts:?}"
        );
    }
    Ok(())
}

#[test]
fn a_timer_rings_while_its_stage_waits() -> Outcome {
    assert_prints(&folder()?, ("timed", ""), &["Timed: 10 calls, it has rung"])?;
    Ok(())
}

#[test]
fn two_of_one_number_come_together() -> Outcome {
    let folder = folder()?;
    for flow in ["pairs_tcp", "pairs_unix", "pairs_shm"] {
        let accounts = assert_prints(&folder, (flow, ""), &["Pairs: 50 calls, 0 faults", "Sink: 50 calls, 0 faults"])?;
        let of = |port: &str| of_port(&accounts, port);
        assert_eq!((of("Pairs.a"), of("Pairs.b")), ((100, 50), (50, 50)), "{flow}: {accounts:?}");
    }
    Ok(())
}

#[test]
fn a_stage_that_wants_no_more_pairs_leaves_no_packet_out() -> Outcome {
    assert_prints(&folder()?, ("pairs_unix", "ENOUGH"), &["Pairs: 10 calls, 0 faults", "Sink: 10 calls, 0 faults"])?;
    Ok(())
}

#[test]
fn what_has_no_other_in_time_is_dropped() -> Outcome {
    let folder = folder()?;
    let accounts = assert_prints(&folder, ("hasty_unix", "STRANGE"), &["Hasty: 0 calls, 0 faults"])?;
    assert_eq!((of_port(&accounts, "Hasty.a").1, of_port(&accounts, "Hasty.b").1), (0, 0), "{accounts:?}");
    let output = run(&folder, "hasty_unix", "")?;
    assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains(", 0 faults"), "{output:?}");
    accounts_of_pairs(&output)
}

fn accounts_of_pairs(output: &Output) -> Outcome {
    let accounts = accounts(output, "hasty_unix")?;
    assert_eq!(of_port(&accounts, "Hasty.a").1, of_port(&accounts, "Hasty.b").1, "{accounts:?}");
    Ok(())
}

#[test]
fn what_a_stage_that_died_had_kept_is_unknown() -> Outcome {
    let output = run(&folder()?, "dying", "DIES")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains(" calls, 0 faults"), "{output:?}");
    let accounts = accounts(&output, "dying")?;
    // The two of the pair at least, one of which was in hand, and the other kept.
    let unknown: u64 = accounts.iter().filter(|(edge, _)| edge.contains("-> Pairs")).map(|(_, counts)| counts[6]).sum();
    assert!(unknown >= 2, "{output:?}");
    Ok(())
}
