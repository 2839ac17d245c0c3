//! `make package`: the command as `cargo install` builds it, a package for Debian of it, lintian's word on that, and the package installed
//! and used. Out: `target/package/whittle_VERSION_ARCHITECTURE.deb`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{cargo, deps, tree};

/// What makes and checks the package; the build systems are those of its sample project.
const PACKAGES: [&str; 8] = ["dpkg-dev", "lintian", "make", "gcc", "cpp", "cmake", "meson", "pkg-config"];

/// Makes the package and says where it is.
pub(crate) fn run() -> Result<(), Vec<String>> {
    let missing = deps::provide(&PACKAGES);
    if !missing.is_empty() {
        return Err(vec![format!("package: cannot install {}", missing.join(" "))]);
    }
    let out = cargo::target()?.join("package");
    let whittle = installed_by_cargo(&out)?;
    let mut make = Command::new("make");
    make.args(["--no-print-directory", "-s", "-C"]).arg(tree::root().join("packaging/debian"));
    make.arg(format!("WHITTLE={}", whittle.display())).arg(format!("OUT={}", out.display()));
    cargo::run(make.env_remove("MAKEFLAGS"), "packaging/debian")?;
    let package = newest(&out)?;
    check(&package)?;
    try_it(&package)?;
    println!("{}", package.display());
    Ok(())
}

/// As a user installs it from a checkout: the package has the same command.
fn installed_by_cargo(out: &Path) -> Result<PathBuf, Vec<String>> {
    let root = out.join("cargo");
    let mut install = cargo::command();
    install.args(["install", "--quiet", "--locked", "--force", "--path", "crates/cli", "--root"]).arg(&root);
    cargo::run(&mut install, "cargo install --path crates/cli")?;
    Ok(root.join("bin/whittle"))
}

fn newest(out: &Path) -> Result<PathBuf, Vec<String>> {
    let packages = std::fs::read_dir(out).map_err(|problem| vec![format!("{}: {problem}", out.display())])?;
    let packages =
        packages.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "deb"));
    let written = |path: &PathBuf| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    packages.max_by_key(written).ok_or_else(|| vec!["package: none was made".to_owned()])
}

fn check(package: &Path) -> Result<(), Vec<String>> {
    let mut lintian = Command::new("lintian");
    lintian.args(["--allow-root", "--fail-on", "error,warning"]).arg(package);
    cargo::run(&mut lintian, "lintian")
}

/// In an overlay of this system, which takes root.
fn try_it(package: &Path) -> Result<(), Vec<String>> {
    let can = Command::new("unshare").args(["--mount", "true"]).output().is_ok_and(|output| output.status.success());
    if !can {
        println!("package: not installed for a try: that takes root");
        return Ok(());
    }
    cargo::run(Command::new(tree::root().join("packaging/debian/try.sh")).arg(package), "packaging/debian/try.sh")
}
