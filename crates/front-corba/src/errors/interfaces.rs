//! What is wrong with interfaces, operations and value types.

use source::{Diagnostic, Span};

/// `idl-070`: a declaration that says `local` or `abstract` where another one does not.
pub fn declared_otherwise(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("idl-070", format!("`{name}` is declared in two ways: `local` and `abstract` must be the same"))
        .at(second, "declared again here")
        .also(first, "first declared here")
}

/// `idl-071`: a base that is named twice.
pub fn inherited_twice(found_at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("idl-071", format!("`{name}` is inherited from twice")).at(found_at, "named again")
}

/// `idl-072`: a base of a kind that this interface cannot have.
pub fn wrong_base(found_at: Span, name: &str, base: &str, what: &str) -> Diagnostic {
    Diagnostic::error("idl-072", format!("`{name}` cannot inherit from `{base}`, which is {what}"))
        .at(found_at, "cannot be a base here")
        .note("only local interfaces inherit from local ones; abstract ones inherit from abstract ones alone")
}

/// `idl-073`: two bases with operations or attributes of one name.
pub fn inherits_both(found_at: Span, name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("idl-073", format!("`{name}` is inherited from two interfaces"))
        .at(found_at, "inherits both")
        .also(first, "one of them")
        .also(second, "the other one")
        .note("callers could not say which operation they mean; types and constants may be inherited so")
}

/// `idl-074`: an operation or attribute with the name of an inherited one.
pub fn redefines_inherited(found_at: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("idl-074", format!("`{name}` is inherited already"))
        .at(found_at, "defined again here")
        .also(first, "inherited from here")
        .note("operations are not overridden in IDL: what is inherited is there without being said again")
}

/// `idl-075`: two operations of an interface with one procedure number.
pub fn two_procedures(found_at: Span, name: &str, number: i128) -> Diagnostic {
    Diagnostic::error("idl-075", format!("another operation has the procedure number {number} of `{name}`"))
        .at(found_at, "the same number again")
        .note("operations without `@onc(procedure = …)` are numbered from 1, inherited ones first")
}

/// `idl-076`: a `oneway` operation that would have to answer.
pub fn oneway_answers(found_at: Span, oneway: Span, name: &str, what: &str) -> Diagnostic {
    Diagnostic::error("idl-076", format!("`{name}` is `oneway` and has {what}"))
        .at(found_at, "nobody waits for this")
        .also(oneway, "the caller does not wait")
        .help("remove `oneway`, or let it return `void`, with `in` parameters and without `raises`")
}

/// `idl-077`: an exception that is listed twice. Once is enough.
pub fn raised_twice(found_at: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("idl-077", format!("the exception `{name}` is listed twice")).at(found_at, "listed again")
}

/// `idl-078`: a name of a context that cannot be one.
pub fn bad_context(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-078", "expected letters, digits, `.` and `_`, a letter first, perhaps `*` last")
        .at(found_at, "not the name of a context")
}

/// `idl-079`: data in an abstract value type.
pub fn abstract_with_state(found_at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("idl-079", format!("`{name}` is abstract and has data"))
        .at(found_at, "abstract value types have none")
        .help("remove `abstract`, or move the data into a value type that inherits from this one")
}

/// `idl-080`: something that never leaves its process, sent away.
pub fn local_sent_away(found_at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("idl-080", format!("`{name}` sends what never leaves its process"))
        .at(found_at, "of a local or native type, or one that holds such")
        .help("make the interface `local`, or this type something that can travel")
}

/// `idl-081`: a value type that inherits from what it cannot.
pub fn wrong_value_base(found_at: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("idl-081", format!("`{name}` cannot inherit so: {why}"))
        .at(found_at, "cannot be inherited here")
        .note("a value type inherits data from one base at most, which is named first; abstract ones inherit none")
}

/// `idl-084`: an interface that is given what stays at home, and does not say so itself.
pub fn taken_for_local(found_at: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("idl-084", format!("`{name}` is given `CORBA::Environment`, which no call carries"))
        .at(found_at, "taken for `local`: there are no stubs of it")
        .help("write `local interface`; files that came before that word could not")
}
