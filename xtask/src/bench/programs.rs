//! The bench `programs`: every program of `tests/specialize/programs` as it is, specialized, and written by hand, in turn within each round, all by
//! `gcc -O2`. Out: one table, as `bench/specialize/README.md` shows it; a residual program that is slower than its original is an error.

#[expect(unreachable_pub, dead_code, reason = "a public module of filetest, which is too large a dependency here")]
#[path = "../../../crates/filetest/src/specialized.rs"]
mod specialized;

use super::report::{Section, Table};
use super::rows::Row;
use super::samples::{Cell, Samples};
use super::workshop::Workshop;
use super::{Context, Outcome};
use crate::tree;
use specialized::Program;

const BENCH: &str = "programs";
/// A multiple of three: each participant is the first equally often.
const ROUNDS: u64 = 21;
const MILLISECONDS: &str = "4";
/// So that it matters less where the linker puts a loop.
const STEADY: [&str; 2] = ["-falign-functions=64", "-falign-loops=32"];
const HEAD: [&str; 6] = ["program", "original, ns", "residual", "by hand", "code", "what stands in the way"];
const TEXT: &str = "Times as fast as the original by gcc -O2: medians of ratios taken within 21 rounds, in brackets the quartiles. code: text of the residual \
    code's object against the original's.";

/// Builds and measures what has its sources here; `WHITTLE_PROGRAMS` names some of them, in a list with commas.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let named = std::env::var("WHITTLE_PROGRAMS").unwrap_or_default();
    let is_named = |program: &Program| named.is_empty() || named.split(',').any(|name| name == program.name);
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let (mut rows, mut slower) = (Vec::new(), Vec::new());
    for program in specialized::programs(&tree::root())
        .map_err(|problem| vec![problem])?
        .iter()
        .filter(|program| is_named(program))
    {
        if let Some(missing) = program.missing() {
            println!("bench: {} needs {}: cargo xtask corpora", program.name, missing.display());
            continue;
        }
        if let Some(why) = &program.open {
            rows.push(row_of(program, ["–", "–", "–", "–"].map(str::to_string), why));
            continue;
        }
        let measured = measure(context, program)?;
        slower.extend(
            measured.is_slower.then(|| format!("{}: the residual code is slower than the original", program.name)),
        );
        outcome.rows.extend(measured.rows);
        rows.push(measured.row);
    }
    rows.iter().for_each(|row| println!("| {} |", row.join(" | ")));
    let tables = vec![Table { caption: "programs".to_string(), head: HEAD.map(str::to_string).to_vec(), rows }];
    outcome.sections.push(Section {
        title: "specialize: programs".to_string(),
        text: TEXT.to_string(),
        plot: String::new(),
        tables,
    });
    if slower.is_empty() { Ok(outcome) } else { Err(slower) }
}

struct Measured {
    row: Vec<String>,
    rows: Vec<Row>,
    is_slower: bool,
}

fn measure(context: &Context, program: &Program) -> Result<Measured, Vec<String>> {
    let workshop = Workshop::new(context.results.join(BENCH).join(&program.name))?;
    let residual = residual(context, &workshop, program)?;
    let mut objects = vec![workshop.compile(&specialized::main_file(&tree::root()), "main.o", &[])?];
    let shown = ["prepare", "drive"].map(str::to_string);
    for (who, sources) in program.participants(&residual) {
        let flags = [&program.flags[..], &STEADY.map(str::to_string)].concat();
        objects.push(workshop.participant(who, &shown, &sources, &flags)?);
    }
    let size = |who: usize| text_of(&workshop, &objects[who]);
    let growth = size(2)? / size(1)?;
    let binary = workshop.link("program", &objects, &program.libraries)?.display().to_string();
    let arguments = ["time", &context.core, &ROUNDS.to_string(), MILLISECONDS];
    let mut samples = Samples::default();
    let cell = Cell { workload: program.name.clone(), size: 1 };
    for line in workshop.run(&workshop.folder, &binary, &arguments)?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let [who, round, time] = words.as_slice()
            && let (Ok(round), Ok(time)) = (round.parse(), time.parse())
        {
            samples.add(cell.clone(), who, round, time);
        }
    }
    Ok(judge(program, &samples, &cell, growth))
}

fn residual(context: &Context, workshop: &Workshop, program: &Program) -> Result<std::path::PathBuf, Vec<String>> {
    let mut sources = vec![program.folder.join("scenario.c")];
    sources.extend(program.general.iter().cloned());
    let options: Vec<&str> = program.options.iter().map(String::as_str).collect();
    workshop.residual(&context.whittle, "residual.c", &sources, &options, &program.flags)
}

/// Bytes of machine code and constants.
fn text_of(workshop: &Workshop, object: &std::path::Path) -> Result<f64, Vec<String>> {
    let printed = workshop.run(&workshop.folder, "size", &[object.display().to_string()])?;
    let number = printed.lines().nth(1).and_then(|line| line.split_whitespace().next()?.parse().ok());
    number.ok_or_else(|| vec![format!("size says nothing of {}", object.display())])
}

fn row_of(program: &Program, numbers: [String; 4], note: &str) -> Vec<String> {
    let name = format!("{}: {}", program.name, program.title);
    [name].into_iter().chain(numbers).chain([note.to_string()]).collect()
}

fn judge(program: &Program, samples: &Samples, cell: &Cell, growth: f64) -> Measured {
    let time = |who: &str| samples.median(cell, who).unwrap_or_default();
    let shown = |who: &str| {
        let ratios = samples.speed_ups(cell, (who, "original"), 1);
        let quarter = |numerator: usize| ratios.get(ratios.len() * numerator / 4).copied();
        Some(format!("{:.2}x ({:.2}-{:.2})", quarter(2)?, quarter(1)?, quarter(3)?))
    };
    let ratios = samples.speed_ups(cell, ("residual", "original"), 1);
    // By more than the rounds differ, and by more than the place of the code in memory may do.
    let is_slower = ratios.get(ratios.len() * 3 / 4).is_some_and(|upper| *upper < 0.95);
    let speed = samples.speed_up(cell, "residual", "original").unwrap_or_default();
    let mark = if speed < program.goal { " *" } else { "" };
    let numbers = [
        format!("{:.0}", time("original")),
        format!("**{}**{mark}", shown("residual").unwrap_or_default()),
        shown("hand").unwrap_or_else(|| "–".to_string()),
        format!("{growth:.1}x"),
    ];
    let row = row_of(program, numbers, &program.note);
    let line = |who: &str| Row {
        bench: BENCH,
        workload: program.name.clone(),
        size: 1,
        who: who.to_string(),
        metric: "latency",
        unit: "ns",
        value: time(who),
    };
    let rows = samples.names().iter().map(|who| line(who)).collect();
    Measured { row, rows, is_slower }
}
