//! From AOI to text.

use super::names::{Names, qualified};
use crate::{
    Annotation, Aoi, Definition, DefinitionId, DefinitionKind, Direction, Interface, Item, Operation, Origin,
    Parameter, Role, ValueType,
};
use la_arena::ArenaMap;
use sexpr::{Sexpr, atom, list, node, text};

/// The text form: one form for each item, and `(unlisted …)` for definitions that are no item.
pub fn print(aoi: &Aoi) -> String {
    let writer = Writer { aoi, names: Names::of(aoi) };
    let mut listed = ArenaMap::default();
    let mut forms: Vec<Sexpr> = aoi.items.iter().map(|item| writer.item(item, &mut listed)).collect();
    let unlisted = aoi.definitions.iter().filter(|(id, _)| listed.get(*id).is_none());
    forms.extend(unlisted.map(|(id, definition)| node("unlisted", [writer.definition(id, definition)])));
    sexpr::print_all(&forms)
}

pub(super) struct Writer<'a> {
    pub(super) aoi: &'a Aoi,
    pub(super) names: Names,
}

impl Writer<'_> {
    fn item(&self, item: &Item, listed: &mut ArenaMap<DefinitionId, ()>) -> Sexpr {
        match item {
            Item::Definition(id) => {
                listed.insert(*id, ());
                self.definition(*id, &self.aoi.definitions[*id])
            }
            Item::Interface(interface) => self.interface(interface),
            Item::Module(module) => {
                let mut parts = vec![atom(&module.name)];
                parts.extend(module.items.iter().map(|item| self.item(item, listed)));
                node("module", parts)
            }
            Item::Verbatim(verbatim) => with_origin("verbatim", vec![text(&verbatim.text)], &verbatim.origin),
        }
    }

    fn definition(&self, id: DefinitionId, definition: &Definition) -> Sexpr {
        let name = atom(self.names.reference(id));
        let mut parts = vec![name];
        let head = match &definition.kind {
            DefinitionKind::Constant(constant) => {
                parts.push(self.value(&constant.value));
                parts.extend(constant.ty.iter().map(|ty| node("type", [self.ty(ty)])));
                "const"
            }
            DefinitionKind::Structure(structure) => {
                parts.extend(self.fields(structure));
                "struct"
            }
            DefinitionKind::Union(union) => {
                parts.extend(self.union(union));
                "union"
            }
            DefinitionKind::Enumeration(enumeration) => {
                parts.extend(self.members(enumeration));
                "enum"
            }
            DefinitionKind::Alias(ty) => {
                parts.push(self.ty(ty));
                "alias"
            }
            DefinitionKind::Exception(structure) => {
                parts.extend(self.fields(structure));
                "exception"
            }
            DefinitionKind::Reference(reference) => {
                parts.extend(flags([(reference.is_local, "local"), (reference.is_abstract, "abstract")]));
                "reference"
            }
            DefinitionKind::Value(value) => {
                parts.extend(self.value_type(value));
                "value"
            }
            DefinitionKind::ValueBox(ty) => {
                parts.push(self.ty(ty));
                "box"
            }
            DefinitionKind::Native => "native",
        };
        self.described(&mut parts, definition.repository_id.as_ref(), &definition.annotations);
        with_origin(head, parts, &definition.origin)
    }

    fn value_type(&self, value: &ValueType) -> Vec<Sexpr> {
        let kinds =
            [(value.is_abstract, "abstract"), (value.is_custom, "custom"), (value.is_truncatable, "truncatable")];
        let mut parts: Vec<Sexpr> = flags(kinds).collect();
        parts.extend(self.references("inherits", &value.bases));
        parts.extend(self.references("supports", &value.supports));
        parts.push(node("state", value.state.iter().map(|field| self.field(field))));
        parts
    }

    /// `(HEAD NAME NAME)`; nothing where there are none.
    fn references(&self, head: &str, ids: &[DefinitionId]) -> Option<Sexpr> {
        (!ids.is_empty()).then(|| node(head, ids.iter().map(|id| atom(self.names.reference(*id)))))
    }

    /// What is said of a declaration beside what it declares.
    /// No member's name has a hyphen or an `@`.
    fn described(&self, parts: &mut Vec<Sexpr>, id: Option<&String>, annotations: &[Annotation]) {
        parts.extend(id.map(|id| node("repository-id", [text(id)])));
        parts.extend(annotations.iter().map(|annotation| {
            let parameters = annotation.parameters.iter().map(|(name, value)| list([atom(name), self.value(value)]));
            node(&format!("@{}", annotation.name), parameters)
        }));
    }

    fn interface(&self, interface: &Interface) -> Sexpr {
        let mut parts = Vec::new();
        let name = qualified(&interface.scope, &interface.name);
        match &interface.identity.onc {
            Some(onc) => {
                parts.push(atom(format!("{}.{name}", onc.program_name)));
                let identity = node("onc", [self.value(&onc.program), self.value(&onc.version)]);
                parts.push(node("id", [identity]));
            }
            None => parts.push(atom(name)),
        }
        parts.extend(interface.reference.map(|id| node("reference", [atom(self.names.reference(id))])));
        parts.extend(self.references("inherits", &interface.bases));
        parts.extend(interface.operations.iter().map(|operation| self.operation(operation)));
        self.described(&mut parts, interface.identity.corba.as_ref(), &interface.annotations);
        with_origin("interface", parts, &interface.origin)
    }

    fn operation(&self, operation: &Operation) -> Sexpr {
        let mut parts = vec![atom(&operation.name), node("code", [self.value(&operation.code)])];
        let roles = [
            (operation.role == Role::Getter, "getter"),
            (operation.role == Role::Setter, "setter"),
            (operation.is_oneway, "oneway"),
        ];
        parts.extend(flags(roles));
        parts.extend(operation.parameters.iter().map(|parameter| self.parameter(parameter)));
        parts.push(node("result", [self.ty(&operation.result)]));
        parts.extend(self.references("raises", &operation.raises));
        let contexts = &operation.contexts;
        parts.extend((!contexts.is_empty()).then(|| node("contexts", contexts.iter().map(text))));
        self.described(&mut parts, None, &operation.annotations);
        node("operation", parts)
    }

    fn parameter(&self, parameter: &Parameter) -> Sexpr {
        let direction = match parameter.direction {
            Direction::In => "in",
            Direction::Out => "out",
            Direction::InOut => "inout",
        };
        let name = parameter.name.iter().map(atom);
        node(direction, [node("arg", std::iter::once(self.ty(&parameter.ty)).chain(name))])
    }
}

/// The words of the flags that are set.
fn flags<const N: usize>(flags: [(bool, &'static str); N]) -> impl Iterator<Item = Sexpr> {
    flags.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| node(word, []))
}

/// A form, with the file that it was included from at its end.
fn with_origin(head: &str, mut parts: Vec<Sexpr>, origin: &Origin) -> Sexpr {
    if let Origin::Included(file) = origin {
        parts.push(node("included-from", [text(file)]));
    }
    node(head, parts)
}
