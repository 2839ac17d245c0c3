//! What each edge of a flow is, why, and what the whole may cost. In: checked flows. Out: text for people. What the file
//! does not say has a default, and is marked as one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use crate::checks::{Checked, Unknown, latencies};
use crate::contract::{Contract, Delivery, Need, Otherwise, QueueUnit, WhenFaulty, WhenFull};
use crate::network::{Link, Network, StageId, Types};

/// Every edge, or those whose name has `only` in it, and the whole of each flow. `None` where no edge has such a name.
/// `taker` says which thread takes the packets of a link.
pub fn text(checked: &Checked, only: Option<&str>, taker: &dyn Fn(&Network, usize) -> String) -> Option<String> {
    let mut text = String::new();
    let mut is_found = false;
    for network in &checked.networks {
        let _ = writeln!(text, "flow {}", network.flow.name);
        for (number, link) in network.links.iter().enumerate() {
            let name = network.link_name(link);
            if only.is_none_or(|only| name.contains(only)) {
                is_found = true;
                edge(&mut text, network, link, &checked.types);
                let _ = writeln!(text, "    thread    {}", taker(network, number));
            }
        }
        if only.is_none() {
            memory(&mut text, network, &checked.types);
            kept(&mut text, network, &checked.types);
            latency(&mut text, network);
        }
    }
    (is_found || only.is_none()).then_some(text)
}

fn edge(text: &mut String, network: &Network, link: &Link, types: &Types) {
    let (contract, ty) = (link.contract, network.carried(link));
    let size =
        types.largest(&ty.text).map_or("of any size".to_owned(), |size| format!("at most {} bytes", grouped(size)));
    let _ = writeln!(text, "\n  {}", network.link_name(link));
    let _ = writeln!(text, "    carries   {ty}, {size}");
    let _ = writeln!(text, "    via       {}", carrier(network, link));
    if let Some(address) = &contract.address {
        let _ = writeln!(text, "    at        {}, as the file says: its receiver listens there", address.value);
    }
    let _ = writeln!(text, "    queue     {}", queue(contract, types.largest(&ty.text)));
    let _ = writeln!(text, "    when full {}", full(contract));
    let _ = writeln!(text, "    delivers  {}", delivery(contract));
    let _ = writeln!(text, "    batch     {}", batch(contract));
    if let Some(faulty) = contract.faulty {
        let then = match faulty.value {
            WhenFaulty::Skip => "a packet at fault is counted, and the flow goes on",
            WhenFaulty::Stop => "a packet at fault ends the process, with a status",
        };
        let _ = writeln!(text, "    faulty    {then}, as the file says");
    }
    if let Some(channel) = link.channel {
        let first = match &channel.history {
            Some(history) => format!("; who comes gets the newest {} packets first", history.value),
            None => String::new(),
        };
        let _ = writeln!(text, "    channel   {}: its receiver comes and goes{first}", channel.name);
    }
    if contract.select.is_some() {
        let whole = &network.port(link.from).ty;
        let _ = writeln!(
            text,
            "    selects   the fields of {ty}: the sender takes them from each {whole}, and sends no others"
        );
    }
    if let Some(filter) = &contract.filter {
        let _ = writeln!(text, "    wants     {}: what else is sent is counted as filtered", filter.value);
    }
    if let Some(encoding) = &contract.encoding {
        let _ = writeln!(text, "    encoded   {encoding}, as the file says");
    }
    if let Some(encoding) = contract.transport().traits().encodes {
        let _ = writeln!(text, "    encoded   {encoding}, as all via {}", contract.transport().word());
    }
    if contract.trusted.is_some() {
        let _ = writeln!(text, "    trusted   read in place: both ends are of one user and build");
    }
    let ends =
        network.needs(link.from).map(|need| ("sender", need)).chain(contract.needs.iter().map(|need| ("edge", need)));
    for (whose, need) in ends.chain(network.needs(link.to).map(|need| ("receiver", need))) {
        let _ = writeln!(text, "    {whose:<9} {}", asked(&need.value));
    }
}

/// A need as the file says it.
fn asked(need: &Need) -> String {
    match need {
        Need::Rate { relation, rate } => format!("rate {} {rate}", relation.word()),
        Need::Delivery(least) => format!("needs {}", least.word()),
        Need::Ordered => "needs ordered".to_owned(),
        Need::Deadline { within, otherwise: None } => format!("deadline {within}, guaranteed"),
        Need::Deadline { within, otherwise: Some(Otherwise::Drop) } => {
            format!("deadline {within}, else the packet goes, counted")
        }
        Need::Deadline { within, otherwise: Some(Otherwise::Call(function)) } => {
            format!("deadline {within}, else `{function}` is called")
        }
        Need::Priority(priority) => format!("priority {priority}"),
    }
}

/// What the file says, or the default.
fn said(is_said: bool) -> &'static str {
    if is_said { "as the file says" } else { "the default" }
}

fn carrier(network: &Network, link: &Link) -> String {
    let carrier = link.contract.transport();
    let (from, to) = (network.stage(link.from.stage).node, network.stage(link.to.stage).node);
    let near = from == to;
    let why = if carrier.is_call() && !link.is_call() {
        "the newest packet stands in the memory of their one process"
    } else {
        carrier.traits().why[usize::from(!near)]
    };
    format!("{}, {}: {why}", carrier.word(), said(link.contract.transport.is_some()))
}

fn queue(contract: &Contract, largest: Option<u64>) -> String {
    if contract.keeps_latest() {
        return "the newest packet, as the file says".to_owned();
    }
    if contract.transport().is_call() {
        return "none: a packet is a call".to_owned();
    }
    let room = contract.room();
    let bytes = waiting(contract, largest)
        .map_or("of any size".to_owned(), |bytes| format!("{} bytes at most", grouped(bytes)));
    if contract.queue.is_none() {
        return format!("{bytes}, the default: 1 MB, or four packets if they are more");
    }
    format!("{} {}, {bytes}, {}", room.count, room.unit.word(), said(contract.queue.is_some()))
}

/// The most bytes that wait in a queue.
fn waiting(contract: &Contract, largest: Option<u64>) -> Option<u64> {
    let room = contract.room();
    match room.unit {
        QueueUnit::Bytes if contract.queue.is_none() => Some(room.count.max(largest?.saturating_mul(4))),
        QueueUnit::Bytes => Some(room.count),
        QueueUnit::Items => Some(largest?.saturating_mul(room.count)),
    }
}

fn full(contract: &Contract) -> String {
    if contract.transport().is_call() && !contract.keeps_latest() {
        return "never: nothing waits".to_owned();
    }
    let what = match contract.when_full() {
        WhenFull::Block => "the sender waits",
        WhenFull::DropOldest => "the oldest packet goes, counted",
        WhenFull::DropNewest => "the newest packet goes, counted",
        WhenFull::Latest => "a newer packet replaces what was not taken, counted",
    };
    format!("{what}, {}", said(contract.full.is_some()))
}

fn delivery(contract: &Contract) -> String {
    if contract.keeps_latest() && contract.delivery.is_none() {
        return "the newest packet, what is replaced is counted: as the file says".to_owned();
    }
    let what = match contract.delivers() {
        Delivery::BestEffort => "best_effort, what is dropped is counted",
        Delivery::Reliable => "reliable, nothing is lost while both ends live",
        Delivery::Durable => "durable, it survives the death of either end, at least once",
    };
    let why = match (contract.delivery.is_some(), contract.when_full()) {
        (true, _) => "as the file says",
        (false, WhenFull::Block) => "the default",
        (false, _) => "since the edge drops",
    };
    format!("{what}: {why}")
}

fn batch(contract: &Contract) -> String {
    if contract.keeps_latest() {
        return "none: each packet goes at once".to_owned();
    }
    if let Some(why) = contract.transport().traits().alone {
        return format!("none: {why}");
    }
    match contract.batch {
        Some(batch) => match batch.value.within {
            Some(within) => format!("{} together, the first waits {within} at most", batch.value.items),
            None => format!("{} together at most", batch.value.items),
        },
        None => "what waits goes together: at once when idle, many at a time when busy".to_owned(),
    }
}

/// Bytes, where there is a bound.
type Bytes = Option<u64>;

/// What queues may hold in the worst case, by machine; a queue counts where its sender is. Beside them, what the runtime
/// sets aside for what is under way.
fn memory(text: &mut String, network: &Network, types: &Types) {
    let mut machines: BTreeMap<Option<&str>, (Bytes, Bytes)> = BTreeMap::new();
    // The senders' sides of channels whose history has been counted.
    let mut remembered = BTreeSet::new();
    let add = |sum: &mut Bytes, bytes: Bytes| *sum = sum.zip(bytes).map(|(sum, bytes)| sum.saturating_add(bytes));
    for link in network.links.iter().filter(|link| !link.is_call()) {
        let (from, to) = (network.stage(link.from.stage).node, network.stage(link.to.stage).node);
        let largest = types.largest(&network.carried(link).text);
        let queue = waiting(link.contract, largest);
        let sender = machines.entry(from).or_insert((Some(0), Some(0)));
        add(&mut sender.0, queue);
        let history = link.channel.and_then(|channel| channel.history.as_ref()).map_or(0, |history| history.value);
        if link.channel.is_some_and(|channel| remembered.insert((link.from, channel.name.text.as_str()))) && history > 0
        {
            let whole = types.largest(&network.port(link.from).ty.text);
            add(&mut sender.0, whole.map(|whole| whole.saturating_mul(history)));
        }
        add(&mut sender.1, largest.zip(queue).map(|(largest, queue)| under_way(link, from == to, largest, queue)));
        let receiver = machines.entry(to).or_insert((Some(0), Some(0)));
        add(&mut receiver.1, largest.map(|largest| largest.saturating_mul(2).max(ARRIVED)));
    }
    if machines.is_empty() {
        text.push_str("\n  queues hold in the worst case\n    nothing: every packet is a call\n");
        return;
    }
    let bytes = |bytes: Bytes| match bytes {
        Some(bytes) => format!("{} bytes", grouped(bytes)),
        None => "no bound: bound the packets, or say `queue N bytes`".to_owned(),
    };
    let mut list = |head: &str, of: &dyn Fn(&(Bytes, Bytes)) -> Bytes| {
        let _ = writeln!(text, "\n  {head}");
        for (machine, held) in &machines {
            let place = machine.map_or("where the flow is started".to_owned(), |machine| format!("on {machine}"));
            let _ = writeln!(text, "    {place}: {}", bytes(of(held)));
        }
    };
    list("queues hold in the worst case", &|held| held.0);
    list("set aside for what is under way", &|held| held.1);
}

/// What stages keep that wait for packets which belong together.
fn kept(text: &mut String, network: &Network, types: &Types) {
    for stage in &network.stages {
        let Some(wait) = stage.pipe.gathers().filter(|wait| wait.copies()) else { continue };
        let ports = stage.pipe.ports.iter().filter(|port| wait.ports.iter().any(|waited| waited.port == port.name));
        let largest = ports.map(|port| types.largest(&port.ty.text).unwrap_or(0));
        let bytes = largest.fold(0, |sum: u64, largest| sum.saturating_add(largest.saturating_mul(wait.room())));
        let (name, most) = (&stage.name, wait.room());
        let _ = writeln!(
            text,
            "\n  packets that wait in {name}\n    {most} of each port at most: {} bytes",
            grouped(bytes)
        );
    }
}

/// What is gathered for one system call, what may be under way from machine to machine, and what is read at once:
/// as the runtime has them, in bytes.
const GATHERED: u64 = 260_608;
const FAR: u64 = 4_194_304;
const ARRIVED: u64 = 262_144;

/// The room of a sender beside its queue.
fn under_way(link: &Link, is_near: bool, largest: u64, queue: u64) -> u64 {
    let wanted = match link.contract.when_full() {
        WhenFull::Block if is_near => link.contract.transport().traits().near,
        WhenFull::Block => FAR,
        _ => queue.min(ARRIVED),
    };
    let window = wanted.max(largest.saturating_mul(2));
    window.saturating_add(largest.saturating_mul(4)).saturating_add(GATHERED)
}

/// The time from the sources to each sink, where it is known.
fn latency(text: &mut String, network: &Network) {
    text.push_str("\n  from the sources, in the worst case\n");
    for (stage, latency) in latencies(network).into_iter().enumerate().map(|(at, known)| (StageId(at), known)) {
        let mut leaves = network.links_from(stage).map(|link| &network.links[link]);
        if leaves.any(|link| !link.is_feedback) {
            continue;
        }
        let name = &network.stage(stage).name;
        let says = match latency {
            Ok(latency) => format!("{} us", grouped(latency)),
            Err(Unknown::Link(link)) => {
                let link = &network.links[link];
                format!("not known: `{}` is via {}", network.link_name(link), link.contract.transport().word())
            }
            Err(Unknown::Cost(of)) => format!("not known: `{}` does not say its cost", network.stage(of).name),
            Err(Unknown::Cycle) => "not known: packets go round".to_owned(),
        };
        let _ = writeln!(text, "    to {name}: {says}");
    }
}

/// `1,600,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::Transport;

    #[test]
    fn sizes_are_those_of_the_runtime() {
        let runtime =
            concat!(include_str!("../../../runtime/flow/finish.c"), include_str!("../../../runtime/flow/internal.h"));
        for (name, size) in
            [("GATHER", GATHERED), ("NEAR", Transport::Tcp.traits().near), ("FAR", FAR), ("READ", ARRIVED)]
        {
            assert!(runtime.contains(&format!("WHITTLE_FLOW_{name} = {size}")), "{name}");
        }
    }
}
