//! The text form reads back as what was written.

mod arbitrary;

use arbitrary::{presentations, raw};
use pres::{Interface, Message, NodeId, Operation, Pres, PresC, text, verify};
use proptest::prelude::*;

/// The interfaces; nodes are numbered in the order of the text.
fn without_nodes(pres: &PresC) -> Vec<Interface> {
    let nowhere = NodeId::from_raw(raw(0));
    let mut interfaces = pres.interfaces.clone();
    for operation in interfaces.iter_mut().flat_map(|interface| &mut interface.operations) {
        let Operation { client_request, client_reply, server_request, server_reply, arena, .. } = operation;
        for message in [client_request, client_reply, server_request, server_reply] {
            if let Message::Value(value) = message {
                value.node = nowhere;
            }
        }
        arena.iter_mut().for_each(|arena| arena.node = nowhere);
    }
    interfaces
}

proptest! {
    #[test]
    fn what_is_written_reads_back(pres in presentations()) {
        let written = text::print(&pres);
        let (read, errors) = text::parse(&written);
        prop_assert_eq!(&errors, &[], "{}", written);
        prop_assert_eq!(text::print(&read), written.clone());
        prop_assert_eq!(without_nodes(&read), without_nodes(&pres));
        let (again, _) = text::parse(&written);
        prop_assert_eq!(again.nodes, read.nodes);
        prop_assert_eq!(again.mint, read.mint);
        prop_assert_eq!((&read.header, &read.prologue), (&pres.header, &pres.prologue));
    }

    #[test]
    fn any_text_is_read_without_panic(text in "(\\((operation|header|define|variable|type|mint|struct|as|let|arena|interface|@a|a) ){0,4}[()a-z@ 0-9]{0,40}") {
        let _ = text::parse(&text);
    }
}

const DIRECTORY: &str = "(conventions prototypes)
(mint
  (request LIST (array char 0..))
  (reply LIST @direntseq)
  (@stat_info (struct (array int32 30) (array octet 16)))
  (@direntry (struct (array char 0..) @stat_info))
  (@direntseq (array @direntry 0..)))
(type stat_info (struct (member fields (fixed 30 int32)) (member tag (fixed-bytes 16))))
(type direntry (struct (member name (text heap)) (member info @stat_info)))
(type direntseq (counted direntseq_len direntseq_val heap @direntry))
(interface V1
  (id \"IDL:DIRECTORY/V1:1.0\")
  (onc DIRECTORY (label DIRECTORY 536871169) (label V1 1))
  (dispatch directory_1)
  (operation LIST
    (code (label LIST 1))
    (client list_1)
    (server list_1_svc)
    (returns result result value direntseq (passed (pointer direntseq)))
    (parameter arg1 in value (pointer char) (passed (pointer (pointer char))))
    (request (routine xdr_wrapstring) (text heap))
    (reply (routine xdr_direntseq) @direntseq)))
";

#[test]
fn the_directory_service_reads_as_documented() {
    let (pres, errors) = text::parse(DIRECTORY);
    assert_eq!(errors, []);
    assert_eq!(text::print(&pres), DIRECTORY);
    assert_eq!(verify(&pres), []);
}

fn codes(text: &str) -> Vec<&'static str> {
    let (pres, errors) = text::parse(text);
    assert_eq!(errors, []);
    verify(&pres).into_iter().map(|finding| finding.code).collect()
}

#[test]
fn each_rule_finds_what_breaks_it() {
    assert_eq!(codes("(mint (@a bool)) (type a bool)"), [""; 0]);
    assert_eq!(codes("(mint (@a int32)) (type a bool)"), ["pres-003"]);
    assert_eq!(codes("(mint (@a bool) (@b bool)) (type a bool) (type b (routine xdr_a) bool)"), ["pres-004"]);
    assert_eq!(codes("(mint (request A void) (reply A void))"), ["pres-005"]);
    let counted = |by: &str| {
        codes(&format!(
            "(mint (@a (struct uint32 uint32 (array octet #0..9))))
             (type a (struct (member n uint32) (member m uint32) (member x (inline-bytes {by} 9))))"
        ))
    };
    assert_eq!(counted("n"), [""; 0]);
    assert_eq!(counted("m"), ["pres-006"]);
    let text = "(mint (@a (array char 0..))) (type a (text managed))";
    assert_eq!(codes(text), ["pres-007"]);
    assert_eq!(codes(&format!("(managed-release CORBA_free) {text}")), [""; 0]);
}

#[test]
fn references_that_lead_nowhere_or_back_are_found() {
    let (mut pres, _) = text::parse("(mint (@a (optional @a))) (type a (optional heap (as void (message @a))))");
    let root = pres.types.iter().next().expect("one type").1.node;
    let mut point_at = |to: NodeId| {
        pres.nodes[root].pres = Pres::OptionalPointer { target: to, storage: pres::Storage::Heap };
        verify(&pres)
    };
    assert!(point_at(root).iter().any(|finding| finding.code == "pres-002"));
    assert_eq!(point_at(NodeId::from_raw(raw(99)))[0].code, "pres-001");
}
