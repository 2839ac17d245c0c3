//! What routines of messages that are memory have in common, whatever the encoding: no entries that streams call, no object
//! that says who owns a pointer, and no more routines than those that are wanted need. In: PRES_C, an encoding. Out: a
//! finished plan, and its routines.

use std::collections::BTreeSet;

use pres::PresC;

use crate::emit::names::Functions;
use crate::emit::{Conventions, Family};
use crate::encodings::Encoding;
use crate::plan::references::needed;
use crate::plan::{Op, Plan, RoutineId};
use crate::{emit, lower, passes};

/// What is marshalled, and how.
pub(crate) struct Message<'a> {
    pub(crate) pres: &'a PresC,
    pub(crate) encoding: &'a dyn Encoding,
    pub(crate) family: Family,
    pub(crate) strict: bool,
    pub(crate) is_wanted: &'a dyn Fn(&RoutineId) -> bool,
}

impl Message<'_> {
    /// The finished plan; routines begin at a position of the message that is a multiple of their `phase`.
    pub(crate) fn plan(
        &self,
        phase: &dyn Fn(&RoutineId) -> u64,
        no_opt: &[String],
        after: &mut dyn FnMut(&str, &Plan),
    ) -> Plan {
        let mut plan = lower::lower(self.pres, self.encoding, self.strict);
        for (id, routine) in &mut plan.routines {
            routine.entry.clear();
            routine.body = without_owners(std::mem::take(&mut routine.body));
            routine.entry_phase = phase(id);
            routine.is_internal = !(self.is_wanted)(id);
        }
        after("lower", &plan);
        needed(passes::optimize(plan, no_opt, after), self.is_wanted)
    }

    /// The routines of a finished plan; nothing in them has one of the `reserved` names.
    pub(crate) fn routines(
        &self,
        plan: &Plan,
        functions: &Functions,
        reserved: &BTreeSet<String>,
        exported: bool,
    ) -> emit::Routines {
        let order = self.encoding.order();
        let options = emit::Options {
            reserved: reserved.clone(),
            conventions: Conventions {
                order,
                strict: self.strict,
                family: self.family,
                managed_release: self.pres.managed_release.clone(),
            },
            exported,
            ..emit::Options::default()
        };
        emit::routines(plan, &options, functions, self.is_wanted, &mut |_, _| Vec::new())
    }
}

/// What was allocated hangs on the root, which is released on failure: no pointer needs a routine of its own.
pub(crate) fn without_owners(body: Vec<Op>) -> Vec<Op> {
    let without = |op: Op| {
        let mut op = op.map_bodies(&mut without_owners);
        if let Op::Items { storage, .. }
        | Op::Optional { storage, .. }
        | Op::Again { storage, .. }
        | Op::Allocate { storage, .. }
        | Op::External { storage, .. } = &mut op
        {
            storage.owner = None;
        }
        op
    };
    body.into_iter().map(without).collect()
}
