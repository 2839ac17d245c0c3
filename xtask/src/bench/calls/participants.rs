//! Who takes part in the bench of calls. In: `bench/calls`, and the peers that this machine has. Out: programs, and servers
//! that run until they are dropped. A peer that is absent is left out and named.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::super::workshop::Workshop;
use super::super::{Context, peers};
use super::programs;

/// A program that is a server and a client.
pub(super) struct Participant {
    pub(super) name: &'static str,
    program: PathBuf,
    /// It goes over Unix sockets, too.
    pub(super) is_local: bool,
    /// What only stands beside: at few sizes where calls take long.
    pub(super) is_aside: bool,
}

type Make = fn(&Context, &Workshop, &str) -> Result<PathBuf, Vec<String>>;

/// Names, of the participants and of the peers they need; who goes over Unix sockets, and who only stands beside.
const PEERS: [(&str, &str, Make, bool, bool); 6] = [
    ("rpcgen", "rpcgen", programs::rpcgen, false, false),
    ("whittle-tirpc", "rpcgen", programs::tirpc, false, false),
    ("ntirpc", "ntirpc", programs::ntirpc, false, true),
    ("omniorb", "omniORB", programs::omniorb, true, false),
    ("capnp", "Cap'n Proto", programs::capnp, true, true),
    ("grpc", "gRPC", programs::grpc, true, true),
];

/// All participants that can be had, and sentences about the others.
pub(super) fn build(context: &Context, workshop: &Workshop) -> Result<(Vec<Participant>, Vec<String>), Vec<String>> {
    let own: [(&str, Make, bool); 5] = [
        ("socket", programs::socket, true),
        ("hand", programs::hand, true),
        ("whittle-direct", programs::direct, true),
        ("whittle-rpcgen", programs::rpc, false),
        ("whittle-giop", programs::giop, false),
    ];
    let (mut participants, mut absent) = (Vec::new(), Vec::new());
    for (name, make, is_local) in own {
        participants.push(Participant { name, program: make(context, workshop, name)?, is_local, is_aside: false });
    }
    peers::provide(&PEERS.map(|(_, peer, ..)| peer));
    for (name, peer, make, is_local, is_aside) in PEERS {
        match peers::attempt(peer, || make(context, workshop, name)) {
            Ok(program) => participants.push(Participant { name, program, is_local, is_aside }),
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
