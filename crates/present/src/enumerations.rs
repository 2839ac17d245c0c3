//! Enumerations in headers. In: one of AOI, its members as C has them. Out: its declaration; and, for a header that has any, the macro
//! that gives them a type in C++.
//!
//! C's enumerations hold every `int`, and so every number that a message may have. In C++ a number beyond the bits of the members is
//! undefined behaviour (C++17, section 8.2.9, paragraph 10), unless the enumeration says what it is made of. Both have one layout.

use cast::build::verbatim;
use cast::{Condition, Conditional, Declaration, Definition, Enumeration, Expression, Type};

/// `: int` in C++ that has it, and nothing in C.
const MACRO: &str = "WHITTLE_INT_ENUM";

/// What compilers of C++11 and later define, when types behind enumerations came.
const CPP11: &str = "__cpp_decltype";

/// The declaration; numbers that only a header knows may be no `int`.
pub(crate) fn declaration(
    tag: String,
    members: Vec<(String, Option<Expression>)>,
    of: &aoi::Enumeration,
) -> Declaration {
    let is_int = |member: &aoi::EnumerationMember| member.value.is_some_and(|value| i32::try_from(value).is_ok());
    let base = of.members.iter().all(is_int).then(|| MACRO.to_string());
    Declaration::Enumeration(Enumeration { tag: Some(tag), base, members })
}

/// What stands before declarations that use the macro; nothing before others.
pub(crate) fn before(body: &[Declaration]) -> Vec<Declaration> {
    let uses = |one: &Declaration| matches!(one, Declaration::Enumeration(Enumeration { base: Some(_), .. }));
    if !body.iter().any(uses) {
        return Vec::new();
    }
    let define = |value| Declaration::Define(Definition { name: MACRO.to_string(), value });
    let by_language = Conditional {
        condition: Condition { is_defined: true, name: CPP11.to_string() },
        then: vec![define(Some(verbatim(": int".to_string(), Type::INT)))],
        otherwise: vec![define(None)],
    };
    let once = Conditional {
        condition: Condition { is_defined: false, name: MACRO.to_string() },
        then: vec![Declaration::Conditional(by_language)],
        otherwise: Vec::new(),
    };
    vec![Declaration::Blank, Declaration::Conditional(once)]
}
