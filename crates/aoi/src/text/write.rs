//! From AOI to text.

use super::names::Names;
use super::words::{PLAIN_TYPES, integer_word, usual_spelling};
use crate::{
    Aoi, Definition, DefinitionId, DefinitionKind, Direction, Enumeration, Field, Interface, Item, Operation, Origin,
    Parameter, Structure, Type, Union, UnionCase, Value,
};
use la_arena::ArenaMap;
use sexpr::{Sexpr, atom, list, node, number, text};

/// The text form: one form for each item, and `(unlisted …)` for definitions that are no item.
pub fn print(aoi: &Aoi) -> String {
    let writer = Writer { aoi, names: Names::of(aoi) };
    let mut listed = ArenaMap::default();
    let mut forms: Vec<Sexpr> = aoi.items.iter().map(|item| writer.item(item, &mut listed)).collect();
    let unlisted = aoi.definitions.iter().filter(|(id, _)| listed.get(*id).is_none());
    forms.extend(unlisted.map(|(id, definition)| node("unlisted", [writer.definition(id, definition)])));
    sexpr::print_all(&forms)
}

struct Writer<'a> {
    aoi: &'a Aoi,
    names: Names,
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
        };
        with_origin(head, parts, &definition.origin)
    }

    fn interface(&self, interface: &Interface) -> Sexpr {
        let mut parts = Vec::new();
        match &interface.identity.onc {
            Some(onc) => {
                parts.push(atom(format!("{}.{}", onc.program_name, interface.name)));
                let identity = node("onc", [self.value(&onc.program), self.value(&onc.version)]);
                parts.push(node("id", [identity]));
            }
            None => parts.push(atom(&interface.name)),
        }
        parts.extend(interface.operations.iter().map(|operation| self.operation(operation)));
        with_origin("interface", parts, &interface.origin)
    }

    fn operation(&self, operation: &Operation) -> Sexpr {
        let mut parts = vec![atom(&operation.name), node("code", [self.value(&operation.code)])];
        parts.extend(operation.parameters.iter().map(|parameter| self.parameter(parameter)));
        parts.push(node("result", [self.ty(&operation.result)]));
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

    fn ty(&self, ty: &Type) -> Sexpr {
        let bounded = |head, bound: &Option<Value>| match bound {
            Some(bound) => node(head, [self.value(bound)]),
            None => atom(head),
        };
        match ty {
            Type::Void => atom("void"),
            Type::Integer { bits, signed, spelling } => {
                let word = integer_word(*bits, *signed);
                let is_usual = PLAIN_TYPES.contains(&word.as_str()) && spelling == usual_spelling(*bits, *signed);
                if is_usual { atom(word) } else { node(&word, [atom(spelling)]) }
            }
            Type::Float { bits: bits @ (32 | 64 | 128) } => atom(format!("float{bits}")),
            Type::Float { bits } => node("float", [number(i128::from(*bits))]),
            Type::Boolean => atom("bool"),
            Type::Text { bound } => bounded("string", bound),
            Type::FixedOpaque { length } => node("opaque", [self.value(length)]),
            Type::Opaque { bound } => bounded("bytes", bound),
            Type::Array { element, length } => node("array", [self.ty(element), self.value(length)]),
            Type::Sequence { element, bound } => {
                let bound = bound.iter().map(|bound| self.value(bound));
                node("sequence", std::iter::once(self.ty(element)).chain(bound))
            }
            Type::Optional(element) => node("optional", [self.ty(element)]),
            Type::Structure(structure) => node("struct", self.fields(structure)),
            Type::Union(union) => node("union", self.union(union)),
            Type::Enumeration(enumeration) => node("enum", self.members(enumeration)),
            Type::Named(id) => {
                let name = self.names.reference(*id);
                if PLAIN_TYPES.contains(&name) { node("named", [atom(name)]) } else { atom(name) }
            }
            Type::External(name) => node("external", [atom(name)]),
        }
    }

    fn fields(&self, structure: &Structure) -> Vec<Sexpr> {
        structure.fields.iter().map(|field| self.field(field)).collect()
    }

    fn field(&self, field: &Field) -> Sexpr {
        list([atom(&field.name), self.ty(&field.ty)])
    }

    fn union(&self, union: &Union) -> Vec<Sexpr> {
        let mut parts: Vec<Sexpr> = union
            .cases
            .iter()
            .map(|case| {
                let labels = list(case.labels.iter().map(|label| self.value(label)));
                node("case", [labels, self.case_body(case)])
            })
            .collect();
        if let Some(default) = &union.default {
            parts.insert(union.default_position.min(parts.len()), node("default", [self.case_body(default)]));
        }
        parts.insert(0, node("switch", [self.field(&union.discriminant)]));
        parts
    }

    fn case_body(&self, case: &UnionCase) -> Sexpr {
        case.body.as_ref().map_or(atom("void"), |body| self.field(body))
    }

    /// Members; the number is said where what the source says does not show it.
    fn members(&self, enumeration: &Enumeration) -> Vec<Sexpr> {
        let mut previous = Some(-1);
        let mut parts = Vec::new();
        for member in &enumeration.members {
            let implied = super::read_types::implied_number(member.explicit.as_ref(), previous);
            let mut part = vec![atom(&member.name)];
            part.extend(member.explicit.iter().map(|value| self.value(value)));
            if member.value != implied {
                part.push(node("is", [member.value.map_or(atom("unknown"), number)]));
            }
            previous = member.value;
            let is_bare = part.len() == 1;
            parts.push(if is_bare { atom(&member.name) } else { list(part) });
        }
        parts
    }

    fn value(&self, value: &Value) -> Sexpr {
        match value {
            Value::Integer { value, spelling } => match super::read_types::literal(spelling) {
                Some(read) if read == *value => atom(spelling),
                _ => node("integer", [number(*value), text(spelling)]),
            },
            Value::Text(content) => text(content),
            Value::Constant(id) => {
                let name = self.names.reference(*id);
                if self.is_bare(name, value) { atom(name) } else { node("constant", [atom(name)]) }
            }
            Value::Member { enumeration, member } => self.member(value, *enumeration, *member),
            Value::NestedMember { name, value } => node("nested", [atom(name), number(*value)]),
            Value::Boolean(truth) => atom(if *truth { "true" } else { "false" }),
            Value::External(name) => node("external", [atom(name)]),
        }
    }

    fn member(&self, value: &Value, enumeration: DefinitionId, member: usize) -> Sexpr {
        let declared = match &self.aoi.definitions[enumeration].kind {
            DefinitionKind::Enumeration(enumeration) => enumeration.members.get(member),
            _ => None,
        };
        match declared {
            Some(declared) if self.is_bare(&declared.name, value) => atom(&declared.name),
            _ => {
                let position = i128::try_from(member).unwrap_or(i128::MAX);
                node("member", [atom(self.names.reference(enumeration)), number(position)])
            }
        }
    }

    /// True where the name alone reads back as `value`.
    fn is_bare(&self, name: &str, value: &Value) -> bool {
        !matches!(name, "true" | "false")
            && super::read_types::literal(name).is_none()
            && self.names.bare_value(name) == Some(value)
    }
}

/// A form, with the file that it was included from at its end.
fn with_origin(head: &str, mut parts: Vec<Sexpr>, origin: &Origin) -> Sexpr {
    if let Origin::Included(file) = origin {
        parts.push(node("included-from", [text(file)]));
    }
    node(head, parts)
}
