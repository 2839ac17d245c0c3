//! Round trips over loopback TCP: whittle's client and server in CORBA's style and in the plain one, and omniORB's, all on one core, in turns.
//! In: the bench's folder. Out: rows and a section. All six are started anew a few times, since the place of a program's memory moves its speed.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use super::super::samples::{Cell, Samples};
use super::super::summary::{self, Measure, Subject};
use super::super::workshop::{Workshop, pkg_config};
use super::super::{Context, Outcome};

const STARTS: u64 = 5;
const MILLISECONDS: u64 = 20;
const SIZES: [u64; 6] = [0, 1 << 10, 16 << 10, 64 << 10, 1 << 20, 4 << 20];
const TEXT: &str = "A call with that many bytes of integers and an empty reply (or without parameters), microseconds, over loopback \
    TCP; client and server are two processes on one core. Medians of 35 rounds (five times BENCH_ROUNDS); all \
    processes restart after each fifth. whittle: the stubs of CORBA's style; whittle-plain: those of the plain \
    style.";

/// Measures, and adds rows and a section.
pub(super) fn run(
    context: &Context,
    workshop: &Workshop,
    rounds: u64,
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let programs = build(context, workshop)?;
    println!("bench: corba, round trips");
    let mut samples = Samples::default();
    for start in 0..STARTS {
        let mut pairs = Vec::new();
        for (who, program) in &programs {
            pairs.push((*who, Pair::start(&context.core, program, options(who))?));
        }
        for round in start * rounds..(start + 1) * rounds {
            for size in SIZES {
                let workload = if size == 0 { "null-trip" } else { "ints-trip" }.to_string();
                let cell = Cell { workload, size };
                for (who, pair) in &mut pairs {
                    samples.add(cell.clone(), who, round, pair.time(size)?);
                }
                pairs.reverse();
            }
            // Each begins, and each is in the middle, as often as the others.
            pairs.rotate_left(1);
        }
    }
    let measure = Measure { metric: "latency", unit: "us", value: |_, nanoseconds| nanoseconds / 1e3 };
    for (workload, words) in [("null-trip", "without parameters"), ("ints-trip", "with integers")] {
        let title = format!("corba: round trips {words}");
        let subject = Subject { bench: super::BENCH, base: "omniorb", workload, title, text: TEXT };
        summary::report(&samples, subject, &measure, outcome);
    }
    Ok(())
}

/// What 4 MB take beside an ORB's defaults.
fn options(who: &str) -> &'static [&'static str] {
    match who {
        "omniorb" => &["-ORBendPoint", "giop:tcp:127.0.0.1:", "-ORBgiopMaxMsgSize", "20971520"],
        "whittle-plain" => &["tcp://127.0.0.1"],
        _ => &["-ORBEndPoint", "giop:tcp:127.0.0.1:"],
    }
}

/// Stubs in this machine's byte order, each with its ORB.
fn build(context: &Context, workshop: &Workshop) -> Result<Vec<(&'static str, PathBuf)>, Vec<String>> {
    let main = context.sources.join(super::BENCH).join("trips.c");
    let main = workshop.compile(&main, "trips.o", &["-w".to_string()])?;
    Ok(vec![
        ("whittle", ours(context, workshop, &main, "whittle")?),
        ("whittle-plain", ours(context, workshop, &main, "plain")?),
        ("omniorb", theirs(context, workshop, &main)?),
    ])
}

/// whittle's, in a style's folder of its own.
fn ours(context: &Context, workshop: &Workshop, main: &Path, name: &str) -> Result<PathBuf, Vec<String>> {
    let (style, files) = match name {
        "plain" => (
            "plain",
            ["flick_client", "flick_server", "flick_types", "whittle_iiop", "whittle_corba", "whittle_net"].as_slice(),
        ),
        _ => ("corba", ["flick-common", "flick-stubs", "flick-skels", "whittle_corba", "whittle_net"].as_slice()),
    };
    let sources = context.sources.join(super::BENCH);
    let folder = workshop.subfolder(&format!("trips-{name}"))?;
    let (idl, whittle) = (sources.join("flick.idl").display().to_string(), context.whittle.display().to_string());
    let options = ["compile", &idl, "--style", style, "--link", "giop-tcp", "--out", "."];
    workshop.run(&folder, &whittle, &options)?;
    let flags = [format!("-I{}", folder.display()), format!("-I{}", sources.display()), "-w".to_string()];
    let mut objects = vec![main.to_path_buf()];
    let program = sources.join(format!("trips_{name}.c"));
    objects.push(workshop.compile(&program, &format!("trips_{name}.o"), &flags)?);
    for file in files {
        let source = folder.join(format!("{file}.c"));
        objects.push(workshop.compile(&source, &format!("trips_{name}_{file}.o"), &flags)?);
    }
    workshop.link(&format!("trips_of_{name}"), &objects, &["-lpthread".to_string()])
}

/// omniORB's; its stubs are the workshop's already.
fn theirs(context: &Context, workshop: &Workshop, main: &Path) -> Result<PathBuf, Vec<String>> {
    let sources = context.sources.join(super::BENCH);
    let mut flags: Vec<String> = [&sources, &workshop.folder].map(|at| format!("-I{}", at.display())).into();
    flags.push("-w".to_string());
    flags.extend(pkg_config("--cflags", "omniORB4").unwrap_or_default());
    let program = workshop.compile(&sources.join("trips_omniorb.cc"), "trips_omniorb.o", &flags)?;
    let mut libraries = pkg_config("--libs", "omniORB4").unwrap_or_default();
    libraries.push("-lpthread".to_string());
    workshop.link("trips_of_omniorb", &[main.to_path_buf(), program, workshop.folder.join("flickSK.o")], &libraries)
}

/// A server, and a client that calls as it is asked; both end with this.
struct Pair {
    server: Child,
    client: Child,
    answers: BufReader<ChildStdout>,
}

impl Pair {
    fn start(core: &str, program: &Path, options: &[&str]) -> Result<Pair, Vec<String>> {
        let started = |words: &[&str]| {
            let mut command = Command::new("taskset");
            command.args(["-c", core]).arg(program).args(words).args(options);
            let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
            child.map_err(|problem| vec![format!("{}: {problem}", program.display())])
        };
        let mut server = started(&["server"])?;
        let reference = line(&mut BufReader::new(server.stdout.take().ok_or_else(silent)?))?;
        let mut client = started(&["client", &reference])?;
        let answers = BufReader::new(client.stdout.take().ok_or_else(silent)?);
        Ok(Pair { server, client, answers })
    }

    /// Nanoseconds of one call.
    fn time(&mut self, size: u64) -> Result<f64, Vec<String>> {
        let input = self.client.stdin.as_mut().ok_or_else(silent)?;
        writeln!(input, "{size} {MILLISECONDS}").map_err(|problem| vec![format!("round trips: {problem}")])?;
        line(&mut self.answers)?.parse().map_err(|_| silent())
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for child in [&mut self.client, &mut self.server] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn line(from: &mut BufReader<ChildStdout>) -> Result<String, Vec<String>> {
    let mut text = String::new();
    from.read_line(&mut text).map_err(|problem| vec![format!("round trips: {problem}")])?;
    Ok(text.trim().to_string())
}

fn silent() -> Vec<String> {
    vec!["a program of the round trips said nothing: what it complains of is above".to_string()]
}
