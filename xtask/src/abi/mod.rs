//! `cargo xtask abi`: whether programs that were compiled with rpcgen's header can be linked with whittle's routines, and the reverse. In:
//! names of packages, or none for all that are here. Out: for each interface file, what differs in types and functions (libabigail's
//! `abidiff`, on objects with debug information) and in macros (`gcc -dM -E` of the header).

mod macros;
mod types;

use std::path::{Path, PathBuf};

use crate::deps;
use crate::packages::making::{self, Made, Maker, Output};
use crate::packages::recipe::{self, Package};
use crate::packages::{self, source};

const USAGE: &str = "abi: [--whittle COMMAND] [NAME]...";

/// The same interface file, as two tools have it.
pub(crate) struct Sides<'a> {
    pub(crate) theirs: Side<'a>,
    pub(crate) ours: Side<'a>,
}

/// What one tool made of an interface file.
pub(crate) struct Side<'a> {
    pub(crate) made: &'a Made,
    pub(crate) outputs: Vec<&'a Output>,
}

impl Side<'_> {
    /// A generated file that has not failed, by the kind of its ending.
    fn files(&self, is_wanted: fn(&str) -> bool) -> Vec<&Path> {
        let wanted = self.outputs.iter().filter(|output| output.failure.is_none() && is_wanted(&output.ending));
        wanted.map(|output| output.path.as_path()).collect()
    }
}

/// Compares and prints; differences are an error.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let (mut names, mut whittle) = (Vec::new(), None);
    let mut words = arguments.iter().copied();
    while let Some(word) = words.next() {
        match word {
            "--whittle" => whittle = Some(words.next().ok_or_else(|| vec![USAGE.to_owned()])?),
            other if other.starts_with('-') => return Err(vec![USAGE.to_owned()]),
            name => names.push(name),
        }
    }
    let missing = deps::provide(&["abigail-tools", "binutils"]);
    if !missing.is_empty() {
        return Err(vec![format!("abi: cannot install {}", missing.join(" "))]);
    }
    let whittle = packages::command(whittle)?;
    let mut problems = Vec::new();
    for package in recipe::chosen(&names)? {
        match source::root(&package, names.is_empty()) {
            Ok(root) => problems.extend(check(&package, &root, &whittle)),
            Err(problem) => println!("abi: {}: {problem}; skipped", package.name),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// All interface files of a package; what rpcgen's side does not compile is said, and is no difference.
pub(crate) fn check(package: &Package, root: &Path, whittle: &Maker) -> Vec<String> {
    let made = making::make(package, root, &Maker::Rpcgen, "abi")
        .and_then(|theirs| Ok((theirs, making::make(package, root, whittle, "abi")?)));
    let (theirs, ours) = match made {
        Ok(made) => made,
        Err(problem) => return vec![format!("abi: {}: {problem}", package.name)],
    };
    let mut interfaces: Vec<PathBuf> = theirs.outputs.iter().map(|output| output.interface.clone()).collect();
    interfaces.sort();
    interfaces.dedup();
    let mut problems = Vec::new();
    for interface in interfaces {
        let side = |made| Side { made, outputs: outputs_of(made, &interface) };
        let sides = Sides { theirs: side(&theirs), ours: side(&ours) };
        let name = format!("{}: {}", package.name, interface.display());
        let differences = types::compare(&sides).map(|types| {
            types.into_iter().chain(macros::compare(&sides).unwrap_or_else(|problem| vec![problem])).collect::<Vec<_>>()
        });
        match differences {
            Ok(differences) if differences.is_empty() => println!("abi: {name}: the same"),
            Ok(differences) => problems.extend(differences.iter().map(|line| format!("abi: {name}: {line}"))),
            Err(types::Obstacle::Theirs(problem)) => println!("abi: {name}: rpcgen's does not compile: {problem}"),
            Err(types::Obstacle::Ours(problem)) if is_known(package, &interface) => {
                println!("abi: {name}: known not to compile: {problem}");
            }
            Err(types::Obstacle::Ours(problem)) => problems.push(format!("abi: {name}: {problem}")),
        }
    }
    problems
}

/// Whether an output beside this file is known to fail; `cargo xtask packages` says when it does no longer.
fn is_known(package: &Package, interface: &Path) -> bool {
    package.known.iter().any(|(name, _)| Path::new(name).parent() == interface.parent())
}

fn outputs_of<'a>(made: &'a Made, interface: &Path) -> Vec<&'a Output> {
    made.outputs.iter().filter(|output| output.interface == interface).collect()
}
