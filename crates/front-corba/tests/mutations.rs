//! Whatever the input, parsing comes to an end without a panic, and what it returns can be checked, printed and
//! read back.
//!
//! The inputs are the good and bad files of `tests/parse/corba`, changed at random from a fixed seed: tokens are left
//! out, doubled, exchanged and taken from other files, and so are pieces of any kind. `WHITTLE_FUZZ_INPUTS` says how
//! many, `SOAK_SEED` where they begin; the same numbers give the same inputs.

use filetest::interfaces::FrontEnd;
use filetest::mutation::Numbers;
use source::{FileId, SourceMap};
use std::fs;
use std::path::Path;

/// Pieces that no file may have, and every mark and word of the language.
const PIECES: &str = "{ } ( ) < > [ ] ; , : :: = + - * / % & | ^ ~ @ # \" ' L\" L' \\ << >> module interface local \
    abstract struct union switch case default enum bitmask bitset bitfield typedef const exception valuetype custom \
    truncatable supports public private factory native typeid typeprefix import component home port any Object \
    ValueBase void octet boolean char wchar short long unsigned float double int8 uint64 string wstring sequence map \
    fixed attribute readonly getraises setraises raises oneway in out inout context TRUE FALSE true x a A _a ::a a::b \
    0 1 -1 0x 08 1.5 1.5d 1e999 4294967296 18446744073709551616 99999999999999999999999999999999999999999999 '' 'a' \
    '\\x' \"\" \"\\0\" /* */ // é $ @key @id(1) @value(5) @optional @onc(procedure=1) @bit_bound(65) \u{feff} \u{0}";

const LINES: [&str; 8] = [
    "\n#pragma prefix \"p\"\n",
    "\n#pragma ID a \"x\"\n",
    "\n#pragma version a 1.2\n",
    "\n# 1 \"f\" 1\n",
    "\n# 1 \"g\" 2\n",
    "\n#include \"a\"\n",
    "\n",
    "\\\n",
];

/// The files, each as its tokens' texts: put together they are the file again.
fn corpus() -> Vec<Vec<String>> {
    let mut files = Vec::new();
    for folder in ["good", "bad"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/parse/corba").join(folder);
        let entries = fs::read_dir(folder).expect("the folder of tests exists");
        let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
        paths.sort();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "idl"));
        for path in paths {
            let text = fs::read_to_string(path).expect("a test is UTF-8");
            let (tokens, _) = tokens::tokenize(&text, FileId(0), &tokens::Options::default());
            let spelled = |token: &tokens::Token| text[token.span.start as usize..token.span.end as usize].to_owned();
            files.push(tokens.iter().map(spelled).collect());
        }
    }
    files
}

/// Tokens in a row, mostly few.
fn stretch(tokens: &[String], numbers: &mut Numbers) -> std::ops::Range<usize> {
    let start = numbers.below(tokens.len() + 1);
    let length = if numbers.below(4) == 0 { numbers.below(tokens.len() + 1) } else { numbers.below(8) };
    start..(start + length).min(tokens.len())
}

fn piece(numbers: &mut Numbers) -> String {
    if numbers.below(8) == 0 {
        return (*numbers.one_of(&LINES)).to_owned();
    }
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    format!("{} ", numbers.one_of(&pieces))
}

fn mutate(tokens: &mut Vec<String>, corpus: &[Vec<String>], numbers: &mut Numbers) {
    let place = stretch(tokens, numbers);
    match numbers.below(7) {
        0 => {
            tokens.drain(place);
        }
        1 => tokens.insert(place.start, piece(numbers)),
        2 => {
            tokens.splice(place, [piece(numbers)]);
        }
        3 => {
            let copy = tokens[place].to_vec();
            let at = numbers.below(tokens.len() + 1);
            tokens.splice(at..at, copy);
        }
        4 => {
            let other = numbers.one_of(corpus);
            let part = other[stretch(other, numbers)].to_vec();
            tokens.splice(place.start..place.start, part);
        }
        5 => {
            let other = numbers.one_of(corpus);
            let token = numbers.one_of(other).clone();
            if let Some(first) = tokens.get_mut(place.start) {
                *first = token;
            }
        }
        _ => {
            let at = numbers.below(tokens.len());
            if place.start < tokens.len() {
                tokens.swap(place.start, at);
            }
        }
    }
}

/// True where the text holds no error.
fn check(text: &str) -> bool {
    let parse = |map: &SourceMap, file| front_corba::parse(map, file, &front_corba::Options::default());
    FrontEnd { package: "front-corba", extension: "idl", parse }.survives(text)
}

fn number(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

#[test]
fn parsing_never_panics_whatever_the_input() {
    let inputs = number("WHITTLE_FUZZ_INPUTS", 4_000);
    let corpus = corpus();
    let mut numbers = Numbers(0x1D1 + number("SOAK_SEED", 0) as u64 * 0x9E37_79B9);
    let mut good = 0;
    for _ in 0..inputs {
        let mut tokens = numbers.one_of(&corpus).clone();
        for _ in 0..=numbers.below(6) {
            mutate(&mut tokens, &corpus, &mut numbers);
        }
        // Copies of copies would soon be all that there is.
        if tokens.len() > 4_000 {
            continue;
        }
        good += usize::from(check(&tokens.concat()));
    }
    assert!(good > inputs / 100, "{good} inputs were good");
}

fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let file = map.add("deep.idl", text);
    let (_, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
    findings.iter().map(|finding| finding.code).collect()
}

#[test]
fn nesting_is_followed_200_deep_and_refused_without_end() {
    let sequences = |depth: usize| format!("typedef {}long{} t;", "sequence<".repeat(depth), ">".repeat(depth));
    let modules = |depth: usize| {
        let open: String = (0..depth).map(|index| format!("module m{index} {{ ")).collect();
        format!("{open}typedef long t; {}", "}; ".repeat(depth))
    };
    let parentheses = |depth: usize| format!("const long c = {}1{};", "(".repeat(depth), ")".repeat(depth));
    let minuses = |depth: usize| format!("const long c = {}1;", "- ".repeat(depth));
    let structures = |depth: usize| {
        let open: String = (0..depth).map(|index| format!("struct s{index} {{ ")).collect();
        let close: String = (1..depth).rev().map(|index| format!("}} x{index}; ")).collect();
        format!("{open}long y; {close}}};")
    };
    for (what, text) in [
        ("sequences", sequences as fn(usize) -> String),
        ("modules", modules),
        ("parentheses", parentheses),
        ("minuses", minuses),
        ("structures", structures),
    ] {
        assert!(check(&text(200)), "{what}: {:?}", codes(&text(200)));
        assert!(codes(&text(20_000)).contains(&"limit-001"), "{what}: {:?}", codes(&text(20_000)));
    }
    assert_eq!(codes(&format!("const long c = 1{};", " + 1".repeat(400))), Vec::<&str>::new());
    assert_eq!(codes(&format!("const long c = 1{};", " + 1".repeat(20_000))), ["idl-019"]);
    assert!(codes(&"module a { ".repeat(20_000)).contains(&"limit-001"));
    assert!(codes(&"interface a { struct b { sequence<".repeat(5_000)).len() < 20_000);
}

#[test]
fn long_files_take_no_time_to_speak_of() {
    let constants: String = (1..5_000).map(|index| format!("const long C{index} = C{} + 1;\n", index - 1)).collect();
    let types: String = (1..5_000).map(|index| format!("typedef t{} t{index};\n", index - 1)).collect();
    assert!(check(&format!("const long C0 = 1; typedef long t0;\n{constants}{types}")));
    let interfaces: String =
        (1..200).map(|index| format!("interface I{index} : I{} {{ void f{index}(); }};\n", index - 1)).collect();
    assert!(check(&format!("interface I0 {{}};\n{interfaces}")));
    for unit in ["} ", "@ ", "a ", "sequence<", "module m { ", "struct s { x y; }; ", "case 1: ", "# ", "\"", "( "] {
        codes(&unit.repeat(5_000));
    }
}
