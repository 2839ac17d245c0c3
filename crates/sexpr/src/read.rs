//! From text to trees.

use crate::Sexpr;
use std::iter::Peekable;
use std::str::CharIndices;

/// Deeper nesting is an error: what walks the tree does so recursively.
pub const DEPTH_LIMIT: usize = 2000;

/// What is wrong with the text, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// In bytes from the start; absent where only the meaning is wrong, found by the reader of an IR.
    pub offset: Option<usize>,
    pub message: String,
}

impl ReadError {
    /// For readers of IRs: `message` about `form`, which is shown (its beginning, where it is long).
    pub fn about(form: &Sexpr, message: &str) -> Self {
        let shown = crate::print(form);
        let mut line = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() > 80 {
            line = line.chars().take(79).chain(['…']).collect();
        }
        ReadError { offset: None, message: format!("{message}: {line}") }
    }
}

/// Reads all forms of `text`. Never fails: what can be made sense of is returned beside the errors.
pub fn parse(text: &str) -> (Vec<Sexpr>, Vec<ReadError>) {
    let mut reader = Reader { text, rest: text.char_indices().peekable(), errors: Vec::new() };
    let forms = reader.forms();
    (forms, reader.errors)
}

/// True for the characters that an atom may have without bars around it.
pub(crate) fn is_atom_character(character: char) -> bool {
    !character.is_whitespace() && !character.is_control() && !matches!(character, '(' | ')' | '"' | '|' | ';')
}

struct Reader<'a> {
    text: &'a str,
    rest: Peekable<CharIndices<'a>>,
    errors: Vec<ReadError>,
}

impl Reader<'_> {
    /// Everything up to the end. Open lists wait on a stack of their own, not on the machine's.
    fn forms(&mut self) -> Vec<Sexpr> {
        let mut open: Vec<(usize, Vec<Sexpr>)> = Vec::new();
        let mut current = Vec::new();
        // Lists that are too deep are read but not kept.
        let mut too_deep = 0usize;
        while let Some(&(offset, character)) = self.rest.peek() {
            match character {
                '(' if open.len() >= DEPTH_LIMIT => {
                    if too_deep == 0 {
                        self.error(offset, format!("lists are nested more than {DEPTH_LIMIT} deep"));
                    }
                    too_deep += 1;
                    self.rest.next();
                }
                '(' => {
                    open.push((offset, std::mem::take(&mut current)));
                    self.rest.next();
                }
                ')' => {
                    self.rest.next();
                    if too_deep > 0 {
                        too_deep -= 1;
                    } else if let Some((_, outer)) = open.pop() {
                        let items = std::mem::replace(&mut current, outer);
                        current.push(Sexpr::List(items));
                    } else {
                        self.error(offset, "`)` closes no list".to_owned());
                    }
                }
                _ => {
                    if let Some(leaf) = self.leaf(offset, character).filter(|_| too_deep == 0) {
                        current.push(leaf);
                    }
                }
            }
        }
        if let Some(&(outermost, _)) = open.first() {
            self.error(outermost, "this list is not closed".to_owned());
        }
        while let Some((_, outer)) = open.pop() {
            let items = std::mem::replace(&mut current, outer);
            current.push(Sexpr::List(items));
        }
        current
    }

    /// An atom or a text; `None` for what stands between forms.
    fn leaf(&mut self, offset: usize, character: char) -> Option<Sexpr> {
        match character {
            '"' => Some(Sexpr::Text(self.quoted(offset, '"'))),
            '|' => Some(Sexpr::Atom(self.quoted(offset, '|'))),
            ';' => {
                while self.rest.next_if(|&(_, character)| character != '\n').is_some() {}
                None
            }
            _ if is_atom_character(character) => {
                let mut end = offset;
                while let Some((at, part)) = self.rest.next_if(|&(_, part)| is_atom_character(part)) {
                    end = at + part.len_utf8();
                }
                Some(Sexpr::Atom(self.text[offset..end].to_owned()))
            }
            _ => {
                self.rest.next();
                if !character.is_whitespace() {
                    self.error(offset, format!("unexpected character {character:?}"));
                }
                None
            }
        }
    }

    fn quoted(&mut self, start: usize, quote: char) -> String {
        self.rest.next();
        let mut content = String::new();
        while let Some((offset, character)) = self.rest.next() {
            match character {
                _ if character == quote => return content,
                '\\' => content.extend(self.escape(offset)),
                _ => content.push(character),
            }
        }
        self.error(start, format!("this {quote} has no closing {quote}"));
        content
    }

    fn escape(&mut self, offset: usize) -> Option<char> {
        match self.rest.next().map(|(_, character)| character) {
            Some('n') => Some('\n'),
            Some('r') => Some('\r'),
            Some('t') => Some('\t'),
            Some(plain @ ('\\' | '"' | '|')) => Some(plain),
            Some('u') => self.code_point(offset),
            _ => {
                self.error(offset, "unknown escape; known are \\\\ \\\" \\| \\n \\r \\t \\u{HEX}".to_owned());
                None
            }
        }
    }

    /// The rest of `\u{HEX}`.
    fn code_point(&mut self, offset: usize) -> Option<char> {
        let mut digits = String::new();
        if self.rest.next_if(|&(_, character)| character == '{').is_some() {
            while let Some((_, digit)) = self.rest.next_if(|&(_, character)| character.is_ascii_hexdigit()) {
                digits.push(digit);
            }
            if self.rest.next_if(|&(_, character)| character == '}').is_some()
                && let Some(character) = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
            {
                return Some(character);
            }
        }
        self.error(offset, "expected \\u{HEX} with the number of a character".to_owned());
        None
    }

    fn error(&mut self, offset: usize, message: String) {
        self.errors.push(ReadError { offset: Some(offset), message });
    }
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::{atom, list, node, print_all, text};

    #[test]
    fn forms_comments_and_quotes_are_read() {
        let (forms, errors) = parse("; a comment\n(a |b c| \"d\\\"\\u{41}\") e ; end");
        assert_eq!(errors, []);
        assert_eq!(forms, [list([atom("a"), atom("b c"), text("d\"A")]), atom("e")]);
    }

    #[test]
    fn each_mistake_is_reported_and_the_rest_is_kept() {
        let (forms, errors) = parse(") (a \"\\q\" (b)");
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(messages.len(), 3);
        assert_eq!(messages[0], "`)` closes no list");
        assert_eq!(errors[0].offset, Some(0));
        assert_eq!(forms, [node("a", [text(""), list([atom("b")])])]);
    }

    #[test]
    fn nesting_without_end_is_an_error_and_no_overflow() {
        let (forms, errors) = parse(&"(".repeat(100_000));
        assert_eq!(errors.len(), 2);
        assert!(!print_all(&forms).is_empty());
    }
}
