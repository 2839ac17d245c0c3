//! The text form reads back as what was written.

use proptest::prelude::*;
use stubs::passes;
use stubs::plan::{Plan, text};

use crate::arbitrary::plans;
use crate::inputs::{ours, theirs};

/// What is first different, for people.
fn difference(written: &str, plan: &Plan) -> Option<String> {
    let (read, errors) = text::parse(written);
    if !errors.is_empty() {
        return Some(format!("{errors:#?}"));
    }
    if &read == plan {
        return None;
    }
    let pairs = plan.routines.iter().zip(&read.routines).find(|(left, right)| left != right);
    Some(format!("{pairs:#?}"))
}

/// After each pass that changed anything.
fn read_back_throughout(name: &str, plan: Plan) {
    let mut last = String::new();
    let mut after = |pass: &str, plan: &Plan| {
        let written = text::print(plan);
        if written != last {
            assert_eq!(difference(&written, plan), None, "{name} after {pass}");
            last = written;
        }
    };
    after("lower", &plan);
    passes::optimize(plan, &[], &mut after);
}

#[test]
fn plans_read_back_before_and_after_every_pass() {
    ours().iter().for_each(|input| read_back_throughout(&input.name, input.lowered()));
}

/// One byte order: the other's accesses are written the same way.
#[test]
fn plans_of_cdr_read_back_before_and_after_every_pass() {
    for input in ours() {
        let [host, ..] = input.cdr();
        read_back_throughout(&input.name, input.lowered_for(&host));
    }
}

#[test]
fn plans_of_what_others_wrote_read_back() {
    for input in theirs() {
        let plan = passes::optimize(input.lowered(), &[], &mut |_, _| {});
        assert_eq!(difference(&text::print(&plan), &plan), None, "{}", input.name);
    }
}

proptest! {
    #[test]
    fn plans_that_nobody_would_make_read_back(plan in plans()) {
        let written = text::print(&plan);
        prop_assert_eq!(difference(&written, &plan), None, "{}", written);
    }

    #[test]
    fn any_text_is_read_without_panic(
        text in "(\\((routine a encode|chunk 4|local|copy|items i|loop i|text|switch|arm|places|order32) ?){0,5}[()a-z@*.\\[\\] 0-9]{0,40}"
    ) {
        let _ = text::parse(&text);
    }
}

#[test]
fn what_makes_no_sense_is_said_with_the_form() {
    let (plan, errors) = text::parse("(routine a encode (chunk 4 (int32 v*.x @0)) (chunk 4 (flag v*.y @0)) (jump 4))");
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "no operation looks so, or a type is not known: (chunk 4 (flag v*.y @0))",
            "no operation looks so, or a type is not known: (jump 4)"
        ]
    );
    assert_eq!(plan.routines.values().map(|routine| routine.body.len()).sum::<usize>(), 1);
}
