//! Every output in every style compiles without a warning: the header also as C99 and as C++.

use std::fs;
use std::path::Path;

use filetest::golden::files_below;
use filetest::oracle::{self, Compilation, STRICT};
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::generate::{self, Flags};

pub(crate) const STYLES: [&str; 8] =
    ["", "-M", "-N", "-k -m", "-T -L", "-I", "-N -5 -K 0", "-N -M -5 -n tcp --server-arena"];

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let is_input = |path: &&std::path::PathBuf| path.extension().is_some_and(|extension| extension == "x");
    let refused = |path: &&std::path::PathBuf| !path.with_extension("findings").exists();
    let mut trials = Vec::new();
    for file in files_below(root).iter().filter(is_input).filter(refused) {
        // Types look the same in every style.
        let has_program = fs::read_to_string(file).is_ok_and(|text| text.contains("\nprogram "));
        for style in STYLES.iter().take(if has_program { STYLES.len() } else { 1 }) {
            let flags = Flags::of(&style.split_whitespace().collect::<Vec<_>>());
            let name = format!("compiles/{} {style}", generate::base(file));
            let file = file.clone();
            trials.push(oracle::trial(name, &["cpp", "gcc", "clang", "g++"], move || compile(&file, &flags)));
        }
    }
    trials
}

/// Compiles all that is written for a file.
pub(crate) fn compile(file: &Path, flags: &Flags) -> Result<(), Failed> {
    if needs_newstyle(file) && !flags.0.iter().any(|flag| flag == "-N") {
        return Ok(());
    }
    let scratch = Scratch::new("compiles")?;
    let base = generate::base(file);
    let write = |name: String, text: String| fs::write(scratch.path().join(name), text);
    write(format!("{base}.h"), generate::output(file, flags, "h")?)?;
    write("header.c".to_string(), format!("#include \"{base}.h\"\n"))?;
    write("header.cc".to_string(), format!("#include \"{base}.h\"\n"))?;
    for (compiler, dialect, source) in [("gcc", "-std=gnu99", "header.c"), ("g++", "-std=c++17", "header.cc")] {
        object(&scratch, compiler, dialect, source)?;
    }
    let (pres, _) = generate::presented(file, flags, "RPC_HDR")?;
    // Without programs there is nothing to call or to serve.
    let mut sources = if pres.interfaces.is_empty() { vec![] } else { vec!["clnt", "svc", "client", "server"] };
    if flags.0.iter().any(|flag| flag == "-k") {
        sources.truncate(2);
    }
    let has_table = flags.0.iter().any(|flag| flag == "-T");
    for kind in sources {
        let name = format!("{kind}.c");
        write(name.clone(), generate::output(file, flags, kind)?)?;
        // Two compilers see each kind of code, if not each file.
        object(&scratch, "gcc", "-std=gnu99", &name)?;
        if flags.0.len() != 1 {
            object(&scratch, "clang", "-std=gnu11", &name)?;
        }
    }
    if has_table {
        write("rows.i".to_string(), generate::output(file, flags, "tbl")?)?;
        let user = format!("#include \"{base}.h\"\n#define RPCGEN_ACTION(routine) routine\n#include \"rows.i\"\n");
        write("table.c".to_string(), user)?;
        object(&scratch, "gcc", "-std=gnu99", "table.c")?;
        object(&scratch, "clang", "-std=gnu11", "table.c")?;
    }
    Ok(())
}

fn needs_newstyle(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.starts_with("/* whittle: -N"))
}

fn object(scratch: &Scratch, compiler: &str, dialect: &str, source: &str) -> Result<(), Failed> {
    let compilation = Compilation::new(compiler).with([dialect]).with(STRICT).with_tirpc();
    let here = format!("-I{}", scratch.path().display());
    compilation.with([here]).object(&scratch.path().join(source), &scratch.path().join("out.o"))
}
