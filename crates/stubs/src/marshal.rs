//! The marshalling file of an interface: PRES_C through PLAN to C, on one screen.

use cast::File;
use pres::PresC;

use crate::plan::Plan;
use crate::tables::{Chosen, Costs, Prefer};
use crate::{by_calls, emit, encodings, lower, passes, reserved, tables};

/// What shapes the marshalling file.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Names of passes that are switched off.
    pub no_opt: Vec<String>,
    /// The depth at which decoding of recursive types fails; `None`: the runtime's 1,000.
    pub max_depth: Option<u32>,
    /// Which types get tables in place of routines.
    pub prefer: Prefer,
}

/// The file of `xdr_T` routines. `after` sees the plan as lowered (`lower`) and after each pass, by name.
pub fn marshal(pres: &PresC, options: &Options, after: &mut dyn FnMut(&str, &Plan)) -> File {
    let encoding = encodings::Xdr { strict: pres.strict_enumerations };
    let plan = lower::lower(pres, &encoding, pres.strict_enumerations);
    after("lower", &plan);
    let plan = passes::optimize(plan, &options.no_opt, after);
    from_plan(plan, pres, options)
}

/// What each type's marshalling is, and about what it costs.
pub fn costs(pres: &PresC, options: &Options) -> Costs {
    let encoding = encodings::Xdr { strict: pres.strict_enumerations };
    let plan = lower::lower(pres, &encoding, pres.strict_enumerations);
    let plan = passes::optimize(plan, &options.no_opt, &mut |_, _| ());
    tables::costs(&tables::choose(plan, pres, &encoding, options.prefer), pres)
}

/// The file that a finished plan stands for.
pub fn from_plan(plan: Plan, pres: &PresC, options: &Options) -> File {
    let encoding = encodings::Xdr { strict: pres.strict_enumerations };
    let Chosen { plan, tables, .. } = tables::choose(plan, pres, &encoding, options.prefer);
    let mut reserved = reserved::names(pres);
    reserved.extend(plan.order.iter().cloned());
    let emit_options = emit::Options {
        prologue: pres.prologue.clone(),
        lines: pres.lines.clone(),
        macros: reserved::macros(pres),
        declared: reserved::declared(pres),
        by_calls: by_calls::routines(pres, &reserved),
        reserved,
        max_depth: options.max_depth,
        tables,
        conventions: emit::Conventions {
            managed_release: pres.managed_release.clone(),
            ..emit::Conventions::default()
        },
        ..emit::Options::default()
    };
    emit::emit(&plan, &emit_options)
}
