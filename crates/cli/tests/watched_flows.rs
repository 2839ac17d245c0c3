//! What programs of flows tell of themselves, and what they cost while nothing happens: counters as OpenMetrics, whoever asks; and no
//! wake-ups.

use std::fs;
use std::io::{BufRead, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::os::unix::fs::FileExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use filetest::accounts::{self, holder, wait_until};
use filetest::openmetrics::{self, Sample};
use filetest::ports::Ports;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;
use rustix::process::{Pid, Signal, kill_process};

/// A source that sends 1,000 packets, and then waits until the flow is to end.
const SOURCE: &str = r#"#include "Feed.h"
#include <unistd.h>

bool feed(struct Feed *self)
{
    static uint64_t sent;
    if (sent == 1000) {
        while (whittle_flow_goes_on())
            pause();
        return false;
    }
    self->n->value = sent++;
    return Feed_send_n(self);
}
"#;

const SINK: &str = r#"#include "Drain.h"

bool drain(struct Drain *self)
{
    return self->n->value < 1000;
}
"#;

/// The flow `calm`, and its usual folder `runs/calm`.
fn folder(transport: &str) -> Outcome<Scratch> {
    let folder = Scratch::new("watched-flows").map_err(|_| "no scratch folder")?;
    let pipes = "packet Number { uint64 value; }\npipe Feed { out Number n; middle feed; }\n\
        pipe Drain { in Number n deadline 100 s else drop; middle drain; }\n";
    fs::write(folder.path().join("calm.spi"), format!("{pipes}flow calm {{ Feed -> Drain via {transport}; }}\n"))?;
    fs::write(folder.path().join("Feed.c"), SOURCE)?;
    fs::write(folder.path().join("Drain.c"), SINK)?;
    fs::create_dir(folder.path().join("runs"))?;
    Ok(folder)
}

/// The flow, when all packets have come.
fn begun(folder: &Path, ports: &Ports, arguments: &[&str]) -> Outcome<Child> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "calm.spi", "--port", &ports.first.to_string()]).args(arguments).current_dir(folder);
    command.env("CC", "gcc").env("CFLAGS", "-O1 -g").env("XDG_RUNTIME_DIR", folder.join("runs"));
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let account = || accounts::account(env!("CARGO_BIN_EXE_whittle"), folder, "runs/calm");
    wait_until("all packets", || Ok(account().is_ok_and(|counts| counts[1] == 1000 && counts[3] == 0)))?;
    Ok(child)
}

/// Ends it; all was well.
fn end(child: Child) -> Outcome {
    let process = Pid::from_raw(i32::try_from(child.id())?).ok_or("no process")?;
    kill_process(process, Signal::INT)?;
    let output = child.wait_with_output()?;
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    Ok(())
}

fn page(folder: &Path, end: &str) -> PathBuf {
    folder.join("runs/calm").join(end)
}

/// How often the threads of a process have gone to sleep so far.
fn sleeps(process: u64) -> Outcome<u64> {
    let mut sum = 0;
    for task in fs::read_dir(format!("/proc/{process}/task"))? {
        let status = fs::read_to_string(task?.path().join("status"))?;
        let line = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        sum += line.ok_or("no count")?.trim().parse::<u64>()?;
    }
    Ok(sum)
}

/// In four seconds, where there were sixteen wake-ups before.
fn does_not_wake_over(transport: &str) -> Outcome {
    let (folder, ports) = (folder(transport)?, Ports::take()?);
    let child = begun(folder.path(), &ports, &["--metrics", "unix"])?;
    // What was going on comes to its end.
    std::thread::sleep(Duration::from_secs(2));
    let holders =
        ["0.sender", "0.receiver"].map(|end| holder(&page(folder.path(), end)).map_or(0, |(process, _)| process));
    let before = [sleeps(holders[0])?, sleeps(holders[1])?, sleeps(u64::from(child.id()))?];
    std::thread::sleep(Duration::from_secs(4));
    let after = [sleeps(holders[0])?, sleeps(holders[1])?, sleeps(u64::from(child.id()))?];
    for (before, after) in before.into_iter().zip(after) {
        assert!(after - before <= 4, "{transport}: {before} and {after}");
    }
    end(child)
}

#[test]
fn over_tcp_an_idle_flow_does_not_wake() -> Outcome {
    does_not_wake_over("tcp")
}

#[test]
fn over_unix_an_idle_flow_does_not_wake() -> Outcome {
    does_not_wake_over("unix")
}

#[test]
fn over_shm_an_idle_flow_does_not_wake() -> Outcome {
    does_not_wake_over("shm")
}

/// What is answered to a request.
fn asked(mut stream: impl Read + Write, request: &str) -> Outcome<String> {
    stream.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    Ok(answer)
}

fn samples(answer: &str) -> Outcome<Vec<Sample>> {
    let (head, body) = answer.split_once("\r\n\r\n").ok_or("no head")?;
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"), "{head}");
    assert!(head.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"), "{head}");
    assert!(head.contains(&format!("Content-Length: {}", body.len())), "{head}");
    Ok(openmetrics::parse(body)?)
}

const REQUEST: &str = "GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n";

/// The sum of the samples of a name.
fn sum(samples: &[Sample], name: &str) -> f64 {
    samples.iter().filter(|sample| sample.name == format!("whittle_flow_{name}")).map(|sample| sample.value).sum()
}

fn whole_account(samples: &[Sample]) {
    let rest: f64 =
        ["in_flight", "unknown_total", "faulty_total", "dropped_total"].iter().map(|name| sum(samples, name)).sum();
    let counts =
        [sum(samples, "offered_total"), sum(samples, "delivered_total"), sum(samples, "age_seconds_count"), rest];
    assert_eq!(counts, [1000.0, 1000.0, 1000.0, 0.0]);
    let is_of_edge = |sample: &Sample| sample.labels.get("edge").is_some_and(|edge| edge == "Feed.n -> Drain.n");
    assert!(samples.iter().all(is_of_edge), "{samples:?}");
}

#[test]
fn programs_tell_their_counters_at_sockets() -> Outcome {
    for transport in ["shm", "tcp", "direct"] {
        let (folder, ports) = (folder(transport)?, Ports::take()?);
        let child = begun(folder.path(), &ports, &["--metrics", "unix"])?;
        let mut all = Vec::new();
        let programs: &[&str] = if transport == "direct" { &["calm"] } else { &["calm_Feed", "calm_Drain"] };
        for program in programs {
            let socket = page(folder.path(), &format!("{program}.metrics"));
            all.extend(samples(&asked(UnixStream::connect(socket)?, REQUEST)?)?);
        }
        whole_account(&all);
        end(child)?;
    }
    Ok(())
}

#[test]
fn programs_tell_their_counters_at_ports() -> Outcome {
    let (folder, ports) = (folder("unix")?, Ports::take()?);
    let first = ports.first + 100;
    let child = begun(folder.path(), &ports, &["--metrics", &first.to_string()])?;
    let ask = |port: u16, request: &str| asked(TcpStream::connect(("127.0.0.1", port))?, request);
    let mut all = samples(&ask(first, REQUEST)?)?;
    all.extend(samples(&ask(first + 1, "GET / HTTP/1.0\n\n")?)?);
    whole_account(&all);
    for (request, status) in [("GET /else HTTP/1.1\r\n\r\n", "404"), ("POST /metrics HTTP/1.1\r\n\r\n", "405")] {
        let answer = ask(first, request)?;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
    }
    end(child)
}

/// Who says nothing, too much, or what makes no sense is not waited for, and keeps nobody out.
#[test]
fn hostile_clients_of_the_counters_are_bounded() -> Outcome {
    let (folder, ports) = (folder("unix")?, Ports::take()?);
    let child = begun(folder.path(), &ports, &["--metrics", "unix"])?;
    let socket = page(folder.path(), "calm_Drain.metrics");
    let process = holder(&page(folder.path(), "0.receiver"))?.0;
    let files = || fs::read_dir(format!("/proc/{process}/fd")).map_or(0, Iterator::count);
    let before = files();
    let mut silent = Vec::new();
    for n in 0..200 {
        let mut stream = UnixStream::connect(&socket)?;
        let said = ["", "GET", "\0\0\0", "GET /metrics HTTP/1.1\r\nX: y"][n % 4];
        let _ = stream.write_all(said.as_bytes());
        silent.push(stream);
    }
    whole_account(
        &[
            samples(&asked(UnixStream::connect(&socket)?, REQUEST)?)?,
            samples(&asked(UnixStream::connect(page(folder.path(), "calm_Feed.metrics"))?, REQUEST)?)?,
        ]
        .concat(),
    );
    assert!(files() <= before + 16, "{before} and {}", files());
    let answer = asked(UnixStream::connect(&socket)?, &"x".repeat(4095))?;
    assert!(answer.starts_with("HTTP/1.1 431 "), "{answer}");
    // Who does not read what it has asked for goes when its time is over.
    let mut deaf = UnixStream::connect(&socket)?;
    deaf.write_all(REQUEST.as_bytes())?;
    deaf.shutdown(Shutdown::Write)?;
    wait_until("the silent to be gone", || Ok(files() <= before))?;
    end(child)
}

#[test]
fn a_place_for_counters_that_is_none_is_refused() -> Outcome {
    let (folder, _) = (folder("unix")?, Ports::take()?);
    for place in ["", "0", "65536", "somewhere", "tcp://"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output =
            command.args(["pipe", "run", "calm.spi", "--metrics", place]).current_dir(folder.path()).output()?;
        assert_eq!(output.status.code(), Some(2), "{place}: {output:?}");
        let said = String::from_utf8(output.stderr)?;
        assert!(said.contains("--metrics") && said.contains("`unix`, or the first port"), "{said}");
    }
    Ok(())
}

/// Names of counters on the pages that follow, in their order.
const COUNTED: [&str; 4] = ["queued", "sent", "taken", "skipped"];

/// A page as a program of a flow keeps it, of this process, which runs.
fn page_of_this_process(is_receiver: bool) -> Vec<u8> {
    let mut page = vec![0; 4096];
    let mut put = |at: usize, bytes: &[u8]| page[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, b"whtledg1");
    for (at, value) in [(8, 1), (12, 4), (16, 64), (20, 3), (24, u32::from(is_receiver)), (28, 1)] {
        put(at, &u32::to_ne_bytes(value));
    }
    put(40, &7_u64.to_ne_bytes());
    put(56, &u64::from(std::process::id()).to_ne_bytes());
    put(136, b"Feed.n -> Drain.n");
    for (number, name) in COUNTED.iter().enumerate() {
        put(504 + 32 * number, name.as_bytes());
    }
    page
}

/// An account is at fault while packets go by: what is wrong is said before the flow ends, and of its edge.
#[test]
fn top_says_that_an_account_does_not_balance_while_packets_move() -> Outcome {
    let folder = Scratch::new("top").map_err(|_| "no scratch folder")?;
    let [from, to] = [("3.sender", false), ("3.receiver", true)].map(|(name, is_receiver)| {
        let path = folder.path().join(name);
        fs::write(&path, page_of_this_process(is_receiver)).and_then(|()| fs::OpenOptions::new().write(true).open(path))
    });
    let (from, to) = (from?, to?);
    let mut top = Command::new(env!("CARGO_BIN_EXE_whittle"))
        .args(["pipe", "top"])
        .arg(folder.path())
        .args(["--every", "0.1"])
        .stdout(Stdio::piped())
        .spawn()?;
    let mut shown = std::io::BufReader::new(top.stdout.take().ok_or("no output")?);
    let mut packets = 0_u64;
    let mut line = String::new();
    let counts = |end: &fs::File, counter: usize, value: u64| {
        end.write_all_at(&value.to_ne_bytes(), u64::try_from(2040 + 8 * counter).unwrap_or(0))
    };
    let mut tables = 0;
    while !line.contains("does not balance") {
        line.clear();
        assert!(shown.read_line(&mut line)? > 0, "it ended");
        tables += u32::from(line.starts_with("edge "));
        assert!(tables < 200, "nothing is said while packets move");
        assert!(tables > 3 || !line.contains("does not balance"), "nothing was wrong yet: {line}");
        packets += 100;
        counts(&from, 0, packets + 5)?;
        counts(&from, 1, packets)?;
        counts(&to, 2, packets)?;
        // Losses of which the sender knows nothing.
        if tables > 3 {
            counts(&to, 3, 12)?;
        }
    }
    assert!(line.contains("12 are in no column"), "{line}");
    let once =
        Command::new(env!("CARGO_BIN_EXE_whittle")).args(["pipe", "top", "--once"]).arg(folder.path()).output()?;
    assert_eq!(once.status.code(), Some(1), "{once:?}");
    top.kill()?;
    top.wait()?;
    Ok(())
}
