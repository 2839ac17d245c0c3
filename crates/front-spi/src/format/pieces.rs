//! A file as the layout sees it: tokens and comments, and how many lines lie between them.

use crate::scan::scan;
use source::FileId;
use std::borrow::Cow;
use tokens::TokenKind;

/// What is written somewhere, whatever is around it.
#[derive(Debug)]
pub(super) struct Piece<'a> {
    pub(super) kind: PieceKind,
    pub(super) text: Cow<'a, str>,
    /// Line ends between the piece before and this one.
    pub(super) line_ends: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PieceKind {
    /// What the grammar speaks of.
    Token,
    /// `/* … */`
    Comment,
    /// `// …`, behind which a line ends.
    LineComment,
}

impl Piece<'_> {
    pub(super) fn is(&self, text: &str) -> bool {
        self.kind == PieceKind::Token && self.text == text
    }

    pub(super) fn is_token(&self) -> bool {
        self.kind == PieceKind::Token
    }
}

/// The pieces of a file without syntax errors.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut line_ends = 0;
    for token in scan(text, FileId(0)).0 {
        let written = text.get(token.span.start as usize..token.span.end as usize).unwrap_or("");
        let (kind, text) = match token.kind {
            TokenKind::End => continue,
            TokenKind::Blank => {
                line_ends += written.matches('\n').count();
                continue;
            }
            TokenKind::Comment if written.starts_with("//") => {
                (PieceKind::LineComment, Cow::Borrowed(written.trim_end()))
            }
            TokenKind::Comment if written.contains("\r\n") => {
                (PieceKind::Comment, Cow::Owned(written.replace("\r\n", "\n")))
            }
            TokenKind::Comment => (PieceKind::Comment, Cow::Borrowed(written)),
            _ => (PieceKind::Token, Cow::Borrowed(written)),
        };
        pieces.push(Piece { kind, text, line_ends });
        line_ends = 0;
    }
    pieces
}
