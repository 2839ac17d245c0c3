//! Filters: each subscriber gets the packets that it wants and no other, in order and without a gap, over each transport and in
//! each encoding, of the history, too; what it does not want stands in the account. Sources in `tests/flows/filter`.

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};

/// Whether a subscriber wants the packet of a number: its condition, said once more.
type Wants = fn(i64) -> bool;

const READINGS: [(&str, Wants); 5] = [
    ("warm", |n| n % 20 >= 10 && n % 3 != 0 && n % 4 != 1),
    ("here", |n| n % 4 == 0 || n % 7 - 3 < -1),
    ("odd", |n| n % 5 >= 3 && n % 2 != 0 && (n % 3 == 1 || -(n % 5) < n % 7 - 3)),
    ("large", |n| n % 2 == 0 && n % 8 > 3 && n % 3 != 0),
    ("all", |_| true),
];
const PAINTS: [(&str, Wants); 3] = [
    ("green", |n| n % 3 == 1 && n % 4 <= 2),
    ("named", |n| n % 2 == 1 && n % 5 > 1),
    ("both", |n| n % 2 == 0 && n % 3 != 2 && n % 4 == 0),
];
const COUNTS: [(&str, Wants); 3] =
    [("tcp", |n| n >= 10 && n % 3 == 0), ("unix", |n| n > 4 && n % 3 != 2), ("shm", |n| n % 3 != 1 || n < 5)];

const FLOWS: [(&str, &[(&str, Wants)]); 3] = [("readings", &READINGS), ("paints", &PAINTS), ("counts", &COUNTS)];

/// Built once: building takes longer than all else.
#[test]
fn filters() -> Outcome {
    let programs = Flow::build("filter")?;
    for (flow, subscribers) in FLOWS {
        each_gets_what_it_wants(&programs, flow, subscribers)?;
        the_history_is_filtered(&programs, flow, subscribers)?;
    }
    Ok(())
}

fn numbers(flow: &Flow, life: &str) -> Outcome<Vec<i64>> {
    Ok(flow.text(life)?.lines().map(str::parse).collect::<Result<_, _>>()?)
}

fn each_gets_what_it_wants(programs: &Scratch, name: &'static str, subscribers: &[(&str, Wants)]) -> Outcome {
    let flow = Flow::new(programs, name)?;
    let sender = flow.begin("north", "north", &[])?;
    let mut programs = Vec::new();
    for (instance, _) in subscribers {
        programs.push((instance, flow.begin(instance, instance, &[("LEAVE", "200")])?));
    }
    for (instance, program) in &mut programs {
        let status = program.wait()?;
        assert!(status.success(), "{name}.{instance}: {status}");
    }
    end(&flow, sender, "north")?;
    for (instance, wants) in subscribers {
        let came = numbers(&flow, instance)?;
        let (first, last) = (came.first().ok_or("none")?, came.last().ok_or("none")?);
        let wanted: Vec<i64> = (*first..=*last).filter(|number| wants(*number)).collect();
        assert_eq!(came, wanted, "{name}.{instance}");
    }
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
        assert!(others[6] > 0 || edge.ends_with("all.r"), "{edge}: nothing was filtered");
    }
    Ok(())
}

fn the_history_is_filtered(programs: &Scratch, name: &'static str, subscribers: &[(&str, Wants)]) -> Outcome {
    const SENT: i64 = 200;
    const HISTORY: i64 = 6;
    let flow = Flow::new(programs, name)?;
    let sent = SENT.to_string();
    let sender = flow.begin("north", "north", &[("MOST", &sent)])?;
    flow.wait_for("north", "sent")?;
    for (instance, wants) in subscribers {
        let wanted: Vec<i64> = (SENT - HISTORY..SENT).filter(|number| wants(*number)).collect();
        let leave = wanted.len().to_string();
        if wanted.is_empty() {
            continue;
        }
        let status = flow.begin(instance, instance, &[("LEAVE", &leave)])?.wait()?;
        assert!(status.success(), "{name}.{instance}: {status}");
        assert_eq!(numbers(&flow, instance)?, wanted, "{name}.{instance}");
    }
    end(&flow, sender, "north")
}
