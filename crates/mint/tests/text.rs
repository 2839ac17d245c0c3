//! The text form reads back as what was written.

use mint::{Bound, Case, Message, Mint, Node, NodeId, text, verify};
use proptest::collection::vec;
use proptest::prelude::*;

fn id(index: usize, count: usize) -> NodeId {
    let index = u32::try_from(index % count).expect("few nodes");
    NodeId::from_raw(la_arena::RawIdx::from_u32(index))
}

fn bound() -> impl Strategy<Value = Bound> {
    prop_oneof![
        any::<i64>().prop_map(|number| Bound::Number(number.into())),
        "[A-Z][A-Z_0-9.]{0,6}".prop_map(Bound::Symbol),
        Just(Bound::Unlimited),
        any::<u32>().prop_map(Bound::Part),
    ]
}

fn node(count: usize) -> impl Strategy<Value = Node> {
    let child = move || any::<usize>().prop_map(move |index| id(index, count));
    let case = (vec(bound(), 0..3), child()).prop_map(|(labels, body)| Case { labels, body });
    prop_oneof![
        Just(Node::Void),
        Just(Node::Boolean),
        Just(Node::Octet),
        Just(Node::Character),
        (any::<u8>(), any::<bool>()).prop_map(|(bits, signed)| Node::Integer { bits, signed }),
        any::<u8>().prop_map(|bits| Node::Float { bits }),
        vec(any::<i128>(), 0..4).prop_map(|members| Node::Enumeration { members }),
        (child(), bound(), bound()).prop_map(|(element, least, most)| Node::Array { element, least, most }),
        vec(child(), 0..4).prop_map(Node::Structure),
        (child(), vec(case, 0..3), proptest::option::of(child()))
            .prop_map(|(discriminant, cases, default)| Node::Union { discriminant, cases, default }),
        child().prop_map(Node::Optional),
        (vec("[A-Z:/]{0,5}", 1..3), child()).prop_map(|(ids, state)| Node::Value { state, ids }),
        "[a-z]{1,5}( [a-z]{1,5})?".prop_map(Node::External),
    ]
}

fn mints() -> impl Strategy<Value = Mint> {
    (1usize..12).prop_flat_map(|count| {
        let slots = vec((proptest::option::of("[a-c]"), node(count)), count);
        let messages = vec(("[A-Z]{1,4}", any::<usize>(), any::<usize>()), 0..3);
        (slots, messages).prop_map(move |(slots, messages)| {
            let mut mint = Mint::default();
            for (name, node) in slots {
                match name {
                    Some(name) => mint.add_named(name, node),
                    None => mint.add(node),
                };
            }
            for (operation, request, reply) in messages {
                mint.messages.push(Message { operation, request: id(request, count), reply: id(reply, count) });
            }
            mint
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back(mint in mints()) {
        let written = text::print(&mint);
        let (read, errors) = text::parse(&written);
        prop_assert_eq!(errors, []);
        prop_assert_eq!(text::print(&read), written.clone());
        let (again, _) = text::parse(&written);
        prop_assert_eq!(again, read);
    }

    #[test]
    fn any_text_is_read_without_panic(text in "[()a-z@#0-9. ]{0,60}") {
        let _ = text::parse(&text);
    }
}

const DIRECTORY: &str = "(request LIST (array char 0..))
(reply LIST @direntseq)
(@direntry (struct (array char 0..) @stat_info))
(@direntseq (array @direntry 0..))
(@stat_info (struct (array int32 30) (array octet 16)))
";

#[test]
fn the_directory_service_reads_as_documented() {
    let (mint, errors) = text::parse(DIRECTORY);
    assert_eq!(errors, []);
    assert_eq!(text::print(&mint), DIRECTORY);
    assert_eq!(verify(&mint), []);
}

fn codes(text: &str) -> Vec<&'static str> {
    let (mint, errors) = text::parse(text);
    assert_eq!(errors, []);
    verify(&mint).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn each_rule_finds_what_breaks_it() {
    assert_eq!(codes("(@a (array char 5..4))"), ["mint-002"]);
    assert_eq!(codes("(@a (array char -1))"), ["mint-002"]);
    assert_eq!(codes("(@a (union float32))"), ["mint-003"]);
    assert_eq!(codes("(@a (struct @b)) (@b (array @a 3))"), ["mint-004", "mint-004"]);
    assert_eq!(codes("(@a (struct (optional @a)))"), [""; 0]);
    assert_eq!(codes("(@a (union int32 (case 1 void) (case 1 2 void)))"), ["mint-005"]);
    assert_eq!(codes("(@a (struct uint32 (array octet #0..9)))"), [""; 0]);
    assert_eq!(codes("(@a (struct int32 (array octet #0..9)))"), ["mint-006"], "a number with a sign");
    assert_eq!(codes("(@a (struct (array octet #1..9) uint32))"), ["mint-006"], "a number that comes later");
}

#[test]
fn a_reference_that_leads_nowhere_is_found() {
    let (mut mint, _) = text::parse("(@a (optional bool))");
    mint.add(Node::Optional(id(99, 100)));
    let codes: Vec<&str> = verify(&mint).into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["mint-001"]);
}
