//! Types that contain themselves through arms of unions. In: definitions that name each other. Out: those arms marked
//! ([`Type::Recursive`]), so that whoever lays values out in memory sees where they need a way around.
//!
//! The RPC language lets a union's arm hold, by value, what holds the union; public ledger protocols describe conditions and trees
//! so. Messages are those of any other arm. Components by Tarjan (SIAM J. Computing 1, 1972), on a stack of its own: chains of
//! definitions may be as long as the file.

use std::collections::{BTreeMap, BTreeSet};

use la_arena::ArenaMap;

use crate::cycles::value_uses;
use crate::{Aoi, DefinitionId, DefinitionKind, Structure, Type, Union};

/// Marks the arms that lead back to their own definition. Arrays stay as they are: C has none of what is not yet known.
pub fn mark_recursive_arms(aoi: &mut Aoi) {
    let components = components(aoi);
    let mut marked = Vec::new();
    for (id, own) in components.iter() {
        let leads_back = |ty: &Type| match ty {
            Type::Named(held) if components.get(*held) == Some(own) => {
                // Without the names that an alias gives: C knows pointers to structures alone before it knows what they lead to.
                let held = aoi.definitions.last_name(*held);
                (!matches!(aoi.definitions[held].kind, DefinitionKind::Alias(_))).then_some(held)
            }
            _ => None,
        };
        let mut kind = aoi.definitions[id].kind.clone();
        match &mut kind {
            DefinitionKind::Structure(structure) => in_structure(structure, &leads_back),
            DefinitionKind::Union(union) => in_union(union, &leads_back),
            _ => {}
        }
        marked.push((id, kind));
    }
    for (id, kind) in marked {
        aoi.definitions[id].kind = kind;
    }
}

fn in_structure(structure: &mut Structure, leads_back: &impl Fn(&Type) -> Option<DefinitionId>) {
    structure.fields.iter_mut().for_each(|field| in_type(&mut field.ty, leads_back));
}

fn in_union(union: &mut Union, leads_back: &impl Fn(&Type) -> Option<DefinitionId>) {
    let cases = union.cases.iter_mut().chain(union.default.as_deref_mut());
    for body in cases.filter_map(|case| case.body.as_mut()) {
        if let Some(held) = leads_back(&body.ty) {
            body.ty = Type::Recursive(Box::new(Type::Named(held)));
        } else {
            in_type(&mut body.ty, leads_back);
        }
    }
}

/// A type without a name inside a definition.
fn in_type(ty: &mut Type, leads_back: &impl Fn(&Type) -> Option<DefinitionId>) {
    match ty {
        Type::Structure(structure) => in_structure(structure, leads_back),
        Type::Union(union) => in_union(union, leads_back),
        _ => {}
    }
}

/// Of endless definitions some that contain each other, the last the first.
pub(crate) fn circle(aoi: &Aoi, endless: &BTreeSet<DefinitionId>) -> Option<Vec<DefinitionId>> {
    // Each uses another that is endless, too: whoever follows them comes back.
    let mut path = vec![*endless.first()?];
    let mut places = BTreeMap::new();
    while let Some(at) = path.last().copied() {
        if let Some(first) = places.insert(at, path.len() - 1) {
            path.pop();
            return Some(path.split_off(first));
        }
        let next = value_uses(aoi, at, true).into_iter().rev().find(|used| endless.contains(used));
        path.push(next?);
    }
    None
}

/// The definitions no value of which ends, though unions choose: each arm leads back.
pub(crate) fn endless(aoi: &Aoi) -> BTreeSet<DefinitionId> {
    let mut users: ArenaMap<DefinitionId, Vec<DefinitionId>> = ArenaMap::default();
    let mut endless = BTreeSet::new();
    for (id, _) in aoi.definitions.iter() {
        endless.insert(id);
        for used in value_uses(aoi, id, true) {
            users.entry(used).or_default().push(id);
        }
    }
    let mut open = endless.clone();
    while !open.is_empty() {
        let ended: Vec<DefinitionId> = open.iter().copied().filter(|id| ends(aoi, *id, &endless)).collect();
        ended.iter().for_each(|id| _ = endless.remove(id));
        let users = ended.iter().filter_map(|id| users.get(*id)).flatten();
        open = users.copied().filter(|id| endless.contains(id)).collect();
    }
    endless
}

fn ends(aoi: &Aoi, id: DefinitionId, endless: &BTreeSet<DefinitionId>) -> bool {
    match &aoi.definitions[id].kind {
        DefinitionKind::Alias(ty) => type_ends(ty, endless),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter().all(|field| type_ends(&field.ty, endless))
        }
        DefinitionKind::Union(union) => union_ends(union, endless),
        _ => true,
    }
}

fn type_ends(ty: &Type, endless: &BTreeSet<DefinitionId>) -> bool {
    match ty {
        Type::Named(id) => !endless.contains(id),
        Type::Array { element, .. } | Type::Recursive(element) => type_ends(element, endless),
        Type::Structure(structure) => structure.fields.iter().all(|field| type_ends(&field.ty, endless)),
        Type::Union(union) => union_ends(union, endless),
        _ => true,
    }
}

fn union_ends(union: &Union, endless: &BTreeSet<DefinitionId>) -> bool {
    let cases = union.cases.iter().chain(union.default.as_deref());
    cases.map(|case| &case.body).any(|body| body.as_ref().is_none_or(|body| type_ends(&body.ty, endless)))
}

/// A number for each definition that contains itself by value: the same where each contains the other.
fn components(aoi: &Aoi) -> ArenaMap<DefinitionId, usize> {
    let mut search = Search::default();
    for (start, _) in aoi.definitions.iter() {
        if search.order.get(start).is_some() {
            continue;
        }
        let mut path = vec![search.enter(aoi, start)];
        while let Some((current, open)) = path.last_mut() {
            let current = *current;
            match open.pop() {
                Some(next) => match (search.order.get(next), search.on_stack.contains(&next)) {
                    (None, _) => path.push(search.enter(aoi, next)),
                    (Some(&seen), true) => search.lower(current, seen),
                    (Some(_), false) => {}
                },
                None => {
                    path.pop();
                    search.leave(aoi, current);
                    if let Some((around, _)) = path.last() {
                        search.lower(*around, search.lowest[current]);
                    }
                }
            }
        }
    }
    search.components
}

#[derive(Default)]
struct Search {
    entered: usize,
    order: ArenaMap<DefinitionId, usize>,
    lowest: ArenaMap<DefinitionId, usize>,
    stack: Vec<DefinitionId>,
    on_stack: BTreeSet<DefinitionId>,
    components: ArenaMap<DefinitionId, usize>,
}

impl Search {
    fn enter(&mut self, aoi: &Aoi, id: DefinitionId) -> (DefinitionId, Vec<DefinitionId>) {
        self.order.insert(id, self.entered);
        self.lowest.insert(id, self.entered);
        self.entered += 1;
        self.stack.push(id);
        self.on_stack.insert(id);
        (id, value_uses(aoi, id, false))
    }

    fn lower(&mut self, id: DefinitionId, to: usize) {
        self.lowest[id] = self.lowest[id].min(to);
    }

    fn leave(&mut self, aoi: &Aoi, id: DefinitionId) {
        if self.lowest[id] != self.order[id] {
            return;
        }
        let first = self.stack.iter().rposition(|on| *on == id).unwrap_or(0);
        let members = self.stack.split_off(first);
        members.iter().for_each(|member| _ = self.on_stack.remove(member));
        let number = self.order[id];
        if members.len() > 1 || value_uses(aoi, id, false).contains(&id) {
            members.into_iter().for_each(|member| _ = self.components.insert(member, number));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles;

    /// The text with its arms marked, and how many cycles are at fault.
    fn marked(form: &str) -> (String, usize) {
        let (mut aoi, problems) = crate::text::parse(form);
        assert_eq!(problems, []);
        mark_recursive_arms(&mut aoi);
        (crate::text::print(&aoi), cycles(&aoi).len())
    }

    #[test]
    fn arms_that_lead_back_are_marked() {
        let (text, cycles) = marked(
            "(union value (switch (kind int32)) (case (0) void) (case (1) (v pair)))\n\
             (struct pair (a value) (b value))\n(union other (switch (kind int32)) (case (1) (v value)))",
        );
        assert_eq!(text.matches("(recursive pair)").count(), 1, "{text}");
        assert_eq!((text.matches("recursive").count(), cycles), (1, 0), "{text}");
    }

    #[test]
    fn aliases_of_what_leads_back_may_stand_anywhere() {
        let alias = "(alias again pair)\n(alias other again)\n";
        let rest =
            "(union value (switch (kind int32)) (case (0) void) (case (1) (v other)))\n(struct pair (a value))\n";
        for form in [format!("{alias}{rest}"), format!("{rest}{alias}")] {
            let (text, cycles) = marked(&form);
            assert!(text.contains("(recursive pair)") && cycles == 0, "{text}");
        }
    }

    #[test]
    fn what_never_ends_is_at_fault() {
        let (text, cycles) = marked("(union value (switch (kind int32)) (case (1) (v value)))");
        assert_eq!(cycles, 1, "{text}");
        let two = "(union one (switch (kind int32)) (case (1) (v two)))\n(struct two (v one))";
        assert_eq!(marked(two).1, 1);
        // C has no array of what contains it.
        let array = "(union one (switch (kind int32)) (case (0) void) (case (1) (v (array one 2))))";
        assert_eq!(marked(array).1, 1);
    }
}
