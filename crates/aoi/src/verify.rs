//! What holds for every AOI, whichever front end made it.
//!
//! In: an AOI. Out: a finding for each rule that is broken; none for what a correct front end makes of any input
//! that it reported no error in. The text form of a broken AOI can still be printed.

use crate::{Aoi, CycleKind, DefinitionId, DefinitionKind, Interface, Item, Type, ValueType, cycles};
use source::{Diagnostic, Span};
use std::collections::BTreeSet;

/// Checks all rules.
pub fn verify(aoi: &Aoi) -> Vec<Diagnostic> {
    let mut verifier = Verifier { aoi, place: Span::default(), listed: BTreeSet::new(), findings: Vec::new() };
    for (_, definition) in aoi.definitions.iter() {
        verifier.place = definition.span;
        verifier.definition(&definition.kind);
    }
    verifier.items(&aoi.items);
    // Walking along references that lead nowhere would be no use.
    if verifier.findings.is_empty() {
        verifier.cycles();
    }
    verifier.findings
}

pub(crate) struct Verifier<'a> {
    pub(crate) aoi: &'a Aoi,
    /// The declaration that is being looked at.
    place: Span,
    listed: BTreeSet<u32>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl Verifier<'_> {
    pub(crate) fn broken(&mut self, code: &'static str, message: impl Into<String>) {
        self.findings.push(Diagnostic::error(code, message).at(self.place, ""));
    }

    /// `aoi-001`: a reference to a definition that does not exist, or is of the wrong kind
    pub(crate) fn reference(&mut self, id: DefinitionId, wanted: &str, fits: fn(&DefinitionKind) -> bool) -> bool {
        let exists = (id.into_raw().into_u32() as usize) < self.aoi.definitions.len();
        let fits = exists && fits(&self.aoi.definitions[id].kind);
        if !fits {
            self.broken("aoi-001", format!("expected a reference to {wanted}"));
        }
        fits
    }

    fn definition(&mut self, kind: &DefinitionKind) {
        match kind {
            DefinitionKind::Constant(constant) => {
                self.value(&constant.value);
                constant.ty.iter().for_each(|ty| self.ty(ty));
            }
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => self.structure(structure),
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(enumeration),
            DefinitionKind::Alias(ty) | DefinitionKind::ValueBox(ty) => self.ty(ty),
            DefinitionKind::Value(value) => self.value_type(value),
            DefinitionKind::Reference(_) | DefinitionKind::Native => {}
        }
    }

    fn value_type(&mut self, value: &ValueType) {
        for base in &value.bases {
            self.reference(*base, "a value type", |kind| matches!(kind, DefinitionKind::Value(_)));
        }
        value.supports.iter().for_each(|supported| self.interface_reference(*supported));
        value.state.iter().for_each(|field| self.field(field));
        self.distinct(value.state.iter().map(|field| field.name.as_str()));
    }

    fn interface_reference(&mut self, id: DefinitionId) {
        self.reference(id, "an interface", |kind| matches!(kind, DefinitionKind::Reference(_)));
    }

    /// `aoi-002`: a definition that stands at two places of the file.
    fn items(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Definition(id) => {
                    self.reference(*id, "a definition", |_| true);
                    if !self.listed.insert(id.into_raw().into_u32()) {
                        self.broken("aoi-002", "a definition is listed twice");
                    }
                }
                Item::Interface(interface) => self.interface(interface),
                Item::Module(module) => self.items(&module.items),
                Item::Verbatim(_) => {}
            }
        }
    }

    fn interface(&mut self, interface: &Interface) {
        self.place = interface.span;
        if let Some(onc) = &interface.identity.onc {
            self.number(&onc.program);
            self.number(&onc.version);
        }
        interface.bases.iter().chain(&interface.reference).for_each(|base| self.interface_reference(*base));
        for operation in &interface.operations {
            self.place = operation.span;
            self.number(&operation.code);
            for raised in &operation.raises {
                self.reference(*raised, "an exception", |kind| matches!(kind, DefinitionKind::Exception(_)));
            }
            if operation.result != Type::Void {
                self.ty(&operation.result);
            }
            operation.parameters.iter().for_each(|parameter| self.ty(&parameter.ty));
        }
    }

    /// `aoi-009`: a type that is defined as itself
    fn defined_as_itself(&mut self, name: &str) {
        self.broken("aoi-009", format!("`{name}` is defined as itself"));
    }

    /// `aoi-010`: a type that contains itself
    fn contains_itself(&mut self, name: &str) {
        self.broken("aoi-010", format!("`{name}` contains itself"));
    }

    fn cycles(&mut self) {
        for cycle in cycles(self.aoi) {
            let Some(&id) = cycle.path.first() else { continue };
            let definition = &self.aoi.definitions[id];
            self.place = definition.span;
            match cycle.kind {
                CycleKind::Alias => self.defined_as_itself(&definition.name),
                CycleKind::Value => self.contains_itself(&definition.name),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::verify;
    use crate::text;

    #[track_caller]
    fn check(form: &str, codes: &[&str]) {
        let (aoi, errors) = text::parse(form);
        assert_eq!(errors, []);
        assert_eq!(verify(&aoi).iter().map(|finding| finding.code).collect::<Vec<_>>(), codes);
    }

    #[test]
    fn a_good_one_passes() {
        check("(struct list (value int32) (next (optional list)))\n(alias lists (sequence list 5))", &[]);
    }

    #[test]
    fn void_is_no_data() {
        check("(struct s (x void))", &["aoi-003"]);
    }

    #[test]
    fn widths_are_those_of_machines() {
        check("(struct s (x (int24 strange)) (y (float 80)))", &["aoi-004", "aoi-004"]);
    }

    #[test]
    fn members_are_distinct() {
        check("(struct s (x int32) (x int32))\n(enum e A A)", &["aoi-005", "aoi-005"]);
    }

    #[test]
    fn lengths_are_32_bits() {
        check("(const N -1)\n(alias a (array int32 N))\n(alias b bytes)", &["aoi-007"]);
    }

    #[test]
    fn numbers_are_no_texts() {
        check("(alias a (array int32 \"x\"))", &["aoi-008"]);
    }

    #[test]
    fn references_fit() {
        check("(const N 1)\n(alias a N)", &["aoi-001"]);
        check("(alias a (array int32 (member a 0)))", &["aoi-001"]);
    }

    #[test]
    fn types_end() {
        check("(alias a b)\n(alias b (sequence a))", &["aoi-009"]);
        check("(struct a (b b))\n(struct b (x (array a 2)))", &["aoi-010"]);
    }
}
