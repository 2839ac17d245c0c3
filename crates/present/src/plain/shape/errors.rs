//! What is wrong with presentation files, with codes that are never reused.

use source::{Diagnostic, Span};

use super::statements::{Kind, list};

/// `shape-001`: something else stands where the grammar wants a word.
pub(super) fn expected(found_at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("shape-001", format!("expected {what}, found {found}")).at(found_at, "")
}

/// `shape-002`: no statement begins so.
pub(super) fn unknown_statement(word_at: Span, word: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let message = format!("a statement begins with {}, not with `{word}`", list(known));
    guessed(Diagnostic::error("shape-002", message).at(word_at, "no statement begins like this"), guess)
}

/// `shape-003`: no form is called so.
pub(super) fn unknown_form(word_at: Span, word: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let message = format!("there is no form `{word}`; there are {}", list(known).replace(" or ", " and "));
    guessed(Diagnostic::error("shape-003", message).at(word_at, "not a form"), guess)
}

/// `shape-004`: a statement that does not end.
pub(super) fn unended(behind: Span, start: Span, found: &str) -> Diagnostic {
    Diagnostic::error("shape-004", format!("expected `;` behind the statement, found {found}"))
        .at(behind, "`;` is missing here")
        .also(start, "the statement begins here")
}

/// `shape-005`: a statement about what the interface does not have.
pub(super) fn no_such_thing(name_at: Span, kind: Kind, name: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("shape-005", format!("the interface has no {} `{name}`", kind.word()))
        .at(name_at, "nothing is called so");
    let is_short = name.split('.').count() < kind.example().split('.').count();
    match (guess, known) {
        (None, []) if is_short => error.help(format!("it is named as in `{} {}`", kind.word(), kind.example())),
        (None, [only]) => error.help(format!("there is `{only}`")),
        (None, [_, _, ..]) if known.len() <= 8 => {
            error.help(format!("there are {}", list(known).replace(" or ", " and ")))
        }
        _ => guessed(error, guess),
    }
}

/// `shape-006`: a form that a value cannot have.
pub(super) fn misfit(form_at: Span, form: &str, what: &str, help: &str) -> Diagnostic {
    Diagnostic::error("shape-006", format!("{what} cannot be `{form}`")).at(form_at, "").help(help)
}

/// `shape-007`: two statements that say the same of one thing, or the contrary.
pub(super) fn said_twice(span: Span, what: &str, first: Span) -> Diagnostic {
    Diagnostic::error("shape-007", format!("{what} is said twice"))
        .at(span, "said again")
        .also(first, "first here")
        .help("keep one of the two")
}

/// `shape-008`: nothing says how much room a value needs, or it is too much.
pub(super) fn no_room(form_at: Span, what: &str, bound: &str) -> Diagnostic {
    Diagnostic::error("shape-008", format!("{what} cannot be `inline`: {bound}"))
        .at(form_at, "")
        .help("bound it in the interface, as in `string name<255>`, by 1 to 65536; or leave it `allocated`")
}

/// `shape-009`: a name that C will not have.
pub(super) fn bad_name(name_at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("shape-009", format!("nothing can be called `{name}` in C"))
        .at(name_at, "a keyword of C or C++, or taken by what generated code includes")
        .help("choose another name")
}

/// `shape-010`: a name for what has none.
pub(super) fn nameless(name_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("shape-010", format!("{what} has no name of its own in C")).at(name_at, "")
}

fn guessed(error: Diagnostic, guess: Option<&str>) -> Diagnostic {
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error,
    }
}
