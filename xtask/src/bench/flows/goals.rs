//! What was set out for, cell by cell: ratios of speeds, taken within rounds. In: samples. Out: a section.

use super::super::Outcome;
use super::super::report::{Section, Table};
use super::samples::Samples;
use super::tables::cell;
use super::{PACKETS, Packet, WORKLOADS, Workload};

/// As fast as by hand is within two percent.
const PAR: f64 = 0.98;
const TEXT: &str = "Ratios of speeds (more is better for whittle), medians of ratios within rounds. by hand: the better of \
    `hand` and `hand-batched` in that cell. packaged: the best of the libraries in that cell.";

/// A section with a verdict for each goal and packet.
pub(super) fn report(samples: &Samples, outcome: &mut Outcome) {
    let mut rows = Vec::new();
    for workload in &WORKLOADS {
        for (metric, what) in [("throughput", "throughput"), ("latency-p50", "latency")] {
            let goal = |who: &'static str, others: &[&'static str], least: [f64; 4]| {
                let title = format!("{}, {what}: {who} to {}", workload.name, others.join(", "));
                line(samples, workload, metric, who, others, least).map(|cells| [vec![title], cells].concat())
            };
            rows.extend(goal("whittle", &["hand", "hand-batched"], [PAR; 4]));
            rows.extend(goal("whittle-unix", &["hand-unix", "hand-batched-unix"], [PAR; 4]));
            let least = if metric == "throughput" { [20.0, 10.0, 2.0, 1.0] } else { [1.0; 4] };
            rows.extend(goal("whittle", &["rpcgen-tcp"], least));
            let packaged = ["zmq", "zmq-ipc", "nng", "nng-ipc", "nats", "cyclone"];
            for who in ["whittle-shm", "whittle-direct"] {
                rows.extend(goal(who, &packaged, [1.0; 4]));
            }
        }
    }
    let head = ["goal".to_string()].into_iter().chain(PACKETS.iter().map(|packet| packet.name.to_string())).collect();
    let table = Table { caption: "times as fast, and what it was to be".to_string(), head, rows };
    let title = "flows: what was set out for".to_string();
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot: String::new(), tables: vec![table] });
}

/// None where nothing was measured.
fn line(
    samples: &Samples,
    workload: &Workload,
    metric: &str,
    who: &'static str,
    others: &[&'static str],
    least: [f64; 4],
) -> Option<Vec<String>> {
    let ratios: Vec<Option<f64>> =
        PACKETS.iter().map(|packet| ratio(samples, workload, *packet, metric, who, others)).collect();
    ratios.iter().any(Option::is_some).then(|| ratios.into_iter().zip(least).map(verdict).collect())
}

fn ratio(
    samples: &Samples,
    workload: &Workload,
    packet: Packet,
    metric: &str,
    who: &'static str,
    others: &[&'static str],
) -> Option<f64> {
    let cell = cell(workload, packet, metric);
    let ratios = others.iter().filter_map(|other| samples.speed_up(&cell, who, other));
    ratios.min_by(f64::total_cmp)
}

fn verdict((ratio, least): (Option<f64>, f64)) -> String {
    let Some(ratio) = ratio else { return "–".to_string() };
    let met = if ratio >= least { "met" } else { "not met" };
    format!("{ratio:.2} ({met}: {least})")
}
