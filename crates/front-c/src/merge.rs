//! The types of several units as one table: types that mean the same are one type.
//!
//! Two types mean the same when they have the same name, the same layout, and parts that mean the same; where parts
//! lead back to the whole, they do if nothing speaks against it (the greatest such relation). A record that is
//! incomplete in one unit is whatever record of its tag another unit has.

use std::collections::{BTreeMap, BTreeSet};

use cast::{
    EnumerationLayout, FieldLayout, Layout, NameOf, Target, Type, TypeDeclaration, TypeTable, Typedef, array_length,
    rename_type,
};

use crate::link::base;

/// From the provisional names of a unit to the program's.
#[derive(Default)]
pub(crate) struct Names {
    pub(crate) typedefs: BTreeMap<String, String>,
    pub(crate) tags: BTreeMap<String, String>,
}

/// Pairs of a unit's name and a program's that were taken to mean the same.
type Pairs = BTreeMap<(NameOf, String), String>;

/// The program's types so far.
pub(crate) struct Merger {
    types: TypeTable,
    /// Names in use, by what they are for and by their base.
    used: BTreeMap<(NameOf, String), Vec<String>>,
    order: u32,
}

impl Merger {
    pub(crate) fn new(target: Target) -> Self {
        Merger { types: TypeTable { target, ..TypeTable::default() }, used: BTreeMap::new(), order: 0 }
    }

    pub(crate) fn finish(self) -> TypeTable {
        self.types
    }

    /// Adds the types of a unit; returns what they are called.
    pub(crate) fn add(&mut self, unit: TypeTable) -> Names {
        let mut known: Pairs = BTreeMap::new();
        let mut fresh: BTreeSet<(NameOf, String)> = BTreeSet::new();
        for (of, name) in in_order(&unit) {
            if known.contains_key(&(of, name.clone())) {
                continue;
            }
            let candidates = self.used.get(&(of, self.key(&unit, of, &name))).cloned().unwrap_or_default();
            let found = candidates.into_iter().find_map(|candidate| {
                let mut attempt = Attempt { unit: &unit, program: &self.types, known: &known, pairs: Pairs::new() };
                attempt.entity(of, &name, &candidate).then_some(attempt.pairs)
            });
            match found {
                Some(pairs) => known.extend(pairs),
                None => {
                    let new = self.new_name(&unit, of, &name);
                    known.insert((of, name.clone()), new);
                    fresh.insert((of, name));
                }
            }
        }
        self.take(unit, &known, &fresh);
        let mut names = Names::default();
        for ((of, name), to) in known {
            let map = if of == NameOf::Typedef { &mut names.typedefs } else { &mut names.tags };
            map.insert(name, to);
        }
        names
    }

    /// What a type is looked for by: its name, or, for an enumeration without one, its first member.
    fn key(&self, unit: &TypeTable, of: NameOf, name: &str) -> String {
        let member = unit.enumerations.get(name).and_then(|layout| layout.members.first());
        match (of, base(name), member) {
            (NameOf::Tag, "", Some((member, _))) => format!("@{member}"),
            (_, base, _) => base.to_owned(),
        }
    }

    fn new_name(&mut self, unit: &TypeTable, of: NameOf, name: &str) -> String {
        let base = base(name).to_owned();
        let all = self.used.entry((of, base.clone())).or_default();
        let new = if all.is_empty() && !base.is_empty() { base.clone() } else { format!("{base}@{}", all.len() + 1) };
        all.push(new.clone());
        let key = self.key(unit, of, name);
        if key != base {
            self.used.entry((of, key)).or_default().push(new.clone());
        }
        new
    }

    /// Takes over what is new, and what completes a record.
    fn take(&mut self, unit: TypeTable, known: &Pairs, fresh: &BTreeSet<(NameOf, String)>) {
        let offset = self.order;
        let mut last = offset;
        let mut placed = |mut declaration: TypeDeclaration| {
            declaration.order = declaration.order.saturating_add(offset);
            last = last.max(declaration.order.saturating_add(1));
            declaration
        };
        let final_name = |of: NameOf, name: &str| known.get(&(of, name.to_owned())).cloned().unwrap_or_default();
        let renamed = |mut ty: Type| {
            rename_type(&mut ty, &mut |of, name| {
                if let Some(to) = known.get(&(of, name.clone())) {
                    name.clone_from(to);
                }
            });
            ty
        };
        for (name, Typedef { ty, declaration }) in unit.typedefs {
            if fresh.contains(&(NameOf::Typedef, name.clone())) {
                let typedef = Typedef { ty: renamed(ty), declaration: placed(declaration) };
                self.types.typedefs.insert(final_name(NameOf::Typedef, &name), typedef);
            }
        }
        for (name, layout) in unit.records {
            let to = final_name(NameOf::Tag, &name);
            let completes = layout.size.is_some() && self.types.records.get(&to).is_none_or(|old| old.size.is_none());
            if fresh.contains(&(NameOf::Tag, name)) || completes {
                let fields =
                    layout.fields.into_iter().map(|field| FieldLayout { ty: renamed(field.ty), ..field }).collect();
                let layout = Layout { fields, declaration: placed(layout.declaration), ..layout };
                self.types.records.insert(to, layout);
            }
        }
        for (name, layout) in unit.enumerations {
            if fresh.contains(&(NameOf::Tag, name.clone())) {
                let layout = EnumerationLayout { declaration: placed(layout.declaration), ..layout };
                self.types.enumerations.insert(final_name(NameOf::Tag, &name), layout);
            }
        }
        self.order = last;
    }
}

/// All types of a unit in the order of their declarations.
fn in_order(unit: &TypeTable) -> Vec<(NameOf, String)> {
    let typedefs = unit.typedefs.iter().map(|(name, typedef)| (typedef.declaration.order, NameOf::Typedef, name));
    let records = unit.records.iter().map(|(name, layout)| (layout.declaration.order, NameOf::Tag, name));
    let enumerations = unit.enumerations.iter().map(|(name, layout)| (layout.declaration.order, NameOf::Tag, name));
    let mut all: Vec<_> = typedefs.chain(records).chain(enumerations).collect();
    all.sort();
    all.into_iter().map(|(_, of, name)| (of, name.clone())).collect()
}

/// The attempt to take a type of a unit for one of the program.
struct Attempt<'a> {
    unit: &'a TypeTable,
    program: &'a TypeTable,
    known: &'a Pairs,
    pairs: Pairs,
}

impl Attempt<'_> {
    fn entity(&mut self, of: NameOf, name: &str, candidate: &str) -> bool {
        let key = (of, name.to_owned());
        if let Some(to) = self.known.get(&key).or_else(|| self.pairs.get(&key)) {
            return to == candidate;
        }
        if base(name) != base(candidate) {
            return false;
        }
        self.pairs.insert(key, candidate.to_owned());
        let (unit, program) = (self.unit, self.program);
        if of == NameOf::Typedef {
            return match (unit.typedefs.get(name), program.typedefs.get(candidate)) {
                (Some(ours), Some(theirs)) => self.same(&ours.ty, &theirs.ty),
                _ => false,
            };
        }
        match (unit.records.get(name), program.records.get(candidate)) {
            (Some(ours), Some(theirs)) => return self.record(ours, theirs),
            (None, None) => {}
            _ => return false,
        }
        match (unit.enumerations.get(name), program.enumerations.get(candidate)) {
            (Some(ours), Some(theirs)) => ours.scalar == theirs.scalar && ours.members == theirs.members,
            _ => false,
        }
    }

    fn record(&mut self, ours: &Layout, theirs: &Layout) -> bool {
        if ours.kind != theirs.kind {
            return false;
        }
        if ours.size.is_none() || theirs.size.is_none() {
            return true;
        }
        let is_alike =
            |(a, b): (&FieldLayout, &FieldLayout)| a.name == b.name && a.offset == b.offset && a.bits == b.bits;
        ours.size == theirs.size
            && ours.alignment == theirs.alignment
            && ours.fields.len() == theirs.fields.len()
            && ours.fields.iter().zip(&theirs.fields).all(is_alike)
            && ours.fields.iter().zip(&theirs.fields).all(|(a, b)| self.same(&a.ty, &b.ty))
    }

    fn same(&mut self, ours: &Type, theirs: &Type) -> bool {
        match (ours, theirs) {
            (Type::Named(a), Type::Named(b)) if base(a) == base(b) => self.entity(NameOf::Typedef, a, b),
            // One unit may say by a typedef what another says without.
            (Type::Named(a), _) => match self.unit.typedefs.get(a) {
                Some(typedef) => self.same(&typedef.ty, theirs),
                None => false,
            },
            (_, Type::Named(b)) => match self.program.typedefs.get(b) {
                Some(typedef) => self.same(ours, &typedef.ty),
                None => false,
            },
            (Type::Tagged(a_kind, a), Type::Tagged(b_kind, b)) => a_kind == b_kind && self.entity(NameOf::Tag, a, b),
            (Type::Pointer(a), Type::Pointer(b)) => self.same(a, b),
            (Type::Qualified(a_qualifiers, a), Type::Qualified(b_qualifiers, b)) => {
                a_qualifiers == b_qualifiers && self.same(a, b)
            }
            (Type::Array(a, a_length), Type::Array(b, b_length)) => {
                let length = |length: &Option<Box<_>>| length.as_deref().and_then(array_length);
                length(a_length) == length(b_length) && self.same(a, b)
            }
            (Type::Function(a), Type::Function(b)) => {
                a.variadic == b.variadic
                    && a.unprototyped == b.unprototyped
                    && a.parameters.len() == b.parameters.len()
                    && self.same(&a.result, &b.result)
                    && a.parameters.iter().zip(&b.parameters).all(|(a, b)| self.same(&a.ty, &b.ty))
            }
            (a, b) => a == b,
        }
    }
}
