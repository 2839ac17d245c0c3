//! Characters that a reader does not see, or that change what is seen. In: text. Out: the same with such characters spelled by
//! their number, `\u{202e}`, as terminals, editors and pictures can show them without being led astray.

use std::borrow::Cow;
use std::fmt::Write;

/// Whether a character is invisible, or changes how its neighbours look: controls, marks of direction (CVE-2021-42574), joiners
/// and fillers of no width, private and unassigned formats.
pub fn is_deceptive(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// One line: line ends and tabs are spelled, too.
pub fn line(text: &str) -> Cow<'_, str> {
    spelled(text, is_deceptive)
}

/// Any number of lines: line ends and tabs stay.
pub fn lines(text: &str) -> Cow<'_, str> {
    spelled(text, |character| is_deceptive(character) && !matches!(character, '\n' | '\t'))
}

fn spelled(text: &str, is_wanted: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_wanted) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_wanted(character) { spell(&mut out, character) } else { out.push(character) }
    }
    Cow::Owned(out)
}

/// `\u{7}`
pub(crate) fn spell(out: &mut String, character: char) {
    let _ = write!(out, "\\u{{{:x}}}", u32::from(character));
}

#[cfg(test)]
mod tests {
    use super::{line, lines};

    #[test]
    fn what_cannot_be_seen_is_spelled() {
        assert_eq!(line("a\u{1b}[2J\nü\u{202e}"), "a\\u{1b}[2J\\u{a}ü\\u{202e}");
        assert_eq!(lines("a\n\tb\r\u{9b}"), "a\n\tb\\u{d}\\u{9b}");
        assert!(matches!(line("plain"), std::borrow::Cow::Borrowed(_)));
    }
}
