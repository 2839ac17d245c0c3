//! A flow that is interrupted as a terminal does it, all its processes at once, drains: what was sent arrives. And a table
//! shows this run's packets only.

use std::error::Error;
use std::fs;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use filetest::scratch::Scratch;

type Outcome<T = ()> = Result<T, Box<dyn Error>>;

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

/// Begins a flow in a process group of its own, and interrupts all of the group as soon as packets flow.
fn interrupted(folder: &Path) -> Outcome<Output> {
    let child = run(folder).process_group(0).spawn()?;
    let until = Instant::now() + Duration::from_secs(60);
    while !folder.join("run/0.receiver").is_file() {
        assert!(Instant::now() < until, "the flow does not begin");
        sleep(Duration::from_millis(5));
    }
    sleep(Duration::from_millis(200));
    let group = rustix::process::Pid::from_raw(i32::try_from(child.id())?).ok_or("no process")?;
    rustix::process::kill_process_group(group, rustix::process::Signal::INT)?;
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
    let [offered, delivered, 0, 0, 0, 0] = numbers[..] else { return Err(line.into()) };
    assert!(offered > 0 && offered == delivered, "{line}");
    Ok(())
}

#[test]
fn a_table_shows_no_earlier_run() -> Outcome {
    let folder = folder()?;
    assert!(interrupted(folder.path())?.status.success());
    let output = run(folder.path()).env("WHITTLE_AWAKE", "x").output()?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    Ok(())
}
