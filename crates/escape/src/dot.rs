//! Graphviz. In: text. Out: a quoted label. Source: Graphviz's "The DOT Language" and "escString".

use crate::Text;
use crate::visible::{is_deceptive, spell};

/// The DOT language.
#[derive(Debug)]
pub enum Dot {}

/// A label with its quotes; line ends stay line ends, and entities of HTML stay what is written.
pub fn quoted(text: &str) -> Text<Dot> {
    let mut spelled = String::with_capacity(text.len());
    for character in text.chars() {
        if is_deceptive(character) && character != '\n' {
            spell(&mut spelled, character)
        } else {
            spelled.push(character)
        }
    }
    let escaped = spelled.replace('\\', "\\\\").replace('"', "\\\"").replace('&', "&amp;").replace('\n', "\\n");
    Text::escaped(format!("\"{escaped}\""))
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_label_is_one_label() {
        assert_eq!(super::quoted("a\"];\\N\n\u{1b}&lt;").finish(), "\"a\\\"];\\\\N\\n\\\\u{1b}&amp;lt;\"");
    }
}
