//! Operations whose results stay in the reply. In: AOI whose values have their forms. Out: marks, and findings: what comes
//! in and goes out again is the caller's own, and an exception is distinguished from results only when all of the reply was read.

use std::collections::BTreeMap;

use aoi::{Aoi, Direction, Operation};
use source::{Diagnostic, Span};

use super::places::{self, Place};
use super::statements::Form;
use super::{Defaults, errors, form_in, marks};
use crate::plain::c_types::holds_storage;

/// Marks them.
pub(super) fn lend(aoi: &mut Aoi, formed: &BTreeMap<Place, (Form, Span)>, defaults: &Defaults) -> Vec<Diagnostic> {
    let mut findings = Vec::new();
    let mut items = std::mem::take(&mut aoi.items);
    for (at, interface) in places::interfaces_mut(&mut items).into_iter().enumerate() {
        let usual = form_in(&defaults.results, &interface.origin);
        for (which, operation) in interface.operations.iter_mut().enumerate() {
            let said = formed.get(&Place::Operation(at, which));
            let why_not = why_not(aoi, operation);
            match (said, usual) {
                (Some((Form::Lent, span)), _) if why_not.is_some() => {
                    let what = format!("what `{}` answers", operation.name);
                    findings.push(errors::misfit(*span, Form::Lent.word(), &what, why_not.unwrap_or_default()));
                }
                (Some((form, span)), _) if !form.is_of_results() => {
                    let what = format!("what `{}` answers", operation.name);
                    findings.push(errors::misfit(*span, form.word(), &what, "an operation is `allocated` or `lent`"));
                }
                (Some((Form::Lent, _)), _) => marks::set_lent(operation),
                (None, Some(Form::Lent)) if why_not.is_none() => marks::set_lent(operation),
                _ => {}
            }
        }
    }
    aoi.items = items;
    findings
}

/// Why an operation's results cannot stay in the reply.
fn why_not(aoi: &Aoi, operation: &Operation) -> Option<&'static str> {
    let out = operation.parameters.iter().filter(|of| of.direction != Direction::In).map(|of| &of.ty);
    if operation.parameters.iter().any(|of| of.direction == Direction::InOut) {
        Some("what goes in and comes back is the caller's own")
    } else if !operation.raises.is_empty() {
        Some("exceptions are distinguished from results only behind the reply: this is for operations that raise none")
    } else if !out.chain([&operation.result]).any(|ty| holds_storage(aoi, ty)) {
        Some("its results hold nothing that is allocated")
    } else {
        None
    }
}
