//! Clauses of one contract that contradict each other, or their transport.

use source::{Diagnostic, Span};

use super::choice;
use crate::contract::{Delivery, WhenFull};
use crate::ir::Port;
use crate::name::{Name, Spanned};
use crate::network::{Link, Stage};
use crate::transport::Transport;

/// `xip-070`: an edge that drops, and one that loses nothing, in one.
pub(crate) fn drops_and_delivers(full: Span, policy: WhenFull, said: Span, delivers: Delivery) -> Diagnostic {
    let word = delivers.word();
    let (drops, loses, help) = match policy {
        WhenFull::Latest => (
            "be `latest`".to_owned(),
            "keeps the newest packet alone",
            "leave `deliver` out: what is newest always arrives, whatever else is replaced",
        ),
        _ => (
            format!("`drop {}`", policy.word()),
            "loses packets when the queue is full",
            "write `block` for `drop`, or `deliver best_effort`",
        ),
    };
    Diagnostic::error("xip-070", format!("an edge cannot {drops} and `deliver {word}`"))
        .at(full, loses)
        .also(said, "promises to lose none")
        .help(help)
}

/// `xip-071`: durable delivery over a transport that remembers nothing.
pub(crate) fn forgets(said: Span, carrier: Span, transport: Transport) -> Diagnostic {
    Diagnostic::error(
        "xip-071",
        format!("`{}` cannot deliver durably: what it carries dies with its ends", transport.word()),
    )
    .at(said, "survives the death of either end")
    .also(carrier, format!("via {}", transport.word()))
    .help("write `via nats`, whose server keeps what was sent, or `deliver reliable`")
}

/// `xip-072`: a transport within one machine, between two.
pub(crate) fn does_not_reach(at: Span, transport: Transport, from: &Stage, to: &Stage) -> Diagnostic {
    let node = |stage: &Stage| {
        stage.node.map_or("the machine where the flow is started".to_owned(), |node| format!("\"{node}\""))
    };
    let (here, there) = (node(from), node(to));
    Diagnostic::error("xip-072", format!("`{}` does not reach from {here} to {there}", transport.word()))
        .at(at, "joins stages of one machine only")
        .also(from.span, format!("on {here}"))
        .also(to.span, format!("on {there}"))
        .help("write `via tcp` or `via nats`, or put both stages on one node")
}

/// `xip-073`: `trusted` where there is nothing to trust.
pub(crate) fn trusts_nothing(at: Span, transport: Transport) -> Diagnostic {
    Diagnostic::error("xip-073", format!("`trusted` means nothing via `{}`", transport.word()))
        .at(at, "only shared memory can be read in place")
        .help("write `via shm trusted`, or leave `trusted` out")
}

/// `xip-149`: an address that says nothing.
pub(crate) fn address_of_nothing(at: Span, transport: Transport) -> Diagnostic {
    Diagnostic::error("xip-149", format!("an address means nothing via `{}`", transport.word()))
        .at(at, "only TCP connections come to an address")
        .help("write `via tcp \"host:port\"`, or leave the address out")
}

/// `xip-150`: what is no address.
pub(crate) fn no_address(address: &Spanned<String>) -> Diagnostic {
    Diagnostic::error("xip-150", format!("`{}` is no address", address.value))
        .at(address.span, "expected a host, a colon, and a port of 1 to 65535")
        .help("write `via tcp \"10.0.0.7:7000\"`; an IPv6 address stands in brackets: `\"[::1]:7000\"`")
}

/// `xip-074`: a clause about waiting, where the sender calls the receiver.
pub(crate) fn nothing_waits(at: Span, clause: &str) -> Diagnostic {
    Diagnostic::error(
        "xip-074",
        format!("`{clause}` means nothing on a `direct` edge, where the sender calls the receiver"),
    )
    .at(at, "nothing is queued or encoded here")
    .help(format!("leave `{clause}` out, or write `via shm`"))
}

/// `xip-075`: a queue without room.
pub(crate) fn no_room(at: Span) -> Diagnostic {
    Diagnostic::error("xip-075", "a queue has room for one packet at least")
        .at(at, "nothing would ever pass")
        .help("write `queue 1`, or `via direct` for an edge without a queue")
}

/// `xip-076`: a batch of nothing.
pub(crate) fn empty_batch(at: Span) -> Diagnostic {
    Diagnostic::error("xip-076", "a batch is one packet at least")
        .at(at, "expected 1 or more")
        .help("leave `batch` out: packets are sent together when the edge is busy, and at once when it is idle")
}

/// `xip-077`: a batch that never fills.
pub(crate) fn batch_beyond_queue(at: Span, batch: u64, queue: Span, room: u64) -> Diagnostic {
    Diagnostic::error("xip-077", format!("a batch of {batch} never fills: the queue holds {room}"))
        .at(at, "more than may wait")
        .also(queue, format!("room for {room}"))
        .help(format!("write `queue {batch}`, or a smaller batch"))
}

/// `xip-078`: an encoding that is not there.
pub(crate) fn unknown_encoding(name: &Name, known: &[&str]) -> Diagnostic {
    Diagnostic::error("xip-078", format!("expected an encoding, found `{name}`"))
        .at(name.span, "no encoding has this name")
        .help(choice(&name.text, known.iter().copied(), "encodings"))
}

/// `xip-079`: a `direct` edge at both ends of which a stage acts by itself.
pub(crate) fn both_act(link: &Link, from: &Port, to: &Port) -> Diagnostic {
    let (one, other) = (&from.name, &to.name);
    let what = format!("`direct` joins one who acts to one who is called; `{one}` pushes and `{other}` pulls");
    direct("xip-079", what, link, "nothing waits between them")
        .also(from.name.span, "pushes when it likes")
        .also(to.name.span, "pulls when it likes")
        .help(format!("write `via shm`, which has a queue, or `push {other};` in its pipe"))
}

/// `xip-080`: a `direct` edge at neither end of which a stage acts.
pub(crate) fn nobody_acts(link: &Link, from: &Port, to: &Port) -> Diagnostic {
    let (one, other) = (&from.name, &to.name);
    let what = format!("nobody moves packets from `{one}`, which is pulled, to `{other}`, which is pushed");
    direct("xip-080", what, link, "no thread acts on a `direct` edge")
        .also(from.name.span, "waits to be pulled")
        .also(to.name.span, "waits to be pushed")
        .help(format!("write `push {one};` or `pull {other};` in its pipe, or `via shm`, which has a thread"))
}

/// A fault of a `direct` edge, with the place of the word.
fn direct(code: &'static str, what: String, link: &Link, why: &str) -> Diagnostic {
    Diagnostic::error(code, what).at(link.contract.transport_span(link.span), why)
}

/// `xip-097`: a polled inport at the end of a call.
pub(crate) fn nothing_to_poll(link: &Link, to: &Port) -> Diagnostic {
    let what = format!("`{}` is polled, and a `direct` edge holds no packet to look for", to.name);
    direct("xip-097", what, link, "the sender calls the receiver")
        .also(to.name.span, "looks whether a packet is there")
        .help("write `via direct latest`, which keeps the newest packet, or `via shm`, which has a queue")
}

/// `xip-098`: a clause about packets that wait, where only the newest does.
pub(crate) fn newest_alone(at: Span, clause: &str, latest: Span) -> Diagnostic {
    Diagnostic::error("xip-098", format!("`{clause}` means nothing on a `latest` edge"))
        .at(at, "no second packet waits")
        .also(latest, "keeps the newest packet alone")
        .help(format!("leave `{clause}` out, or write `drop oldest` for `latest`"))
}

/// `xip-094`: a batch where every packet goes by itself.
pub(crate) fn goes_by_itself(at: Span, carrier: Transport) -> Diagnostic {
    Diagnostic::warning("xip-094", format!("`batch` changes nothing via {}", carrier.word()))
        .at(at, "every packet goes by itself here")
        .help("leave `batch` out, or write `via tcp` or `via unix`")
}

/// `xip-130`: an encoding where what carries the packets has its own.
pub(crate) fn encodes_itself(encoding: &Name, carrier: Transport) -> Diagnostic {
    let word = carrier.word();
    Diagnostic::error("xip-130", format!("packets via {word} are not encoded as `{encoding}`"))
        .at(encoding.span, format!("what is sent via {word} has an encoding of its own"))
        .help(format!("leave `encode {encoding}` out, or write `via tcp`"))
}
