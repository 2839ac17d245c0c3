//! The bench `linearity`: how long the generator takes for interfaces that grow. In: `.x` files written here, by depth of nesting and
//! by number of members, procedures and types. Out: seconds over size, and over bytes of output. Flick took exponential time in the
//! depth of nesting.

use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

use super::plot::{self, Series};
use super::report::{Section, Table};
use super::rows::Row;
use super::workshop::Workshop;
use super::{Context, Outcome};

const BENCH: &str = "linearity";
const SIZES: [u64; 5] = [16, 64, 256, 1024, 4096];
/// The least of so many runs.
const RUNS: usize = 2;
const TEXT: &str = "whittle compile --style plain on interfaces of growing size: the whole run of the command, the least of two \
    runs. nesting: structures that contain a number and the next structure. members: one structure with strings and \
    numbers in turn. procedures: each takes one string. types: structures, with a procedure for each. The line \
    `linear` doubles where the size doubles. The run time's text (200 KB) is part of the output.";

/// A way to grow.
type Sweep = (&'static str, fn(u64) -> String);

const SWEEPS: [Sweep; 4] = [("nesting", nesting), ("members", members), ("procedures", procedures), ("types", types)];

/// What a run took and wrote.
struct Run {
    seconds: f64,
    bytes: u64,
}

/// Writes files and times the command.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let (mut series, mut tables) = (Vec::new(), Vec::new());
    for (name, text) in SWEEPS {
        println!("bench: linearity, {name}");
        let mut points = Vec::new();
        let mut rows = Vec::new();
        for size in SIZES {
            let run = time(context, &workshop, name, &text(size))?;
            points.push((size as f64, run.seconds * 1e3));
            outcome.rows.push(row(name, size, "time", "ms", run.seconds * 1e3));
            outcome.rows.push(row(name, size, "size", "bytes", run.bytes as f64));
            let micros = run.seconds * 1e6 / size as f64;
            let each = [size.to_string(), format!("{:.1}", run.seconds * 1e3), format!("{micros:.1}")];
            rows.push(each.into_iter().chain([(run.bytes / 1024).to_string()]).collect());
        }
        series.push(Series { name: format!("whittle, {name}"), points });
        let head = [name, "ms", "us for each", "KB written"].map(str::to_string).into();
        tables.push(Table { caption: name.to_string(), head, rows });
    }
    series.push(linear(&series));
    let plot = plot::svg(&series, "ms");
    let title = "linearity: the generator's time over the interface's size".to_string();
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot, tables });
    Ok(outcome)
}

/// Through the last point of the first line.
fn linear(series: &[Series]) -> Series {
    let (size, time) = series.first().and_then(|line| line.points.last().copied()).unwrap_or((1.0, 1.0));
    let points = SIZES.iter().map(|at| (*at as f64, time * *at as f64 / size)).collect();
    Series { name: "linear".to_string(), points }
}

fn row(workload: &str, size: u64, metric: &'static str, unit: &'static str, value: f64) -> Row {
    Row { bench: BENCH, workload: workload.to_string(), size, who: "whittle".to_string(), metric, unit, value }
}

fn time(context: &Context, workshop: &Workshop, name: &str, text: &str) -> Result<Run, Vec<String>> {
    let folder = workshop.subfolder(name)?;
    let failed = |problem: std::io::Error| vec![format!("{}: {problem}", folder.display())];
    std::fs::write(folder.join("grown.x"), text).map_err(failed)?;
    let whittle = context.whittle.display().to_string();
    let mut seconds = f64::MAX;
    for _ in 0..RUNS {
        let start = Instant::now();
        workshop.run(&folder, &whittle, &["compile", "grown.x", "--style", "plain", "--out", "out"])?;
        seconds = seconds.min(start.elapsed().as_secs_f64());
    }
    Ok(Run { seconds, bytes: written(&folder.join("out")).map_err(failed)? })
}

fn written(folder: &Path) -> std::io::Result<u64> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        bytes += entry?.metadata()?.len();
    }
    Ok(bytes)
}

fn program(argument: &str) -> String {
    format!("program GROWN {{ version GROWN_1 {{ void SEND({argument}) = 1; }} = 1; }} = 0x20000199;\n")
}

fn nesting(depth: u64) -> String {
    let mut text = "struct s0 { int number; string text<>; };\n".to_string();
    for level in 1..depth {
        let _ = writeln!(text, "struct s{level} {{ int number; s{} inner; }};", level - 1);
    }
    text + &program(&format!("s{}", depth - 1))
}

fn members(count: u64) -> String {
    let mut text = "struct wide {\n".to_string();
    for member in 0..count {
        let _ = match member % 2 {
            0 => writeln!(text, "    int number{member};"),
            _ => writeln!(text, "    string text{member}<>;"),
        };
    }
    text + "};\n" + &program("wide")
}

fn procedures(count: u64) -> String {
    let calls = (1..=count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "        void SEND{number}(string) = {number};");
        text
    });
    format!("program GROWN {{\n    version GROWN_1 {{\n{calls}    }} = 1;\n}} = 0x20000199;\n")
}

/// As many structures, and procedures that take and return one each.
fn types(count: u64) -> String {
    let mut text = "struct t0 { int number; };\n".to_string();
    for number in 1..count {
        let _ = writeln!(text, "struct t{number} {{ int number; string text<>; }};");
    }
    let calls = (1..count).fold(String::new(), |mut text, number| {
        let _ = writeln!(text, "        t{number} SEND{number}(t{number}) = {number};");
        text
    });
    format!("{text}program GROWN {{\n    version GROWN_1 {{\n{calls}    }} = 1;\n}} = 0x20000199;\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_grow_with_what_is_asked() {
        assert_eq!(nesting(3).matches("struct").count(), 3);
        assert_eq!(members(4).matches("string").count(), 2);
        assert_eq!(procedures(5).matches("SEND").count(), 5);
        assert!(types(3).contains("t2 SEND2(t2) = 2;"));
    }
}
