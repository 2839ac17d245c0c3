//! Operations and attributes.

use super::Lowering;
use super::scopes::{Meaning, ScopeKind};
use crate::errors;
use crate::syntax::{Attribute, Name, Operation, Parameter, ScopedName};
use aoi::{DefinitionId, Direction, Role, Value};
use source::Span;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn operation(&mut self, operation: &Operation<'a>, annotations: Vec<aoi::Annotation>) -> aoi::Operation {
        let name = operation.name;
        let result = self.complete_type(&operation.result);
        self.travels(&result, operation.result.span, name.text);
        self.not_inherited(name);
        self.scopes.define(name, Meaning::Part("an operation"));
        let scope = self.scopes.add(name.text, ScopeKind::Operation);
        self.scopes.current = scope;
        let parameters = self.parameters(&operation.parameters);
        let raises = self.exceptions(&operation.raises);
        self.scopes.leave();
        let contexts = operation.contexts.iter().map(|context| self.context(context)).collect();
        if let Some(oneway) = operation.oneway {
            self.oneway(operation, oneway, &result);
        }
        let is_oneway = operation.oneway.is_some() || annotations.iter().any(|annotation| annotation.name == "oneway");
        let lowered = aoi::Operation::new(name.text, uncounted(), parameters, result, name.span);
        aoi::Operation { is_oneway, raises, contexts, annotations, ..lowered }
    }

    pub(super) fn parameters(&mut self, parameters: &[Parameter<'a>]) -> Vec<aoi::Parameter> {
        let mut lowered = Vec::new();
        for parameter in parameters {
            let ty = self.complete_type(&parameter.ty);
            self.travels(&ty, parameter.ty.span, parameter.name.text);
            self.scopes.define(parameter.name, Meaning::Part("a parameter"));
            let name = Some(parameter.name.text.to_owned());
            lowered.push(aoi::Parameter { name, direction: parameter.direction, ty, span: parameter.name.span });
        }
        lowered
    }

    /// Who does not wait learns nothing.
    fn oneway(&mut self, operation: &Operation<'a>, oneway: Span, result: &aoi::Type) {
        let name = operation.name.text;
        if *result != aoi::Type::Void {
            self.findings.push(errors::oneway_answers(operation.result.span, oneway, name, "a result"));
        }
        for parameter in operation.parameters.iter().filter(|parameter| parameter.direction != Direction::In) {
            self.findings.push(errors::oneway_answers(parameter.direction_at, oneway, name, "an `out` parameter"));
        }
        if let Some(first) = operation.raises.first() {
            self.findings.push(errors::oneway_answers(first.span, oneway, name, "an exception"));
        }
    }

    pub(super) fn exceptions(&mut self, names: &[ScopedName<'a>]) -> Vec<DefinitionId> {
        let mut raises = Vec::new();
        for name in names {
            let Some(entry) = self.scopes.resolve(name) else { continue };
            match entry.meaning {
                Meaning::Exception(id, _) if raises.contains(&id) => {
                    self.findings.push(errors::raised_twice(name.span, entry.name));
                }
                Meaning::Exception(id, _) => {
                    self.travels(&aoi::Type::Named(id), name.span, entry.name);
                    raises.push(id);
                }
                _ => self.wrong_kind(name, "an exception", &entry),
            }
        }
        raises
    }

    /// The name of something in the caller's environment; `*` stands for any end.
    fn context(&mut self, context: &crate::syntax::Expression<'a>) -> String {
        let text = self.plain_text(context);
        let name = text.strip_suffix('*').unwrap_or(&text);
        let begins_right = name.starts_with(|first: char| first.is_ascii_alphabetic());
        let is_right = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_');
        if !begins_right || !name.chars().all(is_right) {
            self.findings.push(errors::bad_context(context.span));
        }
        text
    }

    /// An operation that reads, and one that writes.
    pub(super) fn attribute(
        &mut self,
        attribute: &Attribute<'a>,
        annotations: &[aoi::Annotation],
        operations: &mut Vec<aoi::Operation>,
    ) {
        let ty = self.complete_type(&attribute.ty);
        if let Some(first) = attribute.names.first() {
            self.travels(&ty, attribute.ty.span, first.text);
        }
        let get_raises = self.exceptions(&attribute.get_raises);
        let set_raises = self.exceptions(&attribute.set_raises);
        for Name { text, span } in attribute.names.iter().copied() {
            self.not_inherited(Name { text, span });
            self.scopes.define(Name { text, span }, Meaning::Part("an attribute"));
            let getter = aoi::Operation::new(format!("_get_{text}"), uncounted(), Vec::new(), ty.clone(), span);
            let (role, annotations) = (Role::Getter, annotations.to_vec());
            operations.push(aoi::Operation { role, raises: get_raises.clone(), annotations, ..getter });
            if attribute.is_readonly {
                continue;
            }
            let (name, direction) = (Some("value".to_owned()), Direction::In);
            let value = aoi::Parameter { name, direction, ty: ty.clone(), span };
            let setter = aoi::Operation::new(format!("_set_{text}"), uncounted(), vec![value], aoi::Type::Void, span);
            operations.push(aoi::Operation { role: Role::Setter, raises: set_raises.clone(), ..setter });
        }
    }
}

/// Until all that is inherited has been counted.
fn uncounted() -> Value {
    Value::Integer { value: 0, spelling: "0".to_owned() }
}
