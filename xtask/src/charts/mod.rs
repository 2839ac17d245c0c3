//! `cargo xtask charts`: the charts of `docs/performance.md`. In: the tables of that page and of `bench/`, where measured numbers are
//! recorded, and the record of a run of `examples/image`. Out: SVG in `docs/pictures/`; with `--check`, whether it is what the tables say. So a chart and its table cannot differ.

mod limited;
mod tables;

use crate::bench::bars::{self, number};
use crate::bench::plot::{self, Series};
use crate::bench::report::Table;
use crate::tree;

const PERFORMANCE: &str = "docs/performance.md";
const FLOWS: &str = "bench/flows/README.md";
const CALLS: &str = "bench/calls/README.md";
const LIMITED: &str = "bench/image/limited.csv";
/// Who is in the chart of calls; the table has more.
const CALLERS: [&str; 6] = ["socket", "whittle-direct", "omniorb", "rpcgen", "capnp", "grpc"];
/// What the pictures' text looks like, on a page of any colour.
const STYLE: &str = "svg{font:11px system-ui,sans-serif}.grid{stroke:#e4e4e4}";

type Chart = (&'static str, fn() -> Result<String, String>);

const CHARTS: [Chart; 6] = [
    ("docs/pictures/in-place-of-rpcgen.svg", in_place_of_rpcgen),
    ("docs/pictures/null-call.svg", null_call),
    ("docs/pictures/calls.svg", calls),
    ("docs/pictures/specialized.svg", specialized),
    ("docs/pictures/packets.svg", packets),
    ("docs/pictures/limited.svg", a_limited_way),
];

/// Writes the charts; when `check_only`, says which are out of date.
pub(crate) fn run(check_only: bool) -> Result<(), Vec<String>> {
    let problems: Vec<String> = CHARTS.iter().filter_map(|(path, draw)| write(path, *draw, check_only).err()).collect();
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn write(path: &str, draw: fn() -> Result<String, String>, check_only: bool) -> Result<(), String> {
    let drawn = draw().map_err(|problem| format!("{path}: {problem}"))?;
    let place = tree::root().join(path);
    if std::fs::read_to_string(&place).is_ok_and(|present| present == drawn) {
        Ok(())
    } else if check_only {
        Err(format!("{path} is not what the tables say: cargo xtask charts"))
    } else {
        std::fs::write(&place, drawn).map_err(|problem| format!("{path}: {problem}"))
    }
}

fn table(page: &str, heading: &str, corner: &str) -> Result<Table, String> {
    let text = std::fs::read_to_string(tree::root().join(page)).map_err(|problem| format!("{page}: {problem}"))?;
    tables::below(&text, heading, corner).ok_or(format!("{page} has no such table below `{heading}`"))
}

/// Marshalling, times as fast as rpcgen's stubs: encoding above, decoding below.
fn in_place_of_rpcgen() -> Result<String, String> {
    let table = table(PERFORMANCE, "## In place of rpcgen", "")?;
    let picture = |column: usize, unit: &str| {
        let mut series: Vec<Series> = Vec::new();
        for row in &table.rows {
            let name =
                row[0].replace("… with an arena per message", "entries, arena").replace("directory entries", "entries");
            let (Some(size), Some(value)) = (tables::size(&row[1]), number(&row[column])) else { continue };
            match series.iter_mut().find(|series| series.name == name) {
                Some(series) => series.points.push((size, value)),
                None => series.push(Series { name, points: vec![(size, value)] }),
            }
        }
        plot::svg(&series, unit)
    };
    let above = picture(2, "encode: times as fast as rpcgen's stubs, by the size of a message");
    stacked(&[above, picture(3, "decode and free: times as fast as rpcgen's stubs, by the size of a message")])
}

/// A call without arguments, shortest first.
fn null_call() -> Result<String, String> {
    let table = table(CALLS, "## Numbers", "")?;
    let row = table.rows.iter().find(|row| row[0] == "nothing").ok_or("no row `nothing`")?;
    let cells = table.head.iter().zip(row).skip(1).map(|(who, value)| vec![who.clone(), value.clone()]);
    ranked("a call without arguments over TCP, microseconds", cells.collect())
}

/// A packet and its reply, shortest first.
fn packets() -> Result<String, String> {
    let table = table(FLOWS, "### Two nodes on one machine (Tables 1, 2, 5)", "who")?;
    let column = table.head.iter().position(|size| size.starts_with("mixed")).ok_or("no column `mixed`")?;
    let cells = table.rows.iter().map(|row| vec![row[0].clone(), row[column].clone()]);
    ranked("a packet of 152 bytes and its reply on one machine, microseconds", cells.collect())
}

/// Sizes and ages of images while their way is limited, with feedback and without.
fn a_limited_way() -> Result<String, String> {
    let text =
        std::fs::read_to_string(tree::root().join(LIMITED)).map_err(|problem| format!("{LIMITED}: {problem}"))?;
    stacked(&limited::pictures(&text)?)
}

/// Bars of names with times, the shortest on top.
fn ranked(title: &str, mut rows: Vec<Vec<String>>) -> Result<String, String> {
    rows.sort_by(|one, other| number(&one[1]).unwrap_or(f64::MAX).total_cmp(&number(&other[1]).unwrap_or(f64::MAX)));
    let head = vec![String::new(), title.to_owned()];
    stacked(&[bars::svg(&Table { caption: String::new(), head, rows })])
}

/// Calls with arrays of integers, by size.
fn calls() -> Result<String, String> {
    let table = table(CALLS, "## Numbers", "")?;
    let rows: Vec<&Vec<String>> = table.rows.iter().filter(|row| row[0].starts_with("integers, ")).collect();
    let series = |who: &str| {
        let column = table.head.iter().position(|name| name == who).ok_or(format!("no column `{who}`"))?;
        let points = rows.iter().filter_map(|row| Some((tables::size(&row[0])?, number(&row[column])?))).collect();
        Ok(Series { name: who.trim_end_matches("-direct").to_owned(), points })
    };
    let series = CALLERS.into_iter().map(series).collect::<Result<Vec<Series>, String>>()?;
    stacked(&[plot::svg(&series, "microseconds for a call over TCP, by the bytes of its integers")])
}

/// Table 1 of the papers, encoding.
fn specialized() -> Result<String, String> {
    let table = table(PERFORMANCE, "## Specialized C", "integers")?;
    let sizes: Vec<f64> = table.head.iter().skip(1).filter_map(|cell| tables::size(cell)).collect();
    let encoding = table.rows.iter().take_while(|row| !row[0].starts_with("decode"));
    let names = |name: &str| match name {
        "encode, residual" => "whittle".to_owned(),
        "encode, 1998 (the paper)" => "1998 (the paper)".to_owned(),
        "… loops left unrolled (`--loops keep`)" => "loops unrolled".to_owned(),
        "… the library by `gcc -O3 -flto`" => "gcc -O3 -flto".to_owned(),
        other => other.trim_start_matches("… ").replace('`', ""),
    };
    let series: Vec<Series> = encoding
        .map(|row| Series {
            name: names(&row[0]),
            points: sizes
                .iter()
                .copied()
                .zip(row.iter().skip(1))
                .filter_map(|(x, cell)| Some((x, number(cell)?)))
                .collect(),
        })
        .collect();
    stacked(&[plot::svg(&series, "times as fast as the library by gcc -O2, by the number of integers")])
}

/// A file with pictures one below the other, on white.
fn stacked(pictures: &[String]) -> Result<String, String> {
    let (mut body, mut top, mut widest) = (String::new(), 0.0, 0.0_f64);
    for picture in pictures {
        let side = |name: &str| -> Option<f64> {
            picture.split_once(&format!(" {name}=\""))?.1.split('"').next()?.parse().ok()
        };
        let (Some(width), Some(height)) = (side("width"), side("height")) else { return Err("no numbers".to_owned()) };
        body.push_str(&picture.replacen("<svg ", &format!("<svg x=\"8\" y=\"{}\" ", top + 8.0), 1));
        top += height + 16.0;
        widest = widest.max(width + 16.0);
    }
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {widest} {top}\" width=\"{widest}\" height=\"{top}\">\n\
         <style>{STYLE}</style>\n<rect width=\"{widest}\" height=\"{top}\" fill=\"#fff\"/>\n{body}</svg>\n"
    ))
}
