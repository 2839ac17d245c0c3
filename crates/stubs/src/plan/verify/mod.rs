//! What holds for every PLAN, before and after each pass, whichever passes run.
//!
//! In: a plan and its encoding. Out: a finding for each rule that is broken. Together the rules prove that the C to
//! come reads and writes no byte of the message that was not checked for, and checks for none that it does not move:
//! streams hand out exactly what is asked for and take nothing back, and buffers end where the message does.

mod alignment;
mod message;
mod names;

use source::Diagnostic;

use super::{Plan, Routine, RoutineId};
use crate::encodings::Encoding;

/// Checks all rules.
pub fn verify(plan: &Plan, encoding: &dyn Encoding) -> Vec<Diagnostic> {
    let mut findings = Findings::default();
    let mut least = message::Least::new(plan, encoding);
    for (id, routine) in &plan.routines {
        findings.routine = format!("{} {}", super::text::direction_word(id.direction), id.name);
        message::verify(&mut least, id, routine, &mut findings);
        alignment::verify(encoding, routine, &mut findings);
        names::verify(plan, id, routine, &mut findings);
    }
    findings.routine.clear();
    names::verify_arenas(plan, &mut findings);
    findings.found
}

/// What was found so far, and where it is being looked.
#[derive(Default)]
struct Findings {
    routine: String,
    found: Vec<Diagnostic>,
}

impl Findings {
    fn add(&mut self, code: &'static str, message: &str) {
        let place = if self.routine.is_empty() { String::new() } else { format!("in `{}`: ", self.routine) };
        self.found.push(Diagnostic::error(code, format!("{place}{message}")));
    }
}
