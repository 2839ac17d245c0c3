//! The header declares what rpcgen's declares: the same C, token by token, and the same macros.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::golden::{self, files_below};
use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::generate::{self, Flags};

/// The files that rpcgen's own package installs, and this folder's, as far as rpcgen takes them.
fn inputs(root: &Path) -> Vec<PathBuf> {
    let mut inputs = files_below(Path::new("/usr/include/rpcsvc"));
    inputs.extend(files_below(root));
    inputs.retain(|path| path.extension().is_some_and(|extension| extension == "x"));
    inputs.retain(|path| !path.with_extension("findings").exists());
    inputs
}

pub(crate) fn trials(root: &Path) -> Vec<Trial> {
    let mut trials = Vec::new();
    for file in inputs(root) {
        for style in ["", "-N -M", "-k"] {
            let flags = Flags::of(&style.split_whitespace().collect::<Vec<_>>());
            let name = format!("declares_as_rpcgen/{} {style}", generate::base(&file));
            let file = file.clone();
            trials.push(oracle::trial(name, &["cpp", "gcc", "rpcgen"], move || compare(&file, &flags)));
        }
    }
    trials
}

fn compare(file: &Path, flags: &Flags) -> Result<(), Failed> {
    let scratch = Scratch::new("declares")?;
    let copy = scratch.copy(file)?;
    for neighbour in files_below(file.parent().unwrap_or(file)) {
        scratch.copy(&neighbour)?;
    }
    let theirs = scratch.path().join("theirs.h");
    let mut rpcgen = oracle::command("rpcgen");
    let rpcgen = rpcgen.current_dir(scratch.path()).args(flags.of_header()).args(["-h", "-o", "theirs.h"]);
    if !rpcgen.arg(copy.file_name().unwrap_or_default()).output()?.status.success() {
        // What rpcgen refuses, it cannot be compared with.
        return Ok(());
    }
    let ours = scratch.path().join("ours.h");
    fs::write(&ours, generate::output(file, flags, "h")?)?;
    let guard = |name: &str| format!("_{}_H_RPCGEN", name.to_uppercase().replace(['-', '.'], "_"));
    for what in [["-E", "-P"], ["-E", "-dM"]] {
        let theirs = declarations(&scratch, &theirs, &what, &guard("theirs"))?;
        let ours = declarations(&scratch, &ours, &what, &guard(&generate::base(file)))?;
        let same =
            ours.len() == theirs.len() && ours.iter().zip(&theirs).all(|(ours, theirs)| fits(ours, theirs, flags));
        if !same {
            return Err(golden::difference(&theirs.join("\n"), &ours.join("\n")).into());
        }
    }
    Ok(())
}

/// Whether two declarations are the same. With `-N`, rpcgen's header passes an array as one of its elements, where its
/// own stubs pass the array, so that they do not compile together: there, the array's name is right.
fn fits(ours: &str, theirs: &str, flags: &Flags) -> bool {
    if ours == theirs {
        return true;
    }
    let by_value = flags.0.iter().any(|flag| flag == "-N") && ours.starts_with("extern");
    let (ours, theirs): (Vec<&str>, Vec<&str>) = (ours.split(' ').collect(), theirs.split(' ').collect());
    let is_element = |name: &str| ["int", "char"].contains(&name);
    let mut words = ours.iter().zip(&theirs);
    by_value && ours.len() == theirs.len() && words.all(|(ours, theirs)| ours == theirs || is_element(theirs))
}

/// What the preprocessor makes of a header: declarations or macros, a line each, spaced alike. The library's own header
/// is empty here: it is the same for both.
fn declarations(scratch: &Scratch, header: &Path, what: &[&str], guard: &str) -> Result<Vec<String>, Failed> {
    let empty = scratch.path().join("empty");
    fs::create_dir_all(empty.join("rpc"))?;
    fs::write(empty.join("rpc/rpc.h"), "")?;
    fs::write(empty.join("pthread.h"), "")?;
    let mut gcc = oracle::command("gcc");
    gcc.args(what).arg("-I").arg(&empty).args(oracle::flags_of("libtirpc", "--cflags")).arg(header);
    let text = String::from_utf8_lossy(&oracle::succeed(&mut gcc)?.stdout).replace(guard, "GUARD");
    if what.contains(&"-dM") {
        // Whittle's own, which C++ alone needs.
        let is_ours = |line: &&str| line.starts_with("#define WHITTLE_");
        let mut lines: Vec<String> = text.lines().filter(|line| !is_ours(line)).map(str::to_string).collect();
        lines.sort_unstable();
        return Ok(lines);
    }
    let spaced = spaced(&text);
    // rpcgen ends an enumeration with a comma.
    let spaced = spaced.replace(", }", "}").replace(" }", "}");
    // It repeats what the source says, `struct T` or `T`, where both are one type.
    let spaced = spaced.replace(" struct ", " ").replace(" enum ", " ");
    Ok(spaced.split("; ").map(|declaration| declaration.trim().to_string()).collect())
}

/// One space between any two tokens.
fn spaced(text: &str) -> String {
    let mut spaced = String::new();
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let mut before = ' ';
    for character in text.chars() {
        if !(spaced.ends_with(' ') || is_word(before) && is_word(character)) {
            spaced.push(' ');
        }
        if !character.is_whitespace() {
            spaced.push(character);
        }
        before = character;
    }
    spaced.push(' ');
    spaced
}
