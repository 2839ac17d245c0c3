//! The bench `calls`: whole calls from process to process, as in Flick's Figures 4 to 6: whittle's direct stubs and its stubs over
//! IIOP, rpcgen's on libtirpc, what users would take instead, and bare sockets that carry as many bytes. In: `bench/calls`.
//! Out: rows and sections. On loopback both ends are on one core, as one machine's share of a call; over links of 10, 100 and
//! 640 Mbit/s (network namespaces, token buckets) each has its own.

mod figures;
mod participants;
mod programs;

use super::network::{Link, Network};
use super::samples::{Cell, Samples};
use super::summary::{self, Measure, Subject};
use super::workshop::Workshop;
use super::{Context, Outcome};
use participants::{Goes, Participant, Server};

const BENCH: &str = "calls";
const BASE: &str = "rpcgen";
const ROUNDS: u64 = 9;
/// Over links, which change less from round to round.
const ROUNDS_OVER_LINKS: u64 = 5;
const MILLISECONDS: &str = "40";
/// Longer, so that what a bucket lets through at once after a silence counts little.
const MILLISECONDS_OVER_LINKS: &str = "120";
const PORT: u16 = 24200;

type Sizes = &'static [(&'static str, &'static [u64])];

/// What carries calls.
#[derive(Clone, Copy, PartialEq)]
enum Carrier {
    Tcp,
    UnixSockets,
    /// Shared memory, both sides on two processors; a Unix socket for those who know none.
    SharedMemory,
}

/// Where calls travel.
struct Way {
    name: &'static str,
    title: &'static str,
    network: Network,
    carrier: Carrier,
    sizes: Sizes,
}

const ALL: Sizes = &[
    // A plot of sizes has no 0.
    ("null", &[1]),
    ("ints", &[64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20]),
    ("rects", &[64, 1 << 10, 16 << 10, 64 << 10, 1 << 20]),
    ("dirents", &[256, 4 << 10, 64 << 10, 512 << 10]),
];
/// A megabyte takes most of a second at 10 Mbit/s.
const SLOW: Sizes = &[("ints", &[64, 1 << 10, 16 << 10, 64 << 10]), ("dirents", &[256, 4 << 10, 64 << 10])];
const QUICK: Sizes =
    &[("ints", &[64, 1 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20]), ("dirents", &[256, 4 << 10, 64 << 10])];
const LOCAL: Sizes = &[("null", &[1]), ("ints", &[64, 1 << 10, 64 << 10, 1 << 20])];
/// Over links those who only stand beside are measured at these.
const ASIDE: [u64; 2] = [1 << 10, 64 << 10];

const WAYS: [Way; 6] = [
    Way { name: "tcp", title: "loopback TCP, one core", network: Network::Loopback, carrier: Carrier::Tcp, sizes: ALL },
    Way {
        name: "unix",
        title: "a Unix socket, one core",
        network: Network::Loopback,
        carrier: Carrier::UnixSockets,
        sizes: ALL,
    },
    Way {
        name: "shm",
        title: "shared memory, others over Unix sockets, two cores",
        network: Network::Loopback,
        carrier: Carrier::SharedMemory,
        sizes: LOCAL,
    },
    way("10mbit", "10 Mbit/s", Link { rate: "10mbit", burst: "4kb" }, SLOW),
    way("100mbit", "100 Mbit/s", Link { rate: "100mbit", burst: "8kb" }, QUICK),
    way("640mbit", "640 Mbit/s", Link { rate: "640mbit", burst: "64kb" }, QUICK),
];

const fn way(name: &'static str, title: &'static str, link: Link, sizes: Sizes) -> Way {
    Way { name, title, network: Network::Namespaces { link: Some(link) }, carrier: Carrier::Tcp, sizes }
}

impl Way {
    fn is_link(&self) -> bool {
        matches!(self.network, Network::Namespaces { .. })
    }

    fn takes(&self, goes: Goes) -> bool {
        match self.carrier {
            Carrier::Tcp => goes != Goes::ThroughMemory,
            Carrier::UnixSockets => goes == Goes::OverUnixSockets,
            Carrier::SharedMemory => goes != Goes::OverTcp,
        }
    }

    /// Where the participant's server is called, which is the n-th.
    fn address(&self, workshop: &Workshop, participant: &Participant, n: usize) -> String {
        let port = PORT + u16::try_from(n).unwrap_or(0);
        match (self.carrier, participant.goes) {
            (_, Goes::ThroughMemory) => format!("shm:{port}"),
            (Carrier::Tcp, _) => format!("{}:{port}", self.network.address(1)),
            _ => workshop.folder.join(format!("{}.socket", participant.name)).display().to_string(),
        }
    }
}

const TEXT: &str = "A call with one argument and an empty reply, microseconds; the server does nothing with what it unmarshals. \
    Medians of rounds in which all take turns. `socket` is the limit: as many bytes over bare sockets.";

/// Builds and measures. `BENCH_CALLS` names the ways, `BENCH_ROUNDS` how often.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let wanted = std::env::var("BENCH_CALLS").ok();
    let is_wanted = |way: &&Way| wanted.as_ref().is_none_or(|wanted| wanted.split(',').any(|name| name == way.name));
    let ways: Vec<&Way> = WAYS.iter().filter(is_wanted).collect();
    let (participants, absent) =
        participants::build(context, &workshop, &|goes| ways.iter().any(|way| way.takes(goes)))?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut samples = Samples::default();
    for way in ways {
        let _net = match way.network.open() {
            Ok(net) => net,
            Err(problem) => {
                println!("bench: calls, {}: not measured: {problem}", way.title);
                continue;
            }
        };
        println!("bench: calls, {}", way.name);
        measure(context, &workshop, way, &participants, &mut samples, &mut outcome)?;
    }
    outcome.sections.splice(0..0, figures::sections(&samples, &absent));
    Ok(outcome)
}

fn rounds(way: &Way) -> u64 {
    let given = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok());
    given.unwrap_or(if way.is_link() { ROUNDS_OVER_LINKS } else { ROUNDS })
}

fn measure(
    context: &Context,
    workshop: &Workshop,
    way: &Way,
    participants: &[Participant],
    samples: &mut Samples,
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let rounds = rounds(way);
    let span = if way.is_link() { MILLISECONDS_OVER_LINKS } else { MILLISECONDS };
    let mut servers = Vec::new();
    for (at, participant) in participants.iter().filter(|participant| way.takes(participant.goes)).enumerate() {
        let address = way.address(workshop, participant, at);
        servers.push((participant, Server::start(participant, &pinned(context, way, 1), address)?));
    }
    for (workload, sizes) in way.sizes {
        for (size, round) in sizes.iter().flat_map(|size| (0..rounds).map(move |round| (*size, round))) {
            let cell = Cell { workload: format!("{}-{workload}", way.name), size };
            for (participant, server) in &servers {
                if way.is_link() && participant.is_aside && !ASIDE.contains(&size) {
                    continue;
                }
                let words = ["client", &server.address, workload, &size.to_string(), span].map(str::to_string);
                let time = server.ask(workshop, &pinned(context, way, 0), &words)?;
                samples.add(cell.clone(), participant.name, round, time * 1e3);
            }
        }
    }
    let measure = Measure { metric: "latency", unit: "us", value: |_, nanoseconds| nanoseconds / 1e3 };
    for (workload, _) in way.sizes {
        let cell = format!("{}-{workload}", way.name);
        let title = format!("calls: {workload}, {}", way.title);
        let base = if way.carrier == Carrier::Tcp { BASE } else { "socket" };
        summary::report(samples, Subject { bench: BENCH, base, workload: &cell, title, text: TEXT }, &measure, outcome);
    }
    if way.name == "tcp" {
        pipeline(context, workshop, way, &servers, outcome)?;
    }
    Ok(())
}

/// Calls a second of which many are under way at a time, where the participant can have it so.
fn pipeline(
    context: &Context,
    workshop: &Workshop,
    way: &Way,
    servers: &[(&Participant, Server)],
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let cell = Cell { workload: "tcp-pipeline".to_string(), size: 64 };
    let mut samples = Samples::default();
    for round in 0..rounds(way) {
        for (participant, server) in
            servers.iter().filter(|(participant, _)| !["socket", "hand"].contains(&participant.name))
        {
            let words = ["pipeline", &server.address, "64", "100"].map(str::to_string);
            let calls = server.ask(workshop, &pinned(context, way, 0), &words)?;
            samples.add(cell.clone(), participant.name, round, 1e9 / calls);
        }
    }
    let measure = Measure { metric: "throughput", unit: "calls/s", value: |_, nanoseconds| 1e9 / nanoseconds };
    let title = "calls: pipelined calls of 64 bytes, loopback TCP, one core".to_string();
    let text = "whittle-direct, Cap'n Proto (promises), gRPC (a completion queue) and ntirpc (callbacks) have up to 64 calls under way; the \
        clients of libtirpc and of the ORBs wait for each.";
    let subject = Subject { bench: BENCH, base: BASE, workload: "tcp-pipeline", title, text };
    summary::report(&samples, subject, &measure, outcome);
    Ok(())
}

/// What a program of a node is started with.
fn pinned(context: &Context, way: &Way, node: usize) -> Vec<String> {
    let core = match way.network {
        // Who is held to one processor does not stay awake for the other side.
        Network::Loopback if way.carrier == Carrier::SharedMemory => "0,1".to_string(),
        Network::Loopback => context.core.clone(),
        Network::Namespaces { .. } => node.to_string(),
    };
    let prefix = way.network.prefix(node).into_iter().map(str::to_string);
    prefix.chain(["taskset".to_string(), "-c".to_string(), core]).collect()
}
