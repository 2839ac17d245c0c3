//! What is promised along the way from a source to a sink, and cannot be kept: delivery, order, rates, deadlines; cycles that stand still.

use source::{Diagnostic, Span};

use crate::contract::Delivery;
use crate::ir::Port;
use crate::measure::{Duration, Rate};
use crate::network::{End, Link, Network, Stage};
use crate::transport::Transport;

/// `xip-081`: an inport that needs more than the edges before it give.
pub(crate) fn delivers_less(
    port: &str,
    (least, said): (Delivery, Span),
    (link, delivers, place): (&str, Delivery, Span),
    way: &str,
) -> Diagnostic {
    let (needs, gives) = (least.word(), delivers.word());
    Diagnostic::error("xip-081", format!("`{port}` needs `{needs}`, but `{link}` delivers `{gives}`"))
        .at(said, "needed here")
        .also(place, format!("{gives} here"))
        .note(format!("on the way {way}"))
        .help(format!(
            "write `deliver {needs}` on that edge, and `block` if it says `drop`; a promise for the last edge alone \
             belongs there, not at the port"
        ))
}

/// `xip-082`: an inport that needs an order which is lost where edges meet.
pub(crate) fn loses_order(port: &str, said: Span, meets: &str, edges: &[Span]) -> Diagnostic {
    let message = format!("`{port}` needs packets in order, but {} edges meet at `{meets}`", edges.len());
    let finding = Diagnostic::error("xip-082", message).at(said, "needed here");
    edges
        .iter()
        .fold(finding, |finding, edge| finding.also(*edge, "one of them"))
        .help("each edge keeps its own order: give the pipe an inport for each, and merge in its middle")
}

/// `xip-083`: more packets than an edge takes, from a stage that cannot be held up.
pub(crate) fn too_fast(
    link: &str,
    (offered, said): (u64, Span),
    (taken, limit): (&Rate, Span),
    size: Option<u64>,
) -> Diagnostic {
    let finding = Diagnostic::error("xip-083", format!("`{link}` is sent {offered}/s, and takes {taken}"))
        .at(limit, "no more than this")
        .also(said, format!("{offered}/s, steadily"));
    let finding = match size {
        Some(size) => finding.note(format!("a packet is at most {size} bytes")),
        None => finding,
    };
    finding
        .help("write `drop oldest` or `drop newest` on the edge, or `rate <=` at the sender, which lets it be held up")
}

/// `xip-084`: a deadline that is longer kept by nobody.
pub(crate) fn too_late(said: Span, within: Duration, latency: u64) -> Diagnostic {
    Diagnostic::error("xip-084", format!("the deadline is {within}, and the middles before take up to {latency} us"))
        .at(said, "cannot be kept")
        .help("allow more time, or write `else drop` to have late packets dropped and counted")
}

/// `xip-085`: a guarantee of time on a transport that has none.
pub(crate) fn no_guarantee_on(said: Span, link: &Link, transport: Transport) -> Diagnostic {
    Diagnostic::error("xip-085", format!("a deadline cannot be guaranteed via `{}`", transport.word()))
        .at(said, "without `else`, this is a guarantee")
        .also(link.contract.transport_span(link.span), format!("via {}", transport.word()))
        .help(
            "write `else drop` or `else call FUNCTION`, which measures and acts; `via direct` with costs can guarantee",
        )
}

/// `xip-086`: a guarantee of time behind a middle of unknown cost.
pub(crate) fn no_cost(said: Span, stage: &Stage) -> Diagnostic {
    let place = stage.pipe.middle.as_ref().map_or(stage.pipe.name.span, |middle| middle.function.span);
    Diagnostic::error(
        "xip-086",
        format!("a deadline cannot be guaranteed: `{}` does not say what its middle costs", stage.name),
    )
    .at(said, "without `else`, this is a guarantee")
    .also(place, "takes any time")
    .help("write `cost TIME` behind the middle, or `else drop` behind the deadline")
}

/// `xip-087`: a cycle in which everybody may wait for everybody.
pub(crate) fn blocks_for_ever(links: &[&Link], way: &str) -> Diagnostic {
    let at = links.first().map_or_else(|| Span::new(source::FileId(0), 0, 0), |link| link.span);
    let finding = Diagnostic::error("xip-087", "a cycle of edges that block can stand still for ever")
        .at(at, "waits for room, and so does everybody behind it");
    let others = links.iter().skip(1);
    others
        .fold(finding, |finding, link| finding.also(link.span, "and this one"))
        .note(format!("the cycle is {way}"))
        .help("write `latest` on the edge that leads back, if only the newest packet counts there; or `drop oldest`, `drop newest`")
}

/// `xip-099`: a stage that waits for what its own packets bring about.
pub(crate) fn nothing_begins(network: &Network, end: End, needs_each: bool, link: &Link, way: &str) -> Diagnostic {
    let (name, port) = (network.end_name(end), network.port(end));
    let waits = if needs_each {
        "the stage may wait here before it has sent anything, and for ever"
    } else {
        "called only for packets that come from behind it"
    };
    Diagnostic::error("xip-099", format!("nothing begins: what `{name}` waits for comes of its own packets"))
        .at(link.span, "sends nothing before the stage that it leads to has sent something")
        .also(port.name.span, waits)
        .note(format!("the cycle is {way}"))
        .help(format!(
            "write `poll {};` in its pipe, so that the middle looks whether a packet is there and goes on",
            port.name
        ))
}

/// `xip-092`: a queue that is smaller than one packet.
pub(crate) fn no_room_for_one(at: Span, largest: u64) -> Diagnostic {
    Diagnostic::error("xip-092", format!("a packet may have {largest} bytes, more than the queue holds"))
        .at(at, "such a packet would never pass")
        .help(format!("write `queue {largest} bytes` or more"))
}

/// `xip-093`: a deadline at an outport. How old a packet is is looked at where it arrives.
pub(crate) fn deadline_at_outport(at: Span, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-093", format!("`{}` is an outport, where no packet is late yet", port.name))
        .at(at, "a deadline of an outport")
        .help("say it at the inport that wants packets in time, or on the edge")
}
