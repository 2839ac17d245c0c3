//! What this style cannot present, with codes that are never reused.

use source::{Diagnostic, Span};

/// `rpcgen-001`: several arguments, but no `-N`.
pub(super) fn several_arguments(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-001", format!("only one argument is allowed, and `{name}` takes several"))
        .at(span, "")
        .help("pass `-N` (`--newstyle`) for arguments by value, or put them into a structure")
}

/// `rpcgen-002`: a type that needs a name of its own.
pub(super) fn needs_a_name(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-002", format!("{what} needs a named type"))
        .at(span, "")
        .help("give the type a name with `typedef` and use that name here")
}

/// `rpcgen-003`: one C name for two things.
pub(super) fn name_taken(name: &str, what: &str, span: Span, first: &str, first_span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-003", format!("in C, the {what} `{name}` clashes with the {first} of that name"))
        .at(span, "")
        .also(first_span, "first used here")
        .help("rename one of them")
}

/// `rpcgen-004`: a macro of one name and two values. The later value wins in the header.
pub(super) fn macro_redefined(name: &str, span: Span, first_span: Span) -> Diagnostic {
    Diagnostic::warning("rpcgen-004", format!("the number of `{name}` is defined twice, with different values"))
        .at(span, "the header's macro has this value at its end")
        .also(first_span, "first defined here")
        .help("rename one of them; the stubs do not use the macro")
}

/// `rpcgen-005`: an interface that says no program number.
pub(super) fn no_program(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-005", format!("the interface `{name}` has no program number"))
        .at(span, "")
        .help("state it with `@onc(program, version)` or `--onc-program`")
}

/// `rpcgen-006`: a length below zero.
pub(super) fn negative_length(length: i128, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-006", format!("a length cannot be {length}")).at(span, "")
}

/// `rpcgen-008`: a name that C has taken.
pub(super) fn keyword(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-008", format!("`{name}` is a keyword of C")).at(span, "").help("rename it")
}

/// `rpcgen-009`: a type that contains itself without a pointer between.
pub(super) fn contains_itself(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-009", format!("the type `{name}` contains itself"))
        .at(span, "")
        .help("recursion needs an optional (`*`) or a variable-length array (`<>`) between")
}

/// `rpcgen-010`: a parameter that is not an input.
pub(super) fn not_an_input(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-010", format!("`{name}` has a parameter that is not an input"))
        .at(span, "")
        .help("return a structure instead")
}

/// `rpcgen-011`: a name that is a keyword of another language that reads C headers.
pub(super) fn keyword_of_others(name: &str, language: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("rpcgen-011", format!("`{name}` is a keyword of {language}, which cannot use this header"))
        .at(span, "")
        .help("rename it, unless only standard C will ever include the header")
}

/// `rpcgen-012`: a name that is a macro in the headers that come first. The preprocessor replaces it.
pub(super) fn name_of_macro(name: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("rpcgen-012", format!("`{name}` is a macro of the headers that the generated files include"))
        .at(span, "the C preprocessor replaces this name")
        .help("rename it")
}

/// `rpcgen-013`: a type whose routine's name is another function's in every RPC library.
pub(super) fn routine_of_library(name: &str, span: Span) -> Diagnostic {
    let message = format!("no type can be called `{name}`: `xdr_{name}` is a function of the RPC library");
    Diagnostic::error("rpcgen-013", message)
        .at(span, "the routine of this type would need that name")
        .help("rename the type; what is sent stays the same")
}

/// `rpcgen-014`: a name that means something else in the headers that come first.
pub(super) fn name_of_library(name: &str, what: &str, harm: &str, span: Span) -> Diagnostic {
    Diagnostic::warning("rpcgen-014", format!("`{name}` is {what}"))
        .at(span, harm)
        .help("rename it; what is sent stays the same")
}

/// `rpcgen-015`: two procedures that share a C function.
pub(super) fn function_twice(name: &str, what: &str, span: Span, first_span: Span) -> Diagnostic {
    Diagnostic::warning("rpcgen-015", format!("two procedures have the {what} `{name}`"))
        .at(span, "")
        .also(first_span, "first used here")
        .help("rename one of them, give their versions different numbers, or put them into files of their own")
}

/// `rpcgen-016`: a construct of another language that this style has no form for.
pub(super) fn no_form(what: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-016", format!("{what} has no form in rpcgen's style")).at(span, "").help(
        "use `--style corba`, or say it with numbers, strings, structures and sequences; a union can tell of failures",
    )
}

/// `rpcgen-017`: a type of which only a C header knows how it is encoded, where there are values alone.
pub(super) fn of_library(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(
        "rpcgen-017",
        format!(
            "`{name}` is not described here, and values alone (`--link none`) have no `xdr_{name}` that knows its form"
        ),
    )
    .at(span, "")
    .help("is it spelt right? else describe it here, or `#include` the file that does")
}

/// `rpcgen-018`: a name of what stands in the files that encode values alone.
pub(super) fn name_of_run_time(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error("rpcgen-018", format!("`{name}` is a name for what encodes values"))
        .at(span, "`whittle_` begins the names of the run time")
        .help("rename it; what is sent stays the same")
}
