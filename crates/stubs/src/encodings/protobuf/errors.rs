//! What protobuf cannot say, with codes that are never reused.

use pres::NumberForm;
use source::Diagnostic;

/// `protobuf-001`: a number that protobuf does not have.
pub(super) fn no_quadruple(of: &str) -> Diagnostic {
    Diagnostic::error(
        "protobuf-001",
        format!("`{of}` has a floating-point number of 128 bits, which protobuf does not have"),
    )
    .help("use `double`, or 16 bytes (`opaque[16]`, an array of `octet`), or another encoding (`--encoding xdr`)")
}

/// `protobuf-002`: a number that no field of a message can have.
pub(super) fn no_field_number(of: &str, member: &str) -> Diagnostic {
    Diagnostic::error("protobuf-002", format!("`{member}` of `{of}` has a number that no field of a message can have"))
        .help("fields have numbers from 1 to 536870911, and those from 19000 to 19999 are protobuf's own")
}

/// `protobuf-004`: a form that is for other members.
pub(super) fn no_such_form(of: &str, member: &str, form: NumberForm) -> Diagnostic {
    let (bits, kind) = match form {
        NumberForm::Zigzag { bits } | NumberForm::Fixed { bits, signed: true } => (bits, "signed"),
        NumberForm::Fixed { bits, signed: false } => (bits, "unsigned"),
    };
    let (form, size) = (form.word(), if bits == 64 { "64 bits" } else { "32 bits or fewer" });
    let message =
        format!("`{member}` of `{of}` is no `{form}`, which is for {kind} whole numbers of {size} and lists of them");
    Diagnostic::error("protobuf-004", message)
        .help("give another form or none; in a union, or where there are lists of lists, a structure may have the list as its member")
}

/// `protobuf-003`: two fields of a message with one number.
pub(super) fn one_number(of: &str, members: [&str; 2], number: u32) -> Diagnostic {
    let [first, second] = members;
    Diagnostic::error("protobuf-003", format!("`{first}` and `{second}` of `{of}` are both field {number}"))
        .help("what has no `@id` gets one more than the member before it: give one of the two another number")
}
