//! Declarations and statements (C11 sections 6.7-6.9), and the few preprocessor lines that generated files need.

use escape::c::{Comment, IncludePath};
use source::Span;

use crate::{Expression, Field, Type};

/// One C file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    pub declarations: Vec<Declaration>,
}

/// Something at file level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    Include(Include),
    Define(Definition),
    /// `#undef name`
    Undefine(String),
    Typedef {
        name: String,
        ty: Type,
    },
    Record(Record),
    Enumeration(Enumeration),
    Variable(Variable),
    /// A function's declaration: its body is not printed.
    Prototype(Function),
    Function(Function),
    Conditional(Conditional),
    /// Wrapped in `extern "C"` for C++ readers.
    ExternC(Vec<Declaration>),
    StaticAssert(Expression, String),
    Require(Requirement),
    /// Several lines where the text has them.
    Comment(Comment),
    /// A user's line or a runtime helper, as it stands.
    Verbatim(String),
    /// An empty line.
    Blank,
}

impl Declaration {
    /// A comment that says this, whatever it is.
    pub fn comment(text: impl AsRef<str>) -> Declaration {
        Declaration::Comment(Comment::new(text))
    }

    /// `#define NAME value`, unless the program did.
    pub fn defined_once(name: &str, value: Option<Expression>) -> Declaration {
        Declaration::Conditional(Conditional {
            condition: Condition::undefined(name),
            then: vec![Declaration::Define(Definition { name: name.to_owned(), value })],
            otherwise: Vec::new(),
        })
    }

    /// Initializers of this file name some members, the others are zero, and values stand where C++17 has no form for them. Compilers of C++
    /// have all that and warn of it; what a compiler calls the warning depends on its version.
    pub fn c_initializers() -> Declaration {
        let warnings = ["-Wmissing-field-initializers", "-Wpragmas", "-Wpedantic", "-Wc++20-extensions"];
        let ignored =
            warnings.map(|warning| Declaration::Verbatim(format!("#pragma GCC diagnostic ignored \"{warning}\"")));
        Declaration::Conditional(Conditional {
            condition: Condition::defined("__cplusplus"),
            then: ignored.to_vec(),
            otherwise: Vec::new(),
        })
    }

    /// `#include "path"`
    pub fn include(path: IncludePath) -> Declaration {
        Declaration::Include(Include { path, system: false })
    }

    /// `#include "path"`, a header that our own source names.
    pub fn own_include(path: &'static str) -> Declaration {
        Declaration::include(IncludePath::literal(path))
    }

    /// `#include <path>`
    pub fn system_include(path: &'static str) -> Declaration {
        Declaration::Include(Include { path: IncludePath::literal(path), system: true })
    }
}

impl Statement {
    /// A comment that says this, whatever it is.
    pub fn comment(text: impl AsRef<str>) -> Statement {
        Statement::Comment(Comment::new(text))
    }
}

/// `#include <path>` or `#include "path"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Include {
    pub path: IncludePath,
    pub system: bool,
}

/// `#define name value`; `value` absent for a plain flag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub value: Option<Expression>,
}

/// `#if name != value`, `#error otherwise`, `#endif`: this macro has that value, or the file does not compile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Requirement {
    pub name: String,
    pub value: u32,
    /// What the compiler says where it has not.
    pub otherwise: String,
}

/// `#ifdef NAME … #else … #endif`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    pub condition: Condition,
    pub then: Vec<Declaration>,
    pub otherwise: Vec<Declaration>,
}

/// Whether a macro is there: `#ifdef NAME`, `#ifndef NAME`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub is_defined: bool,
    pub name: String,
}

impl Condition {
    /// `#ifdef name`
    pub fn defined(name: impl Into<String>) -> Condition {
        Condition { is_defined: true, name: name.into() }
    }

    /// `#ifndef name`
    pub fn undefined(name: impl Into<String>) -> Condition {
        Condition { is_defined: false, name: name.into() }
    }
}

impl std::fmt::Display for Condition {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} {}", if self.is_defined { "#ifdef" } else { "#ifndef" }, self.name)
    }
}

/// `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Struct,
    Union,
}

/// A structure or union with its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub kind: RecordKind,
    pub tag: Option<String>,
    pub fields: Vec<Field>,
}

/// An enumeration with its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Enumeration {
    pub tag: Option<String>,
    /// What stands behind the tag: a macro that says in C++ of what type the enumeration is.
    pub base: Option<String>,
    pub members: Vec<(String, Option<Expression>)>,
}

/// Storage class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Storage {
    #[default]
    Automatic,
    Static,
    Extern,
    Register,
}

/// An object, at file level or in a block.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Variable {
    pub storage: Storage,
    pub name: String,
    pub ty: Type,
    pub initial: Option<Expression>,
    /// One copy for each thread (C11 section 6.7.1).
    pub thread_local: bool,
    /// In bytes, where it is more than the type's; else 0.
    pub alignment: u64,
    /// The declaration as the source spells it, up to the initializer, attributes included; printed in place of the
    /// other fields where it is there.
    pub spelling: Option<String>,
    /// The system header that the outermost `#include` of the unit names, where the declaration comes from one.
    pub header: Option<String>,
    pub span: Option<Span>,
}

/// Who sees a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Linkage {
    #[default]
    Plain,
    Extern,
    Static,
    StaticInline,
}

/// A parameter; without a name in prototypes that leave it out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub name: Option<String>,
    pub ty: Type,
}

/// A function and its body.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Function {
    pub linkage: Linkage,
    /// Printed before the type: `__attribute__((noinline))`, a runtime macro.
    pub attributes: Vec<String>,
    pub name: String,
    pub result: Type,
    pub parameters: Vec<Parameter>,
    pub variadic: bool,
    pub body: Vec<Statement>,
    /// The head as the source spells it, up to the body, old-style parameter declarations included; printed in place
    /// of the other fields where it is there.
    pub spelling: Option<String>,
    /// The system header that the outermost `#include` of the unit names, where the declaration comes from one.
    pub header: Option<String>,
    pub span: Option<Span>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    Expression(Expression),
    Declare(Variable),
    Block(Vec<Statement>),
    If {
        condition: Expression,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    While {
        condition: Expression,
        body: Vec<Statement>,
    },
    DoWhile {
        body: Vec<Statement>,
        condition: Expression,
    },
    For {
        initial: Option<Box<Statement>>,
        condition: Option<Expression>,
        step: Option<Expression>,
        body: Vec<Statement>,
    },
    Switch {
        value: Expression,
        arms: Vec<SwitchArm>,
    },
    /// A `switch` of imported C, whose labels may stand anywhere in the body ([`Statement::Case`]).
    SwitchBody {
        value: Expression,
        body: Vec<Statement>,
    },
    /// `case` or `default` inside a [`Statement::SwitchBody`].
    Case(CaseLabel),
    Break,
    Continue,
    Return(Option<Expression>),
    Goto(String),
    /// GNU C's `goto *address`.
    GotoAddress(Expression),
    Label(String),
    /// `asm`, as it stands: a barrier to every pass. The operands are there for analyses, outputs first.
    Assembly {
        text: String,
        outputs: Vec<Expression>,
        inputs: Vec<Expression>,
        labels: Vec<String>,
    },
    /// The statements that follow come from here.
    At(Span),
    Comment(Comment),
    /// `#ifdef … #endif` inside a function.
    Conditional {
        condition: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    Verbatim(String),
    Blank,
}

/// Labels and what they select. Control falls into the next arm unless the body leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchArm {
    pub labels: Vec<CaseLabel>,
    pub body: Vec<Statement>,
}

/// `case value:` or `default:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CaseLabel {
    Value(Expression),
    /// GNU C's `case first ... last:`.
    Range(Expression, Expression),
    Default,
}
