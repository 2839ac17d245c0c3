//! Misspelled keywords, found by trying: where a grammar stumbles, a word nearby that is almost a keyword is read as
//! that keyword. It was meant so if the file then reads on.
//!
//! In: a parser that can be run again, and the language's keywords. Out: the tree of the repaired file, and one
//! finding for each repaired word in place of what followed from it. Why: a grammar has many places where a keyword
//! may stand, and a guess at each of them would be forgotten at some. What a parser guesses by itself stays.

use crate::{Token, TokenKind};
use source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// Words that are read as others: by the offset where they start.
pub type Corrections = BTreeMap<u32, &'static str>;

/// Words that are repaired in one file. Each costs a few readings of it.
const MOST: usize = 8;

/// What a language calls its words, and a misspelled one.
#[derive(Clone, Copy)]
pub struct Repair<'a> {
    /// The text of the file.
    pub text: &'a str,
    /// Its tokens; trivia is skipped.
    pub tokens: &'a [Token],
    /// Words that a misspelled one may have been meant to be.
    pub keywords: &'a [&'static str],
    /// The finding: where, the word, the keyword.
    pub misspelled: fn(Span, &str, &str) -> Diagnostic,
}

impl Repair<'_> {
    /// Runs `parse` until no repair helps it.
    pub fn run<T>(&self, mut parse: impl FnMut(&Corrections) -> (T, Vec<Diagnostic>)) -> (T, Vec<Diagnostic>) {
        let words: Vec<Token> = self.tokens.iter().copied().filter(|token| !token.kind.is_trivia()).collect();
        let mut corrections = Corrections::new();
        let (mut tree, mut findings) = parse(&corrections);
        while corrections.len() < MOST
            && let Some(at) = self.first_error(&findings, &words)
        {
            let repaired = (at.saturating_sub(2)..=at).rev().find_map(|index| {
                let (start, keyword) = self.guess(&words, index, &corrections)?;
                let tried: Corrections =
                    corrections.iter().map(|(at, word)| (*at, *word)).chain([(start, keyword)]).collect();
                let (tree, findings) = parse(&tried);
                let reads_on = self.first_error(&findings, &words).is_none_or(|next| next > at + 1);
                reads_on.then_some((tried, tree, findings))
            });
            let Some(repaired) = repaired else { break };
            (corrections, tree, findings) = repaired;
        }
        findings.extend(corrections.iter().map(|(start, keyword)| {
            let word = words[words.partition_point(|token| token.span.start < *start)];
            (self.misspelled)(word.span, self.spelling(word), keyword)
        }));
        (tree, findings)
    }

    fn spelling(&self, token: Token) -> &str {
        self.text.get(token.span.start as usize..token.span.end as usize).unwrap_or("")
    }

    /// The first token that the grammar has no use for. A misspelled word that the parser understood is none.
    fn first_error(&self, findings: &[Diagnostic], words: &[Token]) -> Option<usize> {
        let understood = (self.misspelled)(Span::default(), "", "").code;
        let errors = findings.iter().filter(|finding| finding.is_error() && finding.code != understood);
        let first = errors.filter_map(|finding| finding.primary.as_ref()).map(|label| label.span.start).min()?;
        Some(words.partition_point(|token| token.span.start < first).min(words.len() - 1))
    }

    /// What the word there may have been meant to be. A name that the file gives to something, as in
    /// `struct name {`, is no keyword.
    fn guess(&self, words: &[Token], index: usize, corrections: &Corrections) -> Option<(u32, &'static str)> {
        let token = words[index];
        let word = self.spelling(token);
        if token.kind != TokenKind::Identifier
            || self.keywords.contains(&word)
            || corrections.contains_key(&token.span.start)
        {
            return None;
        }
        let is_given = words.windows(3).any(|three| {
            three[1].kind == TokenKind::Identifier
                && three[2].kind == TokenKind::Punctuator
                && three[1].span != token.span
                && self.spelling(three[1]) == word
                && self.keywords.contains(&self.spelling(three[0]))
        });
        if is_given { None } else { Some((token.span.start, source::near_miss(word, self.keywords)?)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cursor, Options, tokenize};
    use source::FileId;

    fn misspelled(at: Span, word: &str, keyword: &str) -> Diagnostic {
        Diagnostic::error("test-001", format!("{word}: {keyword}")).at(at, "")
    }

    /// A language of statements `put NAME ;` and `take NAME from NAME ;`.
    fn statements(cursor: &mut Cursor<'_>) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        while !cursor.is_at_end() {
            let form: &[&str] = match cursor.peek_text() {
                "put" => &["put", "", ";"],
                _ => &["take", "", "from", "", ";"],
            };
            let wrong =
                form.iter().find(|word| !(word.is_empty() || cursor.at(word)) || cursor.bump().kind == TokenKind::End);
            if let Some(word) = wrong {
                findings.push(Diagnostic::error("test-002", format!("expected {word}")).at(cursor.here(), ""));
                cursor.skip_until(&[";"]);
                cursor.eat(";");
            }
        }
        findings
    }

    fn messages(text: &str) -> Vec<String> {
        let (tokens, _) = tokenize(text, FileId(0), &Options::default());
        let repair = Repair { text, tokens: &tokens, keywords: &["put", "take", "from"], misspelled };
        let parse = |corrections: &Corrections| {
            let mut cursor = Cursor::new(text, FileId(0), tokens.clone()).reading_as(corrections);
            ((), statements(&mut cursor))
        };
        repair.run(parse).1.into_iter().map(|finding| finding.message).collect()
    }

    #[test]
    fn each_misspelled_keyword_is_named_once() {
        assert_eq!(messages("put a; tkae b from c; take d form e; put f;"), ["tkae: take", "form: from"]);
    }

    #[test]
    fn what_no_keyword_mends_stays_as_it_was() {
        assert_eq!(messages("put a; take b c; put form;"), ["expected from"]);
    }

    #[test]
    fn a_name_that_is_given_elsewhere_is_no_keyword() {
        assert_eq!(messages("put form; take b form c;"), ["expected from"]);
    }

    #[test]
    fn repairs_are_bounded() {
        let many = "take b form c; ".repeat(MOST + 5);
        let found = messages(&many);
        assert_eq!(found.iter().filter(|message| *message == "form: from").count(), MOST);
    }
}
