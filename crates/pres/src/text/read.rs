//! From text to PRES_C: types, interfaces, conventions. Types are counted first, so that trees may name any of them.

use std::collections::BTreeMap;

use sexpr::{Cursor, ReadError, Sexpr};

use super::c_declarations::read_declarations;
use super::c_types::read_type;
use super::lines::read_lines;
use super::read_nodes::Guess;
use crate::{ArenaArgument, Conventions, NodeId, NumberForm, Packet, PresC, TypeStub, TypeStubId};

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
    /// How many operations have been read.
    pub(super) operations: usize,
    pub(super) arenas: Vec<ArenaArgument>,
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
            Some("interface") => self.interface(parts),
            Some("arena") => self.arena_form(parts),
            Some("packet") => self.packet(parts),
            Some("numbers") => self.numbers(parts),
            Some("ranges") => self.ranges(parts),
            Some("forms") => self.number_forms(parts),
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

    fn ranges(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let mut ranges = Vec::new();
        while let Some(range) = parts.atom() {
            let numbers = range.split_once("..").map(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
            ranges.push(if range == "none" { None } else { Some(numbers??) });
        }
        self.pres.ranges.insert(name, ranges);
        Some(())
    }

    fn number_forms(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let mut forms = Vec::new();
        while let Some(form) = parts.atom() {
            forms.push(if form == "none" { None } else { Some(NumberForm::named(form)?) });
        }
        self.pres.number_forms.insert(name, forms);
        Some(())
    }

    fn packet(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let stub = *self.types.get(parts.atom()?)?;
        let schema = parts.text()?.to_string();
        self.pres.packets.push(Packet { name, stub, schema });
        Some(())
    }

    /// An arena whose routine is wanted: one that an argument has shown, or one described here.
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
