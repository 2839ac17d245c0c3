//! What styles whose operations marshal from structures have in common: the messages of an operation, and the frame of a
//! header.

use std::collections::BTreeMap;

use aoi::{Aoi, Definition, DefinitionKind, Direction, Interface, Operation, Value};
use cast::{Condition, Conditional, Declaration, Field, Record, RecordKind, Type as C};
use escape::c::Base;
use pres::{CodecFunction, DefaultArm, Member, NodeId, PresC, Raised, TypeStub, TypeStubId, Way};
use source::Diagnostic;

use crate::enumerations;
use crate::errors;
use crate::order::{Entry, Included};
use crate::tree::{Case, Tree};

/// Whose messages a structure is for, and which of the two.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Message {
    ClientRequest,
    ClientReply,
    ServerRequest,
    ServerReply,
}

impl Message {
    /// All of an operation's, in the order in which stubs declare them.
    pub(crate) const ALL: [Message; 4] =
        [Message::ClientRequest, Message::ClientReply, Message::ServerRequest, Message::ServerReply];

    /// What the name of the structure ends with.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Message::ClientRequest => "client_request",
            Message::ClientReply => "client_reply",
            Message::ServerRequest => "server_request",
            Message::ServerReply => "server_reply",
        }
    }

    pub(crate) fn is_reply(self) -> bool {
        matches!(self, Message::ClientReply | Message::ServerReply)
    }

    /// Whether what goes that way travels in it.
    pub(crate) fn has(self, way: Way) -> bool {
        match way {
            Way::In => !self.is_reply(),
            Way::Out | Way::Result => self.is_reply(),
            Way::InOut => true,
        }
    }
}

/// Which way what a parameter holds travels.
pub(crate) fn way(direction: Direction) -> Way {
    match direction {
        Direction::In => Way::In,
        Direction::Out => Way::Out,
        Direction::InOut => Way::InOut,
    }
}

/// An operation with its messages, which MINT has, too; what a style says beside is left out.
pub(crate) fn operation(
    pres: &mut PresC,
    of: &Operation,
    client: String,
    packs: [Option<TypeStubId>; 4],
) -> pres::Operation {
    let [request, reply] = [packs[0], packs[1]].map(|pack| match pack {
        Some(pack) => pres.nodes[pres.types[pack].node].mint,
        None => pres.mint.add(mint::Node::Void),
    });
    pres.mint.messages.push(mint::Message { operation: of.name.clone(), request, reply });
    let [client_request, client_reply, server_request, server_reply] = packs.map(pres::Message::from);
    let (name, is_oneway) = (of.name.clone(), of.is_oneway);
    let named = pres::Operation { name, client, is_oneway, ..pres::Operation::default() };
    pres::Operation { client_request, client_reply, server_request, server_reply, ..named }
}

/// The structure of a message, with what travels in it; `None` where nothing does. A reply that tells exceptions of the operation's is a
/// union of them and the results.
pub(crate) fn pack(
    tree: &mut Tree,
    (client, message): (&str, Message),
    members: Vec<Member>,
    raises: &[Raised],
) -> Option<TypeStubId> {
    let name = format!("whittle_{client}_{}", message.ending());
    let ty = C::structure(&name);
    let node = match message.is_reply() && !raises.is_empty() {
        true => outcome(tree, members, raises, ty.clone()),
        false if members.is_empty() => return None,
        false => tree.structure(members, ty.clone()),
    };
    Some(tree.stub_of(name, ty, node))
}

/// The reply of an operation that raises exceptions, where no reply of another kind has them: a union of its results and their members.
fn outcome(tree: &mut Tree, results: Vec<Member>, raises: &[Raised], ty: C) -> NodeId {
    let number = tree.integer(32, false, C::named("uint32_t"));
    let discriminant = Member { name: pres::RAISED.to_string(), node: number };
    let mut bodies = vec![(!results.is_empty()).then(|| {
        let field = |member: &Member| Field { name: member.name.clone(), ty: tree.pres.nodes[member.node].ty.clone() };
        let fields = results.iter().map(field).collect();
        let record = Record { kind: RecordKind::Struct, tag: None, fields };
        let node = tree.structure(results.clone(), C::Anonymous(Box::new(record)));
        Member { name: pres::RESULTS.to_string(), node }
    })];
    for raised in raises {
        let member = raised.stub.map(|stub| {
            let mint = tree.message(tree.pres.types[stub].node);
            let node = tree.named(stub, raised.ty.clone(), mint);
            Member { name: raised.member(), node }
        });
        bodies.push(member);
    }
    let fields = bodies
        .iter()
        .flatten()
        .map(|member| Field { name: member.name.clone(), ty: tree.pres.nodes[member.node].ty.clone() });
    let mut fields: Vec<Field> = fields.collect();
    if fields.is_empty() {
        fields.push(Field { name: "nothing".to_string(), ty: C::CHAR });
    }
    let union = C::Anonymous(Box::new(Record { kind: RecordKind::Union, tag: None, fields }));
    let numbers: Vec<Value> = (0..bodies.len()).map(number_of).collect();
    let cases: Vec<Case> = numbers.iter().map(std::slice::from_ref).zip(bodies).collect();
    tree.union(discriminant, (pres::OUTCOME, union), cases, DefaultArm::Error, ty)
}

fn number_of(place: usize) -> Value {
    Value::Integer { value: i128::try_from(place).unwrap_or_default(), spelling: place.to_string() }
}

/// An exception that an operation raises: a structure of that name in C, with a stub where it has members.
pub(crate) fn raised(definition: &Definition, name: String, stub: Option<TypeStubId>) -> Raised {
    Raised {
        repository_id: repository_id(definition, &name),
        ty: C::structure(&name),
        stub: stub.filter(|_| !is_empty(definition)),
        allocate: String::new(),
        id: name,
    }
}

/// The repository id of an exception, where the language has one; C's name gives it otherwise.
pub(crate) fn repository_id(definition: &Definition, c_name: &str) -> String {
    definition.repository_id.clone().unwrap_or_else(|| format!("IDL:{c_name}:1.0"))
}

/// Objects of an interface never leave their process: nobody calls them from elsewhere.
pub(crate) fn is_local(aoi: &Aoi, interface: &Interface) -> bool {
    let reference = interface.reference.map(|id| &aoi.definitions[id].kind);
    matches!(reference, Some(DefinitionKind::Reference(reference)) if reference.is_local)
}

/// An exception without members.
fn is_empty(definition: &Definition) -> bool {
    matches!(&definition.kind, DefinitionKind::Exception(members) if members.fields.is_empty())
}

/// What encodes, decodes and handles the values of a type where no link carries them.
pub(crate) fn codec(stub: &TypeStub, is_taken: &dyn Fn(&str) -> bool) -> Vec<Declaration> {
    let declare = |function: CodecFunction| {
        let head = function.head((&stub.name, &stub.ty), stub.is_array, is_taken);
        Declaration::Prototype(head)
    };
    CodecFunction::ALL.into_iter().map(declare).collect()
}

/// What stands before the first of them: it holds for all.
pub(crate) fn codec_comment() -> Declaration {
    let lines: Vec<String> =
        CodecFunction::ALL.map(|function| format!("{}: {}", function.name("T"), function.meaning())).into();
    Declaration::comment(format!("Of each type T:\n{}", lines.join("\n")))
}

pub(crate) fn notice() -> Declaration {
    Declaration::comment("Please do not edit this file.\nIt was generated using whittle.")
}

/// Files whose headers would be one, as all headers of a program stand in one folder. `base` is the file's own.
pub(crate) fn one_folder(entries: &[Entry], base: &Base) -> Vec<Diagnostic> {
    let own = base.header(".h");
    let mut headers = BTreeMap::from([(own.as_str().to_owned(), "this file")]);
    let included = entries.iter().filter_map(|entry| match entry {
        Entry::Included(included) => Some(included),
        _ => None,
    });
    let clash =
        |included: &Included<'_>, first: &str| errors::one_header(included.header.as_str(), first, included.file);
    let mut findings = Vec::new();
    for included in included {
        match headers.insert(included.header.as_str().to_owned(), included.file) {
            Some(first) if first != included.file => findings.push(clash(included, first)),
            _ => {}
        }
    }
    findings
}

/// A header: `body` behind its guard, the run time's header and the includes that stand among it. `guard` is around the
/// file's name in capitals: `["", "_H_PLAIN"]`.
pub(crate) fn header(
    base: &Base,
    guard: [&str; 2],
    run_time: &'static str,
    body: Vec<Declaration>,
) -> Vec<Declaration> {
    let guard = format!("{}{}{}", guard[0], base.word().to_ascii_uppercase(), guard[1]);
    // No name begins with a digit, as `1.x` does.
    let guard = if guard.starts_with(|first: char| first.is_ascii_digit()) { format!("_{guard}") } else { guard };
    let (includes, body): (Vec<_>, Vec<_>) =
        body.into_iter().partition(|declaration| matches!(declaration, Declaration::Include(_)));
    let mut inside = vec![
        Declaration::Define(cast::Definition { name: guard.clone(), value: None }),
        Declaration::Blank,
        Declaration::own_include(run_time),
    ];
    inside.extend(includes);
    inside.extend(enumerations::before(&body));
    inside.extend([Declaration::Blank, Declaration::ExternC(body), Declaration::Blank]);
    let condition = Condition::undefined(guard);
    let guarded = Conditional { condition, then: inside, otherwise: Vec::new() };
    vec![notice(), Declaration::Blank, Declaration::Conditional(guarded)]
}
