//! Subscribers that each want some packets: begun together, and what came to each. In: a [`Flow`] and a condition for each subscriber.
//! Out: failures that name it. Why: conditions compiled ahead, conditions sent as data and projections owe their subscribers the same.

use std::path::Path;

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};

/// Whether a subscriber wants the packet of a number: its condition, said once more.
pub(super) type Wants = fn(i64) -> bool;

pub(super) type Subscribers = [(&'static str, Wants)];

/// The packets' numbers, as a subscriber has printed them.
pub(super) fn numbers(flow: &Flow, life: &str) -> Outcome<Vec<i64>> {
    Ok(flow.text(life)?.lines().map(str::parse).collect::<Result<_, _>>()?)
}

/// Runs all subscribers at the same time, until each has had as many packets as it leaves after.
pub(super) fn run_all(flow: &Flow, programs: &Path, subscribers: &Subscribers, leave: &str) -> Outcome {
    let mut begun = Vec::new();
    for (instance, _) in subscribers {
        begun.push((instance, flow.begin_from(programs, instance, instance, (&[], &[("LEAVE", leave)]))?));
    }
    for (instance, program) in &mut begun {
        let status = program.wait()?;
        assert!(status.success(), "{instance}: {status}: {}", flow.said(instance)?);
    }
    Ok(())
}

/// From the first packet of each subscriber to its last, what it wants has come, in order, and nothing else.
pub(super) fn each_got_what_it_wants(flow: &Flow, subscribers: &Subscribers, is_sent: Wants) -> Outcome {
    for (instance, wants) in subscribers {
        let came = numbers(flow, instance)?;
        let (first, last) = (came.first().ok_or("none")?, came.last().ok_or("none")?);
        let wanted: Vec<i64> = (*first..=*last).filter(|number| is_sent(*number) && wants(*number)).collect();
        assert_eq!(came, wanted, "{instance}");
    }
    Ok(())
}

/// Every account balances; `check` sees each edge with delivered, waiting, under way, dropped, faulty, unknown, filtered.
pub(super) fn accounts_balance(flow: &Flow, check: impl Fn(&str, &[u64; 7])) -> Outcome {
    for (edge, [offered, others @ ..]) in flow.accounts()? {
        assert_eq!(offered, others.iter().sum::<u64>(), "{edge}");
        check(&edge, &others);
    }
    Ok(())
}

/// Who comes after the last packet gets those of the history that it wants.
pub(super) fn each_gets_the_history(programs: &Scratch, name: &'static str, subscribers: &Subscribers) -> Outcome {
    const SENT: i64 = 200;
    const HISTORY: i64 = 6;
    let flow = Flow::new(programs, name)?;
    let sender = flow.begin("north", "north", &[("MOST", &SENT.to_string())])?;
    flow.wait_for("north", "sent")?;
    for (instance, wants) in subscribers {
        let wanted: Vec<i64> = (SENT - HISTORY..SENT).filter(|number| wants(*number)).collect();
        if wanted.is_empty() {
            continue;
        }
        let status = flow.begin(instance, instance, &[("LEAVE", &wanted.len().to_string())])?.wait()?;
        assert!(status.success(), "{name}.{instance}: {status}");
        assert_eq!(numbers(&flow, instance)?, wanted, "{name}.{instance}");
    }
    end(&flow, sender, "north")
}
