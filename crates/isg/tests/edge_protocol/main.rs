//! The protocol of an edge, checked in every state that it can come to (`docs/edge-protocol.md`): crashes of either side
//! between any two steps, cut connections, a second sender, a receiver that comes late. And faults that are built in are found.

mod model;
mod replay;
mod search;
mod storms;

use model::{Edge, Seeded};
use search::{Found, search};
use storms::Fault;

fn small(seeded: Seeded) -> Edge {
    Edge {
        senders: 1,
        packets: 3,
        queue: 2,
        deaths: 2,
        cuts: 1,
        keeps: true,
        drops: false,
        is_shared: false,
        is_subscription: false,
        leaves: 0,
        others: 1,
        seeded,
    }
}

fn two(seeded: Seeded) -> Edge {
    Edge { senders: 2, packets: 2, queue: 1, deaths: 1, cuts: 1, ..small(seeded) }
}

/// A channel's edge: a subscriber leaves, and another comes.
fn subscription() -> Edge {
    Edge { packets: 2, queue: 1, deaths: 1, cuts: 0, leaves: 1, is_subscription: true, ..small(Seeded::None) }
}

/// Nothing that has gone is kept, and packets are dropped.
fn best_effort() -> Edge {
    Edge { packets: 2, deaths: 1, keeps: false, drops: true, ..small(Seeded::None) }
}

fn described(found: &Found) -> String {
    let (why, steps) = found.fault.clone().unwrap_or_default();
    format!("{why}, after\n  {}", steps.join("\n  "))
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is what the test says")]
fn the_account_is_right_in_every_state_and_the_end_is_always_reached() {
    for (what, edge) in [
        ("one sender", small(Seeded::None)),
        ("two senders", two(Seeded::None)),
        ("best effort", best_effort()),
        ("subscription", subscription()),
    ] {
        let found = search(&edge);
        assert!(found.fault.is_none(), "{what}: {}", described(&found));
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
        Seeded::LeavesPending,
        Seeded::NumbersFaulty,
        Seeded::SettlesTwice,
    ];
    for seeded in alone {
        assert!(search(&small(seeded)).fault.is_some(), "{seeded:?} is not found");
    }
    assert!(search(&two(Seeded::NoLease)).fault.is_some(), "an edge with two senders is not found");
}

/// A seed of the storms.
fn seed() -> u64 {
    std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is what the test says")]
fn the_c_does_what_the_model_allows_in_storms() {
    let storm = storms::built(None).unwrap();
    for transport in ["tcp", "unix", "shm"] {
        let steps = storms::follows(&storm, transport, seed()).unwrap().unwrap();
        assert!(steps > 50, "{transport}: {steps} steps are too few");
        eprintln!("storms over {transport}: {steps} steps, all of the protocol's");
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is what the test says")]
fn channels_do_what_the_model_allows_in_storms() {
    let storm = storms::made("channel_storm_test").unwrap();
    let steps = storms::follows(&storm, "all", seed()).unwrap().unwrap();
    assert!(steps > 50, "{steps} steps are too few");
    eprintln!("storms over channels: {steps} steps, all of the protocol's");
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is what the test says")]
fn edges_of_one_socket_do_what_the_model_allows() {
    let storm = storms::made("socket_test").unwrap();
    let steps = storms::follows(&storm, "all", seed()).unwrap().unwrap();
    assert!(steps > 50, "{steps} steps are too few");
    eprintln!("edges of one socket: {steps} steps, all of the protocol's");
}

const FAULTS: [Fault; 5] = [
    Fault {
        name: "sends_what_came",
        file: "resume.c",
        from: "(came > link->retained.count && !whittle_flow_find(link, came, &place))",
        to: "(came > link->retained.count && !whittle_flow_find(link, came, &place)) || (place = link->retained).count > came",
    },
    Fault {
        name: "exceeds_its_queue",
        file: "write.c",
        from: "return open < link->queue_items ? link->queue_items - open : 0;",
        to: "return open < link->queue_items + 9 ? link->queue_items + 9 - open : 0;",
    },
    Fault {
        name: "forgets_a_loss",
        file: "resume.c",
        from: "whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, unknown);",
        to: "whittle_flow_count(link, WHITTLE_FLOW_UNKNOWN, unknown > 0 ? unknown - 1 : 0);",
    },
    Fault {
        name: "answers_with_less",
        file: "fill.c",
        from: "answer.count = htole64(whittle_flow_ledger_taken(link->page));",
        to: "answer.count = htole64(whittle_flow_ledger_taken(link->page) / 2);",
    },
    Fault {
        name: "forgets_what_is_skipped",
        file: "take.c",
        from: "whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED) + count - taken",
        to: "whittle_flow_counter(page, WHITTLE_FLOW_SKIPPED)",
    },
];

#[test]
#[expect(clippy::print_stderr, reason = "which step is the first that is none is what the test says")]
fn faults_in_the_c_are_found_by_their_first_step() {
    for fault in &FAULTS {
        let storm = storms::built(Some(fault)).unwrap();
        let found = (1..=3).find_map(|seed| storms::follows(&storm, "unix", seed).ok()?.err());
        eprintln!("{}: {}", fault.name, found.unwrap_or_else(|| panic!("{} is not found", fault.name)));
    }
}
