//! Every finding of the tokenizer. A code is never used again for another meaning.

use source::{Diagnostic, Span};

/// `lex-001`: a `/*` without its `*/`. All that follows is taken for comment.
pub fn unterminated_comment(opening: Span) -> Diagnostic {
    Diagnostic::error("lex-001", "this comment is not closed, expected `*/`")
        .at(opening, "the comment starts here")
        .help("close the comment with `*/`")
}

/// `lex-002`: a quoted text without its closing quote on the same line.
pub fn unterminated_text(span: Span) -> Diagnostic {
    Diagnostic::error("lex-002", "this text is not closed, expected `\"` on the same line").at(span, "")
}

/// `lex-003`: a quoted character without its closing quote on the same line.
pub fn unterminated_character(span: Span) -> Diagnostic {
    Diagnostic::error("lex-003", "this character is not closed, expected `'` on the same line").at(span, "")
}

/// `lex-004`: characters that are part of no token. They are skipped.
pub fn stray(span: Span, characters: &str) -> Diagnostic {
    let message = match characters.chars().collect::<Vec<_>>()[..] {
        [only] if only.is_control() => format!("unexpected character U+{:04X}", u32::from(only)),
        [only] => format!("unexpected character `{only}`"),
        _ => "unexpected characters".to_owned(),
    };
    Diagnostic::error("lex-004", message).at(span, "this is part of no token")
}

/// `lex-005`: something that starts like a number and is none.
pub fn malformed_number(span: Span, spelling: &str) -> Diagnostic {
    let digits = spelling.get(2..).filter(|_| spelling.starts_with("0x") || spelling.starts_with("0X"));
    let all_digits = spelling.bytes().all(|byte| byte.is_ascii_digit());
    let help = match digits {
        Some("") => "expected digits from 0 to 9 and `a` to `f` after `0x`",
        Some(digits) if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            "a number that begins with `0x` is hexadecimal, with digits from 0 to 9 and `a` to `f`"
        }
        None if all_digits && spelling.starts_with('0') && spelling.contains(['8', '9']) => {
            "a leading `0` makes the number octal, with digits from 0 to 7"
        }
        None if !all_digits => "numbers are decimal (`10`), octal (`017`) or hexadecimal (`0x1f`)",
        _ => "no type has more than 64 bits: expected at most 18446744073709551615",
    };
    Diagnostic::error("lex-005", format!("`{spelling}` is not a number")).at(span, "").help(help)
}

/// `lex-006`: a name with a letter that no name may have. Names are made of the letters of ASCII, digits and `_`.
pub fn foreign_letter(span: Span, name: &str) -> Diagnostic {
    let is_foreign = |character: &char| !(character.is_ascii_alphanumeric() || *character == '_');
    let mut letters: Vec<String> = name.chars().filter(is_foreign).map(|letter| format!("`{letter}`")).collect();
    letters.dedup();
    Diagnostic::error("lex-006", format!("expected a name of letters `a` to `z`, digits and `_`, found `{name}`"))
        .at(span, format!("without {}", letters.join(", ")))
        .help("rename it: names travel into C, which has no other letters")
}
