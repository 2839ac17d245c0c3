//! Designators of elements far away: `[100000000] = 1`. In: the text of a unit, and the most elements that may be known. Out:
//! where an initializer names an element beyond. Why before clang: it makes all elements that the designator skips, and takes
//! 32 bytes and more for each. What the index is, is computed here as far as numbers, their names in enumerations, and
//! operators go; what else it may be (`sizeof`) is taken for small.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::lex::{self, Kind, Token};

/// The first designator of an element behind so many.
pub(crate) fn beyond(text: &str, most: u64) -> Option<Range<u32>> {
    let tokens: Vec<Token> = lex::tokens(text).into_iter().filter(|token| token.kind != Kind::Directive).collect();
    let mut found = None;
    let mut constants: BTreeMap<&str, i128> = BTreeMap::new();
    let mut open: Vec<usize> = Vec::new();
    // The bracket that each closing one closes.
    let mut partners: BTreeMap<usize, usize> = BTreeMap::new();
    // The next constant of the enumeration that is being read, and how deep its braces are.
    let mut enumeration: Option<(i128, usize)> = None;
    let mut braces = 0_usize;
    let mut sum = 0_u64;
    for (at, token) in tokens.iter().enumerate() {
        match &text[token.range()] {
            "{" => {
                braces += 1;
                if is_enumeration(text, &tokens[..at]) {
                    enumeration = Some((0, braces));
                }
            }
            "}" => {
                enumeration = enumeration.filter(|(_, depth)| *depth != braces);
                braces = braces.saturating_sub(1);
            }
            "[" => open.push(at),
            "]" => {
                let Some(opening) = open.pop() else { continue };
                partners.insert(at, opening);
                if !is_designator(text, &tokens, opening, &partners) {
                    continue;
                }
                let inside = &tokens[opening + 1..at];
                let last = inside.iter().rposition(|token| &text[token.range()] == "...").map_or(0, |dots| dots + 1);
                let index = value(text, &inside[last..], &constants).and_then(|index| u64::try_from(index).ok());
                sum = sum.max(index.unwrap_or(0));
                if sum > most && found.is_none() {
                    found = Some(tokens[opening].start..token.end);
                }
            }
            name if token.kind == Kind::Word => {
                let Some((next, depth)) = &mut enumeration else { continue };
                let begins = tokens[..at].last().is_some_and(|last| matches!(&text[last.range()], "{" | ","));
                if *depth != braces || !begins {
                    continue;
                }
                if tokens.get(at + 1).is_some_and(|next| &text[next.range()] == "=") {
                    let rest = &tokens[at + 2..];
                    let end =
                        rest.iter().take(64).position(|token| matches!(&text[token.range()], "," | "}")).unwrap_or(0);
                    *next = value(text, &rest[..end], &constants).unwrap_or(0);
                }
                let greatest = constants.entry(name).or_insert(*next);
                *greatest = (*greatest).max(*next);
                *next += 1;
            }
            _ => {}
        }
    }
    let found: Option<Range<usize>> = found;
    let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    found.map(|found| place(found.start)..place(found.end))
}

/// More `*` one after the other than that.
pub(crate) fn deep_pointer(text: &str, most: usize) -> Option<Range<u32>> {
    let mut stars = 0;
    for token in lex::tokens(text) {
        stars = match &text[token.range()] {
            "*" => stars + 1,
            "const" | "volatile" | "restrict" | "__restrict" | "(" => stars,
            _ => 0,
        };
        if stars > most {
            let place = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
            return Some(place(token.start)..place(token.end));
        }
    }
    None
}

/// `enum {`, `enum name {`, with attributes or without.
fn is_enumeration(text: &str, before: &[Token]) -> bool {
    before
        .iter()
        .rev()
        .take(16)
        .map(|token| &text[token.range()])
        .take_while(|word| !matches!(*word, ";" | "{" | "}" | ","))
        .any(|word| word == "enum")
}

/// True where what stands before a bracket begins a designator: `{ [`, `, [`, `{ .name[`, `{ [1][`.
fn is_designator(text: &str, tokens: &[Token], opening: usize, partners: &BTreeMap<usize, usize>) -> bool {
    let mut at = opening;
    let word = |at: usize| tokens.get(at).map_or("", |token| &text[token.range()]);
    // No type has more dimensions and members inside each other.
    for _ in 0..256 {
        match at.checked_sub(1).map(word) {
            Some("{" | ",") => return true,
            Some("]") => match partners.get(&(at - 1)) {
                Some(before) => at = *before,
                None => return false,
            },
            Some(_) if at >= 2 && word(at - 2) == "." => at -= 2,
            _ => return false,
        }
    }
    false
}

/// The number that an expression is. Operators without precedence would do for a bound; they have it all the same.
fn value(text: &str, tokens: &[Token], constants: &BTreeMap<&str, i128>) -> Option<i128> {
    // Nobody writes more, and recursion stays short.
    if tokens.len() > 256 {
        return None;
    }
    let mut parser = Parser { text, tokens, constants };
    let value = parser.sum(0)?;
    parser.tokens.is_empty().then_some(value)
}

struct Parser<'t> {
    text: &'t str,
    tokens: &'t [Token],
    constants: &'t BTreeMap<&'t str, i128>,
}

/// Loosest first.
const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

impl Parser<'_> {
    fn sum(&mut self, level: usize) -> Option<i128> {
        let mut left = self.one()?;
        while let Some((operator, binds)) = self.operator(level) {
            self.tokens = &self.tokens[1..];
            let right = self.sum(binds + 1)?;
            left = match operator {
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn operator(&self, level: usize) -> Option<(&'static str, usize)> {
        let mark = &self.text[self.tokens.first()?.range()];
        let known = LEVELS.iter().enumerate().skip(level);
        known
            .flat_map(|(level, marks)| marks.iter().map(move |known| (*known, level)))
            .find(|(known, _)| *known == mark)
    }

    fn one(&mut self) -> Option<i128> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        match (&self.text[first.range()], first.kind) {
            ("(", _) => {
                let inner = self.sum(0)?;
                let (closing, rest) = self.tokens.split_first()?;
                self.tokens = rest;
                (&self.text[closing.range()] == ")").then_some(inner)
            }
            ("-", _) => self.one()?.checked_neg(),
            ("+", _) => self.one(),
            ("~", _) => Some(!self.one()?),
            (name, Kind::Word) => self.constants.get(name).copied(),
            (spelling, Kind::Number) => number(spelling),
            _ => None,
        }
    }
}

fn number(spelling: &str) -> Option<i128> {
    let digits = spelling.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => (&digits[2..], 2),
        [b'0', _, ..] => (&digits[1..], 8),
        _ => (digits, 10),
    };
    i128::from_str_radix(&digits.replace('\'', ""), radix).ok()
}

#[cfg(test)]
mod tests {
    use super::beyond;

    #[test]
    fn elements_far_away_are_found() {
        for text in [
            "int a[] = { [1001] = 1 };",
            "int a[] = { 1, [0 ... 2000] = 1 };",
            "int a[] = { [0x400 << 2] = 1 };",
            "enum { A = 2, N = 1000 * A, M }; int a[] = { [M - 1] = 1 };",
            "int a[9][9999] = { [3][9998] = 1 };",
            "struct s a = { .x[5000] = 1 };",
        ] {
            assert!(beyond(text, 1000).is_some(), "{text}");
        }
    }

    #[test]
    fn lengths_and_subscripts_are_none() {
        for text in [
            "int a[100000];",
            "int a[100000] = { 1 };",
            "void f(int *a) { a[100000] = 1; a[1][100000] = 2; s.x[100000] = 3; g(a, s.x[100000]); }",
            "int a[] = { [1000] = 1 };",
            "int a[] = { [sizeof(int)] = 1 };",
        ] {
            assert_eq!(beyond(text, 1000), None, "{text}");
        }
    }
}
