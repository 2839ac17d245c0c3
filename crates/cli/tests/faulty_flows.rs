//! Packets that are no values of their type: counted in a column of their own, while the flow goes on with the others, or the
//! end of the flow, with a status, where the file says so. The middle is a template's: it returns what sending said.

use std::error::Error;
use std::fs;
use std::process::{Command, Output, Stdio};

use filetest::accounts::wait_until;
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

const EDGE: &str = "Source.t -> Sink.t";

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

/// Of an edge: offered, delivered, waiting, under way, dropped, faulty, unknown, filtered.
fn counts(output: &Output, edge: &str) -> Result<Vec<u64>, Box<dyn Error>> {
    let text = String::from_utf8(output.stdout.clone())?;
    let line = text.lines().find_map(|line| line.strip_prefix(edge)).ok_or_else(|| format!("{output:?}"))?;
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
        assert_eq!(counts(&output, EDGE)?, [30, 20, 0, 0, 0, 10, 0, 0], "{flow}");
    }
    for flow in ["stops_tcp", "stops_shm"] {
        let output = run(&folder, flow)?;
        assert_eq!(output.status.code(), Some(1), "{flow}: {output:?}");
        assert_eq!(counts(&output, EDGE)?, [3, 2, 0, 0, 0, 1, 0, 0], "{flow}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("the flow ends, as its contract says"), "{flow}: {said}");
    }
    Ok(())
}

/// Packets that stand as they travel, and one that has to be encoded in any form.
const RANGES: &str = "packet Part { uint8 percent range 10 to 100; }
packet Plain { int16 level range -40 to 85; uint16 n; Part parts[<= 3 used n]; }
packet Fixed { bool on; uint8 level range 1 to 30; }
packet Gaps { string <= 9 name; int16 level range -40 to 85; uint64 most range 0 to 18446744073709551614; Part part; }
pipe Source { out Plain p; out Fixed f; out Gaps g; middle next; }
pipe Sink { in Plain p; in Fixed f; in Gaps g; middle show; }
flow tcp { Source.p -> Sink.p via tcp; Source.f -> Sink.f via tcp; Source.g -> Sink.g via tcp; }
flow shm { Source.p -> Sink.p via shm; Source.f -> Sink.f via shm; Source.g -> Sink.g via shm; }
flow unix { Source.p -> Sink.p via unix encode xdr; Source.f -> Sink.f via unix encode cdr; Source.g -> Sink.g via unix encode protobuf; }
flow stop { Source.p -> Sink.p via tcp; Source.f -> Sink.f via tcp faulty stop; Source.g -> Sink.g via tcp; }
";

/// Of 32 packets three of `Plain`, two of `Fixed` and three of `Gaps` have a number out of its range.
const RANGES_SOURCE: &str = "#include \"Source.h\"
#include <string.h>
bool next(struct Source *self)
{
    static int number;
    if (number == 32)
        return false;
    memset(self->p, 0, sizeof *self->p);
    memset(self->g, 0, sizeof *self->g);
    self->p->level = number == 3 ? Plain_level_least - 1 : Plain_level_least;
    self->p->n = (uint16_t)(number % 4);
    for (int part = 0; part < self->p->n; part++)
        self->p->parts[part].percent = number == 5 || number == 6 ? Part_percent_most + 1 : Part_percent_most;
    self->f->on = true;
    self->f->level = (uint8_t)number;
    strcpy(self->g->name, \"g\");
    self->g->level = number == 7 ? Plain_level_most + 1 : Plain_level_most;
    self->g->most = number == 8 ? UINT64_MAX : Gaps_most_most;
    self->g->part.percent = number == 9 ? Part_percent_least - 1 : Part_percent_least;
    number++;
    Source_send_p(self);
    Source_send_g(self);
    return Source_send_f(self) != WHITTLE_FLOW_IS_CLOSED;
}
";

const RANGES_SINK: &str = "#include \"Sink.h\"
bool show(struct Sink *self)
{
    if (self->p != NULL && self->p->level != -40)
        return false;
    return self->f == NULL || (self->f->level >= 1 && self->f->level <= 30);
}
";

#[test]
fn a_number_out_of_its_range_makes_a_packet_faulty_in_any_form() -> Result<(), Box<dyn Error>> {
    let folder = Scratch::new("ranges").map_err(|_| "no scratch folder")?;
    for (name, text) in [("faulty.spi", RANGES), ("Source.c", RANGES_SOURCE), ("Sink.c", RANGES_SINK)] {
        fs::write(folder.path().join(name), text)?;
    }
    for flow in ["tcp", "shm", "unix"] {
        let output = run(&folder, flow)?;
        assert!(output.status.success(), "{flow}: {output:?}");
        for (port, faulty) in [("p", 3), ("f", 2), ("g", 3)] {
            let counts = counts(&output, &format!("Source.{port} -> Sink.{port}"))?;
            assert_eq!(counts, [32, 32 - faulty, 0, 0, 0, faulty, 0, 0], "{flow}, {port}: {output:?}");
        }
    }
    let output = run(&folder, "stop")?;
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(counts(&output, "Source.f -> Sink.f")?[..6], [1, 0, 0, 0, 0, 1], "{output:?}");
    Ok(())
}

/// The program of one end, built from the description with this range.
fn end_with_range(folder: &str, range: &str, pipe: &str) -> Result<Scratch, Box<dyn Error>> {
    let folder = Scratch::new(folder).map_err(|_| "no scratch folder")?;
    let text = DESCRIPTION.replace("octet text", &format!("int8 level range {range}; octet text"));
    for (name, text) in [("faulty.spi", text.as_str()), ("Source.c", SOURCE), ("Sink.c", SINK)] {
        fs::write(folder.path().join(name), text)?;
    }
    let output = Command::new(env!("CARGO_BIN_EXE_whittle"))
        .args(["compile", "faulty.spi"])
        .current_dir(folder.path())
        .output()?;
    assert!(output.status.success(), "{output:?}");
    let programs = ["tcp", "unix", "shm"].map(|flow| format!("over_{flow}_{pipe}"));
    let built = Command::new("make").args(["CFLAGS=-O0", "LTO="]).args(programs).current_dir(folder.path()).output()?;
    assert!(built.status.success(), "{built:?}");
    Ok(folder)
}

#[test]
fn a_range_that_differs_is_refused_and_shown_at_both_ends() -> Result<(), Box<dyn Error>> {
    let (source, sink) = (end_with_range("wide", "-3 to 30", "Source")?, end_with_range("narrow", "-3 to 20", "Sink")?);
    for flow in ["over_tcp", "over_unix", "over_shm"] {
        let ports = Ports::take()?;
        let begin = |folder: &Scratch, pipe: &str| {
            let mut command = Command::new(folder.path().join(format!("{flow}_{pipe}")));
            command.args(["--dir", flow, "--port", &ports.first.to_string()]).current_dir(sink.path());
            command.stdout(Stdio::null()).stderr(fs::File::create(sink.path().join(format!("{flow}.{pipe}")))?).spawn()
        };
        let mut ends = [begin(&sink, "Sink")?, begin(&source, "Source")?];
        let said = |pipe: &str| fs::read_to_string(sink.path().join(format!("{flow}.{pipe}")));
        let fields = ["`Text` with `(level int8 (range -3 30))`", "`Text` with `(level int8 (range -3 20))`"];
        let expected = [
            ("Sink", format!("it sends {}, this one takes {}: build both from one flow", fields[0], fields[1])),
            ("Source", format!("it takes {}, this one sends {}: build both from one flow", fields[1], fields[0])),
        ];
        let outcome = wait_until("both ends' messages", || {
            Ok(said("Sink")?.contains(&expected[0].1) && said("Source")?.contains(&expected[1].1))
        });
        for end in &mut ends {
            end.kill()?;
            end.wait()?;
        }
        assert!(outcome.is_ok(), "{flow}: {} {}", said("Sink")?, said("Source")?);
    }
    Ok(())
}
