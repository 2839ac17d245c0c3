//! C expressions (C11 section 6.5). Each knows its type; none knows about parentheses.

use source::Span;

use crate::{Statement, Type};

/// A C expression with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub ty: Type,
    /// Where it stands in the source; none for C that whittle makes.
    pub span: Option<Span>,
}

/// What an expression does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpressionKind {
    /// A literal as spelled, suffix included: `30`, `0x10`, `4u`.
    Integer(String),
    /// A floating literal as spelled.
    Float(String),
    /// The bytes between the quotes, unescaped.
    Text(String),
    /// A string literal of imported C as spelled, prefix, quotes and escapes included, and its bytes with the
    /// terminator, in elements of the literal's array type.
    Literal {
        spelling: String,
        bytes: Vec<u8>,
    },
    /// A variable, function, enumerator or object-like macro.
    Name(String),
    Unary(UnaryOperator, Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `a = b`, or `a op= b`.
    Assign(Option<BinaryOperator>, Box<Expression>, Box<Expression>),
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
    Call(Box<Expression>, Vec<Expression>),
    /// `a.member`; printed as `p->member` where `a` is `*p`.
    Member(Box<Expression>, String),
    Index(Box<Expression>, Box<Expression>),
    Cast(Box<Expression>),
    /// A conversion that C makes without being asked (C11 section 6.3), to this expression's type; not printed.
    /// Every such conversion of imported C is here, decay of arrays and functions and loading of objects left out.
    Implicit(Box<Expression>),
    /// `(type){ … }`, an object without a name (C11 section 6.5.2.5); the value is a `Braces`.
    Compound(Box<Expression>),
    /// GNU C's `({ … })`.
    Block(Vec<Statement>),
    /// GNU C's `a ?: b`.
    Otherwise(Box<Expression>, Box<Expression>),
    /// GNU C's `&&label`.
    LabelAddress(String),
    /// `va_arg(list, type)`; the type is this expression's.
    VariableArgument(Box<Expression>),
    /// An expression whose value the front end knows and whose text is kept: `offsetof(…)`, `_Alignof(…)`, a
    /// `sizeof` of a type without a name, `__builtin_types_compatible_p(…)`, an enumerator.
    Known {
        spelling: String,
        value: i128,
    },
    SizeofType(Type),
    SizeofValue(Box<Expression>),
    /// `{ … }` of an initializer.
    Braces(Vec<Initializer>),
    /// Text that the tree does not model; a barrier to every pass.
    Verbatim(String),
}

/// One part of a braced initializer, as written (C11 section 6.7.9): braces may be left out and designators may jump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initializer {
    /// `.member[2] =`, where given, outermost first.
    pub designators: Vec<Designator>,
    pub value: Expression,
}

/// One step into the object that an initializer describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Designator {
    Member(String),
    Index(Expression),
    /// GNU C's `[first ... last]`.
    Range(Expression, Expression),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    Negate,
    Not,
    Complement,
    AddressOf,
    Dereference,
    Increment,
    Decrement,
    IncrementAfter,
    DecrementAfter,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
    Comma,
}

impl BinaryOperator {
    /// The C spelling.
    pub fn spelling(self) -> &'static str {
        match self {
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::Remainder => "%",
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::BitAnd => "&",
            BinaryOperator::BitXor => "^",
            BinaryOperator::BitOr => "|",
            BinaryOperator::And => "&&",
            BinaryOperator::Or => "||",
            BinaryOperator::Comma => ",",
        }
    }

    /// True for operators whose value is 0 or 1.
    pub fn is_logical(self) -> bool {
        use BinaryOperator::{And, Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual, Or};
        matches!(self, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual | And | Or)
    }
}
