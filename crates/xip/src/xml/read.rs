//! From XML to XIP: files, packets, pipes and ports.

use roxmltree::{Document, ParsingOptions};
use source::{Diagnostic, FileId, SourceMap};

use super::forms::{PLAIN_TYPES, TEXT_TYPE};
use super::reader::{Node, Reader};
use super::{NAMESPACE, VERSION, errors, guard, malformed, values};
use crate::{
    Advice, Aspect, Direction, Extent, Field, FieldType, Flow, Import, Item, JoinPoint, Middle, NumberRange, Packet,
    Pipe, Polarity, Port, Spanned, Timer, Wait, WaitPolicy, Waited, Xip,
};

/// The elements, texts and comments of one file; hundred thousand edges have fewer.
const NODES_MOST: u32 = 1_000_000;

/// Reads the XML form. The findings are in the order of their places.
pub fn read(map: &SourceMap, file: FileId) -> (Xip, Vec<Diagnostic>) {
    let text = map.text(file);
    if let Some(finding) = guard::check(text, file) {
        return (Xip::default(), vec![finding]);
    }
    let options = ParsingOptions { allow_dtd: false, nodes_limit: NODES_MOST, ..ParsingOptions::default() };
    let document = match Document::parse_with_options(text, options) {
        Ok(document) => document,
        Err(error) => return (Xip::default(), vec![malformed::finding(text, file, &error)]),
    };
    let root = document.root_element();
    let mut reader = Reader::new(text, file, root);
    let xip = reader.root(root);
    (xip, reader.findings())
}

impl<'a> Reader<'a> {
    fn root(&mut self, root: Node<'a>) -> Xip {
        let name = root.tag_name().name();
        if name != "xip" {
            self.report(errors::other_root(self.tag(root), name));
            return Xip::default();
        }
        if self.namespace != Some(NAMESPACE) {
            self.report(errors::other_namespace(self.tag(root), self.namespace));
        }
        if let Some(version) = self.value_of(root, "version").filter(|version| version.text != VERSION) {
            // What its elements mean is not known, so nothing can be said about them.
            self.report(errors::other_version(version.span, version.text));
            return Xip::default();
        }
        self.one_of(root, &["version"]);
        let items = self.open(root);
        Xip { items: items.into_iter().filter_map(|item| self.item(item)).collect() }
    }

    fn item(&mut self, element: Node<'a>) -> Option<Item> {
        match element.tag_name().name() {
            "import" => self.import(element).map(Item::Import),
            "packet" => self.packet(element).map(Item::Packet),
            "pipe" => self.pipe(element).map(Item::Pipe),
            "flow" => self.flow(element).map(Item::Flow),
            _ => self.aspect(element).map(Item::Aspect),
        }
    }

    fn import(&mut self, element: Node<'a>) -> Option<Import> {
        self.open(element);
        Some(Import { file: self.required(element, "file", values::string)? })
    }

    fn packet(&mut self, element: Node<'a>) -> Option<Packet> {
        let children = self.open(element);
        let name = self.required(element, "name", values::name);
        let fields = children.into_iter().filter_map(|field| self.field(field)).collect();
        Some(Packet { name: name?, fields })
    }

    fn field(&mut self, element: Node<'a>) -> Option<Field> {
        self.open(element);
        let name = self.required(element, "name", values::name);
        let ty = self.field_type(element);
        self.not_both(element, ["array", "bound"]);
        self.needs(element, "used", "bound");
        let fixed = self.optional(element, "array", values::number);
        let bound = self.optional(element, "bound", values::number);
        let used = self.optional(element, "used", values::name);
        let bounded = bound.map(|bound| Extent::Bounded { bound, used });
        let unit = self.optional(element, "unit", values::string);
        self.needs(element, "least", "most");
        self.needs(element, "most", "least");
        let (least, most) =
            (self.optional(element, "least", values::whole), self.optional(element, "most", values::whole));
        let range = least
            .zip(most)
            .map(|(least, most)| Spanned::new(NumberRange { least: least.value, most: most.value }, least.span));
        let id = self.optional(element, "id", values::number);
        Some(Field { name: name?, ty: ty?, array: fixed.map(Extent::Fixed).or(bounded), unit, range, id })
    }

    fn field_type(&mut self, element: Node<'a>) -> Option<FieldType> {
        self.one_of(element, &["type", "named"]);
        self.not_both(element, ["type", "named"]);
        let is_text = self.value_of(element, "type").is_some_and(|value| value.text == TEXT_TYPE);
        if is_text {
            return self.required(element, "bytes", values::number).map(|bound| FieldType::Text { bound });
        }
        if let Some(bytes) = self.value_of(element, "bytes") {
            self.report(errors::needs_other(bytes.span, "bytes", "`type=\"string\"`"));
        }
        let named = self.optional(element, "named", values::name).map(FieldType::Named);
        let ty = self.optional(element, "type", |value| {
            let plain = PLAIN_TYPES.iter().find(|(word, _)| *word == value.text);
            plain.map_or_else(|| values::name(value).map(FieldType::Named), |(_, ty)| Ok(ty.clone()))
        });
        ty.or(named)
    }

    fn pipe(&mut self, element: Node<'a>) -> Option<Pipe> {
        let children = self.open(element);
        let name = self.required(element, "name", values::name);
        let (mut ports, mut middle, mut timers, mut wait) = (Vec::new(), None, Vec::new(), None);
        let mut body = crate::Body::default();
        for child in children {
            match child.tag_name().name() {
                "inport" => ports.extend(self.port(child, Direction::In)),
                "outport" => ports.extend(self.port(child, Direction::Out)),
                "middle" => middle = self.middle(child),
                "timer" => timers.extend(self.timer(child)),
                "wait" => wait = self.wait(child).map(Box::new),
                _ => body = self.body(child),
            }
        }
        Some(Pipe { name: name?, ports, middle, timers, wait, body })
    }

    fn port(&mut self, element: Node<'a>, direction: Direction) -> Option<Port> {
        const POLARITIES: [(Polarity, &str); 3] =
            [(Polarity::Push, "push"), (Polarity::Pull, "pull"), (Polarity::Poll, "poll")];
        let children = self.open(element);
        let ty = self.required(element, "type", values::name);
        let name = self.required(element, "name", values::name);
        let polarity = self.optional(element, "polarity", |value| values::word(value, &POLARITIES));
        let optional = self.optional(element, "optional", |value| values::word(value, &[((), "yes")])).is_some();
        let needs = children.into_iter().filter_map(|child| self.need(child)).collect();
        Some(Port { direction, optional, ty: ty?, name: name?, polarity, needs })
    }

    fn timer(&mut self, element: Node<'a>) -> Option<Timer> {
        self.open(element);
        let every = self.required(element, "every", values::time);
        let function = self.required(element, "function", values::name);
        Some(Timer { every: every?, function: function? })
    }

    fn wait(&mut self, element: Node<'a>) -> Option<Wait> {
        let children = self.open(element);
        let policy = self.required(element, "policy", |value| values::word(value, WaitPolicy::ALL));
        let within = self.optional(element, "within", values::time);
        let most = self.optional(element, "most", values::number);
        let ports = children.into_iter().filter_map(|child| self.waited(child)).collect();
        Some(Wait { policy: policy?, ports, within, most })
    }

    fn waited(&mut self, element: Node<'a>) -> Option<Waited> {
        self.open(element);
        let port = self.required(element, "port", values::name);
        let field = self.optional(element, "field", values::field);
        Some(Waited { port: port?, field })
    }

    fn middle(&mut self, element: Node<'a>) -> Option<Middle> {
        self.open(element);
        let function = self.required(element, "function", values::name);
        let cost = self.optional(element, "cost", values::time);
        Some(Middle { function: function?, cost })
    }

    fn flow(&mut self, element: Node<'a>) -> Option<Flow> {
        let name = self.required(element, "name", values::name);
        let body = self.body(element);
        Some(Flow { name: name?, body })
    }

    fn aspect(&mut self, element: Node<'a>) -> Option<Aspect> {
        let children = self.open(element);
        let name = self.required(element, "name", values::name);
        let advice = children.into_iter().filter_map(|child| self.advice(child)).collect();
        Some(Aspect { name: name?, advice })
    }

    fn advice(&mut self, element: Node<'a>) -> Option<Advice> {
        self.open(element);
        let points = JoinPoint::ALL.map(|(point, words)| (point, words.join(" ")));
        let points: Vec<(JoinPoint, &str)> = points.iter().map(|(point, words)| (*point, words.as_str())).collect();
        let at = self.required(element, "at", |value| values::word(value, &points));
        let function = self.required(element, "function", values::name);
        Some(Advice { at: at?.value, function: function? })
    }
}
