//! The order of C declarations: the file's own, except that what C must know before is declared before.
//!
//! In: AOI items. Out: a flat list; namespaces are gone. The interface language lets a type be used before its
//! declaration; C lets only pointers to structures do so. Programs come last, as in rpcgen's header.

use std::collections::BTreeSet;

use aoi::{Aoi, DefinitionId, DefinitionKind, Interface, Item, Origin, Structure, Type, Union, Value, Verbatim};

/// One step of the header.
pub(super) enum Entry<'a> {
    Definition(DefinitionId),
    Interface(&'a Interface),
    Verbatim(&'a Verbatim),
    /// The first item of an included file whose own header declares it.
    Included(&'a str),
}

/// The entries in C's order, and the definitions that contain themselves by value.
pub(super) struct Order<'a> {
    pub(super) entries: Vec<Entry<'a>>,
    pub(super) endless: Vec<DefinitionId>,
}

/// Flattens and orders; `keep_included` treats the items of included files as the main file's.
pub(super) fn order(aoi: &Aoi, keep_included: bool) -> Order<'_> {
    let mut sorter = Sorter {
        aoi,
        keep_included,
        result: Order { entries: Vec::new(), endless: Vec::new() },
        done: BTreeSet::new(),
        open: Vec::new(),
        files: BTreeSet::new(),
    };
    sorter.items(&aoi.items);
    let (programs, others): (Vec<Entry>, Vec<Entry>) =
        sorter.result.entries.into_iter().partition(|entry| matches!(entry, Entry::Interface(_)));
    let entries = others.into_iter().chain(programs).collect();
    Order { entries, endless: sorter.result.endless }
}

/// Whether a definition is C's to declare in this header.
pub(super) fn is_imported(origin: &Origin, keep_included: bool) -> bool {
    !keep_included && *origin != Origin::Main
}

struct Sorter<'a> {
    aoi: &'a Aoi,
    keep_included: bool,
    result: Order<'a>,
    done: BTreeSet<DefinitionId>,
    /// What is being ordered now; true where it was reached by value.
    open: Vec<(DefinitionId, bool)>,
    files: BTreeSet<&'a str>,
}

impl<'a> Sorter<'a> {
    fn items(&mut self, items: &'a [Item]) {
        for item in items {
            match item {
                Item::Definition(id) => self.definition(*id, true),
                Item::Interface(interface) => self.interface(interface),
                Item::Module(module) => self.items(&module.items),
                Item::Verbatim(verbatim) if is_imported(&verbatim.origin, self.keep_included) => {
                    self.included(&verbatim.origin);
                }
                Item::Verbatim(verbatim) => self.result.entries.push(Entry::Verbatim(verbatim)),
            }
        }
    }

    fn included(&mut self, origin: &'a Origin) {
        if let Origin::Included(file) = origin
            && self.files.insert(file)
        {
            self.result.entries.push(Entry::Included(file));
        }
    }

    fn interface(&mut self, interface: &'a Interface) {
        if is_imported(&interface.origin, self.keep_included) {
            return self.included(&interface.origin);
        }
        self.result.entries.push(Entry::Interface(interface));
    }

    fn definition(&mut self, id: DefinitionId, by_value: bool) {
        if let Some(at) = self.open.iter().position(|(open, _)| *open == id) {
            let all_by_value = by_value && self.open[at + 1..].iter().all(|(_, by_value)| *by_value);
            if (all_by_value || !self.is_record(id)) && !self.result.endless.contains(&id) {
                self.result.endless.push(id);
            }
            return;
        }
        if self.done.contains(&id) {
            return;
        }
        self.open.push((id, by_value));
        let definition = &self.aoi.definitions[id];
        match &definition.kind {
            DefinitionKind::Constant(constant) => self.value(&constant.value),
            DefinitionKind::Structure(structure) => self.structure(structure, true),
            DefinitionKind::Union(union) => self.union(union, true),
            DefinitionKind::Enumeration(enumeration) => {
                enumeration.members.iter().filter_map(|member| member.explicit.as_ref()).for_each(|v| self.value(v));
            }
            DefinitionKind::Alias(ty) => self.ty(ty, true),
        }
        self.open.pop();
        if self.done.insert(id) {
            if is_imported(&definition.origin, self.keep_included) {
                self.included(&definition.origin);
            }
            self.result.entries.push(Entry::Definition(id));
        }
    }

    fn structure(&mut self, structure: &'a Structure, by_value: bool) {
        structure.fields.iter().for_each(|field| self.ty(&field.ty, by_value));
    }

    fn union(&mut self, union: &'a Union, by_value: bool) {
        self.ty(&union.discriminant.ty, by_value);
        for case in union.cases.iter().chain(union.default.as_deref()) {
            case.labels.iter().for_each(|label| self.value(label));
            case.body.iter().for_each(|body| self.ty(&body.ty, by_value));
        }
    }

    /// Orders what `ty` needs; records behind a pointer are named by their tag and need nothing.
    fn ty(&mut self, ty: &'a Type, by_value: bool) {
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
            Type::Optional(target) => self.ty(target, false),
            Type::Structure(structure) => self.structure(structure, by_value),
            Type::Union(union) => self.union(union, by_value),
            Type::Enumeration(enumeration) => {
                enumeration.members.iter().filter_map(|member| member.explicit.as_ref()).for_each(|v| self.value(v));
            }
            Type::Named(id) => self.named(*id, by_value),
            Type::Void | Type::Integer { .. } | Type::Float { .. } | Type::Boolean | Type::External(_) => {}
        }
    }

    fn named(&mut self, id: DefinitionId, by_value: bool) {
        if by_value || !self.is_record(id) {
            self.definition(id, by_value);
        }
    }

    fn is_record(&self, id: DefinitionId) -> bool {
        matches!(self.aoi.definitions[id].kind, DefinitionKind::Structure(_) | DefinitionKind::Union(_))
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Constant(id) | Value::Member { enumeration: id, .. } => self.definition(*id, false),
            _ => {}
        }
    }
}
