//! Every finding of this front end, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it.

use source::{Diagnostic, Severity, Span};

// Syntax.

/// `onc-001`: a token where the grammar wants another.
pub fn expected(found_at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("onc-001", format!("expected {what}, found {found}"))
        .at(found_at, format!("expected {what}"))
        .help(what_to_write(what, found))
}

/// How to mend what the grammar misses; the mistake may well stand before.
fn what_to_write(what: &str, found: &str) -> String {
    if (what, found) == ("`{`", "`;`") {
        return "types may be used before they are defined: remove this line, or write what is in the type".to_owned();
    }
    if what.starts_with('`') {
        return format!("write {what} before {found}, or see whether something before is one too many");
    }
    let form = match what {
        what if what.starts_with("a name") => "a name is letters, digits and `_`, and begins with no digit",
        what if what.starts_with("a type") => {
            "types are `int`, `unsigned int`, `hyper`, `float`, `double`, `bool`, `string`, `opaque`, and the names of types"
        }
        _ => "write a number, such as `10` or `0x1f`, or the name of a constant",
    };
    form.to_owned()
}

/// `onc-002`: a declaration without its semicolon. The place is behind the token before.
pub fn missing_semicolon(behind: Span, after: &str, found: &str) -> Diagnostic {
    Diagnostic::error("onc-002", format!("expected `;` after {after}, found {found}"))
        .at(behind, "`;` is missing here")
        .help(match found {
            "`+`" | "`-`" | "`*`" | "`/`" | "`%`" | "`<`" | "`|`" | "`&`" => {
                "write what it comes to: there is no arithmetic here"
            }
            _ => "add `;`",
        })
}

/// `onc-003`: something at the top level that begins no declaration.
pub fn expected_declaration(found_at: Span, found: &str) -> Diagnostic {
    Diagnostic::error("onc-003", format!("expected a declaration, found {found}"))
        .at(found_at, "no declaration begins like this")
        .help("declarations begin with `const`, `typedef`, `struct`, `union`, `enum`, `program` or `namespace`")
}

/// `onc-004`: a word that is probably a misspelled keyword. The parser goes on as if it were that keyword.
pub fn misspelled(word_at: Span, word: &str, keyword: &str) -> Diagnostic {
    Diagnostic::error("onc-004", format!("unknown word `{word}`, expected `{keyword}`"))
        .at(word_at, "not a keyword")
        .help(format!("did you mean `{keyword}`?"))
}

/// `onc-006`: a brace that is never closed.
pub fn unclosed_brace(found_at: Span, opening: Span, found: &str) -> Diagnostic {
    Diagnostic::error("onc-006", format!("expected `}}`, found {found}"))
        .at(found_at, "expected `}`")
        .also(opening, "to close this")
}

/// `onc-007`: `int a, b;`
pub fn several_names(comma: Span) -> Diagnostic {
    Diagnostic::error("onc-007", "a declaration declares one name, found `,`")
        .at(comma, "expected `;`")
        .help("give each name a declaration of its own")
}

/// `onc-008`: `int a[2][3];`
pub fn two_dimensions(second: Span) -> Diagnostic {
    Diagnostic::error("onc-008", "arrays have one dimension")
        .at(second, "a second dimension")
        .help("name the inner array with `typedef`, and make an array of that")
}

/// `onc-009`: `int *a<>;`
pub fn pointer_and_array(star: Span, brackets: Span) -> Diagnostic {
    Diagnostic::error("onc-009", "a declaration is optional data (`*`) or an array, not both")
        .at(brackets, "an array")
        .also(star, "optional data")
        .help("name the inner type with `typedef`")
}

/// `onc-010`: `string *a;` or `opaque *a;`
pub fn pointer_to_bytes(star: Span, keyword: &str) -> Diagnostic {
    Diagnostic::error("onc-010", format!("`*` does not go with `{keyword}`"))
        .at(star, "optional data needs a type with a name")
        .help(format!("name the type with `typedef {keyword} name<>;`, and declare `name *`"))
}

/// `onc-011`: `string a[10];`
pub fn fixed_string(brackets: Span, length: &str) -> Diagnostic {
    Diagnostic::error("onc-011", "a string has a bound, not a fixed length")
        .at(brackets, format!("expected `<{length}>`"))
        .help("`string name<10>` holds up to 10 characters, `opaque name[10]` holds 10 bytes")
}

/// `onc-026`: `opaque a;`
pub fn bare_opaque(opaque: Span, name: &str) -> Diagnostic {
    Diagnostic::error("onc-026", format!("`opaque {name}` says no length")).at(opaque, "how many bytes?").help(format!(
        "`opaque {name}[16]` is 16 bytes, `opaque {name}<16>` up to 16, and `opaque {name}<>` any number"
    ))
}

/// `onc-012`: `void` as the type of a member or in `typedef`.
pub fn void_not_allowed(void: Span) -> Diagnostic {
    Diagnostic::error("onc-012", "`void` is not allowed here, expected a type")
        .at(void, "no data")
        .note("`void` stands for the body of a union's case, for the arguments and for the result of a procedure")
}

/// `onc-013`: `void` with a name, a star or brackets.
pub fn void_with_name(void: Span) -> Diagnostic {
    Diagnostic::error("onc-013", "`void` stands alone, without a name").at(void, "no data, so nothing to name")
}

/// `onc-014`: `void` as one of several arguments.
pub fn void_among_arguments(void: Span) -> Diagnostic {
    Diagnostic::error("onc-014", "`void` stands for no arguments, expected a type").at(void, "not alone")
}

/// `onc-015`: braces with nothing in them.
pub fn empty_body(head: Span, word: &str, least: &str) -> Diagnostic {
    Diagnostic::error("onc-015", format!("this {word} is empty, expected {least}")).at(head, "nothing in its braces")
}

/// `onc-016`: `unsigned` before something that is no integer.
pub fn unsigned_other(found_at: Span, word: &str) -> Diagnostic {
    Diagnostic::error("onc-016", format!("`unsigned` goes with integers, found `{word}`"))
        .at(found_at, "expected `char`, `short`, `int`, `long` or `hyper`")
}

/// `onc-017`: a program, version or procedure without `= number`.
pub fn missing_number(behind: Span, what: &str) -> Diagnostic {
    Diagnostic::error("onc-017", format!("this {what} has no number, expected `= number`"))
        .at(behind, "`= number;` is missing here")
}

/// `onc-018`: `default` twice in a union.
pub fn two_defaults(second: Span, first: Span) -> Diagnostic {
    Diagnostic::error("onc-018", "a union has one `default`").at(second, "a second one").also(first, "the first one")
}

/// `onc-019`: a keyword where a name should be.
pub fn reserved_word(found_at: Span, what: &str, word: &str) -> Diagnostic {
    Diagnostic::error("onc-019", format!("expected {what}, found the keyword `{word}`"))
        .at(found_at, "a keyword is no name")
}

/// `onc-020`: `struct a {…} b;`
pub fn name_after_body(found_at: Span, word: &str, name: &str, second: &str) -> Diagnostic {
    Diagnostic::error("onc-020", format!("expected `;` after the {word}, found `{second}`"))
        .at(found_at, "there are no variables here")
        .help(format!("to give the {word} a second name, add `typedef {name} {second};`"))
}

/// `onc-021`: members of an enumeration with nothing between them.
pub fn missing_comma(behind: Span, found: &str) -> Diagnostic {
    Diagnostic::error("onc-021", format!("expected `,` or `}}`, found {found}"))
        .at(behind, "`,` is missing here")
        .help("add `,`")
}

/// `onc-022`: members of an enumeration with semicolons between them.
pub fn semicolon_in_enumeration(found_at: Span) -> Diagnostic {
    Diagnostic::error("onc-022", "the names of an enum are separated by `,`, found `;`").at(found_at, "expected `,`")
}

/// `onc-023`: `long long`.
pub fn long_long(found_at: Span, signed: bool) -> Diagnostic {
    let hyper = if signed { "hyper" } else { "unsigned hyper" };
    Diagnostic::error("onc-023", "`long long` is not a type").at(found_at, "").help(format!("64 bits are `{hyper}`"))
}

/// `onc-024`: `int **a;`
pub fn two_stars(second: Span) -> Diagnostic {
    Diagnostic::error("onc-024", "a declaration has one `*`")
        .at(second, "a second one")
        .help("name the inner type with `typedef`")
}

/// `onc-025`: a preprocessor directive that nobody carried out.
pub fn directive_left_over(line: Span, word: &str) -> Diagnostic {
    Diagnostic::warning("onc-025", format!("`#{word}` is ignored: the file was not preprocessed"))
        .at(line, "has no effect")
}

// Names.

/// `onc-030`: a name that is defined twice.
pub fn defined_twice(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("onc-030", format!("`{name}` is defined twice"))
        .at(second, "defined again here")
        .also(first, "first defined here")
        .note("types, constants and the members of enums share one set of names (RFC 4506 section 6.4)")
}

/// The code of [`repeated`].
pub const REPEATED: &str = "onc-037";

/// `onc-037`: a type that is defined twice in the same words. The second definition is dropped.
pub fn repeated(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::warning(REPEATED, format!("`{name}` is defined twice in the same way"))
        .at(second, "ignored")
        .also(first, "first defined here")
}

/// The codes of what is true of a file whatever is left out of it: [`repeated`], [`type_nowhere_defined`],
/// [`value_nowhere_defined`].
pub const SAID_ONCE: [&str; 3] = [REPEATED, NOWHERE_DEFINED[0], NOWHERE_DEFINED[1]];

/// The codes of names that nobody defines.
pub const NOWHERE_DEFINED: [&str; 2] = ["onc-038", "onc-039"];

/// What may be done about a name that nobody defines.
#[derive(Clone, Copy, Debug)]
pub struct Nowhere<'a> {
    /// The name that was probably meant.
    pub guess: Option<&'a str>,
    /// C headers may define it.
    pub may_be_of_c: bool,
    /// The file names headers for C.
    pub has_headers: bool,
}

/// `onc-038`: a type that nobody defines. In rpcgen's style a C header may, and declare a routine `xdr_T` for it.
pub fn type_nowhere_defined(found_at: Span, name: &str, nowhere: Nowhere<'_>) -> Diagnostic {
    let message = format!("no type `{name}` is defined here or in an included file");
    let of_c = format!(
        "generated code will use `{name}` and call `xdr_{name}`, which must come from elsewhere: a C header and a file that you write"
    );
    nowhere_defined(Diagnostic::error("onc-038", message), found_at, &of_c, nowhere)
}

/// `onc-039`: a constant that nobody defines. In rpcgen's style a C header may.
pub fn value_nowhere_defined(found_at: Span, name: &str, nowhere: Nowhere<'_>) -> Diagnostic {
    let message = format!("no constant `{name}` is defined here or in an included file");
    let of_c = format!("generated code will use `{name}`, which must come from a C header");
    nowhere_defined(Diagnostic::error("onc-039", message), found_at, &of_c, nowhere)
}

fn nowhere_defined(error: Diagnostic, found_at: Span, of_c: &str, nowhere: Nowhere<'_>) -> Diagnostic {
    let is_left = nowhere.may_be_of_c && nowhere.has_headers;
    let finding = error.at(found_at, if is_left { "left to the `%#include` lines" } else { "not defined" });
    let finding = match nowhere.may_be_of_c {
        true => Diagnostic { severity: Severity::Warning, ..finding.note(of_c) },
        false => finding,
    };
    match nowhere.guess {
        Some(guess) => finding.help(format!("did you mean `{guess}`?")),
        None if is_left => finding,
        None if nowhere.may_be_of_c => {
            finding.help("`#include` the `.x` file that defines it, or pass a C header on: `%#include \"…\"`")
        }
        None => finding.help("define it here, or `#include` the `.x` file that does"),
    }
}

/// `onc-031`: two members of a structure or union with one name.
pub fn duplicate_member(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("onc-031", format!("two members are called `{name}`"))
        .at(second, "called the same again")
        .also(first, "first here")
}

/// `onc-032`: the name of a type where a number should be.
pub fn type_as_value(found_at: Span, name: &str, definition: Span) -> Diagnostic {
    Diagnostic::error("onc-032", format!("expected a number, but `{name}` is a type"))
        .at(found_at, "not a number")
        .also(definition, "defined here")
}

/// `onc-033`: the name of a constant where a type should be.
pub fn value_as_type(found_at: Span, name: &str, definition: Span) -> Diagnostic {
    Diagnostic::error("onc-033", format!("expected a type, but `{name}` is a constant"))
        .at(found_at, "not a type")
        .also(definition, "defined here")
}

/// `onc-034`: constants that are defined by each other.
pub fn circular_constant(name_at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("onc-034", format!("the value of `{name}` depends on itself")).at(name_at, "has no value")
}

/// `onc-035`: typedefs that are defined by each other.
pub fn circular_alias(name_at: Span, name: &str, through: &[(Span, String)]) -> Diagnostic {
    let error = Diagnostic::error("onc-035", format!("the type `{name}` is defined as itself"))
        .at(name_at, "stands for itself")
        .help("only structures and unions can contain themselves, as optional data (`*`) or in a counted array (`<>`)");
    through.iter().fold(error, |error, (span, name)| error.also(*span, format!("through `{name}`")))
}

/// `onc-036`: a structure or union that directly contains itself. Where a union chooses otherwise, values `can_end`.
pub fn infinite_size(name_at: Span, name: &str, through: &[(Span, String)], can_end: bool) -> Diagnostic {
    let (what, here) = match can_end {
        true => ("which nothing in C can", "would be larger than itself"),
        false => ("so that it never ends", "has no end"),
    };
    let error = Diagnostic::error("onc-036", format!("`{name}` contains itself, {what}")).at(name_at, here);
    let error = match can_end {
        true => error
            .note("its messages could end, where a union chooses an arm without it")
            .help("make the inner one the whole arm of a union, optional data (`*`) or a counted array (`<>`)"),
        false => error.help("make the inner one optional data (`*`) or a counted array (`<>`)"),
    };
    through.iter().fold(error, |error, (span, name)| error.also(*span, format!("through `{name}`")))
}

// Numbers.

/// `onc-040`: a length or a bound below zero.
pub fn negative_bound(found_at: Span, value: i128) -> Diagnostic {
    Diagnostic::error("onc-040", format!("expected a length of at least 0, found {value}")).at(found_at, "negative")
}

/// `onc-041`: a length or a bound that XDR cannot say.
pub fn bound_too_large(found_at: Span, value: i128) -> Diagnostic {
    Diagnostic::error("onc-041", format!("expected a length of at most 4294967295, found {value}"))
        .at(found_at, "does not fit 32 bits")
        .help("lengths travel as 32-bit integers: `<>` is a length without a bound of its own")
}

/// `onc-042`: a length, a label or a number that is a text.
pub fn not_a_number(found_at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("onc-042", format!("expected {what}, which is a whole number")).at(found_at, "not a whole number")
}

/// `onc-043`: an enumeration's value that XDR cannot say.
pub fn member_out_of_range(found_at: Span, value: i128) -> Diagnostic {
    Diagnostic::error("onc-043", format!("the value {value} does not fit 32 bits"))
        .at(found_at, "out of range")
        .note("enums travel as 32-bit integers")
}

/// `onc-044`: a program, version or procedure number that does not fit.
pub fn number_out_of_range(found_at: Span, what: &str, value: i128) -> Diagnostic {
    Diagnostic::error("onc-044", format!("expected a {what} number from 0 to 4294967295, found {value}"))
        .at(found_at, "out of range")
}

/// `onc-046`: a constant that no integer type holds.
pub fn constant_out_of_range(found_at: Span) -> Diagnostic {
    Diagnostic::error("onc-046", "expected a constant from -9223372036854775808 to 18446744073709551615")
        .at(found_at, "does not fit 64 bits")
        .help("the largest types are `hyper` and `unsigned hyper`, of 64 bits: for more, use `opaque` or an array")
}

/// `onc-045`: a constant that is a fraction or a character. Constants are whole numbers.
pub fn not_an_integer(found_at: Span, name: &str, spelling: &str) -> Diagnostic {
    let error = Diagnostic::error("onc-045", format!("expected a whole number, found `{spelling}`"));
    let error = error.at(found_at, "not a whole number");
    match spelling.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(character) => match *character.as_bytes() {
            [byte] if byte.is_ascii() => error.help(format!("`{character}` is {byte} in ASCII")),
            _ => error.help("write the number of the character"),
        },
        None => error.help(format!("a constant of C alone goes on a line for C: `%#define {name} {spelling}`")),
    }
}

/// An error as a warning, about what rpcgen accepts.
pub fn accepted(finding: Diagnostic) -> Diagnostic {
    let note = match finding.code {
        "onc-046" | "onc-053" => "accepted, as rpcgen does",
        _ => "accepted, as rpcgen does: the last 32 bits count",
    };
    Diagnostic { severity: Severity::Warning, ..finding }.note(note)
}

/// `onc-056`: an enumeration's value that is sent as a negative one.
pub fn member_becomes_negative(found_at: Span, name: &str, value: i128) -> Diagnostic {
    let sent = value - (1 << 32);
    Diagnostic::warning("onc-056", format!("`{name}` is {value}, which is sent as {sent}"))
        .at(found_at, "above 2147483647")
        .note("enums travel as signed 32-bit integers")
        .help(format!(
            "write `{name} = {sent}`, or in hexadecimal where bits are meant, or use `unsigned int` constants"
        ))
}

/// `onc-058`: an array that is larger than most machines' memory.
pub fn enormous_array(found_at: Span, length: i128) -> Diagnostic {
    Diagnostic::warning("onc-058", format!("each value has room for {length} items"))
        .at(found_at, "more than a gigabyte")
        .help("`<>` in place of `[]` takes room for the items that are there")
}

// Unions and programs.

/// `onc-055`: a label that the discriminant's type has no room for.
pub fn label_does_not_fit(label_at: Span, label: i128, ty: &str, taken: i128, discriminant: Span) -> Diagnostic {
    Diagnostic::warning("onc-055", format!("no `{ty}` is {label}: C takes the label for {taken}"))
        .at(label_at, "does not fit the discriminant")
        .also(discriminant, "the discriminant")
        .help(format!("write {taken}, or give the discriminant a type that holds {label}"))
}

/// `onc-057`: a discriminant of 64 bits.
pub fn wide_discriminant(found_at: Span) -> Diagnostic {
    Diagnostic::warning("onc-057", "a discriminant of 64 bits is an extension")
        .at(found_at, "sent as 8 bytes")
        .note("discriminants of XDR are `int`, `unsigned int`, `bool` and enums, of 32 bits (RFC 4506 section 4.15)")
        .help("use `int` or `unsigned int`, unless all that read this were generated from the same text")
}

/// `onc-050`: a union that is switched by something that is no number.
pub fn bad_discriminant(found_at: Span, is: &str) -> Diagnostic {
    Diagnostic::error("onc-050", format!("expected an integer, a `bool` or an enum as discriminant, found {is}"))
        .at(found_at, "cannot be switched on")
}

/// `onc-051`: two cases of a union with one label.
pub fn duplicate_case(second: Span, first: Span, label: &str) -> Diagnostic {
    Diagnostic::error("onc-051", format!("two cases have the label `{label}`"))
        .at(second, "the same value again")
        .also(first, "first here")
}

/// `onc-052`: a label that the discriminant can never equal.
pub fn label_out_of_enumeration(label_at: Span, label: &str, discriminant: Span, guess: Option<&str>) -> Diagnostic {
    let warning = Diagnostic::warning("onc-052", format!("the discriminant is never `{label}`"))
        .at(label_at, "not a member of the enum")
        .also(discriminant, "the discriminant");
    match guess {
        Some(guess) => warning.help(format!("did you mean `{guess}`?")),
        None => warning,
    }
}

/// `onc-053`: two procedures of a version, versions of a program or programs with one number.
pub fn duplicate_number(second: Span, first: Span, what: &str, number: &str) -> Diagnostic {
    Diagnostic::error("onc-053", format!("two {what}s have the number {number}"))
        .at(second, "the same number again")
        .also(first, "first here")
        .help(format!("clients name a {what} by its number: give each one of its own"))
}

/// `onc-054`: two procedures of a version, versions of a program or programs with one name.
pub fn duplicate_name(second: Span, first: Span, what: &str, name: &str) -> Diagnostic {
    Diagnostic::error("onc-054", format!("two {what}s are called `{name}`"))
        .at(second, "called the same again")
        .also(first, "first here")
}
