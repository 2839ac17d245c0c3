//! What the command line says and a Makefile says again: flags of the preprocessor, through `make` and its shell.

use std::fs;
use std::process::Command;

use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, PAYLOADS, is_untouched, require, run, trial, whittle};

pub(crate) fn trials() -> Vec<Trial> {
    vec![trial("options that a Makefile repeats reach their program as they were", repeated)]
}

fn repeated() -> Outcome {
    let mut made = 0;
    for payload in PAYLOADS {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join("b.x"), "struct s { int a; };\n")?;
        fs::write(folder.path().join("show"), "#!/bin/sh\nprintf '%s\\n' \"$@\" > said\n")?;
        run(Command::new("chmod").args(["+x", "show"]), folder.path())?;
        let define = format!("-DX={payload}");
        let said = whittle(folder.path(), &["rpcgen", "-Sm", &define, "-o", "Makefile", "b.x"])?;
        if !said.is_done() {
            require(
                ["input-010", "host-003"].iter().any(|code| said.errors.contains(code))
                    && !folder.path().join("Makefile").exists(),
                || format!("{payload:?}: {said:?}"),
            )?;
            continue;
        }
        made += 1;
        // The targets are older than the description.
        let said = run(Command::new("make").args(["-B", "RPCGEN=./show", "b.h"]), folder.path())?;
        let words = fs::read_to_string(folder.path().join("said")).unwrap_or_default();
        require(words.lines().next() == Some(define.as_str()), || format!("{payload:?}: {words}\n{said:?}"))?;
        is_untouched(folder.path(), payload)?;
    }
    require(made > 20, || format!("only {made} options were repeated"))
}
