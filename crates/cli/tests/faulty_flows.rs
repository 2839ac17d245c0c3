//! Packets that are no values of their type: counted in a column of their own, while the flow goes on with the others, or the
//! end of the flow, with a status, where the file says so. The middle is a template's: it returns what sending said.

use std::error::Error;
use std::fs;
use std::process::{Command, Output};

use filetest::ports::Ports;
use filetest::scratch::Scratch;

const DESCRIPTION: &str = "packet Text { uint32 size; octet text[<= 16 used size]; }
pipe Source { out Text t; middle next; }
pipe Sink { in Text t; middle show; }
flow over_tcp { Source -> Sink via tcp; }
flow over_unix { Source -> Sink via unix; }
flow over_shm { Source -> Sink via shm; }
flow stops_tcp { Source -> Sink via tcp faulty stop; }
flow stops_shm { Source -> Sink via shm faulty stop; }
";

/// Every third one says that it holds more than there is room for.
const SOURCE: &str = "#include \"Source.h\"
bool next(struct Source *self)
{
    static unsigned number;
    if (number == 30)
        return false;
    self->t->size = ++number % 3 == 0 ? 17 : 1;
    self->t->text[0] = (uint8_t)number;
    return Source_send_t(self);
}
";

const SINK: &str = "#include \"Sink.h\"
#include <stdio.h>
bool show(struct Sink *self)
{
    printf(\"%u \", self->t->text[0]);
    return true;
}
";

fn run(folder: &Scratch, flow: &str) -> Result<Output, Box<dyn Error>> {
    let ports = Ports::take()?;
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.args(["pipe", "run", "faulty.spi", "--flow", flow, "--dir", flow, "--port", &ports.first.to_string()]);
    Ok(command.current_dir(folder.path()).env("CFLAGS", "-O0").env("LTO", "").output()?)
}

/// Of the one edge: offered, delivered, waiting, under way, dropped, faulty, unknown, filtered.
fn counts(output: &Output) -> Result<Vec<u64>, Box<dyn Error>> {
    let text = String::from_utf8(output.stdout.clone())?;
    let line =
        text.lines().find_map(|line| line.strip_prefix("Source.t -> Sink.t")).ok_or_else(|| format!("{output:?}"))?;
    Ok(line.split_whitespace().map_while(|word| word.parse().ok()).collect())
}

#[test]
fn a_faulty_packet_is_counted_and_the_flow_goes_on_or_stops_as_it_says() -> Result<(), Box<dyn Error>> {
    let folder = Scratch::new("faulty-flows").map_err(|_| "no scratch folder")?;
    for (name, text) in [("faulty.spi", DESCRIPTION), ("Source.c", SOURCE), ("Sink.c", SINK)] {
        fs::write(folder.path().join(name), text)?;
    }
    for flow in ["over_tcp", "over_unix", "over_shm"] {
        let output = run(&folder, flow)?;
        assert!(output.status.success(), "{flow}: {output:?}");
        assert_eq!(counts(&output)?, [30, 20, 0, 0, 0, 10, 0, 0], "{flow}");
    }
    for flow in ["stops_tcp", "stops_shm"] {
        let output = run(&folder, flow)?;
        assert_eq!(output.status.code(), Some(1), "{flow}: {output:?}");
        assert_eq!(counts(&output)?, [3, 2, 0, 0, 0, 1, 0, 0], "{flow}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the flow ends, as its contract says"), "{flow}: {said}");
    }
    Ok(())
}
