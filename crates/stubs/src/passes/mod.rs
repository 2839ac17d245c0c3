//! The passes over PLAN, in their order. Each is one file, takes a plan and returns a better one, can be switched off
//! and printed after; all combinations are correct. Source: Flick (PLDI'97) section 3.

mod alignment;
mod bulk_copies;
mod chunks;
mod claims;
mod flatten;
mod hoist_decode_checks;
mod inline;
mod merge_checks;
mod prefetch;
mod recursion;
mod sizes;
mod tail_loops;
mod wide;

pub(crate) use merge_checks::LARGEST_SEGMENT;

use crate::plan::{Direction, Op, Plan};

/// A pass: its name on the command line, what it does in a line, and the function.
#[derive(Clone, Copy)]
pub struct Pass {
    pub name: &'static str,
    pub summary: &'static str,
    pub run: fn(Plan) -> Plan,
    /// The plan would not be complete without it; it cannot be switched off.
    pub required: bool,
}

/// Every pass, in the order in which they run.
pub const PASSES: &[Pass] = &[
    Pass {
        name: "recursion",
        summary: "mark the routines that break cycles of calls",
        run: recursion::recursion,
        required: true,
    },
    Pass {
        name: "inline",
        summary: "put the bodies of routines in place of calls, but for recursive types",
        run: inline::inline,
        required: false,
    },
    Pass {
        name: "tail-loops",
        summary: "marshal linked lists by a loop, on constant stack",
        run: tail_loops::tail_loops,
        required: false,
    },
    Pass {
        name: "alignment",
        summary: "find out what alignments come to, where the position in the message is known",
        run: alignment::alignment,
        required: true,
    },
    Pass {
        name: "bulk-copies",
        summary: "move arrays and structures of words as runs",
        run: bulk_copies::bulk_copies,
        required: false,
    },
    Pass { name: "flatten", summary: "dissolve aggregates", run: flatten::flatten, required: true },
    Pass {
        name: "merge-checks",
        summary: "check once for each stretch of fixed size, and once for many rounds of a loop",
        run: merge_checks::merge_checks,
        required: false,
    },
    Pass {
        name: "hoist-decode-checks",
        summary: "check before a union for what all its arms need",
        run: hoist_decode_checks::hoist_decode_checks,
        required: false,
    },
    Pass {
        name: "chunks",
        summary: "access stretches of fixed layout at constant offsets",
        run: chunks::chunks,
        required: false,
    },
    Pass {
        name: "prefetch",
        summary: "tell the cache what a loop over large items touches next",
        run: prefetch::prefetch,
        required: false,
    },
    Pass {
        name: "wide",
        summary: "give loops over texts and short runs a version for wide vectors",
        run: wide::wide,
        required: false,
    },
    Pass {
        name: "claims",
        summary: "let bytes of the message back no storage twice",
        run: claims::claims,
        required: true,
    },
    Pass {
        name: "depth",
        summary: "mark the routines whose depth is counted",
        run: recursion::recursion,
        required: true,
    },
];

/// Runs the passes, but for those that are switched off; `after` sees the plan after each.
pub fn optimize(plan: Plan, off: &[String], after: &mut dyn FnMut(&str, &Plan)) -> Plan {
    PASSES.iter().filter(|pass| pass.required || !off.iter().any(|name| name == pass.name)).fold(plan, |plan, pass| {
        let plan = (pass.run)(plan);
        after(pass.name, &plan);
        plan
    })
}

/// The plan with the bodies of routines replaced.
fn map_bodies(mut plan: Plan, change: &mut dyn FnMut(Direction, Vec<Op>) -> Vec<Op>) -> Plan {
    for (id, routine) in &mut plan.routines {
        routine.body = change(id.direction, std::mem::take(&mut routine.body));
        routine.body.shrink_to_fit();
    }
    plan
}
