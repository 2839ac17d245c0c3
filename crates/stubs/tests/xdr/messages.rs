//! What `tests/stubs/xdr_in_memory/messages.c` says of routines: where values lie, what is refused, what is released.

use std::fs;
use std::process::Command;

use filetest::oracle::{self, Compilation, STRICT};
use filetest::programs::CHECKED;
use filetest::scratch::Scratch;
use stubs::routines::Options;

use crate::inputs::{c_files, presented, root, selections};

#[test]
fn promises_are_kept_whichever_passes_run() {
    let pres = presented("xdr_in_memory/messages.x");
    let program = root().join("tests/stubs/xdr_in_memory/messages.c");
    let scratch = Scratch::new("xdr-messages").expect("a scratch folder");
    for (at, no_opt) in selections().into_iter().enumerate() {
        let has = |pass: &str| i32::from(!no_opt.iter().any(|name| name == pass));
        let facts = [format!("-DRUNS={}", has("bulk-copies")), format!("-DINLINED={}", has("inline"))];
        let [header, source] = c_files(&pres, &Options { no_opt, exported: true, ..Options::default() });
        fs::write(scratch.path().join("generated.h"), header).expect("a file");
        let generated = scratch.path().join("generated.c");
        fs::write(&generated, source).expect("a file");
        // Each compiler with all passes and with none; of the others, each has one compiler.
        let compilers = if at < 2 { &["gcc", "clang"][..] } else { &[["gcc", "clang"][at % 2]] };
        for compiler in compilers.iter().copied().filter(|compiler| oracle::find(compiler).is_some()) {
            let include = || [format!("-I{}", scratch.path().display()), "-I/usr/include/tirpc".to_string()];
            let flags: &[&[&str]] = if at < 2 { &[&CHECKED, &["-O2"], &["-Os"]] } else { &[&CHECKED] };
            for flags in flags {
                let out = scratch.path().join(compiler);
                let compilation = Compilation::new(compiler).with(STRICT).with(include()).with(facts.clone());
                let done =
                    compilation.with(flags.iter().copied()).program_alone(&[generated.clone(), program.clone()], &out);
                done.unwrap_or_else(|problem| panic!("{compiler}: {}", problem.message().unwrap_or_default()));
                let output = Command::new(&out).output().expect("it runs");
                assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
}
