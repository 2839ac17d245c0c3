//! Stages that wait for packets of several inports: what brings them can hold them so long, and their copies fit into memory.

use source::Diagnostic;

use crate::contract::Delivery;
use crate::errors;
use crate::ir::Xip;
use crate::network::{Network, Types};

/// The most memory of the packets that wait at a port.
const BYTES_MOST: u64 = 1 << 30;

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    for link in &network.links {
        let port = network.port(link.to);
        let Some(wait) = network.stage(link.to.stage).pipe.gathers().filter(|_| !port.is_polled()) else { continue };
        if link.is_call() {
            findings.push(errors::call_that_waits(link, wait, port));
        } else if wait.copies() && link.contract.delivers() == Delivery::Durable {
            findings.push(errors::durable_copy(link, wait, port));
        }
    }
}

pub(super) fn room(xip: &Xip, types: &Types, findings: &mut Vec<Diagnostic>) {
    for pipe in xip.pipes() {
        let Some(wait) = pipe.gathers().filter(|wait| wait.copies()) else { continue };
        for waited in &wait.ports {
            let port = pipe.ports.iter().find(|port| port.name == waited.port);
            let bytes = port.and_then(|port| types.largest(&port.ty.text)).unwrap_or(0).saturating_mul(wait.room());
            if bytes > BYTES_MOST {
                let at = wait.most.map_or(waited.port.span, |most| most.span);
                findings.push(errors::waits_for_too_much(at, bytes, BYTES_MOST));
            }
        }
    }
}
