//! Rows in one block.

use core_c::{BinaryOperator, ExpressionKind};

use super::build::{Build, expression};
use super::{Unrolling, check, folded, policy};

/// Encodes elements, then returns 1.
fn encoder(count: i128) -> Build {
    let mut build = Build::new();
    for at in 0..count {
        build.encode(at, 4 * at);
    }
    build.give(build.number(1));
    build
}

fn loops(build: Build) -> usize {
    folded(build.finish(), &policy(Unrolling::Fold)).0
}

#[test]
fn an_array_is_encoded_by_a_loop() {
    check(
        encoder(20).finish(),
        1,
        "b0:
    i = 0
    goto b1
b1:
    if i < 20 goto b2 else b3
b2:
    %44 = (*a)[i]
    %45 = call __builtin_bswap32(%44)
    store *((unsigned int *) (buf + (4 * i) elements)) = (unsigned int) %45
    i = i + 1
    goto b1
b3:
    return 1
",
    );
}

#[test]
fn the_policy_decides() {
    let text = |unrolling, count| folded(encoder(count).finish(), &policy(unrolling));
    assert_eq!(text(Unrolling::Keep, 20).0, 0);
    assert_eq!(text(Unrolling::Fold, 7).0, 0, "too few iterations");
    assert_eq!(text(Unrolling::Fold, 8).0, 1);
    assert_eq!(text(Unrolling::Chunk(30), 40).0, 0, "there is but one whole chunk");
    let (count, chunked) = text(Unrolling::Chunk(4), 22);
    assert_eq!(count, 1);
    assert!(chunked.contains("if i < 5 goto"), "{chunked}");
    assert!(chunked.contains("(*a)[(4 * i) + 3]"), "{chunked}");
    assert!(chunked.contains("(*a)[21]"), "the rest stays as it is: {chunked}");
}

#[test]
fn the_counter_starts_where_most_constants_need_no_offset() {
    let mut build = Build::new();
    for at in 3..20 {
        build.encode(at, 4 * at);
    }
    build.give(build.number(1));
    let (_, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert!(text.contains("i = 3") && text.contains("i < 20") && text.contains("(4 * i) elements"), "{text}");
}

#[test]
fn a_row_may_run_downwards() {
    let mut build = Build::new();
    for at in 0..10 {
        let value = build.load(build.element(9 - at));
        let loaded = build.set("", value);
        let value = build.convert(build.read(loaded), build.unsigned);
        let place = build.word(36 - 4 * at);
        build.store(place, value);
    }
    build.give(build.number(1));
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!(count, 1);
    assert!(text.contains("(*a)[9 - i]"), "{text}");
}

#[test]
fn a_gap_in_the_progression_makes_two_loops() {
    let mut build = Build::new();
    for at in 0..30 {
        build.encode(at, 4 * at + if at < 15 { 0 } else { 4 });
    }
    build.give(build.number(1));
    assert_eq!(loops(build), 2);
}

#[test]
fn a_call_in_between_ends_a_run() {
    let mut build = Build::new();
    for at in 0..14 {
        build.encode(at, 4 * at);
        if at == 9 {
            build.call("g", vec![build.number(1)]);
        }
    }
    build.give(build.number(1));
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!(count, 1, "four are too few");
    assert!(text.contains("(*a)[13]"), "{text}");
}

#[test]
fn what_a_later_statement_reads_is_the_last_iterations() {
    let mut build = Build::new();
    let mut last = build.n;
    for at in 0..10 {
        last = build.call("g", vec![build.number(at)]);
    }
    build.give(build.read(last));
    check(
        build.finish(),
        1,
        "b0:
    i = 0
    goto b1
b1:
    if i < 10 goto b2 else b3
b2:
    %14 = call g(i)
    i = i + 1
    goto b1
b3:
    %12 = %14
    return %12
",
    );
}

#[test]
fn what_is_needed_of_every_iteration_keeps_them_apart() {
    let mut build = Build::new();
    let results: Vec<_> = (0..10).map(|at| build.call("g", vec![build.number(at)])).collect();
    let mut all = build.number(0);
    for result in results {
        all = expression(
            ExpressionKind::Binary(BinaryOperator::Xor, Box::new(all), Box::new(build.read(result))),
            build.int,
        );
    }
    build.give(all);
    assert_eq!(loops(build), 0);
}

#[test]
fn a_register_that_is_read_later_cuts_the_run_in_two() {
    let mut build = Build::new();
    let results: Vec<_> = (0..24).map(|at| build.call("g", vec![build.number(at)])).collect();
    let (early, late) = (build.read(results[3]), build.read(results[13]));
    let sum = expression(ExpressionKind::Binary(BinaryOperator::Xor, Box::new(early), Box::new(late)), build.int);
    build.give(sum);
    // 0 to 3 stay, 4 to 13 and 14 to 23 are loops.
    assert_eq!(loops(build), 2);
}

#[test]
fn pointers_that_move_on_become_one_that_does() {
    let mut build = Build::new();
    let mut pointer = build.buf;
    for at in 0..12 {
        let place = build.word_at(build.read(pointer), 0);
        let value = build.convert(build.number(7 * at), build.unsigned);
        build.store(place, value);
        let next = build.moved(build.read(pointer), 4);
        pointer = build.set("p", next);
    }
    let place = build.word_at(build.read(pointer), 0);
    let end = build.convert(build.number(-1), build.unsigned);
    build.store(place, end);
    build.give(build.number(1));
    check(
        build.finish(),
        1,
        "b0:
    p%16 = buf
    i = 0
    goto b1
b1:
    if i < 12 goto b2 else b3
b2:
    store *((unsigned int *) p%16) = (unsigned int) (7 * i)
    p%17 = p%16 + 4 elements
    p%16 = p%17
    i = i + 1
    goto b1
b3:
    p%14 = p%17
    store *((unsigned int *) p%14) = (unsigned int) -1
    return 1
",
    );
}

#[test]
fn values_that_pass_through_two_iterations_stay_right() {
    let mut build = Build::new();
    let (mut one, mut two) = (build.n, build.n);
    for _ in 0..12 {
        let sum = expression(
            ExpressionKind::Binary(
                BinaryOperator::Xor,
                Box::new(build.read(one)),
                Box::new(build.add(build.read(two), build.number(1))),
            ),
            build.int,
        );
        (one, two) = (two, build.set("s", sum));
        build.call("g", vec![build.read(two)]);
    }
    build.give(build.read(one));
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!(count, 1, "{text}");
}

#[test]
fn the_order_of_loads_and_stores_is_kept() {
    // a[k + 1] = a[k]: the first value goes all the way.
    let mut build = Build::new();
    for at in 0..16 {
        let value = build.load(build.element(at));
        build.store(build.element(at + 1), value);
    }
    build.give(build.number(1));
    check(
        build.finish(),
        1,
        "b0:
    i = 0
    goto b1
b1:
    if i < 16 goto b2 else b3
b2:
    store (*a)[i + 1] = (*a)[i]
    i = i + 1
    goto b1
b3:
    return 1
",
    );
}

#[test]
fn numbers_that_no_type_holds_are_left_alone() {
    let mut build = Build::new();
    for at in 0..10 {
        let value = expression(ExpressionKind::Integer(if at % 2 == 0 { -(1 << 62) } else { 1 << 62 }), build.long);
        let value = build.convert(value, build.int);
        build.call("g", vec![value, build.number((at - 5) * 0x1999_9999)]);
    }
    build.give(build.number(1));
    assert_eq!(loops(build), 0, "alternating values grow by no stride");
    let mut build = Build::new();
    for at in 0..9 {
        build.call("g", vec![build.number((at - 4) * 0x1fff_ffff)]);
    }
    build.give(build.number(1));
    // From end to end of `int`: computed in `long`.
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!(count, 1);
    assert!(text.contains("(int) ((536870911 * (long) i) - 2147483644)"), "{text}");
}

#[test]
fn a_function_that_returns_twice_is_never_in_a_loop() {
    let mut build = Build::new();
    for at in 0..10 {
        build.call("setjmp", vec![build.number(at)]);
    }
    build.give(build.number(1));
    assert_eq!(loops(build), 0);
}

#[test]
fn what_builtins_are_given_stays_constant() {
    let mut build = Build::new();
    for at in 0..10 {
        build.call("__builtin_bswap32", vec![build.number(at)]);
    }
    build.give(build.number(1));
    assert_eq!(loops(build), 0);
}

#[test]
fn rows_of_rows_become_loops_in_loops() {
    let mut build = Build::new();
    for row in 0..9 {
        build.call("g", vec![build.number(row)]);
        for column in 0..10 {
            build.encode(100 * row + column, 4 * (10 * row + column));
        }
    }
    build.give(build.number(1));
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!(count, 10, "{text}");
    assert_eq!(text.matches("bswap").count(), 1, "{text}");
}

#[test]
fn short_rows_stay_unrolled_in_the_loop_around_them() {
    let mut build = Build::new();
    for row in 0..9 {
        for column in 0..4 {
            build.encode(4 * row + 5 * column, 4 * (4 * row + column));
        }
    }
    build.give(build.number(1));
    let (count, text) = folded(build.finish(), &policy(Unrolling::Fold));
    assert_eq!((count, text.matches("bswap").count()), (1, 4), "{text}");
}
