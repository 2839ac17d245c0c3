//! C names: the scopes and the name, joined by underscores (OMG, C Language Mapping, section 1.2). In: AOI. Out: names,
//! and findings where two of them are one in C. Members and parameters that are keywords of C begin with an underscore.

use std::collections::BTreeMap;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Interface};
use source::{Diagnostic, Span};

use super::errors;
use super::reserved::RESERVED;
use crate::library::is_kept_anywhere;

/// The parameter that every function has last.
const ENVIRONMENT: &str = "ev";

/// `Mail_Folder`; `_register` for what would be a keyword of C.
pub(super) fn flat(scope: &[String], name: &str) -> String {
    inner(&scope.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("_"))
}

/// The C name of a definition.
pub(super) fn of_definition(aoi: &Aoi, id: DefinitionId) -> String {
    let definition = &aoi.definitions[id];
    flat(&definition.scope, &definition.name)
}

/// What a value of a value type points to.
pub(super) fn of_state(value: &str) -> String {
    format!("{value}__state")
}

/// A member of an enumeration: its name stands in the scope around the enumeration.
pub(super) fn of_member(enumeration: &Definition, name: &str) -> String {
    flat(&enumeration.scope, name)
}

/// The C name of an interface. A program's version is named after both.
pub(super) fn of_interface(interface: &Interface) -> String {
    match &interface.identity.onc {
        Some(onc) if interface.identity.corba.is_none() => format!("{}_{}", onc.program_name, interface.name),
        _ => flat(&interface.scope, &interface.name),
    }
}

/// The OMG's own files say once more what the ORB's header has: that declares it. Of structures and unions nobody knows whether they have
/// the same members.
pub(super) fn is_of_orb(definition: &Definition) -> bool {
    let is_in = |module: &String| matches!(module.as_str(), "CORBA" | "PortableServer");
    let has_members = matches!(definition.kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_));
    definition.scope.first().is_some_and(is_in)
        && !has_members
        && RESERVED.has(&flat(&definition.scope, &definition.name))
}

/// The name of a member.
pub(super) fn inner(name: &str) -> String {
    if is_kept_anywhere(name) || name == ENVIRONMENT { format!("_{name}") } else { name.to_string() }
}

/// The name of a parameter: callers never see it, so that it may keep out of others' way.
pub(super) fn parameter(name: &str) -> String {
    if RESERVED.hides(name) { format!("_{name}") } else { inner(name) }
}

/// The names that a header declares, and where each was declared first.
#[derive(Default)]
pub(super) struct Taken {
    places: BTreeMap<String, Span>,
    pub(super) findings: Vec<Diagnostic>,
}

impl Taken {
    /// Takes a name, or reports who has it; true where it was free.
    pub(super) fn take(&mut self, name: String, span: Span) -> bool {
        match self.places.get(&name) {
            Some(first) if *first != span => {
                self.findings.push(errors::one_name(&name, span, *first));
                false
            }
            Some(_) => true,
            None => {
                self.places.insert(name, span);
                true
            }
        }
    }
}
