//! Every combination of passes keeps what must always hold: each byte checked for before it is touched, none checked
//! for that is not, variables defined, calls resolved.

use stubs::passes;
use stubs::plan::{Plan, verify};

use crate::inputs::{Input, Way, all, optional_passes, own, presented};

/// Fails at the first pass after which a rule is broken.
fn holds(input: &Input, off: &[String]) {
    let mut after = |pass: &str, plan: &Plan| {
        let findings = verify(plan, &input.encoding());
        let messages: Vec<&str> = findings
            .iter()
            .take(5)
            .map(|finding| finding.message.as_str())
            .collect();
        assert!(
            findings.is_empty(),
            "{} after {pass}, without {off:?}: {messages:#?}",
            input.name
        );
    };
    let plan = input.lowered();
    after("lower", &plan);
    passes::optimize(plan, off, &mut after);
}

#[test]
fn no_pass_breaks_a_rule() {
    for input in all() {
        holds(&input, &[]);
    }
}

#[test]
fn no_pass_needs_another_that_can_be_switched_off() {
    let optional = optional_passes();
    for input in all() {
        for name in &optional {
            holds(&input, std::slice::from_ref(name));
            let others: Vec<String> = optional.iter().filter(|other| *other != name).cloned().collect();
            holds(&input, &others);
        }
        holds(&input, &optional);
    }
}

#[test]
fn every_combination_of_passes_is_sound() {
    let optional = optional_passes();
    for path in ["tests/compat/everything.x", "tests/safety/duties.x"] {
        let input = own(path);
        for set in 0..1u32 << optional.len() {
            let off = optional
                .iter()
                .enumerate()
                .filter(|(at, _)| set >> at & 1 == 1)
                .map(|(_, name)| name.clone());
            holds(&input, &off.collect::<Vec<_>>());
        }
    }
}

/// `item` is also what a loop calls its item.
#[test]
fn members_may_be_called_as_loops_call_their_variables() {
    let text = "struct inner { int items<>; int *i; string item<>; short i_count<>; };
                struct outer { inner a; inner b; };
                struct outermost { outer items<>; inner item[2]; };";
    let input = presented("items", text, Way::Plain).expect("a good interface");
    holds(&input, &[]);
}
