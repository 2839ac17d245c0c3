//! Interfaces and their operations, from text to PRES_C.

use sexpr::Cursor;

use super::c_types::read_type;
use super::read::Reader;
use super::read_nodes::Guess;
use super::terms::read_labels;
use super::write_interfaces::{PASSINGS, WAYS};
use crate::{
    Ancestor, ArenaArgument, ArenaMembers, Argument, Interface, Label, Message, NodeId, OncNumbers, Operation, Raised,
    TypeStubId, Value,
};

fn of_word<T: Copy>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

impl Reader {
    pub(super) fn interface(&mut self, mut parts: Cursor) -> Option<()> {
        let name = parts.atom()?.to_string();
        let repository_id = parts.list("id")?.text()?.to_string();
        let onc = match parts.list("onc") {
            Some(onc) => Some(read_numbers(onc)?),
            None => None,
        };
        let dispatch = word_in(&mut parts, "dispatch")??;
        let mut ancestors = Vec::new();
        while let Some(mut of) = parts.list("ancestor") {
            ancestors.push(Ancestor { name: of.atom()?.to_string(), repository_id: of.text()?.to_string() });
        }
        let (imported, is_local) = (parts.keyword("imported"), parts.keyword("local"));
        let mut operations = Vec::new();
        while let Some(operation) = parts.list("operation") {
            operations.push(self.operation(operation)?);
            self.operations += 1;
        }
        let interface = Interface { name, repository_id, onc, dispatch, ancestors, operations, imported, is_local };
        parts.is_at_end().then(|| self.pres.interfaces.push(interface))
    }

    fn operation(&mut self, mut parts: Cursor) -> Option<Operation> {
        let guess = self.messages.mint().messages.get(self.operations);
        let (asked, answered) = (guess.map(|message| message.request), guess.map(|message| message.reply));
        let name = parts.atom()?.to_string();
        let code = match parts.list("code") {
            Some(mut code) => Some(read_label(&mut code)?),
            None => None,
        };
        let client = word_in(&mut parts, "client")??;
        let server = word_in(&mut parts, "server")?.unwrap_or_else(|| name.clone());
        let inherited_from = word_in(&mut parts, "inherited-from")?;
        let (is_oneway, borrows) = (parts.keyword("oneway"), parts.keyword("borrows"));
        let lent = word_in(&mut parts, "lent")?;
        let result = match parts.list("returns") {
            Some(result) => Some(read_argument(result)?),
            None => None,
        };
        let (mut parameters, mut raises) = (Vec::new(), Vec::new());
        while let Some(parameter) = parts.list("parameter") {
            parameters.push(read_argument(parameter)?);
        }
        while let Some(raised) = parts.list("raises") {
            raises.push(self.raised(raised)?);
        }
        let both = [self.message(&mut parts, "request", asked)?, self.message(&mut parts, "reply", answered)?];
        let [client_request, client_reply, server_request, server_reply] = match both {
            [Message::Nothing, Message::Nothing] => [
                self.message(&mut parts, "client-request", asked)?,
                self.message(&mut parts, "client-reply", answered)?,
                self.message(&mut parts, "server-request", asked)?,
                self.message(&mut parts, "server-reply", answered)?,
            ],
            [request, reply] => [request.clone(), reply.clone(), request, reply],
        };
        let arena = match parts.list("arena") {
            Some(arena) => Some(self.arena(arena, server_request.value())?),
            None => None,
        };
        self.arenas.extend(arena.clone());
        parts.is_at_end().then_some(Operation {
            name,
            code,
            client,
            server,
            inherited_from,
            is_oneway,
            result,
            parameters,
            raises,
            client_request,
            client_reply,
            server_request,
            server_reply,
            arena,
            borrows,
            lent,
        })
    }

    /// The message of `(head …)`, if that is next.
    fn message(&mut self, parts: &mut Cursor, head: &str, message: Option<mint::NodeId>) -> Option<Message> {
        let Some(mut parts) = parts.list(head) else { return Some(Message::Nothing) };
        let Some(routine) = word_in(&mut parts, "routine")? else {
            return Some(Message::Structure(*self.types.get(parts.atom()?)?));
        };
        let is_array = parts.keyword("array");
        let ty = parts.list("c").and_then(|mut c| c.form()).and_then(read_type);
        let pointer = parts.list("by").and_then(|mut by| by.form()).and_then(read_type);
        let node = self.node(parts.form()?, Guess { ty: None, message })?;
        let ty = ty.unwrap_or_else(|| self.pres.nodes[node].ty.clone());
        let pointer = pointer.unwrap_or_else(|| ty.clone().pointer());
        Some(Message::Value(Value { ty, is_array, pointer, routine, node }))
    }

    /// `(arena NAME ROUTINE)` where the request says the rest, `(arena NAME ROUTINE (c TYPE) NODE)` elsewhere; unusual
    /// names of members behind the routine.
    pub(super) fn arena(&mut self, mut parts: Cursor, request: Option<&Value>) -> Option<ArenaArgument> {
        let name = parts.atom()?.to_string();
        let routine = parts.atom()?.to_string();
        let members = ArenaMembers::read(&mut parts)?;
        let (ty, node): (cast::Type, NodeId) = match parts.list("c") {
            Some(mut c) => (read_type(c.form()?)?, self.node(parts.form()?, Guess::default())?),
            None => request.map(|value| (value.ty.clone(), value.node))?,
        };
        Some(ArenaArgument { name, routine, ty, node, members })
    }

    fn raised(&self, mut parts: Cursor) -> Option<Raised> {
        let id = parts.atom()?.to_string();
        let repository_id = parts.list("id")?.text()?.to_string();
        let ty = read_type(parts.form()?)?;
        let stub: Option<TypeStubId> = match parts.list("members") {
            Some(mut inner) => Some(*self.types.get(inner.atom()?)?),
            None => None,
        };
        let allocate = word_in(&mut parts, "allocate")?.unwrap_or_default();
        Some(Raised { repository_id, ty, id, stub, allocate })
    }
}

fn read_numbers(mut parts: Cursor) -> Option<OncNumbers> {
    let name = parts.atom()?.to_string();
    let [program, version] = read_labels(&mut parts)?.try_into().ok()?;
    Some(OncNumbers { name, program, version })
}

fn read_label(parts: &mut Cursor) -> Option<Label> {
    let [label] = read_labels(parts)?.try_into().ok()?;
    Some(label)
}

/// The word of `(head WORD)`, if that is next.
fn word_in(parts: &mut Cursor, head: &str) -> Option<Option<String>> {
    match parts.list(head) {
        Some(mut inner) => Some(Some(inner.atom()?.to_string())),
        None => Some(None),
    }
}

fn read_argument(mut parts: Cursor) -> Option<Argument> {
    let name = parts.atom()?.to_string();
    let (way, passing) = (of_word(&WAYS, parts.atom()?)?, of_word(&PASSINGS, parts.atom()?)?);
    let count = word_in(&mut parts, "count")?;
    let ty = read_type(parts.form()?)?;
    let passed = match parts.list("passed") {
        Some(mut passed) => read_type(passed.form()?)?,
        None => ty.clone(),
    };
    let release = word_in(&mut parts, "release")?;
    Some(Argument { name, way, passing, count, ty, passed, release })
}
