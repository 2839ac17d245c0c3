//! Flick's three workloads, marshalled in memory: what the benches that measure them share. In: `bench/workloads`, and the peers that
//! this machine has. Out: times in which all implementations took turns.
//!
//! One process holds all of them. It is linked in several orders, because the place of a loop in memory alone moves some of
//! them, rpcgen's for one, by a quarter.

pub(super) mod peers;
pub(super) mod stubs;

use std::path::PathBuf;

use super::Context;
use super::samples::{Cell, Samples};
use super::summary::Measure;
use super::workshop::Workshop;

/// How often the program is linked, each time in another order.
pub(super) const LAYOUTS: usize = 3;
pub(super) const ROUNDS: u64 = 7;
const MILLISECONDS: &str = "1.5";

/// The workloads, and in words.
pub(super) const WORKLOADS: [(&str, &str); 3] = [
    ("ints", "integers (4 bytes each)"),
    ("rects", "rectangles (16 bytes each)"),
    ("dirents", "directory entries (256 bytes each)"),
];

/// Application bytes, by time.
pub(super) const THROUGHPUT: Measure =
    Measure { metric: "throughput", unit: "MB/s", value: |bytes, nanoseconds| bytes / nanoseconds * 1e3 };

/// What was built.
#[derive(Default)]
pub(super) struct Built {
    pub(super) objects: Vec<PathBuf>,
    pub(super) libraries: Vec<String>,
    /// What is absent, in sentences.
    pub(super) absent: Vec<String>,
}

/// The program that measures.
pub(super) fn timer(context: &Context, workshop: &Workshop) -> Result<Built, Vec<String>> {
    let main = workshop.compile(&sources(context).join("main.c"), "main.o", &[])?;
    Ok(Built { objects: vec![main], ..Built::default() })
}

/// The limit and the careful programmer.
pub(super) fn yardsticks(context: &Context, workshop: &Workshop, built: &mut Built) -> Result<(), Vec<String>> {
    let by_hand = context.sources.join("peers/hand_marshal.c");
    for source in [sources(context).join("memory.c"), sources(context).join("hand.c"), by_hand] {
        let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        built.objects.push(workshop.compile(&source, &format!("{name}.o"), &[])?);
    }
    Ok(())
}

/// Where the workloads' own files are.
pub(super) fn sources(context: &Context) -> PathBuf {
    context.sources.join("workloads")
}

/// Measures whatever was built; `only` are pairs of a workload and a size, all where there are none.
pub(super) fn measure(
    context: &Context,
    workshop: &Workshop,
    built: &Built,
    bench: &str,
    only: &[(&str, u64)],
) -> Result<Samples, Vec<String>> {
    let mut samples = Samples::default();
    let rounds = std::env::var("BENCH_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(ROUNDS);
    for layout in 0..LAYOUTS {
        let mut objects = built.objects.clone();
        let shift = layout * objects.len() / LAYOUTS;
        objects.rotate_left(shift);
        let program = workshop.link(&format!("program_{layout}"), &objects, &built.libraries)?;
        println!("bench: {bench}, link order {} of {LAYOUTS}", layout + 1);
        let words = [context.core.clone(), rounds.to_string(), MILLISECONDS.to_string()];
        let mut questions: Vec<Vec<String>> = only
            .iter()
            .map(|(workload, size)| [&words[..], &[(*workload).to_string(), size.to_string()]].concat())
            .collect();
        if only.is_empty() {
            questions.push(words.to_vec());
        }
        for question in questions {
            let printed = workshop.run(&workshop.folder, &program.display().to_string(), &question)?;
            printed.lines().for_each(|line| read(line, layout as u64 * rounds, &mut samples));
        }
    }
    Ok(samples)
}

/// `WORKLOAD SIZE DIRECTION WHO ROUND NANOSECONDS`
fn read(line: &str, first_round: u64, samples: &mut Samples) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [workload, size, direction, who, round, time] = words.as_slice()
        && let (Ok(size), Ok(round), Ok(time)) = (size.parse(), round.parse::<u64>(), time.parse())
    {
        samples.add(Cell { workload: format!("{workload}-{direction}"), size }, who, first_round + round, time);
    }
}
