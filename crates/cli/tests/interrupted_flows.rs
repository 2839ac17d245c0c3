//! A flow that is interrupted as a terminal does it, all its processes at once, drains: what was sent arrives. One whose
//! `whittle pipe run` is killed ends, too. And a table shows this run's packets only.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use filetest::accounts::{self, is_there, wait_until};
use filetest::programs::Outcome;
use filetest::scratch::Scratch;
use rustix::process::Signal;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/cut")
}

fn folder() -> Outcome<Scratch> {
    let folder = Scratch::new("interrupted-flows").map_err(|_| "no scratch folder")?;
    for name in ["Feed.c", "Drain.c"] {
        fs::copy(sources().join(name), folder.path().join(name))?;
    }
    let text = fs::read_to_string(sources().join("cut.spi"))?;
    let pipes = text.split("flow cut").next().unwrap_or_default();
    fs::write(folder.path().join("near.spi"), format!("{pipes}flow near {{ Feed -> Drain via unix; }}\n"))?;
    Ok(folder)
}

fn run(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "near.spi", "--dir", "run"]).current_dir(folder);
    command.env("CC", "gcc").env("CFLAGS", "-O1 -g").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn holder(folder: &Path, end: &str) -> Outcome<(u64, u64)> {
    accounts::holder(&folder.join("run").join(end))
}

/// A flow in a process group of its own, where packets flow.
fn begun(folder: &Path) -> Outcome<Child> {
    let child = run(folder).process_group(0).spawn()?;
    let is_held = |end: &str| holder(folder, end).is_ok_and(|(process, _)| is_there(process));
    let counts = || accounts::account(env!("CARGO_BIN_EXE_whittle"), folder, "run");
    let flows =
        || is_held("0.receiver") && is_held("0.sender") && counts().is_ok_and(|[_, delivered, ..]| delivered > 0);
    wait_until("packets", || Ok(flows()))?;
    Ok(child)
}

/// Begins a flow, and interrupts all of its group as a terminal does.
fn interrupted(folder: &Path) -> Outcome<Output> {
    let child = begun(folder)?;
    let group = rustix::process::Pid::from_raw(i32::try_from(child.id())?).ok_or("no process")?;
    rustix::process::kill_process_group(group, Signal::INT)?;
    Ok(child.wait_with_output()?)
}

#[test]
fn an_interrupted_flow_drains() -> Outcome {
    let folder = folder()?;
    let output = interrupted(folder.path())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    let line = text.lines().find(|line| line.starts_with("Feed.n -> Drain.n")).ok_or("no table")?;
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [offered, delivered, 0, 0, 0, 0, 0, 0] = numbers[..] else { return Err(line.into()) };
    assert!(offered > 0 && offered == delivered, "{line}");
    Ok(())
}

/// Who runs the flow hands the wish on late, and a receiver is slow: the sender still waits for it.
#[test]
fn a_wish_handed_on_late_cuts_nobody_short() -> Outcome {
    let folder = folder()?;
    let child = begun(folder.path())?;
    let (runner, receiver) = (u64::from(child.id()), holder(folder.path(), "0.receiver")?.0);
    for process in [runner, receiver] {
        send(process, Signal::STOP)?;
    }
    let group = rustix::process::Pid::from_raw(i32::try_from(runner)?).ok_or("no process")?;
    rustix::process::kill_process_group(group, Signal::INT)?;
    std::thread::sleep(std::time::Duration::from_millis(700));
    send(runner, Signal::CONT)?;
    std::thread::sleep(std::time::Duration::from_millis(200));
    send(receiver, Signal::CONT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

/// Who runs the flow hands the wish on when a receiver has done its part and is about to exit.
#[test]
fn a_wish_handed_on_after_the_end_kills_nobody() -> Outcome {
    let folder = folder()?;
    let leaving = folder.path().join("leaving");
    let slow = format!(
        "#include <stdlib.h>\nstatic __attribute__((destructor)) void leave(void) {{ (void)!system(\"touch {}; sleep 1\"); }}\n",
        leaving.display()
    );
    let drain = folder.path().join("Drain.c");
    fs::write(&drain, fs::read_to_string(&drain)? + &slow)?;
    let child = begun(folder.path())?;
    let runner = u64::from(child.id());
    send(runner, Signal::STOP)?;
    let group = rustix::process::Pid::from_raw(i32::try_from(runner)?).ok_or("no process")?;
    rustix::process::kill_process_group(group, Signal::INT)?;
    wait_until("the receiver's end", || Ok(leaving.exists()))?;
    send(runner, Signal::CONT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

fn send(process: u64, signal: Signal) -> Outcome {
    let process = rustix::process::Pid::from_raw(i32::try_from(process)?).ok_or("no process")?;
    Ok(rustix::process::kill_process(process, signal)?)
}

#[test]
fn a_table_shows_no_earlier_run() -> Outcome {
    let folder = folder()?;
    let output = interrupted(folder.path())?;
    assert!(output.status.success(), "{output:?}");
    fs::set_permissions(folder.path().join("run"), fs::Permissions::from_mode(0o755))?;
    let output = run(folder.path()).output()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    Ok(())
}

#[test]
fn what_programs_would_refuse_of_the_environment_is_refused_once() -> Outcome {
    let folder = folder()?;
    let output = run(folder.path()).env("WHITTLE_AWAKE", "x").output()?;
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = String::from_utf8(output.stderr)?;
    assert_eq!(said, "error: WHITTLE_AWAKE is `x`: give microseconds, a whole number up to 1000000, or unset it\n");
    Ok(())
}

#[test]
fn a_flow_ends_with_who_runs_it_and_the_next_begins_anew() -> Outcome {
    let folder = folder()?;
    let mut child = begun(folder.path())?;
    let ends = ["0.sender", "0.receiver"];
    let holders = ends.map(|end| holder(folder.path(), end).map_or(0, |(process, _)| process));
    assert!(holders.iter().all(|process| is_there(*process)), "{holders:?}");
    child.kill()?;
    child.wait()?;
    wait_until("the end of the programs", || Ok(!holders.iter().any(|process| is_there(*process))))?;
    // As after a failure of the machine: what pages say was not ended.
    for end in ends {
        let path = folder.path().join("run").join(end);
        let mut page = fs::read(&path)?;
        page[28] = 1;
        fs::write(&path, page)?;
    }
    let output = interrupted(folder.path())?;
    assert!(output.status.success(), "{output:?}");
    for end in ends {
        assert_eq!(holder(folder.path(), end)?.1, 1, "counts of an earlier run go on");
    }
    Ok(())
}

/// A flow whose receiver sits in its middle for good, its full queue, and its pages' holders.
fn stuck(folder: &Path, options: &[&str]) -> Outcome<(Child, [u64; 2])> {
    let drain = folder.join("Drain.c");
    let sits = "count++;\n    while (count == 100)\n        sleep(1);\n";
    fs::write(&drain, format!("#include <unistd.h>\n{}", fs::read_to_string(&drain)?.replace("count++;", sits)))?;
    let child = run(folder).args(options).process_group(0).spawn()?;
    let counts = || accounts::account(env!("CARGO_BIN_EXE_whittle"), folder, "run");
    wait_until("a receiver that sits", || Ok(counts().is_ok_and(|[_, delivered, ..]| delivered == 99)))?;
    let holders = [holder(folder, "0.sender")?.0, holder(folder, "0.receiver")?.0];
    Ok((child, holders))
}

/// It has failed, has said who was killed and why, and nothing of it is left; its account balances.
fn assert_killed(child: Child, holders: [u64; 2], why: &str) -> Outcome {
    let output = child.wait_with_output()?;
    let (table, said) = (String::from_utf8(output.stdout)?, String::from_utf8(output.stderr)?);
    assert_eq!(output.status.code(), Some(1), "{said}{table}");
    assert!(said.contains(&format!("warning: near_Drain {why}: it is killed (SIGKILL)")), "{said}");
    assert!(!holders.iter().any(|process| is_there(*process)), "{holders:?}");
    let line = table.lines().find(|line| line.starts_with("Feed.n -> Drain.n")).ok_or("no table")?;
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(numbers[0] == numbers[1..].iter().sum::<u64>() && numbers[1] == 99, "{table}");
    Ok(())
}

#[test]
fn a_program_that_does_not_end_in_time_is_killed() -> Outcome {
    let folder = folder()?;
    let (child, holders) = stuck(folder.path(), &["--kill-after", "2", "--wait", "1"])?;
    send(u64::from(child.id()), Signal::TERM)?;
    assert_killed(child, holders, "was asked to end 2 s ago")
}

#[test]
fn a_second_signal_kills_at_once() -> Outcome {
    let folder = folder()?;
    let (child, holders) = stuck(folder.path(), &[])?;
    let runner = u64::from(child.id());
    send(runner, Signal::INT)?;
    std::thread::sleep(std::time::Duration::from_millis(700));
    assert!(is_there(holders[1]), "it was killed too soon");
    send(runner, Signal::INT)?;
    assert_killed(child, holders, "has not ended before this signal came")
}

/// A program that has not come to catch signals when it is asked to end ends of that, and has not failed.
#[test]
fn a_program_that_has_just_begun_obeys() -> Outcome {
    let folder = folder()?;
    let begun = folder.path().join("begun");
    let slow = format!(
        "static __attribute__((constructor)) void arrive(void) {{ fclose(fopen(\"{}\", \"w\")); sleep(60); }}\n",
        begun.display()
    );
    let feed = folder.path().join("Feed.c");
    fs::write(&feed, fs::read_to_string(&feed)? + &slow)?;
    let child = run(folder.path()).process_group(0).spawn()?;
    wait_until("the beginning", || Ok(begun.exists() && holder(folder.path(), "0.receiver").is_ok()))?;
    send(u64::from(child.id()), Signal::INT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}
