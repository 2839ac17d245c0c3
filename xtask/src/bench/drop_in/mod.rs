//! The bench `drop-in`: whittle in rpcgen's place on Flick's three workloads, marshalling alone and whole calls.

mod calls;
mod marshal;
mod peers;

use super::samples::Samples;
use super::summary::{self, Measure, Subject};
use super::workshop::Workshop;
use super::{Context, Outcome};

const BENCH: &str = "drop-in";
/// What ratios are taken to.
const BASE: &str = "rpcgen";

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let built = peers::build(context, &workshop)?;
    marshal::run(context, &workshop, &built, &mut outcome)?;
    calls::run(context, &workshop, &built, &mut outcome)?;
    Ok(outcome)
}

/// Rows and a section for one workload.
fn report(samples: &Samples, workload: &str, title: String, text: &str, measure: &Measure, outcome: &mut Outcome) {
    summary::report(samples, Subject { bench: BENCH, base: BASE, workload, title, text }, measure, outcome);
}
