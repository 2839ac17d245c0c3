//! Numbers in a program's code as inputs of their own: a literal becomes a variable that starts with its value. Nobody
//! writes the variable, so the program does what it did; what a division makes of it is another matter.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use filetest::oracle;
use filetest::random::Random;
use libtest_mimic::Failed;

use crate::program::BUILDS;

/// Makes variables of some literals, at most so many; the program that has them, where there is one.
pub(crate) fn lift(
    source: &Path,
    flags: &[String],
    (random, most): (&mut Random, usize),
    folder: &Path,
) -> Result<Option<PathBuf>, Failed> {
    let mut preprocess = oracle::command("clang");
    preprocess.args(["-E", "-w"]).args(flags).arg(source);
    let text = match preprocess.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => return Ok(None),
    };
    let mut places = literals(&text);
    while places.len() > most {
        places.swap_remove(random.below(places.len() as u64) as usize);
    }
    places.sort_by_key(|place| place.start);
    let lifted = folder.join("literals.c");
    let is_c = |places: &[Range<usize>]| -> Result<bool, Failed> {
        fs::write(&lifted, rewritten(&text, places))?;
        let object = BUILDS[0].compile(&[&lifted], &[flags, &["-c".to_owned()]].concat(), folder, "literals")?;
        Ok(object.is_ok())
    };
    if !is_c(&places)? {
        // Somewhere C wants a constant.
        let mut fit = Vec::new();
        for place in places {
            if is_c(std::slice::from_ref(&place))? {
                fit.push(place);
            }
        }
        places = fit;
        if !is_c(&places)? {
            return Ok(None);
        }
    }
    Ok((!places.is_empty()).then_some(lifted))
}

fn rewritten(text: &str, places: &[Range<usize>]) -> String {
    let mut out = String::new();
    for (number, place) in places.iter().enumerate() {
        let literal = &text[place.clone()];
        out.push_str(&format!("static __typeof__({literal}) law_literal_{number} = {literal};\n"));
    }
    let mut done = 0;
    for (number, place) in places.iter().enumerate() {
        out.push_str(&text[done..place.start]);
        out.push_str(&format!("law_literal_{number}"));
        done = place.end;
    }
    out.push_str(&text[done..]);
    out
}

/// Whole numbers in the bodies of functions that stand where C does not ask for constants, as far as one can see
/// without understanding C.
fn literals(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut scan = Scan::default();
    let mut main_file: Option<&str> = None;
    let mut is_here = true;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if line.starts_with('#') {
            let file = line.split('"').nth(1).unwrap_or("");
            is_here = *main_file.get_or_insert(file) == file;
        } else {
            scan.line(line, start, is_here, &mut found);
        }
        start += line.len();
    }
    found
}

/// Where the text stands.
#[derive(Default)]
struct Scan {
    /// Open braces, and how many of them were open where a function's body began.
    braces: usize,
    body: Option<usize>,
    brackets: usize,
    /// The first two words of the statement, and what was last.
    first: String,
    second: String,
    last: String,
}

impl Scan {
    fn line(&mut self, line: &str, start: usize, is_here: bool, found: &mut Vec<Range<usize>>) {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let length = token(rest);
            let (word, at) = (&rest[..length], start + line.len() - rest.len());
            rest = &rest[length..];
            if first.is_whitespace() {
                continue;
            }
            if is_here && self.may_vary() && is_whole_number(word) {
                found.push(at..at + length);
            }
            self.passed(word);
        }
    }

    fn may_vary(&self) -> bool {
        let constant =
            ["static", "enum", "typedef", "case", "struct", "union", "asm", "__asm__", "extern", "__extension__"];
        let is_declaration = !self.second.is_empty() && is_word(&self.first) && is_word(&self.second);
        let is_type = ["int", "char", "long", "short", "unsigned", "signed", "float", "double", "const", "register"];
        let is_declaration = is_declaration && self.first != "return" || is_type.contains(&&*self.first);
        self.body.is_some() && !constant.contains(&&*self.first) && !(is_declaration && self.brackets > 0)
    }

    fn passed(&mut self, word: &str) {
        match word {
            "{" => {
                if self.body.is_none() && self.braces == 0 && matches!(&*self.last, ")" | ";") {
                    self.body = Some(self.braces);
                }
                self.braces += 1;
            }
            "}" => {
                self.braces = self.braces.saturating_sub(1);
                if self.body == Some(self.braces) {
                    self.body = None;
                }
            }
            "[" => self.brackets += 1,
            "]" => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        // An initializer's braces belong to its declaration.
        let is_end =
            matches!(word, ";" | "}") || word == "{" && self.last != "=" || word == ":" && self.first == "case";
        if is_end {
            (self.first, self.second) = (String::new(), String::new());
        } else if self.first.is_empty() {
            self.first = word.to_owned();
        } else if self.second.is_empty() {
            self.second = word.to_owned();
        }
        self.last = word.to_owned();
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

/// The length of the token that a text begins with.
fn token(text: &str) -> usize {
    let bytes = text.as_bytes();
    let first = bytes.first().copied().unwrap_or(0);
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'.';
    match first {
        b'"' | b'\'' => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != first {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            (at + 1).min(bytes.len())
        }
        _ if part(&first) => {
            let is_number = first.is_ascii_digit();
            let is_exponent = |at: usize| is_number && !text.starts_with("0x") && matches!(bytes[at - 1], b'e' | b'E');
            let more = |at: usize| part(&bytes[at]) || matches!(bytes[at], b'+' | b'-') && is_exponent(at);
            (1..bytes.len()).find(|at| !more(*at)).unwrap_or(bytes.len())
        }
        _ => text.chars().next().map_or(1, char::len_utf8),
    }
}

fn is_whole_number(word: &str) -> bool {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_hexdigit()),
        None => !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit()),
    }
}
