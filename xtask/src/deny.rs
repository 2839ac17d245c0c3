//! `cargo xtask deny`: what `deny.toml` says of licences, bans and sources, checked against `cargo metadata`. Where cargo-deny is installed
//! it has its say, too, with advisories where their database can be reached. In: `deny.toml`, `Cargo.lock`. Out: what does not conform.

use std::collections::BTreeMap;

use serde_json::Value;
use spdx::{Expression, ParseMode};
use toml::Table;

use crate::{cargo, tree};

/// The registry that cargo takes crates from by itself, as lock files name it.
const USUAL: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The part of `deny.toml` that is checked here.
struct Rules {
    allowed: Vec<String>,
    banned: Vec<String>,
    one_version: bool,
}

/// A crate of the graph.
struct Package {
    name: String,
    version: String,
    licence: String,
    /// None: our own.
    source: Option<String>,
    /// The oldest Rust that compiles it, where it says.
    rust: Option<String>,
}

/// Own checks, then cargo-deny's.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let path = tree::root().join("deny.toml");
    let text = std::fs::read_to_string(&path).map_err(|problem| vec![format!("{}: {problem}", path.display())])?;
    let rules = rules(&text)?;
    let problems = check(&rules, &packages(&cargo::graph()?));
    if !problems.is_empty() {
        return Err(problems);
    }
    with_cargo_deny()
}

fn rules(text: &str) -> Result<Rules, Vec<String>> {
    let table: Table = text.parse().map_err(|problem| vec![format!("deny.toml: {problem}")])?;
    let texts = |section: &str, key: &str, name: fn(&toml::Value) -> Option<&str>| -> Vec<String> {
        let values = table.get(section).and_then(|section| section.get(key)).and_then(toml::Value::as_array);
        values.into_iter().flatten().filter_map(name).map(str::to_owned).collect()
    };
    let bans = table.get("bans");
    Ok(Rules {
        allowed: texts("licenses", "allow", toml::Value::as_str),
        banned: texts("bans", "deny", |ban| ban.get("crate").and_then(toml::Value::as_str)),
        one_version: bans.and_then(|bans| bans.get("multiple-versions")).and_then(toml::Value::as_str) == Some("deny"),
    })
}

fn packages(metadata: &Value) -> Vec<Package> {
    let text = |package: &Value, key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let package = |package: &Value| Package {
        name: text(package, "name"),
        version: text(package, "version"),
        licence: text(package, "license"),
        source: package["source"].as_str().map(str::to_owned),
        rust: package["rust_version"].as_str().map(str::to_owned),
    };
    metadata["packages"].as_array().into_iter().flatten().map(package).collect()
}

fn check(rules: &Rules, packages: &[Package]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let own = packages.iter().filter(|package| package.source.is_none()).filter_map(|package| package.rust.as_deref());
    let promised = own.max_by_key(|version| numbers(version));
    for package in packages {
        let name = format!("{} {}", package.name, package.version);
        versions.entry(&package.name).or_default().push(&package.version);
        if let Some(problem) = licence_problem(rules, &package.licence) {
            problems.push(format!("{name}: {problem} (deny.toml, licenses.allow)"));
        }
        if rules.banned.contains(&package.name) {
            problems.push(format!("{name}: is banned (deny.toml, bans.deny)"));
        }
        if let (Some(promised), Some(needed)) = (promised, package.rust.as_deref())
            && numbers(needed) > numbers(promised)
        {
            problems.push(format!("{name}: needs Rust {needed}, and Cargo.toml promises {promised} (rust-version)"));
        }
        if package.source.as_ref().is_some_and(|source| source != USUAL) {
            problems.push(format!(
                "{name}: comes from {}, not from the usual registry",
                package.source.as_deref().unwrap_or_default()
            ));
        }
    }
    let several = versions.iter().filter(|(_, versions)| rules.one_version && versions.len() > 1);
    problems
        .extend(several.map(|(name, versions)| format!("{name}: there are several versions: {}", versions.join(", "))));
    problems
}

/// A version's first two numbers, to compare.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').take(2).map(|part| part.parse().unwrap_or(0)).collect()
}

fn licence_problem(rules: &Rules, licence: &str) -> Option<String> {
    let Ok(expression) = Expression::parse_mode(licence, ParseMode::LAX) else {
        return Some(format!("`{licence}` is no licence that SPDX knows"));
    };
    let fits = expression.evaluate(|needed| rules.allowed.contains(&needed.to_string()));
    (!fits).then(|| format!("its licence `{licence}` is not among those allowed"))
}

fn with_cargo_deny() -> Result<(), Vec<String>> {
    let works = |words: &[&str]| cargo::command().args(words).output().is_ok_and(|output| output.status.success());
    if !works(&["deny", "--version"]) {
        println!("deny: bans, licences and sources conform; advisories are skipped: cargo-deny is not installed");
        return Ok(());
    }
    let mut checks = vec!["deny", "check", "bans", "licenses", "sources"];
    if works(&["deny", "fetch", "db"]) {
        checks.push("advisories");
    } else {
        println!("deny: advisories are skipped: their database cannot be reached");
    }
    cargo::run(cargo::command().args(&checks), "cargo deny")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(name: &str, licence: &str, source: Option<&str>) -> Vec<String> {
        let rules = Rules { allowed: vec!["MIT".into(), "ISC".into()], banned: vec!["bad".into()], one_version: true };
        let package = |name: &str, version: &str| Package {
            name: name.into(),
            version: version.into(),
            licence: licence.into(),
            source: source.map(str::to_owned),
            rust: None,
        };
        let mut all = vec![package(name, "1.0.0")];
        if name == "twice" {
            all.push(package(name, "2.0.0"));
        }
        check(&rules, &all)
    }

    #[test]
    fn what_deny_toml_allows_is_fine() {
        assert_eq!(problems("a", "MIT OR GPL-3.0-only", Some(USUAL)), Vec::<String>::new());
        assert_eq!(problems("a", "MIT/Apache-2.0", None), Vec::<String>::new());
    }

    #[test]
    fn each_kind_of_problem_is_found() {
        assert!(problems("a", "GPL-3.0-only", None)[0].contains("not among those allowed"));
        assert!(problems("a", "MIT AND GPL-3.0-only", None)[0].contains("not among those allowed"));
        assert!(problems("a", "", None)[0].contains("no licence"));
        assert!(problems("bad", "MIT", None)[0].contains("banned"));
        assert!(problems("a", "MIT", Some("git+https://example.org/a"))[0].contains("comes from"));
        assert!(problems("twice", "MIT", None)[0].contains("several versions: 1.0.0, 2.0.0"));
    }

    #[test]
    fn a_crate_that_needs_a_newer_rust_than_ours_is_found() {
        let rules = Rules { allowed: vec!["MIT".into()], banned: Vec::new(), one_version: true };
        let package = |name: &str, source: Option<&str>, rust: &str| Package {
            name: name.into(),
            version: "1.0.0".into(),
            licence: "MIT".into(),
            source: source.map(str::to_owned),
            rust: Some(rust.into()),
        };
        let found = |rust| check(&rules, &[package("own", None, "1.88"), package("other", Some(USUAL), rust)]);
        assert_eq!(
            found("1.88.0")[..],
            ["other 1.0.0: needs Rust 1.88.0, and Cargo.toml promises 1.88 (rust-version)"; 0]
        );
        assert_eq!(found("1.100"), ["other 1.0.0: needs Rust 1.100, and Cargo.toml promises 1.88 (rust-version)"]);
    }

    #[test]
    fn the_crates_that_we_build_with_conform() {
        if let Err(problems) = run() {
            panic!("{}", problems.join("\n"));
        }
    }
}
