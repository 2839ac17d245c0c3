//! Which stages make a process, and which of them act by themselves. In: a network. Out: processes, each with its
//! stages as they run. Why: a process is what `direct` edges hold together; a thread is needed where something acts by
//! itself (a source, an edge that arrives, a port that pulls), and nowhere else. Source: Koster and others, "Thread
//! Transparency in Information Flow Middleware" (polarity decides threads).

use xip::{Direction, End, Link, Network, Polarity, StageId};

use crate::naming;

/// One program.
#[derive(Clone, Debug)]
pub(crate) struct Process {
    /// Its name on disk: `demo_camera`.
    pub(crate) program: String,
    /// Where it runs; `None`: where the flow is started.
    pub(crate) node: Option<String>,
    pub(crate) stages: Vec<Running>,
}

/// A stage as it runs.
#[derive(Clone, Debug)]
pub(crate) struct Running {
    pub(crate) id: StageId,
    pub(crate) drive: Drive,
    /// Links that bring packets from other processes, each of which calls the middle or is pulled.
    pub(crate) arriving: Vec<usize>,
    /// Links whose packets the middle looks for by the way.
    pub(crate) polled: Vec<usize>,
    /// Links from stages of this process.
    pub(crate) called: Vec<usize>,
    /// Timers of its pipe call functions of the user's.
    pub(crate) is_timed: bool,
    /// More than one thread may call the middle.
    pub(crate) is_shared: bool,
}

/// What calls a middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drive {
    /// Its own thread, again and again: it waits at no inport.
    Source,
    /// Its own thread, again and again: it pulls what it takes.
    Puller,
    /// Its own thread, for each packet that arrives.
    Arrivals,
    /// The stages that push to it.
    Pushed,
    /// The stage that pulls from it.
    Pulled,
}

impl Drive {
    /// Whether the stage has a thread of its own.
    pub(crate) fn acts(self) -> bool {
        matches!(self, Drive::Source | Drive::Puller | Drive::Arrivals)
    }
}

/// Whether packets are fetched through the port.
pub(crate) fn is_pulled(network: &Network, end: End) -> bool {
    network.port(end).polarity.is_some_and(|polarity| polarity.value == Polarity::Pull)
}

/// Whether a link is a call by which the receiver fetches.
pub(crate) fn is_fetched(network: &Network, link: &Link) -> bool {
    link.is_call() && is_pulled(network, link.from)
}

/// The processes of a flow.
pub(crate) fn processes(network: &Network) -> Vec<Process> {
    let mut seen = vec![false; network.stages.len()];
    let mut groups: Vec<Vec<StageId>> = Vec::new();
    for first in 0..network.stages.len() {
        if !seen[first] {
            groups.push(held_together(network, StageId(first), &mut seen));
        }
    }
    let is_alone = groups.len() == 1;
    groups.into_iter().map(|stages| process(network, stages, is_alone)).collect()
}

/// The name of the program whose first stage is given; that of a flow's only one is the flow's.
fn program(network: &Network, first: StageId, is_alone: bool) -> String {
    let flow = &network.flow.name.text;
    if is_alone { flow.clone() } else { format!("{flow}_{}", naming::stage(network, first)) }
}

/// A stage and all that `direct` edges join to it, in the order of the flow.
fn held_together(network: &Network, first: StageId, seen: &mut [bool]) -> Vec<StageId> {
    let (mut members, mut at) = (vec![first], 0);
    seen[first.0] = true;
    while let Some(stage) = members.get(at).copied() {
        at += 1;
        for number in network.links_into(stage).chain(network.links_from(stage)) {
            let link = &network.links[number];
            for neighbour in [link.from.stage, link.to.stage] {
                if link.contract.transport().is_call() && !std::mem::replace(&mut seen[neighbour.0], true) {
                    members.push(neighbour);
                }
            }
        }
    }
    members.sort_unstable();
    members
}

fn process(network: &Network, stages: Vec<StageId>, is_alone: bool) -> Process {
    let first = stages[0];
    let program = program(network, first, is_alone);
    let node = network.stage(first).node.map(str::to_owned);
    let mut running: Vec<Running> = stages.into_iter().map(|id| running(network, id)).collect();
    mark_shared(network, &mut running);
    Process { program, node, stages: running }
}

fn running(network: &Network, id: StageId) -> Running {
    let (called, others): (Vec<usize>, Vec<usize>) =
        network.links_into(id).partition(|number| network.links[*number].is_call());
    let (polled, arriving): (Vec<usize>, Vec<usize>) =
        others.into_iter().partition(|number| network.port(network.links[*number].to).is_polled());
    let drive = drive(network, id, &arriving);
    let is_timed = !network.stage(id).pipe.timers.is_empty();
    Running { id, drive, arriving, polled, called, is_timed, is_shared: false }
}

fn drive(network: &Network, id: StageId, arriving: &[usize]) -> Drive {
    if network.links_from(id).any(|number| is_fetched(network, &network.links[number])) {
        return Drive::Pulled;
    }
    let inports = network.ends(id, Direction::In);
    if network.is_source(id) {
        Drive::Source
    } else if inports.iter().any(|end| is_pulled(network, *end)) {
        Drive::Puller
    } else if arriving.is_empty() {
        Drive::Pushed
    } else {
        Drive::Arrivals
    }
}

/// Marks the stages whose middles more than one thread may call. From each thread its calls are followed; where two have
/// been, there is nothing new to be found.
fn mark_shared(network: &Network, stages: &mut [Running]) {
    let place = |stages: &[Running], id: StageId| stages.binary_search_by_key(&id, |stage| stage.id).ok();
    let mut threads: Vec<(usize, Option<usize>)> = vec![(0, None); stages.len()];
    for first in 0..stages.len() {
        let mut open = if stages[first].has_thread() { vec![first] } else { Vec::new() };
        while let Some(at) = open.pop() {
            let (count, last) = threads[at];
            if count == 2 || last == Some(first) {
                continue;
            }
            threads[at] = (count + 1, Some(first));
            let id = stages[at].id;
            let pushed = network.links_from(id).filter(|link| network.links[*link].is_call());
            let pushed = pushed.filter(|link| !is_fetched(network, &network.links[*link]));
            let called = pushed.map(|link| network.links[link].to.stage);
            let fetched = stages[at].called.iter().filter(|link| is_fetched(network, &network.links[**link]));
            let called = called.chain(fetched.map(|link| network.links[*link].from.stage));
            open.extend(called.filter_map(|stage| place(stages, stage)));
        }
    }
    stages.iter_mut().zip(threads).for_each(|(stage, (count, _))| stage.is_shared = count > 1);
}

impl Running {
    /// Whether a thread is the stage's own: it acts by itself, or its timers do.
    pub(crate) fn has_thread(&self) -> bool {
        self.drive.acts() || self.is_timed
    }

    /// What must end before the stage does: its own thread, and each stage that pushes to it.
    pub(crate) fn feeders(&self, network: &Network) -> usize {
        self.pushers(network) + usize::from(self.feeds_itself(network))
    }

    /// Whether the stage goes on as long as its own thread does: not where that takes only what leads back, and others push.
    pub(crate) fn feeds_itself(&self, network: &Network) -> bool {
        let only_back = self.arriving.iter().all(|number| network.links[*number].is_feedback);
        self.drive.acts() && !(self.drive == Drive::Arrivals && only_back && self.pushers(network) > 0)
    }

    fn pushers(&self, network: &Network) -> usize {
        self.called.iter().filter(|number| !is_fetched(network, &network.links[**number])).count()
    }
}
