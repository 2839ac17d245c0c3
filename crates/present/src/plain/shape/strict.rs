//! Enumerations that have their own numbers and no others. In: what a statement says of one. Out: marks, and findings.

use aoi::{DefinitionId, DefinitionKind, Enumeration, Type};
use source::Span;

use super::forms::Shaper;
use super::statements::Form;
use super::{errors, marks};

impl Shaper<'_> {
    /// Values of this kind are as they are.
    pub(super) fn misfit(&mut self, form: Form, span: Span, what: &str) {
        let help = match form {
            Form::Strict => "enumerations may be",
            _ => "texts and sequences have forms",
        };
        self.findings.push(errors::misfit(span, form.word(), what, help));
    }

    /// An enumeration whose numbers alone it has.
    pub(super) fn make_strict(&mut self, id: DefinitionId, enumeration: &Enumeration, span: Span, what: &str) {
        if enumeration.members.iter().all(|member| member.value.is_some()) {
            marks::set_form(&mut self.aoi.definitions[id], Form::Strict);
        } else {
            let help = "only a C header knows all of its numbers";
            self.findings.push(errors::misfit(span, Form::Strict.word(), what, help));
        }
    }

    /// The enumeration that a name stands for.
    pub(super) fn enumeration_of(&self, id: DefinitionId) -> Option<(DefinitionId, Enumeration)> {
        let last = self.aoi.definitions.last_name(id);
        match &self.aoi.definitions[last].kind {
            DefinitionKind::Enumeration(enumeration) => Some((last, enumeration.clone())),
            _ => None,
        }
    }

    /// A value whose type is one; `None` where it cannot be, which was reported.
    pub(super) fn strict_value(&mut self, id: DefinitionId, span: Span, what: &str) -> Option<Type> {
        let (of, enumeration) = self.enumeration_of(id)?;
        if self.is_own(id) {
            self.make_strict(of, &enumeration, span, what);
            return Some(Type::Named(id));
        }
        let help = format!("its type has a name: say it of `type {}`", self.aoi.definitions[of].name);
        self.findings.push(errors::misfit(span, Form::Strict.word(), what, &help));
        None
    }
}
