//! Which programs a flow becomes, which threads they have, and which of them takes the packets of an edge. In: a network.
//! Out: text for people.

use std::fmt::Write;

use xip::Network;
use xip::checks::Checked;

use crate::process::{self, Drive, Process, Running};

/// Who takes the packets of a link, and why.
pub fn taker(network: &Network, link: usize) -> String {
    let processes = process::processes(network);
    let to = network.links[link].to;
    let Some(running) = stage(&processes, to.stage) else { return String::new() };
    let name = &network.stage(to.stage).name;
    match running.drive {
        _ if running.polled.contains(&link) => format!("whichever calls the middle of `{name}`, which polls"),
        _ if process::is_fetched(network, &network.links[link]) => format!("`{name}` fetches them: both ports pull"),
        _ if network.links[link].is_call() => {
            let from = network.stage(network.links[link].from.stage).name.as_str();
            let others = if running.is_shared { "; one thread at a time, since several may come here" } else { "" };
            format!("that of `{from}`: the edge is a call{others}")
        }
        Drive::Puller => format!("that of `{name}`, which pulls and so acts by itself"),
        Drive::Arrivals if network.stage(running.id).pipe.gathers().is_some() => {
            let wait = network.stage(running.id).pipe.gathers().map_or("all", |wait| wait.policy.value.word());
            format!("that of `{name}`, which waits for packets that belong together: `wait {wait}`")
        }
        Drive::Arrivals if running.arriving.len() > 1 => {
            format!("that of `{name}`, which waits at {} edges", running.arriving.len())
        }
        Drive::Pulled => format!("whichever fetches from `{name}`"),
        _ => format!("that of `{name}`, which waits for what arrives"),
    }
}

fn stage(processes: &[Process], id: xip::StageId) -> Option<&Running> {
    processes.iter().flat_map(|process| &process.stages).find(|stage| stage.id == id)
}

/// The programs of each flow and their threads.
pub fn programs(checked: &Checked) -> String {
    let mut text = String::new();
    for network in &checked.networks {
        let _ = write!(text, "\nprograms of flow {}\n", network.flow.name);
        for process in process::processes(network) {
            let names: Vec<&str> = process.stages.iter().map(|stage| network.stage(stage.id).name.as_str()).collect();
            let place = process.node.as_ref().map_or(String::new(), |node| format!(" on {node}"));
            let acting: Vec<&str> = process
                .stages
                .iter()
                .filter(|stage| stage.has_thread())
                .map(|stage| network.stage(stage.id).name.as_str())
                .collect();
            let threads = if acting.len() == 1 { "one thread".to_owned() } else { format!("{} threads", acting.len()) };
            let _ = writeln!(text, "  {}{place}: {}", process.program, names.join(", "));
            let restart = crate::restarts::policy(network, &process);
            if restart != xip::RestartPolicy::NEVER {
                let _ = writeln!(text, "    `pipe run` starts it again: {restart}");
            }
            let _ = writeln!(text, "    {threads} for {}, and one that carries", acting.join(", "));
        }
    }
    text
}
