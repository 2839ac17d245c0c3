//! Static variables and functions of the general code that residual code shares with it, by names of their own.
//!
//! In: a program. Out: the same, in which what cannot be copied is external and has another name, and a list of these. The unit that
//! defines them is compiled with a line for each that gives it the name (GNU C's `alias`). A function's own static variables
//! have no name at the end of their unit, and stay where they are.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{FunctionId, GlobalId, Linkage, Program};

use crate::linkage::{Link, Units, plain};

/// One that is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shared {
    /// The unit that defines it, by its number.
    pub unit: usize,
    /// Its name there.
    pub name: String,
    /// Its name for others.
    pub alias: String,
}

/// Gives what residual code cannot have a copy of a name; `stem` gives each unit's part of the names.
pub fn share(program: &mut Program, stem: &dyn Fn(usize) -> String) -> Vec<Shared> {
    let units: BTreeSet<usize> = program.functions.values().filter_map(|function| function.unit).collect();
    let beside: BTreeSet<usize> = units.into_iter().filter(|unit| *unit != 0).collect();
    let mut names = Names { stem, taken: names(program), shared: Vec::new() };
    // What uses a variable that is shared can be copied.
    names.objects(program, &beside);
    names.functions(program, &beside);
    names.objects(program, &beside);
    names.shared
}

fn names(program: &Program) -> BTreeSet<String> {
    let functions = program.functions.values().map(|function| function.name.clone());
    functions.chain(program.globals.values().map(|global| global.name.clone())).collect()
}

struct Names<'s> {
    stem: &'s dyn Fn(usize) -> String,
    taken: BTreeSet<String>,
    shared: Vec<Shared>,
}

impl Names<'_> {
    fn objects(&mut self, program: &mut Program, beside: &BTreeSet<usize>) {
        let link = Link::of(program, beside);
        let units: BTreeMap<GlobalId, usize> = Units::of(program).objects;
        for id in link.objects.into_keys() {
            let global = &mut program.globals[id];
            if let (Some(unit), None, false) = (units.get(&id), global.scope, global.thread_local) {
                global.name = self.add(*unit, &global.name);
                global.linkage = Linkage::External;
                // Others define it.
                global.initial = global.initial.take().filter(|_| global.constant);
            }
        }
    }

    fn functions(&mut self, program: &mut Program, beside: &BTreeSet<usize>) {
        let link = Link::of(program, beside);
        let found: Vec<FunctionId> = link.functions.into_keys().collect();
        for id in found {
            let function = &mut program.functions[id];
            if let Some(unit) = function.unit {
                function.name = self.add(unit, &function.name);
                function.linkage = Linkage::External;
                function.inline = false;
            }
        }
    }

    /// A name that nothing else has.
    fn add(&mut self, unit: usize, name: &str) -> String {
        let name = plain(name).to_owned();
        let wanted = format!("whittle_{}_{name}", (self.stem)(unit));
        let numbered = (2..).map(|number| format!("{wanted}_{number}"));
        let alias = std::iter::once(wanted.clone()).chain(numbered).find(|name| !self.taken.contains(name));
        let alias = alias.unwrap_or(wanted);
        self.taken.insert(alias.clone());
        self.shared.push(Shared { unit, name, alias: alias.clone() });
        alias
    }
}
