//! Whole calls through libtirpc over TCP, both ends on one core, with rpcgen's routines and with whittle's; and the
//! same bytes over bare sockets, the limit.

use std::path::PathBuf;

use super::super::samples::{Cell, Samples};
use super::super::workshop::{Workshop, pkg_config};
use super::super::{Context, Outcome};
use super::{Measure, Stubs, report};

const ROUNDS: u64 = 9;
const MILLISECONDS: &str = "30";
const SIZES: [(&str, &[u64]); 2] = [
    ("ints", &[64, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20]),
    ("dirents", &[256, 4 << 10, 64 << 10, 512 << 10]),
];
const TEXT: &str = "A call with one argument and an empty reply, microseconds; client and server are two processes on one \
    core. Only the xdr_T routines differ; `socket` sends the same number of bytes over bare sockets.";

/// Measures, and adds rows and sections.
pub(super) fn run(
    context: &Context,
    workshop: &Workshop,
    stubs: &Stubs,
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let programs = programs(context, workshop, stubs)?;
    let socket = socket(context, workshop)?;
    let mut samples = Samples::default();
    println!("bench: drop-in, calls");
    for (workload, sizes) in SIZES {
        for (size, round) in sizes.iter().flat_map(|size| (0..ROUNDS).map(move |round| (*size, round))) {
            let cell = Cell { workload: format!("{workload}-call"), size };
            for (who, program) in &programs {
                let words = [&context.core, workload, &size.to_string(), MILLISECONDS].map(str::to_string);
                let printed = workshop.run(&workshop.folder, &program.display().to_string(), &words)?;
                add(&mut samples, &cell, who, round, &printed);
            }
            let calls = (300_000 / (size + 3000)).max(4);
            let words =
                ["-c", &context.core, &socket, "tcp", &size.to_string(), &calls.to_string()].map(str::to_string);
            let printed = workshop.run(&workshop.folder, "taskset", &words)?;
            add(&mut samples, &cell, "socket", round, &printed);
        }
    }
    let measure = Measure { metric: "latency", unit: "us", value: |_, nanoseconds| nanoseconds / 1e3 };
    for (workload, title) in [
        ("ints-call", "drop-in: a call that sends integers"),
        ("dirents-call", "drop-in: a call that sends directory entries"),
    ] {
        report(&samples, workload, title.to_string(), TEXT, &measure, outcome);
    }
    Ok(())
}

fn programs(
    context: &Context,
    workshop: &Workshop,
    stubs: &Stubs,
) -> Result<Vec<(&'static str, PathBuf)>, Vec<String>> {
    let driver = context.sources.join("drop-in/calls.c");
    let mut programs = Vec::new();
    for (who, folder) in stubs {
        let mut flags = vec!["-w".to_string(), format!("-I{}", folder.display())];
        flags.extend(pkg_config("--cflags", "libtirpc").unwrap_or_default());
        let objects = [
            workshop.compile(&driver, &format!("{who}_calls.o"), &flags)?,
            workshop.compile(&folder.join("flick_xdr.c"), &format!("{who}_calls_xdr.o"), &flags)?,
        ];
        let libraries = pkg_config("--libs", "libtirpc").unwrap_or_default();
        programs.push((*who, workshop.link(&format!("calls_{who}"), &objects, &libraries)?));
    }
    Ok(programs)
}

fn socket(context: &Context, workshop: &Workshop) -> Result<String, Vec<String>> {
    let source = context.sources.join("peers/bare_sockets.c");
    let object = workshop.compile(&source, "bare_sockets.o", &["-w".to_string()])?;
    Ok(workshop.link("bare_sockets", &[object], &[])?.display().to_string())
}

/// A program prints microseconds.
fn add(samples: &mut Samples, cell: &Cell, who: &str, round: u64, printed: &str) {
    if let Ok(time) = printed.trim().parse::<f64>() {
        samples.add(cell.clone(), who, round, time * 1e3);
    }
}
