//! What stands between two pieces.

use super::pieces::{Piece, PieceKind};

/// Longer pipes do not stay on one line.
const WIDTH: usize = 100;

/// Blanks before what stands in braces, for each of them.
const INDENTATION: usize = 2;

/// Blanks before a statement's second line, which only a comment makes, beyond those before its first.
const CONTINUATION: usize = 4;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gap {
    Nothing,
    Blank,
    /// A new line, perhaps behind an empty one.
    Line {
        is_behind_empty: bool,
    },
}

pub(super) fn lay_out(pieces: &[Piece<'_>]) -> String {
    let mut writer = Writer { pieces, output: String::new(), depth: 0, is_between: true, statement: 0, one_line: 0 };
    for at in 0..pieces.len() {
        writer.piece(at);
    }
    if !writer.output.is_empty() {
        writer.output.push('\n');
    }
    writer.output
}

struct Writer<'a> {
    pieces: &'a [Piece<'a>],
    output: String,
    /// Braces that are open.
    depth: usize,
    /// No token of the present statement was written yet.
    is_between: bool,
    /// The first token of the present statement.
    statement: usize,
    /// What stands before this piece goes on one line.
    one_line: usize,
}

impl Writer<'_> {
    fn piece(&mut self, at: usize) {
        let piece = &self.pieces[at];
        if piece.is("}") {
            self.depth = self.depth.saturating_sub(1);
        }
        match self.gap(at) {
            Gap::Nothing => {}
            Gap::Blank => self.output.push(' '),
            Gap::Line { is_behind_empty } => self.line(is_behind_empty),
        }
        self.output.push_str(&piece.text);
        if !piece.is_token() {
            return;
        }
        if self.is_between {
            self.statement = at;
        }
        if piece.is("{") {
            self.depth += 1;
            self.one_line = self.end_of_line(at).unwrap_or(self.one_line);
        }
        self.is_between = piece.is("{") || piece.is("}") || piece.is(";");
    }

    fn line(&mut self, is_behind_empty: bool) {
        self.output.push_str(if is_behind_empty { "\n\n" } else { "\n" });
        let continuation = if self.is_between { 0 } else { CONTINUATION };
        self.output.extend(std::iter::repeat_n(' ', self.depth * INDENTATION + continuation));
    }

    /// What goes before a piece.
    fn gap(&self, at: usize) -> Gap {
        let Some(last) = at.checked_sub(1).map(|last| &self.pieces[last]) else { return Gap::Nothing };
        let piece = &self.pieces[at];
        let gap = if self.is_between { self.gap_between(at, last, piece) } else { gap_within(last, piece) };
        match gap {
            Gap::Line { .. } if at < self.one_line => Gap::Blank,
            _ => gap,
        }
    }

    /// Between statements.
    fn gap_between(&self, at: usize, last: &Piece<'_>, piece: &Piece<'_>) -> Gap {
        let line = Gap::Line { is_behind_empty: piece.line_ends > 1 && !piece.is("}") && !self.is_first_in_braces(at) };
        if piece.is("}") {
            return if last.is("{") { Gap::Nothing } else { line };
        }
        if last.kind == PieceKind::LineComment || piece.line_ends > 0 && (!last.is_token() || !piece.is_token()) {
            return line;
        }
        match (last.is_token(), piece.is_token()) {
            // A semicolon too many.
            (true, true) if piece.is(";") && !last.is("{") => Gap::Nothing,
            (true, true) => line,
            // Comments that stand before something, and what they stand before.
            (false, _) => Gap::Blank,
            (true, false) if self.is_behind(at) => Gap::Blank,
            (true, false) => line,
        }
    }

    /// True for a comment on the line of what it stands behind: nothing follows it there.
    fn is_behind(&self, at: usize) -> bool {
        let is_last = self.pieces.get(at + 1).is_none_or(|next| next.line_ends > 0);
        self.pieces[at].line_ends == 0 && (is_last || self.pieces[at].kind == PieceKind::LineComment)
    }

    /// True for what stands right behind an opening brace, but for a comment on the brace's line.
    fn is_first_in_braces(&self, at: usize) -> bool {
        let is_brace = |back: usize| at.checked_sub(back).is_some_and(|at| self.pieces[at].is("{"));
        is_brace(1) || (is_brace(2) && !self.pieces[at - 1].is_token() && self.is_behind(at - 1))
    }

    /// Where the one line of a pipe ends whose brace opens at `opening`; `None` where its author gave it more lines, or
    /// where it would be too long.
    fn end_of_line(&self, opening: usize) -> Option<usize> {
        if !self.pieces[self.statement].is("pipe") {
            return None;
        }
        let inside = self.pieces[opening + 1..].iter().position(|piece| piece.is("}"))?;
        let closing = opening + 1 + inside;
        let is_broken = |piece: &Piece<'_>| {
            piece.line_ends > 0 || piece.kind == PieceKind::LineComment || piece.text.contains('\n')
        };
        if self.pieces[opening + 1..=closing].iter().any(is_broken) {
            return None;
        }
        let before = self.output.rsplit('\n').next().unwrap_or("").chars().count();
        let mut width = before;
        for at in opening + 1..=closing {
            let (last, piece) = (&self.pieces[at - 1], &self.pieces[at]);
            let is_close = match (last.is("{"), piece.is("}")) {
                (true, true) => true,
                (false, false) if last.is(";") && piece.is(";") => true,
                _ => !last.is("{") && !last.is(";") && gap_within(last, piece) == Gap::Nothing,
            };
            width += piece.text.chars().count() + usize::from(!is_close);
        }
        (width <= WIDTH).then_some(closing + 1)
    }
}

/// Between the pieces of one statement.
fn gap_within(last: &Piece<'_>, piece: &Piece<'_>) -> Gap {
    let is_own_line = piece.kind == PieceKind::LineComment && piece.line_ends > 0;
    if last.kind == PieceKind::LineComment || is_own_line {
        return Gap::Line { is_behind_empty: false };
    }
    let is_close = [";", ",", "]", ".", "[", "/", ")"].iter().any(|mark| piece.is(mark))
        || [".", "[", "/", "(", "-"].iter().any(|mark| last.is(mark));
    if is_close && last.is_token() && piece.is_token() { Gap::Nothing } else { Gap::Blank }
}
