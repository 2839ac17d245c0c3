//! Every finding of this front end, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it.

use crate::keywords;
use source::{Diagnostic, Span};

// Syntax.

/// `mig-001`: a token where the grammar wants another.
pub fn expected(found_at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("mig-001", format!("expected {what}, found {found}")).at(found_at, format!("expected {what}"))
}

/// `mig-002`: a statement, a member or an argument without its semicolon. The place is behind the token before.
pub fn missing_semicolon(behind: Span, after: &str, found: &str) -> Diagnostic {
    Diagnostic::error("mig-002", format!("expected `;` after {after}, found {found}"))
        .at(behind, "`;` is missing here")
        .help("add `;`")
}

/// `mig-003`: something that begins no statement.
pub fn expected_statement(found_at: Span, found: &str, guess: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("mig-003", format!("expected a statement, found {found}"))
        .at(found_at, "no statement begins like this");
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error.help("statements begin with `type`, `routine`, `simpleroutine`, `skip`, `import` and others"),
    }
}

/// `mig-004`: a word that is none of those that may stand there.
pub fn unknown_word(word_at: Span, what: &str, word: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let error =
        Diagnostic::error("mig-004", format!("expected {what}, found `{word}`")).at(word_at, format!("not {what}"));
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error.help(format!("there are {}", keywords::list(known))),
    }
}

// The subsystem.

/// `mig-005`: a file without a `subsystem`, or with routines before it.
pub fn no_subsystem(found_at: Option<Span>) -> Diagnostic {
    let error = Diagnostic::error("mig-005", "expected `subsystem` before the first routine")
        .help("begin with `subsystem NAME NUMBER;`: requests have the numbers from there on");
    match found_at {
        Some(span) => error.at(span, "which number has this?"),
        None => error,
    }
}

/// `mig-006`: a second `subsystem`.
pub fn second_subsystem(span: Span, first: Span) -> Diagnostic {
    Diagnostic::error("mig-006", "expected one `subsystem` in a file")
        .at(span, "this is another one")
        .also(first, "the first one")
        .help("leave one of them out, or write two files")
}

/// `mig-007`: a number that is out of range for what it says.
pub fn number_out_of_range(span: Span, what: &str, least: u64, most: u64) -> Diagnostic {
    Diagnostic::error("mig-007", format!("expected {what} from {least} to {most}")).at(span, "out of range")
}

/// `mig-008`: a header whose name cannot stand in `#include`.
pub fn bad_import(span: Span, why: &str) -> Diagnostic {
    Diagnostic::error("mig-008", format!("this cannot be the name of a header: {why}"))
        .at(span, "not a header")
        .help("write `import <mach/mach_types.h>;` or `import \"types.h\";`")
}

/// `mig-009`: a name that C cannot have, or that the stubs have themselves.
pub fn reserved_name(span: Span, name: &str, why: &str) -> Diagnostic {
    Diagnostic::error("mig-009", format!("`{name}` cannot be a name here: {why}"))
        .at(span, "this cannot be a name")
        .help("choose another name")
}

// Types.

/// `mig-010`: a type that nothing before defines.
pub fn unknown_type(span: Span, name: &str, guess: Option<&str>) -> Diagnostic {
    let error =
        Diagnostic::error("mig-010", format!("type `{name}` is not defined")).at(span, "defined nowhere before this");
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error.help("define it: `type NAME = …;`, or include the file that does, such as <mach/std_types.defs>"),
    }
}

/// `mig-011`: a type that is defined a second time, otherwise. The second definition holds from there on.
pub fn redefined(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::warning("mig-011", format!("type `{name}` is defined again, otherwise"))
        .at(span, "this holds from here on")
        .also(first, "the first definition")
}

/// `mig-012`: the name of a message's type, which does not say how many bits there are.
pub fn needs_bits(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("mig-012", format!("expected a number of bits with `{name}`"))
        .at(span, "how many bits?")
        .help(format!("write `({name}, BITS)`, such as `({name}, 8*80)`"))
}

/// `mig-013`: a sender's and a receiver's name of a type that have different sizes.
pub fn sizes_differ(span: Span, sent: (&str, u32), received: (&str, u32)) -> Diagnostic {
    let message = format!(
        "expected two names of one size, found `{}` of {} bits and `{}` of {} bits",
        sent.0, sent.1, received.0, received.1
    );
    Diagnostic::error("mig-013", message).at(span, "what is sent is not what is received")
}

/// `mig-014`: a number of bits that is not the one of the name before it.
pub fn strange_bits(span: Span, bits: u32, usual: u32) -> Diagnostic {
    Diagnostic::warning("mig-014", format!("expected {usual} bits, found {bits}"))
        .at(span, "this name has another size")
}

/// `mig-015`: an array or structure of what has no fixed place: elements of varying length, or outside of the message.
pub fn too_complicated(span: Span, what: &str) -> Diagnostic {
    Diagnostic::error("mig-015", format!("expected elements of a fixed size that stand in the message, found {what}"))
        .at(span, "too complicated for a message")
        .help("`^` and lengths that vary may stand outermost only")
}

/// `mig-016`: an array of varying length whose elements have no type with a name, so that C cannot have it either.
pub fn unnamed_element(span: Span) -> Diagnostic {
    Diagnostic::error("mig-016", "expected elements of a type with a name: their number varies, and C needs it")
        .at(span, "this has no name")
        .help("define the element first: `type element_t = …;`, then `array[] of element_t`")
}

/// `mig-017`: a clause of a type that stands there twice.
pub fn clause_twice(span: Span, clause: &str) -> Diagnostic {
    Diagnostic::error("mig-017", format!("expected one `{clause}` for a type")).at(span, "this is another one")
}

// Routines.

/// `mig-018`: a routine whose request has no port to go to.
pub fn no_request_port(span: Span, routine: &str) -> Diagnostic {
    Diagnostic::error(
        "mig-018",
        format!("expected a port as the first argument of `{routine}`, which the request goes to"),
    )
    .at(span, "this is not a right to a port")
    .help("begin the arguments with one of a type such as `mach_port_t`, or mark one with `requestport`")
}

/// `mig-019`: an argument that comes back from a routine which nobody answers.
pub fn simple_with_out(span: Span, routine: &str) -> Diagnostic {
    Diagnostic::error("mig-019", format!("expected only `in` arguments in the simpleroutine `{routine}`"))
        .at(span, "nobody answers")
        .help("make it a `routine`, or the argument an `in` argument")
}

/// `mig-020`: an argument of varying length in the message that travels both ways.
pub fn variable_inout(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error(
        "mig-020",
        format!("expected `{name}` to have a fixed size, or to stand outside of the message, as an `inout` argument"),
    )
    .at(span, "its length varies")
    .help("use one `in` and one `out` argument, or `^array[] of …`")
}

/// `mig-021`: two arguments, or an argument and what belongs to another, with one name; or two routines.
pub fn same_name(span: Span, name: &str, first: Span) -> Diagnostic {
    Diagnostic::error("mig-021", format!("expected one `{name}`"))
        .at(span, "this has the same name")
        .also(first, "as this")
        .help("rename one of them; an array's count is called `…Cnt`, the kind of a right `…Poly`")
}

/// `mig-022`: a second argument of a kind that a routine has one of.
pub fn second_of_kind(span: Span, kind: &str, first: Span) -> Diagnostic {
    Diagnostic::error("mig-022", format!("expected one `{kind}` in a routine"))
        .at(span, "this is another one")
        .also(first, "the first one")
}

/// `mig-023`: a reply port that is no port, or a number that is none.
pub fn wrong_kind(span: Span, kind: &str, what: &str) -> Diagnostic {
    Diagnostic::error("mig-023", format!("expected {what} as `{kind}`")).at(span, format!("not {what}"))
}

/// `mig-024`: a word behind a type that changes nothing there.
pub fn meaningless(span: Span, flag: &str, why: &str) -> Diagnostic {
    Diagnostic::warning("mig-024", format!("`{flag}` means nothing here: {why}")).at(span, "without effect")
}

/// `mig-025`: a procedure or a function, whose errors have no way back.
pub fn obsolete_kind(span: Span, kind: &str, routine: &str) -> Diagnostic {
    Diagnostic::error("mig-025", format!("expected `routine` or `simpleroutine`, found `{kind}`"))
        .at(span, "nobody would hear of an error")
        .help(format!("write `{routine}`: it returns a `kern_return_t`"))
}

/// `mig-026`: an argument that comes from a message's trailer, which messages of typed data do not have. It is left out.
pub fn no_trailer(span: Span, kind: &str) -> Diagnostic {
    Diagnostic::warning(
        "mig-026",
        format!("`{kind}` is left out: typed messages have no trailer that it could come from"),
    )
    .at(span, "left out")
}

/// `mig-027`: `samecount` where no array before says how many elements there are.
pub fn no_count_before(span: Span, name: &str) -> Diagnostic {
    Diagnostic::error("mig-027", format!("expected an array before `{name}` that has as many elements"))
        .at(span, "as many as what?")
        .help("`samecount` stands behind an array of varying length that follows another one")
}

// Other links.

/// `mig-028`: an argument that only Mach's messages can carry, where the file is compiled to another link.
pub fn no_data(span: Span, argument: &str, what: &str, defined: Option<Span>) -> Diagnostic {
    let error = Diagnostic::error("mig-028", format!("expected data in `{argument}`, found {what}"))
        .at(span, "only Mach's messages carry this")
        .help("leave it out of the interface; `whittle mig` makes stubs of Mach's messages");
    match defined {
        Some(defined) => error.also(defined, "a type of it is defined here"),
        None => error,
    }
}

/// `mig-029`: a subsystem that begins at the number of ONC RPC's own procedure, where the file is compiled to another link.
pub fn begins_at_zero(span: Span, name: &str) -> Diagnostic {
    Diagnostic::warning("mig-029", format!("routines of `{name}` have their numbers from 1 on in calls of ONC RPC"))
        .at(span, "begins at 0, the procedure that ONC RPC has in every program")
        .help("begin at 1 or higher, so that the numbers are those that the file states")
}
