//! Rows that copy, as calls of routines that copy.

use core_c::Place;

use super::build::Build;
use super::{APART, Policy, Unrolling, interpret};
use crate::reroll::{Bulk, FoldedKind, reroll};

fn policy(build: &Build, apart: bool) -> Policy {
    let apart = if apart { vec![(build.array, build.buf)] } else { Vec::new() };
    let (copy, swap32) = (Some(build.named("memcpy")), Some(build.named("whittle_order32")));
    Policy { unrolling: Unrolling::Fold, bulk: Bulk { copy, swap32, swap64: None, apart }, ..Policy::default() }
}

/// The kinds of what is folded, after a look at the memory that the function leaves.
fn kinds(mut build: Build, apart: bool) -> (Vec<FoldedKind>, String) {
    build.give(build.number(1));
    let policy = policy(&build, apart);
    let (mut program, id) = build.finish();
    let before = interpret::run(&program, id, &APART);
    let folded = reroll(&mut program, id, &policy);
    let text = core_c::dump_function(&program, &program.functions[id]);
    assert_eq!(core_c::verify_function(&program, id), [], "{text}");
    let after = interpret::run(&program, id, &APART);
    assert_eq!((after.memory, after.result), (before.memory, before.result), "{text}");
    (folded.into_iter().map(|one| one.kind).collect(), text)
}

fn encoder(count: i128) -> Build {
    let mut build = Build::new();
    for at in 0..count {
        build.encode(at, 4 * at);
    }
    build
}

/// `place = value`, with what the value's type needs.
fn copy(build: &mut Build, to: Place, from: Place) {
    let value = build.load(from);
    let ty = to.ty;
    let value = if value.ty == ty { value } else { build.convert(value, ty) };
    build.store(to, value);
}

#[test]
fn an_array_in_network_order_is_one_call() {
    let (kinds, text) = kinds(encoder(20), true);
    assert_eq!(kinds, [FoldedKind::Swap32]);
    assert!(text.contains("call whittle_order32((void *) buf, (void *) &(*a)[0], 20)"), "{text}");
}

#[test]
fn words_that_may_overlap_are_reversed_one_after_the_other() {
    assert_eq!(kinds(encoder(20), false).0, [FoldedKind::Swap32]);
}

#[test]
fn an_array_copied_as_it_stands_is_one_call() {
    let mut build = Build::new();
    for at in 0..20 {
        let (to, from) = (build.word(8 + 4 * at), build.element(at));
        copy(&mut build, to, from);
    }
    let (kinds, text) = kinds(build, true);
    assert_eq!(kinds, [FoldedKind::Copy]);
    assert!(text.contains(", 80)"), "{text}");
}

#[test]
fn parts_of_one_object_are_apart_where_no_byte_is_shared() {
    let shift = |by: i128| {
        let mut build = Build::new();
        for at in 0..20 {
            let (to, from) = (build.element(at + by), build.element(at));
            copy(&mut build, to, from);
        }
        kinds(build, false).0
    };
    assert_eq!(shift(20), [FoldedKind::Copy]);
    assert_eq!(shift(19), [FoldedKind::Loop]);
    assert_eq!(shift(-19), [FoldedKind::Loop]);
}

#[test]
fn gaps_are_not_copied() {
    let mut build = Build::new();
    for at in 0..20 {
        let (to, from) = (build.word(4 * at), build.element(2 * at));
        copy(&mut build, to, from);
    }
    assert_eq!(kinds(build, true).0, [FoldedKind::Loop]);
}

#[test]
fn a_word_turned_with_shifts_is_turned_all_the_same() {
    use core_c::{BinaryOperator, ExpressionKind};
    let mut build = Build::new();
    for at in 0..20 {
        let value = build.load(build.element(at));
        let value = build.convert(value, build.unsigned);
        let word = build.set("w", value);
        let part = |build: &Build, operator, by: i128, mask: i128| {
            let constant = |value| super::build::expression(ExpressionKind::Integer(value), build.unsigned);
            let make = |operator, left, right| {
                super::build::expression(
                    ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
                    build.unsigned,
                )
            };
            make(BinaryOperator::And, make(operator, build.read(word), constant(by)), constant(mask))
        };
        let or = |left, right| {
            let ty = build.unsigned;
            super::build::expression(ExpressionKind::Binary(BinaryOperator::Or, Box::new(left), Box::new(right)), ty)
        };
        let high = or(
            part(&build, BinaryOperator::ShiftLeft, 24, 0xff00_0000),
            part(&build, BinaryOperator::ShiftLeft, 8, 0xff_0000),
        );
        let low =
            or(part(&build, BinaryOperator::ShiftRight, 8, 0xff00), part(&build, BinaryOperator::ShiftRight, 24, 0xff));
        let value = or(high, low);
        let place = build.word(4 * at);
        build.store(place, value);
    }
    assert_eq!(kinds(build, true).0, [FoldedKind::Swap32]);
}

#[test]
fn copies_in_rows_are_calls_in_a_loop() {
    let mut build = Build::new();
    for row in 0..9 {
        for column in 0..10 {
            build.encode(100 * row + column, 4 * (10 * row + column));
        }
    }
    let (kinds, text) = kinds(build, true);
    assert_eq!((kinds.len(), kinds[9]), (10, FoldedKind::Loop));
    assert_eq!(text.matches("call").count(), 1, "{text}");
}
