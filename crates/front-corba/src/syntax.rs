//! What the grammar found, before any name means anything.

use source::Span;

/// A word that names something, without the `_` that may escape it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Name<'a> {
    pub(crate) text: &'a str,
    pub(crate) span: Span,
}

/// `A::B`, `::A::B`
#[derive(Clone, Debug)]
pub(crate) struct ScopedName<'a> {
    pub(crate) is_absolute: bool,
    /// At least one.
    pub(crate) parts: Vec<Name<'a>>,
    pub(crate) span: Span,
}

/// `@name(parameter = value)`
#[derive(Debug)]
pub(crate) struct Annotation<'a> {
    pub(crate) name: ScopedName<'a>,
    pub(crate) arguments: Vec<(Option<Name<'a>>, Expression<'a>)>,
    pub(crate) span: Span,
}

/// One thing in a file, a module, an interface or a value type.
#[derive(Debug)]
pub(crate) struct Item<'a> {
    pub(crate) annotations: Vec<Annotation<'a>>,
    pub(crate) kind: ItemKind<'a>,
    /// Where it begins.
    pub(crate) start: u32,
}

#[derive(Debug)]
pub(crate) enum ItemKind<'a> {
    Module {
        name: Name<'a>,
        body: Block<'a>,
    },
    Constant {
        ty: Type<'a>,
        name: Name<'a>,
        value: Expression<'a>,
    },
    Alias {
        ty: Type<'a>,
        declarators: Vec<Declarator<'a>>,
    },
    Type(TypeDefinition<'a>),
    /// `struct name;` or `union name;`
    Forward {
        word: &'static str,
        name: Name<'a>,
    },
    Native(Name<'a>),
    Exception {
        name: Name<'a>,
        members: Vec<Member<'a>>,
    },
    Interface(Interface<'a>),
    Value(ValueType<'a>),
    ValueBox {
        name: Name<'a>,
        ty: Type<'a>,
    },
    Operation(Operation<'a>),
    Attribute(Attribute<'a>),
    /// Data of a value type.
    State {
        member: Member<'a>,
    },
    /// How values are made.
    Factory {
        name: Name<'a>,
        parameters: Vec<Parameter<'a>>,
        raises: Vec<ScopedName<'a>>,
    },
    TypeId {
        target: ScopedName<'a>,
        id: Expression<'a>,
    },
    TypePrefix {
        target: ScopedName<'a>,
        prefix: Expression<'a>,
    },
    /// `import name`
    Import(ScopedName<'a>),
    /// `import "text"`
    ImportOf(Expression<'a>),
    /// `@annotation name {…};`
    AnnotationType {
        name: Name<'a>,
        parameters: Vec<Name<'a>>,
    },
    /// What nobody can make anything of, by the word for it.
    Unsupported {
        what: &'static str,
        name: Name<'a>,
    },
}

/// Items in braces.
#[derive(Debug)]
pub(crate) struct Block<'a> {
    pub(crate) items: Vec<Item<'a>>,
    /// Where the closing brace stands.
    pub(crate) end: u32,
}

#[derive(Debug)]
pub(crate) struct Interface<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) is_local: bool,
    pub(crate) is_abstract: bool,
    pub(crate) bases: Vec<ScopedName<'a>>,
    /// `None` for a forward declaration.
    pub(crate) body: Option<Block<'a>>,
}

#[derive(Debug)]
pub(crate) struct ValueType<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) is_abstract: bool,
    pub(crate) is_custom: bool,
    pub(crate) is_truncatable: bool,
    pub(crate) bases: Vec<ScopedName<'a>>,
    pub(crate) supports: Vec<ScopedName<'a>>,
    /// `None` for a forward declaration.
    pub(crate) body: Option<Block<'a>>,
}

#[derive(Debug)]
pub(crate) struct Operation<'a> {
    pub(crate) name: Name<'a>,
    /// The place of `oneway`, if it is there.
    pub(crate) oneway: Option<Span>,
    pub(crate) result: Type<'a>,
    pub(crate) parameters: Vec<Parameter<'a>>,
    pub(crate) raises: Vec<ScopedName<'a>>,
    pub(crate) contexts: Vec<Expression<'a>>,
}

#[derive(Debug)]
pub(crate) struct Parameter<'a> {
    pub(crate) direction: aoi::Direction,
    /// Of the word for the direction.
    pub(crate) direction_at: Span,
    pub(crate) ty: Type<'a>,
    pub(crate) name: Name<'a>,
}

#[derive(Debug)]
pub(crate) struct Attribute<'a> {
    pub(crate) is_readonly: bool,
    pub(crate) ty: Type<'a>,
    pub(crate) names: Vec<Name<'a>>,
    pub(crate) get_raises: Vec<ScopedName<'a>>,
    pub(crate) set_raises: Vec<ScopedName<'a>>,
}

/// A type as it is used.
#[derive(Debug)]
pub(crate) struct Type<'a> {
    pub(crate) kind: TypeKind<'a>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum TypeKind<'a> {
    Void,
    /// `name` is set where the type's one word may be a name of the user's as well (`int32`).
    Integer {
        bits: u8,
        signed: bool,
        name: Option<ScopedName<'a>>,
    },
    Octet,
    Boolean,
    Character {
        is_wide: bool,
    },
    Float {
        bits: u8,
    },
    Text {
        bound: Option<Expression<'a>>,
    },
    WideText {
        bound: Option<Expression<'a>>,
    },
    /// Without digits and scale in the type of a constant.
    Fixed(Option<Box<(Expression<'a>, Expression<'a>)>>),
    Sequence {
        element: Box<Type<'a>>,
        bound: Option<Expression<'a>>,
    },
    Map {
        key: Box<Type<'a>>,
        value: Box<Type<'a>>,
        bound: Option<Expression<'a>>,
    },
    Any,
    Object,
    ValueBase,
    Named(ScopedName<'a>),
    /// A structure, union or enumeration that is defined where it is used.
    Definition(Box<TypeDefinition<'a>>),
}

#[derive(Debug)]
pub(crate) struct TypeDefinition<'a> {
    pub(crate) name: Name<'a>,
    pub(crate) body: Body<'a>,
}

#[derive(Debug)]
pub(crate) enum Body<'a> {
    Structure { base: Option<ScopedName<'a>>, members: Vec<Member<'a>> },
    Union { discriminant: Type<'a>, cases: Vec<Case<'a>> },
    Enumeration(Vec<Enumerator<'a>>),
    Bitset { base: Option<ScopedName<'a>>, fields: Vec<BitField<'a>> },
    Bitmask(Vec<Enumerator<'a>>),
}

/// `type a, b[2];`
#[derive(Debug)]
pub(crate) struct Member<'a> {
    pub(crate) annotations: Vec<Annotation<'a>>,
    pub(crate) ty: Type<'a>,
    pub(crate) declarators: Vec<Declarator<'a>>,
}

#[derive(Debug)]
pub(crate) struct Declarator<'a> {
    pub(crate) name: Name<'a>,
    /// Outermost first.
    pub(crate) dimensions: Vec<Expression<'a>>,
}

/// Labels and the body they select.
#[derive(Debug)]
pub(crate) struct Case<'a> {
    pub(crate) labels: Vec<Expression<'a>>,
    /// The place of `default`, if that is among the labels.
    pub(crate) default: Option<Span>,
    pub(crate) body: Member<'a>,
    pub(crate) span: Span,
}

/// A member of an enumeration, or a flag of a bitmask.
#[derive(Debug)]
pub(crate) struct Enumerator<'a> {
    pub(crate) annotations: Vec<Annotation<'a>>,
    pub(crate) name: Name<'a>,
}

/// `bitfield<3> name;`; without a name it is room that nobody uses.
#[derive(Debug)]
pub(crate) struct BitField<'a> {
    pub(crate) bits: Expression<'a>,
    pub(crate) names: Vec<Name<'a>>,
}

#[derive(Debug)]
pub(crate) struct Expression<'a> {
    pub(crate) kind: ExpressionKind<'a>,
    pub(crate) span: Span,
}

#[derive(Debug)]
pub(crate) enum ExpressionKind<'a> {
    Integer {
        value: i128,
        spelling: &'a str,
    },
    Float(&'a str),
    /// Without its suffix.
    Fixed(&'a str),
    Boolean(bool),
    Character {
        code: u32,
        is_wide: bool,
    },
    /// Each character; a byte where it is not wide.
    Text {
        characters: Vec<u32>,
        is_wide: bool,
    },
    Name(ScopedName<'a>),
    Unary(char, Box<Expression<'a>>),
    /// The operator is `<` and `>` for shifts.
    Binary(char, Box<(Expression<'a>, Expression<'a>)>),
    /// Missing or broken, which was reported.
    Missing,
}

impl ScopedName<'_> {
    /// As it is written, without blanks and escapes.
    pub(crate) fn spelled(&self) -> String {
        let parts: Vec<&str> = self.parts.iter().map(|part| part.text).collect();
        format!("{}{}", if self.is_absolute { "::" } else { "" }, parts.join("::"))
    }
}
