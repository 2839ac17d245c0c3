//! Whatever the input, parsing comes to an end without a panic, and what it returns can be checked, printed and
//! read back.
//!
//! The inputs are the good and bad files of `tests/parse/onc`, changed at random from a fixed seed.
//! `WHITTLE_FUZZ_INPUTS` says how many; the same number gives the same inputs.

use filetest::interfaces::FrontEnd;
use filetest::mutation::{corpus, inputs_asked_for, mutated};
use source::SourceMap;
use std::path::Path;

const PIECES: [&str; 60] = [
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "[",
    "]",
    ";",
    ",",
    ":",
    "::",
    "*",
    "=",
    "-",
    "const",
    "typedef",
    "struct",
    "union",
    "enum",
    "switch",
    "case",
    "default",
    "program",
    "version",
    "namespace",
    "pragma",
    "void",
    "string",
    "opaque",
    "unsigned",
    "int",
    "hyper",
    "bool",
    "TRUE",
    "x",
    "a",
    "A",
    "0",
    "1",
    "-1",
    "0x",
    "08",
    "4294967296",
    "\n%",
    "\n#",
    "\n# 1 \"f\"\n",
    "/*",
    "*/",
    "//",
    "\"",
    "'",
    "\\",
    "\\\n",
    "\n",
    " ",
    "\u{feff}",
    "é",
    "\0",
    "99999999999999999999999999",
];

fn check(text: &str) {
    let parse = |map: &SourceMap, file| front_onc::parse(map, file, &front_onc::Options::default());
    FrontEnd { package: "front-onc", extension: "x", parse }.survives(text);
}

#[test]
fn parsing_never_panics_whatever_the_input() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/onc");
    mutated(&corpus(&folder, "x"), &PIECES, 0x5EED, inputs_asked_for(10_000), check);
}

#[test]
fn nesting_is_followed_200_deep_and_refused_without_end() {
    let nested = |depth: usize| format!("struct a {{ {}int x; {}}};", "struct { ".repeat(depth), "} b; ".repeat(depth));
    check(&nested(200));
    let codes = |text: String| {
        let mut map = SourceMap::new();
        let file = map.add("deep.x", text);
        let (_, findings) = front_onc::parse(&map, file, &front_onc::Options::default());
        findings.iter().map(|finding| finding.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(nested(200)), Vec::<&str>::new());
    assert_eq!(codes(nested(100_000)), ["limit-001"]);
    assert_eq!(codes("struct a { struct { ".repeat(100_000)), ["limit-001"]);
    assert_eq!(codes("namespace a { ".repeat(100_000)), ["limit-001"]);
}

#[test]
fn long_chains_of_definitions_are_followed() {
    let constants = (0..20_000).map(|index| format!("const C{index} = C{};\n", index + 1));
    let types = (0..20_000).map(|index| format!("typedef t{} t{index};\n", index + 1));
    let text: String = constants.chain(types).chain(["const C20000 = 1; typedef int t20000;".to_owned()]).collect();
    check(&text);
}
