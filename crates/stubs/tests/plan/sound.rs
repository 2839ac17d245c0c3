//! Every combination of passes keeps what must always hold: each byte checked for before it is touched, none checked
//! for that is not, variables defined, calls resolved.

use std::collections::BTreeSet;

use stubs::encodings::Encoding;
use stubs::passes;
use stubs::plan::{Direction, Op, Plan, RoutineId, text, verify};

use crate::inputs::{Input, Way, optional_passes, ours, own, presented, theirs};

/// Fails at the first pass after which a rule is broken.
fn holds(input: &Input, off: &[String]) {
    holds_for(input, &input.encoding(), off);
}

fn holds_for(input: &Input, encoding: &dyn Encoding, off: &[String]) {
    let mut after = |pass: &str, plan: &Plan| {
        let findings = verify(plan, encoding);
        let messages: Vec<&str> = findings.iter().take(5).map(|finding| finding.message.as_str()).collect();
        assert!(findings.is_empty(), "{} after {pass}, without {off:?}: {messages:#?}", input.name);
    };
    let plan = input.lowered_for(encoding);
    after("lower", &plan);
    if off.is_empty() {
        passes::optimize(internal(plan.clone()), off, &mut after);
    }
    passes::optimize(plan, off, &mut after);
}

/// The plan of which only the routines of the last type are wanted.
fn internal(mut plan: Plan) -> Plan {
    let last = plan.order.last().cloned();
    for (id, routine) in &mut plan.routines {
        routine.is_internal = Some(&id.name) != last.as_ref();
    }
    plan
}

fn calls(body: &[Op]) -> usize {
    let own = |op: &Op| usize::from(matches!(op, Op::Call { .. })) + op.bodies().into_iter().map(calls).sum::<usize>();
    body.iter().map(own).sum()
}

/// The calls that are left in the routine of `whole` that encodes.
fn calls_left(text: &str) -> usize {
    let input = presented("one_place", text, Way::Plain).expect("a good interface");
    holds(&input, &[]);
    let plan = passes::optimize(internal(input.lowered()), &[], &mut |_, _| ());
    calls(&plan.routine("whole", Direction::Encode).expect("it is there").body)
}

/// A structure of so many texts, too heavy to be copied.
fn heavy(name: &str) -> String {
    let texts: String = (0..40).map(|member| format!("string s{member}<>; ")).collect();
    format!("struct {name} {{ {texts}}};\n")
}

#[test]
fn routines_in_one_place_go_there_whatever_they_weigh() {
    assert_eq!(calls_left(&format!("{}struct whole {{ int a; heavy one; }};", heavy("heavy"))), 0);
    assert_eq!(calls_left(&format!("{}struct whole {{ heavy one; heavy two; }};", heavy("heavy"))), 2);
    // Types that nobody needs count for nothing.
    let unused = "struct unused { heavy one; heavy two; };";
    assert_eq!(calls_left(&format!("{}{unused} struct whole {{ heavy one; }};", heavy("heavy"))), 0);
    // What contains itself is called.
    let list = format!("{}struct tree {{ heavy at; tree *left; tree *right; }};", heavy("heavy"));
    assert_eq!(calls_left(&format!("{list} struct whole {{ tree one; }};")), 1);
}

#[test]
fn routines_become_neither_too_deep_nor_too_long() {
    let links: String = (1..100).map(|n| format!("struct s{n} {{ int at; s{} *more; }};\n", n - 1)).collect();
    assert_eq!(calls_left(&format!("struct s0 {{ int at; }};\n{links}struct whole {{ s99 one; }};")), 1);
    let (many, members) = (0..40).fold((String::new(), String::new()), |(many, members), n| {
        (many + &heavy(&format!("heavy{n}")), members + &format!("heavy{n} m{n}; "))
    });
    assert!(calls_left(&format!("{many}struct whole {{ {members}}};")) >= 30);
}

#[test]
fn no_pass_breaks_a_rule_under_cdr() {
    for input in ours() {
        for encoding in input.cdr() {
            holds_for(input, &encoding, &[]);
            holds_for(input, &encoding, &optional_passes());
        }
    }
    for path in ["tests/stubs/cdr/kinds.x", "tests/compat/everything.x"] {
        let (input, optional) = (own(path), optional_passes());
        for set in 0..1u32 << optional.len() {
            let off = optional.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, name)| name.clone());
            let off: Vec<String> = off.collect();
            input.cdr().iter().for_each(|encoding| holds_for(&input, encoding, &off));
        }
    }
}

#[test]
fn no_pass_breaks_a_rule() {
    for input in ours().iter().chain(theirs()) {
        holds(input, &[]);
    }
}

#[test]
fn no_pass_needs_another_that_can_be_switched_off() {
    let optional = optional_passes();
    for input in ours() {
        for name in &optional {
            holds(input, std::slice::from_ref(name));
        }
    }
    for input in ours().iter().chain(theirs()) {
        holds(input, &optional);
    }
}

#[test]
fn every_combination_of_passes_is_sound() {
    let optional = optional_passes();
    for path in ["tests/compat/everything.x", "tests/safety/duties.x"] {
        let input = own(path);
        for set in 0..1u32 << optional.len() {
            let off = optional.iter().enumerate().filter(|(at, _)| set >> at & 1 == 1).map(|(_, name)| name.clone());
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

/// The plan with its `at`th check changed to another size; `None` when there are fewer.
fn with_check(plan: &Plan, at: usize, size: u64) -> Option<Plan> {
    fn change(body: Vec<Op>, left: &mut usize, size: u64) -> Vec<Op> {
        let change_one = |op: Op| match op {
            Op::Ensure(_) | Op::Text { .. } if *left == 0 => {
                *left = usize::MAX;
                match op {
                    Op::Text { place, counted, length, bound, align, .. } => {
                        Op::Text { place, counted, length, bound, align, more: size }
                    }
                    _ => Op::Ensure(size),
                }
            }
            Op::Ensure(_) | Op::Text { .. } => {
                *left -= 1;
                op
            }
            op => op.map_bodies(&mut |body| change(body, left, size)),
        };
        body.into_iter().map(change_one).collect()
    }
    let (mut plan, mut left) = (plan.clone(), at);
    for routine in plan.routines.values_mut() {
        routine.body = change(std::mem::take(&mut routine.body), &mut left, size);
    }
    (left > usize::MAX / 2).then_some(plan)
}

#[test]
fn no_check_can_be_changed_unseen() {
    let input = own("tests/stubs/passes/checks_meet.x");
    let plan = passes::optimize(input.lowered(), &[], &mut |_, _| {});
    let changed: Vec<Plan> = (0..).map_while(|at| with_check(&plan, at, 4092)).collect();
    assert!(changed.len() > 8, "only {} checks", changed.len());
    for plan in changed {
        assert!(!verify(&plan, &input.encoding()).is_empty(), "{}", text::print(&plan));
    }
}

/// Decoding what nests without end fails at some depth, and encoding is no deeper than its value.
#[test]
fn every_cycle_of_calls_passes_through_a_marked_routine() {
    fn calls(body: &[Op], found: &mut Vec<String>) {
        for op in body {
            if let Op::Call { routine, .. } = op {
                found.push(routine.clone());
            }
            op.bodies().into_iter().for_each(|body| calls(body, found));
        }
    }
    for input in ours() {
        let plan = passes::optimize(input.lowered(), &[], &mut |_, _| {});
        // Routines fall away whose unmarked callees have all fallen away; what is left stands in cycles.
        let mut left: Vec<_> = plan.routines.iter().filter(|(_, routine)| !routine.is_recursive).collect();
        loop {
            let names: BTreeSet<_> = left.iter().map(|(id, _)| (*id).clone()).collect();
            left.retain(|(id, routine)| {
                let mut called = Vec::new();
                calls(&routine.body, &mut called);
                called.into_iter().any(|name| names.contains(&RoutineId { name, direction: id.direction }))
            });
            if left.len() == names.len() {
                break;
            }
        }
        let names: Vec<_> = left.iter().map(|(id, _)| id).collect();
        assert!(names.is_empty(), "{}: {names:?}", input.name);
    }
}
