//! One attack on the receiver of a flow over TCP, beside its honest sender. In: `tests/attack/flow/`, a run. Out: a row of the table.
//!
//! A receiver loses when it dies, takes a packet that was not sent, or in another order, or not at all; when it has more memory than it
//! may, keeps descriptors of connections that are gone, or says a byte to a stranger; and when it does not end with its sender.

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::build::{Built, make, sources};
use super::matrix::Run;
use super::options::Options;
use super::process::Process;
use super::server_run::account;
use super::table::Row;
use crate::cargo;

/// Megabytes that strangers may cause: sockets of the table, and their sessions.
const MEMORY: f64 = 8.0;
/// How long a stranger may take to prove itself: its descriptor may stay so long.
const PATIENCE: Duration = Duration::from_secs(5);
/// So late may a busy machine be.
const SLACK: Duration = Duration::from_secs(3);
/// Runs of one process have folders of their own.
static RUNS: AtomicU32 = AtomicU32::new(0);

/// The flow's programs, by the Makefile that whittle writes.
pub(super) fn build(whittle: &Path, folder: &Path, flags: &[String]) -> Result<(), Vec<String>> {
    make(folder)?;
    for name in ["flow.spi", "Feed.c", "Drain.c"] {
        let (from, to) = (sources().join("flow").join(name), folder.join(name));
        let text = std::fs::read(&from).map_err(|problem| vec![format!("{}: {problem}", from.display())])?;
        if std::fs::read(&to).ok().as_deref() != Some(&text) {
            std::fs::write(&to, text).map_err(|problem| vec![format!("{}: {problem}", to.display())])?;
        }
    }
    cargo::run(Command::new(whittle).args(["compile", "flow.spi"]).current_dir(folder), "whittle compile flow.spi")?;
    let mut gcc = Command::new("make");
    gcc.args(["-s", "LTO="]).arg(format!("CFLAGS={} -Wall -Wextra -Werror", flags.join(" ")));
    cargo::run(gcc.current_dir(folder), "make of the flow")
}

pub(super) fn perform(run: &Run, built: &Built, options: &Options, seed: u64) -> Row {
    let mut row = Row::of_server(run, seed, MEMORY);
    let folder = built.scratch().join(format!("flow-{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed)));
    if let Err(problem) = attack(run, built, options, seed, &folder, &mut row) {
        row.problems.push(problem);
    }
    let _ = std::fs::remove_dir_all(&folder);
    row
}

/// A program of the flow; `limit` stands before it in the shell.
fn start(
    built: &Built,
    options: &Options,
    folder: &Path,
    port: u16,
    program: &str,
    limit: &str,
) -> Result<Process, String> {
    let mut command = Command::new("sh");
    let program = options.start(&built.flow().join(program));
    command.args(["-c", &format!("{limit}exec \"$@\""), "sh"]).arg(program.get_program()).args(program.get_args());
    command.args(["--port", &port.to_string(), "--wait", "10", "--dir"]).arg(folder);
    Process::start(&mut command)
}

/// A first port; an edge's is that and its number, which is 0 for the only one.
fn free_port() -> Result<u16, String> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(|problem| problem.to_string())?;
    listener.local_addr().map(|address| address.port()).map_err(|problem| problem.to_string())
}

fn attack(run: &Run, built: &Built, options: &Options, seed: u64, folder: &Path, row: &mut Row) -> Result<(), String> {
    let port = free_port()?;
    let limit = if run.flags.contains("descriptors") { "ulimit -n 100; " } else { "" };
    let mut receiver = start(built, options, folder, port, "attacked_Drain", limit)?;
    let mut sender = start(built, options, folder, port, "attacked_Feed", "")?;
    let begin = Instant::now();
    while receiver.connections() == 0 {
        if begin.elapsed() > PATIENCE + SLACK || !receiver.is_alive() {
            return Err(format!("the flow does not begin: {} {}", receiver.complaint(), sender.complaint()));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(100));
    let (idle, _) = receiver.memory().ok_or("the receiver died before the attack")?;
    let before = receiver.descriptors();
    let mut attacker = Process::start(
        Command::new(built.attacker())
            .args([&run.attack, &options.each.to_string(), &seed.to_string()])
            .arg(format!("tcp://127.0.0.1:{port}")),
    )?;
    let (end, middle) = (Duration::from_secs_f64(options.each) + PATIENCE, Duration::from_secs_f64(options.each / 2.0));
    let begin = Instant::now();
    while attacker.is_alive() && receiver.is_alive() && begin.elapsed() < end {
        row.descriptors = row.descriptors.max(receiver.descriptors());
        if run.flags.contains("stop") && begin.elapsed() > middle {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let peak = receiver.memory().map_or(idle, |(_, most)| most.max(idle));
    row.peak = f64::from(u32::try_from(peak - idle).unwrap_or(u32::MAX)) / 1024.0;
    if row.peak > MEMORY && options.sanitize.is_none() {
        row.problems.push(format!("{:.0} MB where {MEMORY} are allowed", row.peak));
    }
    if !run.flags.contains("stop") {
        strangers(&mut attacker, row);
        recovers(&receiver, before, row);
    }
    ends(&mut receiver, &mut sender, row)
}

/// What the attackers came to.
fn strangers(attacker: &mut Process, row: &mut Row) {
    if attacker.ends_within(PATIENCE + SLACK).is_none() {
        row.problems.push("the attacker does not end".into());
    }
    let said = attacker.line(Duration::from_millis(500)).map(|line| account(&line)).unwrap_or_default();
    let number = |name: &str| said.get(name).map_or(0, |&number| number.max(0.0) as u64);
    (row.connections, row.refused) = (number("connections"), number("refused"));
    if number("replies") > 0 {
        row.problems.push(format!("strangers were answered {} times", number("replies")));
    }
}

/// Once the attackers are gone their descriptors are, too.
fn recovers(receiver: &Process, before: usize, row: &mut Row) {
    let begin = Instant::now();
    while receiver.descriptors() > before && begin.elapsed() < PATIENCE + SLACK {
        std::thread::sleep(Duration::from_millis(20));
    }
    let left = receiver.descriptors().saturating_sub(before);
    if left > 0 {
        row.problems.push(format!("{left} descriptors are left open"));
    }
}

/// The sender is asked to end; the receiver ends behind it, and has each packet once and in order.
fn ends(receiver: &mut Process, sender: &mut Process, row: &mut Row) -> Result<(), String> {
    sender.terminate();
    for (process, name) in [(&mut *sender, "sender"), (&mut *receiver, "receiver")] {
        let status = process.ends_within(PATIENCE + SLACK).ok_or(format!("the {name} does not end"))?;
        if !status.success() {
            return Err(format!("the {name} ended with {status}: {}", process.complaint()));
        }
    }
    let line =
        |process: &Process| process.line(Duration::from_millis(500)).map(|line| account(&line)).unwrap_or_default();
    let (sent, came) = (line(sender), line(receiver));
    let number = |name: &str| came.get(name).copied().unwrap_or_default();
    row.served = number("made").max(0.0) as u64;
    (row.median, row.slowest) = (number("p50") / 1000.0, number("p99") / 1000.0);
    let offered = sent.get("sent").copied().unwrap_or_default();
    if offered < 1.0 || offered > number("made") || offered < number("made") || number("failed") > 0.0 {
        row.problems.push(format!(
            "{offered} packets were sent, {} came, {} of them wrong",
            number("made"),
            number("failed")
        ));
    }
    Ok(())
}
