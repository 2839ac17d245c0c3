//! Where size comes from, by routine: `nm` on each object file. In: what is measured. Out: bytes by kind of function over all files, and
//! the largest functions beside rpcgen's of the same type.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use super::{Request, measured};

/// Functions of whittle's by the start of their names; the rest are helpers.
const KINDS: [&str; 4] = ["xdr_", "encode_", "decode_", "release_"];

/// Prints kinds and the largest types.
pub(super) fn run(request: &Request) -> Result<(), Vec<String>> {
    let mut kinds: BTreeMap<String, [u64; 2]> = BTreeMap::new();
    let mut types: Vec<(u64, u64, String)> = Vec::new();
    for (package, pairs) in measured(request, &[]) {
        for pair in pairs.iter().filter(|pair| pair.theirs.failure.is_none() && pair.ours.failure.is_none()) {
            let mut of_types: BTreeMap<String, [u64; 2]> = BTreeMap::new();
            for (side, object) in [&pair.theirs.object, &pair.ours.object].into_iter().enumerate() {
                for (name, size) in sizes(object) {
                    let (kind, of) = classify(&name);
                    kinds.entry(kind.to_owned()).or_default()[side] += size;
                    of_types.entry(of.to_owned()).or_default()[side] += size;
                }
            }
            let one = |(name, [theirs, ours]): (String, [u64; 2])| {
                (ours, theirs, format!("{package}: {}: {name}", pair.name))
            };
            types.extend(of_types.into_iter().map(one));
        }
    }
    println!("{:24}{:>10}{:>10}", "bytes of functions", "rpcgen", "whittle");
    kinds.iter().for_each(|(kind, [theirs, ours])| println!("{kind:24}{theirs:>10}{ours:>10}"));
    types.sort();
    println!("largest types, all functions of each:");
    for (ours, theirs, name) in types.iter().rev().take(40) {
        println!("{theirs:>10}{ours:>10}  {name}");
    }
    Ok(())
}

/// Symbols with sizes, without what the compiler adds to names of clones.
fn sizes(object: &Path) -> Vec<(String, u64)> {
    let output = Command::new("nm").args(["--print-size", "--defined-only"]).arg(object).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let symbol = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [_, size, _, name] = words[..] else { return None };
        let name = name.split('.').next().unwrap_or(name).to_owned();
        Some((name, u64::from_str_radix(size, 16).ok()?))
    };
    text.lines().filter_map(symbol).collect()
}

/// The kind of a function, and the type it is of.
fn classify(name: &str) -> (&str, &str) {
    let kind = KINDS.iter().find_map(|kind| Some((*kind, name.strip_prefix(kind)?)));
    kind.unwrap_or(("helpers and the rest", "(helpers)"))
}
