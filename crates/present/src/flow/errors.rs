//! What of packets has no C structure, with codes that are never reused.

use source::{Diagnostic, Span};
use xip::Name;

/// `packet-001`: a count of its own that another field's name takes.
pub(super) fn count_taken(array: &Name, count: &str, first: Span) -> Diagnostic {
    let message = format!("the elements of `{array}` are counted by `{count}`, and that is another field");
    Diagnostic::error("packet-001", message)
        .at(array.span, "")
        .also(first, "this field has the name")
        .help(format!("rename one, or let a field count them: `[<= … used {count}]`"))
}

/// `packet-002`: a type with a routine that only knows libtirpc's streams.
pub(super) fn foreign_routine(name: &Name, routine: &str) -> Diagnostic {
    Diagnostic::error("packet-002", format!("`{name}` holds a type that only the routine `{routine}` can send"))
        .at(name.span, "this travels in a flow")
        .help("describe the type in the interface file, or send it as `opaque`")
}

/// `packet-003`: a packet whose size 32 bits do not hold.
pub(super) fn too_large(name: &Name) -> Diagnostic {
    Diagnostic::error("packet-003", format!("a packet `{name}` may take more than 4 GiB"))
        .at(name.span, "")
        .help("lower its bounds and send several packets")
}

/// `packet-004`: an array without elements.
pub(super) fn no_elements(name: &Name) -> Diagnostic {
    Diagnostic::error("packet-004", format!("the array `{name}` never has an element"))
        .at(name.span, "")
        .help("leave it out, or give it a bound above 0")
}

/// `packet-005`: an imported type that holds what no packet can.
pub(super) fn no_packet(name: &Name, what: &str, place: Span) -> Diagnostic {
    Diagnostic::error("packet-005", format!("`{name}` cannot travel in a flow: it is or holds {what}"))
        .at(name.span, "this travels in a flow")
        .also(place, format!("{what} here"))
        .help("say it with numbers, characters of one byte, strings, structures, unions and sequences")
}
