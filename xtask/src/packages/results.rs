//! What a run over a package found, kept in `target/packages/results/NAME.json` so that a page can be written without running all again.

use std::fs;

use serde_json::{Value, json};

use super::whole::Built;
use super::{Pair, source};

/// One generated C file.
#[derive(Clone, Debug)]
pub(crate) struct FileResult {
    pub(crate) name: String,
    pub(crate) is_routines: bool,
    pub(crate) failure: [Option<String>; 2],
    pub(crate) warnings: [u64; 2],
    pub(crate) size: [u64; 2],
    pub(crate) milliseconds: [u64; 2],
}

/// One package; of two numbers rpcgen's is the first.
#[derive(Clone, Debug)]
pub(crate) struct PackageResult {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) interfaces: u64,
    pub(crate) files: Vec<FileResult>,
    /// Kinds of warnings that whittle's files have more of.
    pub(crate) more_warnings: Vec<String>,
    /// The package's own build, where it was run.
    pub(crate) whole: Option<[Built; 2]>,
    /// How many lines its clients print with its servers, or where those of two pairs differ.
    pub(crate) pairs: Option<Result<u64, String>>,
}

impl FileResult {
    pub(crate) fn new(pair: &Pair) -> FileResult {
        let sides = [&pair.theirs, &pair.ours];
        FileResult {
            name: pair.name.clone(),
            is_routines: pair.is_routines(),
            failure: sides.map(|side| side.failure.clone()),
            warnings: sides.map(|side| side.warnings.len() as u64),
            size: sides.map(|side| side.size),
            milliseconds: sides.map(|side| side.milliseconds),
        }
    }

    fn json(&self) -> Value {
        json!({"name": self.name, "routines": self.is_routines, "failure": self.failure, "warnings": self.warnings,
            "size": self.size, "milliseconds": self.milliseconds})
    }

    fn read(value: &Value) -> FileResult {
        FileResult {
            name: text(&value["name"]),
            is_routines: value["routines"].as_bool().unwrap_or(false),
            failure: words(&value["failure"]),
            warnings: numbers(&value["warnings"]),
            size: numbers(&value["size"]),
            milliseconds: numbers(&value["milliseconds"]),
        }
    }
}

impl PackageResult {
    pub(crate) fn save(&self) -> Result<(), Vec<String>> {
        let folder = source::folder().join("results");
        let files: Vec<Value> = self.files.iter().map(FileResult::json).collect();
        let value = json!({"name": self.name, "version": self.version, "interfaces": self.interfaces, "files": files,
            "more": self.more_warnings, "pairs": self.pairs.as_ref().map(said), "whole": self.whole.as_ref().map(|built| built.each_ref().map(Built::json))});
        let path = folder.join(format!("{}.json", self.name));
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(&path, format!("{value:#}\n")))
            .map_err(|problem| vec![format!("{}: {problem}", path.display())])
    }

    /// What an earlier run found.
    pub(crate) fn load(name: &str) -> Option<PackageResult> {
        let text_of_file = fs::read_to_string(source::folder().join("results").join(format!("{name}.json"))).ok()?;
        let value: Value = serde_json::from_str(&text_of_file).ok()?;
        Some(PackageResult {
            name: text(&value["name"]),
            version: text(&value["version"]),
            interfaces: value["interfaces"].as_u64()?,
            files: value["files"].as_array()?.iter().map(FileResult::read).collect(),
            more_warnings: value["more"].as_array()?.iter().map(text).collect(),
            whole: whole(&value["whole"]),
            pairs: value["pairs"].as_u64().map(Ok).or_else(|| Some(Err(value["pairs"].as_str()?.to_owned()))),
        })
    }

    /// Sums over files of routines that compile with both.
    pub(crate) fn routines(&self, number: fn(&FileResult) -> [u64; 2]) -> [u64; 2] {
        let counted = self.files.iter().filter(|file| file.is_routines && file.failure.iter().all(Option::is_none));
        sum(counted.map(number))
    }
}

pub(crate) fn sum(numbers: impl Iterator<Item = [u64; 2]>) -> [u64; 2] {
    numbers.fold([0, 0], |[theirs, ours], [more, most]| [theirs + more, ours + most])
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

fn said(pairs: &Result<u64, String>) -> Value {
    match pairs {
        Ok(lines) => json!(lines),
        Err(problem) => json!(problem),
    }
}

fn whole(value: &Value) -> Option<[Built; 2]> {
    Some([Built::read(&value[0])?, Built::read(&value[1])?])
}

fn words(value: &Value) -> [Option<String>; 2] {
    [0, 1].map(|side| value[side].as_str().map(str::to_owned))
}

pub(crate) fn numbers(value: &Value) -> [u64; 2] {
    [0, 1].map(|side| value[side].as_u64().unwrap_or_default())
}
