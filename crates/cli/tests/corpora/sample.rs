//! One interface file: both tools on a copy of its folder, then C compilers on what they made.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle::{self, Compilation};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::declarations;
use crate::package::{Package, is_unfit};

/// The generated files: rpcgen's flag and the ending.
const GENERATED: [(&str, &str); 4] = [("-h", ".h"), ("-c", "_xdr.c"), ("-l", "_clnt.c"), ("-m", "_svc.c")];

/// What one tool made.
pub(crate) struct Made {
    pub(crate) folder: Scratch,
    pub(crate) stem: String,
    /// The options that compilers need.
    pub(crate) flags: Vec<String>,
}

impl Made {
    pub(crate) fn file(&self, ending: &str) -> PathBuf {
        self.folder.path().join(format!("{}{ending}", self.stem))
    }
}

pub(crate) fn check(package: &Package, file: &Path) -> Result<(), Failed> {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("rpcgen");
    let ours = make(whittle, package, file)?;
    let theirs = make(oracle::command("rpcgen"), package, file);
    for (_, ending) in GENERATED {
        // Who calls a file unfit proves it with rpcgen's own output.
        let unfit = is_unfit(file, ending);
        match theirs.as_ref().map_err(Failed::clone).and_then(|theirs| compiles_theirs(theirs, ending)) {
            Ok(()) if unfit => return Err(format!("{ending} of rpcgen's compiles: it is not unfit").into()),
            Ok(()) => compiles_ours(&ours, ending)?,
            Err(_) if unfit && theirs.is_ok() => continue,
            // What rpcgen refuses to read is no reason for us.
            Err(_) if unfit => compiles_ours(&ours, ending)?,
            Err(problem) => return Err(problem),
        }
        if let (".h", Ok(theirs)) = (ending, &theirs) {
            declarations::same(theirs, &ours)?;
        }
    }
    Ok(())
}

/// Runs a tool, file by file, on a copy of the input's folder.
fn make(tool: Command, package: &Package, file: &Path) -> Result<Made, Failed> {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = Scratch::new(&format!("corpora-{stem}"))?;
    let flags = package.flags(folder.path());
    let made = Made { folder, stem, flags };
    package.prepare(made.folder.path())?;
    let beside = fs::read_dir(file.parent().ok_or("no folder")?)?.flatten().map(|entry| entry.path());
    let wanted = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "x" || extension == "h");
    for other in beside.filter(wanted).filter(|path| path.is_file()) {
        made.folder.copy(&other)?;
    }
    let run = |flag: &str, input: &str, output: &str| {
        let mut run = Command::new(tool.get_program());
        run.args(tool.get_args()).current_dir(made.folder.path()).args([flag, "-o", output, input]);
        oracle::succeed(&mut run).map(|_| ())
    };
    for (flag, ending) in GENERATED {
        // rpcgen writes over nothing; a header of this name may be one that it made for its package.
        let _ = fs::remove_file(made.file(ending));
        run(flag, &format!("{}.x", made.stem), &format!("{}{ending}", made.stem))?;
    }
    if package.root.is_some() {
        // A package's interface files include each other's headers.
        for name in made.folder.names() {
            let Some(stem) = name.strip_suffix(".x") else { continue };
            let header = format!("{stem}.h");
            if !made.folder.path().join(&header).exists() {
                run("-h", &name, &header)?;
            }
        }
    }
    Ok(made)
}

fn compiles_theirs(theirs: &Made, ending: &str) -> Result<(), Failed> {
    let compilation = Compilation::new("gcc").with(["-w", "-x", "c"]).with_tirpc().with(theirs.flags.clone());
    compilation.object(&theirs.file(ending), &theirs.folder.path().join("out.o"))
}

fn compiles_ours(ours: &Made, ending: &str) -> Result<(), Failed> {
    for compiler in ["gcc", "clang"] {
        // `%#pragma` lines are the user's own.
        let flags = ["-x", "c", "-Wno-unknown-pragmas"];
        let compilation = Compilation::new(compiler).with(oracle::STRICT).with(flags).with_tirpc();
        let compilation = compilation.with(ours.flags.clone());
        compilation.object(&ours.file(ending), &ours.folder.path().join("out.o"))?;
    }
    Ok(())
}
