//! `STEM.idl`: the packets of edges over DDS, as any program in DDS reads and writes them. In: the presented packets, and the edges. Out:
//! OMG IDL; or what of a packet it cannot say. The types are those of the bytes that `cdr_native` makes. Source:
//! `runtime/flow/dds/transport.h`; OMG, "IDL", 4.2, section 7.4; "DDS Interoperability Wire Protocol", 2.5, section 10.2.

use std::collections::{BTreeMap, BTreeSet};

use escape::Text;
use escape::idl::{Idl, comment, name};
use pres::{Member, NodeId, Pres, PresC, ScalarKind, TypeStubId};
use source::Diagnostic;
use xip::checks::Checked;
use xip::{Link, Network, Xip};

use crate::errors;
use crate::files::{Generated, Text as FileText};

/// What all edges have. The sender's part is `struct whittle_flow_dds_head`, the receiver's `struct whittle_flow_dds_taken`.
const HEAD: &str = "module whittle_flow {
  // What stands before each packet.
  @final struct Head {
    unsigned long long run;      // a number of the sender's, not 0: the same for all that it sends
    unsigned long long began;    // when that run began, in nanoseconds since 1970; 0: not said
    unsigned long long number;   // of the packet: 0, 1, 2, ...
    unsigned long long skipped;  // packets before this one that the sender knows to be lost
    unsigned long long born;     // when it was offered, in nanoseconds; 0: not said
    unsigned long long type;     // a number of the packet's type, which another version of it does not have; 0: not said
    unsigned long process;       // of the run: greater where one takes the place of one that died
    unsigned long kind;          // 0: a packet. 1: asks which number comes next. 2: lower numbers will not come. 3: the end, no packet follows
  };
  // What the receiver reports: a sender whose edge blocks sends no packet before its question was answered, and lets no more than
  // the edge's queue be under way.
  @final struct Progress {
    unsigned long long run;      // as the head has it
    unsigned long long taken;    // packets below this number are done
    unsigned long long receiver; // a number of the receiver's own, the same after it comes again: a second one is not heard; 0: not said
    unsigned long process;       // as the head has it
    unsigned long flags;         // 1: it has heard the end. 2: it wants no more. 4: another sender has the edge. 8: it did not know the run
    string<63> holder;           // who has it
  };
};

";

/// The edges of all flows whose packets travel as samples.
fn edges<'a>(checked: &'a Checked<'a>) -> impl Iterator<Item = (&'a Network<'a>, usize, &'a Link<'a>)> {
    let of = |network: &'a Network<'a>| network.links.iter().enumerate().map(move |(at, link)| (network, at, link));
    checked.networks.iter().flat_map(of).filter(|(_, _, link)| link.contract.transport().traits().encodes.is_some())
}

/// The type of what an edge carries.
fn packet<'a>(pres: &'a PresC, network: &Network, link: &Link) -> Option<&'a pres::Packet> {
    let carried = &network.carried(link).text;
    pres.packets.iter().find(|packet| packet.name == *carried)
}

/// What of these packets is no IDL.
pub(crate) fn check(pres: &PresC, checked: &Checked) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    for (network, _, link) in edges(checked) {
        let Some(packet) = packet(pres, network, link) else { continue };
        if let Err(why) = types(pres, &[packet.stub]) {
            let at = link.contract.transport_span(link.span);
            findings.push(errors::no_idl(at, &packet.name, link.contract.transport(), &why));
        }
    }
    findings
}

/// The file, where an edge needs it.
pub(crate) fn file(xip: &Xip, checked: &Checked, stem: &str) -> Option<Generated> {
    let (pres, _) = present::flow::present(xip, &checked.types);
    let mut text = Text::fill(
        "// The packets of {stem} as they travel over DDS, a topic an edge. whittle writes this file; changes are lost.\n//\n",
        &[("stem", &comment(stem))],
    );
    let mut samples = Vec::new();
    let mut topics = Text::default();
    for (network, at, link) in edges(checked) {
        let Some(packet) = packet(&pres, network, link) else { continue };
        let constant = name(&format!("{}_{at}", network.flow.name.text));
        let edge = comment(&network.link_name(link));
        text.add(
            "// {edge}: topic topics::{topic}, of samples::{packet}; the receiver answers on topics::{topic}_taken, of whittle_flow::Progress.\n",
            &[("edge", &edge), ("topic", &constant), ("packet", &comment(&packet.name))],
        );
        let value = name(&topic(network, at, link, packet));
        topics.add(
            "  const string {topic} = \"{value}\";\n  const string {topic}_taken = \"{value}_taken\";\n",
            &[("topic", &constant), ("value", &value)],
        );
        if !samples.contains(&packet.stub) {
            samples.push(packet.stub);
        }
    }
    if samples.is_empty() {
        return None;
    }
    text.say("\n");
    text.say(HEAD);
    text.add("module topics {\n{topics}};\n\n", &[("topics", &topics)]);
    text.add("module packets {\n{types}};\n\nmodule samples {\n", &[("types", &types(&pres, &samples).ok()?)]);
    for stub in samples {
        text.add(
            "  @final struct {name} {\n    whittle_flow::Head head;\n    packets::{name} packet;\n  };\n",
            &[("name", &name(&pres.types[stub].name))],
        );
    }
    text.say("};\n");
    Some(Generated { name: format!("{stem}.idl"), text: FileText::Other(text.finish()), is_yours: false })
}

/// The name of the topic of an edge's packets, as `runtime/flow/dds/entities.c` makes it: other flows of the name have other edges, or other
/// packets. The hash is FNV-1a.
fn topic(network: &Network, at: usize, link: &Link, packet: &pres::Packet) -> String {
    const BITS: u64 = (1 << 48) - 1;
    let cut = |text: &str, room: usize| text.bytes().take(room).collect::<Vec<u8>>();
    let edge = [cut(&network.link_name(link), 200), b"\n".to_vec(), cut(&packet.name, 120)].concat();
    let mix = |mixed: u64, byte: &u8| (mixed ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    let identity = edge.iter().fold(0xcbf2_9ce4_8422_2325, mix) & BITS;
    let flow = String::from_utf8_lossy(&cut(&network.flow.name.text, 80)).into_owned();
    format!("{flow}_{at}_{identity:012x}")
}

/// Names of modules of the file, which hide a type of theirs, or are hidden by one.
const MODULES: [&str; 3] = ["packets", "samples", "whittle_flow"];

/// Structures, those that others hold first; or what is none.
fn types(pres: &PresC, roots: &[TypeStubId]) -> Result<Text<Idl>, String> {
    let (mut open, mut wanted) = (roots.to_vec(), BTreeSet::new());
    while let Some(stub) = open.pop() {
        if wanted.insert(stub) {
            let mut speaks = |of| open.push(of);
            of_type(pres, stub, &mut speaks)?;
        }
    }
    let mut names = Names::default();
    for stub in &wanted {
        let name = &pres.types[*stub].name;
        if MODULES.iter().any(|module| module.eq_ignore_ascii_case(name)) {
            return Err(format!("`{name}`, the name of a module of the IDL that whittle prints: give it another name"));
        }
        names.add(name)?;
    }
    let mut text = Text::default();
    // A type stands behind those that it holds.
    for stub in wanted {
        text.push(&of_type(pres, stub, &mut |_| {})?);
    }
    Ok(text)
}

fn of_type(pres: &PresC, stub: TypeStubId, speaks: &mut dyn FnMut(TypeStubId)) -> Result<Text<Idl>, String> {
    let named = &pres.types[stub];
    let Pres::Structure(members) = &pres.nodes[named.node].pres else {
        let (before, behind) = value(pres, named.node, speaks)?;
        let parts = [("type", &before), ("name", &name(&named.name)), ("size", &behind)];
        return Ok(Text::fill("  typedef {type} {name}{size};\n", &parts));
    };
    let mut text = Text::fill("  @final struct {name} {\n", &[("name", &name(&named.name))]);
    let mut names = Names::default();
    names.add(&named.name)?;
    for (at, member) in members.iter().enumerate() {
        if members.get(at + 1).is_some_and(|next| counter(pres, next) == Some(&member.name)) {
            is_length(pres, member)
                .then_some(())
                .ok_or_else(|| format!("`{}` counts elements in other than 32 bits", member.name))?;
            continue;
        }
        if let Some(count) = counter(pres, member)
            && at.checked_sub(1).is_none_or(|before| members[before].name != *count)
        {
            return Err(format!("`{}` is counted by `{count}`, which does not stand right before it", member.name));
        }
        names.add(&member.name)?;
        let (before, behind) =
            value(pres, member.node, speaks).map_err(|why| format!("`{}` is or holds {why}", member.name))?;
        let parts = [("type", &before), ("name", &name(&member.name)), ("size", &behind)];
        text.add("    {type} {name}{size};\n", &parts);
    }
    text.say("  };\n");
    Ok(text)
}

/// Names of one scope: IDL does not tell them apart by case (section 7.2.3.1).
#[derive(Default)]
struct Names(BTreeMap<String, String>);

impl Names {
    fn add(&mut self, name: &str) -> Result<(), String> {
        match self.0.insert(name.to_ascii_lowercase(), name.to_owned()) {
            Some(other) => Err(format!("`{name}` and `{other}` are one name in IDL")),
            None => Ok(()),
        }
    }
}

/// The member that counts an array inside its structure.
fn counter<'a>(pres: &'a PresC, member: &Member) -> Option<&'a String> {
    match &pres.nodes[member.node].pres {
        Pres::InlineArray { count, .. } | Pres::InlineBytes { count, .. } => Some(count),
        _ => None,
    }
}

/// Whether a count is what IDL has before a sequence.
fn is_length(pres: &PresC, member: &Member) -> bool {
    matches!(pres.nodes[member.node].pres, Pres::Direct(ScalarKind::Integer { bits: 32, .. }))
}

/// What stands before a declarator, and what behind it.
fn value(pres: &PresC, node: NodeId, speaks: &mut dyn FnMut(TypeStubId)) -> Result<(Text<Idl>, Text<Idl>), String> {
    let of = &pres.nodes[node];
    let alone = |before| Ok((before, Text::default()));
    match &of.pres {
        Pres::Direct(kind) => alone(Text::literal(scalar(*kind).ok_or("a number that IDL has no type for")?)),
        Pres::Named(stub) => {
            speaks(*stub);
            alone(Text::fill("packets::{name}", &[("name", &name(&pres.types[*stub].name))]))
        }
        Pres::Reference { target, .. } => value(pres, *target, speaks),
        Pres::FixedArray { element, length } => {
            let (before, behind) = value(pres, *element, speaks)?;
            let size = Text::number(length.value.ok_or("an array of a length that only C knows")?);
            Ok((before, Text::fill("[{size}]{behind}", &[("size", &size), ("behind", &behind)])))
        }
        Pres::FixedBytes { length } => {
            let size = Text::number(length.value.ok_or("bytes of a length that only C knows")?);
            Ok((Text::literal("octet"), Text::fill("[{size}]", &[("size", &size)])))
        }
        Pres::InlineArray { element, .. } | Pres::CountedArray { element, .. } => {
            let (item, size) = value(pres, *element, speaks)?;
            if !size.is_empty() {
                return Err("a sequence of arrays".to_owned());
            }
            alone(bounded("sequence<{of}, {most}>", "sequence<{of}>", &item, pres.most(node)))
        }
        Pres::InlineBytes { .. } | Pres::CountedBytes { .. } => {
            alone(bounded("sequence<{of}, {most}>", "sequence<{of}>", &Text::literal("octet"), pres.most(node)))
        }
        Pres::InlineText { .. } | Pres::TerminatedText { .. } => {
            alone(bounded("string<{most}>", "string", &Text::default(), pres.most(node)))
        }
        Pres::Union { .. } => Err("a union".to_owned()),
        Pres::OptionalPointer { .. } => Err("what need not be there".to_owned()),
        Pres::Void => Err("nothing".to_owned()),
        Pres::Structure(_) => Err("a structure without a name".to_owned()),
        Pres::External { .. } => Err("a type with a routine of its own".to_owned()),
    }
}

fn bounded(with: &'static str, without: &'static str, of: &Text<Idl>, most: Option<u64>) -> Text<Idl> {
    match most {
        Some(most) => Text::fill(with, &[("of", of), ("most", &Text::number(most))]),
        None => Text::fill(without, &[("of", of)]),
    }
}

fn scalar(kind: ScalarKind) -> Option<&'static str> {
    Some(match kind {
        ScalarKind::Integer { bits: 8, signed: false } => "octet",
        ScalarKind::Integer { bits: 8, signed: true } => "int8",
        ScalarKind::Integer { bits: 16, signed: false } => "unsigned short",
        ScalarKind::Integer { bits: 16, signed: true } => "short",
        ScalarKind::Integer { bits: 32, signed: false } | ScalarKind::Long { signed: false } => "unsigned long",
        ScalarKind::Integer { bits: 32, signed: true } | ScalarKind::Long { signed: true } => "long",
        ScalarKind::Integer { bits: 64, signed: false } => "unsigned long long",
        ScalarKind::Integer { bits: 64, signed: true } => "long long",
        ScalarKind::Float { bits: 32 } => "float",
        ScalarKind::Float { bits: 64 } => "double",
        ScalarKind::Boolean => "boolean",
        ScalarKind::Enumeration { .. } => "long",
        _ => return None,
    })
}
