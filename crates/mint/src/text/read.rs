//! From text to MINT. Named nodes are counted first, then all is read, so that order does not matter.

use std::collections::BTreeMap;

use sexpr::{Cursor, ReadError, Sexpr};

use crate::{Bound, Case, Message, Mint, Node, NodeId};

/// Reads the text form. Never fails: forms that make no sense are left out and reported.
pub fn parse(text: &str) -> (Mint, Vec<ReadError>) {
    let (forms, errors) = sexpr::parse(text);
    let mut reader = Reader::default();
    reader.forms(&forms);
    let (mint, mut findings) = reader.finish();
    findings.splice(0..0, errors);
    (mint, findings)
}

/// Reads nodes; the same one for all that refer to them.
#[derive(Default)]
pub struct Reader {
    mint: Mint,
    names: BTreeMap<String, NodeId>,
    labels: BTreeMap<i128, NodeId>,
    errors: Vec<ReadError>,
}

impl Reader {
    /// What was read, and what made no sense.
    pub fn finish(self) -> (Mint, Vec<ReadError>) {
        (self.mint, self.errors)
    }

    /// What was read so far.
    pub fn mint(&self) -> &Mint {
        &self.mint
    }

    /// The node of a reference such as `@name`.
    pub fn named(&self, reference: &str) -> Option<NodeId> {
        self.names.get(reference).copied()
    }

    fn wrong<T>(&mut self, form: &Sexpr, message: &str) -> Option<T> {
        self.errors.push(ReadError::about(form, message));
        None
    }

    /// All forms of a text.
    pub fn forms(&mut self, forms: &[Sexpr]) {
        let heads = forms.iter().filter_map(|form| form.head().filter(|head| head.starts_with('@')));
        for head in heads {
            let name = head.trim_start_matches('@');
            // `@name#2` is the second of that name.
            let bare = name.rsplit_once('#').filter(|(_, n)| n.parse::<usize>().is_ok()).map_or(name, |(bare, _)| bare);
            let id = self.mint.add_named(bare, Node::Void);
            self.names.insert(head.to_string(), id);
        }
        let mut request = None;
        for form in forms {
            let mut parts = Cursor::new(form.as_list().unwrap_or_default());
            match parts.atom() {
                Some("request") => request = self.message(form, parts),
                Some("reply") => {
                    if let Some((operation, reply)) = self.message(form, parts) {
                        match request.take() {
                            Some((name, request)) if name == operation => {
                                self.mint.messages.push(Message { operation, request, reply });
                            }
                            _ => self.wrong(form, "expected the request before the reply").unwrap_or_default(),
                        }
                    }
                }
                Some("loose") => {
                    self.part(form, &mut parts);
                }
                Some(name) if name.starts_with('@') => {
                    let content = parts.form().and_then(|content| self.content(content));
                    if let (Some(content), Some(id)) = (content, self.names.get(name)) {
                        self.mint.nodes[*id].node = content;
                    }
                }
                _ => self.wrong(form, "expected `request`, `reply`, `@name` or `loose`").unwrap_or_default(),
            }
        }
    }

    fn message(&mut self, form: &Sexpr, mut parts: Cursor) -> Option<(String, NodeId)> {
        let Some(operation) = parts.atom() else { return self.wrong(form, "expected an operation's name") };
        let payload = self.part(form, &mut parts)?;
        Some((operation.to_string(), payload))
    }

    fn part(&mut self, form: &Sexpr, parts: &mut Cursor) -> Option<NodeId> {
        match parts.form() {
            Some(part) => self.node(part),
            None => self.wrong(form, "expected a node"),
        }
    }

    /// A node where it is used.
    pub fn node(&mut self, form: &Sexpr) -> Option<NodeId> {
        if let Some(reference) = form.as_atom().filter(|word| word.starts_with('@')) {
            return match self.names.get(reference) {
                Some(id) => Some(*id),
                None => self.wrong(form, "no node of this name"),
            };
        }
        if let Some(mut parts) = Cursor::of(form, "same") {
            return match parts.number().and_then(|label| self.labels.get(&label)) {
                Some(id) => Some(*id),
                None => self.wrong(form, "no `(let …)` of this number before"),
            };
        }
        if let Some(mut parts) = Cursor::of(form, "let") {
            let Some(label) = parts.number() else { return self.wrong(form, "expected `(let NUMBER NODE)`") };
            let id = self.mint.add(Node::Void);
            self.labels.insert(label, id);
            let content = parts.form().and_then(|content| self.content(content))?;
            self.mint.nodes[id].node = content;
            return Some(id);
        }
        let content = self.content(form)?;
        Some(self.mint.add(content))
    }

    fn content(&mut self, form: &Sexpr) -> Option<Node> {
        if let Some(word) = form.as_atom() {
            return match word_node(word) {
                Some(node) => Some(node),
                None => self.wrong(form, "no kind of node is called so"),
            };
        }
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        match parts.atom() {
            Some("enum") => {
                let members = parts.rest().iter().filter_map(Sexpr::as_number).collect();
                Some(Node::Enumeration { members })
            }
            Some("array") => {
                let element = self.part(form, &mut parts)?;
                let Some((least, most)) = range(&mut parts) else {
                    return self.wrong(form, "expected a number of elements");
                };
                Some(Node::Array { element, least, most })
            }
            Some("struct") => {
                Some(Node::Structure(parts.rest().iter().filter_map(|member| self.node(member)).collect()))
            }
            Some("union") => self.union(form, parts),
            Some("optional") => Some(Node::Optional(self.part(form, &mut parts)?)),
            Some("value") => {
                let ids: Vec<String> = std::iter::from_fn(|| parts.text().map(str::to_string)).collect();
                if ids.is_empty() {
                    return self.wrong(form, "expected a repository id");
                }
                Some(Node::Value { ids, state: self.part(form, &mut parts)? })
            }
            Some("external") => match parts.atom() {
                Some(name) => Some(Node::External(name.to_string())),
                None => self.wrong(form, "expected a name"),
            },
            _ => self.wrong(form, "no kind of node looks so"),
        }
    }

    fn union(&mut self, form: &Sexpr, mut parts: Cursor) -> Option<Node> {
        let discriminant = self.part(form, &mut parts)?;
        let mut cases = Vec::new();
        while let Some(case) = parts.list("case") {
            let Some((body, labels)) = case.rest().split_last() else {
                return self.wrong(form, "expected `(case LABELS… BODY)`");
            };
            let labels = labels.iter().filter_map(bound).collect();
            let body = self.node(body)?;
            cases.push(Case { labels, body });
        }
        let default = match parts.list("default") {
            Some(mut default) => Some(self.part(form, &mut default)?),
            None => None,
        };
        Some(Node::Union { discriminant, cases, default })
    }
}

fn word_node(word: &str) -> Option<Node> {
    let bits = |prefix: &str| word.strip_prefix(prefix).and_then(|bits| bits.parse().ok());
    match word {
        "void" => Some(Node::Void),
        "bool" => Some(Node::Boolean),
        "octet" => Some(Node::Octet),
        "char" => Some(Node::Character),
        _ => bits("int")
            .map(|bits| Node::Integer { bits, signed: true })
            .or_else(|| bits("uint").map(|bits| Node::Integer { bits, signed: false }))
            .or_else(|| bits("float").map(|bits| Node::Float { bits })),
    }
}

fn range(parts: &mut Cursor) -> Option<(Bound, Bound)> {
    let first = parts.form()?;
    if let Some((least, most)) = first.as_atom().and_then(|word| word.split_once("..")) {
        let most = if most.is_empty() { Bound::Unlimited } else { Bound::Number(most.parse().ok()?) };
        let least = match least.strip_prefix('#') {
            Some(part) => Bound::Part(part.parse().ok()?),
            None => Bound::Number(least.parse().ok()?),
        };
        return Some((least, most));
    }
    let least = bound(first)?;
    let most = parts.form().map_or_else(|| Some(least.clone()), bound)?;
    Some((least, most))
}

fn bound(form: &Sexpr) -> Option<Bound> {
    if let Some(mut symbol) = Cursor::of(form, "symbol") {
        return Some(Bound::Symbol(symbol.atom()?.to_string()));
    }
    if let Some(mut part) = Cursor::of(form, "part") {
        return Some(Bound::Part(part.number().and_then(|number| u32::try_from(number).ok())?));
    }
    match form.as_number() {
        Some(number) => Some(Bound::Number(number)),
        None => (form.as_atom() == Some("unlimited")).then_some(Bound::Unlimited),
    }
}
