//! C names: scopes and names, joined by underscores. In: AOI. Out: names; what would be a keyword of C or C++, or is taken by
//! the headers that all include, has an underscore behind it.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Interface, Operation, Parameter, Role, Type};

use super::c_types::is_record;
use super::shape::marks;
use crate::library::{Files, Names, is_kept_anywhere};

/// What the preprocessor replaces: in files that include C's headers, and in those of programs.
static MACROS: LazyLock<[Names; 3]> = LazyLock::new(|| [Files::Corba, Files::CorbaCalls, Files::Others].map(Names::of));

/// What stubs say around parameters.
const AROUND_PARAMETERS: [&str; 3] = ["client", "context", "exceptions"];

/// Parameters of functions in the header, which would hide a type of the name, and which a constant would replace.
const OF_FUNCTIONS: [&str; 6] = ["client", "context", "exceptions", "operations", "reply", "server"];

/// `Mail_Folder`.
pub(super) fn flat(scope: &[String], name: &str) -> String {
    let name = inner(&joined(scope, name));
    if is_declared(&name) { format!("{name}_") } else { name }
}

/// Scopes and a name, whatever C makes of it.
pub(super) fn joined(scope: &[String], name: &str) -> String {
    scope.iter().map(String::as_str).chain([name]).collect::<Vec<_>>().join("_")
}

/// Things may be called so in C.
pub(super) fn is_free(name: &str) -> bool {
    flat(&[], name) == name
}

/// C's headers, those that all files include, declare something of this name.
fn is_declared(name: &str) -> bool {
    !name.starts_with("CORBA_") && !name.starts_with("PortableServer_") && MACROS[0].is_declared(name)
}

/// The C name of a definition.
pub(super) fn of_definition(aoi: &Aoi, id: DefinitionId) -> String {
    let definition = &aoi.definitions[id];
    let name = flat(&definition.scope, &definition.name);
    let is_plain = matches!(definition.kind, DefinitionKind::Alias(_) | DefinitionKind::Constant(_));
    let is_hidden = is_plain && !is_record(definition) && OF_FUNCTIONS.contains(&name.as_str());
    if is_hidden { format!("{name}_") } else { name }
}

/// A member of an enumeration: its name stands in the scope around the enumeration.
pub(super) fn of_member(enumeration: &Definition, name: &str) -> String {
    marks::enumerator(enumeration, name).map_or_else(|| flat(&enumeration.scope, name), str::to_string)
}

/// What functions of an interface begin with: `Mail_Folder`; a program's name in small letters, with the version's number
/// behind it where the file has several: `dir`, `dir_2`.
pub(super) fn of_interface(aoi: &Aoi, interface: &Interface) -> String {
    if let Some(name) = marks::name(&interface.annotations) {
        return name.to_string();
    }
    match &interface.identity.onc {
        Some(onc) if interface.identity.corba.is_none() => {
            let program = prefix(onc.program_name.to_ascii_lowercase());
            let version = aoi.number(&onc.version).filter(|_| has_versions(aoi, &onc.program_name));
            version.map_or_else(|| program.clone(), |version| format!("{program}_{version}"))
        }
        _ => prefix(flat(&interface.scope, &interface.name)),
    }
}

/// What goes before functions' names: `whittle_…` are those of the run time.
fn prefix(name: String) -> String {
    if is_of_whittle(&format!("{name}_")) && !name.ends_with('_') { format!("{name}_") } else { name }
}

fn has_versions(aoi: &Aoi, program: &str) -> bool {
    let versions = aoi.items.iter().filter(|item| match item {
        aoi::Item::Interface(interface) => {
            interface.identity.onc.as_ref().is_some_and(|onc| onc.program_name == program)
        }
        _ => false,
    });
    versions.count() > 1
}

/// An operation's name behind its interface's: procedures have small letters.
pub(super) fn of_operation(interface: &Interface, operation: &Operation) -> String {
    if let Some(name) = marks::name(&operation.annotations) {
        return name.to_string();
    }
    let name = operation.name.trim_start_matches('_');
    match operation.role {
        _ if interface.identity.corba.is_none() => name.to_ascii_lowercase(),
        Role::Plain | Role::Getter | Role::Setter => name.to_string(),
    }
}

/// The name of a member.
pub(super) fn inner(name: &str) -> String {
    let is_macro = || MACROS.iter().any(|names| names.is_macro(name));
    if is_kept_anywhere(name) || is_macro() || is_of_whittle(name) { format!("{name}_") } else { name.to_string() }
}

fn is_of_whittle(name: &str) -> bool {
    name.to_ascii_lowercase().starts_with("whittle_")
}

/// The name of a union's discriminant, beside its bodies.
pub(super) fn discriminant(name: &str) -> String {
    if name == super::c_types::BODY { format!("{name}_") } else { inner(name) }
}

/// What parameters are called, those of the RPC language that have no names, too; nothing is passed as `void`.
pub(super) fn of_parameters(operation: &Operation) -> Vec<String> {
    let is_passed = |parameter: &&Parameter| parameter.ty != Type::Void;
    let all = operation.parameters.iter().filter(is_passed).count();
    let mut passed = 0;
    let name = |parameter: &Parameter| {
        passed += usize::from(is_passed(&parameter));
        match &parameter.name {
            _ if !is_passed(&parameter) => String::new(),
            Some(name) => name.clone(),
            None if all == 1 => "argument".to_string(),
            None => format!("argument{passed}"),
        }
    };
    operation.parameters.iter().map(name).collect()
}

/// The names of all definitions.
pub(super) fn of_all(aoi: &Aoi) -> BTreeSet<String> {
    aoi.definitions.iter().map(|(id, _)| of_definition(aoi, id)).collect()
}

/// The name of a parameter: it hides nothing that the functions around it need, no definition, and no other has it.
pub(super) fn parameter(definitions: &BTreeSet<String>, name: &str, others: &[String]) -> String {
    // Stubs' own variables begin with an underscore, their routines with what they do.
    let is_of_stubs = ["_", "encode_", "decode_", "release_"].iter().any(|prefix| name.starts_with(prefix));
    let mut name = if is_of_stubs { format!("a_{name}") } else { inner(name) };
    let is_taken = |name: &String| {
        let hides = AROUND_PARAMETERS.contains(&name.as_str()) || is_declared(name) || definitions.contains(name);
        hides || others.contains(name)
    };
    while is_taken(&name) {
        name.push('_');
    }
    name
}
