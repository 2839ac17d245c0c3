//! Pieces of a file in one language. In: literals of ours and what the language's escapers made. Out: the file's text.

use std::fmt;
use std::marker::PhantomData;

/// Text that may stand in a file of the language `L`.
pub struct Text<L> {
    text: String,
    language: PhantomData<L>,
}

impl<L> Text<L> {
    /// For escapers.
    pub(crate) fn escaped(text: String) -> Text<L> {
        Text { text, language: PhantomData }
    }

    /// What is written in our own source.
    pub fn literal(text: &'static str) -> Text<L> {
        Text::escaped(text.to_owned())
    }

    /// A number has no characters that mean anything else.
    pub fn number(number: impl Into<u64>) -> Text<L> {
        Text::escaped(number.into().to_string())
    }

    /// The same for sizes.
    pub fn size(number: usize) -> Text<L> {
        Text::escaped(number.to_string())
    }

    /// Some spaces.
    pub fn indentation(spaces: usize) -> Text<L> {
        Text::escaped(" ".repeat(spaces))
    }

    /// `template` with each `{name}` replaced by the part of that name; braces without such a name stand for themselves.
    pub fn fill(template: &'static str, parts: &[(&'static str, &Text<L>)]) -> Text<L> {
        let mut text = String::with_capacity(template.len());
        let mut rest = template;
        while let Some(open) = rest.find('{') {
            text.push_str(&rest[..open]);
            rest = &rest[open..];
            let part = parts.iter().find(|(name, _)| {
                rest[1..].strip_prefix(*name).is_some_and(|after| !name.is_empty() && after.starts_with('}'))
            });
            match part {
                Some((name, part)) => {
                    text.push_str(&part.text);
                    rest = &rest[name.len() + 2..];
                }
                None => {
                    text.push('{');
                    rest = &rest[1..];
                }
            }
        }
        text.push_str(rest);
        Text::escaped(text)
    }

    /// Adds a literal of ours.
    pub fn say(&mut self, text: &'static str) {
        self.text.push_str(text);
    }

    /// Adds a piece.
    pub fn push(&mut self, piece: &Text<L>) {
        self.text.push_str(&piece.text);
    }

    /// Adds a filled template.
    pub fn add(&mut self, template: &'static str, parts: &[(&'static str, &Text<L>)]) {
        self.push(&Text::fill(template, parts));
    }

    /// Pieces with a literal between them.
    pub fn join<'a>(pieces: impl IntoIterator<Item = &'a Text<L>>, between: &'static str) -> Text<L>
    where
        L: 'a,
    {
        let pieces: Vec<&str> = pieces.into_iter().map(|piece| piece.text.as_str()).collect();
        Text::escaped(pieces.join(between))
    }

    /// Pieces one after the other.
    pub fn concat(pieces: impl IntoIterator<Item = Text<L>>) -> Text<L> {
        Text::escaped(pieces.into_iter().map(|piece| piece.text).collect())
    }

    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// The finished file.
    pub fn finish(self) -> String {
        self.text
    }
}

impl<L> Default for Text<L> {
    fn default() -> Text<L> {
        Text::escaped(String::new())
    }
}

impl<L> Clone for Text<L> {
    fn clone(&self) -> Text<L> {
        Text::escaped(self.text.clone())
    }
}

impl<L> PartialEq for Text<L> {
    fn eq(&self, other: &Text<L>) -> bool {
        self.text == other.text
    }
}

impl<L> Eq for Text<L> {}

impl<L> fmt::Debug for Text<L> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use crate::make::{self, Make};

    type Text = super::Text<Make>;

    #[test]
    fn a_template_takes_its_parts_once_and_leaves_other_braces() {
        let word = make::word("a").unwrap();
        let text = Text::fill("{name}: {name}.c {other} ${x} {", &[("name", &word)]);
        assert_eq!(text.finish(), "a: a.c {other} ${x} {");
    }

    #[test]
    fn what_a_part_holds_is_no_template() {
        let inner = Text::literal("{second}");
        let text = Text::fill("{first} {second}", &[("first", &inner), ("second", &Text::literal("2"))]);
        assert_eq!(text.finish(), "{second} 2");
    }
}
