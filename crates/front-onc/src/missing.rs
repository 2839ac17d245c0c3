//! Names that nobody defines, in a file with errors. In: a warning of such a name, and the file's tokens. Out: whether it
//! holds whatever the broken parts were to say: everywhere in the file, the name is used.

use tokens::{Token, TokenKind};

use crate::keywords;

/// What is missed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missed {
    Type,
    Value,
}

/// Whether no part of the file, however broken, may define what the warning misses.
pub(crate) fn is_certain(missed: Missed, name: &str, tokens: &[Token], text: &str) -> bool {
    let words: Vec<(TokenKind, &str)> = tokens
        .iter()
        .filter(|token| !token.kind.is_trivia() && token.kind != TokenKind::Verbatim)
        .map(|token| (token.kind, &text[token.span.start as usize..token.span.end as usize]))
        .collect();
    let mut places = words.iter().enumerate().filter(|(_, (_, word))| *word == name).peekable();
    places.peek().is_some()
        && places.all(|(at, _)| {
            let before = at.checked_sub(1).map_or("", |at| words[at].1);
            let behind = words.get(at + 1).copied().unwrap_or((TokenKind::End, ""));
            match missed {
                Missed::Type => is_type(before, behind),
                Missed::Value => is_value(before, behind.1),
            }
        })
}

/// A type: what it is the type of follows.
fn is_type(before: &str, (kind, behind): (TokenKind, &str)) -> bool {
    let names_something = kind == TokenKind::Identifier && !keywords::is_reserved(behind);
    !["struct", "union", "enum", "const"].contains(&before) && (names_something || behind == "*")
}

/// A bound, the value of a constant, a label.
fn is_value(before: &str, behind: &str) -> bool {
    ["[", "<", "=", "case"].contains(&before) && behind != "="
}

#[cfg(test)]
mod tests {
    use super::*;
    use source::FileId;

    #[track_caller]
    fn check(missed: Missed, text: &str, expected: bool) {
        let (tokens, _) = tokens::tokenize(text, FileId(0), &tokens::Options::default());
        assert_eq!(is_certain(missed, "X", &tokens, text), expected, "{text}");
    }

    #[test]
    fn a_name_that_is_only_used_is_missing() {
        check(Missed::Type, "struct a { X b; X *c; }; struct d { int };", true);
        let values = "struct a { int b<X>; int c[X]; }; const A = X; union u switch (int d) { case X: void; };";
        check(Missed::Value, values, true);
    }

    #[test]
    fn a_name_that_something_broken_may_define_is_not() {
        for broken in
            ["struct X { int };", "typedef int X", "typedef int = X;", "typedef X struct q { };", "program X { };"]
        {
            check(Missed::Type, &format!("struct a {{ X b; }}; {broken}"), false);
        }
        for broken in ["enum e { A, X ", "const X = ;", "enum e { X }", "const int X;"] {
            check(Missed::Value, &format!("struct a {{ int b<X>; }}; {broken}"), false);
        }
    }
}
