//! `cargo xtask bench [NAME]`: measures whittle and its peers in one run, interleaved. In: `bench/`, and the peers this
//! machine has. Out: `target/bench/results.json` (rows from which any ratio can be taken) and `target/bench/report.html`.

mod ablation;
pub(crate) mod bars;
mod calls;
mod components;
mod corba;
mod drop_in;
mod flows;
mod idle;
mod linearity;
mod machine;
mod marshal;
mod network;
pub(crate) mod peers;
pub(crate) mod plot;
mod programs;
mod protobuf;
pub(crate) mod report;
mod rows;
mod samples;
mod shm;
mod sizes;
mod specialize;
mod summary;
mod workloads;
mod workshop;

use std::path::PathBuf;

use crate::{cargo, tree};
use report::Section;
use rows::Row;

/// What a bench works with.
struct Context {
    /// `bench/` in the repository.
    sources: PathBuf,
    /// `target/bench`.
    results: PathBuf,
    /// The command under test.
    whittle: PathBuf,
    /// The core that everything is pinned to.
    core: String,
}

/// What a bench found out: rows for programs, sections for people.
struct Outcome {
    rows: Vec<Row>,
    sections: Vec<Section>,
}

type Bench = fn(&Context) -> Result<Outcome, Vec<String>>;

const BENCHES: [(&str, Bench); 16] = [
    ("drop-in", drop_in::run),
    ("marshal", marshal::run),
    ("ablation", ablation::run),
    ("sizes", sizes::run),
    ("linearity", linearity::run),
    ("specialize", specialize::run),
    ("programs", programs::run),
    ("flows", flows::run),
    ("fan", flows::fan::run),
    ("corba", corba::run),
    ("protobuf", protobuf::run),
    ("calls", calls::run),
    ("components", components::run),
    ("idle", idle::run),
    ("shm", shm::run),
    ("fluke", shm::fluke),
];

/// Runs the bench of that name, or all of them.
pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    let names: Vec<&str> = words.iter().copied().filter(|word| *word != "--only").collect();
    for name in &names {
        if !BENCHES.iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = BENCHES.iter().map(|(known, _)| *known).collect();
            return Err(vec![format!("there is no bench `{name}`; there is {}", known.join(", "))]);
        }
    }
    let context = context()?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    for (name, bench) in BENCHES {
        if names.is_empty() || names.contains(&name) {
            let found = bench(&context)?;
            outcome.rows.extend(found.rows);
            outcome.sections.extend(found.sections);
        }
    }
    write(&context, "results.json", &rows::to_json(&outcome.rows))?;
    let command = format!("cargo xtask bench {}", names.join(" "));
    write(&context, "report.html", &report::page(command.trim(), &machine::facts(&context.core), &outcome.sections))
}

/// `WHITTLE` names a command that is built already.
fn context() -> Result<Context, Vec<String>> {
    let whittle = match std::env::var_os("WHITTLE") {
        Some(path) => PathBuf::from(path),
        None => tree::root().join(cargo::build_whittle()?),
    };
    let metadata = cargo::metadata()?;
    let results = tree::root().join(metadata["target_directory"].as_str().unwrap_or("target")).join("bench");
    std::fs::create_dir_all(&results).map_err(|problem| vec![format!("{}: {problem}", results.display())])?;
    Ok(Context { sources: tree::root().join("bench"), results, whittle, core: machine::core() })
}

fn write(context: &Context, name: &str, text: &str) -> Result<(), Vec<String>> {
    let path = context.results.join(name);
    std::fs::write(&path, text).map_err(|problem| vec![format!("{}: {problem}", path.display())])?;
    println!("bench: wrote {}", path.display());
    Ok(())
}
