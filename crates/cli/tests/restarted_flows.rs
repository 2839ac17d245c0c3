//! A flow goes on where one of its programs dies, as its `restart` says: the account stays right, what died and why is said, and
//! nothing is left behind. And a flow that runs is not disturbed by a second run of it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use filetest::accounts::{self, holder, is_there, wait_until};
use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;
use rustix::process::{Pid, Signal, kill_process};

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/cut")
}

/// The flow `again`, Feed to Drain, with a contract, and statements; `change` is done to the sources.
fn folder(contract: &str, restarts: &str, change: impl Fn(&str, String) -> String) -> Outcome<Scratch> {
    let folder = Scratch::new("restarted-flows").map_err(|_| "no scratch folder")?;
    for name in ["Feed.c", "Drain.c"] {
        fs::write(folder.path().join(name), change(name, fs::read_to_string(sources().join(name))?))?;
    }
    let text = fs::read_to_string(sources().join("cut.spi"))?;
    let pipes = text.split("flow cut").next().unwrap_or_default();
    fs::write(
        folder.path().join("again.spi"),
        format!("{pipes}flow again {{ Feed -> Drain {contract}; {restarts} }}\n"),
    )?;
    Ok(folder)
}

fn as_it_is(_: &str, text: String) -> String {
    text
}

/// `pipe run`; the flow's usual folder is `runs/again`.
fn run(folder: &Path, ports: &Ports) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "again.spi", "--port", &ports.first.to_string()]).current_dir(folder);
    command.env("CC", "gcc").env("CFLAGS", "-O1 -g").env("XDG_RUNTIME_DIR", folder.join("runs"));
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn page(folder: &Path, end: &str) -> PathBuf {
    folder.join("runs/again").join(end)
}

fn delivered(folder: &Path) -> u64 {
    accounts::account(env!("CARGO_BIN_EXE_whittle"), folder, "runs/again").map_or(0, |[_, delivered, ..]| delivered)
}

fn send(process: u64, signal: Signal) -> Outcome {
    Ok(kill_process(Pid::from_raw(i32::try_from(process)?).ok_or("no process")?, signal)?)
}

/// A flow where packets flow.
fn begun(folder: &Path, ports: &Ports) -> Outcome<Child> {
    fs::create_dir_all(folder.join("runs"))?;
    let child = run(folder, ports).spawn()?;
    wait_until("packets", || Ok(delivered(folder) > 0))?;
    Ok(child)
}

/// Kills who has an end of the edge, and waits until another has it, and packets flow again.
fn kill(folder: &Path, end: &str) -> Outcome {
    let (process, count) = holder(&page(folder, end))?;
    send(process, Signal::KILL)?;
    wait_until("another process", || Ok(holder(&page(folder, end)).is_ok_and(|(_, now)| now > count)))?;
    let before = delivered(folder);
    wait_until("packets after a death", || Ok(delivered(folder) > before))
}

/// Offered, delivered, waiting, under way, dropped, faulty, unknown, as the table at the end says.
fn columns(output: &Output) -> Outcome<[u64; 7]> {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.starts_with("Feed.n -> Drain.n")).ok_or("no table")?;
    let numbers: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    Ok(*numbers.first_chunk().ok_or_else(|| line.to_owned())?)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn goes_on_over(transport: &str) -> Outcome {
    let (folder, ports) =
        (folder(&format!("via {transport}"), "restart on failure within 1 s;", as_it_is)?, Ports::take()?);
    let child = begun(folder.path(), &ports)?;
    let ends = ["0.receiver", "0.sender", "0.receiver"];
    ends.iter().try_for_each(|end| kill(folder.path(), end))?;
    let holders = ends.map(|end| holder(&page(folder.path(), end)).map_or(0, |(process, _)| process));
    send(u64::from(child.id()), Signal::INT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{transport}: {output:?}");
    let [offered, delivered, 0, 0, 0, 0, unknown] = columns(&output)? else { return Err(format!("{output:?}").into()) };
    assert!(offered == delivered + unknown && delivered > 1000, "{transport}: {output:?}");
    let said = said(&output);
    for (program, times) in [("again_Drain", 2), ("again_Feed", 1)] {
        let sentence = format!("warning: {program} was killed by signal 9 (SIGKILL); it is started again");
        assert_eq!(said.matches(&sentence).count(), times, "{transport}: {said}");
    }
    assert!(!holders.iter().any(|process| is_there(*process)), "{transport}: {holders:?}");
    assert!(
        !folder.path().join("runs/again").exists(),
        "{transport}: {:?}",
        fs::read_dir(folder.path().join("runs/again"))?.count()
    );
    Ok(())
}

#[test]
fn over_tcp_it_goes_on() -> Outcome {
    goes_on_over("tcp")
}

#[test]
fn over_unix_it_goes_on() -> Outcome {
    goes_on_over("unix")
}

#[test]
fn over_shm_it_goes_on() -> Outcome {
    goes_on_over("shm")
}

#[test]
fn a_program_that_dies_again_and_again_ends_the_flow_where_the_flow_says_so() -> Outcome {
    let aborts = |name: &str, text: String| match name {
        "Drain.c" => text
            .replace("    last = value;", "    abort();\n    last = value;")
            .replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>"),
        _ => text,
    };
    let (folder, ports) =
        (folder("via unix", "restart on failure within 50 ms at most 2 in 100 s to Drain;", aborts)?, Ports::take()?);
    fs::create_dir_all(folder.path().join("runs"))?;
    let output = run(folder.path(), &ports).args(["--wait", "1"]).output()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let said = said(&output);
    assert_eq!(said.matches("was killed by signal 6 (SIGABRT); it is started again").count(), 2, "{said}");
    let last = "error: again_Drain was killed by signal 6 (SIGABRT); it was started again 2 times, as often as the flow allows; the rest";
    assert!(said.contains(last), "{said}");
    Ok(())
}

/// It dies when all has been sent, and has heard so: who takes its place would wait for ever.
#[test]
fn a_receiver_that_dies_at_the_end_is_not_waited_for() -> Outcome {
    let dies_at_the_end = |name: &str, text: String| match name {
        "Drain.c" => text
            .replace("    (void)self;", "    abort();")
            .replace("#include <stdio.h>", "#include <stdio.h>\n#include <stdlib.h>"),
        _ => text.replace("sent % 1000 != 0 || stat(\"enough\", &found) != 0", "(void)found, sent < 2000"),
    };
    let (folder, ports) = (folder("via unix", "restart on failure;", dies_at_the_end)?, Ports::take()?);
    fs::create_dir_all(folder.path().join("runs"))?;
    let output = run(folder.path(), &ports).output()?;
    assert!(said(&output).contains("again_Drain was killed by signal 6 (SIGABRT)"), "{output:?}");
    let [offered, delivered, 0, 0, 0, 0, 0] = columns(&output)? else { return Err(format!("{output:?}").into()) };
    assert_eq!((offered, delivered), (2000, 2000), "{output:?}");
    Ok(())
}

/// `always` means its own end, too; and the flow ends when it is asked to.
#[test]
fn a_program_that_ends_by_itself_is_started_again_where_always_is_said() -> Outcome {
    let ends_soon = |_: &str, text: String| {
        text.replace("sent % 1000 != 0 || stat(\"enough\", &found) != 0", "(void)found, sent < 5000")
    };
    let (folder, ports) = (folder("via unix", "restart always within 20 ms;", ends_soon)?, Ports::take()?);
    let child = begun(folder.path(), &ports)?;
    let first = holder(&page(folder.path(), "0.sender"))?.0;
    wait_until("another source", || Ok(holder(&page(folder.path(), "0.sender")).is_ok_and(|(now, _)| now != first)))?;
    send(u64::from(child.id()), Signal::INT)?;
    let output = child.wait_with_output()?;
    assert!(said(&output).contains("warning: again_Feed ended with status 0; it is started again"), "{output:?}");
    Ok(())
}

#[test]
fn a_second_run_hears_who_runs_the_flow_and_the_first_goes_on() -> Outcome {
    let (folder, ports) = (folder("via unix", "", as_it_is)?, Ports::take()?);
    let child = begun(folder.path(), &ports)?;
    let holders =
        ["0.sender", "0.receiver"].map(|end| holder(&page(folder.path(), end)).map_or(0, |(process, _)| process));
    let second = run(folder.path(), &ports).output()?;
    assert_eq!(second.status.code(), Some(1), "{second:?}");
    let begins = format!("error: the flow `again` runs already: process {} runs it in ", child.id());
    assert!(said(&second).starts_with(&begins) && said(&second).contains("--dir"), "{second:?}");
    assert!(holders.iter().all(|process| is_there(*process)), "{holders:?}");
    let before = delivered(folder.path());
    wait_until("packets after a second run", || Ok(delivered(folder.path()) > before))?;
    send(u64::from(child.id()), Signal::INT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success(), "{output:?}");
    Ok(())
}

/// Programs that were started by hand run the flow, too.
#[test]
fn a_run_beside_programs_that_were_started_by_hand_hears_who_they_are() -> Outcome {
    let (folder, ports) = (folder("via unix", "", as_it_is)?, Ports::take()?);
    fs::write(folder.path().join("enough"), "")?;
    fs::create_dir_all(folder.path().join("runs"))?;
    let output = run(folder.path(), &ports).output()?;
    assert!(output.status.success(), "{output:?}");
    let mut command = Command::new(folder.path().join("again_Drain"));
    let mut drain = command
        .env("XDG_RUNTIME_DIR", folder.path().join("runs"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    wait_until("a receiver", || {
        Ok(holder(&page(folder.path(), "0.receiver")).is_ok_and(|(process, _)| process == u64::from(drain.id())))
    })?;
    let output = run(folder.path(), &ports).output()?;
    drain.kill()?;
    drain.wait()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let begins = format!("error: the flow `again` runs already: again_Drain, process {}, has an end", drain.id());
    assert!(said(&output).starts_with(&begins), "{output:?}");
    Ok(())
}
