//! The bench `drop-in`: whittle in rpcgen's place on Flick's three workloads, marshalling alone and whole calls.

mod calls;
mod marshal;
mod peers;

use super::plot::{self, Series};
use super::report::{Section, Table};
use super::rows::Row;
use super::samples::{Cell, Samples};
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

/// How a time becomes a number of the report.
struct Measure {
    metric: &'static str,
    unit: &'static str,
    /// From bytes and nanoseconds.
    value: fn(f64, f64) -> f64,
}

fn row(cell: &Cell, who: &str, measure: &Measure, nanoseconds: f64) -> Row {
    Row {
        bench: BENCH,
        workload: cell.workload.clone(),
        size: cell.size,
        who: who.to_string(),
        metric: measure.metric,
        unit: measure.unit,
        value: (measure.value)(cell.size as f64, nanoseconds),
    }
}

/// Rows and a section for one workload.
fn report(samples: &Samples, workload: &str, title: String, text: &str, measure: &Measure, outcome: &mut Outcome) {
    let cells: Vec<&Cell> = samples.cells().filter(|cell| cell.workload == workload).collect();
    let mut series: Vec<Series> = Vec::new();
    for who in samples.names() {
        let rows: Vec<Row> =
            cells.iter().filter_map(|cell| Some(row(cell, who, measure, samples.median(cell, who)?))).collect();
        let points: Vec<(f64, f64)> = rows.iter().map(|row| (row.size as f64, row.value)).collect();
        if !points.is_empty() {
            series.push(Series { name: who.clone(), points });
        }
        outcome.rows.extend(rows);
    }
    let value = |cell: &Cell, who: &str| {
        let value = (measure.value)(cell.size as f64, samples.median(cell, who)?);
        Some(number(value))
    };
    let ratio = |cell: &Cell, who: &str| samples.speed_up(cell, who, BASE).map(|ratio| format!("{ratio:.2}"));
    let tables = vec![
        table(format!("times as fast as {BASE}"), samples, &cells, &ratio),
        table(measure.unit.to_string(), samples, &cells, &value),
    ];
    outcome.sections.push(Section { title, text: text.to_string(), plot: plot::svg(&series, measure.unit), tables });
}

fn table(caption: String, samples: &Samples, cells: &[&Cell], show: &dyn Fn(&Cell, &str) -> Option<String>) -> Table {
    let head = ["who".to_string()].into_iter().chain(cells.iter().map(|cell| plot::bytes(cell.size))).collect();
    let mut rows = Vec::new();
    for who in samples.names() {
        let shown: Vec<Option<String>> = cells.iter().map(|cell| show(cell, who)).collect();
        if shown.iter().any(Option::is_some) {
            let cells = shown.into_iter().map(Option::unwrap_or_default);
            rows.push([who.clone()].into_iter().chain(cells).collect());
        }
    }
    Table { caption, head, rows }
}

fn number(value: f64) -> String {
    if value < 100.0 { format!("{value:.1}") } else { format!("{value:.0}") }
}
