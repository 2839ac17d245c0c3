//! Optional ports: what is sent where no edge leaves goes nowhere and is counted nowhere, nobody waits where none arrives, and the same
//! pipes use both where the flow joins them. Sources in `tests/flows/optional`.

use std::error::Error;
use std::path::Path;
use std::process::Command;

use filetest::ports::Ports;
use filetest::scratch::Scratch;

type Outcome = Result<(), Box<dyn Error>>;

fn folder() -> Result<Scratch, Box<dyn Error>> {
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/flows/optional");
    Ok(Scratch::with_files_of("optional-flows", &sources)?)
}

/// Each flow, and lines that its stages print.
const FLOWS: [(&str, &[&str]); 5] = [
    (
        "left_out",
        &["Source: not copied, not asked", "Both: 100 and 0, one port", "Pulls: 100, 0 of them twice", "Sink: 100"],
    ),
    ("by_calls", &["Source: not copied, not asked", "Both: 100 and 0, one port", "Sink: 100"]),
    ("joined", &["Source: copied, asked", "Both: 100 and 100, two ports", "log: 200", "last: 100"]),
    ("pulled", &["Source: copied, not asked", "Pulls: 100, 100 of them twice", "Sink: 100"]),
    ("composed", &["Source: copied, not asked", "Both: 100 and 100, two ports", "Sink: 100"]),
];

#[test]
fn ports_may_be_left_out_and_joined() -> Outcome {
    let folder = folder()?;
    for (flow, lines) in FLOWS {
        let (ports, pages) = (Ports::take()?, format!("run-{flow}"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        command.args(["pipe", "run", "optional.spi", "--flow", flow, "--dir", &pages]);
        command.args(["--port", &ports.first.to_string()]);
        let flags = "-O1 -g -Wall -Wextra -Wpedantic -Werror";
        let output = command.current_dir(folder.path()).env("CFLAGS", flags).env("LTO", "").output()?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{flow}: {output:?}");
        for line in lines {
            assert!(text.lines().any(|printed| printed == *line), "{flow}, {line}: {output:?}");
        }
    }
    Ok(())
}
