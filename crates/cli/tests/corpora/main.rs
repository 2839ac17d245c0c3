//! Interface files that others wrote: every `.x` file of Debian's packages goes through whittle; the header declares
//! exactly what rpcgen's does; what C compilers take from rpcgen they take from whittle, without a warning.
//!
//! The files of binary packages are found with `dpkg`; those of source packages where `cargo xtask corpora` put them.

mod declarations;
mod sample;

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::{golden, oracle};
use libtest_mimic::{Arguments, Trial};

/// Installed by `make deps`; in CI they must be there.
const BINARY_PACKAGES: [&str; 3] = ["rpcsvc-proto", "libtirpc-dev", "libnsl-dev"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<Trial> = Vec::new();
    for package in BINARY_PACKAGES {
        let files = files_of(package);
        if files.is_empty() {
            trials.push(oracle::absent(format!("corpora: {package}"), package));
        }
        files.into_iter().for_each(|file| add(&mut trials, package, file));
    }
    let downloaded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora");
    for file in golden::files_below(&downloaded).into_iter().filter(|file| is_interface(file)) {
        let inside = file.strip_prefix(&downloaded).unwrap_or(&file);
        let package = inside.components().next().map(|name| name.as_os_str().to_string_lossy().into_owned());
        add(&mut trials, &package.unwrap_or_default(), file);
    }
    libtest_mimic::run(&arguments, trials).exit();
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

fn add(trials: &mut Vec<Trial>, package: &str, file: PathBuf) {
    let name = format!("corpora: {package}: {}", file.file_name().unwrap_or_default().to_string_lossy());
    let programs = ["cpp", "gcc", "clang", "rpcgen", "pkg-config"];
    trials.push(oracle::trial(name, &programs, move || sample::check(&file)));
}
