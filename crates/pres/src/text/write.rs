//! From PRES_C to text.

use std::collections::{BTreeMap, BTreeSet};

use sexpr::{Sexpr, atom, node, number};

use super::c_declarations::write_declarations;
use super::c_types::write_type;
use super::guess::{children, natural_body, natural_type, parts};
use super::lines::write_lines;
use super::terms::{scalar_word, write_bound, write_extent, write_label};
use super::write_interfaces::{is_of_request, written_messages};
use crate::{
    ArenaArgument, Arm, DefaultArm, Lines, Member, NodeId, NumberForm, Pres, PresC, SequenceMembers, Storage, TypeStub,
    TypeStubId,
};

/// The text form.
pub fn print(pres: &PresC) -> String {
    // The messages that cannot be guessed must be known before MINT is written: they need references.
    let mut scout = Writer::new(pres, None);
    scout.forms();
    let references = mint::text::References::of(&pres.mint, scout.unguessed);
    let mut messages = mint::text::Writer::new(&pres.mint, references);
    let mint = messages.forms();
    let mut forms = vec![conventions(pres)];
    let managed = Some(&pres.managed_release).filter(|release| !release.is_empty());
    forms.extend(managed.map(|release| node("managed-release", [atom(release)])));
    if !mint.is_empty() {
        forms.push(node("mint", mint));
    }
    forms.extend(Writer::new(pres, Some(messages)).forms());
    forms.extend((pres.lines != Lines::default()).then(|| write_lines(&pres.lines)));
    let parts = [("prologue", &pres.prologue), ("header", &pres.header), ("common", &pres.common)];
    forms.extend(parts.iter().filter(|(_, part)| !part.is_empty()).map(|(head, part)| write_declarations(head, part)));
    sexpr::print_all(&forms)
}

fn conventions(pres: &PresC) -> Sexpr {
    let words = [
        ("by-value", pres.conventions.by_value),
        ("caller-results", pres.conventions.caller_results),
        ("prototypes", pres.conventions.prototypes),
        ("strict-enumerations", pres.strict_enumerations),
    ];
    node("conventions", words.into_iter().filter(|(_, set)| *set).map(|(word, _)| atom(word)))
}

/// `@name` for each type, `@name#2` for the second of that name.
fn type_references(pres: &PresC) -> BTreeMap<TypeStubId, String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut references = BTreeMap::new();
    for (id, stub) in pres.types.iter() {
        let name = &stub.name;
        let count = counts.entry(name).or_default();
        *count += 1;
        let reference = if *count == 1 { format!("@{name}") } else { format!("@{name}#{count}") };
        references.insert(id, reference);
    }
    references
}

pub(super) struct Writer<'a> {
    pub(super) pres: &'a PresC,
    /// `None` while scouting.
    messages: Option<mint::text::Writer<'a>>,
    unguessed: Vec<mint::NodeId>,
    pub(super) types: BTreeMap<TypeStubId, String>,
    shared: BTreeSet<NodeId>,
    written: BTreeMap<NodeId, i128>,
    /// The arenas that operations have shown.
    pub(super) arenas: Vec<ArenaArgument>,
}

impl<'a> Writer<'a> {
    fn new(pres: &'a PresC, messages: Option<mint::text::Writer<'a>>) -> Self {
        Writer {
            pres,
            messages,
            unguessed: Vec::new(),
            types: type_references(pres),
            shared: shared(pres),
            written: BTreeMap::new(),
            arenas: Vec::new(),
        }
    }

    fn forms(&mut self) -> Vec<Sexpr> {
        let pres = self.pres;
        let mut forms: Vec<Sexpr> = pres.types.iter().map(|(id, stub)| self.type_stub(id, stub)).collect();
        let mut messages = pres.mint.messages.iter();
        for interface in &pres.interfaces {
            forms.push(self.interface(interface, &mut messages));
        }
        for arena in &pres.arenas {
            let head = atom(&arena.name);
            let shown = self.arenas.iter().find(|shown| shown.name == arena.name);
            let rest = if shown == Some(arena) { Vec::new() } else { self.arena(arena) };
            forms.push(node("arena", std::iter::once(head).chain(rest)));
        }
        for (name, numbers) in &pres.field_numbers {
            let number = |number: &Option<u32>| number.map_or_else(|| atom("none"), |number| atom(number.to_string()));
            forms.push(node("numbers", std::iter::once(atom(name)).chain(numbers.iter().map(number))));
        }
        for (name, ranges) in &pres.ranges {
            let range = |range: &Option<(i128, i128)>| match range {
                Some((least, most)) => atom(format!("{least}..{most}")),
                None => atom("none"),
            };
            forms.push(node("ranges", std::iter::once(atom(name)).chain(ranges.iter().map(range))));
        }
        for (name, of_members) in &pres.number_forms {
            let form = |form: &Option<NumberForm>| form.map_or_else(|| atom("none"), |form| atom(form.word()));
            forms.push(node("forms", std::iter::once(atom(name)).chain(of_members.iter().map(form))));
        }
        for packet in &pres.packets {
            let stub = atom(&self.types[&packet.stub]);
            forms.push(node("packet", [atom(&packet.name), stub, sexpr::text(&packet.schema)]));
        }
        forms
    }

    fn type_stub(&mut self, id: TypeStubId, stub: &TypeStub) -> Sexpr {
        let mut form = vec![atom(&self.types[&id]["@".len()..])];
        if stub.routine != format!("xdr_{}", stub.name) {
            form.push(node("routine", [atom(&stub.routine)]));
        }
        if stub.ty != cast::Type::named(&stub.name) {
            form.push(node("c", [write_type(&stub.ty)]));
        }
        form.extend(stub.is_array.then(|| atom("array")));
        form.extend(stub.imported.then(|| atom("imported")));
        let expected = self.pres.mint.nodes.iter().find(|(_, slot)| slot.name.as_ref() == Some(&stub.name));
        form.push(self.node(stub.node, Some(&stub.ty), expected.map(|(id, _)| id)));
        node("type", form)
    }

    /// A node where it is used; `ty` and `message` are what the reader will guess.
    pub(super) fn node(&mut self, id: NodeId, ty: Option<&cast::Type>, message: Option<mint::NodeId>) -> Sexpr {
        if let Some(label) = self.written.get(&id) {
            return node("same", [number(*label)]);
        }
        if !self.shared.contains(&id) {
            return self.write_once(id, ty, message);
        }
        let label = i128::try_from(self.written.len() + 1).unwrap_or(i128::MAX);
        self.written.insert(id, label);
        node("let", [number(label), self.write_once(id, ty, message)])
    }

    fn write_once(&mut self, id: NodeId, ty: Option<&cast::Type>, message: Option<mint::NodeId>) -> Sexpr {
        let node_of = &self.pres.nodes[id];
        let natural = natural_type(self.pres, &node_of.pres);
        let mut said = Vec::new();
        if node_of.ty != *ty.unwrap_or(&natural) {
            said.push(node("c", [write_type(&node_of.ty)]));
        }
        if Some(node_of.mint) != message {
            said.push(node("message", [self.message(node_of.mint)]));
        }
        let content = self.content(&node_of.pres, node_of.mint);
        if said.is_empty() { content } else { node("as", std::iter::once(content).chain(said)) }
    }

    fn message(&mut self, id: mint::NodeId) -> Sexpr {
        match &mut self.messages {
            Some(messages) => messages.node(id),
            None => {
                self.unguessed.push(id);
                atom("?")
            }
        }
    }

    fn content(&mut self, kind: &Pres, message: mint::NodeId) -> Sexpr {
        let parts = parts(&self.pres.mint, Some(message), kind);
        let first = parts.first().copied().flatten();
        match kind {
            Pres::Void => atom("void"),
            Pres::Direct(scalar) => atom(scalar_word(*scalar)),
            Pres::Structure(members) => {
                let members = members.iter().zip(parts).map(|(member, part)| self.member(member, part));
                node("struct", members.collect::<Vec<_>>())
            }
            Pres::Union { .. } => self.union(kind, &parts),
            Pres::FixedArray { element, length } => {
                node("fixed", [write_extent(length), self.node(*element, None, first)])
            }
            Pres::FixedBytes { length } => node("fixed-bytes", [write_extent(length)]),
            Pres::CountedArray { length, data, element, bound, storage, sequence } => {
                let element = self.node(*element, None, first);
                let named = [atom(length), atom(data), atom(storage_word(*storage)), element];
                let rest = write_bound(bound.as_ref()).into_iter().chain(write_sequence(sequence.as_ref()));
                node("counted", named.into_iter().chain(rest))
            }
            Pres::CountedBytes { length, data, bound, storage, sequence } => {
                let named = [atom(length), atom(data), atom(storage_word(*storage))];
                let rest = write_bound(bound.as_ref()).into_iter().chain(write_sequence(sequence.as_ref()));
                node("counted-bytes", named.into_iter().chain(rest))
            }
            Pres::InlineArray { count, element, bound } => {
                let element = self.node(*element, None, first);
                node("inline", [atom(count), element].into_iter().chain(bound.as_ref().map(write_extent)))
            }
            Pres::InlineBytes { count, bound } => {
                node("inline-bytes", std::iter::once(atom(count)).chain(bound.as_ref().map(write_extent)))
            }
            Pres::InlineText { bound } => node("inline-text", [write_extent(bound)]),
            Pres::TerminatedText { bound, storage } => {
                let storage = atom(storage_word(*storage));
                node("text", std::iter::once(storage).chain(write_bound(bound.as_ref())))
            }
            Pres::OptionalPointer { target, storage } => {
                node("optional", [atom(storage_word(*storage)), self.node(*target, None, first)])
            }
            Pres::Reference { target, storage } => {
                node("reference", [atom(storage_word(*storage)), self.node(*target, None, first)])
            }
            Pres::Named(stub) => atom(&self.types[stub]),
            Pres::External { routine, arguments } => {
                let arguments = arguments.iter().map(|argument| number(i128::from(*argument)));
                node("external", std::iter::once(atom(routine)).chain(arguments))
            }
        }
    }

    fn member(&mut self, member: &Member, message: Option<mint::NodeId>) -> Sexpr {
        node("member", [atom(&member.name), self.node(member.node, None, message)])
    }

    fn union(&mut self, kind: &Pres, parts: &[Option<mint::NodeId>]) -> Sexpr {
        let Pres::Union { discriminant, body, body_type, arms, default } = kind else { return atom("void") };
        let part = |at: usize| parts.get(at).copied().flatten();
        let mut form = vec![self.member(discriminant, part(0)), node("body", [atom(body)])];
        for (arm, at) in arms.iter().zip(1..) {
            form.push(self.arm(arm, part(at)));
        }
        match default {
            DefaultArm::Error => {}
            DefaultArm::Body(member) => {
                let message = part(arms.len() + 1);
                let member = member.as_ref().map(|member| self.member(member, message));
                form.push(node("default", member));
            }
        }
        if *body_type != natural_body(self.pres, arms, default) {
            form.push(node("c", [write_type(body_type)]));
        }
        node("union", form)
    }

    fn arm(&mut self, arm: &Arm, message: Option<mint::NodeId>) -> Sexpr {
        let member = arm.member.as_ref().map(|member| self.member(member, message));
        node("arm", arm.labels.iter().map(write_label).chain(member))
    }
}

/// The nodes that several places refer to.
fn shared(pres: &PresC) -> BTreeSet<NodeId> {
    let mut uses: Vec<NodeId> = pres.types.iter().map(|(_, stub)| stub.node).collect();
    let mut arenas = Vec::new();
    for operation in pres.interfaces.iter().flat_map(|interface| &interface.operations) {
        let written = written_messages(operation).into_iter().filter_map(|(_, message)| message.value());
        uses.extend(written.map(|value| value.node));
        let arena = operation.arena.as_ref();
        uses.extend(arena.filter(|arena| !is_of_request(arena, operation)).map(|arena| arena.node));
        arenas.extend(arena);
    }
    uses.extend(pres.arenas.iter().filter(|arena| !arenas.contains(arena)).map(|arena| arena.node));
    let (mut seen, mut shared) = (BTreeSet::new(), BTreeSet::new());
    while let Some(id) = uses.pop() {
        if seen.insert(id) {
            uses.extend(children(&pres.nodes[id]));
        } else {
            shared.insert(id);
        }
    }
    shared
}

/// `(sequence _maximum _release)`
fn write_sequence(sequence: Option<&SequenceMembers>) -> Option<Sexpr> {
    sequence.map(|members| node("sequence", [atom(&members.maximum), atom(&members.release)]))
}

fn storage_word(storage: Storage) -> &'static str {
    match storage {
        Storage::Heap => "heap",
        Storage::Arena => "arena",
        Storage::Caller => "caller",
        Storage::Buffer => "buffer",
        Storage::Managed => "managed",
    }
}
