//! From text to AOI: items. Definitions are named first, then read, so that order does not matter.

use super::names::{Names, unqualified};
use super::read_interfaces::{included, is_description, origin};
use crate::{
    Aoi, Constant, Definition, DefinitionId, DefinitionKind, Enumeration, EnumerationMember, Field, Item, Module,
    Origin, ReferenceType, Structure, Type, Value, ValueType, Verbatim,
};
use la_arena::RawIdx;
use sexpr::{Cursor, ReadError, Sexpr};
use source::Span;

/// Reads the text form. Never fails: forms that make no sense are left out and reported.
pub fn parse(text: &str) -> (Aoi, Vec<ReadError>) {
    let (forms, errors) = sexpr::parse(text);
    let mut reader = Reader { aoi: Aoi::default(), names: Names::of(&Aoi::default()), next: 0, errors };
    for form in &forms {
        reader.declare(form);
    }
    reader.names = Names::of(&reader.aoi);
    let items: Vec<Item> = forms.iter().filter_map(|form| reader.item(form)).collect();
    reader.aoi.items = items;
    (reader.aoi, reader.errors)
}

pub(super) struct Reader {
    aoi: Aoi,
    pub(super) names: Names,
    /// How many definitions were read.
    next: usize,
    pub(super) errors: Vec<ReadError>,
}

const DEFINITIONS: [&str; 10] =
    ["const", "struct", "union", "enum", "alias", "exception", "reference", "value", "box", "native"];

impl Reader {
    /// Reports a form that makes no sense.
    pub(super) fn wrong<T>(&mut self, form: &Sexpr, message: &str) -> Option<T> {
        self.errors.push(ReadError::about(form, message));
        None
    }

    /// Makes room for the definitions in `form`, in the order in which they are read later. Enumerations get their
    /// members' names, which values refer to.
    fn declare(&mut self, form: &Sexpr) {
        match form.head() {
            Some("module" | "unlisted") => {
                form.as_list().unwrap_or_default().iter().for_each(|inner| self.declare(inner));
            }
            Some(head) if DEFINITIONS.contains(&head) => {
                let mut parts = Cursor::new(form.as_list().unwrap_or_default());
                parts.form();
                let Some(reference) = parts.atom() else { return };
                let members = parts.rest().iter().filter(|part| included(part).is_none() && !is_description(part));
                let members = members.filter_map(|part| part.as_atom().or_else(|| part.head()));
                let kind = match head {
                    "enum" => DefinitionKind::Enumeration(Enumeration { members: members.map(placeholder).collect() }),
                    "const" => DefinitionKind::Constant(Constant { value: Value::Boolean(false), ty: None }),
                    _ => DefinitionKind::Alias(Type::Void),
                };
                let (scope, name) = unqualified(name_of(reference));
                let definition = Definition::new(name, kind, Span::default(), Origin::Main);
                self.aoi.definitions.alloc(Definition { scope, ..definition });
            }
            _ => {}
        }
    }

    fn item(&mut self, form: &Sexpr) -> Option<Item> {
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        match parts.atom() {
            Some("unlisted") => {
                parts.rest().iter().for_each(|inner| {
                    self.item(inner);
                });
                None
            }
            Some("module") => {
                let Some(name) = parts.atom() else { return self.wrong(form, "expected `(module NAME items…)`") };
                let items = parts.rest().iter().filter_map(|inner| self.item(inner)).collect();
                Some(Item::Module(Module { name: name.to_owned(), items, span: Span::default() }))
            }
            Some("verbatim") => {
                let Some(text) = parts.text() else { return self.wrong(form, "expected `(verbatim \"text\")`") };
                let (text, origin) = (text.to_owned(), origin(&mut parts));
                Some(Item::Verbatim(Verbatim { text, span: Span::default(), origin }))
            }
            Some("interface") => self.interface(form, parts).map(Item::Interface),
            Some(head) if DEFINITIONS.contains(&head) => self.definition(form, head, parts).map(Item::Definition),
            _ => self.wrong(form, "expected a definition, `interface`, `module` or `verbatim`"),
        }
    }

    fn definition(&mut self, form: &Sexpr, head: &str, mut parts: Cursor<'_>) -> Option<DefinitionId> {
        if parts.atom().is_none() {
            return self.wrong(form, "expected a name");
        }
        if self.next >= self.aoi.definitions.len() {
            return self.wrong(form, "a definition cannot stand here");
        }
        let id = DefinitionId::from_raw(RawIdx::from_u32(u32::try_from(self.next).unwrap_or(u32::MAX)));
        self.next += 1;
        let described = self.described(&mut parts);
        let kind = self.definition_kind(form, head, parts);
        let definition = &mut self.aoi.definitions[id];
        definition.origin = described.origin;
        definition.repository_id = described.repository_id;
        definition.annotations = described.annotations;
        if let Some(kind) = kind {
            definition.kind = kind;
        }
        Some(id)
    }

    fn definition_kind(&mut self, form: &Sexpr, head: &str, mut parts: Cursor<'_>) -> Option<DefinitionKind> {
        Some(match head {
            "const" => {
                let value = self.value(parts.form().unwrap_or(form))?;
                let ty = match parts.list("type") {
                    Some(mut ty) => Some(self.ty(ty.form().unwrap_or(form))?),
                    None => None,
                };
                DefinitionKind::Constant(Constant { value, ty })
            }
            "struct" => DefinitionKind::Structure(Structure { fields: self.fields(parts) }),
            "exception" => DefinitionKind::Exception(Structure { fields: self.fields(parts) }),
            "union" => DefinitionKind::Union(self.union(form, parts)?),
            "enum" => DefinitionKind::Enumeration(self.members(parts)),
            "box" => DefinitionKind::ValueBox(self.ty(parts.form().unwrap_or(form))?),
            "value" => DefinitionKind::Value(self.value_type(form, parts)?),
            "native" => DefinitionKind::Native,
            "reference" => {
                let (is_local, is_abstract) = (parts.list("local").is_some(), parts.list("abstract").is_some());
                DefinitionKind::Reference(ReferenceType { is_local, is_abstract })
            }
            _ => DefinitionKind::Alias(self.ty(parts.form().unwrap_or(form))?),
        })
    }

    fn fields(&mut self, parts: Cursor<'_>) -> Vec<Field> {
        parts.rest().iter().filter_map(|part| self.field(part)).collect()
    }

    /// `(abstract) (inherits NAME…) (supports NAME…) (state FIELD…)`
    fn value_type(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<ValueType> {
        let is_abstract = parts.list("abstract").is_some();
        let is_custom = parts.list("custom").is_some();
        let is_truncatable = parts.list("truncatable").is_some();
        let bases = self.references(form, &mut parts, "inherits")?;
        let supports = self.references(form, &mut parts, "supports")?;
        let Some(state) = parts.list("state") else { return self.wrong(form, "expected `(state FIELD…)`") };
        let state = self.fields(state);
        Some(ValueType { bases, supports, state, is_abstract, is_custom, is_truncatable })
    }
}

/// A reference without the number that distinguishes it from others of its name.
fn name_of(reference: &str) -> &str {
    match reference.rsplit_once('#') {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => reference,
    }
}

fn placeholder(name: &str) -> EnumerationMember {
    EnumerationMember { name: name.to_owned(), explicit: None, value: None, span: Span::default() }
}
