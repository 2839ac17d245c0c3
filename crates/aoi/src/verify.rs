//! What holds for every AOI, whichever front end made it.
//!
//! In: an AOI. Out: a finding for each rule that is broken; none for what a correct front end makes of any input
//! that it reported no error in. The text form of a broken AOI can still be printed.

use crate::{
    Aoi, CycleKind, DefinitionId, DefinitionKind, Enumeration, Field, Interface, Item, Structure, Type, Union,
    UnionCase, Value, cycles,
};
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

struct Verifier<'a> {
    aoi: &'a Aoi,
    /// The declaration that is being looked at.
    place: Span,
    listed: BTreeSet<u32>,
    findings: Vec<Diagnostic>,
}

impl Verifier<'_> {
    fn broken(&mut self, code: &'static str, message: impl Into<String>) {
        self.findings.push(Diagnostic::error(code, message).at(self.place, ""));
    }

    /// `aoi-001`: a reference to a definition that does not exist, or is of the wrong kind
    fn reference(&mut self, id: DefinitionId, wanted: &str, fits: fn(&DefinitionKind) -> bool) -> bool {
        let exists = (id.into_raw().into_u32() as usize) < self.aoi.definitions.len();
        let fits = exists && fits(&self.aoi.definitions[id].kind);
        if !fits {
            self.broken("aoi-001", format!("expected a reference to {wanted}"));
        }
        fits
    }

    fn definition(&mut self, kind: &DefinitionKind) {
        match kind {
            DefinitionKind::Constant(constant) => self.value(&constant.value),
            DefinitionKind::Structure(structure) => self.structure(structure),
            DefinitionKind::Union(union) => self.union(union),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(enumeration),
            DefinitionKind::Alias(ty) => self.ty(ty),
        }
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
        for operation in &interface.operations {
            self.place = operation.span;
            self.number(&operation.code);
            if operation.result != Type::Void {
                self.ty(&operation.result);
            }
            operation.parameters.iter().for_each(|parameter| self.ty(&parameter.ty));
        }
    }

    /// `aoi-003`: `void` as the type of data
    fn void_as_data(&mut self) {
        self.broken("aoi-003", "`void` is no type of data");
    }

    /// `aoi-004`: a width that no machine has
    fn strange_width(&mut self, bits: u8) {
        self.broken("aoi-004", format!("a number cannot have {bits} bits"));
    }

    fn ty(&mut self, ty: &Type) {
        match ty {
            Type::Void => self.void_as_data(),
            Type::Integer { bits: 8 | 16 | 32 | 64, .. } | Type::Float { bits: 32 | 64 | 128 } => {}
            Type::Integer { bits, .. } | Type::Float { bits } => self.strange_width(*bits),
            Type::Boolean | Type::External(_) => {}
            Type::Text { bound } | Type::Opaque { bound } => bound.iter().for_each(|bound| self.length(bound)),
            Type::FixedOpaque { length } => self.length(length),
            Type::Array { element, length } => {
                self.ty(element);
                self.length(length);
            }
            Type::Sequence { element, bound } => {
                self.ty(element);
                bound.iter().for_each(|bound| self.length(bound));
            }
            Type::Optional(element) => self.ty(element),
            Type::Structure(structure) => self.structure(structure),
            Type::Union(union) => self.union(union),
            Type::Enumeration(enumeration) => self.enumeration(enumeration),
            Type::Named(id) => {
                self.reference(*id, "a type", |kind| !matches!(kind, DefinitionKind::Constant(_)));
            }
        }
    }

    fn structure(&mut self, structure: &Structure) {
        structure.fields.iter().for_each(|field| self.field(field));
        self.distinct(structure.fields.iter().map(|field| field.name.as_str()));
    }

    fn field(&mut self, field: &Field) {
        self.ty(&field.ty);
    }

    /// `aoi-005`: two members of one name.
    fn distinct<'a>(&mut self, names: impl Iterator<Item = &'a str>) {
        let mut seen = BTreeSet::new();
        for name in names {
            if !seen.insert(name) {
                self.broken("aoi-005", format!("two members are called `{name}`"));
            }
        }
    }

    /// `aoi-006`: a default with labels, or at no place, or a case without labels.
    fn union(&mut self, union: &Union) {
        self.field(&union.discriminant);
        union.cases.iter().for_each(|case| self.case(case));
        if union.cases.iter().any(|case| case.labels.is_empty()) {
            self.broken("aoi-006", "a case has no label");
        }
        if let Some(default) = &union.default {
            self.case(default);
            if !default.labels.is_empty() || union.default_position > union.cases.len() {
                self.broken("aoi-006", "the default of a union has labels or no place");
            }
        }
        let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
        self.distinct(bodies.map(|body| body.name.as_str()));
    }

    fn case(&mut self, case: &UnionCase) {
        case.labels.iter().for_each(|label| self.number(label));
        case.body.iter().for_each(|body| self.field(body));
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        enumeration.members.iter().filter_map(|member| member.explicit.as_ref()).for_each(|value| self.number(value));
        self.distinct(enumeration.members.iter().map(|member| member.name.as_str()));
    }

    /// `aoi-007`: a length that is negative or does not fit 32 bits.
    fn length(&mut self, value: &Value) {
        self.number(value);
        if let Some(number) = self.known(value).filter(|number| !(0..=i128::from(u32::MAX)).contains(number)) {
            self.broken("aoi-007", format!("a length cannot be {number}"));
        }
    }

    /// The number behind a value whose references were found to be good.
    fn known(&self, value: &Value) -> Option<i128> {
        if self.findings.is_empty() { self.aoi.number(value) } else { None }
    }

    /// `aoi-008`: a text where a number is needed.
    fn number(&mut self, value: &Value) {
        self.value(value);
        if let Value::Text(_) = value {
            self.broken("aoi-008", "expected a number, not a text");
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Constant(id) => {
                self.reference(*id, "a constant", |kind| matches!(kind, DefinitionKind::Constant(_)));
            }
            Value::Member { enumeration, member } => {
                let fits = self
                    .reference(*enumeration, "an enumeration", |kind| matches!(kind, DefinitionKind::Enumeration(_)));
                let exists = fits
                    && match &self.aoi.definitions[*enumeration].kind {
                        DefinitionKind::Enumeration(enumeration) => *member < enumeration.members.len(),
                        _ => false,
                    };
                if fits && !exists {
                    self.broken("aoi-001", "expected a reference to a member");
                }
            }
            Value::Integer { .. }
            | Value::Text(_)
            | Value::NestedMember { .. }
            | Value::Boolean(_)
            | Value::External(_) => {}
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
