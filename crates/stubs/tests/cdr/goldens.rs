//! Plans under CDR, as lowered, after `alignment` and after all passes: `tests/stubs/cdr/plans.x` and `plans.plan` beside it.

use std::fmt::Write;

use filetest::golden::{self, Golden};
use stubs::encodings::{ByteOrder, Cdr};
use stubs::plan::{Direction, Plan, text};
use stubs::{lower, passes};

use crate::inputs::{presented, root};

const BLESS: &str = "BLESS=1 cargo test -p stubs --test cdr";

/// The routines of a plan in one direction.
fn shown(plan: &Plan, direction: Direction) -> String {
    let mut part = Plan::default();
    let routines = plan.routines.iter().filter(|(id, _)| id.direction == direction);
    part.routines.extend(routines.map(|(id, routine)| (id.clone(), routine.clone())));
    // The order of the types comes first, and is none here.
    text::print(&part).lines().skip(1).map(|line| format!("{line}\n")).collect()
}

#[test]
fn alignments_come_to_what_they_should() {
    let folder = root().join("tests/stubs/cdr");
    let input = std::fs::read_to_string(folder.join("plans.x")).expect("the types");
    let pres = presented("plans.x", &input);
    let mut found = String::new();
    for (order, name) in [(ByteOrder::Host, "the machine's order"), (ByteOrder::Swapped, "the other order")] {
        let plan = lower::lower(&pres, &Cdr { order, ..Cdr::default() }, false);
        let direction = if order == ByteOrder::Host { Direction::Encode } else { Direction::Decode };
        let _ = writeln!(found, "; {name}, lowered\n{}", shown(&plan, direction));
        let mut after = |pass: &str, plan: &Plan| {
            if pass == "alignment" {
                let _ = writeln!(found, "; {name}, after alignment\n{}", shown(plan, direction));
            }
        };
        let plan = passes::optimize(plan, &[], &mut after);
        let _ = writeln!(found, "; {name}, after all passes\n{}", shown(&plan, direction));
    }
    let golden = Golden {
        input: folder.join("plans.x"),
        expectation: folder.join("plans.plan"),
        kind: "plan".to_string(),
        options: Vec::new(),
    };
    if let Err(problem) = golden::check(&golden, &found, BLESS) {
        panic!("{}", problem.message().unwrap_or("the expectation cannot be read"));
    }
}
