//! Pairs of packets: for each pipe that waits for such, the C function that says whether two are one. In: pipes, and their packets as C
//! has them. Out: `static bool match_…(const void *one, const void *other)` by pipe, and findings for fields that cannot be compared, and
//! for packets that cannot be copied, to wait in their stage.

use std::collections::{BTreeMap, BTreeSet};

use cast::build::{self, name, parameter, returns};
use cast::{Declaration, Linkage, Type};
use pres::{NodeId, Packet, Pres, PresC};
use source::Diagnostic;
use xip::{Pipe, Port, WaitPolicy, Waited};

use super::{Packets, condition};
use crate::errors;
use crate::shorthand::{boolean, function};
use crate::waits::match_name;

/// What the packets of the first port and of the second are called in the function.
const SIDES: [(&str, &str); 2] = [("it", "one"), ("its", "other")];

impl Packets<'_> {
    /// The functions of pipes, by their names.
    pub(crate) fn pairs<'p>(
        &self,
        pipes: impl Iterator<Item = &'p Pipe>,
        findings: &mut Vec<Diagnostic>,
    ) -> BTreeMap<String, Declaration> {
        let mut pairs = BTreeMap::new();
        for pipe in pipes {
            let Some(wait) = pipe.gathers().filter(|wait| wait.copies()) else { continue };
            let port = |waited: &Waited| pipe.ports.iter().find(|port| port.name == waited.port);
            let sides: Vec<(&Waited, &Packet)> =
                wait.ports.iter().filter_map(|waited| Some((waited, self.packet(port(waited)?)?))).collect();
            for (waited, packet) in &sides {
                if has_pointers(&self.pres, self.pres.types[packet.stub].node) {
                    findings.push(errors::never_copied(&waited.port, wait.policy.value.word(), &packet.name));
                }
            }
            if wait.policy.value != WaitPolicy::Pair {
                continue;
            }
            let [one, other] = sides.as_slice() else { continue };
            match self.pair(pipe, [*one, *other]) {
                Some(Ok(declared)) => {
                    pairs.insert(pipe.name.text.clone(), declared);
                }
                Some(Err(finding)) => {
                    let place = finding.primary.as_ref().map(|label| label.span);
                    let finding = match finding.code {
                        "isg-031" => finding.help("name fields of one type, or make them so"),
                        _ => *finding,
                    };
                    findings.push(match place {
                        Some(place) => finding.at(place, "says which packets are a pair"),
                        None => finding,
                    });
                }
                None => {}
            }
        }
        pairs
    }

    fn packet(&self, port: &Port) -> Option<&Packet> {
        self.pres.packets.iter().find(|packet| packet.name == port.ty.text)
    }

    /// `None`: a field is missing, which was found earlier.
    fn pair(&self, pipe: &Pipe, sides: [(&Waited, &Packet); 2]) -> Option<Result<Declaration, Box<Diagnostic>>> {
        let mut fields = Vec::new();
        for ((waited, packet), (it, _)) in sides.into_iter().zip(SIDES) {
            fields.push((self.fields_of(packet, it), waited.field.as_ref()?));
        }
        let [(one, of_one), (other, of_other)] = fields.as_slice() else { return None };
        let same = match condition::same((one, of_one), (other, of_other)) {
            Ok(same) => same,
            Err(finding) => return Some(Err(finding)),
        };
        let void = || Type::Void.constant().pointer();
        let mut body = Vec::new();
        for ((_, packet), (it, side)) in sides.into_iter().zip(SIDES) {
            let view = Type::named(packet.name.as_str()).constant().pointer().constant();
            body.push(build::local(it, view, Some(name(side, void()))));
        }
        body.push(returns(same));
        let parameters = SIDES.map(|(_, side)| parameter(side, void())).to_vec();
        Some(Ok(function(Linkage::Static, boolean(), match_name(pipe), parameters, body)))
    }
}

/// Whether a packet leads to what is elsewhere: what is copied of it ends with the packet.
fn has_pointers(pres: &PresC, root: NodeId) -> bool {
    let (mut open, mut seen) = (vec![root], BTreeSet::new());
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        match &pres.nodes[node].pres {
            Pres::Void
            | Pres::Direct(_)
            | Pres::InlineText { .. }
            | Pres::InlineBytes { .. }
            | Pres::FixedBytes { .. } => {}
            Pres::Named(stub) => open.push(pres.types[*stub].node),
            Pres::Structure(members) => open.extend(members.iter().map(|member| member.node)),
            Pres::FixedArray { element, .. } | Pres::InlineArray { element, .. } => open.push(*element),
            _ => return true,
        }
    }
    false
}
