//! Texts changed at random from a seed alone. In: good and bad texts of a language, and pieces of it. Out: what nobody would
//! write: pieces left out, put in, doubled, and taken from other texts. Why: a reader must come to an end with any of them.

use std::ops::Range;
use std::path::Path;

use crate::files::{inputs, read};

/// Inputs grow no longer: copies of copies would soon be all that there is.
const LONGEST: usize = 20_000;

/// A generator of its own, so that the inputs stay the same for ever (xorshift64*).
pub struct Numbers(pub u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// A number less than `limit`, or 0 where `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() >> 16) as usize % limit.max(1)
    }

    /// One of several, of which there is one at least.
    pub fn one_of<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len())]
    }

    /// Where a text may be cut.
    pub fn boundary(&mut self, text: &str) -> usize {
        let mut offset = self.below(text.len() + 1);
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// A stretch of the text, mostly a short one.
    pub fn stretch(&mut self, text: &str) -> Range<usize> {
        let start = self.boundary(text);
        let length = if self.below(4) == 0 { self.below(text.len() + 1) } else { self.below(12) };
        let mut end = (start + length).min(text.len());
        while !text.is_char_boundary(end) {
            end += 1;
        }
        start..end
    }
}

/// How many inputs a test tries: `WHITTLE_FUZZ_INPUTS`, or as many as it usually does.
pub fn inputs_asked_for(usual: usize) -> usize {
    std::env::var("WHITTLE_FUZZ_INPUTS").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}

/// The texts of the folders `good` and `bad` of a language.
pub fn corpus(folder: &Path, extension: &str) -> Vec<String> {
    ["good", "bad"]
        .iter()
        .flat_map(|verdict| inputs(&folder.join(verdict), extension))
        .map(|path| read(&path))
        .collect()
}

/// Hands `check` as many changed texts as are asked for.
pub fn mutated(corpus: &[String], pieces: &[&str], seed: u64, inputs: usize, mut check: impl FnMut(&str)) {
    let mut numbers = Numbers(seed);
    for _ in 0..inputs {
        let mut text = numbers.one_of(corpus).clone();
        for _ in 0..=numbers.below(6) {
            mutate(&mut text, corpus, pieces, &mut numbers);
        }
        if text.len() <= LONGEST {
            check(&text);
        }
    }
}

/// Hands `check` as many texts as are asked for in which a few words are others of their kind, and numbers other numbers: what
/// a reader mostly takes, and what stands behind it sees.
pub fn exchanged(corpus: &[String], seed: u64, inputs: usize, mut check: impl FnMut(&str)) {
    let mut numbers = Numbers(seed);
    let all: Vec<&str> = corpus.iter().flat_map(|text| words(text)).map(|(_, word)| word).collect();
    let (figures, names): (Vec<&str>, Vec<&str>) = all.into_iter().partition(|word| is_number(word));
    for _ in 0..inputs {
        let mut text = corpus[numbers.below(corpus.len())].clone();
        for _ in 0..=numbers.below(3) {
            let places: Vec<(usize, &str)> = words(&text).collect();
            let Some(&(start, word)) = places.get(numbers.below(places.len())) else { break };
            let kin = if is_number(word) { &figures } else { &names };
            let range = start..start + word.len();
            text.replace_range(range, kin[numbers.below(kin.len())]);
        }
        check(&text);
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_digit())
}

/// Names and numbers, and where they begin.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut next = 0;
    let pieces = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').map(move |word| {
        let start = next;
        let end = start + word.len();
        next = end + text[end..].chars().next().map_or(0, char::len_utf8);
        (start, word)
    });
    pieces.filter(|(_, word)| !word.is_empty())
}

fn mutate(text: &mut String, corpus: &[String], pieces: &[&str], numbers: &mut Numbers) {
    match numbers.below(5) {
        0 => {
            let gone = numbers.stretch(text);
            text.replace_range(gone, "");
        }
        1 => {
            let at = numbers.boundary(text);
            text.insert_str(at, pieces[numbers.below(pieces.len())]);
        }
        2 => {
            let over = numbers.stretch(text);
            text.replace_range(over, pieces[numbers.below(pieces.len())]);
        }
        3 => {
            let copy = text[numbers.stretch(text)].to_owned();
            let at = numbers.boundary(text);
            text.insert_str(at, &copy);
        }
        _ => {
            let other = &corpus[numbers.below(corpus.len())];
            let part = other[numbers.stretch(other)].to_owned();
            let at = numbers.boundary(text);
            text.insert_str(at, &part);
        }
    }
}
