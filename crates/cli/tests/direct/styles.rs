//! One program with interfaces in every style: what each run of whittle writes of the run time is the same, and linked once.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

use crate::{OBJECTS, sources};

/// Interfaces, and how each is compiled.
const INTERFACES: [(&str, &[&str]); 4] = [
    ("mapped.idl", &["--style", "corba"]),
    ("spoken.idl", &["--style", "plain", "--link", "giop-tcp"]),
    ("called.x", &["--style", "plain", "--link", "onc"]),
    ("old.x", &["--style", "rpcgen", "--link", "onc", "--side", "client"]),
];

#[test]
fn interfaces_of_every_style_are_one_program() -> Outcome {
    let (scratch, mut written) = (Scratch::new("direct-styles")?, BTreeMap::new());
    let (folder, styles) = (scratch.path().join("all"), sources().join("styles"));
    for (interface, options) in INTERFACES {
        let own = scratch.path().join(interface);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        run(whittle.arg("compile").arg(styles.join(interface)).args(options).arg("--out").arg(&own))?;
        for entry in fs::read_dir(own)?.flatten().filter(|entry| entry.path().is_file()) {
            let (name, text) = (entry.file_name().to_string_lossy().into_owned(), fs::read_to_string(entry.path())?);
            if let Some(before) = written.insert(name.clone(), text.clone()) {
                assert!(before == text && name.starts_with("whittle_"), "{interface}: {name} is another file here");
            }
        }
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        run(whittle.arg("compile").arg(styles.join(interface)).args(options).arg("--out").arg(&folder))?;
    }
    let program = folder.join("styles");
    let compiling = || compiling("clang", &CHECKED, &folder, &sources());
    let mut command = compiling();
    command.arg(styles.join("styles.c")).arg("-o").arg(&program);
    for name in written.keys().filter(|name| name.ends_with(".c")) {
        command.arg(OBJECTS.object(compiling(), &folder.join(name))?);
    }
    run(&mut command)?;
    run(Command::new("timeout").arg("60").arg(program))
}
