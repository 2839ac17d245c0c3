//! From text to PRES_C: types, interfaces, conventions. Types are counted first, so that trees may name any of them.

use std::collections::BTreeMap;

use sexpr::{Cursor, ReadError, Sexpr};

use super::c_declarations::read_declarations;
use super::c_expressions::read_expression;
use super::c_types::read_type;
use super::lines::read_lines;
use super::objects::read_object;
use super::read_nodes::Guess;
use crate::{
    ArenaArgument, ArenaMembers, Conventions, InterfaceStubs, NodeId, OperationStub, Packet, PresC, StubValue,
    TypeStub, TypeStubId,
};

/// Reads the text form. Never fails: forms that make no sense are left out and reported.
pub fn parse(text: &str) -> (PresC, Vec<ReadError>) {
    let (forms, errors) = sexpr::parse(text);
    let mut reader = Reader { errors, ..Reader::default() };
    for form in &forms {
        if let Some(mint) = Cursor::of(form, "mint") {
            reader.messages.forms(mint.rest());
        }
    }
    forms.iter().for_each(|form| reader.declare(form));
    forms.iter().for_each(|form| reader.form(form));
    let (mint, findings) = reader.messages.finish();
    reader.pres.mint = mint;
    reader.errors.extend(findings);
    (reader.pres, reader.errors)
}

#[derive(Default)]
pub(super) struct Reader {
    pub(super) pres: PresC,
    pub(super) messages: mint::text::Reader,
    pub(super) types: BTreeMap<String, TypeStubId>,
    pub(super) labels: BTreeMap<i128, NodeId>,
    errors: Vec<ReadError>,
    operations: usize,
    arenas: Vec<ArenaArgument>,
}

impl Reader {
    /// Reports a form that makes no sense.
    pub(super) fn wrong<T>(&mut self, form: &Sexpr, message: &str) -> Option<T> {
        self.errors.push(ReadError::about(form, message));
        None
    }

    /// Makes room for a type.
    fn declare(&mut self, form: &Sexpr) {
        let Some(mut parts) = Cursor::of(form, "type") else { return };
        let Some(reference) = parts.atom() else { return };
        let is_number = |text: &str| text.parse::<usize>().is_ok();
        let name = reference.rsplit_once('#').filter(|(_, n)| is_number(n)).map_or(reference, |(name, _)| name);
        let routine = parts.list("routine").and_then(|mut routine| routine.atom());
        let ty = parts.list("c").and_then(|mut c| c.form()).and_then(read_type);
        let stub = self.pres.types.alloc(TypeStub {
            name: name.to_string(),
            routine: routine.map_or_else(|| format!("xdr_{name}"), str::to_string),
            ty: ty.unwrap_or_else(|| cast::Type::named(name)),
            is_array: parts.keyword("array"),
            node: NodeId::from_raw(la_arena::RawIdx::from_u32(0)),
            imported: parts.keyword("imported"),
        });
        self.types.insert(format!("@{reference}"), stub);
    }

    fn form(&mut self, form: &Sexpr) {
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        let read = match parts.atom() {
            Some("conventions") => {
                self.pres.conventions = Conventions {
                    by_value: parts.keyword("by-value"),
                    caller_results: parts.keyword("caller-results"),
                    prototypes: parts.keyword("prototypes"),
                };
                self.pres.strict_enumerations = parts.keyword("strict-enumerations");
                Some(())
            }
            Some("mint") => Some(()),
            Some("managed-release") => parts.atom().map(|release| self.pres.managed_release = release.to_string()),
            Some("type") => self.type_tree(parts),
            Some("interface") => self.interface(form, parts),
            Some("arena") => self.arena_form(parts),
            Some("packet") => self.packet(parts),
            Some("numbers") => self.numbers(parts),
            Some("object") => read_object(parts, &self.types).map(|object| self.pres.objects.push(object)),
            Some("lines") => read_lines(parts).map(|lines| self.pres.lines = lines),
            Some("prologue") => read_declarations(&mut parts).map(|all| self.pres.prologue = all),
            Some("header") => read_declarations(&mut parts).map(|all| self.pres.header = all),
            Some("common") => read_declarations(&mut parts).map(|all| self.pres.common = all),
            _ => None,
        };
        if read.is_none() {
            self.wrong(form, "cannot make sense of this").unwrap_or_default()
        }
    }

    fn type_tree(&mut self, mut parts: Cursor) -> Option<()> {
        let stub = *self.types.get(&format!("@{}", parts.atom()?))?;
        let TypeStub { name, ty, .. } = &self.pres.types[stub];
        let slots = self.messages.mint().nodes.iter();
        let message = slots.filter(|(_, slot)| slot.name.as_ref() == Some(name)).map(|(id, _)| id).next();
        let guess = Guess { ty: Some(ty.clone()), message };
        let node = self.node(parts.rest().last()?, guess)?;
        self.pres.types[stub].node = node;
        Some(())
    }

    fn numbers(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let mut numbers = Vec::new();
        while let Some(number) = parts.atom() {
            numbers.push(if number == "none" { None } else { Some(number.parse().ok()?) });
        }
        self.pres.field_numbers.insert(name, numbers);
        Some(())
    }

    fn packet(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let stub = *self.types.get(parts.atom()?)?;
        let schema = parts.text()?.to_string();
        self.pres.packets.push(Packet { name, stub, schema });
        Some(())
    }

    fn interface(&mut self, form: &Sexpr, mut parts: Cursor) -> Option<()> {
        let (program_name, version_name) = (parts.atom()?.to_string(), parts.atom()?.to_string());
        let program = read_expression(parts.list("program")?.form()?)?;
        let version = read_expression(parts.list("version")?.form()?)?;
        let version_suffix = parts.list("suffix")?.atom()?.to_string();
        let dispatch = parts.list("dispatch")?.atom()?.to_string();
        let mut operations = Vec::new();
        while let Some(operation) = parts.list("operation") {
            match self.operation(operation) {
                Some(operation) => operations.push(operation),
                None => self.wrong(form, "an operation here makes no sense").unwrap_or_default(),
            }
            self.operations += 1;
        }
        self.pres.interfaces.push(InterfaceStubs {
            program_name,
            program,
            version_name,
            version,
            version_suffix,
            dispatch,
            operations,
        });
        Some(())
    }

    fn operation(&mut self, mut parts: Cursor) -> Option<OperationStub> {
        let message = self.messages.mint().messages.get(self.operations);
        let (request_message, reply) = (message.map(|message| message.request), message.map(|message| message.reply));
        let name = parts.atom()?.to_string();
        let code = read_expression(parts.list("code")?.form()?)?;
        let number = parts.list("number").and_then(|mut number| number.number());
        let client = parts.list("client")?.atom()?.to_string();
        let server = parts.list("server")?.atom()?.to_string();
        let mut arguments = Vec::new();
        while let Some(argument) = parts.list("argument") {
            arguments.push(self.value(argument, request_message)?);
        }
        let request = match parts.list("request") {
            Some(request) => Some(self.value(request, request_message)?),
            None if parts.keyword("no-request") => None,
            None => arguments.first().cloned(),
        };
        let result = match parts.list("result") {
            Some(result) => Some(self.value(result, reply)?),
            None => None,
        };
        Some(OperationStub { name, code, number, client, server, arguments, request, result })
    }

    fn value(&mut self, mut parts: Cursor, message: Option<mint::NodeId>) -> Option<StubValue> {
        let name = parts.atom()?.to_string();
        let routine = parts.list("routine")?.atom()?.to_string();
        let is_array = parts.keyword("array");
        let ty = parts.list("c").and_then(|mut c| c.form()).and_then(read_type);
        let pointer = parts.list("by").and_then(|mut by| by.form()).and_then(read_type);
        let node = self.node(parts.form()?, Guess { ty: None, message })?;
        let ty = ty.unwrap_or_else(|| self.pres.nodes[node].ty.clone());
        let pointer = pointer.unwrap_or_else(|| ty.clone().pointer());
        let arena = match parts.list("arena") {
            Some(arena) => Some(self.arena(arena, Some((&ty, node)))?),
            None => None,
        };
        self.arenas.extend(arena.clone());
        Some(StubValue { name, ty, is_array, pointer, routine, node, arena })
    }

    /// `(arena NAME ROUTINE)` where the value says the rest, `(arena NAME ROUTINE (c TYPE) NODE)` elsewhere; unusual
    /// names of members behind the routine.
    fn arena(&mut self, mut parts: Cursor, value: Option<(&cast::Type, NodeId)>) -> Option<ArenaArgument> {
        let name = parts.atom()?.to_string();
        let routine = parts.atom()?.to_string();
        let members = ArenaMembers::read(&mut parts)?;
        let (ty, node) = match parts.list("c") {
            Some(mut c) => (read_type(c.form()?)?, self.node(parts.form()?, Guess::default())?),
            None => value.map(|(ty, node)| (ty.clone(), node))?,
        };
        Some(ArenaArgument { name, routine, ty, node, members })
    }

    /// An arena whose routine is wanted: one that an argument has shown, or one told here.
    fn arena_form(&mut self, mut parts: Cursor) -> Option<()> {
        let whole = parts;
        let name = parts.atom()?;
        let arena = if parts.is_at_end() {
            self.arenas.iter().find(|arena| arena.name == name)?.clone()
        } else {
            self.arena(whole, None)?
        };
        self.pres.arenas.push(arena);
        Some(())
    }
}
