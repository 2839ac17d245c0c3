//! Every finding about flows, one constructor each. A code is never used again for another meaning.
//!
//! Wording: lower case, no full stop, names in backticks; the message says what was expected, the label is brief,
//! help says how to mend it. Codes below `xip-050` are those of the XML form.

use source::{Diagnostic, Span, near_miss};

use crate::contract::{Delivery, WhenFull};
use crate::flow::{Channel, Edge, PortPath};
use crate::ir::{Direction, Field, Packet, Pipe, Port, Timer};
use crate::measure::{Duration, Rate};
use crate::name::{Name, Spanned};
use crate::network::{End, Link, Network, Stage};
use crate::restart::Restart;
use crate::transport::Transport;

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

// What a file says of its own names.

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

// Names.

/// `xip-050`: an instance of a pipe that is not there.
pub(crate) fn unknown_pipe<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-050", format!("expected the name of a pipe, found `{name}`"))
        .at(name.span, "no pipe has this name")
        .help(choice(&name.text, known, "pipes"))
}

/// `xip-051`: an end of an edge that is neither an instance nor a pipe.
pub(crate) fn unknown_instance<'a>(name: &Name, owner: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-051", format!("expected an instance of {owner} or a pipe, found `{name}`"))
        .at(name.span, "nothing here has this name")
        .help(choice(&name.text, known, "pipes"))
}

/// `xip-052`: a pipe's name where the pipe has instances.
pub(crate) fn which_instance(name: &Name, instances: &[&Name]) -> Diagnostic {
    let finding =
        Diagnostic::error("xip-052", format!("expected an instance, found the pipe `{name}`, which has some"))
            .at(name.span, "which one?");
    let names: Vec<String> = instances.iter().map(|instance| format!("`{instance}`")).collect();
    let shown = instances.iter().fold(finding, |finding, instance| finding.also(instance.span, "an instance"));
    shown.help(format!("write {}", names.join(" or ")))
}

/// `xip-053`: a port that the pipe does not have.
pub(crate) fn unknown_port(name: &Name, pipe: &Pipe, direction: Direction) -> Diagnostic {
    let known = pipe.ports.iter().filter(|port| port.direction == direction).map(|port| port.name.text.as_str());
    let what = format!("{}ports", direction.word());
    Diagnostic::error("xip-053", format!("expected an {}port of `{}`, found `{name}`", direction.word(), pipe.name))
        .at(name.span, "no port has this name")
        .also(pipe.name.span, "the pipe")
        .help(choice(&name.text, known, &what))
}

/// `xip-054`: a path without a port, where the pipe has none or several in that direction.
pub(crate) fn which_port(path: &PortPath, pipe: &Pipe, direction: Direction, fitting: &[&Port]) -> Diagnostic {
    let word = direction.word();
    let message = match fitting.len() {
        0 => format!("`{path}` has no {word}port, but the edge needs one"),
        many => format!("`{path}` has {many} {word}ports, and the edge does not say which"),
    };
    let finding = Diagnostic::error("xip-054", message).at(path.span(), format!("which {word}port?"));
    let finding = finding.also(pipe.name.span, "the pipe");
    match fitting {
        [] => finding.help(format!("add `{word} TYPE NAME;` to the pipe, or turn the edge round")),
        [first, ..] => finding.help(format!("write the port behind a dot: `{path}.{}`", first.name)),
    }
}

/// `xip-055`: an edge out of an inport, or into an outport.
pub(crate) fn wrong_way(path: &PortPath, port: &Port, expected: Direction) -> Diagnostic {
    let (begins, word) = if expected == Direction::Out { ("begins at", "out") } else { ("ends at", "in") };
    Diagnostic::error(
        "xip-055",
        format!("an edge {begins} an {word}port, and `{path}` is an {}port", port.direction.word()),
    )
    .at(path.span(), format!("expected an {word}port"))
    .also(port.name.span, "the port")
    .help("turn the edge round, or name another port")
}

/// `xip-056`: inside a composed pipe, an edge that leaves its inside by an inport or enters it by an outport.
pub(crate) fn wrong_way_inside(path: &PortPath, port: &Port) -> Diagnostic {
    let (is, does) = if port.direction == Direction::In { ("in", "begins there") } else { ("out", "ends there") };
    Diagnostic::error("xip-056", format!("`{path}` is an {is}port of this pipe, so inside an edge {does}"))
        .at(path.span(), "the wrong side of the edge")
        .also(port.name.span, "the port")
        .help("turn the edge round")
}

// Composition.

/// `xip-057`: an edge from a composed pipe's inport straight to its outport.
pub(crate) fn nothing_between(edge: &Edge) -> Diagnostic {
    Diagnostic::error("xip-057", "expected a stage between a pipe's inport and its outport")
        .at(edge.from.span().to(edge.to.span()), "nothing is between them")
        .help("join each to a pipe inside; without a stage, leave the composed pipe out of the flow")
}

/// `xip-058`: a contract on an edge that only says which inner port an outer one is.
pub(crate) fn contract_inside(edge: &Edge) -> Diagnostic {
    Diagnostic::error("xip-058", "no contract can hold between a composed pipe's port and what is inside")
        .at(edge.from.span().to(edge.to.span()), "this edge is only a name for the inner port")
        .help("put the contract on the edge that joins the pipe in a flow")
}

/// `xip-059`: a pipe that is made of itself.
pub(crate) fn contains_itself(pipe: &Name, at: Span) -> Diagnostic {
    Diagnostic::error("xip-059", format!("pipe `{pipe}` contains itself"))
        .at(at, "this instance would never end")
        .also(pipe.span, "the pipe")
        .help("use another pipe inside")
}

/// `xip-060`: a port of a composed pipe that nothing inside is joined to.
pub(crate) fn unbound_port(pipe: &Pipe, port: &Port) -> Diagnostic {
    let example = match port.direction {
        Direction::In => format!("{} -> INSTANCE.PORT;", port.name),
        Direction::Out => format!("INSTANCE.PORT -> {};", port.name),
    };
    Diagnostic::error("xip-060", format!("port `{}` of `{}` leads nowhere inside the pipe", port.name, pipe.name))
        .at(port.name.span, "joined to nothing")
        .help(format!("add `{example}` to the pipe"))
}

// Types.

/// `xip-061`: a name that is no type.
pub(crate) fn unknown_type<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-061", format!("expected a type, found `{name}`"))
        .at(name.span, "no packet and no imported type has this name")
        .help(choice(&name.text, known, "types"))
}

/// `xip-062`: a packet whose name an imported file has already given to a type.
pub(crate) fn packet_is_imported(name: &Name, file: &str) -> Diagnostic {
    Diagnostic::error("xip-062", format!("packet `{name}` has the name of a type in \"{file}\""))
        .at(name.span, "two types would have this name")
        .help("give the packet another name, or leave it out and use the imported type")
}

/// `xip-063`: a packet inside itself.
pub(crate) fn packet_in_itself(packet: &Packet, through: &Field) -> Diagnostic {
    Diagnostic::error("xip-063", format!("packet `{}` contains itself", packet.name))
        .at(through.name.span, "through this field")
        .also(packet.name.span, "the packet")
        .help("packets are laid out in place; types that refer to themselves belong in an interface file")
}

/// `xip-064`: two ports of different types on one edge.
pub(crate) fn types_differ(from: &Port, to: &Port, edge: Span, why: &str) -> Diagnostic {
    let (one, other) = (&from.ty, &to.ty);
    Diagnostic::error("xip-064", format!("the edge joins `{one} {}` to `{other} {}`: {why}", from.name, to.name))
        .at(edge, "not the same type at both ends")
        .also(from.name.span, format!("`{one}`"))
        .also(to.name.span, format!("`{other}`"))
        .help("give both ports one type, or put a pipe between them that converts")
}

// Ends.

/// `xip-065`: an inport to which nothing is sent.
pub(crate) fn never_fed(stage: &Stage, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-065", format!("nothing is sent to `{}.{}`", stage.name, port.name))
        .at(stage.span, "this stage would wait for ever")
        .also(port.name.span, "the port")
        .help(format!("add an edge: `PIPE.PORT -> {}.{};`", stage.name, port.name))
}

/// `xip-066`: an outport whose packets would go nowhere.
pub(crate) fn leads_nowhere(stage: &Stage, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-066", format!("what leaves `{}.{}` goes nowhere", stage.name, port.name))
        .at(stage.span, "packets of this stage would be lost")
        .also(port.name.span, "the port")
        .help(format!("add an edge: `{}.{} -> PIPE.PORT;`", stage.name, port.name))
}

// Contracts.

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
    Diagnostic::error(
        "xip-079",
        format!("`direct` joins one who acts to one who is called; `{one}` pushes and `{other}` pulls"),
    )
    .at(link.contract.transport_span(link.span), "nothing waits between them")
    .also(from.name.span, "pushes when it likes")
    .also(to.name.span, "pulls when it likes")
    .help(format!("write `via shm`, which has a queue, or `push {other};` in its pipe"))
}

/// `xip-080`: a `direct` edge at neither end of which a stage acts.
pub(crate) fn nobody_acts(link: &Link, from: &Port, to: &Port) -> Diagnostic {
    let (one, other) = (&from.name, &to.name);
    Diagnostic::error(
        "xip-080",
        format!("nobody moves packets from `{one}`, which is pulled, to `{other}`, which is pushed"),
    )
    .at(link.contract.transport_span(link.span), "no thread acts on a `direct` edge")
    .also(from.name.span, "waits to be pulled")
    .also(to.name.span, "waits to be pushed")
    .help(format!("write `push {one};` or `pull {other};` in its pipe, or `via shm`, which has a thread"))
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

/// `xip-097`: a polled inport at the end of a call.
pub(crate) fn nothing_to_poll(link: &Link, to: &Port) -> Diagnostic {
    Diagnostic::error("xip-097", format!("`{}` is polled, and a `direct` edge holds no packet to look for", to.name))
        .at(link.contract.transport_span(link.span), "the sender calls the receiver")
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

// Along the way.

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
pub(crate) fn nothing_begins(network: &Network, end: End, is_pulled: bool, link: &Link, way: &str) -> Diagnostic {
    let (name, port) = (network.end_name(end), network.port(end));
    let waits = if is_pulled {
        "the middle may ask here before it has sent anything, and wait for ever"
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

// Aspects.

/// `xip-088`: an aspect that is not there.
pub(crate) fn unknown_aspect<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-088", format!("expected an aspect, found `{name}`"))
        .at(name.span, "no aspect has this name")
        .help(choice(&name.text, known, "aspects"))
}

/// `xip-089`: an aspect applied to what is not part of the flow, or a restart of it.
pub(crate) fn applied_to_nothing<'a>(to: &PortPath, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    Diagnostic::error("xip-089", format!("expected an instance that is joined here, found `{}`", to.instance))
        .at(to.span(), "no stage has this name")
        .help(choice(&to.instance.text, known.into_iter(), "instances"))
}

/// `xip-090`: an aspect applied to a port that the pipe does not have.
pub(crate) fn applied_to_no_port(name: &Name, pipe: &Pipe) -> Diagnostic {
    Diagnostic::error("xip-090", format!("expected a port of `{}`, found `{name}`", pipe.name))
        .at(name.span, "no port has this name")
        .also(pipe.name.span, "the pipe")
        .help(choice(&name.text, pipe.ports.iter().map(|port| port.name.text.as_str()), "ports"))
}

/// `xip-093`: a deadline at an outport. How old a packet is is looked at where it arrives.
pub(crate) fn deadline_at_outport(at: Span, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-093", format!("`{}` is an outport, where no packet is late yet", port.name))
        .at(at, "a deadline of an outport")
        .help("say it at the inport that wants packets in time, or on the edge")
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

/// `xip-095`: two imported files with a type of the same name, and how many such names they have.
pub(crate) fn two_imports_define(
    name: &str,
    names: usize,
    (earlier, first): (&str, Span),
    (later, second): (&str, Span),
) -> Diagnostic {
    let more = if names > 1 { format!(", and {} more of the same names", names - 1) } else { String::new() };
    Diagnostic::error("xip-095", format!("\"{earlier}\" and \"{later}\" both define `{name}`{more}"))
        .at(second, "defines it again")
        .also(first, "defines it")
        .help("import one of them, or rename the type in the other: a flow's C has one type of each name")
}

/// `xip-110`: two restarts of one stage, or of all.
pub(crate) fn restarted_twice(second: &Restart, first: &Restart) -> Diagnostic {
    let what = second.to.as_ref().map_or("the flow".to_owned(), |to| format!("`{to}`"));
    Diagnostic::error("xip-110", format!("the restart of {what} is said twice"))
        .at(second.policy.span, "said again")
        .also(first.policy.span, "first here")
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

/// `xip-124`: a filter of an edge that always has its receiver.
pub(crate) fn filters_no_channel(at: Span) -> Diagnostic {
    Diagnostic::error("xip-124", "only a subscription to a channel says which packets it wants")
        .at(at, "on an edge from pipe to pipe")
        .help("send through a channel: `channel C of PACKET; PIPE.PORT -> C; C -> PIPE.PORT where …;`, or let the sender choose what it sends")
}
