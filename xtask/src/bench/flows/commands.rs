//! What the processes of a participant are started with. In: where its nodes are. Out: command lines, the source's first.

use std::path::Path;

use super::Workload;
use super::participants::{Kind, Participant};

pub(super) const NATS_SERVER: &str = "/usr/sbin/nats-server";

/// The programs of a flow, and the options that all such programs have.
pub(super) fn of_flow(
    workload: &Workload,
    transport: &str,
    made: &Path,
    port: u16,
    is_unauthenticated: bool,
) -> Vec<Vec<String>> {
    let names: &[&str] = match (transport, workload.nodes) {
        ("direct", _) => &["direct"],
        (_, 2) => &["two_source", "two_sink"],
        _ => &["three_source", "three_between", "three_sink"],
    };
    let line = |(node, name): (usize, &&str)| {
        let program = made.join(name).display().to_string();
        let folder = made.join("run").display().to_string();
        let options = ["--port".to_string(), port.to_string(), "--dir".to_string(), folder];
        let plain = is_unauthenticated.then(|| "--unauthenticated".to_string());
        prefix(workload, node).chain([program]).chain(options).chain(plain).collect()
    };
    names.iter().enumerate().map(line).collect()
}

/// A peer's program, once for each node, and a server where there is one.
pub(super) fn of_peer(
    workload: &Workload,
    participant: &Participant,
    program: &Path,
    sources: &Path,
    port: u16,
) -> Vec<Vec<String>> {
    let roles: &[&str] = if workload.nodes == 2 { &["source", "sink"] } else { &["source", "relay", "sink"] };
    let ends = ends(workload, participant.kind, port);
    let line = |(node, role): (usize, &&str)| {
        let words = [program.display().to_string(), (*role).to_string()];
        prefix(workload, node).chain(words).chain(ends.iter().cloned()).collect()
    };
    let mut lines: Vec<Vec<String>> = roles.iter().enumerate().map(line).collect();
    if participant.kind == Kind::Nats {
        let settings = sources.join("flows/nats.conf").display().to_string();
        let words = [NATS_SERVER, "-a", "127.0.0.1", "-p", &port.to_string(), "-c", &settings];
        lines.push(words.map(str::to_string).to_vec());
    }
    lines
}

/// Where data arrives, where the relay hands it on to, and where answers are fetched.
fn ends(workload: &Workload, kind: Kind, port: u16) -> Vec<String> {
    let address = |node: usize, number: u16| format!("{}:{}", workload.network.address(node), port + number);
    let last = workload.nodes - 1;
    match kind {
        Kind::Ports(before) => {
            [(1, 0), (last, 1), (last, 2)].map(|(node, number)| format!("{before}{}", address(node, number))).to_vec()
        }
        Kind::Paths(before) => ["data", "next", "back"].map(|name| format!("{before}{name}.socket")).to_vec(),
        Kind::Datagrams => [(1, 0), (last, 1), (last, 2)].map(|(node, number)| address(node, number)).to_vec(),
        Kind::Nats => vec![format!("nats://{}", address(0, 0))],
        Kind::Flow(_) | Kind::KeyedFlow | Kind::Dds => Vec::new(),
    }
}

fn prefix(workload: &Workload, node: usize) -> impl Iterator<Item = String> + use<> {
    workload.network.prefix(node).into_iter().map(str::to_string)
}
