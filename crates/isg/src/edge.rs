//! An edge as the runtime knows it: a constant made from the contract and from what the ports at its ends need. In: a
//! link. Out: `static const struct whittle_flow_edge`. Source: `docs/guides/describe-a-flow.md` (defaults); `whittle_flow.h`.

use std::collections::BTreeMap;

use cast::build::{address, name, null, text};
use cast::{Declaration, Expression, Type};
use source::Diagnostic;
use xip::{Delivery, End, JoinPoint, Link, Need, Network, Otherwise, QueueUnit, Relation, WhenFaulty, WhenFull};

use crate::filters::{Filter, Packets};
use crate::naming;
use crate::process::Process;
use crate::shorthand::{members, number, object, truth};
use crate::transport;

/// What the whole of a flow says of its parts, found out once.
pub(crate) struct Facts {
    /// For each link, whether its packets carry the time of their source.
    pub(crate) stamped: Vec<bool>,
    /// For each stage, the program that it is in.
    programs: Vec<String>,
    /// For each link, how many numbers before it the link is whose socket its connections come to.
    shares: Vec<usize>,
    /// For each link whose subscriber wants some packets alone, the function that says which.
    pub(crate) filters: BTreeMap<usize, Filter>,
    /// For each outport that sends to a channel, what its packets hold: a list, and its length.
    pub(crate) tables: BTreeMap<End, (Vec<Declaration>, usize)>,
    /// For each link whose subscriber selects fields, what makes its packets.
    pub(crate) projections: BTreeMap<usize, Vec<Declaration>>,
    /// For each pipe that waits for pairs, what says whether two packets are one.
    pub(crate) pairs: BTreeMap<String, Declaration>,
}

impl Facts {
    /// Of a flow and all its processes; `packets` are there where anybody subscribes. What a filter cannot mean is found.
    pub(crate) fn of(
        network: &Network,
        processes: &[Process],
        packets: Option<&Packets>,
        findings: &mut Vec<Diagnostic>,
    ) -> Facts {
        let mut programs = vec![String::new(); network.stages.len()];
        for process in processes {
            process.stages.iter().for_each(|stage| programs[stage.id.0].clone_from(&process.program));
        }
        let filters = packets.map_or_else(BTreeMap::new, |packets| packets.filters(network, findings));
        let projections = packets.map_or_else(BTreeMap::new, |packets| packets.projections(network));
        let tables = packets.map_or_else(BTreeMap::new, |packets| packets.tables(network));
        // What a pair cannot be was found of the pipe.
        let pipes = || network.stages.iter().map(|stage| stage.pipe);
        let pairs = packets.map_or_else(BTreeMap::new, |packets| packets.pairs(pipes(), &mut Vec::new()));
        let shares = shares(network, &programs);
        Facts { stamped: stamped(network), programs, shares, filters, tables, projections, pairs }
    }
}

/// The descriptions of an edge and of the advice at it.
pub(crate) fn declarations(network: &Network, at: usize, facts: &Facts) -> Vec<Declaration> {
    let (link, word) = (&network.links[at], naming::link(network, at));
    let mut declarations = vec![Declaration::Blank, Declaration::comment(network.link_name(link))];
    for (point, list) in [(JoinPoint::OnSend, "send"), (JoinPoint::OnFull, "full"), (JoinPoint::OnMiss, "miss")] {
        let functions = advice(network, link, point);
        if !functions.is_empty() {
            declarations.push(advice_list(&format!("on_{list}_{word}"), functions));
        }
    }
    if let Some(program) = facts.filters.get(&at).and_then(|filter| filter.program.as_ref()) {
        let ty = Type::Array(Box::new(Type::named("uint8_t").constant()), None);
        let bytes = program.iter().map(|byte| number(u64::from(*byte))).collect();
        declarations.push(object(format!("filter_{word}"), ty, Some(cast::build::braces(bytes))));
    }
    let ty = Type::structure("whittle_flow_edge").constant();
    declarations.push(object(format!("edge_{word}"), ty, Some(members(description(network, at, facts)))));
    declarations
}

fn advice_list(list: &str, functions: Vec<String>) -> Declaration {
    let advice = |function: String| name(function, Type::Void);
    let values = functions.into_iter().map(advice).chain([null()]).collect();
    let element = Type::named("whittle_flow_advice").pointer().constant();
    object(list, Type::Array(Box::new(element), None), Some(cast::build::braces(values)))
}

/// The functions that are called at a moment on an edge: those of aspects, then the `else call` of its deadlines.
pub(crate) fn advice(network: &Network, link: &Link, point: JoinPoint) -> Vec<String> {
    let woven = link.advice.iter().filter(|advice| advice.at == point).map(|advice| advice.function.text.clone());
    let mut functions: Vec<String> = woven.collect();
    if point == JoinPoint::OnMiss {
        for need in needs(network, link) {
            if let Need::Deadline { otherwise: Some(Otherwise::Call(function)), .. } = need {
                functions.push(function.text.clone());
            }
        }
    }
    functions
}

/// All that is asked on a link: by the edge, and by the ports at its ends.
fn needs<'a>(network: &'a Network, link: &'a Link) -> impl Iterator<Item = &'a Need> {
    let of_ports = network.needs(link.from).chain(network.needs(link.to));
    link.contract.needs.iter().chain(of_ports).map(|need| &need.value)
}

/// Members that are not zero.
fn description<'n>(network: &Network, at: usize, facts: &Facts) -> Vec<(&'n str, Expression)> {
    let (link, word) = (&network.links[at], naming::link(network, at));
    let mut values = identity(network, at, facts);
    let contract = link.contract;
    values.push(("transport", constant(transport::of(link).constant)));
    values.push(("delivery", constant(delivery(contract.delivers()))));
    values.push(("full", constant(full(contract.when_full()))));
    let mut number_of = |member: &'n str, value: u64| {
        if value != 0 {
            values.push((member, number(value)));
        }
    };
    // Without a bound, the run time's own.
    match contract.queue.map(|queue| queue.value) {
        Some(xip::Queue { count, unit: QueueUnit::Items }) => number_of("queue_items", count),
        Some(xip::Queue { count, unit: QueueUnit::Bytes }) => number_of("queue_bytes", count),
        None if contract.keeps_latest() => number_of("queue_items", xip::LATEST_ROOM),
        None => {}
    }
    if let Some(batch) = contract.batch {
        number_of("batch_items", batch.value.items);
        number_of("batch_within", batch.value.within.map_or(0, |within| within.microseconds().saturating_mul(1000)));
    }
    limits(network, link, &mut number_of);
    let deadline = deadline(network, link);
    number_of("deadline", deadline.map_or(0, |deadline| deadline.nanoseconds));
    if let Some(filter) = &contract.filter {
        values.push(("filter", text(filter.value.to_string())));
        if let Some(program) = facts.filters.get(&at).and_then(|filter| filter.program.as_ref()) {
            values.push(("filter_code", name(format!("filter_{word}"), Type::Void)));
            values.push(("filter_bytes", number(program.len() as u64)));
        }
    }
    if let Some((_, length)) = link.channel.and_then(|_| facts.tables.get(&link.from)) {
        values.push(("filter_type", address(name(whole_type(network, link), Type::Void))));
        values.push(("fields", name(crate::filters::table_name(network, link.from), Type::Void)));
        values.push(("field_count", number(*length as u64)));
    }
    let flags = [
        ("trusted", contract.trusted.is_some()),
        ("stamped", facts.stamped[at]),
        ("one_clock", network.is_on_one_machine),
        ("latest", contract.keeps_latest()),
        ("feedback", link.is_feedback),
        ("subscription", link.channel.is_some()),
        ("faulty_stops", contract.faulty.is_some_and(|faulty| faulty.value == WhenFaulty::Stop)),
        ("deadline_drops", deadline.is_some_and(|deadline| deadline.drops)),
        ("replayed", crate::replay::is_replayed(network, at)),
    ];
    values.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| (flag, truth(true))));
    for (member, point) in
        [("on_send", JoinPoint::OnSend), ("on_full", JoinPoint::OnFull), ("on_miss", JoinPoint::OnMiss)]
    {
        if !advice(network, link, point).is_empty() {
            values.push((member, name(format!("{member}_{word}"), Type::Void)));
        }
    }
    values.push(("type", address(name(type_constant(network, link), Type::Void))));
    values
}

fn identity<'n>(network: &Network, at: usize, facts: &Facts) -> Vec<(&'n str, Expression)> {
    let link = &network.links[at];
    let (from, to) = (network.stage(link.from.stage), network.stage(link.to.stage));
    let mut values = vec![
        ("flow", text(network.flow.name.text.as_str())),
        ("name", text(network.link_name(link))),
        ("from", text(from.name.as_str())),
        ("to", text(to.name.as_str())),
    ];
    if let Some(host) = host(network, link) {
        values.push(("host", text(host)));
    }
    if let Some(address) = network.links[at].contract.at() {
        values.push(("port", number(u64::from(address.port))));
    }
    values.push(("program", text(facts.programs[link.to.stage.0].as_str())));
    values.push(("number", number(at as u64)));
    if facts.shares[at] != 0 {
        values.push(("shares", number(facts.shares[at] as u64)));
    }
    values
}

/// Where the receiver listens, as the edge says it; else its machine, where it is another than the sender's.
fn host<'a>(network: &Network<'a>, link: &Link<'a>) -> Option<&'a str> {
    if let Some(address) = link.contract.at() {
        return Some(address.host);
    }
    let (from, to) = (network.stage(link.from.stage), network.stage(link.to.stage));
    to.node.filter(|_| to.node != from.node)
}

/// For each link, the distance to the first that enters the same program at the same address by a socket of the same kind.
fn shares(network: &Network, programs: &[String]) -> Vec<usize> {
    let mut first = BTreeMap::new();
    let links = network.links.iter().enumerate();
    links
        .map(|(at, link)| {
            let Some(socket) = transport::of(link).socket else { return 0 };
            let place = (host(network, link), link.contract.at().map(|address| address.port));
            at - *first.entry((socket, programs[link.to.stage.0].as_str(), place)).or_insert(at)
        })
        .collect()
}

fn constant(word: &str) -> Expression {
    name(word, Type::INT)
}

fn delivery(delivery: Delivery) -> &'static str {
    match delivery {
        Delivery::BestEffort => "WHITTLE_FLOW_BEST_EFFORT",
        Delivery::Reliable => "WHITTLE_FLOW_RELIABLE",
        Delivery::Durable => "WHITTLE_FLOW_DURABLE",
    }
}

fn full(full: WhenFull) -> &'static str {
    match full {
        WhenFull::Block => "WHITTLE_FLOW_BLOCK",
        WhenFull::DropOldest | WhenFull::Latest => "WHITTLE_FLOW_DROP_OLDEST",
        WhenFull::DropNewest => "WHITTLE_FLOW_DROP_NEWEST",
    }
}

/// The least of the rates that are asked for, and the greatest priority.
fn limits<'n>(network: &Network, link: &Link, number_of: &mut impl FnMut(&'n str, u64)) {
    const SECOND: u64 = 1_000_000_000;
    let (mut items, mut bytes, mut priority) = (None, None, 0);
    for need in needs(network, link) {
        match need {
            Need::Rate { relation: Relation::AtMost, rate } => {
                items = least(items, rate.items());
                bytes = least(bytes, rate.bytes());
            }
            Need::Priority(level) => priority = priority.max(*level),
            _ => {}
        }
    }
    number_of("priority", priority.min(255));
    if let Some(items) = items {
        number_of("rate_units", items);
        number_of("rate_period", SECOND);
    }
    if let Some(bytes) = bytes {
        number_of("rate_bytes_units", bytes);
        number_of("rate_bytes_period", SECOND);
    }
}

fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).min()
}

/// How old a packet may be where a link ends.
#[derive(Clone, Copy)]
struct Deadline {
    nanoseconds: u64,
    drops: bool,
}

/// The shortest deadline that is measured; guarantees hold by themselves.
fn deadline(network: &Network, link: &Link) -> Option<Deadline> {
    let measured = needs(network, link).filter_map(|need| match need {
        Need::Deadline { within, otherwise: Some(otherwise) } => {
            let nanoseconds = within.microseconds().saturating_mul(1000);
            Some(Deadline { nanoseconds, drops: matches!(otherwise, Otherwise::Drop) })
        }
        _ => None,
    });
    measured.min_by_key(|deadline| (deadline.nanoseconds, !deadline.drops))
}

/// For each link, whether its packets carry the time of their source: somebody behind it looks at it.
fn stamped(network: &Network) -> Vec<bool> {
    let mut stamped = vec![false; network.links.len()];
    let mut open: Vec<usize> =
        (0..network.links.len()).filter(|link| deadline(network, &network.links[*link]).is_some()).collect();
    while let Some(link) = open.pop() {
        if !std::mem::replace(&mut stamped[link], true) {
            let before = network.links_into(network.links[link].from.stage);
            open.extend(before.filter(|before| !network.links[*before].is_control));
        }
    }
    stamped
}

/// The name of the description of the packets that a link's sender is given.
pub(crate) fn whole_type(network: &Network, link: &Link) -> String {
    let encoding = link.contract.encodes().unwrap_or(crate::packets::USUAL);
    stubs::links::flow::constant(&network.port(link.from).ty.text, encoding)
}

/// The name of the description of what a link carries.
pub(crate) fn type_constant(network: &Network, link: &Link) -> String {
    let encoding = link.contract.encodes().unwrap_or(crate::packets::USUAL);
    stubs::links::flow::constant(&network.carried(link).text, encoding)
}
