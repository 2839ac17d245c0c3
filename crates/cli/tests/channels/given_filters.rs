//! Conditions that subscribers are given when they start (`--where`): each gets what its flow and its option say, over each transport, from a
//! sender of the same build and of another; the next program of the same subscription may want something else; what is no condition is
//! shown in its place before anything is connected. Sources in `tests/flows/filter`.

use std::io::Write;
use std::net::TcpStream;
use std::process::Command;

use filetest::accounts::wait_until;
use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};
use super::subscribers::{Subscribers, Wants, accounts_balance, each_got_what_it_wants, numbers};

/// A subscriber, its option, and what it wants then, as the flow and the option say.
type Given = [(&'static str, &'static str, Wants)];

const READINGS: [(&str, &str, Wants); 5] = [
    ("warm", "warm.r: place == \"a\" and number >= 10", |n| {
        n >= 10 && n % 20 >= 10 && n % 3 != 0 && n % 4 != 1 && n % 4 != 0
    }),
    ("here", "here.r: grade != 'B'", |n| (n % 4 == 0 || n % 7 - 3 < -1) && n % 3 != 1),
    ("odd", "odd.r:id[1] > 2 or at.x == 0", |n| {
        n % 5 >= 3 && n % 2 != 0 && (n % 3 == 1 || -(n % 5) < n % 7 - 3) && (n % 8 > 2 || n % 7 == 3)
    }),
    ("large", "north.r -> large.r: not (temperature < 6.5)", |n| n % 2 == 0 && n % 8 > 3 && n % 3 != 0 && n % 20 >= 7),
    ("all", "all.r : q.count == 3", |n| n % 5 == 3),
];
const PAINTS: [(&str, &str, Wants); 3] = [
    ("green", "green.p: marks.count >= 2 and wet", |n| n % 3 == 1 && n % 4 <= 2 && n % 5 >= 2 && n % 2 == 0),
    ("named", "named.p: BLUE != tint", |n| n % 2 == 1 && n % 5 > 1 && n % 3 != 2),
    ("both", "both.p: tint == RED and name == \"none\"", |n| n % 2 == 0 && n % 3 == 0 && n % 4 == 0),
];
const COUNTS: [(&str, &str, Wants); 3] = [
    ("tcp", "tcp.c: number > 100", |n| n > 100 && n % 3 == 0),
    ("unix", "unix.c: sensor > 0", |n| n > 4 && n % 3 == 1),
    ("shm", "shm.c: sensor == 2", |n| n % 3 == 2),
];

/// What the receivers' version of the file says in place of the sender's, and what that means with the options.
const CHANGES: [(&str, &str); 2] = [
    ("temperature >= 10.0 and not is_open and warmth != 0.1", "temperature < 3"),
    (" where place == \"b \\\"2\\\"\" or past[1].x < -1", ""),
];
const CHANGED: [(&str, &str, Wants); 3] = [
    ("warm", READINGS[0].1, |n| n >= 10 && n % 20 < 3 && n % 4 != 0),
    ("here", READINGS[1].1, |n| n % 3 != 1),
    ("all", READINGS[4].1, READINGS[4].2),
];

/// Built once: building takes longer than all else.
#[test]
fn given_filters() -> Outcome {
    let programs = Flow::build("filter")?;
    each_gets_what_it_is_given(&programs, &programs, "readings", &READINGS)?;
    each_gets_what_it_is_given(&programs, &programs, "paints", &PAINTS)?;
    each_gets_what_it_is_given(&programs, &programs, "counts", &COUNTS)?;
    the_next_one_may_want_something_else(&programs)?;
    several_hold_together(&programs)?;
    a_stage_may_say_it_in_its_beginning(&programs)?;
    what_is_no_condition_is_shown(&programs)?;
    who_speaks_an_older_protocol_is_named(&programs)?;
    let changed = |text: String| CHANGES.iter().fold(text, |text, (from, to)| text.replacen(from, to, 1));
    let receivers = Flow::generate("filter", changed)?;
    Flow::make(&receivers)?;
    each_gets_what_it_is_given(&programs, &receivers, "readings", &CHANGED)
}

fn each_gets_what_it_is_given(
    sender: &Scratch,
    receivers: &Scratch,
    name: &'static str,
    given: &'static Given,
) -> Outcome {
    let flow = Flow::new(sender, name)?;
    let north = flow.begin("north", "north", &[])?;
    let mut begun = Vec::new();
    for (instance, condition, _) in given {
        let options: &[&str] = &["--where", condition];
        begun.push((instance, flow.begin_from(receivers.path(), instance, instance, (options, &[("LEAVE", "40")]))?));
    }
    for (instance, program) in &mut begun {
        let status = program.wait()?;
        assert!(status.success(), "{instance}: {status}: {}", flow.said(instance)?);
    }
    end(&flow, north, "north")?;
    let wants: Vec<(&'static str, Wants)> = given.iter().map(|(instance, _, wants)| (*instance, *wants)).collect();
    let wants: &Subscribers = &wants;
    each_got_what_it_wants(&flow, wants, |_| true)?;
    accounts_balance(&flow, |edge, counts| {
        let took_part = given.iter().any(|(instance, ..)| edge.contains(&format!(" {instance}.")));
        assert!(counts[6] > 0 || !took_part, "{edge}: nothing was filtered");
    })
}

fn the_next_one_may_want_something_else(programs: &Scratch) -> Outcome {
    const LIVES: [(&str, Option<&str>, Wants); 4] = [
        ("first", Some("q.count == 3"), |n| n % 5 == 3),
        ("second", Some("q.count >= 3 and big > 3"), |n| n % 5 >= 3),
        ("third", None, |_| true),
        ("fourth", Some("small < -2"), |n| n % 5 >= 3),
    ];
    // Over each transport, with what the flow says.
    const WAYS: [(&str, Wants); 3] = [
        ("all", |_| true),
        ("here", |n| n % 4 == 0 || n % 7 - 3 < -1),
        ("odd", |n| n % 5 >= 3 && n % 2 != 0 && (n % 3 == 1 || -(n % 5) < n % 7 - 3)),
    ];
    for (instance, own) in WAYS {
        let flow = Flow::new(programs, "readings")?;
        let north = flow.begin("north", "north", &[])?;
        for (life, condition, wants) in LIVES {
            let option = condition.map(|condition| format!("--where={instance}.r: {condition}"));
            let options: Vec<&str> = option.iter().map(String::as_str).collect();
            let status = flow.begin_from(programs.path(), instance, life, (&options, &[("LEAVE", "20")]))?.wait()?;
            assert!(status.success(), "{instance} {life}: {status}: {}", flow.said(life)?);
            let came = numbers(&flow, life)?;
            let (first, last) = (came.first().ok_or("none")?, came.last().ok_or("none")?);
            let wanted: Vec<i64> = (*first..=*last).filter(|number| own(*number) && wants(*number)).collect();
            assert_eq!(came, wanted, "{instance} {life}");
        }
        end(&flow, north, "north")?;
        accounts_balance(&flow, |_, _| {})?;
    }
    Ok(())
}

fn several_hold_together(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let north = flow.begin("north", "north", &[])?;
    let options = ["--where", "all.r: q.count == 3 or q.count == 4", "--where", "all.r: is_open or grade == 'B'"];
    let status = flow.begin_from(programs.path(), "all", "all", (&options, &[("LEAVE", "30")]))?.wait()?;
    assert!(status.success(), "{status}: {}", flow.said("all")?);
    end(&flow, north, "north")?;
    each_got_what_it_wants(&flow, &[("all", |n| n % 5 >= 3 && n % 3 != 2)], |_| true)
}

/// `Screen_begin` gives it what `WANTS` says.
fn a_stage_may_say_it_in_its_beginning(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let north = flow.begin("north", "north", &[])?;
    let options: &[&str] = &["--where", "here.r: q.count > 1"];
    let environment: &[(&str, &str)] = &[("LEAVE", "30"), ("WANTS", "is_open or grade == 'B'")];
    let status = flow.begin_from(programs.path(), "here", "here", (options, environment))?.wait()?;
    assert!(status.success(), "{status}: {}", flow.said("here")?);
    let status = flow.begin("odd", "odd", &[("WANTS", "grade = 'B'")])?.wait()?;
    let said = flow.said("odd")?;
    assert!(status.code() == Some(1) && said.contains("the condition of odd.r: column 7: "), "{status}: {said}");
    end(&flow, north, "north")?;
    let wants: Wants = |n| (n % 4 == 0 || n % 7 - 3 < -1) && n % 5 > 1 && n % 3 != 2;
    each_got_what_it_wants(&flow, &[("here", wants)], |_| true)
}

/// The option, and what is said of it.
const WRONG: [(&str, &str); 7] = [
    (
        "warm.r: temperature > 3 && is_open",
        "the condition of warm.r: column 17: expected `and`, `or`, a comparison such as `==`, or the end, found `&&`\n  temperature > 3 && is_open\n                  ^\n",
    ),
    (
        "warm.r: place == 4",
        "the condition of warm.r: column 1: a text and a number cannot be compared\n  place == 4\n  ^\n",
    ),
    ("warm.r: heat > 3", "`Reading` has no `heat` that can be compared: there is `number`, `temperature`"),
    (
        "cold.r: number > 3",
        "`cold.r`, which is no port of this program that subscribes to a channel; there is warm.r\n",
    ),
    ("number > 3", "expected a port and its condition, as in --where 'Screen.r: speed > 3', found `number > 3`\n"),
    (
        "warm.r:",
        "column 1: expected a field, a number, a text, `true`, `false`, `not` or `(`, found the end\n  \n  ^\n",
    ),
    ("warm.r: place == \"é\" and é", "column 18: expected a field, a number, a text"),
];

fn what_is_no_condition_is_shown(programs: &Scratch) -> Outcome {
    for (option, said) in WRONG {
        let flow = Flow::new(programs, "readings")?;
        let status = flow.begin_with("warm", "warm", &["--where", option], &[])?.wait()?;
        let text = flow.said("warm")?;
        assert_eq!(status.code(), Some(2), "{option}: {text}");
        assert!(text.contains(said), "{option}: {text}");
        assert!(!flow.folder.path().join("run").exists(), "{option}: it has begun");
    }
    let mut long = "warm.r: number != 1".to_owned();
    while long.len() < 4000 {
        long.push_str(" and number != 1");
    }
    let flow = Flow::new(programs, "readings")?;
    let status = flow.begin_with("warm", "warm", &["--where", &long], &[])?.wait()?;
    assert_eq!(status.code(), Some(2));
    assert!(flow.said("warm")?.contains("more than 1000 bytes as data"), "{}", flow.said("warm")?);
    // Who sends has no such port.
    let status = flow.begin_with("north", "north", &["--where", "north.r: number > 1"], &[])?.wait()?;
    assert_eq!(status.code(), Some(2));
    assert!(flow.said("north")?.contains("and there is none"), "{}", flow.said("north")?);
    let output = Command::new(programs.path().join("readings_warm")).arg("--help").output()?;
    assert!(String::from_utf8_lossy(&output.stdout).contains("--where 'PORT: CONDITION'"));
    Ok(())
}

/// Over TCP it comes to a challenge: what it proves there is of no use, and that is not the reason.
fn who_speaks_an_older_protocol_is_named(programs: &Scratch) -> Outcome {
    let flow = Flow::new(programs, "readings")?;
    let warm = flow.begin_with("warm", "warm", &["--where", "warm.r: number > 3"], &[])?;
    let mut peer = None;
    wait_until("a socket", || {
        peer = TcpStream::connect(("127.0.0.1", flow.first_port())).ok();
        Ok(peer.is_some())
    })?;
    let mut challenge = [0; 80];
    challenge[..8].copy_from_slice(b"whittlek");
    (challenge[8], challenge[12]) = (5, 1);
    peer.ok_or("no peer")?.write_all(&challenge)?;
    wait_until("the reason", || {
        Ok(flow.said("warm")?.contains("it speaks another version of the protocol: build both with one whittle"))
    })?;
    end(&flow, warm, "warm")
}
