//! Interfaces and their operations, from PRES_C to text.
//!
//! ```text
//! (interface dir (id "IDL:DIRECTORY/dir:1.0") (onc DIRECTORY (label 0x20000001u 536870913) (label 1u 1)) (dispatch dispatch_dir)
//!   (operation LIST (code (label 1u 1)) (client dir_list) (server list)
//!     (parameter path in text (pointer char) (passed (pointer (qualified const (of char)))))
//!     (client-request @whittle_dir_list_client_request)))
//! ```

use sexpr::{Sexpr, atom, node, text};

use super::c_types::write_type;
use super::terms::write_label;
use super::write::Writer;
use crate::{
    Ancestor, ArenaArgument, Argument, Interface, Label, Message, OncNumbers, Operation, Passing, Raised, Way,
};

pub(super) const WAYS: [(&str, Way); 4] =
    [("in", Way::In), ("out", Way::Out), ("in-out", Way::InOut), ("result", Way::Result)];
pub(super) const PASSINGS: [(&str, Passing); 6] = [
    ("value", Passing::Value),
    ("text", Passing::Text),
    ("fixed-record", Passing::FixedRecord),
    ("variable-record", Passing::VariableRecord),
    ("fixed-array", Passing::FixedArray),
    ("variable-array", Passing::VariableArray),
];

fn word_of<T: PartialEq + Copy>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, known)| *known == value).map_or("?", |(word, _)| word)
}

/// The messages of an operation that the text form lists: once where both sides have the same ones.
pub(super) fn written_messages(operation: &Operation) -> Vec<(&'static str, &Message)> {
    let Operation { client_request, client_reply, server_request, server_reply, .. } = operation;
    match (client_request, client_reply) == (server_request, server_reply) {
        true => vec![("request", client_request), ("reply", client_reply)],
        false => vec![
            ("client-request", client_request),
            ("client-reply", client_reply),
            ("server-request", server_request),
            ("server-reply", server_reply),
        ],
    }
}

/// Whether an arena holds what its operation's request is.
pub(super) fn is_of_request(arena: &ArenaArgument, operation: &Operation) -> bool {
    operation.server_request.value().is_some_and(|value| value.ty == arena.ty && value.node == arena.node)
}

impl Writer<'_> {
    /// `messages` has those of the operations that come.
    pub(super) fn interface<'m>(
        &mut self,
        interface: &Interface,
        messages: &mut impl Iterator<Item = &'m mint::Message>,
    ) -> Sexpr {
        let mut form = vec![atom(&interface.name), node("id", [text(&interface.repository_id)])];
        form.extend(interface.onc.as_ref().map(|OncNumbers { name, program, version }| {
            node("onc", [atom(name), write_label(program), write_label(version)])
        }));
        form.push(node("dispatch", [atom(&interface.dispatch)]));
        let ancestor = |of: &Ancestor| node("ancestor", [atom(&of.name), text(&of.repository_id)]);
        form.extend(interface.ancestors.iter().map(ancestor));
        form.extend(interface.imported.then(|| atom("imported")));
        form.extend(interface.is_local.then(|| atom("local")));
        for operation in &interface.operations {
            form.push(self.operation(operation, messages.next()));
        }
        node("interface", form)
    }

    fn operation(&mut self, operation: &Operation, message: Option<&mint::Message>) -> Sexpr {
        let mut form = vec![atom(&operation.name)];
        form.extend(operation.code.as_ref().map(|code: &Label| node("code", [write_label(code)])));
        form.push(node("client", [atom(&operation.client)]));
        form.extend((operation.server != operation.name).then(|| node("server", [atom(&operation.server)])));
        form.extend(operation.inherited_from.as_ref().map(|of| node("inherited-from", [atom(of)])));
        form.extend(operation.is_oneway.then(|| atom("oneway")));
        form.extend(operation.borrows.then(|| atom("borrows")));
        form.extend(operation.lent.as_ref().map(|reply| node("lent", [atom(reply)])));
        form.extend(operation.result.as_ref().map(|result| argument("returns", result)));
        form.extend(operation.parameters.iter().map(|parameter| argument("parameter", parameter)));
        form.extend(operation.raises.iter().map(|raised| self.raised(raised)));
        for (head, pack) in written_messages(operation) {
            let guess = message.map(|of| if head.ends_with("request") { of.request } else { of.reply });
            form.extend(self.write_message(head, pack, guess));
        }
        if let Some(arena) = &operation.arena {
            let rest = if is_of_request(arena, operation) { arena_head(arena) } else { self.arena(arena) };
            form.push(node("arena", std::iter::once(atom(&arena.name)).chain(rest)));
            self.arenas.push(arena.clone());
        }
        node("operation", form)
    }

    fn write_message(&mut self, head: &str, message: &Message, guess: Option<mint::NodeId>) -> Option<Sexpr> {
        let value = match message {
            Message::Nothing => return None,
            Message::Structure(stub) => return Some(node(head, [atom(self.types.get(stub)?)])),
            Message::Value(value) => value,
        };
        let mut form = vec![node("routine", [atom(&value.routine)])];
        form.extend(value.is_array.then(|| atom("array")));
        if value.ty != self.pres.nodes[value.node].ty {
            form.push(node("c", [write_type(&value.ty)]));
        }
        if value.is_array || value.pointer != value.ty.clone().pointer() {
            form.push(node("by", [write_type(&value.pointer)]));
        }
        form.push(self.node(value.node, None, guess));
        Some(node(head, form))
    }

    fn raised(&self, raised: &Raised) -> Sexpr {
        let mut form = vec![atom(&raised.id), node("id", [text(&raised.repository_id)]), write_type(&raised.ty)];
        let stub = raised.stub.and_then(|stub| self.types.get(&stub));
        form.extend(stub.map(|stub| node("members", [atom(stub)])));
        form.extend((!raised.allocate.is_empty()).then(|| node("allocate", [atom(&raised.allocate)])));
        node("raises", form)
    }

    /// All of an arena but its name.
    pub(super) fn arena(&mut self, arena: &ArenaArgument) -> Vec<Sexpr> {
        let mut form = arena_head(arena);
        form.extend([node("c", [write_type(&arena.ty)]), self.node(arena.node, None, None)]);
        form
    }
}

fn argument(head: &str, argument: &Argument) -> Sexpr {
    let words = [word_of(&WAYS, argument.way), word_of(&PASSINGS, argument.passing)].map(atom);
    let mut form = vec![atom(&argument.name)];
    form.extend(words);
    form.extend(argument.count.as_ref().map(|count| node("count", [atom(count)])));
    form.push(write_type(&argument.ty));
    form.extend((argument.passed != argument.ty).then(|| node("passed", [write_type(&argument.passed)])));
    form.extend(argument.release.as_ref().map(|release| node("release", [atom(release)])));
    node(head, form)
}

/// The routine, and the names of members where they are unusual.
fn arena_head(arena: &ArenaArgument) -> Vec<Sexpr> {
    std::iter::once(atom(&arena.routine)).chain(arena.members.write()).collect()
}
