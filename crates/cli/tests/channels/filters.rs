//! Filters: each subscriber gets the packets that it wants and no other, in order and without a gap, over each transport and in
//! each encoding, of the history, too; what it does not want stands in the account. Sources in `tests/flows/filter`.

use filetest::programs::Outcome;
use filetest::scratch::Scratch;

use super::run::{Flow, end};
use super::subscribers::{
    Subscribers, Wants, accounts_balance, each_gets_the_history, each_got_what_it_wants, run_all,
};

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

const FLOWS: [(&str, &Subscribers); 3] = [("readings", &READINGS), ("paints", &PAINTS), ("counts", &COUNTS)];

/// Built once: building takes longer than all else.
#[test]
fn filters() -> Outcome {
    let programs = Flow::build("filter")?;
    for (flow, subscribers) in FLOWS {
        each_gets_what_it_wants(&programs, flow, subscribers)?;
        each_gets_the_history(&programs, flow, subscribers)?;
    }
    Ok(())
}

fn each_gets_what_it_wants(programs: &Scratch, name: &'static str, subscribers: &Subscribers) -> Outcome {
    let flow = Flow::new(programs, name)?;
    let sender = flow.begin("north", "north", &[])?;
    run_all(&flow, programs.path(), subscribers, "200")?;
    end(&flow, sender, "north")?;
    each_got_what_it_wants(&flow, subscribers, |_| true)?;
    accounts_balance(&flow, |edge, counts| {
        assert!(counts[6] > 0 || edge.ends_with("all.r"), "{edge}: nothing was filtered");
    })
}
