//! Programs, functions, blocks, statements and expressions.

use std::collections::BTreeSet;

use la_arena::{Arena, Idx};
use source::Span;

use crate::{Place, TypeId, Types};

pub type FunctionId = Idx<Function>;
pub type GlobalId = Idx<Global>;
pub type LocalId = Idx<Local>;
pub type BlockId = Idx<Block>;

/// A whole program: several translation units, linked.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub types: Types,
    pub globals: Arena<Global>,
    pub functions: Arena<Function>,
}

/// Who sees a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    #[default]
    External,
    /// One unit alone; the name may carry an `@2` that makes it unique in the program.
    Internal,
}

/// An object with static storage: a variable, a local `static`, or a string literal.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    pub ty: TypeId,
    pub linkage: Linkage,
    /// None where the program only declares it: what it holds is not known.
    pub initial: Option<Vec<Initial>>,
    /// Never written: declared `const`, or a string literal.
    pub constant: bool,
    pub thread_local: bool,
    /// In bytes, where more is asked for than its type does; 0 otherwise.
    pub alignment: u64,
    /// The literal as spelled, for an object without a name. One of which an alignment is asked for has a name, too.
    pub literal: Option<String>,
    /// The function whose local `static` it is.
    pub scope: Option<FunctionId>,
    pub span: Option<Span>,
}

impl Global {
    /// How C writes it where it has no name.
    pub fn spelled(&self) -> Option<&str> {
        self.literal.as_deref().filter(|_| self.alignment == 0)
    }
}

/// One part of an initial value; bytes that no part mentions are zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// In bytes from the start of the object.
    pub offset: u64,
    pub bits: Option<crate::BitRange>,
    /// A constant: a number, an address, a function.
    pub value: Expression,
}

/// A function. Without blocks, it is one that the program declares and somebody else defines, or one that Core C
/// does not model, whose C text stands for it.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Its function type.
    pub ty: TypeId,
    pub linkage: Linkage,
    /// `inline` was said.
    pub inline: bool,
    /// Hardly ever called; it stays out of its callers, whose fast way it would burden.
    pub cold: bool,
    pub parameters: Vec<LocalId>,
    pub locals: Arena<Local>,
    /// The first one is the entry.
    pub blocks: Arena<Block>,
    /// The unit that defines it, by position in the CAST program.
    pub unit: Option<usize>,
    /// Why a function that has a body is not modelled: the construct, for people to read.
    pub refused: Option<String>,
    /// What the text of such a function mentions.
    pub names: BTreeSet<String>,
    pub span: Option<Span>,
}

impl Function {
    /// True where the program defines it, modelled or not: what is known of a library's function of that name says nothing of it.
    pub fn has_body(&self) -> bool {
        !self.blocks.is_empty() || self.refused.is_some()
    }
}

/// A parameter, variable or temporary of a function.
#[derive(Clone, Debug)]
pub struct Local {
    /// As in the source; empty for a temporary.
    pub name: String,
    pub ty: TypeId,
    pub kind: LocalKind,
    /// In bytes, where the source asks for more than the type's; else 0.
    pub alignment: u64,
    pub span: Option<Span>,
}

/// Where a local lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// A scalar whose address is never taken: read by [`ExpressionKind::Local`], written by [`StatementKind::Set`].
    Register,
    /// Read and written through places.
    Memory,
}

/// Statements in order, then one way or several to go on.
#[derive(Clone, Debug)]
pub struct Block {
    pub statements: Vec<Statement>,
    pub end: Terminator,
    /// Where the end stands in the source.
    pub span: Option<Span>,
}

/// One effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Option<Span>,
}

/// What a statement does.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// A register gets a value of its own type.
    Set { local: LocalId, value: Expression },
    /// A scalar (or bit-field) goes to memory.
    Store { place: Place, value: Expression },
    /// A volatile scalar comes from memory; others are loaded by [`ExpressionKind::Load`].
    LoadVolatile { local: LocalId, place: Place },
    /// An aggregate or opaque object is copied; both have the same type and are the same object or disjoint.
    Copy { to: Place, from: Place },
    /// All bytes of the place become zero.
    Zero { place: Place },
    /// A call; several are never in one statement.
    Call { receiver: Option<Receiver>, callee: Callee, arguments: Vec<Argument> },
    /// The lifetime of a memory local begins: what it holds is indeterminate. An array whose length is computed gives
    /// its size in bytes.
    Begin { local: LocalId, size: Option<Expression> },
    /// `asm`, as text: may do anything to what its operands name and, with a clobber of memory, to all memory.
    Assembly { text: String, outputs: Vec<Place>, inputs: Vec<Expression> },
}

/// Who takes a call's result.
#[derive(Clone, Debug, PartialEq)]
pub enum Receiver {
    Register(LocalId),
    Object(Place),
}

/// Who is called.
#[derive(Clone, Debug, PartialEq)]
pub enum Callee {
    /// A function by name; compilers' builtins are functions without a body, `va_arg` among them, which takes the
    /// address of the list and gives a value of its receiver's type.
    Function(FunctionId),
    Pointer(Expression),
}

/// What is passed, or returned.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    Value(Expression),
    /// A structure or union, by value.
    Object(Place),
}

/// How a block ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Terminator {
    Goto(BlockId),
    /// Any scalar: taken unless zero.
    Branch {
        condition: Expression,
        then: BlockId,
        otherwise: BlockId,
    },
    /// An integer; cases do not overlap.
    Switch {
        value: Expression,
        cases: Vec<Case>,
        default: BlockId,
    },
    Return(Option<Argument>),
    /// GNU C's computed `goto`; every block whose address is taken.
    GotoAddress {
        address: Expression,
        targets: Vec<BlockId>,
    },
    /// Control cannot come here.
    Unreachable,
}

/// The values from `first` to `last`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub first: i128,
    pub last: i128,
    pub target: BlockId,
}

/// A value without effects.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    pub kind: ExpressionKind,
    pub ty: TypeId,
    pub span: Option<Span>,
}

/// How a value comes about.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// An integer or pointer constant, in the range of its type.
    Integer(i128),
    /// A floating constant as spelled.
    Float(String),
    /// What a register holds.
    Local(LocalId),
    /// What memory holds; the place is not volatile. Evaluated at its statement's time.
    Load(Box<Place>),
    /// The address of an object or a part; also what an array or a string literal decays to, with the type of a
    /// pointer to its element.
    Address(Box<Place>),
    /// The address of a function.
    Function(FunctionId),
    /// The address of a label.
    Label(BlockId),
    /// Operand and result have the same type.
    Unary(UnaryOperator, Box<Expression>),
    /// For arithmetic, operands and result have the same type; comparisons give `int`; the right operand of a shift
    /// has a type of its own.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// A pointer moved by an integer's number of elements, forward or (`negative`) backward.
    Offset { pointer: Box<Expression>, count: Box<Expression>, negative: bool },
    /// The distance of two pointers in elements.
    Distance(Box<Expression>, Box<Expression>),
    /// Any scalar to this expression's type.
    Convert(Box<Expression>),
    /// An expression that Core C does not model, as text with the values it reads; never evaluated.
    Opaque { text: String, operands: Vec<Expression> },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOperator {
    Negate,
    Complement,
}

/// Operators on two scalars. `&&` and `||` are branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl BinaryOperator {
    /// The comparison that holds where this one does not, of operands that are no floats.
    pub fn opposite(self) -> Option<BinaryOperator> {
        Some(match self {
            BinaryOperator::Less => BinaryOperator::GreaterEqual,
            BinaryOperator::LessEqual => BinaryOperator::Greater,
            BinaryOperator::Greater => BinaryOperator::LessEqual,
            BinaryOperator::GreaterEqual => BinaryOperator::Less,
            BinaryOperator::Equal => BinaryOperator::NotEqual,
            BinaryOperator::NotEqual => BinaryOperator::Equal,
            _ => return None,
        })
    }

    /// True where the result is 0 or 1, of type `int`.
    pub fn is_comparison(self) -> bool {
        use BinaryOperator::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        matches!(self, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
    }
}
