//! From AOI to text: types and values.

use super::atoms::{PLAIN_TYPES, integer_word, usual_spelling};
use super::write::Writer;
use crate::{DefinitionId, DefinitionKind, Enumeration, Field, Structure, Type, Union, UnionCase, Value};
use sexpr::{Sexpr, atom, list, node, number, text};

impl Writer<'_> {
    pub(super) fn ty(&self, ty: &Type) -> Sexpr {
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
            Type::Character { is_wide: false } => atom("char"),
            Type::Character { is_wide: true } => atom("wchar"),
            Type::Text { bound } => bounded("string", bound),
            Type::WideText { bound } => bounded("wstring", bound),
            Type::Fixed { digits, scale } => node("fixed", [number(i128::from(*digits)), number(i128::from(*scale))]),
            Type::Any => atom("any"),
            Type::TypeCode => atom("typecode"),
            Type::Object => atom("object"),
            Type::FixedOpaque { length } => node("opaque", [self.value(length)]),
            Type::Opaque { bound } => bounded("bytes", bound),
            Type::Array { element, length } => node("array", [self.ty(element), self.value(length)]),
            Type::Sequence { element, bound } => {
                let bound = bound.iter().map(|bound| self.value(bound));
                node("sequence", std::iter::once(self.ty(element)).chain(bound))
            }
            Type::Optional(element) => node("optional", [self.ty(element)]),
            Type::Recursive(element) => node("recursive", [self.ty(element)]),
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

    pub(super) fn fields(&self, structure: &Structure) -> Vec<Sexpr> {
        structure.fields.iter().map(|field| self.field(field)).collect()
    }

    pub(super) fn field(&self, field: &Field) -> Sexpr {
        list([atom(&field.name), self.ty(&field.ty)])
    }

    pub(super) fn union(&self, union: &Union) -> Vec<Sexpr> {
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
    pub(super) fn members(&self, enumeration: &Enumeration) -> Vec<Sexpr> {
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

    pub(super) fn value(&self, value: &Value) -> Sexpr {
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
            Value::Float(spelling) => node("float", [text(spelling)]),
            Value::Fixed(spelling) => node("fixed", [text(spelling)]),
            Value::Character { code, is_wide } => {
                node(if *is_wide { "wchar" } else { "char" }, [number(i128::from(*code))])
            }
            Value::WideText(content) => node("wide", [text(content)]),
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
