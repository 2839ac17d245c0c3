//! Who takes part in the bench of calls. In: `bench/calls`, and the peers that this machine has. Out: programs, and servers
//! that run until they are dropped.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::super::Context;
use super::super::workshop::{Workshop, pkg_config};

/// A program that is a server and a client.
pub(super) struct Participant {
    pub(super) name: &'static str,
    program: PathBuf,
    /// It goes over Unix sockets, too.
    pub(super) is_local: bool,
}

/// All participants that can be had.
pub(super) fn build(context: &Context, workshop: &Workshop) -> Result<Vec<Participant>, Vec<String>> {
    let mut participants = vec![
        Participant { name: "socket", program: program(context, workshop, "socket", &[], &[])?, is_local: true },
        Participant { name: "whittle-direct", program: direct(context, workshop)?, is_local: true },
    ];
    if pkg_config("--exists", "libtirpc").is_none() {
        println!("bench: calls: libtirpc is not measured: it needs Debian's rpcsvc-proto and libtirpc-dev");
        return Ok(participants);
    }
    for (name, is_rpcgen) in [("rpcgen", true), ("whittle-tirpc", false)] {
        let program = tirpc(context, workshop, name, is_rpcgen)?;
        participants.push(Participant { name, program, is_local: false });
    }
    Ok(participants)
}

/// Compiles and links `bench/calls/SOURCE.c` with the files that were generated for it.
fn program(
    context: &Context,
    workshop: &Workshop,
    source: &str,
    generated: &[PathBuf],
    flags: &[String],
) -> Result<PathBuf, Vec<String>> {
    let sources = context.sources.join("calls");
    let folder = generated.first().and_then(|file| file.parent()).unwrap_or(&workshop.folder);
    let name = folder.file_name().map_or_else(|| source.to_string(), |name| name.to_string_lossy().into_owned());
    let mut all = vec!["-w".to_string(), format!("-I{}", folder.display()), "-pthread".to_string()];
    all.extend_from_slice(flags);
    let own = ["driver", source].map(|name| sources.join(format!("{name}.c")));
    let mut objects = Vec::new();
    for file in own.iter().chain(generated) {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        objects.push(workshop.compile(file, &format!("{name}_{stem}.o"), &all)?);
    }
    let mut libraries = vec!["-pthread".to_string()];
    if flags.iter().any(|flag| flag.contains("tirpc")) {
        libraries.extend(pkg_config("--libs", "libtirpc").unwrap_or_default());
    }
    workshop.link(&format!("{name}_{source}"), &objects, &libraries)
}

fn interface(context: &Context) -> PathBuf {
    context.sources.join("drop-in/flick.x")
}

/// Direct stubs: nothing else is linked.
fn direct(context: &Context, workshop: &Workshop) -> Result<PathBuf, Vec<String>> {
    let folder = workshop.subfolder("direct")?;
    let whittle = context.whittle.display().to_string();
    let file = interface(context).display().to_string();
    workshop.run(&folder, &whittle, &["compile", &file, "--style", "plain", "--out", "."])?;
    let generated =
        ["flick_types.c", "flick_client.c", "flick_server.c", "whittle_onc.c"].map(|name| folder.join(name));
    program(context, workshop, "direct", &generated, &[])
}

/// libtirpc, with rpcgen's stubs or with whittle's in its style.
fn tirpc(context: &Context, workshop: &Workshop, name: &str, is_rpcgen: bool) -> Result<PathBuf, Vec<String>> {
    let folder = workshop.subfolder(name)?;
    workshop.copy(&interface(context), &folder)?;
    if is_rpcgen {
        for (option, output) in [("-h", "flick.h"), ("-c", "flick_xdr.c"), ("-l", "flick_clnt.c")] {
            workshop.run(&folder, "rpcgen", &["-C", option, "-o", output, "flick.x"])?;
        }
    } else {
        let whittle = context.whittle.display().to_string();
        workshop.run(&folder, &whittle, &["compile", "flick.x", "--out", "."])?;
    }
    let flags = pkg_config("--cflags", "libtirpc").unwrap_or_default();
    program(context, workshop, "tirpc", &["flick_xdr.c", "flick_clnt.c"].map(|file| folder.join(file)), &flags)
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
