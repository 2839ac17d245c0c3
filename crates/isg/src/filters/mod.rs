//! Filters of subscribers, ahead of time: for each edge from a channel that has a condition, the C function that the sender asks of
//! each packet; and the same as data, for senders that were built with another condition. In: a checked description, and its packets as C
//! has them. Out: `static bool wants_…(const void *packet)` and a program by link, and findings for what a condition cannot mean. Why: who sends asks the same of every packet, so nothing is left to be interpreted, and
//! what nobody wants is neither encoded nor sent. Source: Eisenhauer, Bustamante and Schwan, "Event Services for High Performance
//! Computing" (filters of the sink that run at the source); `xip::filter` (the language).

mod condition;
mod data;
mod field;
mod leaves;
mod pairs;

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{self, name, parameter, returns};
use cast::{Declaration, Linkage, Type};
use pres::PresC;
use source::Diagnostic;
use xip::checks::Checked;
use xip::{End, Network, Types, Xip};

use crate::naming;
use crate::shorthand::{boolean, function};
use crate::stage::packet_type;

/// A condition in its two forms.
pub(crate) struct Filter {
    /// The function that asks it.
    pub(crate) wants: Declaration,
    /// `None`: it cannot be sent.
    pub(crate) program: Option<Vec<u8>>,
}

/// The packets of a description in C, where any edge is a subscription, or a stage waits for packets that belong together.
pub(crate) struct Packets<'a> {
    pres: PresC,
    types: &'a Types<'a>,
}

impl<'a> Packets<'a> {
    /// `None` where nobody subscribes and no stage keeps packets, or where packets have no form in C.
    pub(crate) fn of(xip: &Xip, checked: &'a Checked) -> Option<Packets<'a>> {
        let mut links = checked.networks.iter().flat_map(|network| &network.links);
        let copies = xip.pipes().any(|pipe| pipe.gathers().is_some_and(xip::Wait::copies));
        if !copies && !links.any(|link| link.channel.is_some()) {
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

    fn fields<'f>(&'f self, packet: &'f pres::Packet) -> field::Fields<'f> {
        self.fields_of(packet, "it")
    }

    /// The same, of a packet that the C calls so.
    fn fields_of<'f>(&'f self, packet: &'f pres::Packet, it: &'f str) -> field::Fields<'f> {
        field::Fields { pres: &self.pres, types: self.types, packet, it }
    }

    /// For each outport that sends to a channel, what conditions that come as data may look at: a list in C, and how long it is. Who sends
    /// holds them against it, who subscribes reads its own by it.
    pub(crate) fn tables(&self, network: &Network) -> BTreeMap<End, (Vec<Declaration>, usize)> {
        let mut tables = BTreeMap::new();
        for link in network.links.iter().filter(|link| link.channel.is_some()) {
            let ty = &network.port(link.from).ty.text;
            let Some(packet) = self.pres.packets.iter().find(|packet| packet.name == *ty) else { continue };
            let leaves = self.fields(packet).leaves();
            if !leaves.is_empty() {
                let table = leaves::table(&leaves, &table_name(network, link.from), ty);
                tables.entry(link.from).or_insert((table, leaves.len()));
            }
        }
        tables
    }

    /// The functions of a flow's filters by their links; what a condition cannot mean is added to the findings, once for each.
    pub(crate) fn filters(&self, network: &Network, findings: &mut Vec<Diagnostic>) -> BTreeMap<usize, Filter> {
        let (mut filters, mut seen) = (BTreeMap::new(), BTreeSet::new());
        for (number, link) in network.links.iter().enumerate() {
            let Some(filter) = &link.contract.filter else { continue };
            let ty = &network.port(link.from).ty.text;
            let Some(packet) = self.pres.packets.iter().find(|packet| packet.name == *ty) else { continue };
            let fields = self.fields(packet);
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
                    let program = data::program(&fields, &fields.leaves(), filter);
                    filters.insert(number, Filter { wants, program });
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

/// `fields_hall_r`.
pub(crate) fn table_name(network: &Network, outport: End) -> String {
    format!("fields_{}", naming::end(network, outport))
}

/// `wants_hall_r`: what a link's sender asks.
pub(crate) fn function_name(network: &Network, link: usize) -> String {
    format!("wants_{}", naming::link(network, link))
}
