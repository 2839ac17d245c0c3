//! Filters of subscribers, ahead of time: for each edge from a channel that has a condition, the C function that the sender asks of
//! each packet. In: a checked description, and its packets as C has them. Out: `static bool wants_…(const void *packet)` by link, and
//! findings for what a condition cannot mean. Why: who sends asks the same of every packet, so nothing is left to be interpreted, and
//! what nobody wants is neither encoded nor sent. Source: Eisenhauer, Bustamante and Schwan, "Event Services for High Performance
//! Computing" (filters of the sink that run at the source); `xip::filter` (the language).

mod condition;
mod field;

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{self, name, parameter, returns};
use cast::{Declaration, Linkage, Type};
use pres::PresC;
use source::Diagnostic;
use xip::checks::Checked;
use xip::{Network, Types, Xip};

use crate::naming;
use crate::stage::packet_type;
use crate::words::{boolean, function};

/// The packets of a description in C, where any edge has a filter or a projection.
pub(crate) struct Packets<'a> {
    pres: PresC,
    types: &'a Types<'a>,
}

impl<'a> Packets<'a> {
    /// `None` where nobody filters or selects, or where packets have no form in C.
    pub(crate) fn of(xip: &Xip, checked: &'a Checked) -> Option<Packets<'a>> {
        let mut links = checked.networks.iter().flat_map(|network| &network.links);
        if !links.any(|link| link.contract.filter.is_some() || link.contract.select.is_some()) {
            return None;
        }
        let (pres, findings) = present::flow::present(xip, &checked.types);
        let is_whole = !findings.iter().any(Diagnostic::is_error);
        is_whole.then_some(Packets { pres, types: &checked.types })
    }

    /// The projections of a flow by their links.
    pub(crate) fn projections(&self, network: &Network) -> BTreeMap<usize, Vec<Declaration>> {
        let of = |link| Some((link, crate::projections::declarations(&self.pres, network, link)?));
        (0..network.links.len()).filter_map(of).collect()
    }

    /// The functions of a flow's filters by their links; what a condition cannot mean is added to the findings, once for each.
    pub(crate) fn filters(&self, network: &Network, findings: &mut Vec<Diagnostic>) -> BTreeMap<usize, Declaration> {
        let (mut filters, mut seen) = (BTreeMap::new(), BTreeSet::new());
        for (number, link) in network.links.iter().enumerate() {
            let Some(filter) = &link.contract.filter else { continue };
            let ty = &network.port(link.from).ty.text;
            let Some(packet) = self.pres.packets.iter().find(|packet| packet.name == *ty) else { continue };
            let fields = field::Fields { pres: &self.pres, types: self.types, packet };
            match condition::holds(&fields, filter) {
                Ok(holds) => {
                    let c = packet_type(network, link.from).constant().pointer();
                    let seen_as = build::local("it", c.constant(), Some(name("packet", Type::Void.pointer())));
                    let parameters = vec![parameter("packet", Type::Void.constant().pointer())];
                    let wants = function(
                        Linkage::Static,
                        boolean(),
                        function_name(network, number),
                        parameters,
                        vec![seen_as, returns(holds)],
                    );
                    filters.insert(number, wants);
                }
                Err(finding) if seen.insert(finding.primary.as_ref().map(|label| label.span)) => {
                    findings.push(*finding)
                }
                Err(_) => {}
            }
        }
        filters
    }
}

/// `wants_hall_r`: what a link's sender asks.
pub(crate) fn function_name(network: &Network, link: usize) -> String {
    format!("wants_{}", naming::link(network, link))
}
