//! What stands for a source's middle where packets are replayed. In: a stage. Out: for each outport a function that sends
//! a recorded packet as the middle would have, so that what follows cannot know; and the list that the runtime asks for.
//! One edge of each outport speaks for all: they were offered the same packets.

use cast::build::{self, address, call, member, name, parameter, returns, sizeof_type};
use cast::{Declaration, Expression, Linkage, Statement, Type};
use xip::{Direction, End, Network};

use crate::naming;
use crate::shorthand::{boolean, function, members, number, object, perform};
use crate::stage::{Stage, packet_type};

/// Whether a link's recording stands for its outport.
pub(crate) fn is_replayed(network: &Network, at: usize) -> bool {
    let from = network.links[at].from;
    network.is_source(from.stage) && network.siblings_before(at) == 0
}

/// The first link that leaves an outport.
fn first_of(network: &Network, end: End) -> Option<usize> {
    network.links_at(end).first().copied()
}

/// The outports of a source that lead somewhere, each with its first link.
fn tracks(stage: &Stage) -> Vec<(End, usize)> {
    if !stage.is_source() {
        return Vec::new();
    }
    let ends = stage.network.ends(stage.running.id, Direction::Out);
    ends.into_iter().filter_map(|end| Some((end, first_of(stage.network, end)?))).collect()
}

/// `again_camera_f` for each outport, and `tracks_camera`.
pub(crate) fn declarations(stage: &Stage) -> Vec<Declaration> {
    let tracks = tracks(stage);
    if tracks.is_empty() {
        return Vec::new();
    }
    let mut declarations: Vec<Declaration> = tracks.iter().map(|(end, _)| again(stage, *end)).collect();
    let element = Type::structure("whittle_flow_track").constant();
    let list = build::braces(tracks.iter().map(|(end, link)| track(stage, *end, *link)).collect());
    declarations.push(object(stage.own("tracks"), Type::Array(Box::new(element), None), Some(list)));
    declarations
}

fn again(stage: &Stage, end: End) -> Declaration {
    let packet = parameter("packet", Type::Void.constant().pointer());
    let room = stage.port(end);
    let size = sizeof_type(packet_type(stage.network, end));
    let copied = perform("memcpy", vec![room, name("packet", packet.ty.clone()), size]);
    let send = format!("{}_send_{}", stage.pipe().name, stage.network.port(end).name);
    let sent = returns(call(send, vec![address(stage.value())], boolean()));
    function(Linkage::Static, boolean(), name_of_again(stage, end), vec![packet], vec![copied, sent])
}

fn name_of_again(stage: &Stage, end: End) -> String {
    format!("again_{}", naming::end(stage.network, end))
}

fn track(stage: &Stage, end: End, link: usize) -> Expression {
    let (word, structure) = if stage.network.links[link].is_call() {
        ("call", "whittle_flow_call")
    } else {
        ("out", "whittle_flow_sender")
    };
    let object = name(format!("{word}_{}", naming::link(stage.network, link)), Type::structure(structure));
    let link = address(member(object, "link", Type::structure("whittle_flow_link").pointer()));
    members(vec![("link", link), ("send", name(name_of_again(stage, end), Type::Void))])
}

/// A call of the runtime about what is replayed at a stage; `None` where nothing can be.
fn asked(stage: &Stage, what: &str) -> Option<Expression> {
    let count = tracks(stage).len();
    let list = name(stage.own("tracks"), Type::structure("whittle_flow_track").pointer());
    (count > 0).then(|| call(what, vec![list, number(count as u64)], boolean()))
}

/// What a source's thread does, unless packets are replayed.
pub(crate) fn or_replayed(stage: &Stage, rounds: Vec<Statement>) -> Vec<Statement> {
    match asked(stage, "whittle_flow_replay") {
        Some(replayed) => vec![build::when(build::not(replayed), rounds)],
        None => rounds,
    }
}

/// The answer of the middle of a source that is fetched from, or of a packet that is replayed in its place.
pub(crate) fn or_next(stage: &Stage, middle: Expression) -> Expression {
    match (asked(stage, "whittle_flow_replays"), asked(stage, "whittle_flow_replay_next")) {
        (Some(replays), Some(next)) if !stage.running.drive.acts() => build::conditional(replays, next, middle),
        _ => middle,
    }
}
