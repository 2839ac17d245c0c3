//! Projections: each subscriber gets the fields that it selects and no others, of each packet that it wants, over each transport and in
//! each encoding, of the history, too; those who select the same share the bytes. Sources in `tests/flows/select`.

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};

/// Whether a subscriber wants the packet of a number.
type Wants = fn(i64) -> bool;

const READINGS: [(&str, Wants); 6] = [
    ("tcp", |_| true),
    ("cold", |n| n % 300 > 4 && n % 4 != 0),
    ("unix", |_| true),
    ("shm", |n| n % 3 == 0),
    ("names", |_| true),
    ("all", |_| true),
];
const STROKES: [(&str, Wants); 3] = [("tcp", |_| true), ("unix", |n| n > 2), ("shm", |_| true)];

const FLOWS: [(&str, &[(&str, Wants)]); 2] = [("readings", &READINGS), ("strokes", &STROKES)];

/// Built once: building takes longer than all else.
#[test]
fn selections() -> Outcome {
    let programs = Flow::build("select")?;
    for (flow, subscribers) in FLOWS {
        each_gets_its_fields(&programs, flow, subscribers)?;
        the_history_is_selected_from(&programs, flow, subscribers)?;
    }
    a_packet_at_fault_is_at_fault_for_all(&programs)?;
    recordings_hold_whole_packets(&programs)
}

fn numbers(flow: &Flow, life: &str) -> Outcome<Vec<i64>> {
    Ok(flow.text(life)?.lines().map(str::parse).collect::<Result<_, _>>()?)
}

fn begin_all(flow: &Flow, subscribers: &[(&str, Wants)], leave: &str) -> Outcome {
    let mut programs = Vec::new();
    for (instance, _) in subscribers {
        programs.push((instance, flow.begin(instance, instance, &[("LEAVE", leave)])?));
    }
    for (instance, program) in &mut programs {
        let status = program.wait()?;
        assert!(status.success(), "{instance}: {status}");
    }
    Ok(())
}

fn each_gets_its_fields(programs: &Scratch, name: &'static str, subscribers: &[(&str, Wants)]) -> Outcome {
    let flow = Flow::new(programs, name)?;
    let sender = flow.begin("north", "north", &[])?;
    begin_all(&flow, subscribers, "400")?;
    end(&flow, sender, "north")?;
    for (instance, wants) in subscribers {
        let came = numbers(&flow, instance)?;
        let (first, last) = (came.first().ok_or("none")?, came.last().ok_or("none")?);
        let wanted: Vec<i64> = (*first..=*last).filter(|number| wants(*number)).collect();
        assert_eq!(came, wanted, "{name}.{instance}");
    }
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
        assert_eq!(others[4], 0, "{edge}: nothing is faulty");
    }
    Ok(())
}

fn the_history_is_selected_from(programs: &Scratch, name: &'static str, subscribers: &[(&str, Wants)]) -> Outcome {
    const SENT: i64 = 200;
    const HISTORY: i64 = 6;
    let flow = Flow::new(programs, name)?;
    let sent = SENT.to_string();
    let sender = flow.begin("north", "north", &[("MOST", &sent)])?;
    flow.wait_for("north", "sent")?;
    for (instance, wants) in subscribers {
        let wanted: Vec<i64> = (SENT - HISTORY..SENT).filter(|number| wants(*number)).collect();
        let leave = wanted.len().to_string();
        let status = flow.begin(instance, instance, &[("LEAVE", &leave)])?.wait()?;
        assert!(status.success(), "{name}.{instance}: {status}");
        assert_eq!(numbers(&flow, instance)?, wanted, "{name}.{instance}");
    }
    end(&flow, sender, "north")
}

/// Every tenth packet has a count beyond its bound: it comes to nobody, whatever of it they select.
fn a_packet_at_fault_is_at_fault_for_all(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let sender = flow.begin("north", "north", &[("FAULTY", "10")])?;
    begin_all(&flow, &READINGS, "100")?;
    end(&flow, sender, "north")?;
    for (instance, wants) in READINGS {
        let came = numbers(&flow, instance)?;
        let (first, last) = (came.first().ok_or("none")?, came.last().ok_or("none")?);
        let wanted: Vec<i64> = (*first..=*last).filter(|number| number % 10 != 1 && wants(*number)).collect();
        assert_eq!(came, wanted, "{instance}");
    }
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
        assert!(others[4] > 0, "{edge}: some are faulty");
    }
    Ok(())
}

/// The first subscription selects fields, and its recording stands for the outport: it has whole packets, and so have those that are
/// sent again, slowly enough for who comes meanwhile.
fn recordings_hold_whole_packets(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let sender = flow.begin_with("north", "north", &["--record", "kept"], &[("MOST", "2000")])?;
    let part = flow.begin("tcp", "tcp", &[("LEAVE", "50")])?.wait()?;
    assert!(part.success(), "{part}");
    flow.wait_for("north", "sent")?;
    end(&flow, sender, "north")?;
    let mut whole = flow.begin("all", "all", &[("LEAVE", "20")])?;
    let mut part = flow.begin("tcp", "tcp", &[("LEAVE", "20")])?;
    let _sender = flow.begin_with("north", "again", &["--replay", "kept", "--speed", "0.1"], &[])?;
    assert!(whole.wait()?.success() && part.wait()?.success());
    assert_eq!(numbers(&flow, "all")?.len() + numbers(&flow, "tcp")?.len(), 40);
    Ok(())
}
