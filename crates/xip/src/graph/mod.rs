//! Pictures of flows: as SVG, and in the languages of Graphviz and Mermaid. In: checked flows. Out: text. On edges
//! stands what travels there and what holds.

mod layout;
mod svg;

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::checks::Checked;
use crate::contract::{Contract, Transport, WhenFull};
use crate::network::{Link, Network, Stage};

pub use svg::svg;

/// All flows as one graph of Graphviz.
pub fn dot(checked: &Checked) -> String {
    let mut text = String::from("digraph flows {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
    for (at, network) in checked.networks.iter().enumerate() {
        let flow = quoted(&network.flow.name.text);
        let _ = writeln!(text, "  subgraph cluster_{at} {{\n    label={flow};");
        for (machine, (node, stages)) in machines(network).into_iter().enumerate() {
            if let Some(node) = node {
                let label = quoted(node);
                let _ = writeln!(text, "    subgraph cluster_{at}_{machine} {{\n    label={label}; style=dashed;");
            }
            for (number, stage) in stages {
                let label = quoted(&titled(stage, "\n"));
                let _ = writeln!(text, "    f{at}s{number} [label={label}];");
            }
            if node.is_some() {
                text.push_str("    }\n");
            }
        }
        for link in &network.links {
            let (from, to) = (link.from.stage.0, link.to.stage.0);
            let label = quoted(&labelled(network, link, "\n"));
            let _ = writeln!(text, "    f{at}s{from} -> f{at}s{to} [label={label}];");
        }
        text.push_str("  }\n");
    }
    text.push_str("}\n");
    text
}

/// All flows as one flowchart of Mermaid.
pub fn mermaid(checked: &Checked) -> String {
    let mut text = String::from("flowchart LR\n");
    for (at, network) in checked.networks.iter().enumerate() {
        let _ = writeln!(text, "  subgraph f{at} [\"{}\"]", escaped(&network.flow.name.text));
        for (machine, (node, stages)) in machines(network).into_iter().enumerate() {
            if let Some(node) = node {
                let _ = writeln!(text, "    subgraph f{at}m{machine} [\"{}\"]", escaped(node));
            }
            for (number, stage) in stages {
                let _ = writeln!(text, "    f{at}s{number}([\"{}\"])", escaped(&titled(stage, "\n")));
            }
            if node.is_some() {
                text.push_str("    end\n");
            }
        }
        for link in &network.links {
            let (from, to) = (link.from.stage.0, link.to.stage.0);
            let label = escaped(&labelled(network, link, "\n"));
            let _ = writeln!(text, "    f{at}s{from} -->|\"{label}\"| f{at}s{to}");
        }
        text.push_str("  end\n");
    }
    text
}

/// The stages of each machine, with their numbers; first those that run where the flow is started.
fn machines<'n, 'a>(network: &'n Network<'a>) -> BTreeMap<Option<&'a str>, Vec<(usize, &'n Stage<'a>)>> {
    let mut machines: BTreeMap<Option<&str>, Vec<(usize, &Stage)>> = BTreeMap::new();
    for (number, stage) in network.stages.iter().enumerate() {
        machines.entry(stage.node).or_default().push((number, stage));
    }
    machines
}

/// The instance, and the pipe where that has another name.
fn titled(stage: &Stage, line: &str) -> String {
    match stage.name == stage.pipe.name.text {
        true => stage.name.clone(),
        false => format!("{}{line}{}", stage.name, stage.pipe.name),
    }
}

/// The pipe where the instance has another name, and the machine.
fn machine(stage: &Stage) -> String {
    let pipe = (stage.name != stage.pipe.name.text).then_some(stage.pipe.name.text.as_str());
    let node = stage.node.map(|node| format!("on {node}"));
    [pipe.map(str::to_owned), node].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// The type, the transport, and what is queued and delivered.
fn labelled(network: &Network, link: &Link, line: &str) -> String {
    format!("{}{line}{}", network.port(link.from).ty, terms(link.contract))
}

/// A contract as one line, its defaults said.
pub(crate) fn terms(contract: &Contract) -> String {
    let mut words = vec![contract.carrier().word().to_owned()];
    if contract.trusted.is_some() {
        words.push("trusted".to_owned());
    }
    if contract.carrier() != Transport::Direct {
        let room = contract.room();
        words.push(format!("queue {} {}", room.count, room.unit.word()));
        words.push(match contract.when_full() {
            WhenFull::Block => "block".to_owned(),
            policy => format!("drop {}", policy.word()),
        });
    }
    words.push(contract.delivers().word().to_owned());
    words.join(", ")
}

/// Graphviz's quoted text.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

/// Mermaid's text in quotes: it knows HTML's entities, and breaks lines as HTML does.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('#', "&num;").replace('\n', "<br>")
}
