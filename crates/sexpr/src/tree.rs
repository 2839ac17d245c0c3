//! The tree itself and the functions that build it.

/// A word, a quoted text, or a list of these.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sexpr {
    /// A keyword, a name or a number.
    Atom(String),
    /// Text in quotes, such as a `%` line.
    Text(String),
    List(Vec<Sexpr>),
}

/// A word. Any text will do: the writer puts bars around what would not read back as one word.
pub fn atom(word: impl Into<String>) -> Sexpr {
    Sexpr::Atom(word.into())
}

/// Quoted text.
pub fn text(content: impl Into<String>) -> Sexpr {
    Sexpr::Text(content.into())
}

/// A decimal number, as an atom.
pub fn number(value: i128) -> Sexpr {
    Sexpr::Atom(value.to_string())
}

/// A list.
pub fn list(items: impl IntoIterator<Item = Sexpr>) -> Sexpr {
    Sexpr::List(items.into_iter().collect())
}

/// A list that begins with a keyword: `(head items…)`.
pub fn node(head: &str, items: impl IntoIterator<Item = Sexpr>) -> Sexpr {
    let mut all = vec![atom(head)];
    all.extend(items);
    Sexpr::List(all)
}

impl Sexpr {
    /// The word, if this is one.
    pub fn as_atom(&self) -> Option<&str> {
        match self {
            Sexpr::Atom(word) => Some(word),
            _ => None,
        }
    }

    /// The quoted text, if this is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Sexpr::Text(content) => Some(content),
            _ => None,
        }
    }

    /// The elements, if this is a list.
    pub fn as_list(&self) -> Option<&[Sexpr]> {
        match self {
            Sexpr::List(items) => Some(items),
            _ => None,
        }
    }

    /// The decimal number, if this is an atom that spells one.
    pub fn as_number(&self) -> Option<i128> {
        self.as_atom()?.parse().ok()
    }

    /// The keyword of a list that begins with one.
    pub fn head(&self) -> Option<&str> {
        self.as_list()?.first()?.as_atom()
    }
}
