//! The presentation of CORBA's C mapping: what ORBit2's users know, compiled.
//!
//! In: AOI, from `.idl` or any other front end. Out: PRES_C whose header declares types, exceptions, the functions of
//! interfaces, and the structures of servants; what links need of interfaces is in [`pres::PresC::interfaces`]. Optional data
//! of `.x` files are sequences of at most one. Source: OMG, C Language Mapping (formal/99-07-35); what it leaves open is
//! as ORBit2 has it.

mod c_types;
mod checks;
mod errors;
mod header;
mod kinds;
mod names;
mod nodes;
mod operations;
mod passing;
mod reserved;
mod skeleton;
mod typecodes;
mod value_types;
mod values;

use std::collections::BTreeSet;

use aoi::{Aoi, DefinitionId, Interface};
use cast::Declaration;
use escape::c::Base;
use pres::{LinkKind, PresC};
use source::Diagnostic;

use crate::inheritance;
use crate::library::{Naming, end_macros, taken_by_libtirpc};
use crate::order::{Entry, is_imported, order};
use crate::programs;
use header::Header;
use nodes::Nodes;

/// What shapes the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The header's file name without its folder and `.h`.
    pub base: Base,
    /// Numbers outside their enumeration are errors.
    pub strict_enumerations: bool,
    /// The program's number over ONC RPC, for the first interface that states none; each further one has the next.
    pub program: Option<u32>,
    /// What carries the calls; of values alone there are no interfaces, and there is nothing of the ORB's.
    pub link: LinkKind,
}

/// Presents `aoi` as the C mapping does. Without errors among the findings the result is complete.
pub fn present(aoi: &Aoi, options: &Options) -> (PresC, Vec<Diagnostic>) {
    let is_onc = options.link.is_onc();
    let mut aoi = programs::number(crate::lift::lift(aoi.clone()), options.program.filter(|_| is_onc), false);
    let without_form = value_types::complete(&mut aoi);
    let aoi = aoi;
    let order = order(&aoi, false);
    let endless = order.endless.iter().map(|id| &aoi.definitions[*id]);
    let mut findings: Vec<Diagnostic> =
        endless.map(|definition| errors::contains_itself(&definition.name, definition.span)).collect();
    let mut checks = checks::Checks::new(&aoi, options.link, &without_form);
    for entry in &order.entries {
        match entry {
            Entry::Definition(id) => checks.definition(*id),
            Entry::Interface(_) if options.link == LinkKind::None => {}
            Entry::Interface(interface) => checks.interface(interface),
            Entry::Included(_) | Entry::Verbatim(_) => {}
        }
    }
    findings.append(&mut checks.taken.findings);
    findings.extend_from_slice(&order.refused);
    findings.extend(crate::objects::one_folder(&order.entries, &options.base));
    let naming = Naming { of_definition: names::of_definition, of_member: names::of_member };
    findings.extend(taken_by_libtirpc(&aoi, &order.entries, options.link, &naming));
    if findings.iter().any(Diagnostic::is_error) {
        return (PresC::default(), findings);
    }
    let kinds = kinds::Kinds::of(&aoi);
    let mut nodes = Nodes::new(&aoi, &kinds, options.link);
    define_types(&mut nodes, &order.entries);
    let (mut header, own) = declarations(&mut nodes, &order.entries);
    if options.link == LinkKind::Tirpc {
        header = end_macros(header);
    }
    let mut pres = nodes.tree.pres;
    let [run_time, _] = run_time(options.link);
    pres.header = crate::objects::header(&options.base, ["_", "_H_CORBA"], run_time, header);
    pres.prologue = prologue(options);
    pres.strict_enumerations = options.strict_enumerations;
    pres.managed_release = "CORBA_free".to_string();
    if options.link != LinkKind::None {
        pres.common = typecodes::declarations(&aoi, &kinds, &own);
    }
    (pres, findings)
}

fn define_types(nodes: &mut Nodes, entries: &[Entry]) {
    let definitions = || {
        entries.iter().filter_map(|entry| match entry {
            Entry::Definition(id) => Some(*id),
            _ => None,
        })
    };
    definitions().for_each(|id| nodes.declare(id, is_imported(&nodes.tree.aoi.definitions[id].origin, false)));
    definitions().for_each(|id| nodes.define(id));
}

/// The header's declarations, and the definitions that are declared in it.
fn declarations(nodes: &mut Nodes, entries: &[Entry]) -> (Vec<Declaration>, Vec<DefinitionId>) {
    let aoi = nodes.tree.aoi;
    let is_own = |id: &DefinitionId| !is_imported(&aoi.definitions[*id].origin, false);
    let own: Vec<DefinitionId> = entries
        .iter()
        .filter_map(|entry| match entry {
            Entry::Definition(id) if is_own(id) => Some(*id),
            _ => None,
        })
        .collect();
    let known = inheritance::known(aoi);
    let names: BTreeSet<String> = aoi.definitions.iter().map(|(id, _)| names::of_definition(aoi, id)).collect();
    let mut header = Header::new(aoi, nodes.kinds, nodes.is_codec());
    own.iter().for_each(|id| header.announce(*id));
    if nodes.is_codec() {
        header.body.extend([Declaration::Blank, crate::objects::codec_comment()]);
    }
    for entry in entries {
        match entry {
            Entry::Verbatim(verbatim) => header.body.push(Declaration::Verbatim(verbatim.text.clone())),
            Entry::Included(file) => {
                header.body.insert(0, Declaration::include(file.header.clone()));
            }
            Entry::Definition(id) if is_own(id) => {
                header.definition(*id);
                if let Some(stub) = nodes.stub(*id).filter(|_| nodes.is_codec()) {
                    let is_taken = |name: &str| names.contains(name);
                    header.body.extend(crate::objects::codec(&nodes.tree.pres.types[stub], &is_taken));
                }
            }
            Entry::Definition(_) => {}
            Entry::Interface(interface) if nodes.is_codec() || has_no_stubs(aoi, interface) => {}
            Entry::Interface(interface) if is_only_for_heirs(aoi, interface, nodes.link) => {
                // Nobody calls it: it has no messages.
                let messages = nodes.tree.pres.mint.messages.len();
                let built = operations::build(nodes, &known, interface, true);
                nodes.tree.pres.mint.messages.truncate(messages);
                header.body.extend(skeleton::vectors(&built));
            }
            Entry::Interface(interface) => {
                operands(&mut header, interface);
                let built = operations::build(nodes, &known, interface, false);
                if interface.reference.is_none() {
                    header.reference(&built.name);
                }
                header.body.extend(skeleton::client(&built));
                if nodes.link == LinkKind::Iiop {
                    header.body.extend(skeleton::inherited(&built, &inheritance::ancestors(&known, interface)));
                }
                header.body.extend(skeleton::server(&built, nodes.link));
                nodes.tree.pres.interfaces.push(built);
            }
        }
    }
    if nodes.link == LinkKind::Iiop {
        inherited(nodes, &known);
    }
    let Header { mut body, allocators, .. } = header;
    body.extend(allocators);
    (body, own)
}

/// Whether there are no stubs of an interface: its objects are local, or the ORB's header has it.
fn has_no_stubs(aoi: &Aoi, interface: &Interface) -> bool {
    let reference = interface.reference.map(|id| &aoi.definitions[id]);
    crate::objects::is_local(aoi, interface) || reference.is_some_and(names::is_of_orb)
}

/// ONC RPC knows no server of an interface without a number, which is only inherited: its heirs need what their servants are made of.
fn is_only_for_heirs(aoi: &Aoi, interface: &Interface, link: LinkKind) -> bool {
    link.is_onc() && programs::is_only_inherited(aoi, interface)
}

/// The sequences that an interface's operations speak of.
fn operands(header: &mut Header, interface: &Interface) {
    for operation in &interface.operations {
        header.sequence(&operation.result);
        operation.parameters.iter().for_each(|parameter| header.sequence(&parameter.ty));
    }
}

/// Servers of heirs dispatch what interfaces of included files have, too.
fn inherited(nodes: &mut Nodes, known: &inheritance::Known) {
    let interfaces = &nodes.tree.pres.interfaces;
    let present: BTreeSet<String> = interfaces.iter().map(|interface| interface.name.clone()).collect();
    let ancestors = interfaces.iter().flat_map(|interface| &interface.ancestors);
    let wanted: BTreeSet<String> = ancestors.map(|ancestor| ancestor.name.clone()).collect();
    for interface in known.values() {
        let name = names::of_interface(interface);
        if wanted.contains(&name) && !present.contains(&name) {
            let built = operations::build(nodes, known, interface, true);
            nodes.tree.pres.interfaces.push(built);
        }
    }
}

/// What every C file begins with.
fn prologue(options: &Options) -> Vec<Declaration> {
    let [_, stubs] = run_time(options.link);
    let stubs = (options.link != LinkKind::None).then(|| Declaration::own_include(stubs));
    let own = Declaration::include(options.base.header(".h"));
    [crate::objects::notice(), Declaration::Blank, own].into_iter().chain(stubs).chain([Declaration::Blank]).collect()
}

/// The headers of the run time: programs', and that of generated files.
fn run_time(link: LinkKind) -> [&'static str; 2] {
    match link {
        LinkKind::Iiop => ["whittle_corba.h", "whittle_giop.h"],
        LinkKind::Onc => ["whittle_onc_object.h", "whittle_onc_object_stubs.h"],
        LinkKind::Tirpc => ["whittle_tirpc_object.h", "whittle_tirpc_object_stubs.h"],
        LinkKind::Mach => ["whittle_mach_object.h", "whittle_mach_object_stubs.h"],
        LinkKind::Fluke => [link.public_header(), link.stub_header()],
        LinkKind::None => ["whittle_codec_corba.h"; 2],
    }
}
