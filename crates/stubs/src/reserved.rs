//! Names that the user's header gives a meaning. In: PRES_C. Out: what generated files must not call anything of their
//! own. A macro replaces what bears its name, and a variable hides the type or the function that its block needs.

use std::collections::BTreeSet;

use cast::Declaration;
use pres::{Pres, PresC};

/// All names of the header, and of what it takes from the user's own.
pub(crate) fn names(pres: &PresC) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(&pres.header, &mut names);
    // Where PRES was read back there is no header to ask.
    for (_, stub) in pres.types.iter() {
        names.extend([stub.name.clone(), stub.routine.clone()]);
    }
    for (_, node) in pres.nodes.iter() {
        if let Pres::External { routine, .. } = &node.pres {
            names.extend([routine.clone(), cast::print_type(&node.ty)]);
        }
    }
    names
}

/// The names that the description defines, whichever header declares them.
pub(crate) fn declared(pres: &PresC) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit(&pres.header, &mut names);
    names.extend(pres.types.iter().map(|(_, stub)| stub.name.clone()));
    names
}

/// The names of the header's macros, and of those that the user's lines define.
pub(crate) fn macros(pres: &PresC) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    visit_macros(&pres.header, &mut names);
    let lines = pres.lines.before.values().flatten().chain(&pres.lines.last);
    for line in lines.flat_map(|text| text.lines()) {
        let defined = line.trim_start().strip_prefix('#').and_then(|rest| rest.trim_start().strip_prefix("define"));
        let name = defined.map(str::trim_start).and_then(|rest| rest.split(|c: char| !is_part_of_word(c)).next());
        names.extend(name.filter(|name| !name.is_empty()).map(str::to_string));
    }
    names
}

/// Whether names consist of such.
pub(crate) fn is_part_of_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

fn visit_macros(declarations: &[Declaration], names: &mut BTreeSet<String>) {
    for declaration in declarations {
        match declaration {
            Declaration::Define(definition) => {
                names.insert(definition.name.clone());
            }
            Declaration::Conditional(conditional) => {
                visit_macros(&conditional.then, names);
                visit_macros(&conditional.otherwise, names);
            }
            Declaration::ExternC(inner) => visit_macros(inner, names),
            _ => {}
        }
    }
}

/// The usual name, with as many `_` behind it as make it nobody else's.
pub(crate) fn clear_of(usual: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = usual.to_string();
    while is_taken(&name) {
        name.push('_');
    }
    name
}

fn visit(declarations: &[Declaration], names: &mut BTreeSet<String>) {
    for declaration in declarations {
        match declaration {
            Declaration::Define(definition) => {
                names.insert(definition.name.clone());
            }
            Declaration::Typedef { name, .. } => {
                names.insert(name.clone());
            }
            Declaration::Enumeration(enumeration) => {
                names.extend(enumeration.members.iter().map(|(name, _)| name.clone()));
            }
            Declaration::Prototype(function) | Declaration::Function(function) => {
                names.insert(function.name.clone());
            }
            Declaration::Variable(variable) => {
                names.insert(variable.name.clone());
            }
            Declaration::Conditional(conditional) => {
                visit(&conditional.then, names);
                visit(&conditional.otherwise, names);
            }
            Declaration::ExternC(inner) => visit(inner, names),
            _ => {}
        }
    }
}
