//! Shared memory between processes of one machine, in every style and over every protocol: one table of misfortunes
//! (`tests/near/misfortunes.c`), with sanitizers. A side dies, stops, forks, is of another version or hostile; memory is short;
//! there are several clients and several threads.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use driver::{COMBINATIONS, Combination, Language, Link, Style};
use filetest::objects::Objects;
use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

static OBJECTS: Objects = Objects::new();

/// The test's own part of a style and protocol; `None`: it has no run time of ours that calls, or that of another row.
fn peer_of(row: Combination) -> Option<&'static str> {
    match (row.style, row.link.carrier(row.encoding)) {
        (_, Link::Tirpc | Link::None | Link::Shm | Link::Fluke | Link::Mach) => None,
        (Style::Rpcgen, _) => Some("rpc.c"),
        (Style::Corba, Link::GiopTcp) => Some("corba.c"),
        (Style::Corba, _) => Some("corba_onc.c"),
        (Style::Plain, _) => Some("plain.c"),
    }
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/near")
}

/// Compiles the interface and builds a program of `own` files with what was written; runs it to its end.
fn try_with(options: &str, own: &[&str]) -> Outcome {
    let (sources, scratch) = (sources(), Scratch::new(&format!("near{}", options.replace(' ', "")))?);
    let folder = scratch.path();
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources.join("near.idl")).args(options.split(' '));
    run(whittle.arg("--out").arg(folder))?;
    let compiling = || compiling("gcc", &CHECKED, folder, &sources);
    let (program, mut command) = (folder.join("near"), compiling());
    command.arg("-D_GNU_SOURCE").args(own.iter().map(|name| sources.join(name))).arg("-o").arg(&program);
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        // What rpcgen's style makes of the server has a main: rpc.c includes it.
        if name.ends_with(".c") && !name.ends_with("_svc.c") {
            command.arg(OBJECTS.object(compiling(), &entry.path())?);
        }
    }
    run(&mut command)?;
    run(Command::new("timeout").args(["-k", "1", "240"]).arg(program))
}

#[test]
fn every_style_and_protocol_bears_misfortunes() -> Outcome {
    let mut tried = 0;
    for row in COMBINATIONS.into_iter().filter(|row| row.language == Language::Corba) {
        if let Some(peer) = peer_of(row) {
            try_with(&row.options(), &["misfortunes.c", peer])
                .map_err(|error| format!("{}: {error}", row.options()))?;
            tried += 1;
        }
    }
    assert!(tried >= 7);
    Ok(())
}

#[test]
fn a_main_of_the_link_shm_is_found_by_its_number() -> Outcome {
    try_with("--style rpcgen --link shm", &["host.c"])
}

#[test]
fn the_link_shm_names_an_address_in_the_plain_style() -> Outcome {
    for (encoding, run_time) in [("xdr", "whittle_onc.h"), ("cdr", "whittle_iiop.h")] {
        let scratch = Scratch::new("near-address")?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(sources().join("near.idl"));
        whittle.args(["--style", "plain", "--link", "shm", "--encoding", encoding]);
        run(whittle.arg("--out").arg(scratch.path()))?;
        let header = fs::read_to_string(scratch.path().join("near.h"))?;
        assert!(header.contains("\n#define NEAR_SHM_ADDRESS \"shm:near\"\n"), "{header}");
        assert!(header.contains(run_time), "{header}");
    }
    Ok(())
}
