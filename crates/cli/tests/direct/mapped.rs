//! CORBA's style over ONC RPC: its program around what is written for calls.idl, by itself and with that of the plain style, since
//! the messages are the same.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

use crate::{OBJECTS, build_of, compiled, sources, talk_by};

const MAPPED: [&str; 4] = ["--style", "corba", "--link", "onc"];

/// Compiles an interface in this style.
fn mapped(name: &str, interface: &str) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("direct-mapped-{name}"))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources().join(interface)).args(MAPPED);
    run(whittle.arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

fn build(folder: &Path, compiler: &str) -> Outcome<PathBuf> {
    let target = folder.join("calls_corba");
    let mut command = compiling(compiler, &CHECKED, folder, &sources());
    command.arg(sources().join("calls_corba.c")).arg("-o").arg(&target);
    let run_time = ["onc_object", "onc", "corba", "net"].map(|part| format!("whittle_{part}.c"));
    for source in ["common", "stubs", "skels"].map(|part| format!("calls-{part}.c")).iter().chain(&run_time) {
        command.arg(OBJECTS.object(compiling(compiler, &CHECKED, folder, &sources()), &folder.join(source))?);
    }
    run(&mut command)?;
    Ok(target)
}

#[test]
fn objects_are_called_over_onc_rpc() -> Outcome {
    let folder = mapped("calls", "calls.idl")?;
    let program = build(folder.path(), "gcc")?;
    let socket = format!("unix:{}", folder.path().join("socket").display());
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1", &socket, "shm:direct-mapped"] {
        run(Command::new("timeout").arg("60").arg(&program).arg(address))?;
    }
    // Messages cut short and overwritten at every place: nothing stays allocated.
    run(Command::new("timeout").arg("120").arg(&program).arg("-d"))?;
    let plain = compiled("mapped-plain", "calls.idl", &[])?;
    let plain = build_of(plain.path(), "gcc", &CHECKED, "calls", "calls")?;
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1"] {
        talk_by(&program, &plain, address).map_err(|error| format!("from the plain style, {address}: {error}"))?;
        talk_by(&plain, &program, address).map_err(|error| format!("to the plain style, {address}: {error}"))?;
    }
    Ok(())
}

/// C99, C17 and C++17, without a warning.
#[test]
fn all_of_it_is_every_standards() -> Outcome {
    for file in ["every.x", "nested.x", "folder.idl", "calls.idl", "heirs.idl"] {
        let interface = file.split('.').next().unwrap_or_default();
        let folder = mapped(interface, file)?;
        for part in ["common", "stubs", "skels"].map(|part| folder.path().join(format!("{interface}-{part}.c"))) {
            for standard in ["c99", "c17", "c++17"] {
                let is_cpp = standard == "c++17";
                let mut command = Command::new(if is_cpp { "g++" } else { "gcc" });
                command.args(is_cpp.then_some("-xc++")).arg(format!("-std={standard}"));
                // C++ knows no members that are left out on purpose: type codes have some.
                command.args(["-Wall", "-Werror", "-fsyntax-only"]);
                command.args(["-Wextra", "-Wpedantic"].iter().filter(|_| !is_cpp));
                run(command.arg(&part))?;
            }
        }
    }
    Ok(())
}

/// What XDR cannot say is refused by name, and so is what no server is known by.
#[test]
fn what_the_orb_alone_encodes_is_refused() -> Outcome {
    let folder = Scratch::new("direct-mapped-refused")?;
    let file = folder.path().join("refused.idl");
    for (text, code, says) in [
        ("@onc(program = 7, version = 1) interface I { void f(in any a); };", "corba-111", "a value of any type"),
        ("@onc(program = 7, version = 1) interface I { I f(); };", "corba-111", "an object reference"),
        ("@onc(program = 7, version = 1) interface I { wstring f(); };", "corba-111", "a wide character or string"),
        ("struct s { fixed<5, 2> f; };", "corba-111", "a fixed-point number"),
        ("interface I { void f(); };", "plain-005", "`I` has no program number"),
        (
            "@onc(program = 7, version = 1) interface I { void f(); };\n\
             @onc(program = 7, version = 1) interface J { void g(); };",
            "plain-008",
            "`J` is version 1 of program 0x7, and so is another",
        ),
    ] {
        std::fs::write(&file, text)?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = whittle.arg("check").arg(&file).args(MAPPED).args(["--message-format", "short"]).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(code) && said.contains(says), "{text}: {said}");
    }
    Ok(())
}
