//! The protocol of an edge, checked in every state that it can come to (`docs/edge-protocol.md`): crashes of either side
//! between any two steps, cut connections, a second sender, a receiver that comes late. And faults that are built in are found.

mod model;
mod search;

use model::{Edge, Seeded};
use search::{Found, search};

fn small(seeded: Seeded) -> Edge {
    Edge { senders: 1, packets: 3, queue: 2, deaths: 2, cuts: 1, seeded }
}

fn two(seeded: Seeded) -> Edge {
    Edge { senders: 2, packets: 2, queue: 1, deaths: 1, cuts: 1, seeded }
}

fn told(found: &Found) -> String {
    let (why, steps) = found.fault.clone().unwrap_or_default();
    format!("{why}, after\n  {}", steps.join("\n  "))
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is what the test says")]
fn the_account_is_right_in_every_state_and_the_end_is_always_reached() {
    for (what, edge) in [("one sender", small(Seeded::None)), ("two senders", two(Seeded::None))] {
        let found = search(&edge);
        assert!(found.fault.is_none(), "{what}: {}", told(&found));
        assert!(found.states > 10_000, "{what}: {} states are too few to be all", found.states);
        eprintln!("the protocol of an edge, {what}: {} states", found.states);
    }
}

#[test]
fn faults_that_are_built_in_are_found() {
    let alone = [
        Seeded::SendsAgain,
        Seeded::AnswersEarly,
        Seeded::ForgetsUnmet,
        Seeded::ForgetsSkipped,
        Seeded::ForgetsHand,
        Seeded::NoCredit,
        Seeded::EndSaidOnce,
        Seeded::NumbersFaulty,
        Seeded::SettlesTwice,
    ];
    for seeded in alone {
        assert!(search(&small(seeded)).fault.is_some(), "{seeded:?} is not found");
    }
    assert!(search(&two(Seeded::NoLease)).fault.is_some(), "an edge with two senders is not found");
}
