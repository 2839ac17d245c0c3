//! What a stage is beside its middle: timers, which ring whatever the stage waits for, and a beginning that may fail, which ends
//! the flow with the stage's name and its reason. Sources in `tests/flows/timed`. No test looks at a clock.

use std::error::Error;
use std::path::Path;
use std::process::{Command, Output};

use filetest::ports::Ports;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

fn folder() -> Result<Scratch, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/timed");
    Ok(Scratch::with_files_of("timed-flows", &sources)?)
}

fn run(folder: &Scratch, flow: &str, fails: &str) -> Result<Output, Box<dyn Error>> {
    let (ports, pages) = (Ports::take()?, format!("run-{flow}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "timed.spi", "--flow", flow, "--dir", &pages, "--port", &ports.first.to_string()]);
    command.current_dir(folder.path()).env("CFLAGS", "-O0 -g -I.").env("LTO", "").env("FAILS", fails);
    Ok(command.output()?)
}

#[test]
fn timers_ring_at_stages_of_each_kind() -> Outcome {
    let folder = folder()?;
    let output = run(&folder, "timed", "")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains("Source: all have rung"), "{output:?}");
    assert!(text.contains("Called: 0 met"), "{output:?}");
    Ok(())
}

#[test]
fn a_stage_that_cannot_begin_ends_its_flow_and_says_why() -> Outcome {
    let folder = folder()?;
    for flow in ["by_tcp", "by_shm", "by_calls"] {
        let output = run(&folder, flow, "")?;
        assert!(output.status.success() && String::from_utf8_lossy(&output.stdout).contains("To: 100"), "{output:?}");
        for (fails, stage, reason) in [
            ("From", "From", "there is no camera"),
            ("Over", "Over", "there is no table"),
            ("To", "To", "there is no screen"),
            ("middle", "Over", "the tenth does not fit"),
        ] {
            let output = run(&folder, flow, fails)?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{flow}, {fails}: {output:?}");
            assert!(said.contains(&format!("stage `{stage}` cannot go on: {reason}")), "{flow}, {fails}: {said}");
        }
    }
    Ok(())
}
