//! A process as one C file: its edges, its stages, what their middles call, and `main`. In: a process. Out: CAST.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{self, address, call, name, not, not_equal, null, parameter, returns, text, when};
use cast::{Declaration, Expression, File, IncludePath, Linkage, Type};
use xip::{Direction, Link, Network, Pipe};

use crate::edge::{self, Facts};
use crate::naming;
use crate::ports;
use crate::process::Process;
use crate::shorthand::{function, members, number, object, perform};
use crate::stage::{Stage, packet_type};
use crate::transport;

/// What a link is in one process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Sender,
    Receiver,
    Call,
}

impl End {
    /// The structure, the list of the process, and how its members begin.
    fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            End::Sender => ("whittle_flow_sender", "senders", "out"),
            End::Receiver => ("whittle_flow_receiver", "receivers", "in"),
            End::Call => ("whittle_flow_call", "calls", "call"),
        }
    }
}

/// The file of a process. `packets` is the name of the header with the packets.
pub(crate) fn file(network: &Network, process: &Process, facts: &Facts, packets: &IncludePath) -> File {
    let stages: Vec<Stage> =
        process.stages.iter().map(|running| Stage::new(network, (&process.stages, &facts.stamped), running)).collect();
    let ends = ends(network, process);
    let pipes = pipes(&stages);
    let looks = |link: &usize| facts.filters.contains_key(link) || facts.projections.contains_key(link);
    let compares = pipes.iter().any(|pipe| facts.pairs.contains_key(pipe.name.text.as_str()));
    let looks = compares || ends.iter().any(|(link, end)| *end == End::Sender && looks(link));
    let mut declarations = opening(network, process, &stages, (&pipes, looks), packets);
    let outports: BTreeSet<xip::End> = ends.iter().map(|(link, _)| network.links[*link].from).collect();
    let tables = outports.iter().filter_map(|end| facts.tables.get(end));
    declarations.extend(tables.flat_map(|(table, _)| table.iter().cloned()));
    let mut described = BTreeSet::new();
    for (link, end) in &ends {
        if described.insert(*link) {
            declarations.extend(edge::declarations(network, *link, facts));
        }
        let (structure, _, word) = end.words();
        let edge = address(name(format!("edge_{}", naming::link(network, *link)), Type::Void));
        let mut parts = vec![("edge", edge)];
        if let (End::Sender, Some(filter)) = (end, facts.filters.get(link)) {
            declarations.push(filter.wants.clone());
            parts.push(("wants", name(crate::filters::function_name(network, *link), Type::Void)));
        }
        if let (End::Sender, Some(projection)) = (end, facts.projections.get(link)) {
            declarations.extend(projection.iter().cloned());
            let object = name(crate::projections::object_name(network, *link), Type::Void);
            parts.push(("projection", address(object)));
        }
        let initial = members(parts);
        let object_name = format!("{word}_{}", naming::link(network, *link));
        declarations.push(object(object_name, Type::structure(structure), Some(initial)));
    }
    let pairs = pipes.iter().filter_map(|pipe| facts.pairs.get(pipe.name.text.as_str()));
    declarations.extend(pairs.flat_map(|pair| [Declaration::Blank, pair.clone()]));
    stages.iter().for_each(|stage| declarations.extend(stage.variables()));
    stages.iter().for_each(|stage| declarations.extend(packets_of(stage)));
    let fans: Vec<_> = stages.iter().flat_map(|stage| crate::channels::declarations(stage)).collect();
    declarations.extend(fans.iter().flat_map(|(_, declared)| declared.clone()));
    let fans: Vec<_> = fans.into_iter().map(|(fan, _)| fan).collect();
    stages.iter().for_each(|stage| declarations.extend(stage.routines()));
    let main = main(&stages);
    declarations.extend(functions(&pipes, stages));
    declarations.extend(process_of(network, process, &ends, &fans));
    declarations.extend(pipes.iter().flat_map(|pipe| fails(pipe)));
    declarations.extend(pipes.iter().flat_map(|pipe| narrows(pipe)));
    declarations.push(main);
    File { declarations }
}

/// Each link of the process, and what it is there.
fn ends(network: &Network, process: &Process) -> Vec<(usize, End)> {
    let mut ends = Vec::new();
    for stage in &process.stages {
        ends.extend(stage.arriving.iter().chain(&stage.polled).map(|link| (*link, End::Receiver)));
        for link in network.links_from(stage.id) {
            ends.push((link, if network.links[link].is_call() { End::Call } else { End::Sender }));
        }
    }
    ends
}

fn pipes<'a>(stages: &[Stage<'a>]) -> Vec<&'a Pipe> {
    let mut known = BTreeSet::new();
    let pipes = stages.iter().map(Stage::pipe);
    pipes.filter(|pipe| known.insert(pipe.name.text.as_str())).collect()
}

/// What the middles of each pipe call.
fn functions(pipes: &[&Pipe], stages: Vec<Stage>) -> Vec<Declaration> {
    let mut of_pipes: BTreeMap<&str, Vec<Stage>> = BTreeMap::new();
    for stage in stages {
        of_pipes.entry(stage.pipe().name.text.as_str()).or_default().push(stage);
    }
    let of_pipe =
        |pipe: &&Pipe| of_pipes.get(pipe.name.text.as_str()).map_or(Vec::new(), |of| ports::functions(pipe, of));
    pipes.iter().flat_map(of_pipe).collect()
}

fn opening(
    network: &Network,
    process: &Process,
    stages: &[Stage],
    (pipes, looks): (&[&Pipe], bool),
    packets: &IncludePath,
) -> Vec<Declaration> {
    let names: Vec<&str> = stages.iter().map(|stage| network.stage(stage.running.id).name.as_str()).collect();
    let place = process.node.as_ref().map_or(String::new(), |node| format!(", on {node}"));
    let comment =
        format!("Flow {}{place}: {}. whittle writes this file; changes are lost.", network.flow.name, names.join(", "));
    let mut opening = vec![Declaration::comment(comment)];
    if process.stages.iter().any(|stage| stage.is_shared) {
        opening.push(Declaration::system_include("pthread.h"));
    }
    // What is replayed is copied; filters and pairs compare texts, projections copy.
    if looks || stages.iter().any(Stage::is_source) {
        opening.push(Declaration::system_include("string.h"));
    }
    opening.push(Declaration::own_include("whittle_flow.h"));
    opening.push(Declaration::include(packets.clone()));
    opening.extend(pipes.iter().map(|pipe| Declaration::include(IncludePath::of_word(&pipe.name.text))));
    opening.push(stubs::links::net::version_check());
    opening.extend(advice_prototypes(network, process));
    opening
}

/// The user's functions that aspects and deadlines name.
pub(crate) fn advice(network: &Network, process: &Process) -> BTreeSet<String> {
    let mut functions = BTreeSet::new();
    for stage in &process.stages {
        let of_stage = network.stage(stage.id).advice.iter().map(|advice| advice.function.text.clone());
        functions.extend(of_stage);
        for link in network.links_from(stage.id).chain(network.links_into(stage.id)) {
            for (point, _) in xip::JoinPoint::ALL {
                functions.extend(edge::advice(network, &network.links[link], point));
            }
        }
    }
    functions
}

fn advice_prototypes(network: &Network, process: &Process) -> Vec<Declaration> {
    let functions = advice(network, process);
    let moment = Type::structure("whittle_flow_moment").constant().pointer();
    let prototype = |function: String| {
        crate::shorthand::prototype(Type::Void, function, vec![parameter("moment", moment.clone())], vec![])
    };
    let blank = (!functions.is_empty()).then_some(Declaration::Blank);
    blank.into_iter().chain(functions.into_iter().map(prototype)).collect()
}

/// Where packets are written that no ring holds, and those that are fetched.
fn packets_of(stage: &Stage) -> Vec<Declaration> {
    let network = stage.network;
    let mut objects = Vec::new();
    for end in network.ends(stage.running.id, Direction::Out) {
        if ports::sole_sender(stage, end).is_none() {
            objects.push(object(format!("packet_{}", naming::end(network, end)), packet_type(network, end), None));
        }
    }
    for end in stage.fetched_ports() {
        let pointer = packet_type(network, end).constant().pointer();
        objects.push(object(format!("ready_{}", naming::end(network, end)), pointer.clone(), None));
        objects.push(crate::shorthand::forward(pointer, format!("fetch_{}", naming::end(network, end)), vec![]));
    }
    let blank = (!objects.is_empty()).then_some(Declaration::Blank);
    blank.into_iter().chain(objects).collect()
}

/// The description of the process: lists of its ends.
fn process_of(network: &Network, process: &Process, ends: &[(usize, End)], fans: &[Expression]) -> Vec<Declaration> {
    let mut declarations = vec![Declaration::Blank];
    let mut parts = vec![("flow", text(network.flow.name.text.as_str())), ("name", text(process.program.as_str()))];
    let of = |kind: End| {
        let (structure, _, word) = kind.words();
        let here = ends.iter().filter(move |(_, end)| *end == kind);
        let object = |link: usize| address(name(format!("{word}_{}", naming::link(network, link)), Type::Void));
        (structure, here.map(|(link, _)| object(*link)).collect::<Vec<Expression>>())
    };
    let lists = [
        (of(End::Sender), "senders", "all_senders", "sender_count"),
        (of(End::Receiver), "receivers", "all_receivers", "receiver_count"),
        (of(End::Call), "calls", "all_calls", "call_count"),
        ((crate::channels::FAN, fans.to_vec()), "fans", "all_fans", "fan_count"),
    ];
    for ((structure, objects), list, all, count) in lists.into_iter().filter(|((_, objects), ..)| !objects.is_empty()) {
        parts.push((list, name(all, Type::Void)));
        parts.push((count, number(objects.len() as u64)));
        let element = Type::structure(structure).pointer().constant();
        let ty = Type::Array(Box::new(element), None);
        declarations.push(object(all, ty, Some(build::braces(objects))));
    }
    let channels: BTreeSet<_> =
        ends.iter().filter_map(|(link, _)| transport::of(&network.links[*link]).channel).collect();
    parts.extend(channels.into_iter().map(|(member, channel)| (member, address(name(channel, Type::Void)))));
    if ends.iter().any(|(link, _)| is_over_network(&network.links[*link])) {
        parts.push(("security", address(name("whittle_flow_keyed", Type::Void))));
    }
    declarations.push(object("this_process", Type::structure("whittle_flow_process"), Some(members(parts))));
    declarations
}

/// Whether others than the processes of this machine's user can reach what a link carries: it is authenticated.
fn is_over_network(link: &Link) -> bool {
    link.contract.transport().traits().is_authenticated
}

/// `Camera_fail`: a stage cannot go on.
fn fails(pipe: &Pipe) -> [Declaration; 2] {
    let process = address(name("this_process", Type::structure("whittle_flow_process")));
    let this = name("self", Type::structure(pipe.name.text.as_str()).pointer());
    let instance = build::arrow(this, "instance", Type::CHAR.constant().pointer());
    let reason = name("reason", Type::CHAR.constant().pointer());
    let body = vec![perform("whittle_flow_fail", vec![process, instance, reason])];
    let parameters = crate::header::failing(pipe);
    [Declaration::Blank, function(Linkage::Plain, Type::Void, format!("{}_fail", pipe.name), parameters, body)]
}

/// `Screen_where_r`: which packets the program wants, beside what the flow says.
fn narrows(pipe: &Pipe) -> Vec<Declaration> {
    let of = |port: &xip::Port| {
        let process = address(name("this_process", Type::structure("whittle_flow_process")));
        let this = name("self", Type::structure(pipe.name.text.as_str()).pointer());
        let words = || Type::CHAR.constant().pointer();
        let stage = build::arrow(this, "instance", words());
        let arguments = vec![process, stage, text(port.name.text.as_str()), name("condition", words())];
        let (function_name, parameters) = crate::header::narrowing(pipe, port);
        let body = vec![returns(call("whittle_flow_where", arguments, crate::shorthand::boolean()))];
        [Declaration::Blank, function(Linkage::Plain, crate::shorthand::boolean(), function_name, parameters, body)]
    };
    pipe.ports.iter().filter(|port| port.direction == Direction::In).flat_map(of).collect()
}

/// Opens the edges, prepares the stages, runs those that act, and waits for what was sent.
fn main(stages: &[Stage]) -> Declaration {
    let process = || address(name("this_process", Type::structure("whittle_flow_process")));
    let (count, words) = (name("argc", Type::INT), name("argv", Type::CHAR.pointer().pointer()));
    let begun = call("whittle_flow_begin", vec![process(), count, words], crate::shorthand::boolean());
    let mut body = vec![when(not(begun), vec![returns(build::integer(1))])];
    stages.iter().for_each(|stage| body.extend(ports::first_rooms(stage)));
    for stage in stages {
        let hook = format!("{}_begin", stage.pipe().name);
        let called = perform(&hook, vec![address(stage.value())]);
        body.push(when(not_equal(name(hook, Type::Void.pointer()), null()), vec![called]));
    }
    let may_run = call("whittle_flow_may_run", vec![process()], crate::shorthand::boolean());
    let end = || returns(call("whittle_flow_end", vec![process()], Type::INT));
    body.push(when(not(may_run), vec![end()]));
    let runs: Vec<Expression> = stages
        .iter()
        .filter(|stage| stage.running.has_thread())
        .map(|stage| name(stage.own("run"), Type::Void))
        .collect();
    let count = number(runs.len() as u64);
    let element = Type::named("whittle_flow_run_stage").pointer().constant();
    let list = Type::Array(Box::new(element), None);
    body.push(build::local("stages", list, Some(build::braces(runs))));
    let run = call("whittle_flow_run", vec![process(), name("stages", Type::Void), count], crate::shorthand::boolean());
    body.push(when(not(run), vec![returns(build::integer(1))]));
    body.push(end());
    let parameters = vec![parameter("argc", Type::INT), parameter("argv", Type::CHAR.pointer().pointer())];
    function(Linkage::Plain, Type::INT, "main", parameters, body)
}
