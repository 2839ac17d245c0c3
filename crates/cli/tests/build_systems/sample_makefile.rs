//! The sample Makefile (`-a`, `-Sm`) builds all that there is to build, whatever the interface file holds; it calls
//! whittle again with the same flags; cleaning up leaves what the user edits.

use std::fs;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

const TYPES: &str = "struct pair { int a; string b<>; };\n";
const PROGRAM: &str = "program P { version V { int F(int) = 1; } = 1; } = 0x20000001;\n";

/// What the interface holds, whittle's flags, and what is there after `make`.
const CASES: [(&str, &[&str], &str, &str); 6] = [
    ("types alone", &[TYPES], "-a", "demo_xdr.o"),
    ("constants alone", &["const N = 3;\n"], "-a", "demo.h"),
    ("a program without types", &[PROGRAM], "-a", "demo_client demo_server"),
    ("types and a program", &[TYPES, PROGRAM], "-a", "demo_client demo_server demo_xdr.o"),
    ("types and a program for threads", &[TYPES, PROGRAM], "-a -M -N -DX=1", "demo_client demo_server demo_xdr.o"),
    (
        "arenas and included folders",
        &["#include \"part.x\"\n", PROGRAM],
        "-a --server-arena --include part",
        "demo_client demo_server demo_xdr.o",
    ),
];

pub(crate) fn trials() -> Vec<Trial> {
    let cases = CASES.into_iter().map(|(what, text, flags, made)| {
        let name = format!("the sample Makefile: {what}");
        oracle::trial(name, &["make", "gcc", "cpp", "pkg-config"], move || builds(&text.concat(), flags, made))
    });
    let alone = || -> Result<(), Failed> {
        let folder = project(&[TYPES, PROGRAM].concat())?;
        whittle(&folder, "-Sm -o Makefile.demo")?;
        let text = fs::read_to_string(folder.path().join("Makefile.demo"))?;
        if text.contains("_client.c") { Err("a sample is named that is not there".into()) } else { Ok(()) }
    };
    cases.chain([oracle::trial("the sample Makefile: by itself".to_string(), &["cpp"], alone)]).collect()
}

fn project(text: &str) -> Result<Scratch, Failed> {
    let folder = Scratch::new("sample")?;
    fs::create_dir(folder.path().join("part"))?;
    fs::write(folder.path().join("part/part.x"), TYPES)?;
    fs::write(folder.path().join("part/part.h"), "struct pair { int a; char *b; };\ntypedef struct pair pair;\n")?;
    fs::write(folder.path().join("demo.x"), text)?;
    Ok(folder)
}

fn whittle(folder: &Scratch, flags: &str) -> Result<(), Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.arg("rpcgen").args(flags.split(' ')).arg("demo.x").current_dir(folder.path()).env_remove("CPP");
    oracle::succeed(&mut command).map(|_| ())
}

fn make(folder: &Scratch, target: &str) -> Result<(), Failed> {
    let mut command = Command::new("make");
    let rpcgen = format!("RPCGEN={} rpcgen", env!("CARGO_BIN_EXE_whittle"));
    command.args(["-f", "Makefile.demo", &rpcgen, "CPPFLAGS=-Ipart", target]).current_dir(folder.path());
    // The command line's variable would hide what the Makefile adds.
    let flags = oracle::flags_of("libtirpc", "--cflags").join(" ");
    command.arg(format!("CFLAGS={flags}")).env_remove("CPP").env_remove("MAKEFLAGS");
    oracle::succeed(&mut command).map(|_| ())
}

fn builds(text: &str, flags: &str, made: &str) -> Result<(), Failed> {
    let folder = project(text)?;
    let is_there = |name: &str| folder.path().join(name).exists();
    let same_again = |name: &str| fs::read_to_string(folder.path().join(name));
    whittle(&folder, flags)?;
    let header = same_again("demo.h")?;
    make(&folder, "all")?;
    if let Some(missing) = made.split(' ').find(|name| !is_there(name)) {
        return Err(format!("no {missing} after make").into());
    }
    let samples: Vec<&str> = ["demo_client.c", "demo_server.c"].into_iter().filter(|name| is_there(name)).collect();
    make(&folder, "clean")?;
    if let Some(lost) = samples.into_iter().find(|name| !is_there(name)) {
        return Err(format!("make clean has removed {lost}, which is the user's to edit").into());
    }
    if is_there("demo.h") || is_there("demo_xdr.o") || is_there("demo_client") {
        return Err("make clean leaves what it can make again".into());
    }
    make(&folder, "all")?;
    if same_again("demo.h")? == header { Ok(()) } else { Err("another header than at first".into()) }
}
