//! The fault sweep: every system call and allocation of a server, then of a client, is made to fail in turn, with each errno that fits it,
//! while the other side is whole. In: a number of runs, or none for all; a seed. Out: nothing, or what did not hold and how to repeat it.
//!
//! What must hold: no crash, no hang, a server that serves again (or said at its start why it cannot), a client whose later calls succeed,
//! no block of memory that a run without faults would have freed, no descriptor more.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use crate::attack::{Built, Process, STYLES, Style, account, build, shuffled};
use crate::{cargo, tree};

/// Calls of the workload: whole exchanges, small and larger.
const CALLS: &str = "12";
const TIMEOUT: &str = "1000";
/// So many calls in sequence may find themselves without a connection.
const LOST: f64 = 3.0;
/// Errnos that a call may have.
const CHOICES: u32 = 7;

/// One program with one fault.
#[derive(Clone, Copy)]
struct Subject {
    style: &'static Style,
    link: &'static str,
    workers: u32,
    client: bool,
}

impl Subject {
    fn name(&self) -> String {
        let side = if self.client { "client" } else { "server" };
        format!("{} {} {side} workers {}", self.style.name, self.link, self.workers)
    }
}

/// What the library reports at a program's end.
struct Report {
    calls: u32,
    live: f64,
    what: String,
}

/// Runs for so many seconds, or all.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let number = |name: &str| {
        let at = arguments.iter().position(|word| *word == name)?;
        arguments.get(at + 1)?.parse::<f64>().ok()
    };
    let (seconds, seed) = (number("--seconds"), number("--seed").unwrap_or(1.0));
    let only = number("--fault").map(|fault| (fault as u32, number("--errno").unwrap_or(0.0) as u32));
    let built = build(&["--each", "1"])?;
    let library = library()?;
    let mut subjects = subjects();
    if let Some(index) = arguments.iter().position(|word| *word == "--only") {
        subjects.retain(|subject| arguments.get(index + 1).is_some_and(|name| subject.name() == *name));
    }
    shuffled(&mut subjects, seed as u64);
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let problems = Mutex::new(Vec::new());
    let runs = Mutex::new(0_u32);
    let next = Mutex::new(0_usize);
    let count = subjects.len();
    let work = |index: u32| {
        loop {
            let turn = next.lock().map_or(0, |mut next| {
                *next += 1;
                *next - 1
            });
            let over = end.is_some_and(|end| Instant::now() > end);
            if over || (end.is_none() && turn >= count) {
                return;
            }
            let subject = subjects[turn % count];
            // With a limit: some faults of each, others with each seed. Without: all of one after the other.
            let slice =
                end.map(|_| (seed as u32).wrapping_mul(2_654_435_761).wrapping_add(u32::try_from(turn).unwrap_or(0)));
            let found = sweep(&built, &library, subject, slice, only, index, end);
            if let Ok(mut runs) = runs.lock() {
                *runs += found.0;
            }
            if let Ok(mut problems) = problems.lock() {
                problems.extend(found.1);
            }
        }
    };
    std::thread::scope(|scope| {
        for index in 0..2 {
            scope.spawn(move || work(index));
        }
    });
    let problems = problems.into_inner().unwrap_or_default();
    println!("faults: {} runs over {count} programs, {} lost", runs.into_inner().unwrap_or_default(), problems.len());
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn subjects() -> Vec<Subject> {
    let mut found = Vec::new();
    for style in &STYLES {
        for &link in style.links {
            found.push(Subject { style, link, workers: 1, client: true });
            for workers in [1, 4] {
                if style.threads.iter().any(|&(count, _)| count == workers) {
                    found.push(Subject { style, link, workers, client: false });
                }
            }
        }
    }
    found
}

/// All faults of one program, or eight of them. How many runs, and what was found.
fn sweep(
    built: &Built,
    library: &Path,
    subject: Subject,
    slice: Option<u32>,
    only: Option<(u32, u32)>,
    worker: u32,
    end: Option<Instant>,
) -> (u32, Vec<String>) {
    let whole = match once(built, library, subject, 0, 0, worker, None) {
        Ok(report) => report,
        Err(problem) => return (1, vec![format!("faults: {} without a fault: {problem}", subject.name())]),
    };
    let last = whole.calls;
    let pairs: Vec<(u32, u32)> = match (only, slice) {
        (Some(pair), _) => vec![pair],
        (None, Some(seed)) => {
            (0..8).map(|turn| (1 + seed.wrapping_add(turn * 40_503) % last.max(1), (seed >> 7) + turn)).collect()
        }
        (None, None) => (1..=last).flat_map(|fault| (0..CHOICES).map(move |choice| (fault, choice))).collect(),
    };
    let mut problems = Vec::new();
    let count = u32::try_from(pairs.len()).unwrap_or(0);
    for (fault, choice) in pairs {
        if end.is_some_and(|end| Instant::now() > end) {
            break;
        }
        if let Err(problem) = once(built, library, subject, fault, choice, worker, Some(&whole)) {
            problems.push(format!(
                "faults: {}: {problem}\n  again: cargo xtask faults --only \"{}\" --fault {fault} --errno {choice}",
                subject.name(),
                subject.name()
            ));
        }
    }
    (count + 1, problems)
}

fn once(
    built: &Built,
    library: &Path,
    subject: Subject,
    fault: u32,
    choice: u32,
    worker: u32,
    whole: Option<&Report>,
) -> Result<Report, String> {
    let path = built.scratch().join(format!("faults-{}-{worker}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let faulty = |command: &mut Command| {
        command.env("LD_PRELOAD", library).env("FAULT", format!("{fault}:{choice}")).env("FAULT_REPORT", &path);
    };
    let outcome = exchange(built, subject, worker, faulty);
    // A server that had to be killed leaves its socket.
    let _ = std::fs::remove_file(socket(worker));
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let _ = std::fs::remove_file(&path);
    let numbers = account(&text);
    let number = |name: &str| numbers.get(name).copied().unwrap_or_default();
    let what = text.split_whitespace().skip_while(|word| *word != "failed").skip(1).collect::<Vec<_>>().join(" ");
    let whole_end = outcome.map_err(|problem| format!("{what}: {problem}"))?;
    if text.is_empty() {
        return Err("the program gave no account of its end".into());
    }
    let report = Report { calls: number("calls") as u32, live: number("live"), what };
    // A program that ended with an error leaves what it has to the system.
    if let Some(whole) = whole {
        // Threads that end with the process may keep a block each, or not: seen without faults, too. A name whose numbers could not be
        // read is looked up by such a thread.
        let looked_up = if report.what.starts_with("getaddrinfo") { 1.0 } else { 0.0 };
        let loose = if subject.workers > 1 { f64::from(subject.workers) } else { looked_up };
        if whole_end && report.live > whole.live + loose {
            return Err(format!("{}: {} blocks of memory are not freed", report.what, report.live - whole.live));
        }
    }
    Ok(report)
}

/// Where a server over a Unix socket listens.
fn socket(worker: u32) -> PathBuf {
    std::env::temp_dir().join(format!("whittle-faults-{}-{worker}.socket", std::process::id()))
}

/// A server and its address; none where it said that it cannot serve.
fn serve(
    built: &Built,
    subject: Subject,
    worker: u32,
    faulty: &impl Fn(&mut Command),
) -> Result<Option<(Process, String)>, String> {
    let mut command = Command::new(built.program(subject.style, "server"));
    command.args([format!("workers={}", subject.workers), "grace=500".into(), "patience=1000".into()]);
    command.arg(match subject.link {
        "unix" => format!("unix:{}", socket(worker).display()),
        "udp" => "udp".into(),
        _ => "tcp".into(),
    });
    if !subject.client {
        faulty(&mut command);
    }
    let mut server = Process::start(&mut command)?;
    let mut address = String::new();
    loop {
        let Some(line) = server.line(Duration::from_secs(5)) else {
            let status = server.ends_within(Duration::from_secs(1)).ok_or("the server does not start")?;
            // It may say that it cannot.
            return if status.code() == Some(1) && !subject.client {
                Ok(None)
            } else {
                Err(format!("at its start: {status}: {}", server.complaint()))
            };
        };
        if line == "ready" {
            return Ok(Some((server, address)));
        }
        if address.is_empty() {
            address = line.trim_start_matches("address ").to_owned();
        }
    }
}

/// One server, one client, some calls; one of them is faulty. Whether it ran to its end.
fn exchange(built: &Built, subject: Subject, worker: u32, faulty: impl Fn(&mut Command)) -> Result<bool, String> {
    let (mut server, address) = match serve(built, subject, worker, &faulty)? {
        Some(started) => started,
        None => return Ok(false),
    };
    let mut command = Command::new(built.program(subject.style, "honest"));
    command.args([&address, TIMEOUT, CALLS]);
    if subject.client {
        faulty(&mut command);
    }
    let mut client = Process::start(&mut command)?;
    let status = client.ends_within(Duration::from_secs(20)).ok_or("the client hangs")?;
    let line = client.line(Duration::from_millis(500)).unwrap_or_default();
    let said = account(&line);
    let made = said.get("made").copied().unwrap_or_default();
    if status.code().is_none() {
        return Err(format!("the client ended with {status}: {}", client.complaint()));
    }
    let failed = said.get("failed").copied().unwrap_or(made);
    // A server that cannot run may say so, as long as it has served nobody.
    if !subject.client
        && failed == made
        && let Some(status) = server.ends_within(Duration::from_millis(100))
    {
        let said = server.complaint();
        return if status.code() == Some(1) && !said.is_empty() {
            Ok(false)
        } else {
            Err(format!("the server ended with {status}: {said}"))
        };
    }
    // A client that could not be opened at all said so.
    let opened = !line.contains("cannot be opened");
    if opened && (line.is_empty() || failed > LOST || said.get("last").is_none_or(|&last| last > LOST)) {
        return Err(format!("calls go on failing: {line}"));
    }
    let end = Instant::now() + Duration::from_secs(3);
    if !server.is_alive() {
        return Err(format!("the server died: {}", server.complaint()));
    }
    while server.connections() > 0 && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(5));
    }
    let left = server.connections();
    server.terminate();
    let status = server.ends_within(Duration::from_secs(5)).ok_or("the server does not stop")?;
    if status.code() != Some(0) {
        return Err(format!("the server ended with {status}: {}", server.complaint()));
    }
    if left > 0 { Err(format!("{left} connections of clients that are gone stay open")) } else { Ok(opened) }
}

/// Compiles the library that makes calls fail.
fn library() -> Result<PathBuf, Vec<String>> {
    let library = cargo::target()?.join("attack/faults.so");
    let mut gcc = Command::new("gcc");
    gcc.args(["-O2", "-fPIC", "-shared", "-o"])
        .arg(&library)
        .arg(tree::root().join("tests/faults/faults.c"))
        .arg("-ldl");
    cargo::run(&mut gcc, "gcc faults.c")?;
    Ok(library)
}

#[cfg(test)]
mod tests {
    /// Some faults of each program: others with each seed.
    #[test]
    fn programs_outlive_a_call_of_the_system_that_fails() {
        let seed = std::env::var("SOAK_SEED").unwrap_or_else(|_| "1".into());
        if let Err(problems) = super::run(&["--seconds", "12", "--seed", &seed]) {
            panic!("{}", problems.join("\n"));
        }
    }
}
