//! The bench `fan`: one source and 1, 10 and 100 subscribers, as a channel of a flow over TCP and Unix sockets, with core NATS, and with
//! libzmq's PUB and SUB. In: `bench/flows/fan`. Out: packets a second that each subscriber has, and how long a packet by itself takes,
//! from trials in which all take turns. Why: what fans out is encoded and written once for all, and that shows against the peers only.

use std::path::{Path, PathBuf};

use super::super::network::Network;
use super::super::report::{Section, Table};
use super::super::rows::Row;
use super::super::{Context, Outcome};
use super::build::{Builder, Built, Program, absent};
use super::commands::NATS_SERVER;
use super::measure;
use super::participants::{Kind, Participant};
use super::process::Node;
use super::samples::{Cell, Samples};
use super::{PACKETS, Workload, add, tables};
use crate::bench::workshop::Workshop;

const BENCH: &str = "fan";

const fn one(name: &'static str, program: &'static str, kind: Kind) -> Participant {
    Participant { name, program, kind }
}

const PARTICIPANTS: [Participant; 5] = [
    one("whittle", "fan", Kind::Flow("tcp")),
    one("whittle-unix", "fan", Kind::Flow("unix")),
    one("nats", "nats", Kind::Nats),
    one("zmq", "zmq", Kind::Ports("tcp://")),
    one("zmq-ipc", "zmq", Kind::Paths("ipc://")),
];

const fn among(name: &'static str, title: &'static str) -> Workload {
    Workload { name, title, nodes: 2, network: Network::Loopback, rounds: 6, participants: &PARTICIPANTS }
}

/// By the number of subscribers.
const WORKLOADS: [(usize, Workload); 3] = [
    (1, among("fan-1", "1 subscriber")),
    (10, among("fan-10", "10 subscribers")),
    (100, among("fan-100", "100 subscribers")),
];

/// What is shown: a caption, the metric, the unit, digits after the point.
const SHOWN: [(&str, &str, &str, usize); 5] = [
    ("packets a second that each subscriber has", "packets", "packets/s", 0),
    ("a packet by itself, until a subscriber has it: median, µs", "latency-p50", "us", 1),
    ("the same, 99 %, µs", "latency-p99", "us", 1),
    ("processor time of all processes for a packet to all, one after the other, µs", "throughput-processor", "us", 2),
    ("packets lost by a subscriber, all trials together", "lost", "packets", 0),
];

const TEXT: &str = "Packets of 152 B. Subscribers are threads of one process, each with a connection of its own. Medians of trials in which \
    all take turns, in an order drawn anew each time.";

/// Builds and measures. `BENCH_FAN` names numbers of subscribers to try, `BENCH_ROUNDS` how often.
pub(in crate::bench) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    crate::deps::provide(&["libzmq3-dev", "libnats-dev", "nats-server"]);
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let builder = Builder::new(context, &workshop);
    let rounds: Option<u64> = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let mut samples = Samples::default();
    for (subscribers, workload) in &WORKLOADS {
        if !super::is_wanted("BENCH_FAN", &subscribers.to_string()) {
            continue;
        }
        println!("bench: fan, {}", workload.title);
        let programs = programs(&builder, workload, *subscribers)?;
        for trial in measure::run(workload, PACKETS[1], &programs, rounds.unwrap_or(workload.rounds)) {
            add(&mut samples, workload, PACKETS[1], &trial);
        }
    }
    let outcome = report(&samples);
    super::super::write(context, "fan.md", &tables::markdown(&outcome.sections))?;
    Ok(outcome)
}

fn report(samples: &Samples) -> Outcome {
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut shown = Vec::new();
    for (caption, metric, unit, digits) in SHOWN {
        let mut rows = Vec::new();
        for participant in &PARTICIPANTS {
            let value = |workload: &Workload| {
                let cell = Cell { workload: format!("{}-{metric}", workload.name), size: PACKETS[1].bytes };
                if metric == "lost" {
                    samples.sum(&cell, participant.name)
                } else {
                    samples.median(&cell, participant.name)
                }
            };
            let values: Vec<_> = WORKLOADS.iter().map(|(_, workload)| (workload.name, value(workload))).collect();
            let row = |(workload, value): &(&str, Option<f64>)| {
                let (workload, who) = (workload.to_string(), participant.name.to_string());
                Some(Row { bench: BENCH, workload, size: PACKETS[1].bytes, who, metric, unit, value: (*value)? })
            };
            outcome.rows.extend(values.iter().filter_map(row));
            if values.iter().any(|(_, value)| value.is_some()) {
                let say = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.digits$}"));
                let cells = values.iter().map(|(_, value)| say(*value));
                rows.push([participant.name.to_string()].into_iter().chain(cells).collect());
            }
        }
        let head = ["who"].into_iter().chain(WORKLOADS.iter().map(|(_, workload)| workload.title));
        shown.push(Table { caption: caption.to_string(), head: head.map(str::to_string).collect(), rows });
    }
    let title = "fan: one source, many subscribers".to_string();
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot: String::new(), tables: shown });
    outcome
}

/// All participants that can be had.
fn programs(builder: &Builder, workload: &Workload, subscribers: usize) -> Built<Vec<Program>> {
    let mut programs = Vec::new();
    for (place, participant) in (0_u16..).zip(&PARTICIPANTS) {
        if let Some(package) = absent(participant) {
            println!("bench: fan, {}: not measured: it needs Debian's {package}", participant.name);
            continue;
        }
        let folder = builder.workshop.subfolder(&format!("{}-{}", workload.name, participant.name))?;
        // A flow has a port for each subscriber.
        let port = 33000 + place * 128;
        let lines = match participant.kind {
            Kind::Flow(transport) => of_flow(builder, subscribers, transport, &folder, port)?,
            _ => of_peer(builder, subscribers, *participant, &folder, port)?,
        };
        let node = |words| Node { words, folder: folder.clone() };
        programs.push(Program { name: participant.name, nodes: lines.into_iter().map(node).collect() });
    }
    Ok(programs)
}

/// Definitions for the preprocessor.
fn defines(builder: &Builder, subscribers: usize) -> Vec<String> {
    vec![format!("-I{}", sources(builder).display()), format!("-DSUBSCRIBERS={subscribers}")]
}

fn sources(builder: &Builder) -> PathBuf {
    builder.context.sources.join("flows/fan")
}

fn of_flow(
    builder: &Builder,
    subscribers: usize,
    transport: &str,
    folder: &Path,
    port: u16,
) -> Built<Vec<Vec<String>>> {
    let description = sources(builder).join("fan.spi");
    let failed = |problem: std::io::Error| vec![format!("{}: {problem}", description.display())];
    let text = std::fs::read_to_string(&description).map_err(failed)?;
    std::fs::write(folder.join("fan.spi"), adapted(&text, subscribers, transport)).map_err(failed)?;
    builder.workshop.run(
        folder,
        &builder.context.whittle.display().to_string(),
        &["compile", "fan.spi", "--out", "c"],
    )?;
    let made = folder.join("c");
    for pipe in ["Source", "Sink", "Home"] {
        builder.workshop.copy(&sources(builder).join(format!("{pipe}.c")), &made)?;
    }
    builder.provide_runtime(&made)?;
    let flags = format!("CPPFLAGS={}", defines(builder, subscribers).join(" "));
    builder.workshop.run(&made, "make", &["CFLAGS=-O2 -w -std=gnu11 -pthread", flags.as_str()])?;
    let line = |name: &str| {
        let mut words = vec![made.join(name).display().to_string(), "--port".to_string(), port.to_string()];
        words.extend(["--dir".to_string(), folder.join("run").display().to_string()]);
        words.extend((transport == "tcp").then(|| "--unauthenticated".to_string()));
        words
    };
    Ok(vec![line("fan_source"), line("fan_home")])
}

/// For so many subscribers, and another transport.
fn adapted(text: &str, subscribers: usize, transport: &str) -> String {
    let line = |line: &str| match line.contains("sink") && !line.starts_with("//") {
        true => (0..subscribers).map(|number| line.replace("sink", &format!("sink{number}")) + "\n").collect(),
        false => format!("{line}\n"),
    };
    text.lines().map(line).collect::<String>().replace("via tcp", &format!("via {transport}"))
}

fn of_peer(
    builder: &Builder,
    subscribers: usize,
    participant: Participant,
    folder: &Path,
    port: u16,
) -> Built<Vec<Vec<String>>> {
    let program = folder.join(participant.program).display().to_string();
    let source = sources(builder).join(format!("{}.c", participant.program)).display().to_string();
    let library = format!("-l{}", participant.program);
    let mut words =
        vec!["-O2".to_string(), "-w".to_string(), "-pthread".to_string(), "-o".to_string(), program.clone()];
    words.extend(defines(builder, subscribers));
    words.extend([source, library]);
    builder.workshop.run(folder, "gcc", &words)?;
    let address = match participant.kind {
        Kind::Ports(before) => format!("{before}127.0.0.1:{port}"),
        Kind::Paths(before) => format!("{before}fan.socket"),
        _ => format!("nats://127.0.0.1:{port}"),
    };
    let line = |role: &str| vec![program.clone(), role.to_string(), address.clone()];
    let mut lines = vec![line("source"), line("sink")];
    if participant.kind == Kind::Nats {
        let server = [NATS_SERVER, "-a", "127.0.0.1", "-p", &port.to_string()];
        lines.push(server.map(str::to_string).to_vec());
    }
    Ok(lines)
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_a_subscriber_are_repeated() {
        let text = "// a sink\n  Home home;\n  News -> sink.data via tcp;\n";
        let two = "// a sink\n  Home home;\n  News -> sink0.data via unix;\n  News -> sink1.data via unix;\n";
        assert_eq!(super::adapted(text, 2, "unix"), two);
    }
}
