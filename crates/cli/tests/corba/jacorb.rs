//! JacORB and C understand each other, in CORBA's style and in the plain one: Java writes big-endian messages on every machine, and is nobody's C or C++.
//! `cargo xtask corpora` fetches JacORB; without it, or without a compiler of Java, there is nothing to test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{Outcome, is_installed, run, text};

use crate::plain::Echo;
use crate::{build, compiled, sources, talk};

/// What JacORB is made of, beside each other, as a class path; `None` where it is not there.
fn jars() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora/jacorb");
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let mut jars: Vec<PathBuf> =
        entries.filter(|path| path.extension().is_some_and(|ending| ending == "jar")).collect();
    jars.sort();
    let jars: Vec<&str> = jars.iter().map(|path| text(path)).collect();
    (!jars.is_empty()).then(|| jars.join(":"))
}

/// A Java program with JacORB as its ORB.
fn arguments(classes: &str) -> [&str; 6] {
    let orb = "-Dorg.omg.CORBA.ORBClass=org.jacorb.orb.ORB";
    let singleton = "-Dorg.omg.CORBA.ORBSingletonClass=org.jacorb.orb.ORBSingleton";
    ["-cp", classes, orb, singleton, "-DOAIAddr=127.0.0.1", "JacorbPeer"]
}

/// The peer's classes: what JacORB makes of every.idl, and the program around it.
fn peer(folder: &Path, jars: &str) -> Outcome<String> {
    let idl = folder.join("every.idl");
    let all = fs::read_to_string(sources().join("every.idl"))?;
    // JacORB has no constants of 64 bits.
    let known: Vec<&str> = all.lines().filter(|line| !line.contains(" MANY = ")).collect();
    fs::write(&idl, known.join("\n"))?;
    let java = folder.join("java");
    run(Command::new("java").args(["-cp", jars, "org.jacorb.idl.parser", "-d"]).arg(&java).arg(idl))?;
    let mut sources_of_java = vec![sources().join("JacorbPeer.java")];
    let mut folders = vec![java.clone()];
    while let Some(next) = folders.pop() {
        for path in fs::read_dir(next)?.flatten().map(|entry| entry.path()) {
            if path.is_dir() { folders.push(path) } else { sources_of_java.push(path) }
        }
    }
    let classes = folder.join("classes");
    run(Command::new("javac").args(["-nowarn", "-cp", jars, "-d"]).arg(&classes).args(sources_of_java))?;
    Ok(format!("{}:{jars}", text(&classes)))
}

/// The peer's class path, in a folder; `None` where a part of it is not here, which is said.
fn is_there(folder: &Path) -> Outcome<Option<String>> {
    let Some(jars) = jars().filter(|_| is_installed("javac") && is_installed("java")) else {
        // Past what catches the words of tests: nobody should take this for a test that was run.
        writeln!(std::io::stderr(), "skipped: JacORB (cargo xtask corpora) or a compiler of Java is not here")?;
        return Ok(None);
    };
    peer(folder, &jars).map(Some)
}

#[test]
fn jacorb_and_c_understand_each_other() -> Outcome {
    let folder = compiled("corba-jacorb", &[])?;
    let Some(classes) = is_there(folder.path())? else { return Ok(()) };
    let java = arguments(&classes);
    let (call, serve) = ([&java[..], &["call"]].concat(), [&java[..], &["serve"]].concat());
    let server = build(folder.path(), "gcc", &["-O0"], "server", "server")?;
    let client = build(folder.path(), "gcc", &["-O0"], "client", "client")?;
    talk((&server, &[]), (&[&["java"], &call[..]].concat(), &[]), None)?;
    talk((Path::new("java"), &serve), (&[text(&client)], &[]), Some("jacorb"))?;
    // The plain style's program is called, and calls.
    let echo = Echo::new("jacorb")?;
    echo.is_called_by((Path::new("java"), &call), "plain").map_err(|error| format!("to the plain style: {error}"))?;
    echo.calls((Path::new("java"), &serve), None).map_err(|error| format!("from the plain style: {error}"))?;
    Ok(())
}
