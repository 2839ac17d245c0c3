//! Cycles in which everybody may wait for everybody: every edge of them blocks its sender when it is full.

use source::Diagnostic;

use crate::contract::WhenFull;
use crate::errors;
use crate::network::{Network, StageId};

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    let mut search = Search { network, state: vec![State::New; network.stages.len()], way: Vec::new(), found: None };
    for stage in (0..network.stages.len()).map(StageId) {
        search.from(stage);
        if let Some(cycle) = search.found.take() {
            let links: Vec<_> = cycle.iter().map(|link| &network.links[*link]).collect();
            let names: Vec<String> = links.iter().map(|link| network.link_name(link)).collect();
            findings.push(errors::blocks_for_ever(&links, &names.join(", ")));
        }
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

struct Search<'a, 'b> {
    network: &'b Network<'a>,
    state: Vec<State>,
    /// The links to the present stage.
    way: Vec<usize>,
    /// The first cycle.
    found: Option<Vec<usize>>,
}

impl Search<'_, '_> {
    /// Depth first. Flows are small: stages in a row are as deep as this goes.
    fn from(&mut self, stage: StageId) {
        if self.state[stage.0] != State::New {
            return;
        }
        self.state[stage.0] = State::Open;
        for number in self.network.links_from(stage).collect::<Vec<_>>() {
            let link = &self.network.links[number];
            if link.contract.when_full() != WhenFull::Block {
                continue;
            }
            self.way.push(number);
            let next = link.to.stage;
            if self.state[next.0] == State::Open && self.found.is_none() {
                let begins = self.way.iter().position(|link| self.network.links[*link].from.stage == next);
                self.found = begins.map(|begin| self.way[begin..].to_vec());
            }
            self.from(next);
            self.way.pop();
        }
        self.state[stage.0] = State::Done;
    }
}
