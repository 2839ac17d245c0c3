//! The bench `components`: how many lines each language, presentation, encoding and link has over what all of its kind share, as
//! in Flick's Table 1. In: the crates' sources. Out: rows (metric `lines`) and a section. A line counts that has code: tests,
//! comments and blank lines do not.

use super::report::{Section, Table};
use super::rows::Row;
use super::{Context, Outcome};
use crate::tree::{self, File};

const BENCH: &str = "components";
const TEXT: &str = "Lines of code of whittle's own sources, without tests, comments and blank lines. Everything below `base` shares \
    it. The unique share is a component's own lines divided by the sum of its own and the base's. The C that \
    generated files contain (runtime/) is not counted.";

/// What stands on one base. Paths are beginnings of files' paths; a component's are not the base's.
struct Phase {
    name: &'static str,
    base: &'static [&'static str],
    components: &'static [(&'static str, &'static [&'static str])],
}

const PHASES: [Phase; 4] = [
    Phase {
        name: "language",
        base: &["crates/source/src/", "crates/tokens/src/", "crates/aoi/src/"],
        components: &[("onc", &["crates/front-onc/src/"]), ("corba", &["crates/front-corba/src/"])],
    },
    Phase {
        name: "presentation",
        base: &["crates/mint/src/", "crates/cast/src/", "crates/pres/src/", "crates/present/src/"],
        components: &[
            ("rpcgen", &["crates/present/src/rpcgen/"]),
            ("corba", &["crates/present/src/corba/"]),
            ("plain", &["crates/present/src/plain/"]),
            ("flow", &["crates/present/src/flow/"]),
        ],
    },
    Phase {
        name: "encoding",
        base: WALK,
        components: &[
            ("xdr", &["crates/stubs/src/encodings/xdr.rs", "crates/stubs/src/emit/prefixed.rs"]),
            ("cdr", &["crates/stubs/src/encodings/cdr.rs", "crates/stubs/src/emit/cdr.rs"]),
            ("native", &["crates/stubs/src/encodings/native.rs"]),
            ("protobuf", &["crates/stubs/src/encodings/protobuf/"]),
        ],
    },
    Phase {
        name: "link",
        base: WALK,
        components: &[
            (
                "tirpc",
                &["crates/stubs/src/links/rpcgen/", "crates/stubs/src/emit/entry.rs", "crates/stubs/src/marshal.rs"],
            ),
            ("giop-tcp", &["crates/stubs/src/links/giop/"]),
            ("onc", &["crates/stubs/src/links/onc/"]),
            ("flow", &["crates/stubs/src/links/flow/"]),
        ],
    },
];

/// From PRES_C to routines in C, whatever their bytes and whoever carries them.
const WALK: &[&str] = &["crates/stubs/src/"];

/// A component and its lines, or the base and its.
struct Count {
    name: &'static str,
    lines: usize,
}

/// Counts.
pub(super) fn run(_context: &Context) -> Result<Outcome, Vec<String>> {
    let files = tree::files()?;
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut tables = Vec::new();
    println!("bench: components");
    for phase in &PHASES {
        let counts = count(phase, &files)?;
        let base = counts.first().map_or(0, |base| base.lines);
        let mut rows = Vec::new();
        for count in &counts {
            let share = if count.name == "base" { None } else { Some(unique(count.lines, base)) };
            outcome.rows.push(row(phase, count, "lines", "lines", count.lines as f64));
            outcome.rows.extend(share.map(|share| row(phase, count, "unique", "%", share)));
            let share = share.map(|share| format!("{share:.1} %")).unwrap_or_default();
            println!("  {:14}{:10}{:>7}{share:>10}", phase.name, count.name, count.lines);
            rows.push(vec![count.name.to_string(), count.lines.to_string(), share]);
        }
        let head = ["component", "lines", "unique"].map(str::to_string).into();
        tables.push(Table { caption: phase.name.to_string(), head, rows });
    }
    let title = "components: lines over what is shared".to_string();
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot: String::new(), tables });
    Ok(outcome)
}

fn row(phase: &Phase, count: &Count, metric: &'static str, unit: &'static str, value: f64) -> Row {
    let (workload, who) = (phase.name.to_string(), count.name.to_string());
    Row { bench: BENCH, workload, size: 0, who, metric, unit, value }
}

/// In percent.
fn unique(lines: usize, base: usize) -> f64 {
    100.0 * lines as f64 / (lines + base) as f64
}

/// The base first. A path that names no file is a mistake in the list above.
fn count(phase: &Phase, files: &[File]) -> Result<Vec<Count>, Vec<String>> {
    let is_tests = |file: &File| file.path.ends_with("/tests.rs") || file.path.contains("/tests/");
    let sources: Vec<&File> = files.iter().filter(|file| file.path.ends_with(".rs") && !is_tests(file)).collect();
    let among = |file: &File, paths: &[&str]| paths.iter().any(|path| file.path.starts_with(path));
    let paths = |phase: &Phase| phase.components.iter().flat_map(|(_, paths)| *paths).copied().collect::<Vec<&str>>();
    let own = paths(phase);
    // Encodings are no part of what links share, nor the reverse.
    let of_components: Vec<&str> = PHASES.iter().flat_map(paths).chain(own.iter().copied()).collect();
    if let Some(path) =
        own.iter().chain(phase.base).find(|path| !sources.iter().any(|file| file.path.starts_with(**path)))
    {
        return Err(vec![format!("components: no file begins with {path}")]);
    }
    let lines = |wanted: &dyn Fn(&File) -> bool| {
        sources.iter().filter(|file| wanted(file)).map(|file| lines_of_code(&file.text)).sum()
    };
    let base = lines(&|file| among(file, phase.base) && !among(file, &of_components));
    let mut counts = vec![Count { name: "base", lines: base }];
    for (name, paths) in phase.components {
        counts.push(Count { name, lines: lines(&|file| among(file, paths)) });
    }
    Ok(counts)
}

/// Up to the tests, which stand last.
fn lines_of_code(text: &str) -> usize {
    let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or(text);
    let counts = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    code.lines().filter(counts).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.to_string(), text: text.to_string() }
    }

    #[test]
    fn code_is_counted_and_nothing_else() {
        let text = "//! About.\n\n/// Doc.\nfn f() {\n    // Why.\n    g(); // here\n}\n\n#[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        assert_eq!(lines_of_code(text), 3);
    }

    #[test]
    fn what_is_a_components_is_not_the_bases() {
        let phase = Phase { name: "x", base: &["a/"], components: &[("one", &["a/one/"])] };
        let files =
            [file("a/one/f.rs", "1\n2\n"), file("a/f.rs", "1\n"), file("a/one/tests.rs", "1\n"), file("a/f.c", "1\n")];
        let counts = count(&phase, &files).expect("both are there");
        assert_eq!(counts.iter().map(|count| (count.name, count.lines)).collect::<Vec<_>>(), [("base", 1), ("one", 2)]);
        assert_eq!(unique(1, 3), 25.0);
        assert!(count(&phase, &files[1..2]).is_err());
    }

    #[test]
    fn the_list_names_what_there_is() {
        let files = tree::files().expect("the repository");
        for phase in &PHASES {
            let counts = count(phase, &files).unwrap_or_else(|problems| panic!("{problems:?}"));
            assert!(counts.iter().all(|count| count.lines > 0), "{}", phase.name);
        }
    }
}
