//! Restarts: each is of an instance that is there, and of one that no other is of.

use source::Diagnostic;

use crate::errors;
use crate::flow::{Body, PortPath};
use crate::ir::Xip;

pub(super) fn check(xip: &Xip, findings: &mut Vec<Diagnostic>) {
    xip.flows().for_each(|flow| of_flow(&flow.body, findings));
}

fn of_flow(body: &Body, findings: &mut Vec<Diagnostic>) {
    for (number, restart) in body.restarts.iter().enumerate() {
        if let Some(first) = body.restarts[..number].iter().find(|first| first.to == restart.to) {
            findings.push(errors::restarted_twice(restart, first));
        }
        let Some(to) = &restart.to else { continue };
        if !super::aspects::is_joined(body, to) {
            let known = body.edges.iter().flat_map(|edge| [&edge.from, &edge.to]);
            let path = PortPath { instance: to.clone(), port: None };
            findings.push(errors::applied_to_nothing(&path, known.map(|path| path.instance.text.as_str())));
        }
    }
}
