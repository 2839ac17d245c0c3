//! Tables of a workload: medians over the rounds, one row per participant, one column per packet. In: samples. Out: rows,
//! sections, and the same as Markdown.

use std::fmt::Write;

use super::super::Outcome;
use super::super::report::{Section, Table};
use super::super::rows::Row;
use super::samples::{Cell, Samples};
use super::{BENCH, PACKETS, Packet, Workload};

/// A table: what it is called, the metric, the unit, digits after the point, and the name of the metric in rows.
struct Shown {
    caption: &'static str,
    metric: &'static str,
    unit: &'static str,
    digits: usize,
}

const fn shown(caption: &'static str, metric: &'static str, unit: &'static str, digits: usize) -> Shown {
    Shown { caption, metric, unit, digits }
}

const TABLES: [Shown; 9] = [
    shown("latency, a packet there and 4 bytes back: median, µs", "latency-p50", "us", 1),
    shown("latency, mean, µs", "latency-mean", "us", 1),
    shown("latency, 99 %, µs", "latency-p99", "us", 1),
    shown("latency, 99.9 % (or the worst of a trial of fewer than 1,000), µs", "latency-p99.9", "us", 0),
    shown("throughput, Mbit/s of the packets' own bytes", "megabits", "Mbit/s", 1),
    shown("throughput, packets a second", "packets", "packets/s", 0),
    shown("processor time of all processes for a packet, one at a time, µs", "latency-processor", "us", 2),
    shown("processor time of all processes for a packet, one after the other, µs", "throughput-processor", "us", 3),
    shown("packets lost, all trials together", "lost", "packets", 0),
];
const TEXT: &str = "Medians of trials in which all take turns, in an order drawn anew each time. The source writes every byte of a \
    packet, the sink reads every byte. spread: half of the trials' throughputs lie within that many percent.";

/// Rows and a section.
pub(super) fn report(samples: &Samples, workload: &Workload, outcome: &mut Outcome) {
    let mut tables: Vec<Table> = TABLES.iter().map(|table| one(samples, workload, table)).collect();
    tables.push(table(workload, "spread of the throughput, percent", &|who, packet| {
        let spread = samples.spread(&cell(workload, packet, "throughput"), who)?;
        Some(format!("{:.0}", spread * 100.0))
    }));
    tables.retain(|table| !table.rows.is_empty());
    for packet in PACKETS {
        for participant in workload.participants {
            for table in &TABLES {
                let cell = cell(workload, packet, table.metric);
                let Some(value) = value(samples, &cell, participant.name, table.metric) else { continue };
                outcome.rows.push(Row {
                    bench: BENCH,
                    workload: workload.name.to_string(),
                    size: packet.bytes,
                    who: participant.name.to_string(),
                    metric: table.metric,
                    unit: table.unit,
                    value,
                });
            }
        }
    }
    let title = format!("flows: {}", workload.title);
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot: String::new(), tables });
}

pub(super) fn cell(workload: &Workload, packet: Packet, metric: &str) -> Cell {
    Cell { workload: format!("{}-{metric}", workload.name), size: packet.bytes }
}

/// Losses add up; everything else has a middle.
fn value(samples: &Samples, cell: &Cell, who: &'static str, metric: &str) -> Option<f64> {
    if metric == "lost" { samples.sum(cell, who) } else { samples.median(cell, who) }
}

fn one(samples: &Samples, workload: &Workload, shown: &Shown) -> Table {
    table(workload, shown.caption, &|who, packet| {
        let value = value(samples, &cell(workload, packet, shown.metric), who, shown.metric)?;
        Some(format!("{value:.0$}", if value >= 1000.0 { 0 } else { shown.digits }))
    })
}

fn table(workload: &Workload, caption: &str, show: &dyn Fn(&'static str, Packet) -> Option<String>) -> Table {
    let packets = PACKETS.iter().map(|packet| format!("{}, {} B", packet.name, packet.bytes));
    let mut rows = Vec::new();
    for participant in workload.participants {
        let cells: Vec<Option<String>> = PACKETS.iter().map(|packet| show(participant.name, *packet)).collect();
        if cells.iter().any(Option::is_some) {
            let cells = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".to_string()));
            rows.push([participant.name.to_string()].into_iter().chain(cells).collect());
        }
    }
    let head = ["who".to_string()].into_iter().chain(packets).collect();
    Table { caption: caption.to_string(), head, rows }
}

/// All tables, for a page that people read.
pub(super) fn markdown(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections {
        let _ = writeln!(out, "## {}\n\n{}\n", section.title, section.text);
        for table in &section.tables {
            let _ = writeln!(out, "{}:\n\n| {} |", table.caption, table.head.join(" | "));
            let _ = writeln!(out, "|{}", "---|".repeat(table.head.len()));
            for row in &table.rows {
                let _ = writeln!(out, "| {} |", row.join(" | "));
            }
            out.push('\n');
        }
    }
    out
}
