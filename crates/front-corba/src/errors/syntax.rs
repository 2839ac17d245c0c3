//! What the grammar and the literals say.

use source::{Diagnostic, Span};

/// `idl-001`: a token where the grammar wants another.
pub fn expected(found_at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("idl-001", format!("expected {what}, found {found}")).at(found_at, format!("expected {what}"))
}

/// `idl-002`: a definition without its semicolon. The place is behind the token before.
pub fn missing_semicolon(behind: Span, after: &str, found: &str) -> Diagnostic {
    Diagnostic::error("idl-002", format!("expected `;` after {after}, found {found}"))
        .at(behind, "`;` is missing here")
        .help("add `;`")
}

/// `idl-003`: something in a file or a module that begins no definition.
pub fn expected_definition(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("idl-003", format!("expected a definition, found {found}"))
        .at(found_at, "no definition begins like this")
        .help("definitions begin with `module`, `interface`, `struct`, `union`, `enum`, `typedef`, `const`, `exception` or `valuetype`")
}

/// `idl-004`: a word that is probably a misspelled keyword. The parser goes on as if it were that keyword.
pub fn misspelled(word_at: Span, word: &str, keyword: &str) -> Diagnostic {
    Diagnostic::error("idl-004", format!("unknown word `{word}`, expected `{keyword}`"))
        .at(word_at, "not a keyword")
        .help(format!("did you mean `{keyword}`?"))
}

/// `idl-006`: a brace that is never closed.
pub fn unclosed_brace(found_at: Span, opening: Span, found: &str) -> Diagnostic {
    Diagnostic::error("idl-006", format!("expected `}}`, found {found}"))
        .at(found_at, "expected `}`")
        .also(opening, "to close this")
}

/// `idl-007`: a keyword where a name should be, in whatever case.
pub fn reserved_word(found_at: Span, what: &str, word: &str, keyword: &str) -> Diagnostic {
    let message = match word == keyword {
        true => format!("expected {what}, found the keyword `{word}`"),
        false => format!("expected {what}, found `{word}`, which differs from the keyword `{keyword}` only in case"),
    };
    Diagnostic::error("idl-007", message)
        .at(found_at, "a keyword is no name")
        .help(format!("write `_{word}`: the underscore says that it is a name, and is no part of it"))
}

/// `idl-008`: a name that newer versions of the language reserve.
pub fn later_keyword(found_at: Span, word: &str, keyword: &str) -> Diagnostic {
    Diagnostic::warning("idl-008", format!("`{keyword}` is a keyword in newer versions of IDL"))
        .at(found_at, "taken for a name here")
        .help(format!("write `_{word}`: the underscore is no part of the name"))
}

/// `idl-009`: braces with nothing in them.
pub fn empty_body(head: Span, word: &str, least: &str) -> Diagnostic {
    Diagnostic::error("idl-009", format!("this {word} is empty, expected {least}")).at(head, "nothing in its braces")
}

/// `idl-010`: `struct {…}` without a name.
pub fn body_without_name(found_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("idl-010", format!("expected a name for {what}")).at(found_at, "a name goes before this")
}

/// `idl-011`: a pointer or a reference of C++.
pub fn pointer(found_at: Span, mark: &str) -> Diagnostic {
    Diagnostic::error("idl-011", format!("there are no pointers in IDL, found `{mark}`"))
        .at(found_at, "expected a name")
        .help("many elements are a `sequence<…>`; whoever may be absent is a `sequence<…, 1>` or `@optional`")
}

/// `idl-012`: `struct a {…} b;`
pub fn name_after_body(found_at: Span, name: &str, second: &str) -> Diagnostic {
    Diagnostic::error("idl-012", format!("expected `;` after the type, found `{second}`"))
        .at(found_at, "there are no variables here")
        .help(format!("to give the type a second name, add `typedef {name} {second};`"))
}

/// `idl-013`: `void` as the type of data.
pub fn void_not_allowed(void: Span) -> Diagnostic {
    Diagnostic::error("idl-013", "`void` is not allowed here, expected a type")
        .at(void, "no data")
        .note("`void` is what an operation without a result gives back")
}

/// `idl-014`: a type of C that has another name here.
pub fn type_of_c(found_at: Span, word: &str, right: &str) -> Diagnostic {
    Diagnostic::error("idl-014", format!("`{word}` is not a type of IDL, expected `{right}`"))
        .at(found_at, "a type of C")
        .help(format!("write `{right}`"))
}

/// `idl-015`: `unsigned` before something that is no integer.
pub fn unsigned_other(found_at: Span, found: &str, help: &str) -> Diagnostic {
    Diagnostic::error("idl-015", format!("`unsigned` goes with `short`, `long` and `long long`, found {found}"))
        .at(found_at, "expected `short` or `long`")
        .help(format!("perhaps `{help}`"))
}

/// `idl-016`: `default` twice in a union.
pub fn two_defaults(second: Span, first: Span) -> Diagnostic {
    Diagnostic::error("idl-016", "a union has one `default`").at(second, "a second one").also(first, "the first one")
}

/// `idl-017`: a number for the member of an enumeration, as in C.
pub fn value_of_member(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-017", "members of an enum have no `=`, expected `,` or `}`")
        .at(found_at, "numbers count from 0")
        .help("`@value(3)` before the member gives it a number")
}

/// `idl-018`: members of an enumeration with nothing between them.
pub fn missing_comma(behind: Span, found: &str) -> Diagnostic {
    Diagnostic::error("idl-018", format!("expected `,` or `}}`, found {found}"))
        .at(behind, "`,` is missing here")
        .help("add `,`")
}

/// `idl-019`: an expression that nobody can read.
pub fn long_expression(found_at: Span, most: usize) -> Diagnostic {
    Diagnostic::error("idl-019", format!("an expression has at most {most} operators"))
        .at(found_at, "one more")
        .help("name its parts with `const`")
}

/// `idl-047`: a mark that separates nothing. Other compilers refuse it.
pub fn one_too_many(found_at: Span, mark: &str) -> Diagnostic {
    Diagnostic::warning("idl-047", format!("this `{mark}` is one too many"))
        .at(found_at, "separates nothing")
        .help(format!("remove the `{mark}`"))
}

/// `idl-020`: a character literal that holds none or several.
pub fn not_one_character(found_at: Span, count: usize) -> Diagnostic {
    Diagnostic::error("idl-020", format!("expected one character in quotes, found {count}"))
        .at(found_at, "not one character")
        .help("texts stand in double quotes")
}

/// `idl-021`: the character zero in a text.
pub fn zero_in_text(found_at: Span, position: usize) -> Diagnostic {
    Diagnostic::error("idl-021", format!("a text cannot hold the character zero, found at {position}"))
        .at(found_at, "holds `\\0`")
        .help("bytes of any value are a `sequence<octet>`")
}

/// `idl-022`: a backslash with nothing behind it that means anything.
pub fn bad_escape(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-022", "expected an escape such as `\\n`, `\\\\`, `\\x1f` or `\\033`")
        .at(found_at, "means nothing")
}

/// `idl-023`: a character that is none of its set.
pub fn character_too_large(found_at: Span, is_wide: bool) -> Diagnostic {
    let error = Diagnostic::error("idl-023", "this character has no place in a literal of this kind");
    match is_wide {
        true => error.at(found_at, "no character of Unicode"),
        false => error.at(found_at, "not in Latin-1").help("wide literals hold any character: `L\"…\"`"),
    }
}

/// `idl-024`: `(void)` for no parameters, as in C.
pub fn void_parameters(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-024", "no parameters are `()`, found `(void)`").at(found_at, "nothing goes here")
}

/// `idl-025`: a parameter that does not say which way it goes.
pub fn missing_direction(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("idl-025", format!("expected `in`, `out` or `inout`, found {found}"))
        .at(found_at, "which way does it go?")
        .help("what the caller gives is `in`, what it gets is `out`, both is `inout`")
}

/// `idl-026`: a pragma of repository ids in another form than the language's.
pub fn malformed_pragma(line: Span, expected: &str) -> Diagnostic {
    Diagnostic::warning("idl-026", format!("expected {expected}")).at(line, "ignored")
}

/// `idl-027`: a preprocessor directive that nobody carried out.
pub fn directive_left_over(line: Span, word: &str) -> Diagnostic {
    Diagnostic::warning("idl-027", format!("`#{word}` is ignored: the file was not preprocessed"))
        .at(line, "has no effect")
}

/// `idl-028`: a part of the language that this compiler does not have.
pub fn not_supported(found_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("idl-028", format!("there is no support for {what}")).at(found_at, "declared or used here")
}

/// `idl-029`: an import of what no `#include` has brought in.
pub fn nothing_imported(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-029", "nothing of this name is known to import")
        .at(found_at, "not defined in this file")
        .help("`#include` the file that defines it")
}
