//! Pictures of flows: as SVG, and in the languages of Graphviz and Mermaid. In: checked flows. Out: text. On edges
//! stands what travels there and what holds.

mod layout;
mod svg;

use std::collections::BTreeMap;

use escape::Text;
use escape::dot::{self, Dot};
use escape::mermaid::{self, Mermaid};

use crate::checks::Checked;
use crate::contract::{Contract, WhenFull};
use crate::network::{Link, Network, Stage};

pub use svg::svg;

/// All flows as one graph of Graphviz.
pub fn dot(checked: &Checked) -> String {
    let mut text = Text::<Dot>::literal("digraph flows {\n  rankdir=LR;\n  node [shape=box, style=rounded];\n");
    for (at, network) in checked.networks.iter().enumerate() {
        let at = &Text::size(at);
        let flow = dot::quoted(&network.flow.name.text);
        text.add("  subgraph cluster_{at} {\n    label={flow};\n", &[("at", at), ("flow", &flow)]);
        for (machine, (node, stages)) in machines(network).into_iter().enumerate() {
            if let Some(node) = node {
                text.add(
                    "    subgraph cluster_{at}_{machine} {\n    label={label}; style=dashed;\n",
                    &[("at", at), ("machine", &Text::size(machine)), ("label", &dot::quoted(node))],
                );
            }
            for (number, stage) in stages {
                let label = dot::quoted(&titled(stage, "\n"));
                let parts = [("at", at), ("number", &Text::size(number)), ("label", &label)];
                text.add("    f{at}s{number} [label={label}];\n", &parts);
            }
            if node.is_some() {
                text.say("    }\n");
            }
        }
        for link in &network.links {
            let (from, to) = (Text::size(link.from.stage.0), Text::size(link.to.stage.0));
            let label = dot::quoted(&labelled(network, link, "\n"));
            let parts = [("at", at), ("from", &from), ("to", &to), ("label", &label)];
            text.add("    f{at}s{from} -> f{at}s{to} [label={label}];\n", &parts);
        }
        text.say("  }\n");
    }
    text.say("}\n");
    text.finish()
}

/// All flows as one flowchart of Mermaid.
pub fn mermaid(checked: &Checked) -> String {
    let mut text = Text::<Mermaid>::literal("flowchart LR\n");
    for (at, network) in checked.networks.iter().enumerate() {
        let at = &Text::size(at);
        text.add("  subgraph f{at} [{flow}]\n", &[("at", at), ("flow", &mermaid::quoted(&network.flow.name.text))]);
        for (machine, (node, stages)) in machines(network).into_iter().enumerate() {
            if let Some(node) = node {
                let parts = [("at", at), ("machine", &Text::size(machine)), ("node", &mermaid::quoted(node))];
                text.add("    subgraph f{at}m{machine} [{node}]\n", &parts);
            }
            for (number, stage) in stages {
                let label = mermaid::quoted(&titled(stage, "\n"));
                let parts = [("at", at), ("number", &Text::size(number)), ("label", &label)];
                text.add("    f{at}s{number}([{label}])\n", &parts);
            }
            if node.is_some() {
                text.say("    end\n");
            }
        }
        for link in &network.links {
            let (from, to) = (Text::size(link.from.stage.0), Text::size(link.to.stage.0));
            let label = mermaid::quoted(&labelled(network, link, "\n"));
            let parts = [("at", at), ("from", &from), ("to", &to), ("label", &label)];
            text.add("    f{at}s{from} -->|{label}| f{at}s{to}\n", &parts);
        }
        text.say("  end\n");
    }
    text.finish()
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
    format!("{}{line}{}", network.carried(link), terms(link.contract))
}

/// A contract as one line, its defaults said.
pub(crate) fn terms(contract: &Contract) -> String {
    let mut words = vec![contract.transport().word().to_owned()];
    words.extend(contract.address.as_ref().map(|address| address.value.clone()));
    if contract.trusted.is_some() {
        words.push("trusted".to_owned());
    }
    if contract.keeps_latest() {
        words.push(WhenFull::Latest.word().to_owned());
    } else if !contract.transport().is_call() {
        words.push(contract.queue.map_or("queue 1 MB".to_owned(), |queue| {
            format!("queue {} {}", queue.value.count, queue.value.unit.word())
        }));
        words.push(match contract.when_full() {
            WhenFull::Block => "block".to_owned(),
            policy => format!("drop {}", policy.word()),
        });
    }
    words.push(contract.delivers().word().to_owned());
    words.join(", ")
}
