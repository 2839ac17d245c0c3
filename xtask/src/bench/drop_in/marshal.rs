//! Marshalling alone: one process holds all implementations, which take turns in every round. The program is linked in
//! several orders, because the place of a loop in memory alone moves some of them, rpcgen's for one, by a quarter.

use super::super::samples::{Cell, Samples};
use super::super::workshop::Workshop;
use super::super::{Context, Outcome};
use super::peers::Built;
use super::{Measure, report};

const LAYOUTS: usize = 3;
const ROUNDS: u64 = 7;
const MILLISECONDS: &str = "1.5";
const WORKLOADS: [(&str, &str); 3] = [
    ("ints", "integers (4 bytes each)"),
    ("rects", "rectangles (16 bytes each)"),
    ("dirents", "directory entries (256 bytes each)"),
];
const TEXT: &str = "One message in memory, application bytes per second of processor time; medians of 21 rounds over three link orders, all \
    implementations in one pinned process, ratios taken within rounds. XDR stubs decode from zeroed structures, \
    allocate, and release by XDR_FREE (whittle-arena: one arena per message). omniORB, protobuf and FlatBuffers write \
    this machine's byte order unless the name says otherwise; FlatBuffers and memcpy decode into kept storage. \
    cyclone-be is encoding alone.";

/// Measures, and adds rows and sections.
pub(super) fn run(
    context: &Context,
    workshop: &Workshop,
    built: &Built,
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let mut samples = Samples::default();
    for layout in 0..LAYOUTS {
        let mut objects = built.objects.clone();
        let shift = layout * objects.len() / LAYOUTS;
        objects.rotate_left(shift);
        let program = workshop.link(&format!("drop_in_{layout}"), &objects, &built.libraries)?;
        println!("bench: drop-in, link order {} of {LAYOUTS}", layout + 1);
        let arguments = [context.core.clone(), ROUNDS.to_string(), MILLISECONDS.to_string()];
        let printed = workshop.run(&workshop.folder, &program.display().to_string(), &arguments)?;
        for line in printed.lines() {
            read(line, layout as u64 * ROUNDS, &mut samples);
        }
    }
    let measure = Measure { metric: "throughput", unit: "MB/s", value: |bytes, nanoseconds| bytes / nanoseconds * 1e3 };
    for (workload, words) in WORKLOADS {
        for direction in ["encode", "decode"] {
            let title = format!("drop-in: {direction} {words}");
            let mut text = TEXT.to_string();
            built.absent.iter().for_each(|sentence| text.extend([" ", sentence, "."]));
            report(&samples, &format!("{workload}-{direction}"), title, &text, &measure, outcome);
        }
    }
    Ok(())
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
