//! XML, SVG and HTML. In: text. Out: text between tags, or between the double quotes of an attribute. Source: XML 1.0 sections
//! 2.2 (characters), 2.4 and 3.3.3 (what becomes of line ends in attributes).

use crate::Text;
use crate::visible::{line, spell};

/// The language of tags and attributes.
#[derive(Debug)]
pub enum Xml {}

/// Between tags, and between double quotes. Characters that XML cannot hold are spelled by their number.
pub fn text(text: &str) -> Text<Xml> {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // Readers make these blanks where they stand as themselves.
            '\t' => out.push_str("&#9;"),
            '\n' => out.push_str("&#10;"),
            '\r' => out.push_str("&#13;"),
            '\0'..' ' | '\u{fffe}' | '\u{ffff}' => spell(&mut out, character),
            _ => out.push(character),
        }
    }
    Text::escaped(out)
}

/// For people to read: what cannot be seen, or misleads, is spelled as well.
pub fn shown(text: &str) -> Text<Xml> {
    self::text(&line(text))
}

/// Lines of a program, for people: tabs and line ends stay.
pub fn preformatted(text: &str) -> Text<Xml> {
    let escaped = self::text(&crate::lines(text)).finish();
    Text::escaped(escaped.replace("&#9;", "\t").replace("&#10;", "\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_attributes_do_not_end_early() {
        let hostile = "]]></text><script>\"'&\u{0}\n\u{202e}";
        assert_eq!(text(hostile).finish(), "]]&gt;&lt;/text&gt;&lt;script&gt;&quot;'&amp;\\u{0}&#10;\u{202e}");
        assert!(shown(hostile).finish().ends_with("\\u{0}\\u{a}\\u{202e}"));
        assert_eq!(preformatted("\ta<\n").finish(), "\ta&lt;\n");
    }
}
