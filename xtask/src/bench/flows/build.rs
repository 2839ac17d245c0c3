//! The programs of all who take part in a cell of a table. In: `bench/flows`, and the peers that this machine has. Out:
//! processes to start. A peer that is absent is named with its Debian package, and left out.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::Context;
use super::super::workshop::{Workshop, pkg_config};
use super::commands;
use super::participants::{Kind, Participant};
use super::process::Node;
use super::{Packet, Workload};

/// Builds into a workshop.
pub(super) struct Builder<'a> {
    pub(super) context: &'a Context,
    pub(super) workshop: &'a Workshop,
    /// Where the runtime of flows is, compiled: it is the same text each time.
    pub(super) runtime: RefCell<Option<PathBuf>>,
    /// Peers' programs serve several workloads.
    peers: RefCell<BTreeMap<String, PathBuf>>,
    port: Cell<u16>,
    complained: RefCell<Vec<&'static str>>,
}

/// A participant, ready to be started.
pub(super) struct Program {
    pub(super) name: &'static str,
    /// The source is the first.
    pub(super) nodes: Vec<Node>,
}

pub(super) type Built<T> = Result<T, Vec<String>>;

impl<'a> Builder<'a> {
    pub(super) fn new(context: &'a Context, workshop: &'a Workshop) -> Builder<'a> {
        let (runtime, complained) = (RefCell::default(), RefCell::default());
        Builder { context, workshop, runtime, peers: RefCell::default(), port: Cell::new(31000), complained }
    }

    /// All participants of a workload that can be had, for one packet.
    pub(super) fn all(&self, workload: &Workload, packet: Packet) -> Built<Vec<Program>> {
        let mut programs = Vec::new();
        for participant in workload.participants {
            if participant.kind == Kind::Datagrams && packet.bytes > 8000 {
                continue;
            }
            if let Some(package) = absent(participant) {
                if !self.complained.borrow().contains(&participant.name) {
                    println!("bench: flows, {}: not measured: it needs Debian's {package}", participant.name);
                    self.complained.borrow_mut().push(participant.name);
                }
                continue;
            }
            programs.push(self.program(workload, packet, participant)?);
        }
        Ok(programs)
    }

    fn program(&self, workload: &Workload, packet: Packet, participant: &Participant) -> Built<Program> {
        let folder = self.workshop.subfolder(&format!("{}-{}-{}", workload.name, packet.name, participant.name))?;
        // Ports of several edges in a row.
        let port = self.port.get();
        self.port.set(port + 8);
        let nodes = match participant.kind {
            Kind::Flow(transport) => {
                let made = self.flow(workload, packet, participant, transport, &folder)?;
                commands::of_flow(workload, transport, &made, port, transport == "tcp")
            }
            Kind::KeyedFlow => {
                let made = self.flow(workload, packet, participant, "tcp", &folder)?;
                commands::of_flow(workload, "tcp", &made, port, false)
            }
            _ => {
                let program = self.known_peer(workload, packet, participant, &folder)?;
                commands::of_peer(workload, participant, &program, &self.context.sources, port)
            }
        };
        let node = |words| Node { words, folder: folder.clone() };
        Ok(Program { name: participant.name, nodes: nodes.into_iter().map(node).collect() })
    }

    /// Definitions for the preprocessor.
    pub(super) fn defines(&self, workload: &Workload, packet: Packet) -> Vec<String> {
        let include = format!("-I{}", self.context.sources.join("flows").display());
        let ty = format!("-DPACKET={}", packet.ty);
        vec![include, ty, format!("-D{}", packet.name.to_uppercase()), format!("-DNODES={}", workload.nodes)]
    }

    /// A peer's program, built the first time.
    fn known_peer(
        &self,
        workload: &Workload,
        packet: Packet,
        participant: &Participant,
        folder: &Path,
    ) -> Built<PathBuf> {
        let udp = if participant.kind == Kind::Datagrams { "udp" } else { "" };
        let name = format!("{}{udp} {} {}", participant.program, packet.name, workload.nodes);
        if let Some(known) = self.peers.borrow().get(&name) {
            return Ok(known.clone());
        }
        let program = self.peer(workload, packet, participant, folder)?;
        self.peers.borrow_mut().insert(name, program.clone());
        Ok(program)
    }

    /// Generates what a peer generates, compiles, links.
    fn peer(&self, workload: &Workload, packet: Packet, participant: &Participant, folder: &Path) -> Built<PathBuf> {
        let sources = self.context.sources.join("flows");
        let mut flags = self.defines(workload, packet);
        flags.extend([format!("-I{}", folder.display()), "-w".to_string()]);
        if participant.kind == Kind::Datagrams {
            flags.push("-DUDP".to_string());
        }
        let mut files = vec![sources.join(format!("{}.c", participant.program))];
        let mut libraries = Vec::new();
        match participant.program {
            "rpc" => {
                flags.extend(pkg_config("--cflags", "libtirpc").unwrap_or_default());
                libraries.push("-ltirpc");
                files.extend(self.stubs(packet, folder)?);
            }
            "cyclone" => {
                self.workshop.copy(&sources.join("dds_packets.idl"), folder)?;
                self.workshop.run(folder, "idlc", &["-l", "c", "dds_packets.idl"])?;
                libraries.push("-lddsc");
                files.push(folder.join("dds_packets.c"));
            }
            "zmq" => libraries.push("-lzmq"),
            "nng" => libraries.push("-lnng"),
            "nats" => libraries.push("-lnats"),
            _ => {}
        }
        let program = folder.join(participant.program);
        let mut words = vec!["-O2".to_string(), "-o".to_string(), program.display().to_string()];
        words.extend(flags);
        words.extend(files.iter().map(|file| file.display().to_string()));
        words.extend(libraries.into_iter().map(str::to_string));
        self.workshop.run(folder, "gcc", &words)?;
        Ok(program)
    }

    /// rpcgen's header, client, server and routines.
    fn stubs(&self, packet: Packet, folder: &Path) -> Built<Vec<PathBuf>> {
        let define = format!("-DPACKET={}", packet.ty);
        self.workshop.copy(&self.context.sources.join("flows/rpc_packets.x"), folder)?;
        for (option, output) in [("-h", ".h"), ("-c", "_xdr.c"), ("-l", "_clnt.c"), ("-m", "_svc.c")] {
            let output = format!("rpc_packets{output}");
            self.workshop.run(
                folder,
                "rpcgen",
                &[define.as_str(), "-C", option, "-o", output.as_str(), "rpc_packets.x"],
            )?;
        }
        Ok(["xdr", "clnt", "svc"].map(|part| folder.join(format!("rpc_packets_{part}.c"))).to_vec())
    }
}

/// The package that a peer needs and this machine has not.
pub(super) fn absent(participant: &Participant) -> Option<&'static str> {
    let needed: (&[&str], &str) = match participant.program {
        "rpc" => (&["/usr/bin/rpcgen", "/usr/include/tirpc/rpc/rpc.h"], "rpcsvc-proto and libtirpc-dev"),
        "zmq" => (&["/usr/include/zmq.h"], "libzmq3-dev"),
        "nng" => (&["/usr/include/nng/nng.h"], "libnng-dev"),
        "nats" => (&["/usr/include/nats/nats.h", commands::NATS_SERVER], "libnats-dev and nats-server"),
        "cyclone" => (&["/usr/bin/idlc", "/usr/include/dds/dds.h"], "cyclonedds-dev and cyclonedds-tools"),
        _ => (&[], ""),
    };
    needed.0.iter().any(|path| !Path::new(path).is_file()).then_some(needed.1)
}
