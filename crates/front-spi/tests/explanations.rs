//! The examples of `errors.md`, run: what is wrong gets the code that it stands under, what is right gets nothing, and
//! holds to what it promises, too.

use source::SourceMap;

const PAGE: &str = include_str!("../src/errors.md");

/// The codes that an example gets.
fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let file = map.add("example.spi", text);
    let (xip, mut findings) = front_spi::parse(&map, file, &front_spi::Options::default());
    findings.extend(
        xip::checks::check(&xip, &[], &xip::checks::Options { encodings: &[], limits: source::Limits::default() })
            .findings,
    );
    findings.iter().map(|finding| finding.code).collect()
}

/// The block behind a word.
fn example<'a>(section: &'a str, word: &str) -> Option<&'a str> {
    let (_, block) = section.split_once(&format!("\n{word}:\n```spi\n"))?;
    Some(block.split_once("```")?.0)
}

#[test]
fn wrong_examples_get_their_code_and_right_ones_nothing() {
    let mut run = 0;
    for section in PAGE.split("\n## ").skip(1) {
        let code = section.lines().next().unwrap_or_default();
        let (Some(wrong), Some(right)) = (example(section, "Wrong"), example(section, "Right")) else {
            assert!(section.contains("No example:"), "{code} has no examples");
            continue;
        };
        assert!(codes(wrong).contains(&code), "{code} is not among {:?}", codes(wrong));
        assert_eq!(codes(right), Vec::<&str>::new(), "{code}: {right}");
        run += 1;
    }
    assert!(run > 25, "{run} examples");
}
