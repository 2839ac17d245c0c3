//! The XML form of any description reads back, and any text comes to an end.

mod arbitrary;

use filetest::mutation::Numbers;
use proptest::prelude::*;
use source::{Diagnostic, SourceMap, render};
use xip::Xip;

fn read(text: &str) -> (SourceMap, Xip, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("a.xip", text);
    let (xip, findings) = xip::xml::read(&map, file);
    (map, xip, findings)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(described in arbitrary::whole()) {
        let text = xip::xml::write(&described);
        let (_, again, findings) = read(&text);
        prop_assert_eq!(findings, vec![], "{}", text);
        prop_assert_eq!(&again, &described, "{}", text);
        prop_assert_eq!(xip::xml::write(&again), text);
    }

    /// Text of the right letters in any order, in front of, inside and behind a good element.
    #[test]
    fn no_text_is_too_strange_to_read(text in "[<>/!?='\" &;\\\\a-e\\[\\]0-9\n\u{feff}\u{0}ü-]{0,40}", where_ in 0..3) {
        let root = format!("<xip version=\"1\" xmlns=\"{}\">", xip::xml::NAMESPACE);
        let whole = match where_ {
            0 => text,
            1 => format!("{root}{text}</xip>"),
            _ => format!("{root}<packet name='{text}'/></xip>{text}"),
        };
        check(&whole);
    }
}

/// Whatever was found can be shown, and nothing was found without a place in the text.
fn check(text: &str) {
    let (map, again, findings) = read(text);
    for finding in &findings {
        let span = finding.primary.as_ref().expect("every finding has a place").span;
        assert!(span.start <= span.end && span.end as usize <= text.len(), "{finding:?} of {text:?}");
        assert!(finding.help.is_some() && finding.message.contains("expected"), "{finding:?} of {text:?}");
    }
    assert_eq!(render::short(&map, &findings).lines().count(), findings.len(), "of {text:?}");
    render::full(&map, &findings);
    if findings.is_empty() {
        assert_eq!(read(&xip::xml::write(&again)).1, again, "of {text:?}");
    }
}

const PIECES: [&str; 34] = [
    "<",
    ">",
    "/>",
    "</",
    "\"",
    "'",
    "=",
    "&",
    "&amp;",
    "&x;",
    "&#0;",
    "&#xFFFF;",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?x ?>",
    "<!DOCTYPE x>",
    "<x:y/>",
    "xmlns=\"\"",
    " name=\"a\"",
    "<via/>",
    "<edge>",
    "</flow>",
    "\\",
    "\\u{",
    "\0",
    "\u{feff}",
    "é",
    "\n",
    " ",
    "99999999999999999999",
    "text",
    "\u{fffe}",
];

#[test]
fn reading_never_panics_whatever_the_input() {
    let inputs = std::env::var("WHITTLE_FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let demo = include_str!("../data/good/the_demo.xip");
    let mut random = Numbers(0x5EED);
    for _ in 0..inputs {
        let mut text = demo.to_owned();
        for _ in 0..=random.below(5) {
            let (one, other) = (random.boundary(&text), random.boundary(&text));
            let range = one.min(other)..one.max(other).min(one.min(other) + 12);
            let range = if text.is_char_boundary(range.end) { range } else { one..one };
            match random.below(3) {
                0 => text.replace_range(range, ""),
                1 => text.insert_str(one, PIECES[random.below(PIECES.len())]),
                _ => text.replace_range(range, PIECES[random.below(PIECES.len())]),
            }
        }
        check(&text);
    }
}

#[test]
fn what_would_take_for_ever_is_refused() {
    let codes = |text: &str| read(text).2.iter().map(|finding| finding.code).collect::<Vec<_>>();
    let root = |inside: &str| format!("<xip version=\"1\" xmlns=\"urn:whittle:xip:1\">{inside}</xip>");
    let many = |text: &str, count| text.repeat(count);
    assert_eq!(codes(&root(&format!("<import {}/>", many("a='' ", 200_000)))), ["xip-009"]);
    assert_eq!(codes(&root(&many("<import xmlns:a='a'>", 100_000))), ["xip-009"]);
    assert_eq!(codes(&root(&many(" ", 17 << 20))), ["xip-009"]);
    assert_eq!(codes(&root(&many("<a/>", 1_000_000))), ["xip-009"]);
    let (_, _, findings) = read(&root(&many("<a/>", 100_000)));
    assert_eq!(
        (findings.len(), findings[999].notes.as_slice()),
        (1000, &["99000 more findings are not shown".to_owned()][..])
    );
    let bomb = "<!DOCTYPE x [<!ENTITY a 'aa'><!ENTITY b '&a;&a;'>]>";
    assert_eq!(codes(&format!("<?xml version='1.0'?><!-- <!DOCTYPE -->{bomb}<xip>&b;</xip>")), ["xip-008"]);
    let depth = 200_000;
    assert_eq!(codes(&root(&format!("{}{}", many("<a>", depth), many("</a>", depth)))), ["xip-013"]);
    assert_eq!(codes(&root(&many("<pipe>", depth))), ["xip-002"]);
}

#[test]
fn places_are_those_of_the_file() {
    let text = "\u{feff}<xip version='1' xmlns='urn:whittle:xip:1'>\n<flow name='f'>\
                <edge from='cam.f' to=' x'><rate at-most='10 MB/s'/></edge>\
                <instance pipe='&#80;ipe' name='ä'/></flow></xip>";
    let (map, _, findings) = read(text);
    let shown: Vec<&str> =
        findings.iter().filter_map(|found| found.primary.as_ref()).map(|l| map.slice(l.span)).collect();
    assert_eq!(shown, [" x", "ä"]);
    let (map, read, findings) = read(&text.replace("' x'", "'x'").replace('ä', "a"));
    assert_eq!(findings, []);
    let body = &read.flows().next().expect("a flow").body;
    let from = &body.edges[0].from;
    assert_eq!([map.slice(from.span()), map.slice(from.instance.span)], ["cam.f", "cam"]);
    assert_eq!(map.slice(from.port.as_ref().expect("a port").span), "f");
    let need = &body.edges[0].contract.needs[0];
    assert_eq!(map.slice(need.span), "<rate");
    let xip::Need::Rate { rate, .. } = &need.value else { panic!("{need:?}") };
    assert_eq!(map.slice(rate.unit.as_ref().expect("a unit").span), "MB");
    assert_eq!(map.slice(body.instances[0].pipe.span), "&#80;ipe");
    assert_eq!(body.instances[0].pipe.text, "Pipe");
}

#[test]
fn what_means_nothing_is_passed_over() {
    let plain = "<xip version=\"1\" xmlns=\"urn:whittle:xip:1\"><flow name=\"f\"><edge from=\"a\" to=\"b\">\
                 <rate exactly=\"30/s\"/><queue count=\"8\" unit=\"items\"/></edge></flow></xip>";
    let other = "\u{feff}<?xml version='1.0' encoding='UTF-8'?>\r\n<!-- <pipe> -->\r\n<w:xip\r\n\t\
                 xmlns:w='urn:whittle:xip:1' version='1'>\r\n<?tool x?><w:flow name = '&#102;'>\
                 <w:edge to='b' from='a'><w:queue count='008'></w:queue>\
                 <!-- often --><w:rate exactly='30/s'/></w:edge></w:flow>\n</w:xip>\n<!-- end -->\n";
    let ((_, one, none), (_, two, nothing)) = (read(plain), read(other));
    assert_eq!((none, nothing), (vec![], vec![]));
    assert_eq!(one, two);
    assert_eq!(one.flows().next().map(|flow| flow.body.edges.len()), Some(1));
}
