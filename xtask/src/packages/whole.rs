//! A package's own build of what rpcgen's output is in: its `configure` and its makefiles, with either tool where they look for rpcgen,
//! and then its own tests. In: a package and its lines of `tests/packages/builds.toml`. Out: for each tool, what came of it.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use toml::Table;

use super::making::{self, Maker};
use super::recipe::Package;
use super::{results, source};
use crate::tree;

/// The builds as the repository has them.
const BUILDS: &str = include_str!("../../../tests/packages/builds.toml");

/// Longest time of a build, and of its tests.
const SECONDS: &str = "1800";

/// How a package builds itself.
#[derive(Clone, Default, Debug)]
pub(crate) struct Steps {
    /// Packages that it builds with.
    pub(crate) needs: Vec<String>,
    pub(crate) build: String,
    /// Lines that print `PASS…` or `ok…` for each test that passes, `FAIL…` or `not ok…` for each other.
    pub(crate) tests: String,
    /// Lines that start the server in the folder `$server`, and print what the client in the folder `$client` gets of it.
    pub(crate) pairs: String,
    /// What the build covers, or why there is none.
    pub(crate) note: String,
}

/// What came of a build with one tool.
#[derive(Clone, Default, Debug)]
pub(crate) struct Built {
    pub(crate) failure: Option<String>,
    /// How many tests pass and how many fail, where there are any.
    pub(crate) tests: Option<[u64; 2]>,
}

impl Built {
    pub(crate) fn json(&self) -> Value {
        json!({"failure": self.failure, "tests": self.tests})
    }

    pub(crate) fn read(value: &Value) -> Option<Built> {
        let failure = value.as_object()?.get("failure").and_then(Value::as_str).map(str::to_owned);
        Some(Built { failure, tests: value["tests"].is_array().then(|| results::numbers(&value["tests"])) })
    }
}

/// The steps of each package that has some, by name.
pub(crate) fn all() -> Result<Vec<(String, Steps)>, Vec<String>> {
    let table: Table = BUILDS.parse().map_err(|problem| vec![format!("builds.toml: {problem}")])?;
    let entries = table.iter().filter_map(|(name, entry)| Some((name.clone(), entry.as_table()?)));
    Ok(entries.map(|(name, entry)| (name, steps(entry))).collect())
}

pub(crate) fn of(package: &Package) -> Result<Steps, Vec<String>> {
    Ok(all()?.into_iter().find(|(name, _)| *name == package.name).map(|(_, steps)| steps).unwrap_or_default())
}

fn steps(entry: &Table) -> Steps {
    let text = |key: &str| entry.get(key).and_then(toml::Value::as_str).unwrap_or_default().trim().to_owned();
    let needs = entry.get("needs").and_then(toml::Value::as_array).cloned().unwrap_or_default();
    Steps {
        needs: needs.iter().filter_map(toml::Value::as_str).map(str::to_owned).collect(),
        build: text("build"),
        tests: text("tests"),
        pairs: text("pairs"),
        note: text("note"),
    }
}

/// Builds with both tools; nothing where no build is known. rpcgen's is the first.
pub(crate) fn both(package: &Package, steps: &Steps, root: &Path, whittle: &Maker) -> Option<[Built; 2]> {
    (!steps.build.is_empty()).then(|| [&Maker::Rpcgen, whittle].map(|maker| one(package, steps, root, maker)))
}

/// What must not be: something that fails with whittle only.
pub(crate) fn judged(name: &str, [theirs, ours]: &[Built; 2]) -> Vec<String> {
    match (&theirs.failure, &ours.failure) {
        (None, Some(problem)) => vec![format!("packages: {name}: its own build fails with whittle only: {problem}")],
        (None, None) if theirs.tests != ours.tests => {
            let said = |built: &Built| {
                built.tests.map_or_else(String::new, |[passed, failed]| format!("{passed} pass, {failed} fail"))
            };
            vec![format!("packages: {name}: its own tests: {}; with whittle {}", said(theirs), said(ours))]
        }
        _ => Vec::new(),
    }
}

fn one(package: &Package, steps: &Steps, root: &Path, maker: &Maker) -> Built {
    let folder = source::folder().join("whole").join(&package.name);
    let place = folder.join(maker.name());
    let log = folder.join(format!("{}.log", maker.name()));
    let run = |lines: &str| shell(lines, &place, &log, maker);
    if let Err(problem) = copied(root, &place, &log).and_then(|()| run(&steps.build)) {
        return Built { failure: Some(problem), tests: None };
    }
    // A build that takes shipped files says nothing about either tool.
    let calls = fs::read_to_string(calls(&log)).unwrap_or_default().lines().count();
    let failure = (calls == 0).then(|| "its build calls no rpcgen".to_owned());
    if failure.is_some() || steps.tests.is_empty() {
        return Built { failure, tests: None };
    }
    // Tests that fail are counted; those that cannot be run are none.
    let end = fs::metadata(&log).map(|data| data.len()).unwrap_or_default();
    let _ = run(&steps.tests);
    let said = fs::read(&log).unwrap_or_default();
    let said = said.get(usize::try_from(end).unwrap_or_default()..).unwrap_or_default();
    Built { failure, tests: Some(counted(&String::from_utf8_lossy(said))) }
}

/// A fresh copy of the package, and an empty log.
fn copied(root: &Path, place: &Path, log: &Path) -> Result<(), String> {
    // The interface files of an installed package lie below `/`, which is no package.
    if !root.starts_with(tree::root()) {
        return Err(format!("{} is no unpacked source", root.display()));
    }
    let _ = fs::remove_dir_all(place);
    let fresh = fs::create_dir_all(place).and_then(|()| fs::write(log, "")).and_then(|()| fs::write(calls(log), ""));
    fresh.map_err(|problem| format!("{}: {problem}", place.display()))?;
    making::run(Command::new("cp").arg("-a").arg(root.join(".")).arg(place))
}

/// Where calls of rpcgen are noted.
fn calls(log: &Path) -> std::path::PathBuf {
    log.with_extension("calls")
}

/// Runs lines with this tool as rpcgen; all that they print is in the log. What fails is its first error.
fn shell(lines: &str, place: &Path, log: &Path, maker: &Maker) -> Result<(), String> {
    let text = |problem: std::io::Error| format!("{}: {problem}", log.display());
    let output = File::options().append(true).open(log).map_err(text)?;
    let before = fs::metadata(log).map(|data| data.len()).unwrap_or_default();
    let mut shell = Command::new("nice");
    shell.args(["-n", "10", "timeout", SECONDS, "bash", "-eo", "pipefail", "-c", lines]).current_dir(place);
    shell.env("PATH", maker.noting_path()?).env("CALLS", calls(log)).env("LC_ALL", "C").env_remove("MAKEFLAGS");
    // A cache of compilations, if there is one, serves both copies.
    shell.env("CCACHE_BASEDIR", place).env("CCACHE_NOHASHDIR", "1");
    let errors = output.try_clone().map_err(text)?;
    let status = shell.stdin(Stdio::null()).stdout(output).stderr(errors).status().map_err(text)?;
    if status.success() {
        return Ok(());
    }
    let said = fs::read(log).unwrap_or_default();
    let said = String::from_utf8_lossy(said.get(usize::try_from(before).unwrap_or_default()..).unwrap_or_default())
        .into_owned();
    let error = said.lines().find(|line| line.contains("error: ") || line.contains("Error: "));
    Err(error.or_else(|| said.lines().last()).map_or_else(|| status.to_string(), |line| line.trim().to_owned()))
}

/// Counts tests that pass and tests that fail, of what automake's and Perl's harnesses print.
fn counted(said: &str) -> [u64; 2] {
    let begin = |beginnings: &[&str]| {
        said.lines().filter(|line| beginnings.iter().any(|beginning| line.trim_start().starts_with(beginning))).count()
            as u64
    };
    [begin(&["PASS: ", "ok "]), begin(&["FAIL: ", "not ok "])]
}

#[cfg(test)]
mod tests {
    use super::super::recipe;
    use super::{Built, all, counted, judged};

    #[test]
    fn every_build_is_of_a_package_and_has_steps_or_a_reason() {
        let packages = recipe::packages().expect("recipes are read");
        for (name, steps) in all().expect("builds are read") {
            assert!(packages.iter().any(|package| package.name == name), "{name} is no package");
            assert!(!steps.build.is_empty() || !steps.note.is_empty(), "{name}");
            assert!(steps.tests.is_empty() || !steps.build.is_empty(), "{name}");
        }
    }

    #[test]
    fn tests_are_counted_as_harnesses_print_them() {
        assert_eq!(counted("PASS: a\nFAIL: b\n# PASS: 1\nok 1 - x\nnot ok 2 - y\nokay\n"), [2, 2]);
    }

    #[test]
    fn what_fails_with_both_is_no_problem() {
        let fails = Built { failure: Some("why".to_owned()), tests: None };
        let passes = |tests| Built { failure: None, tests: Some(tests) };
        assert_eq!(judged("a", &[fails.clone(), fails.clone()]), Vec::<String>::new());
        assert_eq!(judged("a", &[passes([3, 1]), passes([3, 1])]), Vec::<String>::new());
        assert_eq!(judged("a", &[passes([3, 0]), fails]).len(), 1);
        assert_eq!(judged("a", &[passes([3, 0]), passes([2, 1])]).len(), 1);
    }
}
