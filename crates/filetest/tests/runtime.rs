//! The C that generated files embed, tested by itself under sanitizers, with both compilers.

use std::path::Path;
use std::process::Command;

use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

/// What is tested, and the folder of its Makefile.
const TESTS: [(&str, &str); 2] =
    [("helpers_work_on_every_stream", "runtime/tests"), ("packets_arrive_or_are_accounted_for", "runtime/flow/tests")];

fn main() {
    let trials: Vec<Trial> = ["gcc", "clang"]
        .into_iter()
        .flat_map(|compiler| TESTS.map(|(name, folder)| (compiler, name, folder)))
        .map(|(compiler, name, folder)| {
            oracle::trial(format!("{name}/{compiler}"), &["make", compiler], move || {
                let build = format!("{}/{name}-{compiler}", env!("CARGO_TARGET_TMPDIR"));
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
                let target = if compiler == "clang" && folder.ends_with("flow/tests") { "some" } else { "test" };
                let arguments = [format!("CC={compiler}"), format!("BUILD={build}"), target.to_owned()];
                oracle::succeed(Command::new("make").arg("-C").arg(folder).args(arguments))?;
                Ok(())
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
