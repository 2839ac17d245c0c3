//! The order of C declarations: the file's own, except that what C must know before is declared before.
//!
//! In: AOI items. Out: a flat list; namespaces are gone. The interface language lets a type be used before its
//! declaration; C lets only pointers to structures do so. Programs come last, as in rpcgen's header. A walk depth
//! first, with a stack of its own: chains of types may be as long as the file.

use std::collections::{BTreeMap, BTreeSet};

use aoi::{
    Aoi, DefinitionId, DefinitionKind, Enumeration, Interface, Item, Origin, Structure, Type, Union, Value, Verbatim,
};
use cast::IncludePath;
use escape::Refused;
use source::{Diagnostic, Span};

use crate::errors;

/// One step of the header.
pub(crate) enum Entry<'a> {
    Definition(DefinitionId),
    Interface(&'a Interface),
    Verbatim(&'a Verbatim),
    /// The first item of an included file whose own header declares it.
    Included(Included<'a>),
}

/// An included file, and what its header is called.
#[derive(Clone)]
pub(crate) struct Included<'a> {
    pub(crate) file: &'a str,
    /// `sub/part.h`, where it lies beside the file.
    pub(crate) beside: IncludePath,
    /// `part.h`, where all headers lie in one folder.
    pub(crate) header: IncludePath,
}

impl Included<'_> {
    fn new(file: &str) -> Result<Included<'_>, Refused> {
        let beside = IncludePath::new(format!("{}.h", file.strip_suffix(".x").unwrap_or(file)))?;
        Ok(Included { file, beside, header: crate::header_of(file)? })
    }
}

/// The entries in C's order, the definitions that contain themselves by value, and files that C cannot include.
pub(crate) struct Order<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) endless: Vec<DefinitionId>,
    pub(crate) refused: Vec<Diagnostic>,
}

/// Flattens and orders; `keep_included` treats the items of included files as the main file's.
pub(crate) fn order(aoi: &Aoi, keep_included: bool) -> Order<'_> {
    let mut sorter = Sorter {
        aoi,
        keep_included,
        result: Order { entries: Vec::new(), endless: Vec::new(), refused: Vec::new() },
        done: BTreeSet::new(),
        open: Vec::new(),
        places: BTreeMap::new(),
        endless: BTreeSet::new(),
        files: BTreeSet::new(),
    };
    sorter.items(&aoi.items);
    let (programs, others): (Vec<Entry>, Vec<Entry>) =
        sorter.result.entries.into_iter().partition(|entry| matches!(entry, Entry::Interface(_)));
    let entries = others.into_iter().chain(programs).collect();
    Order { entries, endless: sorter.result.endless, refused: sorter.result.refused }
}

/// Whether a definition is C's to declare in this header.
pub(crate) fn is_imported(origin: &Origin, keep_included: bool) -> bool {
    !keep_included && *origin != Origin::Main
}

struct Sorter<'a> {
    aoi: &'a Aoi,
    keep_included: bool,
    result: Order<'a>,
    done: BTreeSet<DefinitionId>,
    /// What is being ordered now, each because of the one before.
    open: Vec<Open>,
    /// Where each open definition stands in `open`.
    places: BTreeMap<DefinitionId, usize>,
    endless: BTreeSet<DefinitionId>,
    files: BTreeSet<&'a str>,
}

/// A definition whose needs are being ordered.
struct Open {
    id: DefinitionId,
    /// The last place of the stack, up to here, that was not reached by value; all behind it were.
    by_pointer: usize,
    /// What it needs, the next one last.
    needs: Vec<Need>,
}

/// A definition that must come before, and whether a value of it is part of a value of what needs it.
#[derive(Clone, Copy)]
struct Need {
    id: DefinitionId,
    by_value: bool,
}

impl<'a> Sorter<'a> {
    fn items(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Definition(id) => self.definition(*id),
                Item::Interface(interface) => self.interface(interface),
                Item::Module(module) => self.items(&module.items),
                Item::Verbatim(verbatim) if is_imported(&verbatim.origin, self.keep_included) => {
                    self.included(&verbatim.origin, verbatim.span);
                }
                Item::Verbatim(verbatim) => self.result.entries.push(Entry::Verbatim(verbatim)),
            }
        }
    }

    fn included(&mut self, origin: &'a Origin, first: Span) {
        if let Origin::Included(file) = origin
            && self.files.insert(file)
        {
            match Included::new(file) {
                Ok(included) => self.result.entries.push(Entry::Included(included)),
                Err(refused) => self.result.refused.push(errors::not_included(&refused, Some(first))),
            }
        }
    }

    fn interface(&mut self, interface: &'a Interface) {
        if is_imported(&interface.origin, self.keep_included) {
            return self.included(&interface.origin, interface.span);
        }
        self.result.entries.push(Entry::Interface(interface));
    }

    /// Orders a definition and, before it, all that it needs.
    fn definition(&mut self, id: DefinitionId) {
        self.begin(Need { id, by_value: true });
        while let Some(open) = self.open.last_mut() {
            match open.needs.pop() {
                Some(need) => self.begin(need),
                None => self.end(),
            }
        }
    }

    fn begin(&mut self, Need { id, by_value }: Need) {
        let place = self.open.len();
        let last = self.open.last().map_or(0, |open| open.by_pointer);
        let by_pointer = if by_value { last } else { place };
        if let Some(&first) = self.places.get(&id) {
            let all_by_value = by_pointer <= first;
            if (all_by_value || !is_record(self.aoi, id)) && self.endless.insert(id) {
                self.result.endless.push(id);
            }
            return;
        }
        if !self.done.contains(&id) {
            self.places.insert(id, place);
            let mut needs = needs(self.aoi, id);
            needs.reverse();
            self.open.push(Open { id, by_pointer, needs });
        }
    }

    fn end(&mut self) {
        let Some(Open { id, .. }) = self.open.pop() else { return };
        self.places.remove(&id);
        self.done.insert(id);
        let definition = &self.aoi.definitions[id];
        if is_imported(&definition.origin, self.keep_included) {
            self.included(&definition.origin, definition.span);
        }
        self.result.entries.push(Entry::Definition(id));
    }
}

fn is_record(aoi: &Aoi, id: DefinitionId) -> bool {
    matches!(aoi.definitions[id].kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_)) || is_pointer(aoi, id)
}

/// Values of value types are pointers in C, which structures may have before it knows what they lead to.
fn is_pointer(aoi: &Aoi, id: DefinitionId) -> bool {
    matches!(aoi.definitions[id].kind, DefinitionKind::Value(_))
}

/// What C must know before a definition, in the order in which the definition speaks of it.
fn needs(aoi: &Aoi, id: DefinitionId) -> Vec<Need> {
    let mut needs = Needs { aoi, found: Vec::new() };
    match &aoi.definitions[id].kind {
        DefinitionKind::Constant(constant) => needs.value(&constant.value),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => needs.structure(structure, true),
        DefinitionKind::Union(union) => needs.union(union, true),
        DefinitionKind::Enumeration(enumeration) => {
            needs.enumeration(enumeration);
            // A member may be the same as an earlier one of its own enumeration.
            needs.found.retain(|need| need.id != id);
        }
        DefinitionKind::Alias(ty) => needs.ty(ty, true),
        DefinitionKind::Value(value) => value.state.iter().for_each(|field| needs.ty(&field.ty, true)),
        _ => {}
    }
    needs.found
}

struct Needs<'a> {
    aoi: &'a Aoi,
    found: Vec<Need>,
}

impl Needs<'_> {
    fn structure(&mut self, structure: &Structure, by_value: bool) {
        structure.fields.iter().for_each(|field| self.ty(&field.ty, by_value));
    }

    fn union(&mut self, union: &Union, by_value: bool) {
        self.ty(&union.discriminant.ty, by_value);
        for case in union.cases.iter().chain(union.default.as_deref()) {
            case.labels.iter().for_each(|label| self.value(label));
            case.body.iter().for_each(|body| self.ty(&body.ty, by_value));
        }
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        enumeration.members.iter().filter_map(|member| member.explicit.as_ref()).for_each(|value| self.value(value));
    }

    /// What `ty` needs; records behind a pointer are named by their tag and need nothing.
    fn ty(&mut self, ty: &Type, by_value: bool) {
        match ty {
            Type::Text { bound } | Type::Opaque { bound } => bound.iter().for_each(|bound| self.value(bound)),
            Type::FixedOpaque { length } => self.value(length),
            Type::Array { element, length } => {
                self.value(length);
                self.ty(element, by_value);
            }
            Type::Sequence { element, bound } => {
                bound.iter().for_each(|bound| self.value(bound));
                self.ty(element, false);
            }
            Type::Optional(target) | Type::Recursive(target) => self.ty(target, false),
            Type::Structure(structure) => self.structure(structure, by_value),
            Type::Union(union) => self.union(union, by_value),
            Type::Enumeration(enumeration) => self.enumeration(enumeration),
            Type::Named(id) if is_pointer(self.aoi, *id) => {}
            Type::Named(id) if by_value || !is_record(self.aoi, *id) => self.found.push(Need { id: *id, by_value }),
            Type::Named(_) => {}
            _ => {}
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Constant(id) | Value::Member { enumeration: id, .. } => {
                self.found.push(Need { id: *id, by_value: false });
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names in the order of their declarations, and how many contain themselves.
    fn ordered(form: &str) -> (Vec<String>, usize) {
        let (aoi, problems) = aoi::text::parse(form);
        assert_eq!(problems, []);
        let order = order(&aoi, false);
        let name = |entry: &Entry| match entry {
            Entry::Definition(id) => Some(aoi.definitions[*id].name.clone()),
            _ => None,
        };
        (order.entries.iter().filter_map(name).collect(), order.endless.len())
    }

    #[test]
    fn what_is_needed_comes_before() {
        let form = "(struct a (b b) (c (optional c)))\n(struct c (x (array d N)))\n(struct b (x int32))\n\
                    (alias d int32)\n(const N 3)";
        assert_eq!(ordered(form).0, ["b", "a", "N", "d", "c"]);
    }

    #[test]
    fn only_values_of_values_have_no_end() {
        assert_eq!(ordered("(struct a (b b))\n(struct b (a (optional a)))").1, 0);
        assert_eq!(ordered("(struct a (b b))\n(struct b (a a))").1, 1);
        assert_eq!(ordered("(alias a (sequence b))\n(alias b (sequence a))").1, 1);
        assert_eq!(ordered("(alias as (sequence a))\n(struct a (more as))").1, 0);
    }

    #[test]
    fn members_may_be_the_same_as_others_of_their_enumeration() {
        assert_eq!(ordered("(enum e (A 0) (B (member e 0)))"), (vec!["e".to_owned()], 0));
    }

    #[test]
    fn chains_may_be_as_long_as_the_file() {
        let length = 100_000;
        let mut form: String = (1..length).map(|at| format!("(struct s{at} (next s{}))\n", at + 1)).collect();
        form.push_str(&format!("(struct s{length} (x int32))"));
        let (names, endless) = ordered(&form);
        assert_eq!((names.len(), endless), (length, 0));
        assert_eq!((names[0].as_str(), names[length - 1].as_str()), ("s100000", "s1"));
    }
}
