//! From text to nodes: the trees of types, arguments and results.

use sexpr::{Cursor, Sexpr};

use super::c_types::read_type;
use super::guess::{natural_body, natural_type, parts};
use super::read::Reader;
use super::terms::{read_bound, read_extent, read_labels, word_scalar};
use crate::{Arm, DefaultArm, Member, Node, NodeId, Pres, SequenceMembers, Storage};

/// What the place of a node says about it: the C type, and the part of the message.
#[derive(Clone, Default)]
pub(super) struct Guess {
    pub(super) ty: Option<cast::Type>,
    pub(super) message: Option<mint::NodeId>,
}

impl Guess {
    fn part(message: Option<mint::NodeId>) -> Guess {
        Guess { ty: None, message }
    }
}

impl Reader {
    /// A node where it is used.
    pub(super) fn node(&mut self, form: &Sexpr, guess: Guess) -> Option<NodeId> {
        if let Some(mut same) = Cursor::of(form, "same") {
            return match same.number().and_then(|label| self.labels.get(&label)) {
                Some(id) => Some(*id),
                None => self.wrong(form, "no `(let …)` of this number before"),
            };
        }
        if let Some(mut once) = Cursor::of(form, "let") {
            let Some(label) = once.number() else { return self.wrong(form, "expected `(let NUMBER NODE)`") };
            let id = once.form().and_then(|inner| self.read_once(inner, guess))?;
            self.labels.insert(label, id);
            return Some(id);
        }
        self.read_once(form, guess)
    }

    fn read_once(&mut self, form: &Sexpr, mut guess: Guess) -> Option<NodeId> {
        let mut content = form;
        if let Some(mut said) = Cursor::of(form, "as") {
            let Some(inner) = said.form() else { return self.wrong(form, "expected a node") };
            content = inner;
            if let Some(mut c) = said.list("c") {
                let ty = c.form().and_then(read_type);
                let Some(ty) = ty else { return self.wrong(form, "expected a C type") };
                guess.ty = Some(ty);
            }
            if let Some(mut message) = said.list("message") {
                guess.message = message.form().and_then(|message| self.messages.node(message));
            }
        }
        let pres = self.content(content, guess.message)?;
        let Some(mint) = guess.message else {
            return self.wrong(form, "nothing says which message this is: expected `(as NODE (message NODE))`");
        };
        let ty = guess.ty.unwrap_or_else(|| natural_type(&self.pres, &pres));
        Some(self.pres.nodes.alloc(Node { pres, ty, mint }))
    }

    fn content(&mut self, form: &Sexpr, message: Option<mint::NodeId>) -> Option<Pres> {
        if let Some(word) = form.as_atom() {
            return match self.word(word) {
                Some(pres) => Some(pres),
                None => self.wrong(form, "no kind of node, and no type, is called so"),
            };
        }
        let mut rest = Cursor::new(form.as_list().unwrap_or_default());
        let head = rest.atom().unwrap_or_default();
        let read = match head {
            "struct" => self.structure(rest, message),
            "union" => self.union(rest, message),
            "fixed" | "counted" | "inline" | "optional" | "reference" => self.container(head, rest, message),
            "fixed-bytes" => rest.form().and_then(read_extent).map(|length| Pres::FixedBytes { length }),
            "counted-bytes" => counted_bytes(rest),
            "inline-bytes" => inline_bytes(rest),
            "inline-text" => rest.form().and_then(read_extent).map(|bound| Pres::InlineText { bound }),
            "text" => storage(&mut rest).and_then(|storage| {
                let bound = read_bound(&mut rest)?;
                Some(Pres::TerminatedText { bound, storage })
            }),
            "external" => external(rest),
            _ => None,
        };
        match read {
            Some(pres) => Some(pres),
            None => self.wrong(form, "no kind of node looks so"),
        }
    }

    fn word(&self, word: &str) -> Option<Pres> {
        if word.starts_with('@') {
            return self.types.get(word).map(|stub| Pres::Named(*stub));
        }
        if word == "void" { Some(Pres::Void) } else { word_scalar(word).map(Pres::Direct) }
    }

    /// The kinds with one node inside.
    fn container(&mut self, head: &str, mut rest: Cursor, message: Option<mint::NodeId>) -> Option<Pres> {
        let inner = |reader: &mut Self, rest: &mut Cursor, shape: Pres| {
            let part = parts(reader.messages.mint(), message, &shape).first().copied().flatten();
            reader.node(rest.form()?, Guess::part(part))
        };
        // The shape alone decides which part of the message is meant; the node in it is not looked at.
        let nobody = NodeId::from_raw(la_arena::RawIdx::from_u32(0));
        match head {
            "fixed" => {
                let length = read_extent(rest.form()?)?;
                let shape = Pres::FixedArray { element: nobody, length: length.clone() };
                Some(Pres::FixedArray { element: inner(self, &mut rest, shape)?, length })
            }
            "counted" => {
                let (length, data) = (rest.atom()?.to_string(), rest.atom()?.to_string());
                let storage = storage(&mut rest)?;
                let (element, bound_before) = (nobody, None);
                let shape = Pres::CountedArray {
                    length: String::new(),
                    data: String::new(),
                    element,
                    bound: bound_before,
                    storage,
                    sequence: None,
                };
                let element = inner(self, &mut rest, shape)?;
                let (bound, sequence) = (read_bound(&mut rest)?, sequence(&mut rest)?);
                Some(Pres::CountedArray { length, data, element, bound, storage, sequence })
            }
            "inline" => {
                let count = rest.atom()?.to_string();
                let shape = Pres::InlineArray { count: String::new(), element: nobody, bound: None };
                let element = inner(self, &mut rest, shape)?;
                Some(Pres::InlineArray { count, element, bound: last_extent(rest)? })
            }
            "reference" => {
                let storage = storage(&mut rest)?;
                let shape = Pres::Reference { target: nobody, storage };
                Some(Pres::Reference { target: inner(self, &mut rest, shape)?, storage })
            }
            _ => {
                let storage = storage(&mut rest)?;
                let shape = Pres::OptionalPointer { target: nobody, storage };
                Some(Pres::OptionalPointer { target: inner(self, &mut rest, shape)?, storage })
            }
        }
    }

    /// `(member NAME NODE)`
    fn member(&mut self, mut form: Cursor, message: Option<mint::NodeId>) -> Option<Member> {
        let name = form.atom()?.to_string();
        let node = self.node(form.form()?, Guess::part(message))?;
        Some(Member { name, node })
    }

    fn structure(&mut self, mut rest: Cursor, message: Option<mint::NodeId>) -> Option<Pres> {
        let count = rest.rest().len();
        let content = message.map(|id| self.messages.mint().nodes[id].node.clone());
        let parts = match content {
            Some(mint::Node::Structure(parts)) if parts.len() == count => parts.into_iter().map(Some).collect(),
            _ => vec![None; count],
        };
        let mut members = Vec::new();
        for part in parts {
            members.push(self.member(rest.list("member")?, part)?);
        }
        Some(Pres::Structure(members))
    }

    fn union(&mut self, mut rest: Cursor, message: Option<mint::NodeId>) -> Option<Pres> {
        let arms = rest.rest().iter().filter(|form| form.head() == Some("arm")).count();
        let content = message.map(|id| self.messages.mint().nodes[id].node.clone());
        let parts: Vec<Option<mint::NodeId>> = match content {
            Some(mint::Node::Union { discriminant, cases, default }) if cases.len() == arms => {
                let bodies = cases.iter().map(|case| Some(case.body));
                std::iter::once(Some(discriminant)).chain(bodies).chain([default]).collect()
            }
            _ => vec![None; arms + 2],
        };
        let part = |at: usize| parts.get(at).copied().flatten();
        let discriminant = self.member(rest.list("member")?, part(0))?;
        let body = rest.list("body")?.atom()?.to_string();
        let mut read = Vec::new();
        while let Some(arm) = rest.list("arm") {
            let message = part(read.len() + 1);
            read.push(self.arm(arm, message)?);
        }
        let default = match rest.list("default") {
            None => DefaultArm::Error,
            Some(mut default) => match default.list("member") {
                None => DefaultArm::Body(None),
                Some(member) => DefaultArm::Body(Some(self.member(member, part(arms + 1))?)),
            },
        };
        let body_type = match rest.list("c") {
            Some(mut c) => read_type(c.form()?)?,
            None => natural_body(&self.pres, &read, &default),
        };
        Some(Pres::Union { discriminant, body, body_type, arms: read, default })
    }

    fn arm(&mut self, mut form: Cursor, message: Option<mint::NodeId>) -> Option<Arm> {
        let labels = read_labels(&mut form)?;
        let member = match form.list("member") {
            Some(member) => Some(self.member(member, message)?),
            None => None,
        };
        Some(Arm { labels, member })
    }
}

fn counted_bytes(mut rest: Cursor) -> Option<Pres> {
    let (length, data) = (rest.atom()?.to_string(), rest.atom()?.to_string());
    let storage = storage(&mut rest)?;
    let (bound, sequence) = (read_bound(&mut rest)?, sequence(&mut rest)?);
    Some(Pres::CountedBytes { length, data, bound, storage, sequence })
}

/// `(sequence MAXIMUM RELEASE)`, if it stands next: an absent one is `Some(None)`, a malformed one `None`.
fn sequence(rest: &mut Cursor) -> Option<Option<SequenceMembers>> {
    let Some(mut members) = rest.list("sequence") else { return Some(None) };
    let (maximum, release) = (members.atom()?.to_string(), members.atom()?.to_string());
    Some(Some(SequenceMembers { maximum, release }))
}

fn external(mut rest: Cursor) -> Option<Pres> {
    let routine = rest.atom()?.to_string();
    let mut arguments = Vec::new();
    while let Some(argument) = rest.number() {
        arguments.push(u64::try_from(argument).ok()?);
    }
    Some(Pres::External { routine, arguments })
}

fn inline_bytes(mut rest: Cursor) -> Option<Pres> {
    let count = rest.atom()?.to_string();
    Some(Pres::InlineBytes { count, bound: last_extent(rest)? })
}

/// The extent that ends a form, if one does: an absent one is `Some(None)`, a malformed one `None`.
fn last_extent(mut rest: Cursor) -> Option<Option<crate::Extent>> {
    match rest.form() {
        Some(form) => Some(Some(read_extent(form)?)),
        None => Some(None),
    }
}

fn storage(rest: &mut Cursor) -> Option<Storage> {
    match rest.atom()? {
        "heap" => Some(Storage::Heap),
        "arena" => Some(Storage::Arena),
        "caller" => Some(Storage::Caller),
        "buffer" => Some(Storage::Buffer),
        "managed" => Some(Storage::Managed),
        _ => None,
    }
}
