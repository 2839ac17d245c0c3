//! The marshalling file of an interface: PRES_C through PLAN to C, on one screen.

use std::collections::BTreeSet;

use cast::{Declaration, File};
use pres::{Pres, PresC};

use crate::plan::Plan;
use crate::{emit, encodings, lower, passes};

/// What shapes the marshalling file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
}

/// The file of `xdr_T` routines. `after` sees the plan as lowered (`lower`) and after each pass, by name.
pub fn marshal(pres: &PresC, options: &Options, after: &mut dyn FnMut(&str, &Plan)) -> File {
    let encoding = encodings::Xdr { strict: pres.strict_enumerations };
    let plan = lower::lower(pres, &encoding, pres.strict_enumerations);
    after("lower", &plan);
    let plan = passes::optimize(plan, &options.no_opt, after);
    from_plan(&plan, pres, options)
}

/// The file that a finished plan stands for.
pub fn from_plan(plan: &Plan, pres: &PresC, options: &Options) -> File {
    let mut reserved = declared_names(&pres.header);
    // Where PRES was read back there is no header to ask.
    reserved.extend(plan.order.iter().cloned());
    reserved.extend(names_of_others(pres));
    let emit_options = emit::Options { prologue: pres.prologue.clone(), reserved, max_depth: options.max_depth };
    emit::emit(plan, &emit_options)
}

/// Types and routines that the user's own headers declare.
fn names_of_others(pres: &PresC) -> Vec<String> {
    let mut names = Vec::new();
    for (_, node) in pres.nodes.iter() {
        if let Pres::External { routine } = &node.pres {
            names.extend([routine.clone(), cast::print_type(&node.ty)]);
        }
    }
    names
}

/// Names that a header gives a meaning, so that no local variable may hide it.
fn declared_names(header: &[Declaration]) -> BTreeSet<String> {
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
                Declaration::Conditional(conditional) => {
                    visit(&conditional.then, names);
                    visit(&conditional.otherwise, names);
                }
                Declaration::ExternC(inner) => visit(inner, names),
                _ => {}
            }
        }
    }
    let mut names = BTreeSet::new();
    visit(header, &mut names);
    names
}
