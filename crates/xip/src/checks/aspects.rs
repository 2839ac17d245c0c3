//! Aspects that are applied: they must be there, and so must what they are applied to.

use source::Diagnostic;

use crate::errors;
use crate::flow::{Application, Body};
use crate::ir::Xip;
use crate::name::Name;

pub(super) fn check(xip: &Xip, findings: &mut Vec<Diagnostic>) {
    let pipes = xip.pipes().map(|pipe| &pipe.body);
    for body in pipes.chain(xip.flows().map(|flow| &flow.body)) {
        body.applications.iter().for_each(|application| one(xip, body, application, findings));
    }
}

fn one(xip: &Xip, body: &Body, application: &Application, findings: &mut Vec<Diagnostic>) {
    let aspect = &application.aspect;
    if !xip.aspects().any(|known| known.name == *aspect) {
        findings.push(errors::unknown_aspect(aspect, xip.aspects().map(|known| known.name.text.as_str())));
    }
    let Some(to) = &application.to else { return };
    let instance = body.instances.iter().find(|instance| instance.name == to.instance);
    let of = instance.map_or(&to.instance, |instance| &instance.pipe);
    let used = is_joined(body, &to.instance);
    let Some(pipe) = xip.pipes().find(|pipe| pipe.name == *of).filter(|_| used) else {
        let known = body.edges.iter().flat_map(|edge| [&edge.from, &edge.to]);
        findings.push(errors::applied_to_nothing(to, known.map(|path| path.instance.text.as_str())));
        return;
    };
    let Some(port) = &to.port else { return };
    if !pipe.ports.iter().any(|known| known.name == *port) {
        findings.push(errors::applied_to_no_port(port, pipe));
    }
}

/// Whether a name is that of an instance, or of a pipe that is used without one.
pub(super) fn is_joined(body: &Body, name: &Name) -> bool {
    body.instances.iter().any(|instance| instance.name == *name)
        || body.edges.iter().any(|edge| edge.from.instance == *name || edge.to.instance == *name)
}
