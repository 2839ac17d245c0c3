//! The bench `drop-in`: whittle in rpcgen's place on Flick's three workloads, marshalling alone and whole calls.

mod calls;
mod marshal;

use std::path::PathBuf;

use super::samples::Samples;
use super::summary::{self, Measure, Subject};
use super::workloads::stubs::Streams;
use super::workloads::{self, Built};
use super::workshop::Workshop;
use super::{Context, Outcome};

const BENCH: &str = "drop-in";
/// What ratios are taken to.
const BASE: &str = "rpcgen";

/// Folders with `flick.h` and `flick_xdr.c`, for whole calls, and whose they are.
type Stubs = Vec<(&'static str, PathBuf)>;

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let (built, stubs) = build(context, &workshop)?;
    marshal::run(context, &workshop, &built, &mut outcome)?;
    calls::run(context, &workshop, &stubs, &mut outcome)?;
    Ok(outcome)
}

fn build(context: &Context, workshop: &Workshop) -> Result<(Built, Stubs), Vec<String>> {
    super::peers::provide(&["rpcgen"]);
    let mut built = workloads::timer(context, workshop)?;
    let command = context.whittle.display().to_string();
    let arguments = ["rpcgen", "--server-arena", "flick.x"];
    let own = Streams { who: "whittle", name: "whittle", command: &command, arguments: &arguments };
    let (folder, mut flags) = workloads::stubs::streams(context, workshop, &own, &mut built)?;
    let mut stubs = vec![("whittle", folder)];
    flags.extend(["-DWHO=\"whittle-arena\"", "-DIN_ARENA"].map(str::to_string));
    let driver = workloads::sources(context).join("xdr.c");
    built.objects.push(workshop.compile(&driver, "whittle_arena.o", &flags)?);
    let folder = workloads::stubs::rpcgen(context, workshop, &mut built)?;
    stubs.extend(folder.map(|folder| ("rpcgen", folder)));
    workloads::yardsticks(context, workshop, &mut built)?;
    let names = ["omniORB", "protobuf", "FlatBuffers", "Cyclone DDS"];
    workloads::peers::build(context, workshop, &names, &mut built);
    Ok((built, stubs))
}

/// Rows and a section for one workload.
fn report(samples: &Samples, workload: &str, title: String, text: &str, measure: &Measure, outcome: &mut Outcome) {
    summary::report(samples, Subject { bench: BENCH, base: BASE, workload, title, text }, measure, outcome);
}
