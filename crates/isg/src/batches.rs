//! Many packets at a time: `Source_room_data` and `Source_batch_data` of an outport, `Sink_fetch_data` of an inport that is
//! pulled. In: a pipe and its stages in one process. Out: these functions. Why: a middle that has thousands of small packets
//! at hand pays for a call, a count and a moved port once for all of them, as code written by hand would; the packets still
//! stand in the edge's ring at once.

use cast::build::{
    add, address, assign, call, cast, count_loop, less, local, name, not_equal, parameter, returns, sizeof_type, when,
};
use cast::{Declaration, Parameter, Statement, Type};
use xip::{Direction, End, Pipe, Port};

use crate::header;
use crate::ports::{born, constant, distinguished, inlined, port_of, sole_sender, this, unused};
use crate::shorthand::{boolean, number, prototype, result};
use crate::stage::{Stage, packet_type};

/// Whether a middle may send many packets at a time through a port: not where it is asked for one.
fn is_sent(port: &Port) -> bool {
    port.direction == Direction::Out && !header::is_pulled(port)
}

fn fetch_name(pipe: &Pipe, port: &Port) -> String {
    format!("{}_fetch_{}", pipe.name, port.name)
}

fn size_type() -> Type {
    Type::named("size_t")
}

fn room_name(pipe: &Pipe, port: &Port) -> String {
    format!("{}_room_{}", pipe.name, port.name)
}

fn batch_name(pipe: &Pipe, port: &Port) -> String {
    format!("{}_batch_{}", pipe.name, port.name)
}

fn constant_this(pipe: &Pipe) -> Parameter {
    parameter("self", Type::structure(pipe.name.text.as_str()).constant().pointer())
}

/// What the pipe's header says of them.
pub(crate) fn prototypes(pipe: &Pipe, port: &Port) -> Vec<Declaration> {
    match port.direction {
        Direction::In => prototype_in(pipe, port),
        Direction::Out if is_sent(port) => prototypes_out(pipe, port),
        Direction::Out => Vec::new(),
    }
}

fn prototype_in(pipe: &Pipe, port: &Port) -> Vec<Declaration> {
    let fetch = format!(
        "The same, and those that have come behind it: how many stand one after the other from self->{} on. 0: there is none any more.",
        port.name
    );
    vec![
        Declaration::Blank,
        Declaration::comment(fetch),
        prototype(size_type(), fetch_name(pipe, port), vec![header::this(pipe)], vec![]),
    ]
}

fn prototypes_out(pipe: &Pipe, port: &Port) -> Vec<Declaration> {
    let room =
        format!("For how many packets there is room, one after the other from self->{} on: one at least.", port.name);
    let batch = format!(
        "Sends so many packets that stand one after the other from self->{0} on: no more than there is room for, or in an array of yours. The worst result of them; zero: nobody takes packets any more, and those that are left are not sent.",
        port.name
    );
    let count = parameter("count", size_type());
    vec![
        Declaration::Blank,
        Declaration::comment(room),
        prototype(size_type(), room_name(pipe, port), vec![constant_this(pipe)], vec![]),
        Declaration::Blank,
        Declaration::comment(batch),
        prototype(result(), batch_name(pipe, port), vec![header::this(pipe), count], vec![]),
    ]
}

/// The functions, for the stages of the pipe in this process.
pub(crate) fn functions(pipe: &Pipe, stages: &[Stage], port: usize) -> Vec<Declaration> {
    let of = &pipe.ports[port];
    if of.direction == Direction::Out && !is_sent(of) {
        return Vec::new();
    }
    let ways = |body: fn(&Stage, End) -> Vec<Statement>| {
        let way = |stage: &Stage| (stage.value(), body(stage, End { stage: stage.running.id, port }));
        distinguished(pipe, stages.iter().map(way).collect())
    };
    if of.direction == Direction::In {
        return vec![
            Declaration::Blank,
            inlined(size_type(), fetch_name(pipe, of), vec![header::this(pipe)], ways(fetch)),
        ];
    }
    let count = parameter("count", size_type());
    vec![
        Declaration::Blank,
        inlined(size_type(), room_name(pipe, of), vec![constant_this(pipe)], ways(room)),
        Declaration::Blank,
        inlined(result(), batch_name(pipe, of), vec![header::this(pipe), count], ways(batch)),
    ]
}

fn room(stage: &Stage, end: End) -> Vec<Statement> {
    let size = sizeof_type(packet_type(stage.network, end));
    match sole_sender(stage, end) {
        Some(link) => {
            let fits = call("whittle_flow_room_for", vec![stage.sender(link), port_of(stage, end), size], size_type());
            vec![returns(fits)]
        }
        // Each packet is handed on by itself, from one place.
        None => vec![Statement::Expression(cast(Type::Void, this(stage.pipe()))), returns(number(1))],
    }
}

fn batch(stage: &Stage, end: End) -> Vec<Statement> {
    let port = || port_of(stage, end);
    let count = || name("count", size_type());
    let sent = || name("result", result());
    if !stage.network.is_joined(end) {
        let unused = [unused("self", this(stage.pipe()).ty), unused("count", size_type())];
        return unused.into_iter().chain([returns(constant("UNCONNECTED"))]).collect();
    }
    if let Some(link) = sole_sender(stage, end) {
        let room = || name("room", Type::Void.pointer());
        let size = sizeof_type(packet_type(stage.network, end));
        let arguments = vec![stage.sender(link), born(stage, link), address(room()), size, count()];
        return vec![
            local("room", Type::Void.pointer(), Some(port())),
            local("result", result(), Some(call("whittle_flow_send_batch", arguments, result()))),
            assign(port(), room()),
            returns(sent()),
        ];
    }
    let pointer = packet_type(stage.network, end).pointer();
    let first = || name("first", pointer.clone());
    let send = format!("{}_send_{}", stage.pipe().name, stage.network.port(end).name);
    let one = || name("one", result());
    let closed = || name("WHITTLE_FLOW_IS_CLOSED", result());
    let round = vec![
        assign(port(), add(first(), name("n", size_type()))),
        local("one", result(), Some(call(send, vec![this(stage.pipe())], result()))),
        when(less(one(), sent()), vec![assign(sent(), one())]),
    ];
    vec![
        local("first", pointer.clone(), Some(port())),
        local("result", result(), Some(name("WHITTLE_FLOW_IS_SENT", result()))),
        count_loop("n", size_type(), count(), vec![when(not_equal(sent(), closed()), round)]),
        assign(port(), first()),
        returns(sent()),
    ]
}

fn fetch(stage: &Stage, end: End) -> Vec<Statement> {
    if let Some(link) = sole_receiver(stage, end) {
        let first = || name("first", Type::Void.constant().pointer());
        let size = sizeof_type(packet_type(stage.network, end));
        let arguments = vec![stage.receiver(link), address(first()), size];
        return vec![
            local("first", Type::Void.constant().pointer(), None),
            local("count", size_type(), Some(call("whittle_flow_receive_batch", arguments, size_type()))),
            assign(port_of(stage, end), first()),
            returns(name("count", size_type())),
        ];
    }
    // From several edges, from a stage of this process, or with a time that goes with the packet: one by one.
    let receive = format!("{}_receive_{}", stage.pipe().name, stage.network.port(end).name);
    vec![returns(call(receive, vec![this(stage.pipe())], boolean()))]
}

/// The one edge that leads to an inport, where nothing is to be remembered of each packet.
fn sole_receiver(stage: &Stage, end: End) -> Option<usize> {
    let network = stage.network;
    let links: Vec<usize> = network.links_into(end.stage).filter(|number| network.links[*number].to == end).collect();
    match links.as_slice() {
        [only] if !network.links[*only].is_call() && !stage.stamped[*only] && !stage.carries_time() => Some(*only),
        _ => None,
    }
}
