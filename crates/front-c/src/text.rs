//! The text of a translation unit: its tokens, tags that were inserted, and where its lines come from.

use std::collections::BTreeMap;
use std::ops::Range;

use source::{FileId, Span};

use crate::headers::Headers;
use crate::lex::{Kind, Token, tokens};

/// A unit's text, cut into tokens once.
pub(crate) struct Text {
    pub(crate) file: FileId,
    pub(crate) content: String,
    /// Without line markers, which stand between any two tokens.
    pub(crate) tokens: Vec<Token>,
    pub(crate) headers: Headers,
    /// What is to be said before a token: tags for records that have none.
    pub(crate) insertions: BTreeMap<usize, String>,
}

impl Text {
    pub(crate) fn new(file: FileId, content: String) -> Self {
        let is_marker = |token: &Token| token.kind == Kind::Directive && !is_pragma(&content[token.range()]);
        let (markers, tokens): (Vec<Token>, Vec<Token>) = tokens(&content).into_iter().partition(is_marker);
        let headers = Headers::of(&content, &markers);
        Text { file, content, tokens, headers, insertions: BTreeMap::new() }
    }

    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(range.start), offset(range.end))
    }

    /// The index of the first token that starts at or after an offset.
    pub(crate) fn index_at(&self, offset: usize) -> usize {
        self.tokens.partition_point(|token| token.start < offset)
    }

    /// The indices of the tokens that lie in a range of bytes.
    pub(crate) fn indices(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.index_at(range.start);
        start..self.index_at(range.end).max(start)
    }

    /// The word or mark at an index; empty past the end.
    pub(crate) fn at(&self, index: usize) -> &str {
        self.tokens.get(index).map_or("", |token| &self.content[token.range()])
    }

    /// The word or mark that starts at or after an offset.
    pub(crate) fn word_at(&self, offset: usize) -> &str {
        self.at(self.index_at(offset))
    }

    pub(crate) fn kind_at(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    /// The index of what closes the bracket at `index`; that of the last token before `end` where nothing does.
    pub(crate) fn closing(&self, index: usize, end: usize) -> usize {
        let mut depth = 0_usize;
        for at in index..end {
            match self.at(at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                return at;
            }
        }
        end.saturating_sub(1).max(index)
    }

    /// The index behind any `__attribute__((…))` and the like at `index`.
    pub(crate) fn behind_attributes(&self, mut index: usize, end: usize) -> usize {
        loop {
            match self.at(index) {
                "__attribute__" | "__attribute" | "__declspec" | "_Alignas" | "__asm__" | "__asm" | "asm"
                    if index + 1 < end && self.at(index + 1) == "(" =>
                {
                    index = self.closing(index + 1, end) + 1;
                }
                "__extension__" => index += 1,
                _ if index < end && self.kind_at(index) == Some(Kind::Directive) => index += 1,
                _ => return index.min(end),
            }
        }
    }

    /// The index of the next of some marks outside of all brackets, or `end`. Brackets that close more than was
    /// opened do not count.
    pub(crate) fn find(&self, marks: &[&str], start: usize, end: usize) -> usize {
        let mut at = start;
        while at < end {
            let mark = self.at(at);
            if marks.contains(&mark) && self.kind_at(at) == Some(Kind::Mark) {
                return at;
            }
            at = if matches!(mark, "(" | "[" | "{") { self.closing(at, end) + 1 } else { at + 1 };
        }
        end
    }

    /// The bytes that tokens `range` cover.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> Range<usize> {
        match self.tokens.get(range.clone()) {
            Some([first, .., last]) => first.start..last.end,
            Some([only]) => only.range(),
            _ => 0..0,
        }
    }

    /// The text of tokens on one line; pragmas left out, insertions put in.
    pub(crate) fn flat(&self, range: Range<usize>) -> String {
        self.joined(range, |gap| if gap.is_empty() { String::new() } else { " ".to_owned() }, false)
    }

    /// The text of tokens in its lines; pragmas on lines of their own.
    pub(crate) fn lines(&self, range: Range<usize>) -> String {
        let gap = |gap: &str| match gap.rsplit_once('\n') {
            Some((_, line)) => format!("\n{}", &line[..line.len() - line.trim_start().len()]),
            None if gap.is_empty() => String::new(),
            None => " ".to_owned(),
        };
        self.joined(range, gap, true)
    }

    fn joined(&self, range: Range<usize>, gap: impl Fn(&str) -> String, keeps_pragmas: bool) -> String {
        let mut out = String::new();
        let mut last_end: Option<usize> = None;
        for token in &self.tokens[range] {
            let word = &self.content[token.range()];
            if token.kind == Kind::Directive {
                if keeps_pragmas {
                    out.push_str(&format!("{}{word}\n", if out.is_empty() { "" } else { "\n" }));
                    last_end = None;
                }
                continue;
            }
            if let Some(end) = last_end {
                out.push_str(&gap(&self.content[end..token.start]));
            }
            if let Some(inserted) = self.insertions.get(&token.start) {
                // `struct{` has no space of its own.
                if out.ends_with(|last: char| last.is_ascii_alphanumeric() || last == '_') {
                    out.push(' ');
                }
                out.push_str(inserted);
            }
            out.push_str(word);
            last_end = Some(token.end);
        }
        out
    }

    /// The text of a range of bytes on one line.
    pub(crate) fn flat_bytes(&self, range: &Range<usize>) -> String {
        self.flat(self.indices(range))
    }
}

/// `#pragma`, and not a line marker.
fn is_pragma(directive: &str) -> bool {
    directive.trim_start_matches('#').trim_start().starts_with("pragma")
}
