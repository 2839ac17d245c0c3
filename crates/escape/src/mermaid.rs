//! Mermaid. In: text. Out: a quoted label. Source: Mermaid's manual, "Flowcharts" (special characters, Markdown strings) and
//! "Directives": `%%{init: …}%%` is obeyed wherever it stands in the text.

use crate::Text;
use crate::visible::{is_deceptive, spell};

/// The language of Mermaid's charts.
#[derive(Debug)]
pub enum Mermaid {}

/// A label with its quotes; Mermaid knows HTML's entities, and breaks lines as HTML does.
pub fn quoted(text: &str) -> Text<Mermaid> {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '#' => out.push_str("&num;"),
            '%' => out.push_str("&percnt;"),
            '`' => out.push_str("&grave;"),
            '\n' => out.push_str("<br>"),
            other if is_deceptive(other) => spell(&mut out, other),
            other => out.push(other),
        }
    }
    out.push('"');
    Text::escaped(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_label_is_neither_a_directive_nor_markdown_nor_html() {
        let hostile = "%%{init: x}%%`<img onerror=x>\"#35;\n\u{202e}";
        let expected =
            "\"&percnt;&percnt;{init: x}&percnt;&percnt;&grave;&lt;img onerror=x&gt;&quot;&num;35;<br>\\u{202e}\"";
        assert_eq!(super::quoted(hostile).finish(), expected);
    }
}
