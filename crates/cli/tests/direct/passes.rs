//! Whole stubs with any of the passes left out: clients and servers made with each single one off, with all off, and with all on
//! say the same to each other, over streams, datagrams and Unix sockets. A soak does it with sanitizers, by two compilers, with each
//! pair of passes off, and damages messages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::programs::{CHECKED, Outcome, compiling, run, text};
use filetest::scratch::Scratch;

use crate::{OBJECTS, build, compiled, sources, talk};

/// Stubs, and the programs around them.
struct Variant {
    without: Vec<&'static str>,
    folder: Scratch,
    server: PathBuf,
    client: PathBuf,
}

/// Passes change nothing that programs see: `like` has the headers.
fn variant(without: Vec<&'static str>, like: Option<&Variant>, compiler: &str, flags: &[&str]) -> Outcome<Variant> {
    let options: Vec<&str> = without.iter().flat_map(|pass| ["--no-opt", pass]).collect();
    let folder = compiled("passes", "every.x", &options)?;
    let headers = like.map_or(folder.path(), |like| like.folder.path()).to_owned();
    for header in ["every.h", "whittle_onc.h", "whittle_onc_stubs.h"] {
        assert_eq!(fs::read(folder.path().join(header))?, fs::read(headers.join(header))?, "{without:?}: {header}");
    }
    let [server, client] = ["server", "client"].map(|side| program([folder.path(), &headers], compiler, flags, side));
    Ok(Variant { without, server: server?, client: client?, folder })
}

/// As [`build`], of one side; what does not differ from variant to variant is compiled once.
fn program([folder, headers]: [&Path; 2], compiler: &str, flags: &[&str], side: &str) -> Outcome<PathBuf> {
    let target = folder.join(side);
    let mut linked = compiling(compiler, flags, folder, &sources());
    let own = compiling(compiler, flags, headers, &sources());
    linked.arg(OBJECTS.object(own, &sources().join(format!("{side}.c")))?);
    for name in [&format!("every_{side}.c"), "every_types.c", "whittle_onc.c", "whittle_net.c"] {
        linked.arg(OBJECTS.object(compiling(compiler, flags, folder, &sources()), &folder.join(name))?);
    }
    run(linked.arg("-o").arg(&target))?;
    Ok(target)
}

/// All on, each off, all off.
fn single() -> Vec<Vec<&'static str>> {
    let all = driver::optional_passes();
    let each = all.iter().map(|pass| vec![*pass]);
    [Vec::new()].into_iter().chain(each).chain([all.clone()]).collect()
}

fn pairs() -> Vec<Vec<&'static str>> {
    let all = driver::optional_passes();
    let mut found = Vec::new();
    for (at, first) in all.iter().enumerate() {
        found.extend(all[at + 1..].iter().map(|second| vec![*first, *second]));
    }
    found
}

/// Each talks to itself, and in both roles to those that were made with all passes.
fn agree(variants: &[Vec<&'static str>], compiler: &str, flags: &[&str]) -> Outcome {
    // Not looked at by sanitizers once more.
    let usual = variant(Vec::new(), None, "gcc", if flags == ["-O0"] { flags } else { &["-O1"] })?;
    for without in variants {
        let of = variant(without.clone(), Some(&usual), compiler, flags)?;
        let socket = format!("unix:{}", of.folder.path().join("socket").display());
        for (server, client, address, mode) in [
            (&of, &of, socket.as_str(), None),
            (&usual, &of, "tcp://127.0.0.1", None),
            (&of, &usual, "udp://127.0.0.1", Some("small")),
        ] {
            talk(&server.server, &[text(&client.client)], address, mode)
                .map_err(|error| format!("{compiler}, without {:?}, {address}: {error}", of.without))?;
        }
    }
    Ok(())
}

#[test]
fn stubs_say_the_same_whatever_pass_is_left_out() -> Outcome {
    agree(&single(), "gcc", &["-O0"])
}

#[test]
fn stubs_without_any_pass_are_as_careful() -> Outcome {
    agree(&[driver::optional_passes()], "gcc", &CHECKED)
}

#[test]
fn pairs_of_passes_are_left_out_and_messages_damaged() -> Outcome {
    if !oracle::is_soak() {
        return Ok(());
    }
    for compiler in ["gcc", "clang"] {
        agree(&single(), compiler, &CHECKED)?;
        agree(&pairs(), compiler, &["-O2"])?;
    }
    for without in single() {
        let options: Vec<&str> = without.iter().flat_map(|pass| ["--no-opt", pass]).collect();
        let folder = compiled("damage-without", "every.x", &options)?;
        let program = build(folder.path(), "gcc", &CHECKED, "damage")?;
        run(Command::new("timeout").arg("600").arg(program))
            .map_err(|error| format!("without {without:?}: {error}"))?;
    }
    Ok(())
}
