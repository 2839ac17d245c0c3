//! Shared memory between processes of one machine, in every style and over every protocol, with sanitizers. One table of misfortunes
//! (`tests/near/misfortunes.c`): a side dies, stops, forks, is of another version or hostile; memory is short; there are several
//! clients and several threads. Another (`tests/near/asleep.c`) of what wakes servers that sleep.

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
    match (row.style, row.link.underlying(row.encoding)) {
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
    try_built(options, own, &CHECKED, &mut Command::new("timeout"))
}

/// The same under the sanitizer of threads. Addresses are not at random: it cannot place its shadow everywhere. Servers that end leave
/// what they have to the process's end.
fn try_raced(options: &str, own: &[&str]) -> Outcome {
    let mut runner = Command::new("setarch");
    runner.args(["-R", "timeout"]).env("TSAN_OPTIONS", "die_after_fork=0 report_thread_leaks=0");
    try_built(options, own, &["-g1", "-O1", "-fsanitize=thread"], &mut runner)
}

fn try_built(options: &str, own: &[&str], flags: &[&str], runner: &mut Command) -> Outcome {
    let name = format!("{}{}", own.concat(), flags.concat()).replace(['.', ' ', ',', '='], "");
    let (sources, scratch) = (sources(), Scratch::new(&format!("near{}{name}", options.replace(' ', "")))?);
    let folder = scratch.path();
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources.join("near.idl")).args(options.split(' '));
    run(whittle.arg("--out").arg(folder))?;
    let compiling = || compiling("gcc", flags, folder, &sources);
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
    run(runner.args(["-k", "1", "240"]).arg(program))
}

/// A table of tests with the peers of every style and protocol.
fn try_all(table: &str) -> Outcome {
    let mut tried = 0;
    for row in COMBINATIONS.into_iter().filter(|row| row.language == Language::Corba) {
        if let Some(peer) = peer_of(row) {
            try_with(&row.options(), &[table, peer]).map_err(|error| format!("{}: {error}", row.options()))?;
            tried += 1;
        }
    }
    assert!(tried >= 7);
    Ok(())
}

#[test]
fn every_style_and_protocol_bears_misfortunes() -> Outcome {
    try_all("misfortunes.c")
}

#[test]
fn servers_of_every_style_and_protocol_sleep_and_are_woken() -> Outcome {
    try_all("asleep.c")
}

#[test]
fn sleeping_servers_do_not_race() -> Outcome {
    for options in
        ["--style plain --onc-program 0x20000177", "--style plain --encoding cdr", "--style corba --encoding cdr"]
    {
        let peer = if options.contains("corba") { "corba.c" } else { "plain.c" };
        try_raced(options, &["asleep.c", peer])?;
    }
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
