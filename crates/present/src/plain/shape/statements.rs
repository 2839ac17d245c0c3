//! What a presentation file says, statement by statement, before anybody looks at the interface.

use source::Span;

/// A word or a name and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) span: Span,
}

/// `member book.title counted as heading;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub(super) subject: Subject,
    pub(super) form: Option<(Form, Span)>,
    /// What it is called in C.
    pub(super) name: Option<Word>,
    /// All of it.
    pub(super) span: Span,
}

/// What a statement is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Subject {
    /// What all names begin with.
    Prefix,
    /// Numbers outside their enumerations are refused.
    Strict,
    /// All texts of which nothing else is said.
    Strings,
    /// All sequences and counted bytes of which nothing else is said.
    Arrays,
    /// What all operations answer of which nothing else is said.
    Results,
    /// One thing of the interface, by the names on the way to it.
    Thing(Kind, Vec<Word>),
}

/// Kinds of things that have names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Type,
    Constant,
    Enumerator,
    Member,
    Interface,
    Operation,
    Parameter,
    Result,
}

impl Kind {
    pub(super) const ALL: [Kind; 8] = [
        Kind::Type,
        Kind::Constant,
        Kind::Enumerator,
        Kind::Member,
        Kind::Interface,
        Kind::Operation,
        Kind::Parameter,
        Kind::Result,
    ];

    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Type => "type",
            Kind::Constant => "constant",
            Kind::Enumerator => "enumerator",
            Kind::Member => "member",
            Kind::Interface => "interface",
            Kind::Operation => "operation",
            Kind::Parameter => "parameter",
            Kind::Result => "result",
        }
    }

    /// How one is named.
    pub(super) fn example(self) -> &'static str {
        match self {
            Kind::Type => "book",
            Kind::Constant => "LONGEST",
            Kind::Enumerator => "RED",
            Kind::Member => "book.title",
            Kind::Interface => "SHELF",
            Kind::Operation | Kind::Result => "SHELF.FIND",
            Kind::Parameter => "SHELF.PUT.argument",
        }
    }

    /// Values of it may lie in C in several ways.
    pub(super) fn has_forms(self) -> bool {
        matches!(self, Kind::Type | Kind::Member | Kind::Parameter | Kind::Result | Kind::Operation)
    }
}

/// How a value lies in C.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A text: a pointer to characters that end with zero.
    Terminated,
    /// A text: a length and a pointer.
    Counted,
    /// A sequence: a count and a pointer. Of an operation: what its results hold is the caller's, to be freed.
    Allocated,
    /// A text or a sequence: inside what holds it, with room for as much as its bound says.
    Inline,
    /// A sequence that is an argument: a pointer and a count, each a parameter.
    Apart,
    /// An operation: what its results hold lies in the reply, which the caller keeps as long as it needs them.
    Lent,
    /// An enumeration: its own numbers, and no others.
    Strict,
}

impl Form {
    pub(super) const ALL: [Form; 7] =
        [Form::Terminated, Form::Counted, Form::Allocated, Form::Inline, Form::Apart, Form::Lent, Form::Strict];

    pub(super) fn word(self) -> &'static str {
        match self {
            Form::Terminated => "terminated",
            Form::Counted => "counted",
            Form::Allocated => "allocated",
            Form::Inline => "inline",
            Form::Apart => "apart",
            Form::Lent => "lent",
            Form::Strict => "strict",
        }
    }

    pub(super) fn is_of_texts(self) -> bool {
        matches!(self, Form::Terminated | Form::Counted | Form::Inline)
    }

    pub(super) fn is_of_results(self) -> bool {
        matches!(self, Form::Allocated | Form::Lent)
    }

    pub(super) fn is_of_arrays(self) -> bool {
        matches!(self, Form::Allocated | Form::Inline | Form::Apart)
    }
}

/// `` `a`, `b` or `c` ``.
pub(super) fn list(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
