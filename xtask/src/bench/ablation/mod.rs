//! The bench `ablation`: section 3 of Flick's paper, one optimization after the other switched off. In: direct stubs of Flick's three
//! workloads, made with `--no-opt`. Out: by how much each shortens the time, beside what the paper says of it.

mod tables;

use super::samples::Samples;
use super::workloads::stubs::Direct;
use super::workloads::{self, Built};
use super::workshop::Workshop;
use super::{Context, Outcome};

const BENCH: &str = "ablation";
/// Workloads and sizes; a directory entry has 256 bytes.
const CELLS: [(&str, u64); 9] = [
    ("ints", 64),
    ("ints", 1 << 10),
    ("ints", 64 << 10),
    ("rects", 64),
    ("rects", 1 << 10),
    ("rects", 64 << 10),
    ("dirents", 256),
    ("dirents", 1 << 10),
    ("dirents", 64 << 10),
];

/// Stubs without some optimizations.
struct Variant {
    who: &'static str,
    /// Passes.
    off: &'static [&'static str],
    /// Whom it is compared with: the same with that one optimization.
    with: &'static str,
    /// The optimization, and what the paper says that it saves.
    what: &'static str,
    paper: &'static str,
}

/// Every pass that can be left out.
const EVERY: &[&str] =
    &["inline", "tail-loops", "bulk-copies", "merge-checks", "hoist-decode-checks", "chunks", "prefetch", "wide"];
const ON: &str = "whittle";
const WORDS: &str = "no-bulk-copies";

const VARIANTS: [Variant; 12] = [
    variant(ON, &[], ON, "", ""),
    variant("no-checks", &["merge-checks", "hoist-decode-checks"], ON, "merged buffer checks", "up to 12 %"),
    variant(WORDS, &["bulk-copies"], ON, "bulk copies", "60 to 70 % (strings)"),
    variant("no-chunks", &["chunks"], ON, "chunks", "up to 14 %"),
    variant("no-inline", &["inline"], ON, "inlining", "up to 60 %"),
    variant("no-prefetch", &["prefetch"], ON, "prefetching", ""),
    variant("no-wide", &["wide"], ON, "wide vectors", ""),
    variant("none", EVERY, ON, "all passes", ""),
    variant(
        "words-no-checks",
        &["bulk-copies", "merge-checks", "hoist-decode-checks"],
        WORDS,
        "merged buffer checks, word by word",
        "up to 12 %",
    ),
    variant("words-no-chunks", &["bulk-copies", "chunks"], WORDS, "chunks, word by word", "up to 14 %"),
    variant("words-no-inline", &["bulk-copies", "inline"], WORDS, "inlining, word by word", "up to 60 %"),
    variant(
        "words-no-chunks-no-checks",
        &["bulk-copies", "chunks", "merge-checks", "hoist-decode-checks"],
        WORDS,
        "chunks and merged checks, word by word",
        "",
    ),
];

const fn variant(
    who: &'static str,
    off: &'static [&'static str],
    with: &'static str,
    what: &'static str,
    paper: &'static str,
) -> Variant {
    Variant { who, off, with, what, paper }
}

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let built = build(context, &workshop)?;
    let samples = workloads::measure(context, &workshop, &built, BENCH, &CELLS)?;
    Ok(tables::outcome(&samples))
}

fn build(context: &Context, workshop: &Workshop) -> Result<Built, Vec<String>> {
    let mut built = workloads::timer(context, workshop)?;
    let mut folder = None;
    for Variant { who, off, .. } in &VARIANTS {
        let in_place = format!("{who}{IN_PLACE}");
        let received = Some(RECEIVED).filter(|_| *who == ON);
        let direct = Direct { who, in_place: &in_place, received, counted: false, off, flags: &ALIGNED };
        folder = Some(workloads::stubs::direct(context, workshop, &direct, &mut built)?);
    }
    if let Some(folder) = folder {
        workloads::stubs::run_time(workshop, &folder, &mut built)?;
    }
    Ok(built)
}

/// What the names of those who decode in the message end with.
const IN_PLACE: &str = "-in-place";
/// Who decodes a copy of the message into fresh storage.
const RECEIVED: &str = "whittle-received";
/// A loop over single words takes one cycle or two for each, by where it stands. Here all loops stand well.
const ALIGNED: [&str; 2] = ["-falign-functions=64", "-falign-loops=32"];

/// What an optimization saves of the time without it, in percent.
fn saved(samples: &Samples, cell: &super::samples::Cell, with: &str, without: &str) -> Option<f64> {
    samples.speed_up(cell, with, without).map(|ratio| 100.0 * (1.0 - 1.0 / ratio))
}
