//! Numbers of programs for interfaces that state none. In: AOI, and the number that the user gave. Out: AOI whose interfaces
//! have numbers: the first of the file that states none has that one, each further one the next, as procedures are numbered
//! in their order. Who is only inherited is no server, and needs no number.

use aoi::{Aoi, Interface, Item, OncIdentity, Value};

use crate::order::is_imported;

/// Gives numbers from `first` on to the interfaces of the file itself, or of all files where `all_files`.
pub(crate) fn number(mut aoi: Aoi, first: Option<u32>, all_files: bool) -> Aoi {
    let mut next = first;
    visit(&mut aoi.items, &mut |interface| {
        if interface.identity.onc.is_some() || is_imported(&interface.origin, all_files) {
            return;
        }
        interface.identity.onc = next.map(|program| identity(&interface.name, program));
        next = next.and_then(|program| program.checked_add(1));
    });
    aoi
}

fn visit(items: &mut [Item], seen: &mut impl FnMut(&mut Interface)) {
    for item in items {
        match item {
            Item::Interface(interface) => seen(interface),
            Item::Module(module) => visit(&mut module.items, seen),
            Item::Definition(_) | Item::Verbatim(_) => {}
        }
    }
}

/// The first version of a program.
fn identity(name: &str, program: u32) -> OncIdentity {
    let number = |value: u32, spelling: String| Value::Integer { value: i128::from(value), spelling };
    OncIdentity {
        program_name: name.to_string(),
        program: number(program, format!("{program:#x}")),
        version: number(1, "1".to_string()),
    }
}

/// Whether an interface has no number, and another inherits it.
pub(crate) fn is_only_inherited(aoi: &Aoi, interface: &Interface) -> bool {
    fn inherits(items: &[Item], base: aoi::DefinitionId) -> bool {
        items.iter().any(|item| match item {
            Item::Interface(interface) => interface.bases.contains(&base),
            Item::Module(module) => inherits(&module.items, base),
            Item::Definition(_) | Item::Verbatim(_) => false,
        })
    }
    interface.identity.onc.is_none() && interface.reference.is_some_and(|base| inherits(&aoi.items, base))
}
