//! The bench `flows`: packets from process to process as in the paper on Infopipes (Tables 1 to 6), as flows, by hand, with
//! rpcgen, and with libraries that carry messages. Everything is built from `bench/flows`.

mod build;
mod commands;
pub(super) mod fan;
mod flow;
mod goals;
mod measure;
mod participants;
mod process;
mod samples;
mod size;
mod tables;

use super::network::{Link, Network};
use super::workshop::Workshop;
use super::{Context, Outcome};
use build::Builder;
use measure::Trial;
use participants::Participant;
use samples::{Cell, Samples};

const BENCH: &str = "flows";

/// Debian's names of what the peers need. What cannot be installed is said where it would be measured.
const PEERS: [&str; 8] = [
    "rpcsvc-proto",
    "libtirpc-dev",
    "libzmq3-dev",
    "libnng-dev",
    "libnats-dev",
    "nats-server",
    "cyclonedds-dev",
    "cyclonedds-tools",
];

/// A packet of the paper.
#[derive(Clone, Copy)]
struct Packet {
    name: &'static str,
    /// Its type in C and in all interface languages.
    ty: &'static str,
    bytes: u64,
}

const PACKETS: [Packet; 4] = [
    Packet { name: "small", ty: "Small", bytes: 4 },
    Packet { name: "mixed", ty: "Mixed", bytes: 152 },
    Packet { name: "large", ty: "Large", bytes: 12288 },
    Packet { name: "image", ty: "Image", bytes: 400_000 },
];

/// A table of the report: who takes part in what.
struct Workload {
    name: &'static str,
    title: &'static str,
    nodes: usize,
    network: Network,
    rounds: u64,
    participants: &'static [Participant],
}

const WORKLOADS: [Workload; 4] = [
    Workload {
        name: "two",
        title: "two nodes on one machine (Tables 1, 2 and 5)",
        nodes: 2,
        network: Network::Loopback,
        rounds: 11,
        participants: &participants::TWO,
    },
    Workload {
        name: "three",
        title: "three nodes on one machine, TCP; the second takes the image's colours away (Tables 3, 4 and 6)",
        nodes: 3,
        network: Network::Loopback,
        rounds: 9,
        participants: &participants::THREE,
    },
    Workload {
        name: "veth",
        title: "two nodes in network namespaces of their own",
        nodes: 2,
        network: Network::Namespaces { link: None },
        rounds: 9,
        participants: &participants::APART,
    },
    Workload {
        name: "gigabit",
        title: "two nodes in network namespaces, 1 Gbit/s between them",
        nodes: 2,
        network: Network::Namespaces { link: Some(Link { rate: "1gbit", burst: "256kb" }) },
        rounds: 7,
        participants: &participants::APART,
    },
];

/// Builds and measures. `BENCH_FLOWS` names the workloads to run, `BENCH_PACKETS` the packets, and `BENCH_ROUNDS` how often.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    crate::deps::provide(&PEERS);
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let builder = Builder::new(context, &workshop);
    let rounds: Option<u64> = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut samples = Samples::default();
    for workload in &WORKLOADS {
        if !is_wanted("BENCH_FLOWS", workload.name) {
            continue;
        }
        let _net = match workload.network.open() {
            Ok(net) => net,
            Err(problem) => {
                println!("bench: flows, {}: not measured: {problem}", workload.title);
                continue;
            }
        };
        for packet in PACKETS.into_iter().filter(|packet| is_wanted("BENCH_PACKETS", packet.name)) {
            println!("bench: flows, {}, {}", workload.name, packet.name);
            let programs = builder.all(workload, packet)?;
            let rounds = rounds.unwrap_or(workload.rounds);
            for trial in measure::run(workload, packet, &programs, rounds) {
                add(&mut samples, workload, packet, &trial);
            }
        }
        tables::report(&samples, workload, &mut outcome);
    }
    goals::report(&samples, &mut outcome);
    size::report(&context.sources.join(BENCH), &mut outcome)?;
    let text = tables::markdown(&outcome.sections);
    super::write(context, "flows.md", &text)?;
    Ok(outcome)
}

/// Whether the variable names it, or nothing.
fn is_wanted(variable: &str, name: &str) -> bool {
    std::env::var(variable).map_or(true, |wanted| wanted.split(',').any(|one| one == name))
}

fn add(samples: &mut Samples, workload: &Workload, packet: Packet, trial: &Trial) {
    for (metric, value) in &trial.values {
        let cell = Cell { workload: format!("{}-{metric}", workload.name), size: packet.bytes };
        samples.add(cell, trial.who, trial.round, *value);
    }
}
