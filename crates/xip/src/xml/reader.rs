//! Elements and their attributes, taken out of the parsed XML; what does not belong there is reported on the way.

use roxmltree::Attribute;
use source::{Diagnostic, FileId, Span, near_miss};

use super::errors;
use super::forms::{Form, form_of, parents_of};
use super::values::{Read, Value};

/// An element, or what stands between elements.
pub(super) type Node<'a> = roxmltree::Node<'a, 'a>;

/// A text, what was found wrong with it so far, and the namespace that its root is of.
pub(super) struct Reader<'a> {
    text: &'a str,
    file: FileId,
    pub(super) namespace: Option<&'a str>,
    findings: Vec<Diagnostic>,
    /// How many findings there are beyond [`FINDINGS_MOST`].
    unsaid: usize,
}

/// Nobody reads more, and a hostile file has millions.
const FINDINGS_MOST: usize = 1000;

impl<'a> Reader<'a> {
    /// Nothing found yet.
    pub(super) fn new(text: &'a str, file: FileId, root: Node<'a>) -> Reader<'a> {
        Reader { text, file, namespace: root.tag_name().namespace(), findings: Vec::new(), unsaid: 0 }
    }

    pub(super) fn report(&mut self, finding: Diagnostic) {
        if self.findings.len() < FINDINGS_MOST {
            self.findings.push(finding);
        } else {
            self.unsaid += 1;
        }
    }

    /// What was found, in the order of its places.
    pub(super) fn findings(mut self) -> Vec<Diagnostic> {
        self.findings.sort_by_key(|finding| finding.primary.as_ref().map(|label| label.span));
        if let Some(last) = self.findings.last_mut().filter(|_| self.unsaid > 0) {
            last.notes.push(format!("{} more findings are not shown", self.unsaid));
        }
        self.findings
    }

    /// The elements in `element` that may stand there. Reports what else stands there, and unknown attributes.
    pub(super) fn open(&mut self, element: Node<'a>) -> Vec<Node<'a>> {
        let Some(form) = form_of(element.tag_name().name()) else { return Vec::new() };
        for attribute in element.attributes() {
            let known = attribute.namespace().is_none() && form.attributes.contains(&attribute.name());
            if !known {
                self.unknown_attribute(form, &attribute);
            }
        }
        let mut children: Vec<Node<'a>> = Vec::new();
        let mut single: Vec<Node<'a>> = Vec::new();
        for child in element.children() {
            if child.is_text() {
                self.text(form, child);
            } else if child.is_element() && self.is_welcome(form, child, &mut single) {
                children.push(child);
            }
        }
        children
    }

    fn unknown_attribute(&mut self, form: &Form, attribute: &Attribute<'_, '_>) {
        let span = self.span(attribute.range_qname());
        let found = attribute.name();
        let help = match near_miss(found, form.attributes) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("leave out `{found}`, or write it as a comment"),
        };
        self.report(errors::unknown_attribute(span, form.element, found, form.attributes, help));
    }

    fn text(&mut self, form: &Form, node: Node<'a>) {
        let range = node.range();
        let written = self.text.get(range.clone()).unwrap_or_default();
        if node.text().is_none_or(|text| text.trim().is_empty()) {
            return;
        }
        let start = range.start + written.len() - written.trim_start().len();
        let span = self.span(start..start + written.trim().len());
        self.report(errors::text(span, form.element));
    }

    /// True for an element that may stand in another; `single` are those so far that may not stand there again.
    fn is_welcome(&mut self, form: &Form, child: Node<'a>, single: &mut Vec<Node<'a>>) -> bool {
        let name = child.tag_name().name();
        let span = self.tag(child);
        if child.tag_name().namespace() != self.namespace {
            let help = format!("leave it out: all elements are of the namespace `{}`", super::NAMESPACE);
            let written = self.tag_text(child).trim_start_matches('<');
            self.report(errors::unknown_element(span, form.element, written, form.children, help));
            return false;
        }
        if !form.children.contains(&name) {
            let help = match (near_miss(name, form.children), parents_of(name).as_slice()) {
                (Some(near), _) => format!("did you mean `<{near}>`?"),
                (None, []) => format!("leave out `<{name}>`, or write it as a comment"),
                (None, parents) => format!("`<{name}>` stands in `<{}>`", parents.join(">` and `<")),
            };
            self.report(errors::unknown_element(span, form.element, name, form.children, help));
            return false;
        }
        if !form.once.contains(&name) {
            return true;
        }
        let Some(first) = single.iter().find(|other| other.tag_name().name() == name) else {
            single.push(child);
            return true;
        };
        self.report(errors::element_twice(span, self.tag(*first), name, form.element));
        false
    }

    /// The place of `<NAME`.
    pub(super) fn tag(&self, element: Node<'a>) -> Span {
        let start = element.range().start;
        self.span(start..start + self.tag_text(element).len())
    }

    /// `<NAME`, as it is written.
    fn tag_text(&self, element: Node<'a>) -> &'a str {
        let rest = self.text.get(element.range().start..).unwrap_or_default();
        rest.split(|end: char| end.is_whitespace() || end == '/' || end == '>').next().unwrap_or_default()
    }

    fn span(&self, range: std::ops::Range<usize>) -> Span {
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span::new(self.file, offset(range.start), offset(range.end.max(range.start)))
    }

    /// The place of an attribute's value, where it is there.
    pub(super) fn value_of(&self, element: Node<'a>, name: &str) -> Option<Value<'a>> {
        // A prefixed attribute is another one.
        let attribute = element.attributes().find(|found| found.namespace().is_none() && found.name() == name)?;
        let range = attribute.range_value();
        let is_literal = self.text.get(range.clone()) == Some(attribute.value());
        Some(Value { text: attribute.value(), span: self.span(range), is_literal })
    }

    /// What an attribute says; nothing where it is absent, or wrong, which is reported.
    pub(super) fn optional<T>(
        &mut self,
        element: Node<'a>,
        name: &str,
        read: impl FnOnce(Value<'a>) -> Read<T>,
    ) -> Option<T> {
        let value = self.value_of(element, name)?;
        read(value).map_err(|finding| self.report(*finding)).ok()
    }

    /// What an attribute says that must be there.
    pub(super) fn required<T>(
        &mut self,
        element: Node<'a>,
        name: &str,
        read: impl FnOnce(Value<'a>) -> Read<T>,
    ) -> Option<T> {
        self.one_of(element, &[name]);
        self.optional(element, name, read)
    }

    /// Reports where none of these attributes is there.
    pub(super) fn one_of(&mut self, element: Node<'a>, names: &[&str]) {
        if names.iter().all(|name| self.value_of(element, name).is_none()) {
            let finding = errors::missing_attribute(self.tag(element), element.tag_name().name(), names);
            self.report(finding);
        }
    }

    /// Reports where both of these attributes are there.
    pub(super) fn not_both(&mut self, element: Node<'a>, names: [&str; 2]) {
        let values = names.map(|name| self.value_of(element, name));
        if let [Some(first), Some(second)] = values {
            self.report(errors::conflict(second.span, first.span, names));
        }
    }

    /// Reports where an attribute stands without another that it needs.
    pub(super) fn needs(&mut self, element: Node<'a>, name: &str, other: &str) {
        if let (Some(value), None) = (self.value_of(element, name), self.value_of(element, other)) {
            self.report(errors::needs_other(value.span, name, &format!("`{other}`")));
        }
    }
}
