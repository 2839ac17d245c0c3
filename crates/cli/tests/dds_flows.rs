//! Flows over DDS, as their users have them: what was sent arrives; a program that only `idlc` made of the printed IDL reads an edge in
//! place of its receiver, and another writes one in place of its sender. Where Cyclone DDS or `idlc` is not installed, there is nothing to test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/dds")
}

/// What the user has written, in a folder; `None` where DDS is not to be had.
fn folder() -> Outcome<Option<Scratch>> {
    if !Path::new("/usr/include/dds/dds.h").is_file() || !Path::new("/usr/bin/idlc").is_file() {
        return Ok(None);
    }
    let folder = Scratch::new("dds-flows").map_err(|_| "no scratch folder")?;
    for file in fs::read_dir(sources())? {
        let path = file?.path();
        fs::copy(&path, folder.path().join(path.file_name().ok_or("no name")?))?;
    }
    Ok(Some(folder))
}

/// Domains of one machine do not hear each other: a number of the test's own, fewer than eight to a process.
fn domain(test: u32) -> String {
    ((std::process::id() * 8 + test) % 200).to_string()
}

/// Nothing leaves this machine.
const HERE: &str = "<General><Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces><AllowMulticast>false</AllowMulticast></General>\
    <Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>99</MaxAutoParticipantIndex>\
    <Peers><Peer address=\"127.0.0.1\"/></Peers></Discovery>";

fn done(folder: &Path, program: &str, arguments: &[&str]) -> Outcome<Output> {
    let output = Command::new(program).args(arguments).current_dir(folder).output()?;
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    Ok(output)
}

/// The flow's programs, and the peers, built.
fn build(folder: &Path) -> Outcome {
    done(folder, env!("CARGO_BIN_EXE_whittle"), &["compile", "weather.spi", "-o", "."])?;
    done(
        folder,
        "make",
        &["-s", "CC=gcc", "CFLAGS=-O1 -g1 -Wall -Wextra -Werror", "weather_Station", "weather_Board"],
    )?;
    fs::create_dir(folder.join("peer"))?;
    done(folder, "idlc", &["-o", "peer", "weather.idl"])?;
    for peer in ["reader", "writer"] {
        let source = format!("{peer}.c");
        done(folder, "gcc", &["-O1", "-Ipeer", "-o", peer, &source, "peer/weather.c", "-lddsc"])?;
    }
    Ok(())
}

/// Both run at once; what they say.
fn both(folder: &Path, programs: [&str; 2], test: u32) -> Outcome<[Output; 2]> {
    let begin = |program: &str| {
        let mut command = Command::new(folder.join(program));
        command.current_dir(folder).env("WHITTLE_DIR", folder.join("run")).env("WHITTLE_DDS_DOMAIN", domain(test));
        command.env("CYCLONEDDS_URI", HERE).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn()
    };
    let [first, second] = [begin(programs[0])?, begin(programs[1])?];
    let outputs = [first.wait_with_output()?, second.wait_with_output()?];
    for output in &outputs {
        assert!(output.status.success(), "{output:?}");
    }
    Ok(outputs)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn packets_are_samples_of_their_type_in_idl() -> Outcome {
    let Some(folder) = folder()? else { return Ok(()) };
    build(folder.path())?;
    let [_, board] = both(folder.path(), ["weather_Station", "weather_Board"], 0)?;
    assert_eq!(said(&board), "Board: 200 readings, 0 wrong\n", "{board:?}");
    let [_, reader] = both(folder.path(), ["weather_Station", "reader"], 1)?;
    assert_eq!(said(&reader), "reader: 200 readings, 0 wrong\n", "{reader:?}");
    let [_, board] = both(folder.path(), ["writer", "weather_Board"], 2)?;
    assert_eq!(said(&board), "Board: 100 readings, 0 wrong\n", "{board:?}");
    Ok(())
}

/// Who writes without a question may have written before anybody read: its packets have numbers, and those that are missing are counted.
#[test]
fn what_a_writer_lost_before_it_was_heard_is_unknown() -> Outcome {
    let Some(folder) = folder()? else { return Ok(()) };
    build(folder.path())?;
    let begin = |program: &str| {
        let mut command = Command::new(folder.path().join(program));
        command.current_dir(folder.path()).env("WHITTLE_DIR", folder.path().join("run")).env("FIRST", "5");
        command.env("WHITTLE_DDS_DOMAIN", domain(4)).env("CYCLONEDDS_URI", HERE).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    };
    let [writer, board] = [begin("writer")?, begin("weather_Board")?];
    let [writer, board] = [writer.wait_with_output()?, board.wait_with_output()?];
    assert!(writer.status.success() && said(&board) == "Board: 100 readings, 0 wrong\n", "{writer:?} {board:?}");
    let top = done(folder.path(), env!("CARGO_BIN_EXE_whittle"), &["pipe", "top", "run", "--once"])?;
    let text = said(&top);
    let edge = text.lines().find(|line| line.contains(" -> ")).unwrap_or_default();
    // Unknown, filtered, and two ages.
    let words: Vec<&str> = edge.split_whitespace().collect();
    assert_eq!(words.iter().rev().nth(3), Some(&"5"), "{text}");
    Ok(())
}

/// A packet of the name of a module in the printed IDL is refused, and said to be.
#[test]
fn packets_of_a_modules_name_are_refused() -> Outcome {
    let folder = Scratch::new("dds-names").map_err(|_| "no scratch folder")?;
    for name in ["packets", "samples", "whittle_flow", "Packets"] {
        let text = format!(
            "packet {name} {{ uint32 number; }}\npipe A {{ out {name} r; middle a; }}\npipe B {{ in {name} r; middle b; }}\n\
             flow f {{ A -> B via dds; }}\n"
        );
        fs::write(folder.path().join("f.spi"), text)?;
        let output =
            Command::new(env!("CARGO_BIN_EXE_whittle")).args(["check", "f.spi"]).current_dir(folder.path()).output()?;
        assert!(!output.status.success(), "{name}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("module") || said.contains("whittle_flow"), "{name}: {said}");
    }
    Ok(())
}

#[test]
fn a_flow_runs_and_its_account_balances() -> Outcome {
    let Some(folder) = folder()? else { return Ok(()) };
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "weather.spi", "--dir", "run"]).current_dir(folder.path()).env("CC", "gcc");
    command.env("CFLAGS", "-O1").env("WHITTLE_DDS_DOMAIN", domain(3)).env_remove("CYCLONEDDS_URI");
    let output = command.output()?;
    let text = said(&output);
    let edge = text.lines().find(|line| line.contains(" -> ")).unwrap_or_default();
    let numbers: Vec<u64> = edge.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert!(output.status.success() && text.contains("Board: 200 readings, 0 wrong"), "{output:?}");
    assert_eq!(numbers.get(..6), Some(&[200, 200, 0, 0, 0, 0][..]), "{output:?}");
    Ok(())
}
