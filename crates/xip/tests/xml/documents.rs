//! The files of `tests/data`: good ones are what is written again, bad ones stand beside what is said of them. The
//! examples of `errors.md` get the codes that they stand under. The schema and the reader agree about all of these,
//! about what is written of any description, and about documents in which something was changed: `xmllint` judges.

mod arbitrary;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use filetest::golden::{self, Golden};
use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use source::{SourceMap, render};
use xip::Xip;

const PAGE: &str = include_str!("../../src/xml/errors.md");
const BLESS: &str = "BLESS=1 cargo test -p xip --test documents";
/// What a schema does not say: document types are XML, and no pattern counts to 2 to the power of 64.
const BEYOND_THE_SCHEMA: [&str; 3] = ["<!DOCTYPE", "18446744073709551616", "\\u{D800}"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for path in inputs("good") {
        trials.push(Trial::test(name(&path), move || is_written_again(&path)));
    }
    for path in inputs("bad") {
        trials.push(Trial::test(name(&path), move || is_known(&path)));
    }
    trials.extend(examples().into_iter().map(|example| {
        let name = format!("{}: {}", example.code, if example.is_wrong { "wrong" } else { "right" });
        Trial::test(name, move || gets_its_code(&example))
    }));
    trials.push(Trial::test("the example of the page about XIP", page_example));
    trials.push(oracle::trial("the schema agrees about these", &["xmllint"], || agree(&written_by_hand()?)));
    trials.push(oracle::trial("the schema accepts what is written", &["xmllint"], || {
        let texts: Vec<String> = samples(150).iter().map(xip::xml::write).collect();
        if texts.iter().any(|text| !is_good(text)) { Err("not read back".into()) } else { agree(&texts) }
    }));
    trials.push(oracle::trial("the schema agrees about changes", &["xmllint"], || agree(&changed())));
    libtest_mimic::run(&arguments, trials).exit();
}

fn inputs(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(folder);
    let files = golden::files_below(&folder).into_iter();
    let found: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "xip")).collect();
    assert!(!found.is_empty(), "there are files in {}", folder.display());
    found
}

fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().replace('_', " ")
}

fn is_written_again(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let mut map = SourceMap::new();
    let file = map.add("good.xip", text.as_str());
    let (read, findings) = xip::xml::read(&map, file);
    if !findings.is_empty() {
        return Err(render::full(&map, &findings).into());
    }
    let golden = Golden { input: path.into(), expectation: path.into(), kind: "xip".into(), options: Vec::new() };
    golden::check(&golden, &xip::xml::write(&read), BLESS)
}

fn is_known(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let mut map = SourceMap::new();
    let file = map.add(path.file_name().unwrap_or_default().to_string_lossy(), text);
    let (_, findings) = xip::xml::read(&map, file);
    if findings.is_empty() {
        return Err("no finding".into());
    }
    let expectation = path.with_extension("stderr");
    let golden = Golden { input: path.into(), expectation, kind: "stderr".into(), options: Vec::new() };
    golden::check(&golden, &render::full(&map, &findings), BLESS)
}

fn page_example() -> Result<(), Failed> {
    let page = include_str!("../../../../docs/ir/xip.md");
    let block = page.split_once("```xml\n").and_then(|(_, behind)| behind.split_once("```"));
    let (text, _) = block.ok_or("no example")?;
    let mut map = SourceMap::new();
    let file = map.add("demo.xip", text);
    let (read, findings) = xip::xml::read(&map, file);
    if findings.is_empty() && xip::xml::write(&read) == text { Ok(()) } else { Err(format!("{findings:#?}").into()) }
}

/// A block of the page: which code it is about, whether it is wrong, and what it says.
struct Example {
    code: &'static str,
    is_wrong: bool,
    text: &'static str,
}

fn examples() -> Vec<Example> {
    let mut found = Vec::new();
    for section in PAGE.split("\n## ").skip(1) {
        let code = section.lines().next().unwrap_or_default();
        for (word, is_wrong) in [("Wrong:\n```xip\n", true), ("Right:\n```xip\n", false)] {
            let text = section.split_once(word).and_then(|(_, behind)| behind.split_once("```"));
            found.extend(text.map(|(text, _)| Example { code, is_wrong, text }));
        }
    }
    assert_eq!(found.len(), 50, "every code but xip-009 has an example, wrong and right");
    found
}

/// What is right is right for the checks of flows, too.
fn gets_its_code(example: &Example) -> Result<(), Failed> {
    let mut map = SourceMap::new();
    let file = map.add("example.xip", example.text);
    let (read, mut findings) = xip::xml::read(&map, file);
    if findings.is_empty() {
        findings =
            xip::checks::check(&read, &[], &xip::checks::Options { encodings: &[], limits: source::Limits::default() })
                .findings;
    }
    let is_met = findings.iter().any(|finding| finding.code == example.code);
    let is_as_it_says = if example.is_wrong { is_met } else { findings.is_empty() };
    if is_as_it_says { Ok(()) } else { Err(render::full(&map, &findings).into()) }
}

/// The files, and the examples of the page.
fn written_by_hand() -> Result<Vec<String>, Failed> {
    let texts = inputs("good").into_iter().chain(inputs("bad")).map(fs::read_to_string);
    let mut texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    texts.extend(examples().iter().map(|example| example.text.to_owned()));
    Ok(texts.into_iter().filter(|text| !is_beyond_the_schema(text)).collect())
}

fn samples(count: usize) -> Vec<Xip> {
    let mut runner = TestRunner::deterministic();
    let whole = arbitrary::whole();
    (0..count).map(|_| whole.new_tree(&mut runner).expect("a description").current()).collect()
}

/// What an attribute may be made to say; most of it is wrong in most of them.
const VALUES: [&str; 44] = [
    "",
    " ",
    "a",
    "_a1",
    "1a",
    "a-b",
    "ä",
    "a.b",
    "a.",
    ".b",
    "a.b.c",
    " a",
    "a b",
    "0",
    "007",
    "-1",
    "+1",
    "1.5",
    "٣",
    "5 ms",
    "5ms",
    "5  ms",
    "5 min",
    "ms",
    "30/s",
    "3 MB/s",
    "3MB/s",
    "3 /s",
    "3/ s",
    "/s",
    "3 M B/s",
    "\\\\",
    "\\",
    "\\u{}",
    "\\u{1234567}",
    "\\u{7}",
    "reliable",
    "ordered",
    "string",
    "int32",
    "yes",
    "drop",
    "on full",
    "items",
];

/// The document of every element, each time with one thing changed.
fn changed() -> Vec<String> {
    let text = include_str!("../data/good/every_element.xip");
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    for (at, line) in lines.iter().enumerate().skip(1) {
        let with = |changed: &str| [&lines[..at], &[changed], &lines[at + 1..]].concat().join("\n");
        for (start, name, value) in attributes(line) {
            let (before, behind) = (&line[..start], &line[start + name.len() + value.len() + 3..]);
            found.push(with(&format!("{before}{behind}")));
            found.push(with(&format!("{before}{name}s=\"{value}\"{behind}")));
            found.extend(VALUES.map(|value| with(&format!("{before}{name}=\"{value}\"{behind}"))));
        }
        // Every element without children, at every place.
        for element in lines.iter().filter(|line| line.ends_with("/>")) {
            found.push(with(&format!("{line}{element}")));
        }
    }
    found
}

/// The attributes of a line: where each begins, its name and its value.
fn attributes(line: &str) -> Vec<(usize, &str, &str)> {
    let starts = line.match_indices("=\"").map(|(equals, _)| {
        let start = line[..equals].rfind(' ').map_or(0, |blank| blank + 1);
        let value = line[equals + 2..].split('"').next().unwrap_or_default();
        (start, &line[start..equals], value)
    });
    starts.collect()
}

fn findings(text: &str) -> Vec<source::Diagnostic> {
    let mut map = SourceMap::new();
    let file = map.add("a.xip", text);
    xip::xml::read(&map, file).1
}

fn is_good(text: &str) -> bool {
    findings(text).is_empty()
}

fn is_beyond_the_schema(text: &str) -> bool {
    BEYOND_THE_SCHEMA.iter().any(|beyond| text.contains(beyond))
}

/// One run of `xmllint` over all texts: it accepts those that the reader has nothing to say of, and no others.
fn agree(texts: &[String]) -> Result<(), Failed> {
    let folder = Scratch::new("schema")?;
    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/xip.rng");
    let mut command = oracle::command("xmllint");
    command.args(["--nonet", "--noout", "--relaxng"]).arg(schema).current_dir(folder.path());
    for (index, text) in texts.iter().enumerate() {
        let name = format!("{index}.xip");
        fs::write(folder.path().join(&name), text)?;
        command.arg(name);
    }
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let accepted: BTreeSet<&str> = said.lines().filter_map(|line| line.strip_suffix(".xip validates")).collect();
    let mut good = 0;
    for (index, text) in texts.iter().enumerate() {
        let index = index.to_string();
        let findings = findings(text);
        good += usize::from(findings.is_empty());
        if accepted.contains(index.as_str()) != findings.is_empty() {
            let about: Vec<&str> = said.lines().filter(|line| line.starts_with(&format!("{index}.xip"))).collect();
            let ours: Vec<String> = findings.into_iter().map(|finding| finding.message).collect();
            return Err(format!("{text}\nschema: {about:#?}\nreader: {ours:#?}").into());
        }
    }
    if accepted.len() == good && good > 0 { Ok(()) } else { Err(format!("{good} are good:\n{said}").into()) }
}
