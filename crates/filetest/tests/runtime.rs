//! The C helpers that generated files embed, tested by themselves under sanitizers, with both compilers.

use std::path::Path;
use std::process::Command;

use filetest::oracle;
use libtest_mimic::{Arguments, Trial};

fn main() {
    let trials: Vec<Trial> = ["gcc", "clang"]
        .into_iter()
        .map(|compiler| {
            oracle::trial(format!("helpers_work_on_every_stream/{compiler}"), &["make", compiler], move || {
                let build = format!("{}/runtime-{compiler}", env!("CARGO_TARGET_TMPDIR"));
                let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../runtime/tests");
                let arguments = [format!("CC={compiler}"), format!("BUILD={build}")];
                oracle::succeed(Command::new("make").arg("-C").arg(folder).args(arguments))?;
                Ok(())
            })
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
