//! The bench `shm`: calls between two processes of one machine through shared memory, beside Unix sockets and TCP, and beside bare
//! memory, futexes and sockets; and the bench `fluke`: calls between threads in registers, beside a function's pointer and shared
//! memory. In turns, in one run. In: `bench/shm`, `bench/fluke`. Out: the median and the least of the rounds.

use super::report::{Section, Table};
use super::rows::Row;
use super::workshop::{self, Workshop};
use super::{Context, Outcome};

/// A program of such calls.
struct Program {
    /// The bench, the folder of its sources, and the program.
    bench: &'static str,
    title: &'static str,
    text: &'static str,
    /// Interfaces, and what they are compiled with; the bench's own files, of which the sources are compiled with the written ones.
    interfaces: &'static [(&'static str, &'static [&'static str])],
    own: &'static [&'static str],
    written: &'static [&'static str],
}

const ROUNDS: &str = "15";

const SHM: Program = Program {
    bench: "shm",
    title: "shm: calls on one machine",
    text: "A client and a server process on this machine, on whichever processors the system gives them. null: a call \
        without arguments, one after the other. asleep: the same, where both sides have gone to sleep before each. \
        shm-of-two: the server has another client, which does nothing. giop: the same over GIOP. pipelined: 64 \
        calls are sent while 64 are on their way. one-way: calls without replies, then one with. bytes: an argument of so many bytes.",
    interfaces: &[("local.x", &[]), ("turn.idl", &["--link", "giop-tcp"])],
    own: &["local.c", "giop.c", "giop.h"],
    written: &[
        "local_client.c",
        "local_server.c",
        "local_types.c",
        "whittle_onc.c",
        "turn_client.c",
        "turn_server.c",
        "turn_types.c",
        "whittle_iiop.c",
        "whittle_corba.c",
        "whittle_net.c",
    ],
};

const FLUKE: Program = Program {
    bench: "fluke",
    title: "fluke: calls between threads in registers",
    text: "Two threads of one process. pointer: the server's function is called through a pointer, without stubs. registers: \
        `--link fluke`. shm: `--link shm`, in the same process.",
    interfaces: &[("words.x", &["--link", "fluke"]), ("shared.x", &["--link", "shm"])],
    own: &["fluke.c"],
    written: &[
        "words_client.c",
        "words_server.c",
        "words_types.c",
        "shared_client.c",
        "shared_server.c",
        "shared_types.c",
        "whittle_fluke.c",
        "whittle_onc.c",
        "whittle_net.c",
    ],
};

/// Between processes, through shared memory.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    run_program(context, &SHM)
}

/// Between threads, in registers.
pub(super) fn fluke(context: &Context) -> Result<Outcome, Vec<String>> {
    run_program(context, &FLUKE)
}

/// Builds the program, runs it, and sums up what it says.
fn run_program(context: &Context, program: &Program) -> Result<Outcome, Vec<String>> {
    println!("bench: {}", program.bench);
    let workshop = Workshop::new(context.results.join(program.bench))?;
    let folder = workshop.folder.clone();
    let whittle = context.whittle.display().to_string();
    let sources = context.sources.join(program.bench);
    for own in program.own {
        workshop.copy(&sources.join(own), &folder)?;
    }
    for (interface, options) in program.interfaces {
        workshop.copy(&sources.join(interface), &folder)?;
        workshop.run(&folder, &whittle, &[&["compile", interface, "--style", "plain"], *options].concat())?;
    }
    let flags = ["-O2", "-D_GNU_SOURCE", "-pthread", "-I.", "-o", "program"];
    let own = program.own.iter().filter(|name| name.ends_with(".c"));
    let files = flags.iter().chain(own).chain(program.written).map(ToString::to_string);
    let arguments: Vec<String> = files.chain(workshop::includes(&[])).collect();
    workshop.run(&folder, "gcc", &arguments)?;
    let said = workshop.run(&folder, &folder.join("program").display().to_string(), &[ROUNDS])?;
    Ok(outcome(&said, program))
}

/// In: lines of workload, bytes, who, round, nanoseconds.
fn outcome(said: &str, program: &Program) -> Outcome {
    let mut times: Vec<(String, Vec<f64>)> = Vec::new();
    for line in said.lines() {
        let words: Vec<&str> = line.split(' ').collect();
        let [workload, size, who, _, time] = words[..] else { continue };
        let (name, time) = (format!("{workload} {size} {who}"), time.parse().unwrap_or(f64::NAN));
        match times.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => known.push(time),
            None => times.push((name, vec![time])),
        }
    }
    let (mut rows, mut lines) = (Vec::new(), Vec::new());
    for (name, mut all) in times {
        all.sort_by(f64::total_cmp);
        let (median, least) = (all[all.len() / 2] / 1e3, all[0] / 1e3);
        println!("bench: {name}: {median:.3} us, at least {least:.3}");
        let words: Vec<&str> = name.split(' ').collect();
        rows.push(Row {
            bench: program.bench,
            workload: words[0].to_string(),
            size: words[1].parse().unwrap_or(0),
            who: words[2].to_string(),
            metric: "latency",
            unit: "us",
            value: median,
        });
        lines.push(vec![name, format!("{median:.3}"), format!("{least:.3}")]);
    }
    let head = ["what", "median us", "least us"].map(str::to_string).into();
    let tables = vec![Table { caption: "time of a call".to_string(), head, rows: lines }];
    let title = program.title.to_string();
    Outcome { rows, sections: vec![Section { title, text: program.text.to_string(), plot: String::new(), tables }] }
}
