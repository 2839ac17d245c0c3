//! Every finding of this front end, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it.

use crate::keywords;
use source::{Diagnostic, Span};

// Syntax.

/// `spi-001`: a token where the grammar wants another.
pub fn expected(found_at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("spi-001", format!("expected {what}, found {found}")).at(found_at, format!("expected {what}"))
}

/// `spi-002`: a statement without its semicolon. The place is behind the token before.
pub fn missing_semicolon(behind: Span, after: &str, found: &str) -> Diagnostic {
    Diagnostic::error("spi-002", format!("expected `;` after {after}, found {found}"))
        .at(behind, "`;` is missing here")
        .help("add `;`")
}

/// `spi-003`: something outside of all braces that begins no declaration.
pub fn expected_declaration(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("spi-003", format!("expected a declaration, found {found}"))
        .at(found_at, "no declaration begins like this")
        .help(format!("declarations begin with {}", keywords::list(&keywords::DECLARATIONS)))
}

/// `spi-004`: a word that is probably a misspelled keyword. The parser goes on as if it were that keyword.
pub fn misspelled(word_at: Span, word: &str, keyword: &str) -> Diagnostic {
    Diagnostic::error("spi-004", format!("unknown word `{word}`, expected `{keyword}`"))
        .at(word_at, "not a word of the language")
        .help(format!("did you mean `{keyword}`?"))
}

/// `spi-005`: a brace that is never closed.
pub fn unclosed_brace(found_at: Span, opening: Span, found: &str) -> Diagnostic {
    Diagnostic::error("spi-005", format!("expected `}}`, found {found}"))
        .at(found_at, "expected `}`")
        .also(opening, "to close this")
}

/// `spi-006`: a packet, pipe, flow or aspect with a name that means something else where it is used.
pub fn reserved_word(word_at: Span, what: &str, word: &str) -> Diagnostic {
    Diagnostic::error("spi-006", format!("expected {what}, found the word `{word}` of the language"))
        .at(word_at, "this cannot be a name")
        .help("choose another name, for example with a capital letter")
}

/// `spi-007`: a transport that there is none of.
pub fn unknown_transport(word_at: Span, word: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let error = Diagnostic::error("spi-007", format!("unknown transport `{word}`, expected {}", keywords::list(known)))
        .at(word_at, "not a transport");
    guessed(error, guess)
}

/// `spi-008`: a word that is none of those that may stand there.
pub fn unknown_word(word_at: Span, before: &str, word: &str, known: &[&str], guess: Option<&str>) -> Diagnostic {
    let message = format!("expected {} after `{before}`, found `{word}`", keywords::list(known));
    guessed(Diagnostic::error("spi-008", message).at(word_at, "not one of these"), guess)
}

fn guessed(error: Diagnostic, guess: Option<&str>) -> Diagnostic {
    match guess {
        Some(guess) => error.help(format!("did you mean `{guess}`?")),
        None => error,
    }
}

/// `spi-009`: a value without the word that says what it is about.
pub fn missing_keyword(word_at: Span, word: &str, meant: &str) -> Diagnostic {
    Diagnostic::error("spi-009", format!("expected `{meant}`, found `{word}` alone"))
        .at(word_at, "a word is missing before this")
        .help(format!("write `{meant}`"))
}

/// `spi-010`: `trusted` without the transport that it is about.
pub fn trusted_alone(word_at: Span) -> Diagnostic {
    Diagnostic::error("spi-010", "`trusted` stands right behind the transport")
        .at(word_at, "no transport before this")
        .help("write `via shm trusted`")
}

/// `spi-011`: a whole number that 64 bits do not hold.
pub fn number_too_large(number_at: Span, spelling: &str) -> Diagnostic {
    Diagnostic::error("spi-011", format!("expected a number up to 18446744073709551615, found {spelling}"))
        .at(number_at, "too large")
}

/// `spi-012`: a number that begins with 0, as octal numbers of C do.
pub fn leading_zero(number_at: Span, spelling: &str) -> Diagnostic {
    Diagnostic::error("spi-012", format!("expected a decimal or hexadecimal number, found `{spelling}`"))
        .at(number_at, "begins with `0`")
        .help("leave the zeros out; a hexadecimal number begins with `0x`")
}

/// `spi-013`: none of something that there must be one of at least.
pub fn zero(number_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("spi-013", format!("expected {what} of at least 1, found 0")).at(number_at, "none at all")
}

/// `spi-014`: a quoted text that says nothing.
pub fn empty_text(text_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("spi-014", format!("expected {what}, found an empty text")).at(text_at, "nothing in the quotes")
}

/// `spi-015`: a backslash or a control character in a quoted text.
pub fn odd_character(text_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("spi-015", format!("{what} holds a backslash or a control character"))
        .at(text_at, "expected plain characters")
        .help("texts stand for themselves; the folders of a path are separated by `/`")
}

/// `spi-016`: a line that begins with `#`. Spi files go through no preprocessor.
pub fn directive(line: Span) -> Diagnostic {
    Diagnostic::error("spi-016", "expected a declaration, found a line for a C preprocessor")
        .at(line, "there is no preprocessor here")
        .help("other files are imported: `import \"types.x\";`")
}

/// `spi-017`: a time without a unit, or with a unit that is none.
pub fn expected_time_unit(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("spi-017", format!("expected a unit of time, found {found}"))
        .at(found_at, "expected `us`, `ms` or `s`")
        .help("`us` are microseconds, `ms` milliseconds, `s` seconds")
}

/// `spi-018`: a rate that is not in a second.
pub fn rate_in_a_second(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("spi-018", format!("expected `s` behind the `/` of a rate, found {found}"))
        .at(found_at, "expected `s`")
        .help("rates are in a second: `30/s`, `5 MB/s`")
}

/// `spi-019`: a string that may be of any length.
pub fn string_without_bound(behind: Span, found: &str) -> Diagnostic {
    Diagnostic::error("spi-019", format!("expected `<=` and the most bytes of the string, found {found}"))
        .at(behind, "a bound is missing here")
        .help("write for example `string <= 255 name;`")
}

/// `spi-020`: a type of C or of another interface language.
pub fn type_of_others(word_at: Span, word: &str, meant: &str) -> Diagnostic {
    let error =
        Diagnostic::error("spi-020", format!("expected a type, found `{word}`")).at(word_at, "not a type of Spi");
    match meant {
        "" => {
            error.help(format!("types are {}, packets, and types of imported files", keywords::list(&keywords::TYPES)))
        }
        _ => error.help(format!("did you mean `{meant}`?")),
    }
}

/// `spi-021`: a port whose type has no name of its own.
pub fn plain_type_of_port(word_at: Span, word: &str) -> Diagnostic {
    Diagnostic::error("spi-021", format!("expected a packet or an imported type for the port, found `{word}`"))
        .at(word_at, "not a packet")
        .help(format!("put it into a packet: `packet Value {{ {word} value; }}`"))
}

/// `spi-022`: an array of arrays.
pub fn two_dimensions(second: Span) -> Diagnostic {
    Diagnostic::error("spi-022", "arrays have one dimension")
        .at(second, "a second dimension")
        .help("put the inner array into a packet, and make an array of that")
}

/// `spi-023`: an array of fixed length of which only a part would be used.
pub fn used_of_fixed(word_at: Span, length: &str) -> Diagnostic {
    Diagnostic::error("spi-023", "`used` goes with an array of bounded length, found a fixed one")
        .at(word_at, "all elements are used")
        .help(format!("write `[<= {length} used …]`"))
}

/// `spi-024`: two fields or ports in one declaration.
pub fn several_names(comma: Span) -> Diagnostic {
    Diagnostic::error("spi-024", "a declaration declares one name, found `,`")
        .at(comma, "expected `;`")
        .help("give each name a declaration of its own")
}

/// `spi-025`: more than two ports in one edge.
pub fn chained_edge(arrow: Span) -> Diagnostic {
    Diagnostic::error("spi-025", "an edge joins two ports, found another `->`")
        .at(arrow, "expected `;` or a clause")
        .help("write an edge for each two: `a -> b; b -> c;`")
}

/// `spi-026`: a clause of a contract, or a need, that was said before.
pub fn said_twice(second: Span, first: Span, what: &str) -> Diagnostic {
    Diagnostic::error("spi-026", format!("{what} is said twice")).at(second, "said again").also(first, "first here")
}

/// `spi-027`: a unit of a rate that looks like bytes and is none.
pub fn unit_like_bytes(word_at: Span, word: &str, known: &[&str], meant: &str) -> Diagnostic {
    Diagnostic::error("spi-027", format!("the unit `{word}` of a rate would count items called so"))
        .at(word_at, "not a unit of bytes")
        .note(format!("bytes are counted in {}", keywords::list(known)))
        .help(format!("did you mean `{meant}`?"))
}

/// `spi-028`: a port, a middle or a polarity in a flow.
pub fn belongs_in_pipe(word_at: Span, word: &str) -> Diagnostic {
    Diagnostic::error("spi-028", format!("`{word}` belongs in a pipe, found it in a flow"))
        .at(word_at, "a flow joins pipes")
        .help("declare a pipe with it, and join that pipe to others here")
}

/// `spi-029`: something behind an edge or a port that begins no clause.
pub fn expected_clause(found_at: Span, known: &[&str], found: &str) -> Diagnostic {
    Diagnostic::error("spi-029", format!("expected `;` or a clause, found {found}"))
        .at(found_at, "no clause begins like this")
        .help(format!("clauses begin with {}", keywords::list(known)))
}

// Names.

/// `spi-034`: a polarity for a port that the pipe does not have.
pub fn polarity_of_unknown(name_at: Span, name: &str, pipe: &str, guess: Option<&str>) -> Diagnostic {
    let message = format!("expected a port of `{pipe}`, found `{name}`");
    guessed(Diagnostic::error("spi-034", message).at(name_at, "no port is called so"), guess)
}

/// `spi-035`: a port whose polarity is said twice.
pub fn polarity_twice(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("spi-035", format!("the polarity of `{name}` is said twice"))
        .at(second, "said again")
        .also(first, "first here")
}

/// `spi-036`: a pipe with two functions.
pub fn two_middles(second: Span, first: Span, pipe: &str) -> Diagnostic {
    Diagnostic::error("spi-036", format!("the pipe `{pipe}` has two middles"))
        .at(second, "a second one")
        .also(first, "the first one")
        .help("make two pipes of it, and join them in a third one")
}

/// `spi-050`: a restart or a channel inside a pipe. How a stage is run, and who may subscribe, is said where the flow is.
pub fn belongs_in_flow(word_at: Span, what: &str, example: &str) -> Diagnostic {
    Diagnostic::error("spi-050", format!("a composed pipe has no `{what}`"))
        .at(word_at, "belongs in a flow")
        .help(format!("say it in the flow: {example}"))
}

/// `spi-051`: how soon or how often, for what never happens.
pub fn never_within(bounds: Span) -> Diagnostic {
    Diagnostic::error("spi-051", "a program that is never started again has no time for it, and no number")
        .at(bounds, "says how soon or how often")
        .help("leave this out, or write `on failure` or `always`")
}
