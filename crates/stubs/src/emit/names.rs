//! The names of routines and of their variables in C.

use std::collections::{BTreeMap, BTreeSet};

use crate::plan::{Direction, Plan, RoutineId};
use crate::reserved::clear_of;

/// The C functions of routines: `encode_direntry`, `release_direntry__name` for a part of a type.
#[derive(Default)]
pub(crate) struct Functions {
    names: BTreeMap<RoutineId, String>,
}

impl Functions {
    /// Names for the routines behind `xdr_T`, whose name they contain: recipes that give that another ending, so that the routines
    /// of several versions get along in one translation unit, give it to these, too.
    pub(crate) fn of_streams(plan: &Plan, reserved: &BTreeSet<String>) -> Functions {
        Functions::named(plan, reserved, &|id| format!("{}_xdr_{}", verb(id.direction), id.name.replace('.', "__")))
    }

    /// Names for all routines of a plan, no two the same and none that the user's header gives another meaning; all names have
    /// this ending.
    pub(crate) fn ending(plan: &Plan, reserved: &BTreeSet<String>, ending: &str) -> Functions {
        Functions::around(plan, reserved, "", ending)
    }

    /// The same, with a beginning, too.
    pub(crate) fn around(plan: &Plan, reserved: &BTreeSet<String>, beginning: &str, ending: &str) -> Functions {
        Functions::named(plan, reserved, &|id| format!("{beginning}{}{ending}", usual_name(id)))
    }

    fn named(plan: &Plan, reserved: &BTreeSet<String>, usual: &dyn Fn(&RoutineId) -> String) -> Functions {
        let mut taken = reserved.clone();
        let mut names = BTreeMap::new();
        for id in plan.routines.keys() {
            let usual = usual(id);
            let name = clear_of(&usual, |name| taken.contains(name));
            taken.insert(name.clone());
            names.insert(id.clone(), name);
        }
        Functions { names }
    }

    /// These, and the others for routines that have none here.
    pub(crate) fn or(mut self, others: &Functions) -> Functions {
        for (id, name) in &others.names {
            self.names.entry(id.clone()).or_insert_with(|| name.clone());
        }
        self
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = &str> {
        self.names.values().map(String::as_str)
    }

    /// The function of a routine.
    pub(crate) fn name(&self, id: &RoutineId) -> String {
        self.names.get(id).cloned().unwrap_or_else(|| usual_name(id))
    }
}

fn usual_name(id: &RoutineId) -> String {
    format!("{}_{}", verb(id.direction), id.name.replace('.', "__"))
}

/// What the names of a direction's functions begin with.
pub(super) fn verb(direction: Direction) -> &'static str {
    match direction {
        Direction::Encode => "encode",
        Direction::Decode => "decode",
        Direction::Release => "release",
    }
}

/// A variable's name, changed where the user's header gives it another meaning.
pub(crate) fn variable(name: &str, reserved: &BTreeSet<String>) -> String {
    clear_of(name, |name| reserved.contains(name))
}
