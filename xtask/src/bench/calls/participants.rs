//! Who takes part in the bench of calls. In: `bench/calls`, and the peers that this machine has. Out: programs, and servers
//! that run until they are dropped. A peer that is absent is left out and named.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::super::workshop::Workshop;
use super::super::{Context, peers};
use super::programs;

/// How a participant's calls can travel.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Goes {
    /// Over nothing else.
    OverTcp,
    /// Over TCP, too.
    OverUnixSockets,
    /// Through shared memory, and over nothing else.
    ThroughMemory,
}

/// A program that is a server and a client.
pub(super) struct Participant {
    pub(super) name: &'static str,
    program: PathBuf,
    pub(super) goes: Goes,
    /// What only stands beside: at few sizes where calls take long.
    pub(super) is_aside: bool,
}

type Make = fn(&Context, &Workshop, &str) -> Result<PathBuf, Vec<String>>;

/// Names, of the participants and of the peers they need; how they go, and who only stands beside.
const PEERS: [(&str, &str, Make, Goes, bool); 6] = [
    ("rpcgen", "rpcgen", programs::rpcgen, Goes::OverTcp, false),
    ("whittle-tirpc", "rpcgen", programs::tirpc, Goes::OverTcp, false),
    ("ntirpc", "ntirpc", programs::ntirpc, Goes::OverTcp, true),
    ("omniorb", "omniORB", programs::omniorb, Goes::OverUnixSockets, false),
    ("capnp", "Cap'n Proto", programs::capnp, Goes::OverUnixSockets, true),
    ("grpc", "gRPC", programs::grpc, Goes::OverUnixSockets, true),
];

/// All participants of these ways that can be had, and sentences about the others.
pub(super) fn build(
    context: &Context,
    workshop: &Workshop,
    is_taken: &dyn Fn(Goes) -> bool,
) -> Result<(Vec<Participant>, Vec<String>), Vec<String>> {
    let own: [(&str, Make, Goes); 6] = [
        ("socket", programs::socket, Goes::OverUnixSockets),
        ("hand", programs::hand, Goes::OverUnixSockets),
        ("whittle-direct", programs::direct, Goes::OverUnixSockets),
        ("whittle-shm", programs::direct, Goes::ThroughMemory),
        ("whittle-rpcgen", programs::rpc, Goes::OverTcp),
        ("whittle-giop", programs::giop, Goes::OverTcp),
    ];
    let (mut participants, mut absent) = (Vec::new(), Vec::new());
    for (name, make, goes) in own.into_iter().filter(|(.., goes)| is_taken(*goes)) {
        participants.push(Participant { name, program: make(context, workshop, name)?, goes, is_aside: false });
    }
    let peers: Vec<_> = PEERS.into_iter().filter(|(_, _, _, goes, _)| is_taken(*goes)).collect();
    peers::provide(&peers.iter().map(|(_, peer, ..)| *peer).collect::<Vec<_>>());
    for (name, peer, make, goes, is_aside) in peers {
        match peers::attempt(peer, || make(context, workshop, name)) {
            Ok(program) => participants.push(Participant { name, program, goes, is_aside }),
            Err(sentence) => absent.push(sentence),
        }
    }
    absent.iter().for_each(|sentence| println!("bench: calls: {sentence}"));
    Ok((participants, absent))
}

/// One that runs.
pub(super) struct Server {
    pub(super) name: &'static str,
    pub(super) address: String,
    program: PathBuf,
    process: Child,
}

impl Server {
    /// Waits until calls are welcome. `prefix`: what pins it to a core, and to a network.
    pub(super) fn start(participant: &Participant, prefix: &[String], address: String) -> Result<Server, Vec<String>> {
        let _ = std::fs::remove_file(Path::new(&address));
        let failed = |problem: std::io::Error| vec![format!("{}: {problem}", participant.program.display())];
        let [first, rest @ ..] = prefix else { return Err(vec!["no way to start a server".to_string()]) };
        let mut command = Command::new(first);
        command.args(rest).arg(&participant.program).args(["server", &address]);
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().map_err(failed)?;
        let mut said = String::new();
        if let Some(output) = process.stdout.take() {
            BufReader::new(output).read_line(&mut said).map_err(failed)?;
        }
        let (name, program) = (participant.name, participant.program.clone());
        let server = Server { name, address, program, process };
        if said.trim() == "ready" { Ok(server) } else { Err(vec![format!("{name}: its server does not start")]) }
    }

    /// The number that a client prints.
    pub(super) fn ask(&self, workshop: &Workshop, prefix: &[String], words: &[String]) -> Result<f64, Vec<String>> {
        let mut all: Vec<String> = prefix.to_vec();
        all.push(self.program.display().to_string());
        all.extend_from_slice(words);
        let printed = workshop.run(&workshop.folder, "timeout", &[vec!["60".to_string()], all].concat())?;
        printed.trim().parse().map_err(|_| vec![format!("{}: no number: {printed}", self.name)])
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
