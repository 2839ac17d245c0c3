//! Rows whose iterations hold tests, arms and loops of their own.

use core_c::{BinaryOperator, BlockId, ExpressionKind, LocalId, Terminator};

use super::build::{Build, expression};
use super::{Unrolling, folded, policy};

fn loops(build: Build) -> (usize, String) {
    folded(build.finish(), &policy(Unrolling::Fold))
}

/// `if (g(at) < n) goto gone;` and one element is encoded.
fn test_and_encode(build: &mut Build, at: i128, gone: BlockId) {
    let result = build.call("g", vec![build.number(at)]);
    let condition = build.less(build.read(result), build.read(build.n));
    build.branch(condition, gone);
    build.encode(at, 4 * at);
}

#[test]
fn an_error_exit_that_all_share_stays_one() {
    let mut build = Build::new();
    let gone = build.new_block();
    for at in 0..12 {
        test_and_encode(&mut build, at, gone);
    }
    build.give(build.number(1));
    build.block = gone;
    build.give(build.number(0));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches("return").count(), text.matches("bswap").count()), (1, 2, 1), "{text}");
    assert!(text.contains("i < 12"), "{text}");
}

#[test]
fn error_exits_that_are_alike_become_one() {
    let mut build = Build::new();
    for at in 0..12 {
        let gone = build.new_block();
        test_and_encode(&mut build, at, gone);
        let on = build.block;
        build.block = gone;
        build.give(build.number(100 + at));
        build.block = on;
    }
    build.give(build.number(1));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches("return").count()), (1, 2), "{text}");
    assert!(text.contains("return (int) i + 100"), "{text}");
}

#[test]
fn an_exit_of_another_kind_is_no_part_of_a_loop() {
    let mut build = Build::new();
    for at in 0..20 {
        let gone = build.new_block();
        test_and_encode(&mut build, at, gone);
        let on = build.block;
        build.block = gone;
        if at == 9 {
            build.call("g", vec![build.number(99)]);
        }
        build.give(build.number(0));
        build.block = on;
    }
    build.give(build.number(1));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches("return").count()), (2, 4), "{text}");
}

#[test]
fn what_the_exit_reads_of_an_iteration_keeps_them_apart() {
    let mut build = Build::new();
    let gone = build.new_block();
    let result = build.register("r", build.int);
    for at in 0..12 {
        let called = build.call("g", vec![build.number(at)]);
        build.assign(result, build.read(called));
        let condition = build.less(build.read(called), build.read(build.n));
        build.branch(condition, gone);
    }
    build.give(build.number(1));
    build.block = gone;
    // One register for all iterations: that is no trouble.
    build.give(build.read(result));
    let (count, text) = loops(build);
    assert_eq!(count, 1, "{text}");
}

/// `if (n < at) x = g(at); else x = n;`, then x is used.
fn arms(build: &mut Build, at: i128) -> LocalId {
    let (then, otherwise, on) = (build.new_block(), build.new_block(), build.new_block());
    let chosen = build.register("x", build.int);
    let condition = build.less(build.read(build.n), build.number(at));
    build.end(Terminator::Branch { condition, then, otherwise });
    build.block = then;
    let result = build.call("g", vec![build.number(at)]);
    build.assign(chosen, build.read(result));
    build.end(Terminator::Goto(on));
    build.block = otherwise;
    build.assign(chosen, build.read(build.n));
    build.end(Terminator::Goto(on));
    build.block = on;
    build.store(build.element(at), build.read(chosen));
    chosen
}

#[test]
fn arms_that_meet_again_are_folded_with_what_they_choose() {
    let mut build = Build::new();
    let mut last = build.n;
    for at in 0..12 {
        last = arms(&mut build, at);
    }
    build.give(build.read(last));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches("call").count()), (1, 1), "{text}");
}

#[test]
fn a_sum_over_arms_is_carried() {
    let mut build = Build::new();
    let mut sum = build.call("g", vec![build.number(0)]);
    for at in 0..12 {
        let (then, on) = (build.new_block(), build.new_block());
        let next = build.register("sum", build.int);
        let condition = build.less(build.read(build.n), build.number(at));
        build.end(Terminator::Branch { condition, then, otherwise: on });
        let before = build.block;
        // The other way around sets it, too.
        let both = build.new_block();
        build.function.blocks[before].end =
            Terminator::Branch { condition: build.less(build.read(build.n), build.number(at)), then, otherwise: both };
        build.block = both;
        build.assign(next, build.read(sum));
        build.end(Terminator::Goto(on));
        build.block = then;
        let mixed = expression(
            ExpressionKind::Binary(
                BinaryOperator::Xor,
                Box::new(build.read(sum)),
                Box::new(build.load(build.element(at))),
            ),
            build.int,
        );
        build.assign(next, mixed);
        build.end(Terminator::Goto(on));
        build.block = on;
        sum = next;
    }
    build.give(build.read(sum));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches('^').count()), (1, 1), "{text}");
    assert!(text.contains("i = 0"), "{text}");
}

#[test]
fn a_loop_of_unknown_length_is_part_of_an_iteration() {
    let mut build = Build::new();
    for row in 0..10 {
        let (head, body, on) = (build.new_block(), build.new_block(), build.new_block());
        let counter = build.set("j", build.number(0));
        build.end(Terminator::Goto(head));
        build.block = head;
        let condition = build.less(build.read(counter), build.read(build.n));
        build.end(Terminator::Branch { condition, then: body, otherwise: on });
        build.block = body;
        build.call("g", vec![build.number(row), build.read(counter)]);
        let next = build.add(build.read(counter), build.number(1));
        build.assign(counter, next);
        build.end(Terminator::Goto(head));
        build.block = on;
    }
    build.give(build.number(1));
    let (count, text) = loops(build);
    assert_eq!((count, text.matches("call").count()), (1, 1), "{text}");
}

#[test]
fn a_row_in_an_arm_is_found() {
    let mut build = Build::new();
    let (arm, on) = (build.new_block(), build.new_block());
    let condition = build.less(build.read(build.n), build.number(7));
    build.end(Terminator::Branch { condition, then: arm, otherwise: on });
    build.block = arm;
    for at in 0..12 {
        build.encode(at, 4 * at);
    }
    build.end(Terminator::Goto(on));
    build.block = on;
    for at in 0..12 {
        build.call("g", vec![build.number(at)]);
    }
    build.give(build.number(1));
    assert_eq!(loops(build).0, 2);
}

#[test]
fn a_row_inside_a_loop_of_the_function_is_found() {
    let mut build = Build::new();
    let first = build.set("old", build.number(3));
    let (head, body, on) = (build.new_block(), build.new_block(), build.new_block());
    let counter = build.set("j", build.number(0));
    build.end(Terminator::Goto(head));
    build.block = head;
    let condition = build.less(build.read(counter), build.read(build.n));
    build.end(Terminator::Branch { condition, then: body, otherwise: on });
    build.block = body;
    // What a register holds from the round before is not one iteration's own.
    let mut old = first;
    for at in 0..12 {
        build.call("g", vec![build.number(at), build.read(old)]);
        old = build.call("g", vec![build.number(at)]);
    }
    build.assign(first, build.read(old));
    let next = build.add(build.read(counter), build.number(1));
    build.assign(counter, next);
    build.end(Terminator::Goto(head));
    build.block = on;
    build.give(build.number(1));
    let (count, text) = loops(build);
    assert_eq!(count, 1, "{text}");
}

#[test]
fn computed_gotos_are_left_alone() {
    let mut build = Build::new();
    for at in 0..12 {
        build.encode(at, 4 * at);
    }
    let here = build.block;
    let ty = build.program.types.pointer_to(build.int);
    build.set("label", expression(ExpressionKind::Label(here), ty));
    build.give(build.number(1));
    let (mut program, id) = build.finish();
    assert_eq!(crate::reroll::reroll(&mut program, id, &policy(Unrolling::Fold)), []);
}
