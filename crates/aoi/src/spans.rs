//! Forgetting places: for comparing what was read from two different texts.

use crate::{Annotation, Aoi, DefinitionKind, Enumeration, Field, Interface, Item, Structure, Type, Union, UnionCase};
use source::Span;

impl Aoi {
    /// The same, with all spans empty, as the reader of the text form makes them.
    #[must_use]
    pub fn without_spans(mut self) -> Aoi {
        for (_, definition) in self.definitions.iter_mut() {
            definition.span = Span::default();
            clear_annotations(&mut definition.annotations);
            clear_definition(&mut definition.kind);
        }
        self.items.iter_mut().for_each(clear_item);
        self
    }
}

impl DefinitionKind {
    /// The same, with all spans empty: what a definition says, wherever it says it.
    #[must_use]
    pub fn without_spans(&self) -> DefinitionKind {
        let mut kind = self.clone();
        clear_definition(&mut kind);
        kind
    }
}

fn clear_definition(kind: &mut DefinitionKind) {
    match kind {
        DefinitionKind::Constant(constant) => constant.ty.iter_mut().for_each(clear_type),
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => clear_structure(structure),
        DefinitionKind::Union(union) => clear_union(union),
        DefinitionKind::Enumeration(enumeration) => clear_enumeration(enumeration),
        DefinitionKind::Alias(ty) | DefinitionKind::ValueBox(ty) => clear_type(ty),
        DefinitionKind::Value(value) => value.state.iter_mut().for_each(clear_field),
        DefinitionKind::Reference(_) | DefinitionKind::Native => {}
    }
}

fn clear_annotations(annotations: &mut [Annotation]) {
    annotations.iter_mut().for_each(|annotation| annotation.span = Span::default());
}

fn clear_item(item: &mut Item) {
    match item {
        Item::Definition(_) => {}
        Item::Interface(interface) => clear_interface(interface),
        Item::Module(module) => {
            module.span = Span::default();
            module.items.iter_mut().for_each(clear_item);
        }
        Item::Verbatim(verbatim) => verbatim.span = Span::default(),
    }
}

fn clear_interface(interface: &mut Interface) {
    interface.span = Span::default();
    clear_annotations(&mut interface.annotations);
    for operation in &mut interface.operations {
        operation.span = Span::default();
        clear_annotations(&mut operation.annotations);
        clear_type(&mut operation.result);
        for parameter in &mut operation.parameters {
            parameter.span = Span::default();
            clear_type(&mut parameter.ty);
        }
    }
}

fn clear_type(ty: &mut Type) {
    match ty {
        Type::Array { element, .. }
        | Type::Sequence { element, .. }
        | Type::Optional(element)
        | Type::Recursive(element) => clear_type(element),
        Type::Structure(structure) => clear_structure(structure),
        Type::Union(union) => clear_union(union),
        Type::Enumeration(enumeration) => clear_enumeration(enumeration),
        _ => {}
    }
}

fn clear_structure(structure: &mut Structure) {
    structure.fields.iter_mut().for_each(clear_field);
}

fn clear_field(field: &mut Field) {
    field.span = Span::default();
    clear_type(&mut field.ty);
}

fn clear_union(union: &mut Union) {
    clear_field(&mut union.discriminant);
    union.cases.iter_mut().chain(union.default.as_deref_mut()).for_each(clear_case);
}

fn clear_case(case: &mut UnionCase) {
    case.span = Span::default();
    case.body.iter_mut().for_each(clear_field);
}

fn clear_enumeration(enumeration: &mut Enumeration) {
    enumeration.members.iter_mut().for_each(|member| member.span = Span::default());
}
