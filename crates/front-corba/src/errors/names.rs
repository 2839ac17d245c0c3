//! What is wrong with names, and with the types behind them.

use source::{Diagnostic, Span};

/// `idl-030`: a name that nothing defines.
pub fn undefined(found_at: Span, name: &str, guess: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("idl-030", format!("nothing is called `{name}` here"));
    let error = error.at(found_at, "not defined before this place");
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error.help("define it above, or `#include` the file that does"),
    }
}

/// `idl-031`: a name that is defined twice in one scope.
pub fn defined_twice(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("idl-031", format!("`{name}` is defined twice"))
        .at(second, "defined again here")
        .also(first, "first defined here")
}

/// `idl-032`: two names of one scope that differ in nothing but case.
pub fn differs_in_case(second: Span, first: Span, name: &str, other: &str) -> Diagnostic {
    Diagnostic::error("idl-032", format!("`{name}` differs only in case from `{other}`"))
        .at(second, "the same name to languages without case")
        .also(first, format!("`{other}` is defined here"))
}

/// `idl-033`: a name that is used in another case than it was defined in.
pub fn spelled_otherwise(found_at: Span, name: &str, right: &str, definition: Span) -> Diagnostic {
    Diagnostic::error("idl-033", format!("`{name}` differs in case from its definition `{right}`"))
        .at(found_at, format!("expected `{right}`"))
        .also(definition, "defined here")
}

/// `idl-034`: a definition with the name of the scope right around it.
/// A member in another case (`differing`: its type's name) is at fault by the letter alone: the OMG's own files have such, and C tells
/// them apart.
pub fn called_like_its_scope(found_at: Span, name: &str, differing: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("idl-034", format!("`{name}` is the name of what is around it"))
        .at(found_at, "called like its own scope")
        .help("give it another name; names that differ only in case are the same");
    match differing {
        None => error,
        Some(scope) => {
            Diagnostic { severity: source::Severity::Warning, ..error }.note(format!("the type is `{scope}`"))
        }
    }
}

/// `idl-035`: a name that stood for something else earlier in this scope.
pub fn used_before(found_at: Span, used_at: Span, name: &str, used: &str) -> Diagnostic {
    let error = Diagnostic::error("idl-035", format!("`{name}` was used before for something from outside"));
    let error = error.at(found_at, "another meaning here").also(used_at, "used here");
    match name == used {
        true => error.help("give it another name, or write the use with its scope: `::name`"),
        false => error.help(format!("`{name}` and `{used}` differ only in case: give it another name")),
    }
}

/// `idl-036`: `a::b` where `a` is no scope.
pub fn holds_no_names(found_at: Span, name: &str, definition: Span) -> Diagnostic {
    Diagnostic::error("idl-036", format!("there are no names in `{name}`"))
        .at(found_at, "cannot be found in there")
        .also(definition, "defined here")
}

/// `idl-037`: a name that two base interfaces give different meanings.
pub fn ambiguous(found_at: Span, name: &str, first: Span, second: Span) -> Diagnostic {
    Diagnostic::error("idl-037", format!("`{name}` is inherited with two meanings"))
        .at(found_at, "which one?")
        .also(first, "one is defined here")
        .also(second, "the other one here")
        .help(format!("write it with its scope: `Base::{name}`"))
}

/// `idl-038`: the name of one kind of thing where another kind should be.
pub fn wrong_kind(found_at: Span, name: &str, wanted: &str, found: &str, definition: Option<Span>) -> Diagnostic {
    let error = Diagnostic::error("idl-038", format!("expected {wanted}, but `{name}` is {found}"));
    let error = error.at(found_at, format!("not {wanted}"));
    match definition {
        Some(definition) => error.also(definition, "defined here"),
        None => error,
    }
}

/// `idl-039`: a type that is used before its definition is over.
pub fn incomplete(found_at: Span, name: &str, declared: Span) -> Diagnostic {
    Diagnostic::error("idl-039", format!("`{name}` is not defined to its end yet"))
        .at(found_at, "too early")
        .also(declared, "declared here")
        .help(format!(
            "until then it may stand in a `sequence<{name}>`, or be a member that is `@external @optional`; an interface may be used, but not inherited from"
        ))
}

/// `idl-040`: a declaration that no definition follows.
pub fn never_defined(declared: Span, word: &str, name: &str) -> Diagnostic {
    Diagnostic::error("idl-040", format!("the {word} `{name}` is declared, and never defined"))
        .at(declared, "declared here")
        .help(format!("define it in this file or in one that it includes: `{word} {name} {{…}};`"))
}

/// `idl-041`: two repository ids for one definition.
pub fn two_ids(found_at: Span, first: Span, name: &str, id: &str) -> Diagnostic {
    Diagnostic::error("idl-041", format!("`{name}` has the id or version `{id}` already"))
        .at(found_at, "another one")
        .also(first, "given here")
}

/// `idl-042`: an annotation that nobody knows. It is ignored.
pub fn unknown_annotation(found_at: Span, name: &str, guess: Option<&str>) -> Diagnostic {
    let warning = Diagnostic::warning("idl-042", format!("nobody knows the annotation `@{name}`"));
    let warning = warning.at(found_at, "ignored");
    match guess {
        Some(guess) => warning.help(format!("did you mean `@{guess}`?")),
        None => warning,
    }
}

/// `idl-043`: an annotation without a parameter that it needs.
pub fn missing_parameter(found_at: Span, name: &str, parameter: &str) -> Diagnostic {
    Diagnostic::error("idl-043", format!("`@{name}` needs its parameter `{parameter}`"))
        .at(found_at, format!("expected `@{name}({parameter} = …)`"))
}

/// `idl-044`: a parameter that an annotation does not have, or has already.
pub fn unknown_parameter(found_at: Span, annotation: &str, known: &[&str]) -> Diagnostic {
    let known: Vec<String> = known.iter().map(|known| format!("`{}`", known.trim_end_matches('?'))).collect();
    let error = Diagnostic::error("idl-044", format!("`@{annotation}` has no such parameter"));
    match known.is_empty() {
        true => error.at(found_at, "expected none"),
        false => error.at(found_at, format!("expected {}, each once", known.join(", "))),
    }
}

/// `idl-045`: a number of ONC RPC that does not fit.
pub fn onc_number(found_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("idl-045", format!("expected a {what} number from 0 to 4294967295"))
        .at(found_at, "out of range, or no number")
}

/// `idl-046`: a definition under another repository id than its declaration before.
pub fn prefixes_differ(found_at: Span, name: &str, declared: Span, prefix: &str, first: &str) -> Diagnostic {
    let message = format!("`{name}` has the prefix `{prefix}` here, and `{first}` where it was declared");
    Diagnostic::error("idl-046", message)
        .at(found_at, "another repository id")
        .also(declared, "declared here")
        .help("`#pragma prefix` holds from its line on: write the same one before both")
}
