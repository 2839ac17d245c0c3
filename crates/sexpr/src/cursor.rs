//! Walking over the elements of a list, for the readers of the IRs.

use crate::Sexpr;

/// A place in a list. Each method that finds what it asks for steps over it; one that does not stays where it is.
#[derive(Clone, Copy, Debug)]
pub struct Cursor<'a> {
    rest: &'a [Sexpr],
}

impl<'a> Cursor<'a> {
    /// Over `items`, from the first.
    pub fn new(items: &'a [Sexpr]) -> Self {
        Cursor { rest: items }
    }

    /// Over the elements that follow the keyword, if `form` is `(head …)`.
    pub fn of(form: &'a Sexpr, head: &str) -> Option<Self> {
        let (first, rest) = form.as_list()?.split_first()?;
        (first.as_atom() == Some(head)).then_some(Cursor { rest })
    }

    /// What is left.
    pub fn rest(&self) -> &'a [Sexpr] {
        self.rest
    }

    /// True at the end.
    pub fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next element, without stepping over it.
    pub fn peek(&self) -> Option<&'a Sexpr> {
        self.rest.first()
    }

    /// The next element, whatever it is.
    pub fn form(&mut self) -> Option<&'a Sexpr> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// The next element if it is an atom.
    pub fn atom(&mut self) -> Option<&'a str> {
        let word = self.peek()?.as_atom()?;
        self.form();
        Some(word)
    }

    /// The next element if it is a decimal number.
    pub fn number(&mut self) -> Option<i128> {
        let value = self.peek()?.as_number()?;
        self.form();
        Some(value)
    }

    /// The next element if it is quoted text.
    pub fn text(&mut self) -> Option<&'a str> {
        let content = self.peek()?.as_text()?;
        self.form();
        Some(content)
    }

    /// True, stepping over it, if the next element is this very atom.
    pub fn keyword(&mut self, word: &str) -> bool {
        let found = self.peek().and_then(Sexpr::as_atom) == Some(word);
        if found {
            self.form();
        }
        found
    }

    /// Inside the next element if it is `(head …)`.
    pub fn list(&mut self, head: &str) -> Option<Cursor<'a>> {
        let inner = Cursor::of(self.peek()?, head)?;
        self.form();
        Some(inner)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cursor, parse};

    #[test]
    fn a_miss_leaves_the_cursor_where_it_is() {
        let (forms, _) = parse("(case 1 \"t\" (body x) end)");
        let mut cursor = Cursor::of(&forms[0], "case").unwrap();
        assert_eq!(cursor.text(), None);
        assert_eq!(cursor.number(), Some(1));
        assert_eq!(cursor.text(), Some("t"));
        assert!(cursor.list("label").is_none());
        assert_eq!(cursor.list("body").and_then(|mut body| body.atom()), Some("x"));
        assert!(cursor.keyword("end"));
        assert!(cursor.is_at_end());
    }
}
