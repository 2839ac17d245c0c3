//! The identifiers of C text, keywords among them, those in strings and character constants aside.

use std::ops::Range;

/// Where each identifier of a text stands.
pub(super) fn ranges(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, mut found) = (0, Vec::new());
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at += 1;
            }
            byte if is_start(byte) => {
                while at < bytes.len() && (is_start(bytes[at]) || bytes[at].is_ascii_digit()) {
                    at += 1;
                }
                found.push(start..at);
            }
            // A number, with the letters in it.
            byte if byte.is_ascii_digit() => {
                while at < bytes.len() && (is_start(bytes[at]) || bytes[at].is_ascii_digit() || bytes[at] == b'.') {
                    at += 1;
                }
            }
            _ => at += 1,
        }
    }
    found
}

fn is_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// An identifier, and whether `struct`, `union` or `enum` stands before it.
pub(super) struct Identifier<'t> {
    pub(super) text: &'t str,
    pub(super) is_tag: bool,
    /// It follows `.` or `->`.
    pub(super) is_member: bool,
    pub(super) range: Range<usize>,
}

/// The identifiers of a text.
pub(super) fn in_text(text: &str) -> Vec<Identifier<'_>> {
    let mut found: Vec<Identifier> = Vec::new();
    for range in ranges(text) {
        let is_tag = found.last().is_some_and(|last| {
            matches!(last.text, "struct" | "union" | "enum") && text[last.range.end..range.start].trim().is_empty()
        });
        let before = text[..range.start].trim_end();
        let is_member = before.ends_with("->") || (before.ends_with('.') && !before.ends_with("..."));
        found.push(Identifier { text: &text[range.clone()], is_tag, is_member, range });
    }
    found
}

/// The text with other identifiers in the place of some.
pub(super) fn replace(text: &str, new: &mut dyn FnMut(&Identifier) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for word in in_text(text) {
        if let Some(new) = new(&word) {
            out.push_str(&text[done..word.range.start]);
            out.push_str(&new);
            done = word.range.end;
        }
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::replace;

    #[test]
    fn words_are_replaced_as_a_whole_and_outside_of_strings() {
        let text = "struct a { int a; } x = { .a = sizeof(\"a a\") + 0xa + 'a' + p->a + a };";
        let new = replace(text, &mut |word| (word.text == "a" && !word.is_tag && !word.is_member).then(|| "b".into()));
        assert_eq!(new, "struct a { int b; } x = { .a = sizeof(\"a a\") + 0xa + 'a' + p->a + b };");
    }
}
