//! Projections: each subscriber gets the fields that it selects and no others, of each packet that it wants, over each transport and in
//! each encoding, of the history, too; those who select the same share the bytes. Sources in `tests/flows/select`.

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};
use super::subscribers::{
    Subscribers, Wants, accounts_balance, each_gets_the_history, each_got_what_it_wants, numbers, run_all,
};

const READINGS: [(&str, Wants); 6] = [
    ("tcp", |_| true),
    ("cold", |n| n % 300 > 4 && n % 4 != 0),
    ("unix", |_| true),
    ("shm", |n| n % 3 == 0),
    ("names", |_| true),
    ("all", |_| true),
];
const STROKES: [(&str, Wants); 3] = [("tcp", |_| true), ("unix", |n| n > 2), ("shm", |_| true)];

const FLOWS: [(&str, &Subscribers); 2] = [("readings", &READINGS), ("strokes", &STROKES)];

/// Built once: building takes longer than all else.
#[test]
fn selections() -> Outcome {
    let programs = Flow::build("select")?;
    for (flow, subscribers) in FLOWS {
        each_gets_its_fields(&programs, flow, subscribers)?;
        each_gets_the_history(&programs, flow, subscribers)?;
    }
    conditions_that_are_given_look_at_whole_packets(&programs)?;
    a_packet_at_fault_is_at_fault_for_all(&programs)?;
    recordings_hold_whole_packets(&programs)
}

fn each_gets_its_fields(programs: &Scratch, name: &'static str, subscribers: &Subscribers) -> Outcome {
    let flow = Flow::new(programs, name)?;
    let sender = flow.begin("north", "north", &[])?;
    run_all(&flow, programs.path(), subscribers, "400")?;
    end(&flow, sender, "north")?;
    each_got_what_it_wants(&flow, subscribers, |_| true)?;
    accounts_balance(&flow, |edge, counts| assert_eq!(counts[4], 0, "{edge}: nothing is faulty"))
}

/// Each at a field that its subscriber does not select.
fn conditions_that_are_given_look_at_whole_packets(programs: &Scratch) -> Outcome {
    const GIVEN: [(&str, &str, Wants); 3] = [
        ("tcp", "tcp.r: is_open", |n| n % 3 == 0),
        ("unix", "unix.r: n > 4", |n| n % 300 > 4),
        ("shm", "shm.r: place != \"b\"", |n| n % 3 == 0 && n % 4 != 0),
    ];
    let flow = Flow::new(programs, "readings")?;
    let sender = flow.begin("north", "north", &[])?;
    for (instance, condition, wants) in GIVEN {
        let mut program = flow.begin_with(instance, instance, &["--where", condition], &[("LEAVE", "60")])?;
        let status = program.wait()?;
        assert!(status.success(), "{instance}: {status}: {}", flow.said(instance)?);
        each_got_what_it_wants(&flow, &[(instance, wants)], |_| true)?;
    }
    end(&flow, sender, "north")?;
    accounts_balance(&flow, |_, counts| assert_eq!(counts[4], 0))
}

/// Every tenth packet has a count beyond its bound: it comes to nobody, whatever of it they select.
fn a_packet_at_fault_is_at_fault_for_all(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let sender = flow.begin("north", "north", &[("FAULTY", "10")])?;
    run_all(&flow, programs.path(), &READINGS, "100")?;
    end(&flow, sender, "north")?;
    each_got_what_it_wants(&flow, &READINGS, |number| number % 10 != 1)?;
    accounts_balance(&flow, |edge, counts| assert!(counts[4] > 0, "{edge}: some are faulty"))
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
