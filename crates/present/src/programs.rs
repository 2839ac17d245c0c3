//! Numbers of programs for interfaces that state none. In: AOI, and the number that the user gave. Out: AOI whose interfaces
//! have numbers: the first of the file that states none has that one, each further one the next, as procedures are numbered
//! in their order. Who is only inherited is no server, and needs no number.

use std::collections::BTreeMap;

use aoi::{Aoi, Interface, Item, OncIdentity, Operation, Value};
use cast::{Expression, Type, build};
use pres::{Label, LinkKind, OncNumbers};
use source::{Diagnostic, Span};

use crate::order::is_imported;
use crate::plain::errors;

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

/// The program's number and the version's, where they are known.
fn numbers(aoi: &Aoi, interface: &Interface) -> Option<(u32, u32)> {
    let number = |value| aoi.number(value).and_then(|number| u32::try_from(number).ok());
    let onc = interface.identity.onc.as_ref()?;
    Some((number(&onc.program)?, number(&onc.version)?))
}

/// `0x20000001u`: how C writes a program's number.
pub(crate) fn program(number: u32) -> Expression {
    build::spelled(format!("0x{number:08x}u"), Type::named("uint32_t"))
}

/// What calls and programs are known by, where stubs write the numbers themselves.
pub(crate) fn spelled(aoi: &Aoi, interface: &Interface) -> Option<OncNumbers> {
    let (number, version) = numbers(aoi, interface)?;
    Some(named(interface, (number, program(number)), (version, build::unsigned(u64::from(version)))))
}

/// The same where the header has macros for the numbers: `DIR_PROGRAM`, `DIR_VERSION`.
pub(crate) fn macros(aoi: &Aoi, interface: &Interface, c_name: &str) -> Option<OncNumbers> {
    let (program, version) = numbers(aoi, interface)?;
    let prefix = c_name.to_ascii_uppercase();
    let of = |what: &str| build::name(format!("{prefix}_{what}"), Type::named("uint32_t"));
    Some(named(interface, (program, of("PROGRAM")), (version, of("VERSION"))))
}

fn named(interface: &Interface, program: (u32, Expression), version: (u32, Expression)) -> OncNumbers {
    let name = interface.identity.onc.as_ref().map(|onc| onc.program_name.clone()).unwrap_or_default();
    let [program, version] = [program, version].map(|(value, c)| Label { value: Some(i128::from(value)), c });
    OncNumbers { name, program, version }
}

/// A procedure's number, and how C writes it.
pub(crate) fn code(number: u32) -> Label {
    Label { value: Some(i128::from(number)), c: build::unsigned(u64::from(number)) }
}

/// The number that requests have for an operation: the procedure's. In interfaces of OMG IDL it is stated, or the operation's place,
/// counted from 1; where objects are called through references, the hash of its name, so that heirs answer to it, too. Mach's messages have
/// no other.
pub(crate) fn procedure(
    aoi: &Aoi,
    interface: &Interface,
    operation: &Operation,
    (at, link): (usize, LinkKind),
) -> Option<u32> {
    if link == LinkKind::Mach {
        return Some(pres::mach_id(&operation.name));
    }
    if interface.identity.corba.is_none() {
        return aoi.number(&operation.code).and_then(|number| u32::try_from(number).ok());
    }
    match crate::rpcgen::procedure_of(operation) {
        Some(stated) => aoi.number(&stated).and_then(|number| u32::try_from(number).ok()),
        None if link == LinkKind::Fluke => Some(pres::hash(&operation.name)),
        None => u32::try_from(at + 1).ok(),
    }
}

/// The numbers of a file's programs, each of which must be known and stand once.
#[derive(Default)]
pub(crate) struct Programs {
    /// Programs and versions, and which interface was the first of those numbers.
    taken: BTreeMap<(u32, u32), Span>,
}

impl Programs {
    /// What is wrong with the numbers of an interface.
    pub(crate) fn take(&mut self, aoi: &Aoi, interface: &Interface) -> Option<Diagnostic> {
        let (name, span) = (&interface.name, interface.span);
        let numbers = numbers(aoi, interface);
        match (numbers, &interface.identity.onc) {
            (Some(numbers), _) => {
                let first = self.taken.get(&numbers).copied();
                self.taken.entry(numbers).or_insert(span);
                first.map(|first| errors::one_program(name, numbers, span, first))
            }
            (None, Some(_)) => Some(errors::unknown_number(name, span)),
            (None, None) => Some(errors::no_program(name, span)),
        }
    }
}

/// The numbers of an interface's procedures, each of which must be known and stand once.
#[derive(Default)]
pub(crate) struct Procedures {
    taken: BTreeMap<u32, Span>,
}

impl Procedures {
    /// What is wrong with the number of the operation in the place `at`.
    pub(crate) fn take(
        &mut self,
        aoi: &Aoi,
        interface: &Interface,
        (at, of): (usize, &Operation),
        link: LinkKind,
    ) -> Option<Diagnostic> {
        let Some(number) = procedure(aoi, interface, of, (at, link)) else {
            return Some(errors::unknown_number(&of.name, of.span));
        };
        let first = self.taken.insert(number, of.span)?;
        Some(errors::one_number(&of.name, number, of.span, first))
    }
}
