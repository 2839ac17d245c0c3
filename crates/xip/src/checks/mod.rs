//! What must hold of a flow before anything is generated from it. In: a description and the types of its imports. Out:
//! its flows, elaborated, and findings; a flow without errors keeps what its contracts say. Why: no other tool refuses
//! a contract that cannot be kept, and what was promised by mistake is lost without a word. Each rule is a file here.
//! Source: the Infopipes paper, section 3 (typespecs); `docs/guides/describe-a-flow.md`.

mod aspects;
mod begins;
mod contracts;
mod cycles;
mod deadlines;
mod ends;
mod needs;
mod polarity;
mod rates;
mod restarts;
mod waits;

use std::collections::BTreeSet;

use source::{Diagnostic, Limits};

pub(crate) use deadlines::{Unknown, latencies};

use crate::ir::Xip;
use crate::names;
use crate::network::{Imported, Network, Types, elaborate};

/// What a description may use.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    /// Encodings that an edge may name.
    pub encodings: &'a [&'a str],
    /// How much it may ask for.
    pub limits: Limits,
}

/// A description whose names have been followed.
#[derive(Clone, Debug)]
pub struct Checked<'a> {
    pub types: Types<'a>,
    pub networks: Vec<Network<'a>>,
    /// In the order of their places.
    pub findings: Vec<Diagnostic>,
}

/// Checks everything.
pub fn check<'a>(xip: &'a Xip, imports: &[Imported<'a>], options: &Options) -> Checked<'a> {
    let (types, mut findings) = Types::new(xip, imports);
    let (networks, more) = elaborate(xip, &types, &options.limits);
    findings.extend(more);
    names::check(xip, &mut findings);
    aspects::check(xip, &mut findings);
    restarts::check(xip, &mut findings);
    waits::room(xip, &types, &mut findings);
    // Where a limit is exceeded the rest is left out, and what would be said of it says nothing.
    for network in networks.iter().filter(|network| !network.is_cut) {
        let mut found = Vec::new();
        contracts::check(network, &types, options, &mut found);
        ends::check(network, &mut found);
        polarity::check(network, &mut found);
        waits::check(network, &mut found);
        needs::check(network, &mut found);
        rates::check(network, &types, &mut found);
        deadlines::check(network, &mut found);
        cycles::check(network, &mut found);
        begins::check(network, &mut found);
        findings.extend(found);
    }
    findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
    // Two instances of one composed pipe say the same.
    let mut said = BTreeSet::new();
    findings.retain(|finding| {
        let place = finding.primary.as_ref().map(|label| label.span);
        said.insert((place, finding.code, finding.message.clone()))
    });
    Checked { types, networks, findings }
}
