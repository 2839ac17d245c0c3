//! The files of `tests/data`: good ones are what is written again, bad ones stand beside what is said of them. The
//! schema and the reader agree about these, about what is written of any description, and about documents in which
//! something was changed: `xmllint` is the judge of the schema.

mod arbitrary;

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

const BLESS: &str = "BLESS=1 cargo test -p xip --test documents";
/// Findings that the schema leaves to the reader, because no pattern can say them.
const BEYOND_THE_SCHEMA: [&str; 5] = ["xip-008", "xip-009", "xip-022", "xip-023", "xip-026"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for path in inputs("good") {
        trials.push(Trial::test(name(&path), move || is_written_again(&path)));
    }
    for path in inputs("bad") {
        trials.push(Trial::test(name(&path), move || is_told(&path)));
    }
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

fn is_told(path: &Path) -> Result<(), Failed> {
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

/// The files, and what is right of the page about them.
fn written_by_hand() -> Result<Vec<String>, Failed> {
    let texts = inputs("good").into_iter().chain(inputs("bad")).map(fs::read_to_string);
    let texts: Vec<String> = texts.collect::<Result<_, _>>()?;
    Ok(texts.into_iter().filter(|text| !is_beyond_the_schema(text)).collect())
}

fn samples(count: usize) -> Vec<Xip> {
    let mut runner = TestRunner::deterministic();
    let whole = arbitrary::whole();
    (0..count).map(|_| whole.new_tree(&mut runner).expect("a description").current()).collect()
}

/// Documents with an attribute, a word or a tag changed; most are wrong then, some are not.
fn changed() -> Vec<String> {
    let texts: Vec<String> = samples(60).iter().map(xip::xml::write).collect();
    let mut found = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let quotes: Vec<usize> = text.match_indices('"').map(|(at, _)| at).collect();
        for step in 0..6 {
            // Behind the declaration and the namespace, which have four pairs.
            let pairs = quotes.len() / 2 - 4;
            let pair = 4 + (index * 31 + step * 17) % pairs.max(1);
            let Some((open, close)) = quotes.get(2 * pair).zip(quotes.get(2 * pair + 1)) else { continue };
            let start = text[..*open].rfind(' ').unwrap_or(0);
            let mut changed = text.clone();
            match step {
                0 => changed.replace_range(start..close + 1, ""),
                1 => changed.replace_range(start + 1..open - 1, ["name", "type", "unit", "call", "used"][index % 5]),
                2 => changed.replace_range(open + 1..*close, ["", "a.b", "12", "5 ms", "3 x/s"][index % 5]),
                3 => changed.replace_range(open + 1..*close, ["reliable", "items", "-1", " a", "3/s"][index % 5]),
                4 => changed.insert_str(text[..start].rfind('<').unwrap_or(0), "<priority value=\"1\"/>"),
                _ => changed = swap_lines(text, index),
            }
            if !is_beyond_the_schema(&changed) {
                found.push(changed);
            }
        }
    }
    found
}

/// Two neighbours change their places.
fn swap_lines(text: &str, seed: usize) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let at = 2 + seed * 7 % (lines.len() - 2);
    let next = (at + 1).min(lines.len() - 1);
    lines.swap(at, next);
    lines.join("\n")
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
    findings(text).iter().any(|finding| BEYOND_THE_SCHEMA.contains(&finding.code))
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
    let accepted = said.lines().filter_map(|line| line.strip_suffix(".xip validates")).count();
    let expected = texts.iter().filter(|text| is_good(text)).count();
    for (index, text) in texts.iter().enumerate() {
        let is_accepted = said.lines().any(|line| line == format!("{index}.xip validates"));
        if is_accepted != is_good(text) {
            let about: Vec<&str> = said.lines().filter(|line| line.starts_with(&format!("{index}.xip"))).collect();
            let ours: Vec<String> = findings(text).into_iter().map(|finding| finding.message).collect();
            return Err(format!("{text}\nschema: {about:#?}\nreader: {ours:#?}").into());
        }
    }
    if accepted == expected { Ok(()) } else { Err(format!("{accepted} of {expected} accepted\n{said}").into()) }
}
