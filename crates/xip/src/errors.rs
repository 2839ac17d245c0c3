//! Every finding about flows, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it. Codes below `xip-050` are those of the XML form.
//! Here are those of channels and of what their subscribers want; the others, by the stage that finds them, in the files below.

mod contracts;
mod names;
mod network;
mod promises;
mod waits;

use source::{Diagnostic, Span, near_miss};

use crate::Name;
use crate::flow::{Channel, Edge, PortPath};
use crate::ir::Port;
use crate::name::Spanned;
use crate::transport::Transport;

pub(crate) use contracts::*;
pub(crate) use names::*;
pub(crate) use network::*;
pub(crate) use promises::*;
pub(crate) use waits::*;

/// `did you mean`, or else all that there is.
fn choice<'a>(word: &str, known: impl Iterator<Item = &'a str>, what: &str) -> String {
    let known: Vec<&str> = known.take(source::COMPARED).collect();
    if let Some(guess) = near_miss(word, &known) {
        return format!("did you mean `{guess}`?");
    }
    match known.as_slice() {
        [] => format!("the file defines no {what}"),
        [only] => format!("there is only `{only}`"),
        [some @ .., last] if some.len() < 8 => format!("there are `{}` and `{last}`", some.join("`, `")),
        many if many.len() == source::COMPARED => format!("define it, or use one of the {what} that there are"),
        _ => format!("define it, or use one of the {} {what} that there are", known.len()),
    }
}

// Channels.

/// `xip-111`: a channel where a pipe should stand, or a port of a channel.
pub(crate) fn between_pipes(at: &PortPath, channel: &Channel) -> Diagnostic {
    Diagnostic::error(
        "xip-111",
        format!("the channel `{}` stands between a pipe that sends and one that subscribes", channel.name),
    )
    .at(at.span(), "expected a pipe at one end, and the channel's name alone at the other")
    .also(channel.name.span, "the channel")
    .help(format!("write `PIPE.PORT -> {0};` and `{0} -> PIPE.PORT;`", channel.name))
}

/// `xip-112`: a channel to which nothing is sent, or to which nobody subscribes.
pub(crate) fn channel_of_nobody(channel: &Channel, is_sent_to: bool) -> Diagnostic {
    let (what, example) = if is_sent_to {
        ("nobody subscribes to", format!("{} -> PIPE.PORT;", channel.name))
    } else {
        ("nothing is sent to", format!("PIPE.PORT -> {};", channel.name))
    };
    Diagnostic::error("xip-112", format!("{what} the channel `{}`", channel.name))
        .at(channel.name.span, "declared here")
        .help(format!("join a pipe to it, as `{example}`, or remove it"))
}

/// `xip-113`: a contract on an edge to a channel.
pub(crate) fn contract_of_sender(edge: &Edge, channel: &Channel) -> Diagnostic {
    Diagnostic::error(
        "xip-113",
        format!("what holds on the way through `{}` is said by each subscription", channel.name),
    )
    .at(edge.from.span().to(edge.to.span()), "has clauses of its own")
    .help(format!("move the clauses to the edges that begin with `{} ->`", channel.name))
}

/// `xip-114`: a transport between processes is needed where subscribers come and go.
pub(crate) fn channel_via(at: Span, carrier: Transport, channel: &Channel) -> Diagnostic {
    let word = carrier.word();
    Diagnostic::error("xip-114", format!("subscribers of `{}` come and go, and cannot do so via {word}", channel.name))
        .at(at, "of a subscription")
        .help("write `via tcp`, `via unix` or `via shm`")
}

/// `xip-115`: a promise that holds only while a receiver is there.
pub(crate) fn channel_keeps_not(at: Span, word: &str, channel: &Channel) -> Diagnostic {
    Diagnostic::error("xip-115", format!("a subscription to `{}` cannot be `{word}`", channel.name))
        .at(at, "its receiver comes and goes, and nothing is kept for it meanwhile")
        .help("leave it out; `history N` of the channel says what a new subscriber gets of the past")
}

/// `xip-116`: a history that does not fit into a subscriber's queue.
pub(crate) fn history_beyond_queue(queue: Span, room: u64, history: Spanned<u64>) -> Diagnostic {
    let count = history.value;
    Diagnostic::error("xip-116", format!("a history of {count} packets does not fit into a queue of {room}"))
        .at(queue, "a new subscriber's queue")
        .also(history.span, "the history")
        .help(format!("write `queue {count}` or more, or a shorter history"))
}

/// `xip-117`: a port of another type than the channel.
pub(crate) fn other_packets(port: &Port, channel: &Channel, at: Span, why: &str) -> Diagnostic {
    let (one, other) = (&port.ty, &channel.ty);
    Diagnostic::error(
        "xip-117",
        format!("the channel `{}` carries `{other}`, and `{}` is `{one}`: {why}", channel.name, port.name),
    )
    .at(at, format!("`{one}`"))
    .also(channel.ty.span, format!("`{other}`"))
    .help("give both one type, or put a pipe between them that converts")
}

// Filters.

/// `xip-122`: what ends to be a condition.
pub(crate) fn no_condition(at: Span, what: &str, found: &str) -> Diagnostic {
    Diagnostic::error("xip-122", format!("expected {what}, found {found}"))
        .at(at, "in the condition behind `where`")
        .help("compare fields with `==`, `!=`, `<`, `<=`, `>`, `>=`, and join comparisons with `and`, `or` and `not`: `where speed > 2.5 and not (room == 4 or is_open)`")
}

/// `xip-123`: a condition that is looked at for too long.
pub(crate) fn condition_too_large(at: Span, most: usize, what: &str) -> Diagnostic {
    Diagnostic::error("xip-123", format!("a condition has at most {most} {what}"))
        .at(at, "one more")
        .help("it is looked at for each packet: leave the rest to the subscriber, or let the packet have a field that says so")
}

/// `xip-124`: what a subscriber says, on an edge that always has its receiver.
pub(crate) fn wants_of_no_channel(at: Span, what: &str) -> Diagnostic {
    let example = if what == "fields" { "select FIELD, …" } else { "where …" };
    Diagnostic::error("xip-124", format!("only a subscription to a channel says which {what} it wants"))
        .at(at, "on an edge from pipe to pipe")
        .help(format!("send through a channel: `channel C of PACKET; PIPE.PORT -> C; C -> PIPE.PORT {example};`, or let the sender choose what it sends"))
}

/// `xip-127`: a number that no field can have.
pub(crate) fn number_too_large(at: Span, spelling: &str) -> Diagnostic {
    Diagnostic::error("xip-127", format!("`{spelling}` is too large: no field has such a value"))
        .at(at, "in the condition behind `where`")
        .help("whole numbers go up to 18446744073709551615, others up to 1.7e308")
}

// Selections.

/// `xip-125`: a field that the channel's packets have not, or that is selected twice.
pub(crate) fn no_selection(field: &Name, whole: &Name, known: Option<&[&str]>) -> Diagnostic {
    let error = |message: String| Diagnostic::error("xip-125", message);
    match known {
        None => error(format!("`{field}` is selected twice")).at(field.span, "once more").help("name each field once"),
        Some([]) => error(format!("`{whole}` has no fields that can be selected"))
            .at(field.span, "no structure has this field")
            .help("leave `select` out: all of the packet comes"),
        Some(known) => error(format!("`{whole}` has no `{field}`"))
            .at(field.span, "selected of each packet")
            .also(whole.span, "the channel's packets")
            .help(choice(&field.text, known.iter().copied(), "fields")),
    }
}

/// `xip-126`: a receiver whose packets are not made of the fields that it selects.
pub(crate) fn other_selection(at: Span, port: &Port, why: &str, help: String) -> Diagnostic {
    Diagnostic::error(
        "xip-126",
        format!("`{}` takes `{}`, which is no packet of these fields: {why}", port.name, port.ty),
    )
    .at(at, "selected")
    .also(port.ty.span, "the receiver's packets")
    .help(help)
}
