//! A few small packages in the usual tests; all others take `cargo xtask packages`.

use super::making::Maker;
use super::{compare, judged, recipe, services, source};
use crate::{abi, cargo};

#[test]
fn what_compiles_with_rpcgen_compiles_with_whittle() {
    let whittle = Maker::Whittle(cargo::build_whittle_quickly().expect("whittle is built"), Vec::new());
    let in_ci = std::env::var_os("CI").is_some();
    let mut problems = Vec::new();
    for package in recipe::packages().expect("recipes are read").iter().filter(|package| package.is_quick) {
        match source::root(package, !in_ci) {
            Ok(root) => match compare(package, &root, &whittle, "tests", |ending| ending.ends_with(".c"), &["-O0"]) {
                Ok(pairs) => problems.extend(judged(package, &pairs)),
                Err(problem) => problems.push(format!("{}: {problem}", package.name)),
            },
            Err(problem) => println!("{}: {problem}; skipped", package.name),
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn recipes_are_complete() {
    let packages = recipe::packages().expect("recipes are read");
    assert!(packages.iter().filter(|package| package.is_quick).count() >= 5);
    let mut names: Vec<&str> = packages.iter().map(|package| package.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), packages.len());
    assert!(recipe::chosen(&["no-such-package"]).is_err());
}

#[test]
fn clients_and_servers_of_both_tools_understand_each_other() {
    let whittle = Maker::Whittle(cargo::build_whittle_quickly().expect("whittle is built"), Vec::new());
    let names = services::all().expect("services are listed");
    let in_ci = std::env::var_os("CI").is_some();
    assert!(!in_ci || names.len() >= 5, "in CI the interface files are installed");
    for name in names {
        let lines = services::both_ways(&name, &whittle).unwrap_or_else(|problem| panic!("{name}: {problem}"));
        assert!(lines > 4, "{name}");
    }
}

#[test]
fn types_functions_and_macros_are_those_of_rpcgen() {
    let whittle = Maker::Whittle(cargo::build_whittle_quickly().expect("whittle is built"), Vec::new());
    let can = std::process::Command::new("abidiff").arg("--version").output().is_ok();
    if !can {
        assert!(std::env::var_os("CI").is_none(), "in CI abidiff is installed");
        println!("abidiff is not installed; skipped");
        return;
    }
    for package in recipe::chosen(&["rpcsvc-proto"]).expect("recipes are read") {
        match source::root(&package, true) {
            Ok(root) => {
                assert_eq!(abi::check(&package, &root, &whittle), Vec::<String>::new());
                // Arguments by value are other functions, which must not go unnoticed.
                let Maker::Whittle(path, _) = &whittle else { continue };
                let other = Maker::Whittle(path.clone(), vec!["-N".to_owned()]);
                let one = recipe::Package { files: vec!["/usr/include/rpcsvc/rquota.x".to_owned()], ..package.clone() };
                assert!(!abi::check(&one, &root, &other).is_empty());
            }
            Err(problem) => println!("{}: {problem}; skipped", package.name),
        }
    }
}
