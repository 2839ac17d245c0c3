//! The bench `corba`: CDR by whittle's stubs beside omniORB's own generated code, on Flick's three workloads, in one process and in
//! turns, in this machine's byte order and in the other; and round trips, both ORBs' own client and server.

mod trips;

use super::samples::{Cell, Samples};
use super::summary::{self, Measure, Subject};
use super::workshop::{Workshop, pkg_config};
use super::{Context, Outcome};

const BENCH: &str = "corba";
const ROUNDS: u64 = 15;
const TRIPS: u64 = 7;
const MILLISECONDS: &str = "1.5";
const WORKLOADS: [(&str, &str); 3] = [
    ("ints", "integers (4 bytes each)"),
    ("rects", "rectangles (16 bytes each)"),
    ("dirents", "directory entries (256 bytes each)"),
];
const TEXT: &str = "One message in memory, application bytes per second of processor time; medians of 15 rounds (or BENCH_ROUNDS), \
    all in one pinned process, ratios taken within rounds. whittle decodes like a client's results (an allocation \
    for each string and sequence), whittle-borrow like a server's in-parameters (strings stay in the message). \
    whittle-plain and whittle-plain-borrow are the same for the plain style. memcpy is the limit.";

/// Builds and measures. `BENCH_ROUNDS` says how often.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    crate::deps::provide(&["omniidl", "libomniorb4-dev"]);
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let program = build(context, &workshop)?;
    println!("bench: corba");
    let given = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse::<u64>().ok());
    let rounds = given.unwrap_or(ROUNDS).to_string();
    let arguments = [context.core.clone(), rounds, MILLISECONDS.to_string()];
    let printed = workshop.run(&workshop.folder, &program.display().to_string(), &arguments)?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    trips::run(context, &workshop, given.unwrap_or(TRIPS), &mut outcome)?;
    let measure = Measure { metric: "throughput", unit: "MB/s", value: |bytes, nanoseconds| bytes / nanoseconds * 1e3 };
    for (is_swapped, base, order) in
        [(false, "omniorb", "this machine's order"), (true, "omniorb-swap", "the other order")]
    {
        let mut samples = Samples::default();
        printed.lines().for_each(|line| read(line, is_swapped, &mut samples));
        for (workload, words) in WORKLOADS {
            for direction in ["encode", "decode"] {
                let cell = format!("{workload}-{direction}");
                let title = format!("corba: {direction} {words}, {order}");
                if samples.cells().any(|known| known.workload == cell) {
                    let subject = Subject { bench: BENCH, base, workload: &cell, title, text: TEXT };
                    summary::report(&samples, subject, &measure, &mut outcome);
                }
            }
        }
    }
    Ok(outcome)
}

fn build(context: &Context, workshop: &Workshop) -> Result<std::path::PathBuf, Vec<String>> {
    let (sources, shared) = (context.sources.join(BENCH), super::workloads::sources(context));
    let idl = sources.join("flick.idl").display().to_string();
    let whittle = context.whittle.display().to_string();
    // Stubs that may send in another order than this machine's have routines for both.
    let other = if cfg!(target_endian = "little") { "big" } else { "little" };
    workshop.run(&workshop.folder, &whittle, &["compile", &idl, "--byte-order", other, "--out", "."])?;
    workshop.run(&workshop.folder, "omniidl", &["-bcxx", &idl])?;
    let mut flags: Vec<String> =
        [&workshop.folder, &sources, &shared].map(|folder| format!("-I{}", folder.display())).into();
    flags.push("-w".to_string());
    let mut objects = Vec::new();
    for name in ["main", "memory"] {
        objects.push(workshop.compile(&shared.join(format!("{name}.c")), &format!("{name}.o"), &flags)?);
    }
    for name in ["encode", "decode", "whittle"] {
        objects.push(workshop.compile(&sources.join(format!("{name}.c")), &format!("{name}.o"), &flags)?);
    }
    for name in ["flick-common", "whittle_corba", "whittle_net"] {
        objects.push(workshop.compile(&workshop.folder.join(format!("{name}.c")), &format!("{name}.o"), &flags)?);
    }
    objects.extend(plain(context, workshop, other)?);
    flags.extend(pkg_config("--cflags", "omniORB4").unwrap_or_default());
    objects.push(workshop.compile(&workshop.folder.join("flickSK.cc"), "flickSK.o", &flags)?);
    objects.push(workshop.compile(&shared.join("omniorb.cc"), "omniorb.o", &flags)?);
    let mut libraries = pkg_config("--libs", "omniORB4").unwrap_or_default();
    libraries.push("-lpthread".to_string());
    workshop.link("corba", &objects, &libraries)
}

/// The same around stubs in the plain style, whose names have a prefix.
fn plain(context: &Context, workshop: &Workshop, order: &str) -> Result<Vec<std::path::PathBuf>, Vec<String>> {
    let (sources, folder) = (context.sources.join(BENCH), workshop.subfolder("plain")?);
    let idl = sources.join("flick.idl").display().to_string();
    let (whittle, style) = (context.whittle.display().to_string(), ["--style", "plain", "--link", "giop-tcp"]);
    let names = ["--byte-order", order, "--present", "prefix plain_", "--out", "."];
    workshop.run(&folder, &whittle, &[&["compile", &idl][..], &style, &names].concat())?;
    let folders = [&folder, &sources, &super::workloads::sources(context)];
    let mut flags: Vec<String> = folders.map(|folder| format!("-I{}", folder.display())).into();
    flags.extend(["-w", "-DPLAIN"].map(str::to_owned));
    let own = ["encode", "decode", "whittle"].map(|name| (sources.join(format!("{name}.c")), name));
    let made = ["flick_types", "whittle_iiop"].map(|name| (folder.join(format!("{name}.c")), name));
    own.iter().chain(&made).map(|(source, name)| workshop.compile(source, &format!("plain_{name}.o"), &flags)).collect()
}

/// `WORKLOAD SIZE DIRECTION WHO ROUND NANOSECONDS`
fn read(line: &str, is_swapped: bool, samples: &mut Samples) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [workload, size, direction, who, round, time] = words.as_slice()
        && who.ends_with("-swap") == is_swapped
        && let (Ok(size), Ok(round), Ok(time)) = (size.parse(), round.parse::<u64>(), time.parse())
    {
        samples.add(Cell { workload: format!("{workload}-{direction}"), size }, who, round, time);
    }
}
