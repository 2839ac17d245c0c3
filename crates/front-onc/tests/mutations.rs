//! Whatever the input, parsing comes to an end without a panic, and what it returns can be checked, printed and
//! read back.
//!
//! The inputs are the good and bad files of `tests/parse/onc`, changed at random from a fixed seed.
//! `WHITTLE_FUZZ_INPUTS` says how many; the same number gives the same inputs.

use filetest::interfaces::FrontEnd;
use source::SourceMap;
use std::fs;
use std::path::Path;

/// A generator of our own, so that the inputs stay the same for ever (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit.max(1)
    }
}

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

fn corpus() -> Vec<String> {
    let mut texts = Vec::new();
    for folder in ["good", "bad"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/onc").join(folder);
        let entries = fs::read_dir(folder).expect("the folder of tests exists");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "x"));
        texts.extend(paths.into_iter().map(|path| fs::read_to_string(path).expect("a test is UTF-8")));
    }
    texts
}

fn boundary(text: &str, random: &mut Random) -> usize {
    let mut offset = random.below(text.len() + 1);
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

/// A stretch of the text, mostly a short one.
fn stretch(text: &str, random: &mut Random) -> std::ops::Range<usize> {
    let start = boundary(text, random);
    let length = if random.below(4) == 0 { random.below(text.len() + 1) } else { random.below(12) };
    let mut end = (start + length).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

fn mutate(text: &mut String, others: &[String], random: &mut Random) {
    match random.below(5) {
        0 => {
            let gone = stretch(text, random);
            text.replace_range(gone, "");
        }
        1 => {
            let at = boundary(text, random);
            text.insert_str(at, PIECES[random.below(PIECES.len())]);
        }
        2 => {
            let over = stretch(text, random);
            text.replace_range(over, PIECES[random.below(PIECES.len())]);
        }
        3 => {
            let copy = text[stretch(text, random)].to_owned();
            let at = boundary(text, random);
            text.insert_str(at, &copy);
        }
        _ => {
            let other = &others[random.below(others.len())];
            let part = other[stretch(other, random)].to_owned();
            let at = boundary(text, random);
            text.insert_str(at, &part);
        }
    }
}

fn check(text: &str) {
    let parse = |map: &SourceMap, file| front_onc::parse(map, file, &front_onc::Options::default());
    FrontEnd { package: "front-onc", extension: "x", parse }.survives(text);
}

#[test]
fn parsing_never_panics_whatever_the_input() {
    let inputs = std::env::var("WHITTLE_FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(10_000);
    let corpus = corpus();
    let mut random = Random(0x5EED);
    for _ in 0..inputs {
        let mut text = corpus[random.below(corpus.len())].clone();
        for _ in 0..=random.below(6) {
            mutate(&mut text, &corpus, &mut random);
        }
        // Copies of copies would soon be all that there is.
        if text.len() > 20_000 {
            continue;
        }
        check(&text);
    }
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
