//! The bench `marshal`: Flick's Figure 3 and Table 3. whittle's direct stubs marshal straight into a message in memory, beside
//! rpcgen's on libtirpc's memory streams, code by hand, memcpy, and what a user would pick instead.

mod claims;
mod compilers;

use super::workloads::stubs::{Direct, Streams};
use super::workloads::{self, Built, WORKLOADS};
use super::workshop::Workshop;
use super::{Context, Outcome};
use crate::bench::summary::{self, Subject};

const BENCH: &str = "marshal";
/// What ratios are taken to.
const BASE: &str = "rpcgen";
const PEERS: [&str; 5] = ["omniORB", "protobuf", "protobuf-c", "Cap'n Proto", "FlatBuffers"];
const TEXT: &str = "One message in memory, application bytes per second of processor time; medians of 21 rounds over three link \
    orders, all implementations in one pinned process, ratios taken within rounds. whittle's direct stubs, rpcgen's, \
    protobuf's and hand decode into fresh storage and free it. whittle-in-place and hand-in-place decode like a \
    server: the time includes copying the message into a buffer; strings and words stay there, and the rest is in \
    storage that is used again. FlatBuffers, Cap'n Proto and memcpy decode into kept storage. XDR is big-endian, so \
    its stubs byte-swap on this machine; omniORB, protobuf, FlatBuffers and Cap'n Proto write this machine's order \
    (omniorb-swap does not). whittle-tirpc: whittle's stubs in rpcgen's place, on libtirpc's streams.";

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let built = build(context, &workshop)?;
    let samples = workloads::measure(context, &workshop, &built, BENCH, &[])?;
    let mut text = TEXT.to_string();
    built.absent.iter().for_each(|sentence| text.extend([" ", sentence, "."]));
    for (workload, words) in WORKLOADS {
        for direction in ["encode", "decode"] {
            let (title, cell) = (format!("marshal: {direction} {words}"), format!("{workload}-{direction}"));
            let subject = Subject { bench: BENCH, base: BASE, workload: &cell, title, text: &text };
            summary::report(&samples, subject, &workloads::THROUGHPUT, &mut outcome);
        }
    }
    outcome.sections.push(claims::section(&samples));
    outcome.sections.push(compilers::section(context));
    Ok(outcome)
}

fn build(context: &Context, workshop: &Workshop) -> Result<Built, Vec<String>> {
    super::peers::provide(&["rpcgen"]);
    let mut built = workloads::timer(context, workshop)?;
    let direct =
        Direct { who: "whittle", in_place: "whittle-in-place", received: None, counted: false, off: &[], flags: &[] };
    let folder = workloads::stubs::direct(context, workshop, &direct, &mut built)?;
    let counted = Direct { who: "whittle-counted", in_place: "whittle-counted-in-place", counted: true, ..direct };
    workloads::stubs::direct(context, workshop, &counted, &mut built)?;
    workloads::stubs::run_time(workshop, &folder, &mut built)?;
    workloads::stubs::rpcgen(context, workshop, &mut built)?;
    let command = context.whittle.display().to_string();
    let own =
        Streams { who: "whittle-tirpc", name: "whittle_tirpc", command: &command, arguments: &["rpcgen", "flick.x"] };
    workloads::stubs::streams(context, workshop, &own, &mut built)?;
    workloads::yardsticks(context, workshop, &mut built)?;
    workloads::peers::build(context, workshop, &PEERS, &mut built);
    Ok(built)
}
