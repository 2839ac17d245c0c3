//! The elements: which attributes and elements stand in each. What is in none of these lists is an error.

/// One kind of element.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) element: &'static str,
    pub(super) attributes: &'static [&'static str],
    pub(super) children: &'static [&'static str],
    /// Those of the children that stand there once at most.
    pub(super) once: &'static [&'static str],
}

const fn form(
    element: &'static str,
    attributes: &'static [&'static str],
    children: &'static [&'static str],
    once: &'static [&'static str],
) -> Form {
    Form { element, attributes, children, once }
}

const NEEDS: [&str; 4] = ["rate", "needs", "deadline", "priority"];
const BODY: [&str; 3] = ["instance", "edge", "apply"];
const FLOW: [&str; 5] = ["instance", "channel", "edge", "apply", "restart"];
const CONTRACT: [&str; 8] = ["via", "queue", "deliver", "batch", "faulty", "encode", "select", "where"];
const EDGE: [&str; 12] = [
    "via", "queue", "deliver", "batch", "faulty", "encode", "select", "where", "rate", "needs", "deadline", "priority",
];
const PORT: [&str; 4] = ["type", "name", "polarity", "optional"];

pub(super) const FORMS: [Form; 32] = [
    form("xip", &["version"], &["import", "packet", "pipe", "flow", "aspect"], &[]),
    form("import", &["file"], &[], &[]),
    form("packet", &["name"], &["field"], &[]),
    form(
        "field",
        &["name", "type", "named", "bytes", "array", "bound", "used", "unit", "least", "most", "id"],
        &[],
        &[],
    ),
    form("pipe", &["name"], &["inport", "outport", "middle", "timer", "wait", "body"], &["middle", "wait", "body"]),
    form("inport", &PORT, &NEEDS, &[]),
    form("outport", &PORT, &NEEDS, &[]),
    form("middle", &["function", "cost"], &[], &[]),
    form("timer", &["every", "function"], &[], &[]),
    form("wait", &["policy", "within", "most"], &["waited"], &[]),
    form("waited", &["port", "field"], &[], &[]),
    form("body", &[], &BODY, &[]),
    form("flow", &["name"], &FLOW, &[]),
    form("aspect", &["name"], &["advice"], &[]),
    form("advice", &["at", "function"], &[], &[]),
    form("instance", &["pipe", "name", "node"], &[], &[]),
    form("channel", &["name", "type", "history"], &[], &[]),
    form("edge", &["from", "to"], &EDGE, &CONTRACT),
    form("apply", &["aspect", "to"], &[], &[]),
    form("restart", &["when", "within", "most", "in", "to"], &[], &[]),
    form("via", &["transport", "address", "trusted"], &[], &[]),
    form("queue", &["count", "unit", "full"], &[], &[]),
    form("deliver", &["quality"], &[], &[]),
    form("batch", &["items", "within"], &[], &[]),
    form("faulty", &["then"], &[], &[]),
    form("encode", &["as"], &[], &[]),
    form("select", &["fields"], &[], &[]),
    form("where", &["condition"], &[], &[]),
    form("rate", &["exactly", "at-most"], &[], &[]),
    form("needs", &["quality"], &[], &[]),
    form("deadline", &["within", "else", "call"], &[], &[]),
    form("priority", &["value"], &[], &[]),
];

/// What stands in an element of this name.
pub(super) fn form_of(element: &str) -> Option<&'static Form> {
    FORMS.iter().find(|form| form.element == element)
}

/// The elements that one of this name stands in.
pub(super) fn parents_of(element: &str) -> Vec<&'static str> {
    FORMS.iter().filter(|form| form.children.contains(&element)).map(|form| form.element).collect()
}

/// The words for the types that need no declaration, but for `string`, which has a bound.
pub(super) const PLAIN_TYPES: [(&str, crate::FieldType); 13] = {
    use crate::FieldType::{Boolean, Character, Float, Integer, Octet};
    [
        ("bool", Boolean),
        ("octet", Octet),
        ("char", Character),
        ("int8", Integer { bits: 8, signed: true }),
        ("int16", Integer { bits: 16, signed: true }),
        ("int32", Integer { bits: 32, signed: true }),
        ("int64", Integer { bits: 64, signed: true }),
        ("uint8", Integer { bits: 8, signed: false }),
        ("uint16", Integer { bits: 16, signed: false }),
        ("uint32", Integer { bits: 32, signed: false }),
        ("uint64", Integer { bits: 64, signed: false }),
        ("float", Float { bits: 32 }),
        ("double", Float { bits: 64 }),
    ]
};

/// The word for characters of a bounded length.
pub(super) const TEXT_TYPE: &str = "string";

/// True for words that no type of a file can be called by in `type`.
pub(super) fn is_plain_type(word: &str) -> bool {
    word == TEXT_TYPE || PLAIN_TYPES.iter().any(|(plain, _)| *plain == word)
}

#[cfg(test)]
mod tests {
    use super::{FORMS, form_of};

    #[test]
    fn every_child_has_a_form_and_stands_somewhere() {
        for form in &FORMS {
            assert!(form.children.iter().all(|child| form_of(child).is_some()), "{form:?}");
            assert!(form.once.iter().all(|child| form.children.contains(child)), "{form:?}");
            assert!(form.element == "xip" || !super::parents_of(form.element).is_empty(), "{form:?}");
        }
    }
}
