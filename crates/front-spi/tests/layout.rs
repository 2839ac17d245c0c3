//! The canonical layout: what it looks like (`.laid_out` beside the files of `tests/spi/layout`), and that it keeps what
//! was written.

mod files;

use files::inputs;
use filetest::files::{Failures, read};
use source::FileId;
use tokens::TokenKind;

const OPTIONS: tokens::Options = tokens::Options { percent_lines: false, compounds: xip::filter::COMPOUNDS };

/// All that is written, without the blanks: a number and its unit are one here or two, and mean the same.
fn written(text: &str, kind: impl Fn(TokenKind) -> bool) -> String {
    let (tokens, _) = tokens::tokenize(text, FileId(0), &OPTIONS);
    let kept = tokens.iter().filter(|token| token.kind != TokenKind::Blank && kind(token.kind));
    kept.map(|token| text[token.span.start as usize..token.span.end as usize].trim_end()).collect::<Vec<_>>().join("")
}

fn laid_out(text: &str) -> String {
    front_spi::format(text).unwrap_or_else(|findings| panic!("{findings:?} in\n{text}"))
}

#[test]
fn files_are_laid_out_as_stands_beside_them() {
    let mut failures = Failures::default();
    for path in inputs("layout") {
        failures.compare(&path, "laid_out", &laid_out(&read(&path)));
    }
    failures.report("front-spi");
}

#[test]
fn tokens_and_comments_stay_and_twice_is_once() {
    for path in [inputs("layout"), inputs("good")].concat() {
        let text = read(&path);
        let once = laid_out(&text);
        let is_comment = |kind| kind == TokenKind::Comment;
        assert_eq!(written(&text, |kind| !is_comment(kind)), written(&once, |kind| !is_comment(kind)));
        assert_eq!(written(&text, is_comment), written(&once, is_comment));
        assert_eq!(laid_out(&once), once, "{}", path.display());
        assert!(once.lines().all(|line| line.trim_end() == line), "{}", path.display());
    }
}

#[test]
fn the_tree_stays_the_same() {
    for path in inputs("good") {
        let parse = |text: &str| {
            let mut map = source::SourceMap::new();
            let file = map.add("a.spi", text);
            front_spi::parse(&map, file, &front_spi::Options::default()).0
        };
        let text = read(&path);
        assert_eq!(parse(&text), parse(&laid_out(&text)), "{}", path.display());
    }
}

#[test]
fn files_with_syntax_errors_are_refused_and_others_are_not() {
    let codes =
        |text| front_spi::format(text).map_err(|findings| findings.iter().map(|one| one.code).collect::<Vec<_>>());
    assert_eq!(codes("flow f { a -> b }"), Err(vec!["spi-002"]));
    assert_eq!(codes("flow f { $ }\nflow"), Err(vec!["lex-004", "spi-001"]));
    assert_eq!(codes("flow f{}flow f{}"), Ok("flow f {}\nflow f {}\n".to_owned()));
    assert_eq!(codes(""), Ok(String::new()));
    assert_eq!(
        codes("\u{feff}import \"a.x\";\r\n\r\n\r\n/* b\r\nc */\r\n"),
        Ok("import \"a.x\";\n\n/* b\nc */\n".to_owned())
    );
}
