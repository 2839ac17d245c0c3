//! What a presentation says, where the rest of the style looks for it: as annotations of the AOI that is presented, under
//! names that no language can write. In: annotations. Out: names and forms.

use aoi::{Annotation, Aoi, Definition, DefinitionKind, Operation, Type, Value};

use super::statements::Form;

const NAME: &str = "in C";
const ENUMERATORS: &str = "enumerators in C";
const RESULT: &str = "result in C";
const APART: &str = "apart in C";
const LENT: &str = "lent in C";
const FORM: &str = "form in C";
const NAMELESS: &str = "nameless in C";

fn of<'a>(annotations: &'a [Annotation], name: &str) -> Option<&'a Annotation> {
    annotations.iter().find(|annotation| annotation.name == name)
}

fn parameter<'a>(annotations: &'a [Annotation], name: &str, parameter: &str) -> Option<&'a str> {
    let (_, value) = of(annotations, name)?.parameters.iter().find(|(known, _)| known == parameter)?;
    match value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

fn set(annotations: &mut Vec<Annotation>, name: &str, parameter: &str, value: &str) {
    let pair = (parameter.to_string(), Value::Text(value.to_string()));
    match annotations.iter_mut().find(|annotation| annotation.name == name) {
        Some(found) => {
            found.parameters.retain(|(known, _)| known != parameter);
            found.parameters.push(pair);
        }
        None => annotations.push(Annotation {
            name: name.to_string(),
            parameters: vec![pair],
            span: source::Span::default(),
        }),
    }
}

/// What an interface's functions begin with, or what an operation's are called behind that.
pub(in crate::plain) fn name(annotations: &[Annotation]) -> Option<&str> {
    parameter(annotations, NAME, "value")
}

pub(super) fn set_name(annotations: &mut Vec<Annotation>, name: &str) {
    set(annotations, NAME, "value", name);
}

/// What an enumeration's member is called.
pub(in crate::plain) fn enumerator<'a>(enumeration: &'a Definition, member: &str) -> Option<&'a str> {
    parameter(&enumeration.annotations, ENUMERATORS, member)
}

pub(super) fn set_enumerator(enumeration: &mut Definition, member: &str, name: &str) {
    set(&mut enumeration.annotations, ENUMERATORS, member, name);
}

/// What an operation's result is called.
pub(in crate::plain) fn result(operation: &Operation) -> &str {
    parameter(&operation.annotations, RESULT, "value").unwrap_or("result")
}

pub(super) fn set_result(operation: &mut Operation, name: &str) {
    set(&mut operation.annotations, RESULT, "value", name);
}

/// A parameter is passed as a pointer and a count.
pub(in crate::plain) fn is_apart(operation: &Operation, at: usize) -> bool {
    parameter(&operation.annotations, APART, &at.to_string()).is_some()
}

pub(super) fn set_apart(operation: &mut Operation, at: usize) {
    set(&mut operation.annotations, APART, &at.to_string(), "");
}

/// What an operation's results hold stays in the reply.
pub(in crate::plain) fn is_lent(operation: &Operation) -> bool {
    of(&operation.annotations, LENT).is_some()
}

pub(super) fn set_lent(operation: &mut Operation) {
    set(&mut operation.annotations, LENT, "value", "");
}

/// The form of a definition's values, where something is said of it.
pub(in crate::plain) fn form(definition: &Definition) -> Option<Form> {
    let word = parameter(&definition.annotations, FORM, "value")?;
    Form::ALL.into_iter().find(|form| form.word() == word)
}

pub(super) fn set_form(definition: &mut Definition, form: Form) {
    set(&mut definition.annotations, FORM, "value", form.word());
}

/// A definition that is there to say how a text lies in C, and that C knows nothing of.
pub(in crate::plain) fn is_nameless(definition: &Definition) -> bool {
    of(&definition.annotations, NAMELESS).is_some()
}

pub(super) fn set_nameless(definition: &mut Definition) {
    set(&mut definition.annotations, NAMELESS, "value", "");
}

/// An array inside a structure that begins with its count.
pub(in crate::plain) fn is_inline_array(definition: &Definition) -> bool {
    let is_array = matches!(definition.kind, DefinitionKind::Alias(Type::Array { .. } | Type::FixedOpaque { .. }));
    is_array && form(definition) == Some(Form::Inline)
}

/// The type that a name stands for, and the form that it has by the first name on the way that says one.
pub(in crate::plain) fn resolve<'a>(aoi: &'a Aoi, ty: &'a Type) -> (&'a Type, Option<Form>) {
    let (mut ty, mut found) = (ty, None);
    // Chains of names end, or were reported.
    for _ in 0..=aoi.definitions.len() {
        let Type::Named(id) = ty else { break };
        // Only annotations say forms; what has none is passed over at once.
        let alias = &aoi.definitions[aoi.definitions.first_annotated(*id)];
        let DefinitionKind::Alias(target) = &alias.kind else { break };
        found = found.or(form(alias));
        if found.is_some() {
            return (aoi.resolve(target), found);
        }
        ty = target;
    }
    (ty, found)
}
