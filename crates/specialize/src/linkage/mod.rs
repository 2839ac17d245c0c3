//! What belongs to the unit that defines it: residual code stands beside the general code, and must not bring a second
//! copy of its state.
//!
//! In: a program, and the units that are linked beside the residual code. Out: functions that are called as they stand,
//! with why, and static functions and objects that residual code cannot name. A static object that somebody changes has
//! one copy, in its own unit; so has what is compared by its address. What only those mention cannot be copied either.
//! Constants and functions whose addresses are not compared may be copied: nobody can tell.

pub(crate) mod identity;
pub(crate) mod sharing;

use std::collections::{BTreeMap, BTreeSet};

use core_c::{
    Access, Callee, Expression, ExpressionKind, Function, FunctionId, GlobalId, Linkage, PlaceBase, Program,
    StatementKind,
};

use crate::linkage::identity::Compared;
use crate::mutation;

/// The link model of one residual program.
#[derive(Debug, Default)]
pub(crate) struct Link {
    /// Functions of other units that are called as they stand, and why.
    pub(crate) stay: BTreeMap<FunctionId, String>,
    pub(crate) functions: BTreeMap<FunctionId, String>,
    pub(crate) objects: BTreeMap<GlobalId, String>,
}

/// What functions and initial values mention.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    pub(crate) objects: BTreeSet<GlobalId>,
    pub(crate) functions: BTreeSet<FunctionId>,
}

impl Link {
    /// The model where these units are compiled beside the residual code.
    pub(crate) fn of(program: &Program, beside: &BTreeSet<usize>) -> Link {
        let mut link = Link::default();
        if beside.is_empty() || mutation::forgets("link") {
            return link;
        }
        let units = Units::of(program);
        let is_beside = |unit: Option<usize>| unit.is_some_and(|unit| beside.contains(&unit));
        let changed = changed(program, &units);
        let compared = Compared::of(program);
        for (id, global) in program.globals.iter() {
            let is_static = global.linkage == Linkage::Internal && global.literal.is_none();
            if !is_static || !is_beside(units.objects.get(&id).copied()) {
                continue;
            }
            let why = if changed.contains(&id) && !global.constant {
                "a static variable that the general code changes, too"
            } else if global.thread_local {
                "a static variable that each thread has for itself"
            } else if compared.has_object(id) {
                "static, and compared by its address"
            } else {
                continue;
            };
            link.objects.insert(id, format!("`{}`, which is {why}", plain(&global.name)));
        }
        for (id, function) in program.functions.iter().filter(|(_, function)| is_beside(function.unit)) {
            if function.linkage != Linkage::Internal {
                continue;
            }
            if let Some(reason) = &function.refused {
                link.functions
                    .insert(id, format!("`{}`, which is static and not modelled: {reason}", plain(&function.name)));
            } else if compared.has_function(id) {
                let why = format!("`{}`, which is static, and compared by its address", plain(&function.name));
                link.functions.insert(id, why);
            }
        }
        link.close(program, &units, &is_beside);
        link
    }

    /// Adds what mentions something that cannot be copied.
    fn close(&mut self, program: &Program, units: &Units, is_beside: &dyn Fn(Option<usize>) -> bool) {
        loop {
            let before = self.functions.len() + self.objects.len() + self.stay.len();
            for (id, global) in program.globals.iter() {
                let is_static = global.linkage == Linkage::Internal && global.literal.is_none();
                if is_static && is_beside(units.objects.get(&id).copied()) && !self.objects.contains_key(&id) {
                    let why = self.first_of(&Mentions::of_object(program, id));
                    self.objects.extend(why.map(|why| (id, why)));
                }
            }
            for (id, function) in program.functions.iter().filter(|(_, function)| is_beside(function.unit)) {
                if self.stay.contains_key(&id) {
                    continue;
                }
                let Some(why) = self.first_of(&units.mentions[&id]) else { continue };
                self.stay.insert(id, format!("it uses {why}"));
                if function.linkage == Linkage::Internal {
                    self.functions.insert(id, why);
                }
            }
            if self.functions.len() + self.objects.len() + self.stay.len() == before {
                return;
            }
        }
    }

    fn first_of(&self, mentions: &Mentions) -> Option<String> {
        let object = mentions.objects.iter().find_map(|id| self.objects.get(id));
        object.or_else(|| mentions.functions.iter().find_map(|id| self.functions.get(id))).cloned()
    }

    /// True where residual code can name it, or a copy of it does.
    pub(crate) fn may_name(&self, value: &Expression) -> bool {
        !value.any(&mut |part| match &part.kind {
            ExpressionKind::Function(function) => self.functions.contains_key(function),
            ExpressionKind::Address(place) => {
                matches!(place.base, PlaceBase::Global(global) if self.objects.contains_key(&global))
            }
            _ => false,
        })
    }

    /// How much cannot be copied.
    pub(crate) fn size(&self) -> usize {
        self.functions.len() + self.objects.len()
    }
}

/// Units of static objects, which the program does not say, and what each function mentions.
pub(crate) struct Units {
    pub(crate) objects: BTreeMap<GlobalId, usize>,
    mentions: BTreeMap<FunctionId, Mentions>,
}

impl Units {
    pub(crate) fn of(program: &Program) -> Units {
        let mut units = Units { objects: BTreeMap::new(), mentions: BTreeMap::new() };
        for (id, function) in program.functions.iter() {
            let mentions = Mentions::of_function(function);
            if let Some(unit) = function.unit {
                for object in &mentions.objects {
                    units.objects.entry(*object).or_insert(unit);
                }
            }
            units.mentions.insert(id, mentions);
        }
        // What an initial value alone mentions is in the unit of that object.
        let mut waiting: Vec<GlobalId> = units.objects.keys().copied().collect();
        while let Some(object) = waiting.pop() {
            let unit = units.objects[&object];
            for other in Mentions::of_object(program, object).objects {
                if let std::collections::btree_map::Entry::Vacant(place) = units.objects.entry(other) {
                    place.insert(unit);
                    waiting.push(other);
                }
            }
        }
        units
    }
}

impl Mentions {
    pub(crate) fn of_function(function: &Function) -> Mentions {
        let mut found = Mentions::default();
        for block in function.blocks.values() {
            for statement in &block.statements {
                for (_, place) in statement.kind.places() {
                    found.base(&place.base);
                }
                if let StatementKind::Call { callee: Callee::Function(callee), .. } = &statement.kind {
                    found.functions.insert(*callee);
                }
                statement.kind.expressions().into_iter().for_each(|value| found.value(value));
            }
            block.end.place().into_iter().for_each(|place| found.base(&place.base));
            block.end.expressions().into_iter().for_each(|value| found.value(value));
        }
        found
    }

    pub(crate) fn of_object(program: &Program, object: GlobalId) -> Mentions {
        let mut found = Mentions::default();
        program.globals[object].initial.iter().flatten().for_each(|part| found.value(&part.value));
        found
    }

    fn value(&mut self, value: &Expression) {
        value.walk(&mut |part| {
            part.place().into_iter().for_each(|place| self.base(&place.base));
            if let ExpressionKind::Function(function) = &part.kind {
                self.functions.insert(*function);
            }
        });
    }

    fn base(&mut self, base: &PlaceBase) {
        if let PlaceBase::Global(global) = base {
            self.objects.insert(*global);
        }
    }
}

/// Objects that somebody may change: written by their names, or with an address that somebody has. Where a unit has code
/// that is not modelled, that may change all of the unit's.
fn changed(program: &Program, units: &Units) -> BTreeSet<GlobalId> {
    let mut found = BTreeSet::new();
    let mut look = |value: &Expression| {
        value.walk(&mut |part| {
            if let ExpressionKind::Address(place) = &part.kind
                && let PlaceBase::Global(global) = place.base
            {
                found.insert(global);
            }
        });
    };
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
        statements.chain(block.end.expressions()).for_each(&mut look);
    }
    program.globals.values().flat_map(|global| global.initial.iter().flatten()).for_each(|part| look(&part.value));
    for block in program.functions.values().flat_map(|function| function.blocks.values()) {
        let places = block.statements.iter().flat_map(|statement| statement.kind.places());
        found.extend(places.filter_map(|(access, place)| match place.base {
            PlaceBase::Global(global) if access == Access::Write => Some(global),
            _ => None,
        }));
    }
    let unmodelled: BTreeSet<usize> =
        program.functions.values().filter(|function| is_unmodelled(function)).filter_map(|one| one.unit).collect();
    found.extend(units.objects.iter().filter(|(_, unit)| unmodelled.contains(unit)).map(|(object, _)| *object));
    found
}

/// True for a function with code that only its text describes.
fn is_unmodelled(function: &Function) -> bool {
    let is_text = |value: &&Expression| value.any(&mut |part| matches!(part.kind, ExpressionKind::Opaque { .. }));
    function.refused.is_some()
        || function.blocks.values().any(|block| {
            block.statements.iter().any(|statement| {
                matches!(statement.kind, StatementKind::Assembly { .. })
                    || statement.kind.expressions().iter().any(&is_text)
            }) || block.end.expressions().iter().any(&is_text)
        })
}

/// True where the program calls a function or has its address, as far as it can be seen.
pub(crate) fn mentions(program: &Program, name: &str) -> bool {
    let Some((id, _)) = program.functions.iter().find(|(_, function)| function.name == name) else { return false };
    let in_text =
        &mut |part: &Expression| matches!(&part.kind, ExpressionKind::Opaque { text, .. } if text.contains(name));
    let mut in_code = program.functions.values().map(|function| {
        let statements = function.blocks.values().flat_map(|block| {
            let statements = block.statements.iter().flat_map(|statement| statement.kind.expressions());
            statements.chain(block.end.expressions())
        });
        function.names.contains(name)
            || Mentions::of_function(function).functions.contains(&id)
            || statements.into_iter().any(|value| value.any(in_text))
    });
    in_code.any(|found| found)
        || program.globals.iter().any(|(global, _)| Mentions::of_object(program, global).functions.contains(&id))
}

/// The units that are linked beside the residual code of a root: all but the scenario's and the root's own.
pub(crate) fn beside(program: &Program, root: FunctionId) -> BTreeSet<usize> {
    let own = own(program, root);
    program.functions.values().filter_map(|function| function.unit).filter(|unit| !own.contains(unit)).collect()
}

fn own(program: &Program, root: FunctionId) -> BTreeSet<usize> {
    [0].into_iter().chain(program.functions[root].unit).collect()
}

/// Where residual code may come to, by calls and by addresses, beyond what it has copies of.
#[derive(Debug, Default)]
pub(crate) struct Reached {
    pub(crate) units: BTreeSet<usize>,
    /// The root is called again, by its name.
    pub(crate) root: bool,
}

pub(crate) fn reached(program: &Program, root: FunctionId, made: &[FunctionId], hooks: &[FunctionId]) -> Reached {
    let own = own(program, root);
    let (mut functions, mut objects) = (BTreeSet::new(), BTreeSet::new());
    let (mut waiting, mut found) = ([made, hooks].concat(), Reached::default());
    while let Some(id) = waiting.pop() {
        let function = &program.functions[id];
        if !functions.insert(id) {
            continue;
        }
        if function.linkage == Linkage::External && !made.contains(&id) {
            found.units.extend(function.unit.filter(|unit| !own.contains(unit)));
        }
        let mut mentions = Mentions::of_function(function);
        while let Some(object) = mentions.objects.pop_first() {
            if objects.insert(object) {
                let more = Mentions::of_object(program, object);
                mentions.objects.extend(more.objects);
                mentions.functions.extend(more.functions);
            }
        }
        found.root |= mentions.functions.contains(&root);
        waiting.extend(mentions.functions);
    }
    found
}

pub(crate) fn plain(name: &str) -> &str {
    name.split('@').next().unwrap_or(name)
}
