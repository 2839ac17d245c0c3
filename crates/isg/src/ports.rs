//! What a middle calls: `Gray_send_b` and `Merge_receive_a`. In: a pipe and its stages in one process. Out: the function,
//! for that process: with one stage of the pipe, straight to its edges; with several, distinguished by their addresses.

use cast::build::{self, address, arrow, assign, call, equal, name, not_equal, null, parameter, returns, when};
use cast::{Declaration, Expression, Function, Statement, Type};
use xip::{Direction, End, Pipe};

use crate::batches;
use crate::naming;
use crate::process::{is_fetched, is_pulled};
use crate::shorthand::{boolean, number, perform, result, time, truth};
use crate::stage::{Stage, packet_type};

/// The functions of a pipe whose stages in this process are given.
pub(crate) fn functions(pipe: &Pipe, stages: &[Stage]) -> Vec<Declaration> {
    let Some(first) = stages.first() else { return Vec::new() };
    let mut functions = Vec::new();
    for (port, of) in pipe.ports.iter().enumerate() {
        let end = |stage: &Stage| End { stage: stage.running.id, port };
        if of.optional {
            functions.extend(has(pipe, stages, port));
        }
        let is_asked = of.is_polled() || is_pulled(first.network, end(first));
        if of.direction == Direction::In && is_asked {
            functions.extend(crate::polls::functions(pipe, stages, port));
        }
        let (verb, is_there, answer) = match of.direction {
            Direction::Out => ("send", true, result()),
            Direction::In => ("receive", is_asked && !of.is_polled(), boolean()),
        };
        if !is_there {
            continue;
        }
        let ways = stages.iter().map(|stage| {
            let body =
                if of.direction == Direction::Out { send(stage, end(stage)) } else { receive(stage, end(stage)) };
            (stage.value(), body)
        });
        let body = distinguished(pipe, ways.collect());
        let this = parameter("self", Type::structure(pipe.name.text.as_str()).pointer());
        functions.push(Declaration::Blank);
        functions.push(inlined(answer, format!("{}_{verb}_{}", pipe.name, of.name), vec![this], body));
        functions.extend(batches::functions(pipe, stages, port));
    }
    functions
}

/// Whether an edge joins an optional port.
fn has(pipe: &Pipe, stages: &[Stage], port: usize) -> [Declaration; 2] {
    let is_joined = |stage: &Stage| stage.network.is_joined(End { stage: stage.running.id, port });
    let ways = stages.iter().map(|stage| (stage.value(), vec![returns(truth(is_joined(stage)))]));
    let mut body = distinguished(pipe, ways.collect());
    if stages.len() == 1 {
        body.insert(0, unused("self", this(pipe).ty));
    }
    let this = parameter("self", Type::structure(pipe.name.text.as_str()).constant().pointer());
    [Declaration::Blank, inlined(boolean(), crate::header::has_name(pipe, &pipe.ports[port]), vec![this], body)]
}

/// `(void)self;`
pub(crate) fn unused(parameter: &str, ty: Type) -> Statement {
    Statement::Expression(build::cast(Type::Void, name(parameter, ty)))
}

/// A function that its header declares without the word `inline`: it is there for all, and goes into the loops that call it
/// where the linker can do that.
pub(crate) fn inlined(
    result: Type,
    name: String,
    parameters: Vec<cast::Parameter>,
    body: Vec<Statement>,
) -> Declaration {
    let attributes = vec!["inline".to_owned()];
    Declaration::Function(Function { result, name, parameters, attributes, body, ..Function::default() })
}

pub(crate) fn this(pipe: &Pipe) -> Expression {
    name("self", Type::structure(pipe.name.text.as_str()).pointer())
}

/// A port of the stage that asks.
pub(crate) fn port_of(stage: &Stage, end: End) -> Expression {
    let name = stage.network.port(end).name.text.as_str();
    arrow(this(stage.pipe()), name, packet_type(stage.network, end).pointer())
}

/// What each stage does, chosen by the stage that asks.
pub(crate) fn distinguished(pipe: &Pipe, mut ways: Vec<(Expression, Vec<Statement>)>) -> Vec<Statement> {
    let Some((_, last)) = ways.pop() else { return Vec::new() };
    let mut body: Vec<Statement> =
        ways.into_iter().map(|(stage, way)| when(equal(this(pipe), address(stage)), way)).collect();
    body.extend(last);
    body
}

fn send(stage: &Stage, end: End) -> Vec<Statement> {
    let network = stage.network;
    let links = network.links_at(end);
    let port = port_of(stage, end);
    if links.is_empty() {
        return vec![unused("self", this(stage.pipe()).ty), returns(constant("UNCONNECTED"))];
    }
    if let Some(only) = sole_sender(stage, end) {
        let room = || name("room", Type::Void.pointer());
        let sent =
            call("whittle_flow_send_next", vec![stage.sender(only), born(stage, only), address(room())], result());
        return vec![
            build::local("room", Type::Void.pointer(), Some(port.clone())),
            build::local("result", result(), Some(sent)),
            assign(port, room()),
            returns(name("result", result())),
        ];
    }
    let mut body = vec![build::local("result", result(), Some(constant("CLOSED")))];
    for &number in links {
        let link = &network.links[number];
        if link.channel.is_some() {
            continue;
        }
        if is_fetched(network, link) {
            body.extend(keep(stage, number, &port));
        } else if link.is_call() {
            body.extend(hand_on(stage, number, &port));
        } else {
            let sent =
                call("whittle_flow_send_copy", vec![stage.sender(number), port.clone(), born(stage, number)], result());
            body.push(at_least(sent));
        }
    }
    body.extend(crate::channels::publish(stage, end, &port).map(at_least));
    body.push(returns(name("result", result())));
    body
}

/// `WHITTLE_FLOW_IS_SENT` and its kin.
pub(crate) fn constant(what: &str) -> Expression {
    name(format!("WHITTLE_FLOW_IS_{what}"), result())
}

/// Of several edges of an outport the best result is returned.
fn at_least(value: Expression) -> Statement {
    let so_far = || name("result", result());
    assign(so_far(), call("whittle_flow_better", vec![so_far(), value], result()))
}

/// A packet that is fetched: kept until the middle returns; a second one in one call is not taken.
fn keep(stage: &Stage, number: usize, port: &Expression) -> Vec<Statement> {
    let end = stage.network.links[number].from;
    let pointer = packet_type(stage.network, end).constant().pointer();
    let ready = name(format!("ready_{}", naming::end(stage.network, end)), pointer);
    let offered =
        call("whittle_flow_offer", vec![call_of(stage, number), port.clone(), born(stage, number)], boolean());
    let kept = when(offered, vec![assign(ready.clone(), port.clone())]);
    vec![when(equal(ready, null()), vec![kept, assign(name("result", result()), constant("SENT"))])]
}

/// The address of what counts the calls over a link.
fn call_of(stage: &Stage, number: usize) -> Expression {
    address(name(format!("call_{}", naming::link(stage.network, number)), Type::structure("whittle_flow_call")))
}

/// What was fetched before is done with.
pub(crate) fn release(stage: &Stage, number: usize, port: Expression) -> Statement {
    let taken = perform("whittle_flow_taken", vec![call_of(stage, number)]);
    when(not_equal(port.clone(), null()), vec![taken, assign(port, null())])
}

/// A packet for a stage of this process.
fn hand_on(stage: &Stage, number: usize, port: &Expression) -> Vec<Statement> {
    let network = stage.network;
    let link = &network.links[number];
    let call_of = || call_of(stage, number);
    let mut born = born(stage, number);
    let mut statements = Vec::new();
    if stage.stamped[number] && stage.is_source() {
        statements.push(build::local("born", time(), Some(born)));
        born = name("born", time());
    }
    let offered = call("whittle_flow_offer", vec![call_of(), port.clone(), born.clone()], boolean());
    let packet = as_port(stage, port.clone(), (link.from, link.to));
    let given = call(format!("give_{}", naming::end(network, link.to)), vec![packet, born, call_of()], boolean());
    let give = vec![when(given, vec![assign(name("result", result()), constant("SENT"))])];
    statements.push(build::when_else(offered, give, vec![at_least(constant("DROPPED"))]));
    match statements.len() {
        1 => statements,
        _ => vec![Statement::Block(statements)],
    }
}

/// A packet of one port as the other names its type: the same fields.
fn as_port(stage: &Stage, packet: Expression, (from, to): (End, End)) -> Expression {
    let network = stage.network;
    if network.port(from).ty == network.port(to).ty {
        return packet;
    }
    build::cast(packet_type(network, to).constant().pointer(), packet)
}

/// The time of a packet's source; the runtime takes its own clock for 0.
pub(crate) fn born(stage: &Stage, link: usize) -> Expression {
    if !stage.stamped[link] {
        number(0)
    } else if !stage.is_source() {
        stage.born()
    } else if stage.network.links[link].is_call() {
        call("whittle_flow_now", vec![truth(stage.network.is_on_one_machine)], time())
    } else {
        number(0)
    }
}

/// The next packet of an inport, by the one edge that leads to it, or by any of several.
fn receive(stage: &Stage, end: End) -> Vec<Statement> {
    let network = stage.network;
    let port = || port_of(stage, end);
    let links: Vec<usize> = network.links_into(end.stage).filter(|number| network.links[*number].to == end).collect();
    if links.is_empty() {
        return vec![unused("self", this(stage.pipe()).ty), returns(truth(false))];
    }
    let mut body = Vec::new();
    let mut time_of = None;
    match links.as_slice() {
        [only] if network.links[*only].is_call() => {
            let from = network.links[*only].from;
            let fetched = call(format!("fetch_{}", naming::end(network, from)), vec![], Type::Void.pointer());
            if stage.running.is_timed {
                body.push(perform(&stage.own("tick"), vec![]));
            }
            body.push(release(stage, *only, port()));
            body.push(assign(port(), as_port(stage, fetched, (from, end))));
            let before = stage.other(from.stage);
            time_of = before.filter(Stage::carries_time).map(|before| before.born());
        }
        _ if stage.running.is_timed && !links.iter().any(|link| network.links[*link].is_call()) => {
            body.extend(crate::polls::wait(stage, &links, port(), None));
        }
        [only] => {
            body.push(assign(port(), call("whittle_flow_receive", vec![stage.receiver(*only)], Type::Void.pointer())));
            if stage.stamped[*only] {
                time_of = Some(call("whittle_flow_born", vec![stage.receiver(*only)], time()));
            }
        }
        several => body.extend(receive_any(stage, several, port())),
    }
    if stage.carries_time() {
        let now = || call("whittle_flow_now", vec![truth(network.is_on_one_machine)], time());
        body.push(assign(stage.born(), time_of.unwrap_or_else(now)));
    }
    body.push(returns(not_equal(port(), null())));
    body
}

fn receive_any(stage: &Stage, links: &[usize], port: Expression) -> Vec<Statement> {
    let pointer = Type::structure("whittle_flow_receiver").pointer();
    let arriving: Vec<Expression> = links
        .iter()
        .filter(|number| !stage.network.links[**number].is_call())
        .map(|number| stage.receiver(*number))
        .collect();
    let count = number(arriving.len() as u64);
    let receivers = name("receivers", pointer.clone());
    let which = name("which", Type::named("size_t"));
    let received =
        call("whittle_flow_receive_any", vec![receivers, count.clone(), address(which)], Type::Void.pointer());
    vec![
        build::local("receivers", pointer.constant().array(count), Some(build::braces(arriving))),
        build::local("which", Type::named("size_t"), Some(number(0))),
        assign(port, received),
    ]
}

/// `stage.f = …`: where the next packet of each outport is to be written, before the first.
pub(crate) fn first_rooms(stage: &Stage) -> Vec<Statement> {
    let network = stage.network;
    let ends = network.ends(stage.running.id, Direction::Out);
    ends.into_iter().map(|end| assign(stage.port(end), first_room(stage, end))).collect()
}

fn first_room(stage: &Stage, end: End) -> Expression {
    match sole_sender(stage, end) {
        Some(link) => call("whittle_flow_room", vec![stage.sender(link)], Type::Void.pointer()),
        None => address(name(format!("packet_{}", naming::end(stage.network, end)), packet_type(stage.network, end))),
    }
}

/// The one link that leaves an outport, where it leads to another process: packets are written into its ring.
pub(crate) fn sole_sender(stage: &Stage, end: End) -> Option<usize> {
    let network = stage.network;
    match network.links_at(end) {
        [only] if !network.links[*only].is_call() && network.links[*only].channel.is_none() => Some(*only),
        _ => None,
    }
}
