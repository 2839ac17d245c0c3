//! Flows on several machines, which are addresses of this one: their processes begin with the key that `whittle pipe key`
//! makes, and with no other; a flow on one machine makes its own.

use std::error::Error;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use filetest::ports::Ports;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

const FLOW: &str = "
packet Tick { uint32 number; int32 value; }
pipe Source { out Tick t; middle next_tick; }
pipe Sum { in Tick t; middle sum; }
flow wide { Source one on \"127.0.0.1\"; Sum two on \"127.0.0.2\"; one.t -> two.t; }
flow near { Source a; Sum b; a.t -> b.t; }
";

fn whittle(folder: &Path, arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    Ok(Command::new(env!("CARGO_BIN_EXE_whittle"))
        .args(arguments)
        .current_dir(folder)
        .env_remove("WHITTLE_KEY")
        .output()?)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with the programs of both flows.
fn built() -> Result<Scratch, Box<dyn Error>> {
    let folder = Scratch::new("keyed-flows").map_err(|_| "no scratch folder")?;
    let sources = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows");
    fs::write(folder.path().join("wide.spi"), FLOW)?;
    for name in ["Source.c", "Sum.c"] {
        fs::copy(sources.join(name), folder.path().join(name))?;
    }
    let compiled = whittle(folder.path(), &["compile", "wide.spi"])?;
    assert!(compiled.status.success(), "{compiled:?}");
    let made = Command::new("make").args(["-s", "CFLAGS=-O1", "LTO="]).current_dir(folder.path()).output()?;
    assert!(made.status.success(), "{}", text(&made.stderr));
    Ok(folder)
}

/// A process of the flow, with options that all share.
fn start(folder: &Path, ports: &Ports, program: &str, options: &[&str]) -> Result<Child, Box<dyn Error>> {
    Ok(Command::new(folder.join(program))
        .args(["--port", &ports.first.to_string(), "--wait", "5", "--dir", &format!("run-{program}")])
        .args(options)
        .current_dir(folder)
        .env_remove("WHITTLE_KEY")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?)
}

#[test]
fn a_key_is_its_users_alone_and_is_not_replaced() -> Outcome {
    let folder = Scratch::new("keys").map_err(|_| "no scratch folder")?;
    for name in ["one.key", "flow.key"] {
        let arguments: &[&str] = if name == "flow.key" { &["pipe", "key"] } else { &["pipe", "key", name] };
        let made = whittle(folder.path(), arguments)?;
        assert!(made.status.success() && made.stdout.is_empty(), "{made:?}");
        let path = folder.path().join(name);
        assert_eq!(fs::metadata(&path)?.mode() & 0o7777, 0o600);
        let key = fs::read_to_string(&path)?;
        assert!(
            key.len() == 65 && key.ends_with('\n') && key.trim_end().bytes().all(|digit| digit.is_ascii_hexdigit())
        );
        let again = whittle(folder.path(), arguments)?;
        assert_eq!(again.status.code(), Some(1));
        assert!(text(&again.stderr).contains("name another file"), "{again:?}");
        assert_eq!(fs::read_to_string(&path)?, key);
    }
    let [one, other] = ["one.key", "flow.key"].map(|name| fs::read_to_string(folder.path().join(name)));
    assert_ne!(one?, other?);
    std::os::unix::fs::symlink("elsewhere", folder.path().join("link"))?;
    assert_eq!(whittle(folder.path(), &["pipe", "key", "link"])?.status.code(), Some(1));
    assert!(!folder.path().join("elsewhere").exists());
    Ok(())
}

#[test]
fn a_flow_on_several_machines_begins_with_its_key_alone() -> Outcome {
    let folder = built()?;
    let folder = folder.path();
    let ports = Ports::take()?;
    for program in ["wide_one", "wide_two"] {
        let output = start(folder, &ports, program, &[])?.wait_with_output()?;
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains("whittle pipe key FILE"), "{}", text(&output.stderr));
    }
    for key in ["flow.key", "other.key"] {
        assert!(whittle(folder, &["pipe", "key", key])?.status.success());
    }
    // Another key's sender beside the right one.
    let receiver = start(folder, &ports, "wide_two", &["--key", "flow.key"])?;
    let mut wrong = start(folder, &ports, "wide_one", &["--key", "other.key", "--dir", "run-wrong"])?;
    let right = start(folder, &ports, "wide_one", &["--key", "flow.key"])?;
    let (right, receiver) = (right.wait_with_output()?, receiver.wait_with_output()?);
    wrong.kill()?;
    wrong.wait()?;
    assert!(right.status.success(), "{right:?}");
    assert!(receiver.status.success(), "{receiver:?}");
    assert_eq!(text(&receiver.stdout), "two: 100 packets, sum 3950\n");
    Ok(())
}

#[test]
fn a_flow_on_one_machine_makes_its_own_key() -> Outcome {
    let folder = built()?;
    let ports = Ports::take()?;
    let first = ports.first.to_string();
    let run = whittle(folder.path(), &["pipe", "run", "wide.spi", "--flow", "near", "--dir", "run", "--port", &first])?;
    assert!(run.status.success(), "{run:?}");
    assert!(text(&run.stdout).contains("100 packets, sum 3950"), "{run:?}");
    assert_eq!(fs::metadata(folder.path().join("run/key"))?.mode() & 0o7777, 0o600);
    let several =
        whittle(folder.path(), &["pipe", "run", "wide.spi", "--flow", "wide", "--dir", "run-wide", "--port", &first])?;
    assert!(several.status.success(), "all of it is here: {several:?}");
    Ok(())
}
