//! One attack on one server, beside an honest client. In: a run. Out: a row of the table.
//!
//! A server loses when it dies, does not answer an honest client (beside the attack, and at once behind it), has more memory than its
//! bound and a tenth, keeps descriptors of connections that are gone, or does not stop in time.

use std::collections::BTreeMap;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use super::build::Built;
use super::matrix::Run;
use super::options::Options;
use super::process::Process;
use super::table::Row;

/// What servers are given: times that tests can wait for.
const PATIENCE: u64 = 2000;
const GRACE: u64 = 1000;
/// Megabytes of the largest result of a procedure: until it is encoded it is the program's own memory, not the run time's; malloc
/// keeps some of it behind that, as it does of the run time's.
const RESULT: u32 = 4;
/// Tests of one process have sockets of their own.
static SOCKETS: AtomicU32 = AtomicU32::new(0);

/// How long an honest client waits for its reply.
const HONEST: u64 = 10_000;
/// So late may a busy machine be.
const SLACK: u64 = 2000;

pub(crate) fn perform(run: &Run, built: &Built, options: &Options, seed: u64) -> Row {
    let mut row = Row::of_server(run, seed, f64::from(built.memory(run.style)));
    if let Err(problem) = attack(run, built, options, seed, &mut row) {
        row.problems.push(problem);
    }
    row
}

/// Numbers that a program prints: `made 3 failed 0 …`.
pub(crate) fn account(line: &str) -> BTreeMap<String, f64> {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.windows(2).filter_map(|pair| Some((pair[0].to_owned(), pair[1].parse().ok()?))).collect()
}

fn start(run: &Run, built: &Built, options: &Options) -> Result<(Process, Vec<String>), String> {
    let limit = if run.flags.contains("descriptors") { "ulimit -n 100; " } else { "" };
    let mut command = Command::new("sh");
    let program = options.start(&built.program(run.style, "server"));
    command.args(["-c", &format!("{limit}exec \"$@\""), "sh"]).arg(program.get_program()).args(program.get_args());
    command.args([format!("workers={}", run.workers), format!("memory={}", built.memory(run.style))]);
    command.args([format!("patience={PATIENCE}"), format!("grace={GRACE}")]);
    command.arg(format!("overtaking={}", u32::from(run.overtaking == Some(true))));
    match run.link {
        "unix" => {
            let socket = std::env::temp_dir().join(format!(
                "whittle-attack-{}-{}.socket",
                std::process::id(),
                SOCKETS.fetch_add(1, Ordering::Relaxed)
            ));
            let _ = std::fs::remove_file(&socket);
            command.arg(format!("unix:{}", socket.display()))
        }
        "udp" => command.arg("udp"),
        _ => command.arg("tcp"),
    };
    let server = Process::start(&mut command)?;
    let mut addresses = Vec::new();
    loop {
        let Some(line) = server.line(Duration::from_secs(10)) else {
            return Err(format!("the server does not start: {}", server.complaint()));
        };
        if line == "ready" {
            return Ok((server, addresses));
        }
        addresses.extend(line.strip_prefix("address ").map(str::to_owned));
    }
}

fn honest(run: &Run, built: &Built, options: &Options, address: &str) -> Result<Process, String> {
    Process::start(
        options.start(&built.program(run.style, "honest")).args([address, &(HONEST * options.slower()).to_string()]),
    )
}

/// What an honest client says at its end.
fn honest_account(mut client: Process, row: &mut Row, when: &str) -> BTreeMap<String, f64> {
    client.end_input();
    let line = client.line(Duration::from_millis(6 * HONEST + 2 * SLACK));
    let Some(line) = line else {
        row.problems.push(format!("the honest client hangs {when}: {}", client.complaint()));
        return BTreeMap::new();
    };
    let said = account(&line);
    if said.get("failed").is_none_or(|&failed| failed > 0.0) {
        row.problems.push(format!("honest calls failed {when}: {line}"));
    }
    said
}

fn attack(run: &Run, built: &Built, options: &Options, seed: u64, row: &mut Row) -> Result<(), String> {
    let (mut server, addresses) = start(run, built, options)?;
    let address = addresses.first().ok_or("the server names no address")?;
    let aim =
        if run.attack.starts_with("any-") || run.attack.starts_with("typecode-") { addresses.last() } else { None };
    let client = honest(run, built, options, address)?;
    std::thread::sleep(Duration::from_millis(100));
    let (idle, _) = server.memory().ok_or("the server died before the attack")?;
    let descriptors = server.descriptors();
    let mut attacker = Process::start(
        Command::new(built.attacker())
            .args([&run.attack, &options.each.to_string(), &seed.to_string()])
            .arg(aim.unwrap_or(address)),
    )?;
    let stops = run.flags.contains("stop");
    let mut peak = idle;
    let end = Instant::now() + Duration::from_secs_f64(options.each + 5.0);
    let middle = Instant::now() + Duration::from_secs_f64(options.each / 2.0);
    while attacker.is_alive() && server.is_alive() && Instant::now() < end && !(stops && Instant::now() > middle) {
        peak = server.memory().map_or(peak, |(_, most)| most.max(peak));
        row.descriptors = row.descriptors.max(server.descriptors());
        std::thread::sleep(Duration::from_millis(20));
    }
    peak = server.memory().map_or(peak, |(_, most)| most.max(peak));
    row.peak = f64::from(u32::try_from(peak - idle).unwrap_or(u32::MAX)) / 1024.0;
    let memory = built.memory(run.style);
    let allowed = f64::from(memory + RESULT * run.workers) * 1.1;
    if row.peak > allowed && options.sanitize.is_none() {
        row.problems.push(format!("{:.0} MB where {memory} are allowed", row.peak));
    }
    if !server.is_alive() {
        let status = server.ends_within(Duration::ZERO).map(|status| status.to_string()).unwrap_or_default();
        return Err(format!("the server died: {status} {}", server.complaint()));
    }
    if stops {
        drop(client);
        stop(server, options, row, Some(attacker));
        return Ok(());
    }
    let said = honest_account(client, row, "beside the attack");
    row.median = said.get("p50").copied().unwrap_or_default() / 1000.0;
    row.slowest = said.get("p99").copied().unwrap_or_default() / 1000.0;
    if attacker.ends_within(Duration::from_secs(3)).is_none() {
        row.problems.push("the attacker does not end".into());
    }
    if let Some(line) = attacker.line(Duration::from_millis(500)) {
        let said = account(&line);
        let number = |name: &str| said.get(name).map_or(0, |&number| number.max(0.0) as u64);
        (row.connections, row.refused) = (number("connections"), number("refused"));
    }
    recovers(run, built, options, &server, address, descriptors, row)?;
    stop(server, options, row, None);
    Ok(())
}

/// Once the attackers are gone their descriptors are, too, and calls are answered as before.
fn recovers(
    run: &Run,
    built: &Built,
    options: &Options,
    server: &Process,
    address: &str,
    before: usize,
    row: &mut Row,
) -> Result<(), String> {
    let client = honest(run, built, options, address)?;
    // A server of one thread works for a while on what has come: as long as the attack was, four slow calls came at a time.
    let backlog = Duration::from_secs_f64(4.0 * options.each);
    let end = Instant::now() + Duration::from_millis((2 * PATIENCE + SLACK) * options.slower()) + backlog;
    let mut left = server.descriptors();
    while left > before && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(20));
        left = server.descriptors();
    }
    if left > before {
        row.problems.push(format!("{} descriptors are left open", left - before));
    }
    std::thread::sleep(Duration::from_millis(50));
    honest_account(client, row, "behind the attack");
    Ok(())
}

/// It is asked to stop: what it served, and whether that took longer than it may.
fn stop(mut server: Process, options: &Options, row: &mut Row, attacker: Option<Process>) {
    let begin = Instant::now();
    server.terminate();
    let Some(status) = server.ends_within(Duration::from_millis((GRACE + 8 * SLACK) * options.slower())) else {
        row.problems.push("the server does not stop".into());
        return;
    };
    drop(attacker);
    let took = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    if took > (GRACE + SLACK) * options.slower() {
        row.problems.push(format!("the server took {took} ms to stop, where {GRACE} are allowed"));
    }
    if !status.success() {
        row.problems.push(format!("the server ended with {status}: {}", server.complaint()));
    }
    while let Some(line) = server.line(Duration::from_millis(200)) {
        row.served = line.strip_prefix("served ").and_then(|count| count.parse().ok()).unwrap_or(row.served);
    }
}
