//! Interface files that others wrote: every `.x` file of Debian's packages goes through whittle; the header declares
//! exactly what rpcgen's does; what C compilers take from rpcgen they take from whittle, without a warning.
//!
//! The files of binary packages are found with `dpkg`; those of source packages where `cargo xtask corpora` put them;
//! and what others' files taught is in `tests/real/interfaces`.

mod declarations;
mod package;
mod sample;

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::{golden, oracle};
use libtest_mimic::{Arguments, Trial};
use package::Package;

/// Installed by `make deps`; in CI they must be there.
const BINARY_PACKAGES: [&str; 3] = ["rpcsvc-proto", "libtirpc-dev", "libnsl-dev"];

/// Downloaded by `make corpora`; in CI they must be there.
const SOURCE_PACKAGES: [&str; 3] = ["glusterfs", "libvirt", "nfs-utils"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for name in BINARY_PACKAGES {
        let files = files_of(name);
        if files.is_empty() {
            trials.push(oracle::absent(format!("corpora: {name}"), name));
        }
        let package = Package { name: name.to_owned(), root: None };
        files.into_iter().for_each(|file| add(&mut trials, &package, file));
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    for name in SOURCE_PACKAGES {
        let root = here.join("../../target/corpora").join(name);
        let files = interfaces_below(&root);
        if files.is_empty() {
            trials.push(oracle::absent(format!("corpora: {name}"), name));
        }
        let package = Package { name: name.to_owned(), root: Some(root) };
        files.into_iter().for_each(|file| add(&mut trials, &package, file));
    }
    let distilled = Package { name: "distilled".to_owned(), root: None };
    for file in interfaces_below(&here.join("../../tests/real/interfaces")) {
        add(&mut trials, &distilled, file);
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn interfaces_below(folder: &Path) -> Vec<PathBuf> {
    golden::files_below(folder).into_iter().filter(|file| is_interface(file)).collect()
}

fn is_interface(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "x")
}

/// The `.x` files of an installed package.
fn files_of(package: &str) -> Vec<PathBuf> {
    let output = Command::new("dpkg").args(["-L", package]).output();
    let listed = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    listed.lines().map(PathBuf::from).filter(|file| is_interface(file) && file.is_file()).collect()
}

fn add(trials: &mut Vec<Trial>, package: &Package, file: PathBuf) {
    let name = format!("corpora: {}: {}", package.name, file.file_name().unwrap_or_default().to_string_lossy());
    let programs = ["cpp", "gcc", "clang", "rpcgen", "pkg-config"];
    let package = package.clone();
    trials.push(oracle::trial(name, &programs, move || sample::check(&package, &file)));
}
