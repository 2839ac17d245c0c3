//! Each rule finds what breaks it.

use stubs::encodings::Xdr;
use stubs::plan::{text, verify};

/// The codes of what is found in a decoder with this body, and one release routine beside it.
fn decoding(body: &str) -> Vec<&'static str> {
    codes("decode", body)
}

fn codes(direction: &str, body: &str) -> Vec<&'static str> {
    let marks = if body.contains("(again") { " loop" } else { "" };
    let written = format!("(routine t {direction}{marks} (places (v*.x int) (v*.next (pointer t))) {body})");
    let (plan, errors) = text::parse(&written);
    assert_eq!(errors, [], "{written}");
    let mut codes: Vec<&str> = verify(&plan, &Xdr::default()).into_iter().map(|finding| finding.code).collect();
    codes.dedup();
    codes
}

#[test]
fn what_is_moved_is_checked_for() {
    assert_eq!(decoding("(ensure 4) (chunk 4 (int32 v*.x @0))"), [""; 0]);
    assert_eq!(decoding("(chunk 4 (int32 v*.x @0))"), ["plan-001"]);
    assert_eq!(decoding("(ensure 4) (chunk 8 (int64 v*.y @0))"), ["plan-001"]);
    assert_eq!(decoding("(ensure 8) (loop i 3 (over v*.a int) (chunk 4 (int32 v*.a[i] @0)))"), ["plan-001"]);
    let overflowing = "(ensure 8) (loop i 9223372036854775808 (over v*.a quad_t) (chunk 8 (int64 v*.a[i] @0)))";
    assert_eq!(decoding(overflowing), ["plan-001"]);
}

#[test]
fn the_parts_of_a_chunk_fill_it_each_byte_once() {
    assert_eq!(decoding("(ensure 8) (chunk 8 (int32 v*.x @0) (zero 4 @4))"), [""; 0]);
    assert_eq!(decoding("(ensure 8) (chunk 8 (int32 v*.x @0) (zero 4 @2))"), ["plan-002"]);
    assert_eq!(decoding("(ensure 8) (chunk 8 (int32 v*.x @0))"), ["plan-002"]);
    assert_eq!(decoding("(ensure 8) (chunk 8 (zero 4 @0) (int64 v*.y @4))"), ["plan-002"]);
    assert_eq!(decoding("(ensure 8) (chunk 8 (zero 4 @18446744073709551615))"), ["plan-002"]);
}

#[test]
fn what_is_checked_for_is_moved() {
    assert_eq!(decoding("(ensure 8) (chunk 4 (int32 v*.x @0))"), ["plan-003"]);
    assert_eq!(decoding("(ensure 8) (chunk 4 (int32 v*.x @0)) (ensure 4) (chunk 4 (zero 4 @0))"), ["plan-003"]);
    assert_eq!(decoding("(ensure 4) (bytes v*.x 3) (chunk 4 (zero 4 @0))"), ["plan-003", "plan-001"]);
    assert_eq!(decoding("(loop i 2000 (over v*.a int) (strip 8) (chunk 4 (int32 v*.a[i] @0)))"), ["plan-003"]);
}

#[test]
fn ways_meet_with_the_same_bytes_checked_for() {
    let body = |left: &str, right: &str| format!("(ensure 8) (switch v*.x (arm {left}) (default {right}))");
    assert_eq!(decoding(&body("(chunk 8 (zero 8 @0))", "(chunk 8 (zero 8 @0))")), [""; 0]);
    assert_eq!(decoding(&body("(chunk 8 (zero 8 @0))", "(chunk 4 (zero 4 @0))")), ["plan-004"]);
    assert_eq!(decoding("(ensure 4) (loop i v*.n (bind v*.a int) (chunk 4 (zero 4 @0)))"), ["plan-004"]);
}

#[test]
fn items_begin_where_the_encoding_has_them() {
    let under_cdr = |body: &str| {
        let (plan, errors) = text::parse(&format!("(routine t decode (places (v*.x int) (v*.y double)) {body})"));
        assert_eq!(errors, [], "{body}");
        let encoding = stubs::encodings::Cdr::default();
        let mut codes: Vec<&str> = verify(&plan, &encoding).into_iter().map(|finding| finding.code).collect();
        codes.dedup();
        codes
    };
    assert_eq!(under_cdr("(align 4 (more 4)) (chunk 4 (int32 v*.x @0))"), [""; 0]);
    assert_eq!(under_cdr("(ensure 4) (chunk 4 (int32 v*.x @0))"), ["plan-011"]);
    assert_eq!(under_cdr("(align 0)"), ["plan-011"]);
    assert_eq!(under_cdr("(align 6)"), ["plan-011"]);
    assert_eq!(decoding("(align 4)"), ["plan-011"]);
    assert_eq!(under_cdr("(align 4 (more 12)) (chunk 12 (int32 v*.x @0) (float64 v*.y @4))"), ["plan-011"]);
    assert_eq!(under_cdr("(align 8 (more 16)) (chunk 16 (int32 v*.x @0) (zero 4 @4) (float64 v*.y @8))"), [""; 0]);
    let counted = "(align 4 (more 4)) (chunk 4 (local n @0))";
    let run = "(counted-order64 v*.d v*.len n double)";
    let places = "(typed v*.d (pointer double))";
    let run = run.replace("v*.d ", &format!("{places} "));
    assert_eq!(under_cdr(&format!("{counted} {run}")), ["plan-011"]);
    assert_eq!(under_cdr(&format!("{counted} (align 8 (when n)) {run}")), [""; 0]);
    assert_eq!(under_cdr(&format!("{counted} (align 8 (when n) (more 8)) {run}")), ["plan-004", "plan-003"]);
}

#[test]
fn no_check_is_larger_than_a_block() {
    assert_eq!(decoding("(ensure 4100) (chunk 4100 (zero 4100 @0))"), ["plan-005"]);
}

#[test]
fn variables_are_defined_once_and_before_they_are_used() {
    let count = "(ensure 4) (chunk 4 (local n @0))";
    assert_eq!(decoding(&format!("{count} (check n)")), [""; 0]);
    assert_eq!(decoding("(check n)"), ["plan-006"]);
    assert_eq!(decoding("(ensure 4) (chunk 4 (int32 item* @0))"), ["plan-006"]);
    let in_an_arm = format!("(switch v*.x (arm {count}) (default (ensure 4) (chunk 4 (zero 4 @0)))) (check n)");
    assert_eq!(decoding(&in_an_arm), ["plan-006"]);
    assert_eq!(decoding(&format!("{count} {count}")), ["plan-007"]);
    assert_eq!(decoding("(ensure 4) (chunk 4 (local at @0))"), ["plan-007"]);
}

#[test]
fn calls_lead_somewhere() {
    assert_eq!(decoding("(call u v*.x)"), ["plan-008"]);
    assert_eq!(decoding("(external xdr_u v*.x (owner v* u))"), ["plan-008"]);
    assert_eq!(codes("release", "(call t v*.x)"), ["plan-008"], "of a type that owns no storage");
}

#[test]
fn operations_belong_to_directions_and_places() {
    assert_eq!(codes("encode", "(ensure 4) (chunk 4 (local n @0))"), ["plan-009"]);
    assert_eq!(codes("release", "(ensure 4) (chunk 4 (zero 4 @0))"), ["plan-009"]);
    assert_eq!(codes("encode", "(again v*.next t)"), [""; 0]);
    assert_eq!(codes("encode", "(again v*.next t) (bytes v*.x 3)"), ["plan-009"]);
    assert_eq!(codes("encode", "(again (typed v*.next (pointer u)) u)"), ["plan-009"]);
}

#[test]
fn items_are_not_taken_for_larger_than_they_may_be() {
    let items = |least: u64| {
        let item = "(ensure 4) (chunk 4 (int32 item* @0)) (bytes v*.x item*)";
        format!("(ensure 4) (chunk 4 (local n @0)) (items i n v*.data v*.len int (least {least}) {item})")
    };
    assert_eq!(decoding(&items(4)), [""; 0]);
    assert_eq!(decoding(&items(8)), ["plan-010"]);
}
