//! What applied aspects weave in. In: the applications of a body, once its stages and links are there. Out: the advice
//! at each stage and each link that they reach. An aspect without a place acts everywhere in its body, one applied to an
//! instance at its stages and at all links that touch them, one applied to a port at its links and at its stage.
//! Source: the Infopipes paper, section 1 (aspects); `docs/guides/describe-a-flow.md`.

use std::collections::BTreeSet;

use super::End;
use super::build::{Builder, Scope};
use crate::flow::{Application, JoinPoint};

/// What an application reaches, by numbers.
struct Reached {
    stages: Vec<usize>,
    links: BTreeSet<usize>,
}

impl Builder<'_, '_> {
    /// Weaves the applications of a body, whose stages and links are those from `before` on.
    pub(super) fn weave(&mut self, scope: &Scope<'_>, before: (usize, usize)) {
        for application in &scope.body.applications {
            let Some(aspect) = self.names.aspects.get(application.aspect.text.as_str()).copied() else { continue };
            let reached = self.reached(scope, application, before);
            for advice in &aspect.advice {
                let is_at_middle = matches!(advice.at, JoinPoint::BeforeMiddle | JoinPoint::AfterMiddle);
                let count = if is_at_middle { reached.stages.len() } else { reached.links.len() };
                if !self.have_room(count, application.aspect.span) {
                    return;
                }
                if is_at_middle {
                    reached.stages.iter().for_each(|stage| self.network.stages[*stage].advice.push(advice));
                } else {
                    reached.links.iter().for_each(|link| self.network.links[*link].advice.push(advice));
                }
            }
        }
    }

    fn reached(&self, scope: &Scope<'_>, application: &Application, before: (usize, usize)) -> Reached {
        let network = &self.network;
        let nothing = Reached { stages: Vec::new(), links: BTreeSet::new() };
        let Some(to) = &application.to else {
            let (stages, links) = (before.0..network.stages.len(), before.1..network.links.len());
            return Reached { stages: stages.collect(), links: links.collect() };
        };
        let Some(unit) = scope.units.get(to.instance.text.as_str()) else { return nothing };
        let touching = |stage: usize| network.incoming[stage].iter().chain(&network.outgoing[stage]).copied();
        let is_here = |link: &usize| *link >= before.1;
        match &to.port {
            None => {
                let links = unit.stages.clone().flat_map(touching).filter(is_here).collect();
                Reached { stages: unit.stages.clone().collect(), links }
            }
            Some(port) => {
                let Some(ends) = unit.ends.get(port.text.as_str()) else { return nothing };
                let at = |end: &End| {
                    let end = *end;
                    let is_at = move |link: &usize| network.links[*link].from == end || network.links[*link].to == end;
                    touching(end.stage.0).filter(is_here).filter(is_at)
                };
                let stages: BTreeSet<usize> = ends.iter().map(|end| end.stage.0).collect();
                Reached { stages: stages.into_iter().collect(), links: ends.iter().flat_map(at).collect() }
            }
        }
    }
}
