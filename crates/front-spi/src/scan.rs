//! The tokens of Spi: those of the other languages, with numbers cut off the units that are written right behind them.

use source::{Diagnostic, FileId, Span};
use tokens::{Token, TokenKind};

const OPTIONS: tokens::Options = tokens::Options { percent_lines: false, compounds: xip::filter::COMPOUNDS };

/// Cuts `text` into tokens. `50ms` is two of them, as `50 ms` is; a number that begins with 0 is left to the grammar,
/// which knows no octal ones.
pub(crate) fn scan(text: &str, file: FileId) -> (Vec<Token>, Vec<Diagnostic>) {
    let (pieces, mut findings) = tokens::tokenize(text, file, &OPTIONS);
    let mut understood: Vec<Span> = Vec::new();
    let mut tokens = Vec::with_capacity(pieces.len());
    for token in pieces {
        let spelling = text.get(token.span.start as usize..token.span.end as usize).unwrap_or("");
        let digits = match token.kind {
            TokenKind::Integer | TokenKind::Float => leading_digits(spelling),
            _ => None,
        };
        let Some(digits) = digits else {
            tokens.push(token);
            continue;
        };
        understood.push(token.span);
        let end = token.span.start + digits;
        tokens.push(Token { kind: TokenKind::Integer, span: Span::new(file, token.span.start, end) });
        if end < token.span.end {
            tokens.push(Token { kind: TokenKind::Identifier, span: Span::new(file, end, token.span.end) });
        }
    }
    findings.retain(|finding| match &finding.primary {
        Some(label) if finding.code == "lex-005" => understood.binary_search(&label.span).is_err(),
        _ => true,
    });
    (tokens, findings)
}

/// How many digits stand before a unit, or before nothing; `None` for a spelling that is to stay whole.
fn leading_digits(spelling: &str) -> Option<u32> {
    if spelling.starts_with("0x") || spelling.starts_with("0X") {
        return None;
    }
    let digits = spelling.bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = spelling.split_at(digits);
    let is_number = number.starts_with('0') || tokens::integer_value(number).is_some();
    let is_unit = unit.bytes().all(|byte| byte.is_ascii_alphabetic());
    (digits > 0 && is_number && is_unit).then(|| u32::try_from(digits).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::scan;
    use source::FileId;
    use tokens::TokenKind;

    #[track_caller]
    fn check(text: &str, expected: &[&str], codes: &[&str]) {
        let (tokens, findings) = scan(text, FileId(0));
        let of = |token: &tokens::Token| &text[token.span.start as usize..token.span.end as usize];
        let solid = tokens.iter().filter(|token| !token.kind.is_trivia() && token.kind != TokenKind::End);
        assert_eq!(solid.map(of).collect::<Vec<_>>(), expected);
        assert_eq!(findings.iter().map(|finding| finding.code).collect::<Vec<_>>(), codes);
    }

    #[test]
    fn units_are_words_of_their_own() {
        check("50ms 5MB/s 0xAB 7", &["50", "ms", "5", "MB", "/", "s", "0xAB", "7"], &[]);
        check("08 09ms", &["08", "09", "ms"], &[]);
        check("a->b <=c", &["a", "->", "b", "<=", "c"], &[]);
    }

    #[test]
    fn what_is_no_number_stays_one_finding() {
        check("12a3 0xZZ 1.5", &["12a3", "0xZZ", "1.5"], &["lex-005"; 2]);
    }
}
