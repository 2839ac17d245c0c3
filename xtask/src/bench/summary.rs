//! From samples to rows, plots and tables: what all benches show of one workload.

use super::Outcome;
use super::plot::{self, Series};
use super::report::{Section, Table};
use super::rows::Row;
use super::samples::{Cell, Samples};

/// How a time becomes a number of the report.
pub(super) struct Measure {
    pub(super) metric: &'static str,
    pub(super) unit: &'static str,
    /// From bytes and nanoseconds.
    pub(super) value: fn(f64, f64) -> f64,
}

fn row(bench: &'static str, cell: &Cell, who: &str, measure: &Measure, nanoseconds: f64) -> Row {
    Row {
        bench,
        workload: cell.workload.clone(),
        size: cell.size,
        who: who.to_string(),
        metric: measure.metric,
        unit: measure.unit,
        value: (measure.value)(cell.size as f64, nanoseconds),
    }
}

/// What a section is about.
pub(super) struct Subject<'a> {
    pub(super) bench: &'static str,
    /// Whom ratios are taken to.
    pub(super) base: &'a str,
    pub(super) workload: &'a str,
    pub(super) title: String,
    pub(super) text: &'a str,
}

/// Rows and a section for one workload.
pub(super) fn report(samples: &Samples, subject: Subject<'_>, measure: &Measure, outcome: &mut Outcome) {
    let Subject { bench, base, workload, title, text } = subject;
    let cells: Vec<&Cell> = samples.cells().filter(|cell| cell.workload == workload).collect();
    let mut series: Vec<Series> = Vec::new();
    for who in samples.names() {
        let rows: Vec<Row> =
            cells.iter().filter_map(|cell| Some(row(bench, cell, who, measure, samples.median(cell, who)?))).collect();
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
    let ratio = |cell: &Cell, who: &str| samples.speed_up(cell, who, base).map(|ratio| format!("{ratio:.2}"));
    let tables = vec![
        table(format!("times as fast as {base}"), samples, &cells, &ratio),
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
