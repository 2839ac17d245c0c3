//! `cargo xtask packages`: Debian's packages that run rpcgen, each with its own recipe, once by rpcgen and once by whittle in its place.
//! In: names of packages, or none for all. Out: what compiles, with how many warnings, how large and how soon; with `--table`, a page.

pub(crate) mod making;
pub(crate) mod measure;
mod pairs;
pub(crate) mod recipe;
mod results;
pub(crate) mod services;
pub(crate) mod source;
mod table;
#[cfg(test)]
mod tests;
mod whole;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::{cargo, deps};
use making::{Maker, Output};
use measure::Compiled;
use recipe::Package;
use results::{FileResult, PackageResult};

const USAGE: &str = "packages: [--list] [--table FILE] [--again] [--builds] [--offline] [--whittle COMMAND] [NAME]...";

/// A generated file by both tools.
pub(crate) struct Pair {
    /// The interface file and the output's ending.
    pub(crate) name: String,
    pub(crate) ending: String,
    pub(crate) theirs: Compiled,
    pub(crate) ours: Compiled,
}

impl Pair {
    /// Whether it holds the `xdr_` routines.
    pub(crate) fn is_routines(&self) -> bool {
        is_routines(&self.ending)
    }
}

pub(crate) fn is_routines(ending: &str) -> bool {
    ending.ends_with(".c") && !ending.contains("clnt") && !ending.contains("svc")
}

/// Runs the packages of these names and says what is not as with rpcgen.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let (mut names, mut table, mut whittle) = (Vec::new(), None, None);
    let (mut again, mut builds, mut offline) = (false, false, false);
    let mut words = arguments.iter().copied();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or_else(|| vec![USAGE.to_owned()]);
        match word {
            "--list" => return list(),
            "--table" => table = Some(value()?),
            "--whittle" => whittle = Some(value()?),
            "--again" => again = true,
            "--builds" => builds = true,
            "--offline" => offline = true,
            other if other.starts_with('-') => return Err(vec![USAGE.to_owned()]),
            name => names.push(name),
        }
    }
    let packages = recipe::chosen(&names)?;
    // A page can be written of what was found before.
    let is_done =
        |package: &Package| table.is_some() && !again && !builds && PackageResult::load(&package.name).is_some();
    let mut problems = Vec::new();
    if packages.iter().any(|package| !is_done(package)) {
        let whittle = command(whittle)?;
        for package in packages.iter().filter(|package| !is_done(package)) {
            let run = if builds { built_again } else { one };
            problems.extend(run(package, &whittle, offline));
        }
    }
    if let Some(path) = table {
        table::write(Path::new(path))?;
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// The command to try: one that is given, or ours, built for speed.
pub(crate) fn command(given: Option<&str>) -> Result<Maker, Vec<String>> {
    let path = match given {
        Some(path) => PathBuf::from(path).canonicalize().map_err(|problem| vec![format!("{path}: {problem}")])?,
        None => cargo::build_whittle()?,
    };
    Ok(Maker::Whittle(path, Vec::new()))
}

fn list() -> Result<(), Vec<String>> {
    for package in recipe::packages()? {
        let quick = if package.is_quick { "tests" } else { "" };
        println!("{:20}{:8}{}", package.name, quick, package.files.join(" "));
    }
    recipe::missing()?.iter().for_each(|missing| println!("{:20}missing {}", missing.name, missing.reason));
    Ok(())
}

/// Runs a package, prints and keeps what came out; what comes back is what must not be.
fn one(package: &Package, whittle: &Maker, offline: bool) -> Vec<String> {
    let root = match source::root(package, offline) {
        Ok(root) => root,
        Err(problem) => {
            println!("packages: {}: {problem}; skipped", package.name);
            return Vec::new();
        }
    };
    let needs: Vec<&str> = package.needs.iter().map(String::as_str).collect();
    let absent = if offline { Vec::new() } else { deps::provide(&needs) };
    if !absent.is_empty() {
        println!("packages: {}: cannot install {}; skipped", package.name, absent.join(" "));
        return Vec::new();
    }
    let pairs = match compare(package, &root, whittle, "packages", |ending| ending.ends_with(".c"), &[]) {
        Ok(pairs) => pairs,
        Err(problem) => return vec![format!("packages: {}: {problem}", package.name)],
    };
    let result = PackageResult {
        name: package.name.clone(),
        version: source::version(package),
        interfaces: source::interfaces(package, &root).len() as u64,
        more_warnings: more_warnings(&pairs),
        files: pairs.iter().map(FileResult::new).collect(),
        whole: None,
        pairs: None,
    };
    let mut problems = judged(package, &pairs);
    problems.extend(built(package, whittle, offline, result));
    problems
}

/// The package's own build and tests, added to what is known of it; all of it is printed and kept.
fn built(package: &Package, whittle: &Maker, offline: bool, mut result: PackageResult) -> Vec<String> {
    let steps = match whole::of(package) {
        Ok(steps) => steps,
        Err(problems) => return problems,
    };
    let needs: Vec<&str> = steps.needs.iter().map(String::as_str).collect();
    let absent = if offline || steps.build.is_empty() { Vec::new() } else { deps::provide(&needs) };
    let root = source::to_build(package, offline || steps.build.is_empty());
    match root {
        Ok(root) if absent.is_empty() => result.whole = whole::both(package, &steps, &root, whittle),
        Err(problem) if !steps.build.is_empty() => {
            println!("packages: {}: {problem}; its own build is skipped", package.name)
        }
        Err(_) => {}
        Ok(_) => println!("packages: {}: cannot install {}; its own build is skipped", package.name, absent.join(" ")),
    }
    let is_built =
        result.whole.as_ref().is_some_and(|[theirs, ours]| theirs.failure.is_none() && ours.failure.is_none());
    result.pairs = if is_built { pairs::run(package, &steps, whittle) } else { None };
    println!("{}", table::row(&result));
    let mut problems = result.whole.as_ref().map_or_else(Vec::new, |pair| whole::judged(&package.name, pair));
    if let Some(Err(problem)) = &result.pairs {
        problems.push(format!("packages: {}: {problem}", package.name));
    }
    problems.extend(result.save().err().into_iter().flatten());
    problems
}

/// The own build alone; the rest is as an earlier run found it.
fn built_again(package: &Package, whittle: &Maker, offline: bool) -> Vec<String> {
    match PackageResult::load(&package.name) {
        Some(result) => built(package, whittle, offline, result),
        None => one(package, whittle, offline),
    }
}

/// What compiles with rpcgen compiles with whittle, but for what is known; what is known is still so.
fn judged(package: &Package, pairs: &[Pair]) -> Vec<String> {
    let mut problems = Vec::new();
    for pair in pairs {
        let known = package.known.iter().find(|(name, _)| *name == pair.name);
        match (&pair.theirs.failure, &pair.ours.failure, known) {
            (None, Some(problem), None) => {
                problems.push(format!("packages: {}: {}: {problem}", package.name, pair.name));
            }
            (_, None, Some((_, reason))) => problems.push(format!(
                "packages: {}: {} compiles; take it off `known` in tests/packages/recipes.toml ({reason})",
                package.name, pair.name
            )),
            _ => {}
        }
    }
    problems
}

/// Kinds that our files have more of than rpcgen's.
fn more_warnings(pairs: &[Pair]) -> Vec<String> {
    let mut kinds: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    for pair in pairs {
        for (side, compiled) in [&pair.theirs, &pair.ours].into_iter().enumerate() {
            compiled.warnings.iter().for_each(|kind| kinds.entry(kind).or_default()[side] += 1);
        }
    }
    let more = kinds.into_iter().filter(|(_, [theirs, ours])| ours > theirs);
    more.map(|(kind, [theirs, ours])| format!("{kind} {theirs} → {ours}")).collect()
}

/// Makes and compiles a package's files with both tools; headers are compiled with what includes them.
pub(crate) fn compare(
    package: &Package,
    root: &Path,
    whittle: &Maker,
    user: &str,
    is_wanted: fn(&str) -> bool,
    more: &[&str],
) -> Result<Vec<Pair>, String> {
    let theirs = making::make(package, root, &Maker::Rpcgen, user)?;
    let ours = making::make(package, root, whittle, user)?;
    let both = theirs.outputs.iter().zip(&ours.outputs).filter(|(output, _)| is_wanted(&output.ending));
    let pair = |(their, our): (&Output, &Output)| Pair {
        name: their.name(),
        ending: their.ending.clone(),
        theirs: measure::compile(&theirs, their, more),
        ours: measure::compile(&ours, our, more),
    };
    Ok(both.map(pair).collect())
}
