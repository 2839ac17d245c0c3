//! Whatever the input, parsing comes to an end without a panic; what can be laid out keeps its tokens, comments and
//! meaning, and laying it out again changes nothing.
//!
//! The inputs are the files of `tests/spi`, changed at random from a fixed seed, and pieces of the language in any
//! order. `WHITTLE_FUZZ_INPUTS` says how many; the same number gives the same inputs.

mod files;

use files::inputs;
use filetest::files::read;
use filetest::mutation::Numbers;
use source::{Diagnostic, SourceMap, render};
use tokens::TokenKind;

const WORDS: &str = "import packet pipe flow aspect in out middle push pull apply to on cost via trusted queue block drop \
    deliver rate needs deadline priority batch within encode else call before after send full miss used unit \
    where and or not true false select count history channel of tcp shm nats dds reliable ordered durable best_effort oldest newest items bytes us ms s MB bool octet char int8 uint32 \
    double string int struct P p Camera f";

const MARKS: [&str; 42] = [
    "{", "}", "{", "}", ";", ";", ";", ",", "->", "->", ".", "[", "]", "<=", "=", "/", "/s", "-", "\"a.x\"", "\"", "'",
    "==", "!=", ">=", "<", ">", "(", ")", "//", "// c\n", "/* c */", "/*", "*/", "\n", "\n\n\n", "\r\n", "\n#", "\\",
    "é", "\u{feff}", "\0", "$",
];

const NUMBERS: [&str; 12] =
    ["0", "1", "30", "50ms", "5MB", "0x10", "0xg", "010", "1.5", "1e9", "18446744073709551616", "12a3"];

fn piece<'a>(words: &[&'a str], numbers: &mut Numbers) -> &'a str {
    let choices = match numbers.below(5) {
        0 | 1 => words,
        2 | 3 => &MARKS,
        _ => &NUMBERS,
    };
    choices[numbers.below(choices.len())]
}

fn mutate(text: &mut String, others: &[String], words: &[&str], numbers: &mut Numbers) {
    let place = if numbers.below(2) == 0 { numbers.stretch(text) } else { numbers.boundary(text)..0 };
    let place = place.start..place.end.max(place.start);
    let other = &others[numbers.below(others.len())];
    let new = match numbers.below(5) {
        0 => String::new(),
        1 | 2 => format!(" {} ", piece(words, numbers)),
        3 => piece(words, numbers).to_owned(),
        _ => other[numbers.stretch(other)].to_owned(),
    };
    text.replace_range(place, &new);
}

/// All tokens of a kind, without what is between them: a number and its unit are one here or two, and mean the same.
fn written(text: &str, kind: impl Fn(TokenKind) -> bool) -> String {
    let options = tokens::Options { percent_lines: false, compounds: xip::filter::COMPOUNDS };
    let (tokens, _) = tokens::tokenize(text, source::FileId(0), &options);
    let kept = tokens.iter().filter(|token| token.kind != TokenKind::Blank && kind(token.kind));
    kept.map(|token| text[token.span.start as usize..token.span.end as usize].trim_end().replace('\r', "")).collect()
}

fn parse(text: &str) -> (SourceMap, xip::Xip, Vec<Diagnostic>) {
    let mut map = SourceMap::new();
    let file = map.add("mutated.spi", text);
    let (xip, findings) = front_spi::parse(&map, file, &front_spi::Options::default());
    (map, xip, findings)
}

/// True where the text could be laid out.
fn check(text: &str) -> bool {
    let (map, xip, findings) = parse(text);
    if text.len().is_multiple_of(8) && text.len() < 2_000 {
        assert!(!render::full(&map, &findings).is_empty() || findings.is_empty());
        assert_eq!(render::short(&map, &findings).lines().count(), findings.len());
    }
    let once = match front_spi::format(text) {
        Ok(once) => once,
        Err(errors) => {
            assert!(errors.iter().any(Diagnostic::is_error) && errors.len() <= findings.len(), "of {text:?}");
            return false;
        }
    };
    let is_comment = |kind| kind == TokenKind::Comment;
    assert_eq!(written(text, |kind| !is_comment(kind)), written(&once, |kind| !is_comment(kind)), "of {text:?}");
    assert_eq!(written(text, is_comment), written(&once, is_comment), "of {text:?}");
    assert_eq!(front_spi::format(&once).as_ref(), Ok(&once), "of {text:?}");
    let (_, same, again) = parse(&once);
    assert_eq!(xip, same, "of {text:?}");
    let codes = |findings: &[Diagnostic]| findings.iter().map(|finding| finding.code).collect::<Vec<_>>();
    assert_eq!(codes(&findings), codes(&again), "of {text:?}");
    true
}

fn inputs_wanted() -> usize {
    std::env::var("WHITTLE_FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(4_000)
}

#[test]
fn changed_files_are_read_and_laid_out() {
    let paths = [inputs("good"), inputs("bad"), inputs("layout")].concat();
    let corpus: Vec<String> = paths.iter().map(|path| read(path)).collect();
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut numbers = Numbers(0x5EED);
    let mut laid_out = 0;
    for _ in 0..inputs_wanted() {
        let mut text = corpus[numbers.below(corpus.len())].clone();
        for _ in 0..=numbers.below(6) {
            mutate(&mut text, &corpus, &words, &mut numbers);
        }
        laid_out += usize::from(check(&text));
    }
    assert!(laid_out > inputs_wanted() / 100, "{laid_out} inputs could be laid out");
}

#[test]
fn pieces_in_any_order_are_read() {
    let words: Vec<&str> = WORDS.split_whitespace().collect();
    let mut numbers = Numbers(0xF10);
    for _ in 0..inputs_wanted() {
        let mut text = String::from(*numbers.one_of(&["", "pipe A { ", "flow f { a -> b ", "packet P { "]));
        for _ in 0..numbers.below(40) {
            text.push_str(piece(&words, &mut numbers));
            text.push_str(["", " ", " ", " "][numbers.below(4)]);
        }
        check(&text);
    }
}

#[test]
fn blanks_and_comments_anywhere_change_no_tokens() {
    let mut numbers = Numbers(0xB1A);
    for path in inputs("good") {
        let text = read(&path);
        let options = tokens::Options { percent_lines: false, compounds: xip::filter::COMPOUNDS };
        let (tokens, _) = tokens::tokenize(&text, source::FileId(0), &options);
        for _ in 0..40 {
            let mut changed = String::new();
            let mut is_line_comment = false;
            for token in &tokens {
                // Between these, more would be part of what stands there.
                let is_two = changed.ends_with(['-', '<', '/']) || is_line_comment;
                let more = numbers.one_of(&[
                    "",
                    "",
                    "",
                    " ",
                    "\n",
                    "\n\n\n",
                    " /* c */ ",
                    "/* c */\n",
                    " // c\n",
                    "\t/* c\nd */ ",
                ]);
                changed.push_str(if is_two { "" } else { more });
                let piece = &text[token.span.start as usize..token.span.end as usize];
                is_line_comment = piece.starts_with("//");
                changed.push_str(piece);
            }
            assert!(check(&changed), "{changed}\n{:?}", front_spi::format(&changed));
        }
    }
}

#[test]
fn long_files_take_no_time_to_speak_of() {
    for unit in
        ["{ ", "flow f { a -> b; ", "$ x ", "a -> ", "pipe ", "\" ", "via ", "packet P { int8 a[<= 4 used a]; } ", "}"]
    {
        let text = unit.repeat(20_000);
        let (_, _, findings) = parse(&text);
        let laid_out = front_spi::format(&text);
        assert!(!findings.is_empty() && laid_out.is_ok() == unit.starts_with("packet"), "{unit}");
    }
    let instances: String = (0..20_000).map(|index| format!("A a{index}; a{index} -> b;\n")).collect();
    assert!(check(&format!("flow f {{ {instances} }}")));
}
