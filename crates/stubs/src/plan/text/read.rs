//! From text to PLAN: routines and what stands beside them.

use cast::Type;
use pres::text::c_types::read_type;
use sexpr::{Cursor, ReadError, Sexpr};

use super::direction_word;
use super::places::Places;
use crate::plan::{ArenaEntry, Direction, Plan, Routine, RoutineId};

/// Reads the text form. Never fails: forms that make no sense are left out and reported.
pub fn parse(text: &str) -> (Plan, Vec<ReadError>) {
    let (forms, mut errors) = sexpr::parse(text);
    let mut plan = Plan::default();
    for form in &forms {
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        let read = match parts.atom() {
            Some("order") => {
                plan.order.extend(parts.rest().iter().filter_map(Sexpr::as_atom).map(str::to_string));
                Some(())
            }
            Some("arena") => arena(parts).map(|arena| plan.arenas.push(arena)),
            Some("routine") => routine(parts, &mut errors).map(|(id, routine)| {
                plan.routines.insert(id, routine);
            }),
            _ => None,
        };
        if read.is_none() {
            errors.push(ReadError::about(form, "cannot make sense of this"));
        }
    }
    (plan, errors)
}

fn arena(mut parts: Cursor) -> Option<ArenaEntry> {
    Some(ArenaEntry {
        structure: parts.atom()?.to_string(),
        entry: parts.atom()?.to_string(),
        routine: parts.atom()?.to_string(),
        on_heap: parts.keyword("on-heap"),
        members: pres::ArenaMembers::read(&mut parts)?,
    })
}

fn routine(mut parts: Cursor, errors: &mut Vec<ReadError>) -> Option<(RoutineId, Routine)> {
    let name = parts.atom()?.to_string();
    let word = parts.atom()?;
    let directions = [Direction::Encode, Direction::Decode, Direction::Release];
    let direction = directions.into_iter().find(|direction| direction_word(*direction) == word)?;
    let mut routine = Routine {
        entry: String::new(),
        ty: Type::named(name.as_str()),
        is_array: parts.keyword("array"),
        is_alias: parts.keyword("alias"),
        owns_storage: parts.keyword("owns"),
        is_recursive: parts.keyword("recursive"),
        is_loop: parts.keyword("loop"),
        is_internal: parts.keyword("internal"),
        is_wide: parts.keyword("wide"),
        entry_phase: 1,
        body: Vec::new(),
    };
    if let Some(mut entry) = parts.list("entry") {
        routine.entry = entry.atom()?.to_string();
    }
    if let Some(mut c) = parts.list("c") {
        routine.ty = read_type(c.form()?)?;
    }
    if let Some(mut phase) = parts.list("phase") {
        routine.entry_phase = u64::try_from(phase.number()?).ok()?;
    }
    let mut reader = Reader { places: Places::of(&routine.ty), errors };
    if let Some(places) = parts.list("places") {
        reader.places.read_head(places)?;
    }
    routine.body = reader.body(parts);
    Some((RoutineId { name, direction }, routine))
}

/// Reads the operations of one routine.
pub(super) struct Reader<'a> {
    pub(super) places: Places,
    errors: &'a mut Vec<ReadError>,
}

impl Reader<'_> {
    /// All operations that are left; those that make no sense are reported.
    pub(super) fn body(&mut self, parts: Cursor) -> Vec<crate::plan::Op> {
        let mut body = Vec::new();
        for form in parts.rest() {
            let reported = self.errors.len();
            match self.op(form) {
                Some(op) => body.push(op),
                // What is wrong inside has been said.
                None if self.errors.len() > reported => {}
                None => self.errors.push(ReadError::about(form, "no operation looks so, or a type is not known")),
            }
        }
        body
    }
}
