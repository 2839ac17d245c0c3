//! From text to AOI: items. Definitions are named first, then read, so that order does not matter.

use super::names::Names;
use crate::{
    Aoi, Constant, Definition, DefinitionId, DefinitionKind, Direction, Enumeration, EnumerationMember, Identity,
    Interface, Item, Module, OncIdentity, Operation, Origin, Parameter, Structure, Type, Value, Verbatim,
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

const DEFINITIONS: [&str; 5] = ["const", "struct", "union", "enum", "alias"];

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
                let members = parts.rest().iter().filter(|part| included(part).is_none());
                let members = members.filter_map(|part| part.as_atom().or_else(|| part.head()));
                let kind = match head {
                    "enum" => DefinitionKind::Enumeration(Enumeration { members: members.map(placeholder).collect() }),
                    "const" => DefinitionKind::Constant(Constant { value: Value::Boolean(false) }),
                    _ => DefinitionKind::Alias(Type::Void),
                };
                let name = name_of(reference).to_owned();
                self.aoi.definitions.alloc(Definition { name, kind, span: Span::default(), origin: Origin::Main });
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
        // No name of a member has a hyphen.
        let from = parts.rest().last().and_then(included);
        if from.is_some() {
            parts = Cursor::new(&parts.rest()[..parts.rest().len() - 1]);
        }
        self.aoi.definitions[id].origin = from.map_or(Origin::Main, Origin::Included);
        let kind = match head {
            "const" => {
                self.value(parts.form().unwrap_or(form)).map(|value| DefinitionKind::Constant(Constant { value }))
            }
            "struct" => {
                let fields = parts.rest().iter().filter_map(|part| self.field(part)).collect();
                Some(DefinitionKind::Structure(Structure { fields }))
            }
            "union" => self.union(form, parts).map(DefinitionKind::Union),
            "enum" => Some(DefinitionKind::Enumeration(self.members(parts))),
            _ => self.ty(parts.form().unwrap_or(form)).map(DefinitionKind::Alias),
        };
        if let Some(kind) = kind {
            self.aoi.definitions[id].kind = kind;
        }
        Some(id)
    }

    /// `(interface PROGRAM.VERSION (id (onc N N)) (operation …) …)`
    fn interface(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Interface> {
        let Some(name) = parts.atom() else { return self.wrong(form, "expected a name for the interface") };
        let mut name = name.to_owned();
        let mut identity = Identity::default();
        if let Some(mut onc) = parts.list("id").and_then(|mut id| id.list("onc")) {
            let Some((program_name, version_name)) = name.split_once('.') else {
                return self.wrong(form, "expected `PROGRAM.VERSION` for the name");
            };
            let program_name = program_name.to_owned();
            name = version_name.to_owned();
            let program = self.value(onc.form().unwrap_or(form))?;
            let version = self.value(onc.form().unwrap_or(form))?;
            identity.onc = Some(OncIdentity { program_name, program, version });
        }
        let mut operations = Vec::new();
        while let Some(operation) = parts.list("operation") {
            operations.extend(self.operation(form, operation));
        }
        let origin = origin(&mut parts);
        if let Some(rest) = parts.form() {
            return self.wrong(rest, "expected `(operation …)`");
        }
        Some(Interface { name, identity, operations, span: Span::default(), origin })
    }

    /// `(operation NAME (code N) (in (arg TYPE)) … (result TYPE))`
    fn operation(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Operation> {
        let name = parts.atom().unwrap_or_default().to_owned();
        let Some(mut code) = parts.list("code") else { return self.wrong(form, "expected `(code N)`") };
        let code = self.value(code.form().unwrap_or(form))?;
        let mut parameters = Vec::new();
        let directions = [("in", Direction::In), ("out", Direction::Out), ("inout", Direction::InOut)];
        while let Some((direction, mut parameter)) =
            directions.iter().find_map(|(word, direction)| Some((*direction, parts.list(word)?)))
        {
            let Some(mut argument) = parameter.list("arg") else { return self.wrong(form, "expected `(arg TYPE)`") };
            let ty = self.ty(argument.form().unwrap_or(form))?;
            let name = argument.atom().map(str::to_owned);
            parameters.push(Parameter { name, direction, ty, span: Span::default() });
        }
        let Some(mut result) = parts.list("result") else { return self.wrong(form, "expected `(result TYPE)`") };
        let result = self.ty(result.form().unwrap_or(form))?;
        Some(Operation { name, code, parameters, result, span: Span::default() })
    }
}

/// A reference without the number that tells it from others of its name.
fn name_of(reference: &str) -> &str {
    match reference.rsplit_once('#') {
        Some((name, digits)) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => reference,
    }
}

/// The file of `(included-from "file")`.
fn included(form: &Sexpr) -> Option<String> {
    Cursor::of(form, "included-from")?.text().map(str::to_owned)
}

fn origin(parts: &mut Cursor<'_>) -> Origin {
    match parts.peek().and_then(included) {
        Some(file) => {
            parts.form();
            Origin::Included(file)
        }
        None => Origin::Main,
    }
}

fn placeholder(name: &str) -> EnumerationMember {
    EnumerationMember { name: name.to_owned(), explicit: None, value: None, span: Span::default() }
}
