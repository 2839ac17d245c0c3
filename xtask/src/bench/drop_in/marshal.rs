//! Marshalling alone, on XDR streams in memory.

use super::super::workloads::{self, Built, WORKLOADS};
use super::super::workshop::Workshop;
use super::super::{Context, Outcome};
use super::{BENCH, report};

const TEXT: &str = "One message in memory, application bytes per second of processor time; medians of 21 rounds over three link orders, all \
    implementations in one pinned process, ratios taken within rounds. XDR stubs decode from zeroed structures, \
    allocate, and release by XDR_FREE (whittle-arena: one arena per message). omniORB, protobuf and FlatBuffers write \
    this machine's byte order unless the name says otherwise; FlatBuffers and memcpy decode into kept storage. \
    cyclone-be is encoding alone. hand-in-place decodes in the message, after a copy of it.";

/// Measures, and adds rows and sections.
pub(super) fn run(
    context: &Context,
    workshop: &Workshop,
    built: &Built,
    outcome: &mut Outcome,
) -> Result<(), Vec<String>> {
    let samples = workloads::measure(context, workshop, built, BENCH, &[])?;
    for (workload, words) in WORKLOADS {
        for direction in ["encode", "decode"] {
            let title = format!("drop-in: {direction} {words}");
            let mut text = TEXT.to_string();
            built.absent.iter().for_each(|sentence| text.extend([" ", sentence, "."]));
            report(&samples, &format!("{workload}-{direction}"), title, &text, &workloads::THROUGHPUT, outcome);
        }
    }
    Ok(())
}
