//! What the grammar found, before any name means anything.

use source::Span;

/// A word that names something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// One thing at the top level of a file or in a namespace.
#[derive(Debug)]
pub(crate) enum Item<'a> {
    Constant {
        name: Name<'a>,
        value: Value<'a>,
    },
    /// `struct name {…};`, `union …`, `enum …`, and `typedef` of such a body without a tag.
    Type {
        name: Name<'a>,
        body: Type<'a>,
    },
    /// `typedef`.
    Alias(Declaration<'a>),
    Program(Program<'a>),
    Namespace {
        name: Name<'a>,
        items: Vec<Item<'a>>,
    },
    /// A `%` line, or a line that goes on from one.
    Verbatim {
        text: &'a str,
        span: Span,
    },
}

/// A number, or a name that stands for one.
#[derive(Clone, Debug)]
pub(crate) struct Value<'a> {
    pub(crate) kind: ValueKind<'a>,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ValueKind<'a> {
    Integer {
        value: i128,
        spelling: String,
    },
    /// A text, as it stands.
    Literal(&'a str),
    Name(&'a str),
    /// Missing, which was reported.
    Missing,
}

/// A type without the marks that stand around the declared name.
#[derive(Debug)]
pub(crate) enum Type<'a> {
    Void,
    Integer {
        bits: u8,
        signed: bool,
        spelling: String,
    },
    Float {
        bits: u8,
    },
    Boolean,
    Text,
    Opaque,
    /// A name, perhaps with `struct`, `union` or `enum` before it.
    Named {
        tag: Option<&'a str>,
        name: Name<'a>,
    },
    Structure(Vec<Declaration<'a>>),
    Union(Box<Union<'a>>),
    Enumeration(Vec<Member<'a>>),
}

/// A type, a name, and the marks around the name.
#[derive(Debug)]
pub(crate) struct Declaration<'a> {
    pub(crate) ty: Type<'a>,
    /// Of the type's words.
    pub(crate) ty_span: Span,
    pub(crate) name: Name<'a>,
    pub(crate) form: Form<'a>,
}

/// The marks around a declared name.
#[derive(Debug)]
pub(crate) enum Form<'a> {
    Plain,
    /// `*name`
    Pointer,
    /// `name[length]`
    Fixed(Value<'a>),
    /// `name<bound>`, `name<>`
    Counted(Option<Value<'a>>),
}

#[derive(Debug)]
pub(crate) struct Union<'a> {
    pub(crate) discriminant: Declaration<'a>,
    pub(crate) cases: Vec<Case<'a>>,
}

/// Labels and the body they select.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) labels: Vec<Value<'a>>,
    /// The place of `default`, if that is among the labels.
    pub(crate) default: Option<Span>,
    /// `None` for `void`.
    pub(crate) body: Option<Declaration<'a>>,
    pub(crate) span: Span,
}

/// A member of an enumeration.
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) value: Option<Value<'a>>,
}

#[derive(Debug)]
pub(crate) struct Program<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) versions: Vec<Version<'a>>,
    pub(crate) number: Value<'a>,
}

#[derive(Debug)]
pub(crate) struct Version<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) procedures: Vec<Procedure<'a>>,
    pub(crate) number: Value<'a>,
}

#[derive(Debug)]
pub(crate) struct Procedure<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) arguments: Vec<Argument<'a>>,
    pub(crate) result: Argument<'a>,
    pub(crate) number: Value<'a>,
}

/// An argument or a result: a declaration whose name may be left out.
#[derive(Debug)]
pub(crate) struct Argument<'a> {
    pub(crate) ty: Type<'a>,
    pub(crate) span: Span,
    pub(crate) name: Option<Name<'a>>,
    pub(crate) form: Form<'a>,
}
