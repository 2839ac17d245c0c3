//! A `.defs` file that is only data, over links that are not Mach's: `ledger.defs` in the plain style over ONC RPC, shared memory and
//! IIOP, and its stubs in the other styles. What only Mach's messages carry is refused by name.

use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, run};
use filetest::scratch::Scratch;

use crate::iiop::{LIGHT, alone, build as build_iiop, stubs};
use crate::{build_of, compiled, sources};

const PROGRAM: [&str; 2] = ["--onc-program", "0x20000700"];

#[test]
fn definitions_of_mig_are_called_over_onc_rpc() -> Outcome {
    let folder = compiled("data", "ledger.defs", &PROGRAM)?;
    let program = build_of(folder.path(), "gcc", &CHECKED, "ledger", "ledger")?;
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1", "shm:direct-data"] {
        alone(&program, &[address]).map_err(|error| format!("{address}: {error}"))?;
    }
    // Who writes a client by hand finds each routine under the number of its request.
    let client = fs::read_to_string(folder.path().join("ledger_client.c"))?;
    for number in ["700", "702", "703", "704", "705"] {
        assert!(client.contains(number), "{number} is not in\n{client}");
    }
    Ok(())
}

#[test]
fn definitions_of_mig_are_called_over_iiop() -> Outcome {
    let folder = stubs("data", "ledger.defs", &[])?;
    alone(&build_iiop(folder.path(), "clang", &LIGHT, "ledger", "ledger")?, &["tcp://127.0.0.1"])
}

#[test]
fn the_other_styles_stubs_are_silent() -> Outcome {
    let styles: [&[&str]; 3] = [
        &["--style", "corba"],
        &["--style", "corba", "--link", "onc", PROGRAM[0], PROGRAM[1]],
        &["--style", "rpcgen", "--link", "onc", PROGRAM[0], PROGRAM[1]],
    ];
    for (at, options) in styles.into_iter().enumerate() {
        let folder = Scratch::new(&format!("direct-data-{at}"))?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(sources().join("ledger.defs")).args(options);
        run(whittle.arg("--out").arg(folder.path()))?;
        for entry in fs::read_dir(folder.path())? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.ends_with(".c") && name.starts_with("ledger") {
                let mut gcc = Command::new("gcc");
                gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]).arg(folder.path());
                run(gcc.arg(&path)).map_err(|error| format!("{options:?}: {error}"))?;
            }
        }
    }
    Ok(())
}

/// Each with what is said of it, at its place.
const REFUSED: [(&str, &str, &str); 5] = [
    ("in right : mach_port_t", "rights to ports", "a.defs:7:"),
    ("out far : ^array[] of mach_port_t", "rights to ports", "a.defs:7:"),
    ("in held : holder_t", "names of ports", "4 | type name_t = MACH_MSG_TYPE_PORT_NAME;"),
    ("in any : polymorphic_t", "only the caller says", "a.defs:7:"),
    ("in two : twice_t", "expected one `one`", "a.defs:5:"),
];

#[test]
fn what_only_mach_carries_is_refused_by_name() -> Outcome {
    let folder = Scratch::new("direct-data-refused")?;
    for (argument, what, place) in REFUSED {
        let argument = argument.replacen(": ^", ": far_t = ^", 1);
        let text = format!(
            "subsystem demo 500;\ntype mach_port_t = MACH_MSG_TYPE_COPY_SEND;\ntype polymorphic_t = polymorphic;\n\
             type name_t = MACH_MSG_TYPE_PORT_NAME;\ntype twice_t = struct {{ int one; int one; }};\n\
             type holder_t = struct {{ int key; name_t holder; }};\nroutine use(server : mach_port_t; {argument});\n"
        );
        let (succeeded, said) = checked(folder.path(), &text)?;
        assert!(!succeeded && said.contains(what) && said.contains(place), "{argument}: {said}");
    }
    Ok(())
}

fn checked(folder: &Path, text: &str) -> Outcome<(bool, String)> {
    fs::write(folder.join("a.defs"), text)?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.current_dir(folder).args(["check", "a.defs", "--link", "onc"]).args(PROGRAM);
    let output = whittle.output()?;
    Ok((output.status.success(), String::from_utf8(output.stderr)?))
}
