//! Tests of what objects hold.

use super::*;
use crate::lattice::Known;

fn part(width: i64) -> Part {
    Part { first: 0, width }
}

fn filled(cells: &[(i64, i64, i128)]) -> Content {
    let mut content = Content::of(Value::nothing());
    for (offset, width, number) in cells {
        content.store(&Offsets::at(*offset), part(*width), &Value::exact(*number), true);
    }
    content
}

#[test]
fn a_store_replaces_what_was_there_and_nothing_else() {
    let mut content = filled(&[(0, 32, 1), (4, 32, 2)]);
    content.store(&Offsets::at(4), part(32), &Value::exact(3), true);
    assert_eq!(content.load(&Offsets::at(0), part(32)).number(), Some(1));
    assert_eq!(content.load(&Offsets::at(4), part(32)).number(), Some(3));
}

#[test]
fn bit_fields_are_cells_of_their_own() {
    let mut content = Content::of(Value::exact(0));
    content.store(&Offsets::at(1), Part { first: 3, width: 5 }, &Value::exact(9), true);
    assert_eq!(content.load(&Offsets::at(1), Part { first: 3, width: 5 }).number(), Some(9));
    assert_eq!(content.load(&Offsets::at(1), Part { first: 0, width: 3 }).number(), Some(0));
    assert_eq!(content.load(&Offsets::at(0), part(32)).known, Known::Any);
}

#[test]
fn a_part_of_a_number_is_no_number_but_a_part_of_zero_is_zero() {
    let content = filled(&[(0, 64, 0), (8, 64, 77)]);
    assert_eq!(content.load(&Offsets::at(4), part(32)).number(), Some(0));
    assert_eq!(content.load(&Offsets::at(8), part(32)).number(), None);
}

#[test]
fn a_store_somewhere_in_an_array_leaves_the_other_members_alone() {
    let mut content = Content::of(Value::exact(0));
    let second_members = Offsets::at(4).spread(8, Some(0), Some(99));
    content.store(&second_members, part(32), &Value::exact(5), true);
    assert_eq!(content.load(&Offsets::at(8), part(32)).number(), Some(0));
    assert_eq!(content.load(&Offsets::at(12), part(32)).number(), None);
    let first_members = Offsets::at(0).spread(8, Some(0), Some(99));
    assert_eq!(content.load(&first_members, part(32)).number(), Some(0));
}

#[test]
fn zeroing_the_whole_object_ends_what_was_stored_somewhere() {
    let mut content = Content::of(Value::nothing());
    content.store(&Offsets::at(0).spread(4, Some(0), Some(99)), part(32), &Value::exact(5), true);
    content.replace(0, 3200, Value::exact(0));
    assert_eq!(content.load(&Offsets::at(40), part(32)).number(), Some(0));
}

#[test]
fn joins_keep_what_both_ways_agree_on() {
    let joined = filled(&[(0, 32, 1), (4, 32, 2)]).join(&filled(&[(0, 32, 1), (4, 32, 3)]), false);
    assert_eq!(joined.load(&Offsets::at(0), part(32)).number(), Some(1));
    assert_eq!(joined.load(&Offsets::at(4), part(32)).known, Known::NonZero);
}

#[test]
fn copies_carry_members_over() {
    let from = filled(&[(0, 32, 1), (4, 32, 2), (8, 64, 3)]);
    let mut to = Content::of(Value::exact(0));
    to.store_window(&Offsets::at(16), &from.window(&Offsets::at(4), 96), 96, true);
    assert_eq!(to.load(&Offsets::at(16), part(32)).number(), Some(2));
    assert_eq!(to.load(&Offsets::at(20), part(64)).number(), Some(3));
    assert_eq!(to.load(&Offsets::at(28), part(32)).number(), Some(0));
}

#[test]
fn an_element_copied_from_somewhere_in_an_array_keeps_its_members_apart() {
    let mut array = Content::of(Value::exact(0));
    for element in 0..20 {
        array.store(&Offsets::at(element * 8), part(32), &Value::exact(7), true);
        array.store(&Offsets::at(element * 8 + 4), part(32), &Value::exact(i128::from(element) + 1), true);
    }
    let element = array.window(&Offsets::at(0).spread(8, Some(0), Some(19)), 64);
    assert_eq!(element.load(&Offsets::at(0), part(32)).truth(), None);
    assert!(element.load(&Offsets::at(4), part(32)).is_static());
    assert_eq!(element.segments.len(), 2);
}
