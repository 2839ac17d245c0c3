//! One interface file: both tools on a copy of its folder, then C compilers on what they made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle::{self, Compilation};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::declarations;

/// The generated files: rpcgen's flag and the ending.
const GENERATED: [(&str, &str); 4] = [("-h", ".h"), ("-c", "_xdr.c"), ("-l", "_clnt.c"), ("-m", "_svc.c")];

/// What one tool made.
pub(crate) struct Made {
    pub(crate) folder: Scratch,
    pub(crate) stem: String,
}

impl Made {
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.folder.path().join(format!("{}{ending}", self.stem))
    }
}

pub(crate) fn check(file: &Path) -> Result<(), Failed> {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("rpcgen");
    let ours = make(whittle, file)?;
    // What rpcgen does not take is no measure; that we take it is enough.
    let Ok(theirs) = make(oracle::command("rpcgen"), file) else { return Ok(()) };
    for (_, ending) in GENERATED {
        if compiles_theirs(&theirs, ending) {
            compiles_ours(&ours, ending)?;
            if ending == ".h" {
                declarations::same(&theirs, &ours)?;
            }
        }
    }
    Ok(())
}

/// Runs a tool, file by file, on a copy of the input's folder.
fn make(mut tool: Command, file: &Path) -> Result<Made, Failed> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let made = Made { folder: Scratch::new(&format!("corpora-{stem}"))?, stem };
    let beside = fs::read_dir(file.parent().ok_or("no folder")?)?.flatten().map(|entry| entry.path());
    let wanted = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "x" || extension == "h");
    for other in beside.filter(wanted).filter(|path| path.is_file()) {
        made.folder.copy(&other)?;
    }
    tool.current_dir(made.folder.path());
    for (flag, ending) in GENERATED {
        // rpcgen writes over nothing; a header of this name may be one that it made for its package.
        let _ = fs::remove_file(made.file(ending));
        let mut run = Command::new(tool.get_program());
        run.args(tool.get_args()).current_dir(made.folder.path());
        run.args([flag, "-o", &format!("{}{ending}", made.stem), &format!("{}.x", made.stem)]);
        oracle::succeed(&mut run)?;
    }
    Ok(made)
}

/// Some files need headers of the package that only its build makes, and some rpcgen makes invalid C of.
fn compiles_theirs(theirs: &Made, ending: &str) -> bool {
    let compilation = Compilation::new("gcc").with(["-w", "-x", "c"]).with_tirpc();
    compilation.object(&theirs.file(ending), &theirs.folder.path().join("out.o")).is_ok()
}

fn compiles_ours(ours: &Made, ending: &str) -> Result<(), Failed> {
    for compiler in ["gcc", "clang"] {
        // `%#pragma` lines are the user's own.
        let flags = ["-x", "c", "-Wno-unknown-pragmas"];
        let compilation = Compilation::new(compiler).with(oracle::STRICT).with(flags).with_tirpc();
        compilation.object(&ours.file(ending), &ours.folder.path().join("out.o"))?;
    }
    Ok(())
}
