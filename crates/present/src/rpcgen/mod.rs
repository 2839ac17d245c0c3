//! The presentation of rpcgen 1.4.3: what it declares, with the same names, types, order and signatures.
//!
//! In: AOI. Out: PRES_C. Beyond rpcgen: structures, unions and enumerations may be nested; types may be used before
//! they are declared; all findings come at once; the header is C99 and C++ without warnings, with `-T`, too.
//! Source: rpcgen(1); the output of rpcgen; RFC 4506.

mod c_types;
mod errors;
mod foreign;
mod header;
mod lengths;
mod lines;
mod names;
mod nodes;
mod operations;
mod options;
mod prototypes;
mod reserved;
mod scalars;
mod values;

use std::collections::BTreeMap;

use aoi::{Aoi, Interface, Item};
use cast::Declaration;
use pres::{Conventions, PresC, TypeStubId};
use source::Diagnostic;

pub(crate) use foreign::{formless, procedure_of};
pub use options::Options;

use crate::order::{Entry, is_imported, order};
use crate::programs;
use header::Header;
use nodes::Nodes;

/// Presents `aoi` as rpcgen does. Without errors among the findings the result is complete.
pub fn present(aoi: &Aoi, options: &Options) -> (PresC, Vec<Diagnostic>) {
    if options.types_alone {
        return present_adapted(&types_alone(aoi), options);
    }
    let is_foreign = foreign::is_foreign(aoi);
    let mut aoi = aoi.clone();
    if options.codec {
        leave_out_interfaces(&mut aoi.items);
    }
    if !is_foreign {
        return present_adapted(&aoi, options);
    }
    let aoi = programs::number(aoi, options.program, options.included);
    let (adapted, mut findings) = foreign::adapt(&aoi, options);
    if findings.iter().any(Diagnostic::is_error) {
        return (PresC::default(), findings);
    }
    let (pres, more) = present_adapted(&adapted, options);
    findings.extend(more);
    (pres, findings)
}

/// Nobody calls anything where there are values alone.
fn leave_out_interfaces(items: &mut Vec<Item>) {
    items.retain(|item| !matches!(item, Item::Interface(_)));
    for item in items {
        if let Item::Module(module) = item {
            leave_out_interfaces(&mut module.items);
        }
    }
}

/// The types of a file, interfaces left out, as the RPC language would say them; what has no form in it keeps its name
/// and is nowhere declared ([`formless`] tells why).
pub fn types_alone(aoi: &Aoi) -> Aoi {
    foreign::types_alone(aoi)
}

/// The same of what the RPC language could have said.
fn present_adapted(aoi: &Aoi, options: &Options) -> (PresC, Vec<Diagnostic>) {
    let order = order(aoi, options.included);
    let interfaces: Vec<&Interface> = order.entries.iter().filter_map(interface).collect();
    let mut checked = names::check(aoi, &interfaces, options);
    let mut findings = std::mem::take(&mut checked.findings);
    for &id in &order.endless {
        let definition = &aoi.definitions[id];
        findings.push(errors::contains_itself(&definition.name, definition.span));
    }
    findings.extend(lengths::check(aoi));
    if options.codec {
        findings.extend(lengths::of_library(aoi));
    }
    findings.extend_from_slice(&order.refused);
    if !order.endless.is_empty() {
        return (PresC::default(), findings);
    }

    let (lines, branches) = match options.codec {
        true => <_>::default(),
        false => lines::place(aoi, &order.entries),
    };
    let mut nodes = Nodes::new(aoi, branches, &checked.unnamed);
    define_types(&mut nodes, &order.entries, options);
    let conventions = conventions(options);
    let mut header = Header::new(aoi, options, conventions);
    if lengths::uses_quadruple(aoi) {
        header.quadruple();
    }
    if options.tables {
        header.table_row();
    }
    let mut programs = Vec::new();
    for entry in &order.entries {
        match entry {
            Entry::Verbatim(verbatim) => header.verbatim(&verbatim.text),
            Entry::Included(file) => header.included(file),
            Entry::Definition(id) if is_imported(&aoi.definitions[*id].origin, options.included) => header.known(*id),
            Entry::Definition(id) => header.definition(*id),
            Entry::Interface(interface) => {
                let built = operations::build(&mut nodes, options, &checked, interface, &mut findings);
                if let Some(built) = built {
                    header.packs(built.packs);
                    programs.push((*interface, built.stubs));
                }
            }
        }
    }
    programs.iter().for_each(|(interface, stubs)| header.interface(interface, stubs));
    let mut pres = nodes.pres;
    pres.interfaces = programs.into_iter().map(|(_, stubs)| stubs).collect();
    pres.conventions = conventions;
    pres.strict_enumerations = options.strict_enumerations;
    pres.header = header.finish(&pres, &checked.taken);
    pres.prologue = prologue(&order.entries, &checked.hiding, options);
    pres.lines = lines;
    (pres, findings)
}

/// The types of a file whose own header declares them, beside what is there; by name, those that have a stub.
pub(crate) fn imported_types(aoi: &Aoi, pres: PresC) -> (PresC, BTreeMap<String, TypeStubId>, Vec<Diagnostic>) {
    let order = order(aoi, true);
    let endless = order.endless.iter().map(|&id| &aoi.definitions[id]);
    let findings: Vec<Diagnostic> =
        endless.map(|definition| errors::contains_itself(&definition.name, definition.span)).collect();
    if !findings.is_empty() {
        return (pres, BTreeMap::new(), findings);
    }
    let mut nodes = Nodes::beside(aoi, pres);
    let definitions = order.entries.iter().filter_map(|entry| match entry {
        Entry::Definition(id) => Some(*id),
        _ => None,
    });
    definitions.clone().for_each(|id| nodes.declare(id, true));
    definitions.clone().for_each(|id| nodes.define(id));
    let stubs = definitions.filter_map(|id| Some((aoi.definitions[id].name.clone(), nodes.stub(id)?))).collect();
    (nodes.pres, stubs, findings)
}

fn interface<'a>(entry: &Entry<'a>) -> Option<&'a Interface> {
    match entry {
        Entry::Interface(interface) => Some(interface),
        _ => None,
    }
}

fn conventions(options: &Options) -> Conventions {
    Conventions {
        by_value: options.newstyle,
        caller_results: options.multithread,
        prototypes: !options.kernighan_ritchie,
    }
}

fn define_types(nodes: &mut Nodes, entries: &[Entry], options: &Options) {
    let definitions = entries.iter().filter_map(|entry| match entry {
        Entry::Definition(id) => Some(*id),
        _ => None,
    });
    for id in definitions.clone() {
        let imported = is_imported(&nodes.aoi.definitions[id].origin, options.included);
        nodes.declare(id, imported);
    }
    definitions.for_each(|id| nodes.define(id));
}

/// The comment on top of every file.
fn notice() -> Declaration {
    Declaration::comment("Please do not edit this file.\nIt was generated using whittle, in rpcgen's place.")
}

/// What every C file begins with: the header, without those of its macros that the file's own C could not do with, and the user's own
/// lines.
fn prologue(entries: &[Entry], hiding: &[String], options: &Options) -> Vec<Declaration> {
    let include = match &options.header {
        None if options.codec => Declaration::own_include("whittle_codec_rpc.h"),
        Some(path) => Declaration::include(path.clone()),
        None => Declaration::system_include("rpc/rpc.h"),
    };
    let mut prologue = vec![notice(), Declaration::Blank, include];
    prologue.extend(hiding.iter().map(|name| Declaration::Undefine(name.clone())));
    // What the header has of them is enough where no `xdr_` routines are.
    for entry in entries.iter().filter(|_| !options.codec) {
        if let Entry::Verbatim(verbatim) = entry {
            prologue.push(Declaration::Verbatim(verbatim.text.clone()));
        }
    }
    prologue.push(Declaration::Blank);
    prologue
}
