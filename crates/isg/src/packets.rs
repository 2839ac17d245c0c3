//! The packets of a description in C: `STEM_packets.h` with their structures, `STEM_packets.c` with what the runtime is to
//! know of them. In: a checked description. Out: CAST; or what `present` has to say. The stub compiler does the work.

use std::collections::BTreeSet;

use cast::{Condition, Conditional, Declaration, Definition, File};
use escape::c::Base;
use pres::PresC;
use source::{Diagnostic, Span};
use stubs::encodings;
use stubs::links::flow::{self, Use};
use xip::Xip;
use xip::checks::Checked;

use crate::files::Generated;

/// The encoding of edges that name none: the machine's own, between equal machines.
pub(crate) const USUAL: &str = "native";

/// What keeps packets from being C.
pub(crate) fn check(xip: &Xip, checked: &Checked) -> Vec<Diagnostic> {
    let (pres, mut findings) = present::flow::present(xip, &checked.types);
    if !findings.iter().any(Diagnostic::is_error) {
        findings.extend(refused(&pres, checked));
        findings.extend(crate::idl::check(&pres, checked));
    }
    findings
}

/// Packets that the encoding of their edge has no form for, each once.
fn refused(pres: &PresC, checked: &Checked) -> Vec<Diagnostic> {
    let mut seen = BTreeSet::new();
    let of = |(of, place): (Use, Option<Span>)| {
        let findings = if seen.insert((of.packet.name.clone(), of.encoding.name())) {
            flow::refused(pres, &of)
        } else {
            Vec::new()
        };
        let placed = |finding: Diagnostic| match place {
            Some(place) => finding.at(place, "the packets of this edge"),
            None => finding,
        };
        findings.into_iter().map(placed).collect::<Vec<_>>()
    };
    uses(pres, checked).flat_map(of).collect()
}

/// The header and the file.
pub(crate) fn files(xip: &Xip, checked: &Checked, stem: &Base) -> Vec<Generated> {
    let (mut pres, _) = present::flow::present(xip, &checked.types);
    let notice =
        Declaration::comment(format!("The packets of {}. whittle writes this file; changes are lost.", stem.as_str()));
    pres.prologue = vec![notice.clone(), Declaration::include(stem.header("_packets.h"))];
    let uses: Vec<Use> = uses(&pres, checked).map(|(of, _)| of).collect();
    let source = flow::packets(&pres, &uses, &flow::Options::default(), &mut |_, _, _| {});
    let guard = format!("{}_PACKETS_H", stem.word().to_uppercase());
    let mut inside = vec![
        Declaration::Define(Definition { name: guard.clone(), value: None }),
        Declaration::own_include("whittle_flow.h"),
        stubs::links::net::version_check(),
    ];
    inside.extend(pres.header.iter().cloned());
    inside.push(Declaration::Blank);
    inside.push(Declaration::ExternC(flow::declarations(&uses)));
    let condition = Condition::undefined(guard);
    let guarded = Declaration::Conditional(Conditional { condition, then: inside, otherwise: Vec::new() });
    let header = File { declarations: vec![notice, guarded] };
    let written = |ending, file| Generated::written(format!("{}_packets.{ending}", stem.as_str()), file);
    vec![written("h", header), written("c", source)]
}

/// Which packets travel in which encodings, and where an edge says so.
fn uses<'a>(pres: &'a PresC, checked: &'a Checked) -> impl Iterator<Item = (Use<'a>, Option<Span>)> {
    let links = checked.networks.iter().flat_map(|network| network.links.iter().map(move |link| (network, link)));
    let of = move |(network, link): (&'a xip::Network, &'a xip::Link)| {
        let encoding = encodings::named(link.contract.encodes().unwrap_or(USUAL));
        let place = link.contract.encoding.as_ref().map(|encoding| encoding.span);
        // Of a subscriber that selects fields the sender's own packet, and the one of these fields.
        [network.port(link.from), network.port(link.to)].map(|port| {
            let is_carried = port.ty == *network.carried(link) || link.contract.select.is_some();
            let packet = pres.packets.iter().find(|packet| is_carried && packet.name == port.ty.text)?;
            Some((Use { packet, encoding: encoding? }, place))
        })
    };
    links.flat_map(of).flatten()
}

/// The names of all encodings that edges may ask for.
pub fn encodings() -> Vec<&'static str> {
    let is_of_transport =
        |name: &str| xip::Transport::ALL.iter().any(|(transport, _)| transport.traits().encodes == Some(name));
    encodings::ALL.iter().map(|encoding| encoding.name()).filter(|name| !is_of_transport(name)).collect()
}
