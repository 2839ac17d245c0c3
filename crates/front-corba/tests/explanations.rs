//! The examples of `errors.md`, run: what is wrong gets the code that it stands under, what is right gets nothing.

use source::SourceMap;

const PAGE: &str = include_str!("../src/errors.md");

/// The codes that an example gets.
fn codes(text: &str) -> Vec<&'static str> {
    let mut map = SourceMap::new();
    let file = map.add("example.idl", text);
    let (_, findings) = front_corba::parse(&map, file, &front_corba::Options::default());
    findings.iter().map(|finding| finding.code).collect()
}

/// The block behind a word.
fn example<'a>(section: &'a str, word: &str) -> Option<&'a str> {
    let (_, block) = section.split_once(&format!("\n{word}:\n```idl\n"))?;
    Some(block.split_once("```")?.0)
}

#[test]
fn wrong_examples_get_their_code_and_right_ones_nothing() {
    let (mut run, mut failures) = (0, Vec::new());
    for section in PAGE.split("\n## ").skip(1) {
        let code = section.lines().next().unwrap_or_default();
        let (Some(wrong), Some(right)) = (example(section, "Wrong"), example(section, "Right")) else {
            assert!(section.contains("No example:"), "{code} has no examples");
            continue;
        };
        if !codes(wrong).contains(&code) {
            failures.push(format!("{code} is not among {:?}: {wrong}", codes(wrong)));
        }
        if !codes(right).is_empty() {
            failures.push(format!("{code}: {:?}: {right}", codes(right)));
        }
        run += 1;
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(run > 60, "{run} examples");
}
