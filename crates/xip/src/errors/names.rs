//! What a file says of its own names: two of one name, names that cannot be what they are used for, pipes that do nothing.

use source::{Diagnostic, Span};

use crate::Name;
use crate::ir::{Port, Timer};

/// `xip-030`: two packets, pipes, flows or aspects of one name, of the same kind or not.
pub(crate) fn duplicate_name(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-030", format!("two declarations are called `{name}`"))
        .at(second, "called the same again")
        .also(first, "first here")
}

/// `xip-031`: two fields of a packet with one name.
pub(crate) fn duplicate_field(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-031", format!("two fields are called `{name}`"))
        .at(second, "called the same again")
        .also(first, "first here")
}

/// `xip-032`: two ports of a pipe with one name.
pub(crate) fn duplicate_port(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-032", format!("two ports are called `{name}`"))
        .at(second, "called the same again")
        .also(first, "first here")
}

/// `xip-033`: two instances in one body with one name, or an instance that is called like a port of the pipe around.
pub(crate) fn duplicate_instance(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-033", format!("an edge could not tell which `{name}` it joins"))
        .at(second, "called the same again")
        .also(first, "first here")
}

/// `xip-037`: a pipe that does nothing: no function, and no pipes joined inside.
pub(crate) fn does_nothing(name_at: Span, pipe: &str) -> Diagnostic {
    Diagnostic::error("xip-037", format!("expected `middle FUNCTION;` or joined pipes in `{pipe}`"))
        .at(name_at, "nothing says what this pipe does")
}

/// `xip-038`: a pipe that is a function and is composed of others, too.
pub(crate) fn middle_and_body(middle: Span, body: Span, pipe: &str) -> Diagnostic {
    Diagnostic::error("xip-038", format!("the pipe `{pipe}` has a middle, and pipes joined inside"))
        .at(middle, "its own function")
        .also(body, "other pipes")
        .help("make the function a pipe of its own, and join that to the others")
}

/// `xip-039`: an array whose `used` names a field that its packet does not have.
pub(crate) fn used_unknown(name_at: Span, name: &str, packet: &str, guess: Option<&str>) -> Diagnostic {
    let message = format!("expected a field of `{packet}` after `used`, found `{name}`");
    let finding = Diagnostic::error("xip-039", message).at(name_at, "no field is called so");
    finding.help(match guess {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => format!("`used` names the field that counts the used elements: declare `uint32 {name};` in `{packet}`"),
    })
}

/// `xip-040`: an array whose `used` names a field that cannot count.
pub(crate) fn used_not_a_count(name_at: Span, field: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-040", format!("expected an unsigned integer after `used`, found the field `{name}`"))
        .at(name_at, "says how many elements are used")
        .also(field, "not one unsigned integer")
        .help("declare it as `uint8`, `uint16`, `uint32` or `uint64`")
}

/// `xip-041`: a field that counts the elements of two arrays.
pub(crate) fn used_twice(second: Span, first: Span, name: &str) -> Diagnostic {
    Diagnostic::error("xip-041", format!("the field `{name}` counts the elements of two arrays"))
        .at(second, "used again")
        .also(first, "first here")
        .help("give each array a field of its own")
}

/// `xip-042`: a count too small to say that its array is full.
pub(crate) fn used_too_small(name_at: Span, field: Span, most: u64, bound: u64) -> Diagnostic {
    Diagnostic::warning("xip-042", format!("an array of up to {bound} elements never uses more than {most}"))
        .at(name_at, format!("counts up to {most}"))
        .also(field, "a larger type would count them all")
}

/// `xip-043`: a file that is imported twice.
pub(crate) fn imported_twice(second: Span, first: Span, file: &str) -> Diagnostic {
    Diagnostic::warning("xip-043", format!("`{file}` is imported twice"))
        .at(second, "imported again")
        .also(first, "first here")
}

/// `xip-096`: an outport that is polled. The middle says when something leaves it.
pub(crate) fn polled_outport(port: &Port) -> Diagnostic {
    let said = port.polarity.map_or(port.name.span, |polarity| polarity.span);
    Diagnostic::error("xip-096", format!("`{}` is an outport, and only inports are polled", port.name))
        .at(said, "there is nothing to look for")
        .also(port.name.span, "the port")
        .help(format!("leave `poll {};` out", port.name))
}

/// `xip-100`: a timer of a pipe that has no middle of its own.
pub(crate) fn timer_without_middle(timer: &Timer, pipe: &str) -> Diagnostic {
    Diagnostic::error("xip-100", format!("the pipe `{pipe}` has a timer, and no middle"))
        .at(timer.function.span, "is called by a stage, and this pipe is none")
        .help("write the timer in a pipe inside that has a middle")
}

/// `xip-101`: a timer that would be called without a pause.
pub(crate) fn timer_of_nothing(timer: &Timer) -> Diagnostic {
    Diagnostic::error("xip-101", format!("`{}` would be called without a pause", timer.function))
        .at(timer.every.span, "no time at all")
        .help("write a time of 1 us or more")
}

/// `xip-146`: the range of something that is no whole number.
pub(crate) fn range_of_no_number(range: Span, field: &Name, ty: &str) -> Diagnostic {
    Diagnostic::error("xip-146", format!("expected a field of whole numbers before `range`, found `{ty} {field}`"))
        .at(range, "says which whole numbers there may be")
        .also(field.span, format!("`{ty}`"))
        .help("leave the range out, or make the field an `int32`, a `uint16` or the like")
}

/// `xip-147`: a range without a number in it.
pub(crate) fn range_of_nothing(range: Span, (least, most): (i128, i128)) -> Diagnostic {
    Diagnostic::error("xip-147", format!("there is no number from {least} to {most}"))
        .at(range, "the least number is above the greatest")
        .help(format!("write `range {most} to {least}`"))
}

/// `xip-148`: a range with numbers that its field cannot hold.
pub(crate) fn range_beyond_type(range: Span, ty: &str, (lowest, highest): (i128, i128)) -> Diagnostic {
    Diagnostic::error("xip-148", format!("`{ty}` holds the numbers from {lowest} to {highest} only"))
        .at(range, "goes beyond these")
        .help("give the field a larger type, or a sign, or the range other ends")
}
