//! Files that include themselves: a preprocessor has an error for each of 2^200 ways to do so, and none of them has an end.

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, Said, WHITTLE, require, run, trial};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("descriptions that include themselves twice end soon, with a place", descriptions),
        trial("C that includes itself twice ends soon, with a place", scenarios),
        trial("files that include themselves under two names end soon", names),
        trial("the preprocessor is not asked again after it failed", once),
    ]
}

/// A file that includes itself under two names: each of the names grows without end.
fn names() -> Outcome {
    let folder = Scratch::new("includes")?;
    for name in ["s", "t"] {
        fs::create_dir(folder.path().join(name))?;
    }
    fs::write(folder.path().join("e.x"), "#include \"s/../e.x\"\n#include \"t/../e.x\"\n")?;
    let begun = Instant::now();
    let said = run(Command::new(WHITTLE).args(["check", "e.x"]), folder.path())?;
    require(begun.elapsed() < Duration::from_secs(20), || format!("{:?}", begun.elapsed()))?;
    require(said.status == Some(1) && said.errors.contains("nest too deeply"), || said.errors.clone())
}

/// Runs whittle on a file that includes itself twice.
fn twice(name: &str, arguments: &[&str], compiler: Option<&str>) -> Outcome {
    let folder = Scratch::new("includes")?;
    fs::write(folder.path().join(name), format!("#include \"{name}\"\n").repeat(2))?;
    let begun = Instant::now();
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 1000000; exec \"$0\" \"$@\"", WHITTLE]).args(arguments).arg(name);
    command.envs(compiler.map(|compiler| ("CLANG", compiler)));
    let said = run(&mut command, folder.path())?;
    let taken = begun.elapsed();
    require(taken < Duration::from_secs(10), || format!("{arguments:?} {name}: {taken:?}"))?;
    is_placed(&said, name)?;
    let left = filetest::golden::files_below(folder.path());
    require(left.len() == 1, || format!("{left:?}"))
}

/// One error at the first line, with what to do.
fn is_placed(said: &Said, name: &str) -> Outcome {
    let errors = &said.errors;
    let is_so = said.status == Some(1)
        && errors.matches("error[").count() == 1
        && errors.contains("included files nest too deeply")
        && errors.contains(&format!("{name}:1:10"))
        && errors.contains("#ifndef")
        && errors.len() < 2000;
    require(is_so, || format!("{name}: {:?} {}", said.status, errors.chars().take(3000).collect::<String>()))
}

fn descriptions() -> Outcome {
    for (name, arguments) in [
        ("e.x", &["rpcgen"][..]),
        ("e.x", &["compile", "--style", "plain", "--out", "."]),
        ("e.idl", &["compile", "--out", "."]),
        ("e.idl", &["check"]),
    ] {
        twice(name, arguments, None)?;
    }
    Ok(())
}

fn scenarios() -> Outcome {
    twice("e.c", &["specialize", "--root", "f"], Some("clang"))?;
    twice("e.c", &["specialize", "--root", "f"], Some("gcc"))
}

fn once() -> Outcome {
    let folder = Scratch::new("includes")?;
    fs::write(folder.path().join("b.x"), "struct s { int a; };\n")?;
    let script = "#!/bin/sh\necho run >> runs\necho 'b.x:1:1: error: no' >&2\nexit 1\n";
    fs::write(folder.path().join("fails"), script)?;
    run(Command::new("chmod").args(["+x", "fails"]), folder.path())?;
    let said = run(Command::new(WHITTLE).args(["rpcgen", "b.x"]).env("CPP", "./fails"), folder.path())?;
    require(said.status == Some(1) && said.errors.contains("b.x:1:1"), || format!("{said:?}"))?;
    let runs = fs::read_to_string(folder.path().join("runs"))?;
    require(runs == "run\n", || runs.clone())
}
