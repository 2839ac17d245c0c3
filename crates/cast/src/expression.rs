//! C expressions (C11 section 6.5). Each knows its type; none knows about parentheses.

use crate::Type;

/// A C expression with its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub ty: Type,
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
    SizeofType(Type),
    SizeofValue(Box<Expression>),
    /// `{ … }` of an initializer.
    Braces(Vec<Initializer>),
    /// Text that the tree does not model; a barrier to every pass.
    Verbatim(String),
}

/// One part of a braced initializer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Initializer {
    /// `.member =`, where given.
    pub member: Option<String>,
    pub value: Expression,
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
