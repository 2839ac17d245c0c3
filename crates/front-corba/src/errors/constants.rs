//! What is wrong with values, and with the sizes of types.

use source::{Diagnostic, Span};

/// `idl-050`: a value that its type does not have.
pub fn out_of_range(found_at: Span, found: &str, what: &str, range: &str) -> Diagnostic {
    Diagnostic::error("idl-050", format!("expected {range} for {what}, found {found}"))
        .at(found_at, "out of range")
        .help(if what.contains("integer") {
            "give it a type that holds it, such as `long long`"
        } else {
            "write a number of this range"
        })
}

/// `idl-051`: a value of one kind where another kind should be.
pub fn wrong_value(found_at: Span, wanted: &str, found: &str) -> Diagnostic {
    let error = Diagnostic::error("idl-051", format!("expected {wanted}, found {found}"));
    let error = error.at(found_at, format!("not {wanted}"));
    match (wanted, found) {
        ("a floating-point number", "a whole number") => error.help("add a point: `1.0`"),
        ("a fixed-point number", "a whole number" | "a floating-point number") => error.help("add a `d`: `1.50d`"),
        ("a wide character" | "a wide text", "a character" | "a text") => error.help("add an `L` before the quote"),
        ("a character", "a text") => error.help("a character stands in single quotes"),
        ("a text", "a character") => error.help("a text stands in double quotes"),
        _ => error,
    }
}

/// `idl-052`: an operator that its operand does not have.
pub fn bad_operand(found_at: Span, operator: char, found: &str) -> Diagnostic {
    Diagnostic::error("idl-052", format!("`{}` does not go with {found}", shown(operator)))
        .at(found_at, "cannot be computed")
}

/// `idl-053`: operands of two kinds.
pub fn mixed_operands(found_at: Span, operator: char, left: &str, right: &str) -> Diagnostic {
    let message = format!("`{}` needs two numbers of one kind, found {left} and {right}", shown(operator));
    Diagnostic::error("idl-053", message).at(found_at, "cannot be computed")
}

/// `idl-054`: a division by zero.
pub fn division_by_zero(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-054", "expected a divisor other than zero").at(found_at, "has no value")
}

/// `idl-055`: a shift by no number of bits.
pub fn bad_shift(found_at: Span, distance: i128) -> Diagnostic {
    Diagnostic::error("idl-055", format!("expected a shift by 0 to 63 bits, found {distance}"))
        .at(found_at, "has no value")
}

/// `idl-056`: a whole number that 64 bits do not hold.
pub fn integer_overflow(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-056", "expected -9223372036854775808 to 18446744073709551615")
        .at(found_at, "does not fit 64 bits")
        .help("the largest types are `long long` and `unsigned long long`; `fixed` has up to 31 digits")
}

/// `idl-057`: a floating-point number that its type does not hold.
pub fn float_overflow(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-057", "this floating-point number is too large for its type").at(found_at, "too large")
}

/// `idl-058`: a fixed-point number of too many digits.
pub fn fixed_overflow(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-058", "this fixed-point number has more digits than its type")
        .at(found_at, "at most 31 digits, or those that its type states")
}

/// `idl-059`: a text that is longer than its bound.
pub fn text_too_long(found_at: Span, length: usize, bound: i128) -> Diagnostic {
    Diagnostic::error("idl-059", format!("expected at most {bound} characters, found {length}"))
        .at(found_at, "longer than the bound of its type")
}

/// `idl-060`: a constant of a type that no constant has.
pub fn no_type_of_constants(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-060", "no constant can be of this type")
        .at(found_at, "not a type of constants")
        .note("constants are numbers, booleans, characters, texts and members of enums")
}

/// `idl-061`: a length or a bound that no data has.
pub fn bad_length(found_at: Span, number: i128) -> Diagnostic {
    Diagnostic::error("idl-061", format!("expected a length from 1 to 4294967295, found {number}"))
        .at(found_at, "not a length")
}

/// `idl-062`: `fixed` without its digits and scale.
pub fn fixed_without_digits(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-062", "expected `fixed<digits, scale>`")
        .at(found_at, "how many digits?")
        .note("only the type of a constant goes without: its value says how many there are")
}

/// `idl-063`: a fixed-point type that cannot be.
pub fn bad_fixed(found_at: Span, digits: i128, scale: i128) -> Diagnostic {
    Diagnostic::error("idl-063", format!("expected 1 to 31 digits and a scale up to these, found {digits} and {scale}"))
        .at(found_at, "no fixed-point type")
}

// `idl-064` was members of an enumeration whose numbers do not grow, which they need not.

/// `idl-068`: two members of an enumeration with one number.
pub fn same_number(second: Span, first: Span, number: i128) -> Diagnostic {
    Diagnostic::error("idl-068", format!("two members of this enumeration are {number}"))
        .at(second, "the same number again")
        .also(first, "first here")
        .help("give each a number of its own; a member without one is one more than the member before")
}

/// `idl-065`: a union that is switched by something that has no labels.
pub fn bad_discriminant(found_at: Span) -> Diagnostic {
    Diagnostic::error("idl-065", "expected an integer, a character, `boolean` or an enum as discriminant")
        .at(found_at, "cannot be switched on")
}

/// `idl-066`: two cases of a union with one label.
pub fn duplicate_label(second: Span, first: Span, label: &str) -> Diagnostic {
    Diagnostic::error("idl-066", format!("two cases have the label `{label}`"))
        .at(second, "the same value again")
        .also(first, "first here")
}

/// `idl-067`: a `default` that no value is left for.
pub fn needless_default(found_at: Span, discriminant: Span) -> Diagnostic {
    Diagnostic::error("idl-067", "the labels cover all values, so that none is left for `default`")
        .at(found_at, "never selected")
        .also(discriminant, "has no other values")
        .help("remove this case")
}

/// Shifts are two marks.
fn shown(operator: char) -> String {
    match operator {
        '<' | '>' => format!("{operator}{operator}"),
        _ => operator.to_string(),
    }
}
