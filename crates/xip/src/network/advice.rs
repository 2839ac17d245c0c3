//! What applied aspects weave in. In: the applications of a body, once its stages and links are there. Out: the advice
//! at each stage and each link that they reach. An aspect without a place acts everywhere in its body, one applied to an
//! instance at its stages and at all links that touch them, one applied to a port at its links and at its stage.
//! Source: the Infopipes paper, section 1 (aspects); CONTRACTS section 7.

use super::build::{Builder, Scope};
use super::{End, Link};
use crate::flow::{Application, JoinPoint};

impl Builder<'_, '_> {
    /// Weaves the applications of a body, whose stages and links are those from `before` on.
    pub(super) fn weave(&mut self, scope: &Scope<'_>, before: (usize, usize)) {
        for application in &scope.body.applications {
            let Some(aspect) = self.names.aspects.get(application.aspect.text.as_str()).copied() else { continue };
            for stage in before.0..self.network.stages.len() {
                if reaches_stage(scope, application, stage) {
                    let at_middles = aspect.advice.iter().filter(|advice| is_at_middles(advice.at));
                    self.network.stages[stage].advice.extend(at_middles);
                }
            }
            for link in &mut self.network.links[before.1..] {
                if reaches_link(scope, application, link) {
                    link.advice.extend(aspect.advice.iter().filter(|advice| !is_at_middles(advice.at)));
                }
            }
        }
    }
}

fn is_at_middles(point: JoinPoint) -> bool {
    matches!(point, JoinPoint::BeforeMiddle | JoinPoint::AfterMiddle)
}

/// The ends that a place stands for; `None` where the application has no place, or names nothing.
fn ends<'s>(scope: &'s Scope<'_>, application: &Application) -> Option<Vec<&'s End>> {
    let to = application.to.as_ref()?;
    let unit = scope.units.get(to.instance.text.as_str())?;
    let ports = unit.ends.iter().filter(|(name, _)| to.port.as_ref().is_none_or(|port| port.text == **name));
    Some(ports.flat_map(|(_, ends)| ends).collect())
}

fn reaches_stage(scope: &Scope<'_>, application: &Application, stage: usize) -> bool {
    let Some(to) = &application.to else { return true };
    match &to.port {
        None => scope.units.get(to.instance.text.as_str()).is_some_and(|unit| unit.stages.contains(&stage)),
        Some(_) => ends(scope, application).is_some_and(|ends| ends.iter().any(|end| end.stage.0 == stage)),
    }
}

fn reaches_link(scope: &Scope<'_>, application: &Application, link: &Link<'_>) -> bool {
    let Some(to) = &application.to else { return true };
    match &to.port {
        None => scope
            .units
            .get(to.instance.text.as_str())
            .is_some_and(|unit| [link.from, link.to].iter().any(|end| unit.stages.contains(&end.stage.0))),
        Some(_) => ends(scope, application).is_some_and(|ends| ends.contains(&&link.from) || ends.contains(&&link.to)),
    }
}
