//! What the bench `ablation` shows. In: samples. Out: rows, and a section for each direction.

use super::super::Outcome;
use super::super::plot::{self, Series};
use super::super::report::{Section, Table};
use super::super::rows::Row;
use super::super::samples::{Cell, Samples};
use super::super::workloads::THROUGHPUT;
use super::{BENCH, CELLS, IN_PLACE, ON, RECEIVED, VARIANTS, Variant, saved};

const TEXT: &str = "whittle's direct stubs, generated anew with --no-opt for each row. A number is the share of the time that an \
    optimization saves: 0 % if it makes no difference, 50 % if stubs without it take twice as long; below 0 it costs \
    time. Medians of 21 rounds over three link orders, ratios within rounds; a few percent are noise. The compiler \
    aligns functions and loops, so that their places make no difference. Where arrays of words move as runs, the \
    other passes have nothing left to do. So the rows `word by word` have bulk copies off on both sides, as in the \
    paper. The plots show times relative to all passes on, by size, for rectangles and directory entries.";

/// A direction, in words, and what the names of those who are measured end with.
const DIRECTIONS: [(&str, &str, &str); 3] = [
    ("encode", "ablation: encode", ""),
    ("decode", "ablation: decode, allocated", ""),
    ("decode", "ablation: decode, in the message", IN_PLACE),
];

/// All of it.
pub(super) fn outcome(samples: &Samples) -> Outcome {
    let rows = CELLS.iter().flat_map(|cell| rows(samples, cell)).collect();
    let mut sections: Vec<Section> =
        DIRECTIONS.iter().map(|(direction, title, end)| section(samples, direction, title, end)).collect();
    sections.push(storage(samples));
    Outcome { rows, sections }
}

fn rows(samples: &Samples, (workload, size): &(&str, u64)) -> Vec<Row> {
    let mut rows = Vec::new();
    for cell in ["encode", "decode"].map(|direction| cell(workload, direction, *size)) {
        for who in samples.names() {
            let Some(time) = samples.median(&cell, who) else { continue };
            rows.push(Row {
                bench: BENCH,
                workload: cell.workload.clone(),
                size: cell.size,
                who: who.clone(),
                metric: THROUGHPUT.metric,
                unit: THROUGHPUT.unit,
                value: (THROUGHPUT.value)(cell.size as f64, time),
            });
        }
    }
    rows
}

fn cell(workload: &str, direction: &str, size: u64) -> Cell {
    Cell { workload: format!("{workload}-{direction}"), size }
}

/// What each optimization saves in one direction.
fn section(samples: &Samples, direction: &str, title: &str, end: &str) -> Section {
    let who = |name: &str| format!("{name}{end}");
    let row = |variant: &Variant| {
        let numbers = CELLS.iter().map(|(workload, size)| {
            let cell = cell(workload, direction, *size);
            saved(samples, &cell, &who(variant.with), &who(variant.who)).map(percent).unwrap_or_default()
        });
        let words = [variant.what, variant.paper].map(str::to_string);
        words.into_iter().chain(numbers).collect()
    };
    let head = ["optimization", "the paper"].map(str::to_string).into_iter().chain(columns()).collect();
    let rows = VARIANTS.iter().filter(|variant| variant.who != ON).map(row).collect();
    let tables = vec![Table { caption: "time saved".to_string(), head, rows }];
    let plots: String = ["rects", "dirents"].map(|workload| picture(samples, workload, direction, end)).concat();
    Section { title: title.to_string(), text: TEXT.to_string(), plot: plots, tables }
}

fn columns() -> impl Iterator<Item = String> {
    CELLS.iter().map(|(workload, size)| format!("{workload} {}", plot::bytes(*size)))
}

fn percent(value: f64) -> String {
    format!("{value:.0} %")
}

/// Times relative to those of all passes.
fn picture(samples: &Samples, workload: &str, direction: &str, end: &str) -> String {
    let sizes = CELLS.iter().filter(|(name, _)| *name == workload).map(|(_, size)| *size);
    let line = |variant: &Variant| {
        let at = |size: u64| {
            let cell = cell(workload, direction, size);
            let all = format!("{ON}{end}");
            Some((size as f64, samples.speed_up(&cell, &all, &format!("{}{end}", variant.who))?))
        };
        Series { name: variant.who.to_string(), points: sizes.clone().filter_map(at).collect() }
    };
    let series: Vec<Series> = VARIANTS.iter().map(line).filter(|series| !series.points.is_empty()).collect();
    plot::svg(&series, &format!("{workload}: times as long as with all passes"))
}

/// Storage: in the message and in an arena that is used again, or allocated piece by piece.
fn storage(samples: &Samples) -> Section {
    let number = |(workload, size): &(&str, u64)| {
        let cell = cell(workload, "decode", *size);
        saved(samples, &cell, &format!("{ON}{IN_PLACE}"), RECEIVED).map(percent).unwrap_or_default()
    };
    let words = ["in the message or an arena, not allocated", "14 % (stack, small); more (buffer, large)"];
    let row = words.map(str::to_string).into_iter().chain(CELLS.iter().map(number)).collect();
    let head = ["storage of arguments", "the paper"].map(str::to_string).into_iter().chain(columns()).collect();
    let text = "What a server saves that takes its arguments where they lie, over one that allocates them piece by piece and frees them. \
        Both copy the message into a buffer first, as receiving it does. whittle has no pass for it: storage follows from PRES, and the \
        context says at run time whether values may stay in the message.";
    Section {
        title: "ablation: storage of arguments".to_string(),
        text: text.to_string(),
        plot: String::new(),
        tables: vec![Table { caption: "time saved".to_string(), head, rows: vec![row] }],
    }
}
