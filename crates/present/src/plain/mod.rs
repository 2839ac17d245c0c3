//! The plain presentation: what a C programmer would write today. Fixed-width integers, `struct` tags, counted arrays,
//! functions that return an error value, results in the caller's storage, explicit ownership.
//!
//! In: AOI of any front end. Out: PRES_C whose header declares types, what releases their values, the functions of
//! interfaces, and a structure of functions for servers; what links need is in [`pres::PresC::interfaces`]. Exceptions are
//! numbers above 0, in the order of `raises`, with their members in a union of the caller's. Source: Flick (PLDI'97)
//! section 2.2 (presentations are chosen apart from the contract).

mod c_types;
mod capabilities;
mod checks;
pub(crate) mod errors;
mod functions;
mod header;
mod hidden;
mod names;
mod nodes;
mod operations;
mod packs;
pub mod shape;
mod values;

use aoi::{Aoi, DefinitionId};
use cast::Declaration;
use escape::c::Base;
use pres::{LinkKind, PresC};
use source::Diagnostic;

use crate::library::{Naming, end_macros, taken_by_libtirpc};
use crate::objects::{header, notice};
use crate::order::{Entry, is_imported, order};
use crate::programs;
use nodes::Nodes;
pub use shape::Presentation;
use shape::{Shaped, marks};

/// What shapes the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The header's file name without its folder and `.h`.
    pub base: Base,
    /// The program's number, for the first interface that states none; each further one has the next.
    pub program: Option<u32>,
    /// Numbers outside their enumeration are errors.
    pub strict_enumerations: bool,
    /// What presentation files and options say.
    pub presentations: Vec<Presentation>,
    /// What carries the calls.
    pub link: LinkKind,
}

/// Presents `aoi` plainly. Without errors among the findings the result is complete.
pub fn present(aoi: &Aoi, options: &Options) -> (PresC, Vec<Diagnostic>) {
    let with_capabilities = (options.link == LinkKind::Fluke).then(|| capabilities::of_references(aoi));
    let aoi = with_capabilities.as_ref().unwrap_or(aoi);
    let Shaped { aoi, is_strict, mut findings } = shape::shape(aoi, &options.presentations);
    let aoi = programs::number(aoi, options.program, false);
    let mut order = order(&aoi, false);
    order.entries.retain(|entry| definition(entry).is_none_or(|id| !marks::is_nameless(&aoi.definitions[id])));
    let endless = order.endless.iter().map(|id| &aoi.definitions[*id]);
    findings.extend(endless.map(|definition| errors::contains_itself(&definition.name, definition.span)));
    findings.extend_from_slice(&order.refused);
    findings.extend(crate::objects::one_folder(&order.entries, &options.base));
    let naming = Naming { of_definition: names::of_definition, of_member: names::of_member };
    findings.extend(taken_by_libtirpc(&aoi, &order.entries, options.link, &naming));
    findings.extend(checks::check(&aoi, &order.entries, options.link));
    if findings.iter().any(Diagnostic::is_error) {
        return (PresC::default(), findings);
    }
    let mut nodes = Nodes::new(&aoi, options.link);
    let definitions = || order.entries.iter().filter_map(definition);
    definitions().for_each(|id| nodes.declare(id, is_imported(&aoi.definitions[id].origin, false)));
    definitions().for_each(|id| nodes.define(id));
    let mut body = declarations(&mut nodes, &order.entries);
    hidden::write_out(&aoi, &mut body);
    if options.link == LinkKind::Tirpc {
        body = end_macros(body);
    }
    let mut pres = nodes.tree.pres;
    pres.header = header(&options.base, ["", "_H_PLAIN"], options.link.public_header(), body);
    pres.prologue = prologue(options);
    pres.strict_enumerations = options.strict_enumerations || is_strict;
    (pres, findings)
}

fn definition(entry: &Entry) -> Option<DefinitionId> {
    match entry {
        Entry::Definition(id) => Some(*id),
        _ => None,
    }
}

/// Whether calls of an interface are carried: those of local objects never are, without a link none can, and ONC RPC knows none of those that have no number, and are only inherited.
fn is_called(aoi: &Aoi, interface: &aoi::Interface, link: LinkKind) -> bool {
    let is_carried = link != LinkKind::None && !crate::objects::is_local(aoi, interface);
    let by_reference = matches!(link, LinkKind::Iiop | LinkKind::Fluke | LinkKind::Mach);
    is_carried && (by_reference || !programs::is_only_inherited(aoi, interface))
}

/// What stands in the header: types in C's order, then interfaces.
fn declarations(nodes: &mut Nodes, entries: &[Entry]) -> Vec<Declaration> {
    let aoi = nodes.tree.aoi;
    let about = (nodes.link == LinkKind::None).then(crate::objects::codec_comment);
    let mut body: Vec<Declaration> = about.into_iter().flat_map(|comment| [comment, Declaration::Blank]).collect();
    for entry in entries {
        match entry {
            Entry::Verbatim(verbatim) => body.push(Declaration::Verbatim(verbatim.text.clone())),
            Entry::Included(file) => {
                body.insert(0, Declaration::include(file.header.clone()));
            }
            Entry::Definition(id) if is_imported(&aoi.definitions[*id].origin, false) => {}
            Entry::Definition(id) => body.extend(header::definition(nodes, *id)),
            Entry::Interface(interface) if !is_called(aoi, interface, nodes.link) => {}
            Entry::Interface(interface) => {
                let built = operations::build(nodes, interface);
                body.extend(functions::declarations(&built, nodes.link));
                nodes.tree.pres.interfaces.push(built);
            }
        }
    }
    body
}

/// What every C file begins with. The user's constants are the last that the preprocessor hears of.
fn prologue(options: &Options) -> Vec<Declaration> {
    let own = Declaration::include(options.base.header(".h"));
    vec![notice(), Declaration::Blank, Declaration::own_include(options.link.stub_header()), own, Declaration::Blank]
}
