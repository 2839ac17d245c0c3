//! What an input gives to each file; rpcgen leaves out files that would hold nothing.

use aoi::{Aoi, DefinitionKind, Item};
use pres::Lines;

use crate::reading::Reading;
use crate::{Link, OutputKind, Style};

/// True where the file would hold anything. Only rpcgen leaves out a header: elsewhere all files include it.
pub(crate) fn has(reading: &Reading, (style, link): (Style, Link), kind: OutputKind) -> bool {
    if reading.plan.is_some() {
        return kind == OutputKind::Routines;
    }
    let described = match (&reading.aoi, &reading.pres) {
        (Some(aoi), _) => Described {
            declarations: style != Style::Rpcgen || link == Link::None || any(&aoi.items, &|_| true),
            routines: any(&aoi.items, &|item| is_for_routines(aoi, item)),
            interfaces: any(&aoi.items, &|item| matches!(item, Item::Interface(_))),
        },
        (None, Some(pres)) => Described {
            declarations: !pres.header.is_empty(),
            routines: !pres.types.is_empty() || pres.lines != Lines::default(),
            interfaces: !pres.interfaces.is_empty(),
        },
        (None, None) => return false,
    };
    match kind {
        OutputKind::Makefile
        | OutputKind::Codec
        | OutputKind::Common
        | OutputKind::RunTime(_)
        | OutputKind::RpcHeader(_) => true,
        OutputKind::Header => described.declarations,
        OutputKind::Routines => described.routines,
        OutputKind::Client
        | OutputKind::Server
        | OutputKind::ServerWithoutMain
        | OutputKind::Table
        | OutputKind::SampleClient
        | OutputKind::SampleServer => described.interfaces,
    }
}

/// What an input describes, be it text or a dump.
struct Described {
    declarations: bool,
    routines: bool,
    interfaces: bool,
}

fn any(items: &[Item], holds: &dyn Fn(&Item) -> bool) -> bool {
    items.iter().any(|item| match item {
        Item::Module(module) => any(&module.items, holds),
        item => holds(item),
    })
}

/// Types have routines, several arguments make a type, and the user's lines are passed on.
fn is_for_routines(aoi: &Aoi, item: &Item) -> bool {
    match item {
        Item::Definition(id) => !matches!(aoi.definitions[*id].kind, DefinitionKind::Constant(_)),
        Item::Verbatim(_) => true,
        Item::Interface(interface) => interface.operations.iter().any(|operation| operation.parameters.len() > 1),
        Item::Module(_) => false,
    }
}
