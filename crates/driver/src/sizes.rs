//! What each type's marshalling costs, as text. In: PRES_C and how it is marshalled. Out: a line for each type.

use stubs::marshal;
use stubs::tables::{Cost, Why};

use crate::reading::Reading;
use crate::{Report, Request, options};

/// Adds the sizes of a reading's types, where it has any.
pub(crate) fn of_types(request: &Request, reading: &Reading, report: &mut Report) {
    let Some(pres) = &reading.pres else { return };
    let costs = marshal::costs(pres, &options::marshalling(request));
    let shared = [("(walk of all tables)", costs.walk), ("(what routines call)", costs.helpers)];
    let width = costs.types.iter().map(|cost| cost.name.len()).max().unwrap_or(0).max(shared[0].0.len());
    let mut line = |name: &str, form: &str, ours: &str, rpcgen: &str, why: &str| {
        let line = format!("{name:width$}  {form:16}{ours:>8}{rpcgen:>8}  {why}");
        report.dumps.push_str(line.trim_end());
        report.dumps.push('\n');
    };
    line("estimated, for gcc -O2 on 64 bits", "", "", "", "");
    line("type", "form", "bytes", "rpcgen", "why");
    for cost in &costs.types {
        line(&cost.name, form(cost), &(cost.table + cost.routines).to_string(), &cost.rpcgen.to_string(), why(cost));
    }
    for (name, size) in shared.iter().filter(|(_, size)| *size > 0) {
        line(name, "", &size.to_string(), "", "");
    }
    let ours = costs.types.iter().map(|cost| cost.table + cost.routines).sum::<u64>() + costs.walk + costs.helpers;
    let rpcgen = costs.types.iter().map(|cost| cost.rpcgen).sum::<u64>();
    line("sum", "", &ours.to_string(), &rpcgen.to_string(), "");
}

fn form(cost: &Cost) -> &'static str {
    match (cost.table, cost.routines) {
        (0, _) => "routines",
        (_, 0) => "table",
        _ => "table, routines",
    }
}

fn why(cost: &Cost) -> &'static str {
    match cost.why {
        _ if cost.table > 0 && cost.routines > 0 => "routines of other types call its routines",
        Why::Size => "--prefer size",
        Why::Straight => "no array or list of its own",
        Why::Room => "its array or list would make the file too large",
        Why::Speed => "--prefer speed",
        Why::Strict => "--strict",
        Why::Beyond => "no table says all of it",
        Why::Repeats => "an array or list",
        Why::Few => "tables would not make the file smaller",
    }
}
