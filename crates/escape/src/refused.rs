//! Text that a target has no form for. In: the text and the character at fault. Out: the reason, in words for a diagnostic.

use crate::visible;

/// A text that cannot stand where it is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What it is to be: `#include`, `a Makefile`.
    target: &'static str,
    /// With control characters made visible.
    text: String,
    /// The character at fault; `None` where nothing is there at all.
    character: Option<char>,
}

impl Refused {
    pub(crate) fn new(target: &'static str, text: &str, character: Option<char>) -> Refused {
        Refused { target, text: visible::line(text).into_owned(), character }
    }

    /// The text, fit to be shown.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// `a line end`, `` `$` ``.
    pub fn found(&self) -> String {
        match self.character {
            None => "nothing".to_owned(),
            Some('\n') => "a line end".to_owned(),
            Some(' ') => "a space".to_owned(),
            Some('"') => "a double quote".to_owned(),
            Some('`') => "a backquote".to_owned(),
            Some(character) => format!("`{}`", visible::line(character.encode_utf8(&mut [0; 4]))),
        }
    }

    /// What it was to be part of.
    pub fn target(&self) -> &'static str {
        self.target
    }
}

impl std::fmt::Display for Refused {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "`{}` cannot stand in {}: it has {}", self.text, self.target, self.found())
    }
}
