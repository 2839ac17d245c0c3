//! What a token is.

use source::Span;

/// A piece of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// The kinds of pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    /// A name or a keyword; which of them is for the grammar to say.
    Identifier,
    /// A whole number without sign: `10`, `017`, `0x1F`.
    Integer,
    /// `1.5`, `.5`, `1e9`.
    Float,
    /// Quoted text, with its quotes.
    Text,
    /// A quoted character, with its quotes.
    Character,
    /// One punctuation mark, or one of [`crate::Options::compounds`].
    Punctuator,
    /// A line that begins with `%`, from the `%` on, without the line end.
    Verbatim,
    /// A line that begins with `#`: a line marker, `#pragma`, `#ident`, …
    Directive,
    /// `/* … */` or `// …`.
    Comment,
    /// Blanks, line ends, and a byte order mark.
    Blank,
    /// What is no token; reported.
    Stray,
    /// The end of the file; empty.
    End,
}

impl TokenKind {
    /// True for what a grammar does not speak of: blanks, comments, and what was reported already.
    pub fn is_trivia(self) -> bool {
        matches!(self, TokenKind::Comment | TokenKind::Blank | TokenKind::Stray)
    }
}
