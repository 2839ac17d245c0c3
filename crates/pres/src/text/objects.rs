//! Interfaces whose objects are called through references, in the text form.
//!
//! ```text
//! (object dir (id "IDL:DIRECTORY/dir:1.0") (onc 536871169 1)
//!   (operation LIST (number 1) (client dir_list)
//!     (parameter path in text (pointer char) (passed (pointer (qualified const (of char)))))
//!     (client-request @whittle_dir_list_asks)))
//! ```

use std::collections::BTreeMap;

use sexpr::{Cursor, Sexpr, atom, node, number, text};

use super::c_types::{read_type, write_type};
use crate::{Ancestor, Argument, ObjectInterface, ObjectOperation, OncNumbers, Passing, Raised, TypeStubId, Way};

const WAYS: [(&str, Way); 4] = [("in", Way::In), ("out", Way::Out), ("in-out", Way::InOut), ("result", Way::Result)];
const PASSINGS: [(&str, Passing); 6] = [
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

fn of_word<T: Copy>(words: &[(&'static str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// `types` has the references to types.
pub(super) fn write_object(object: &ObjectInterface, types: &BTreeMap<TypeStubId, String>) -> Sexpr {
    let mut form = vec![atom(&object.name), node("id", [text(&object.repository_id)])];
    let word = |value: u32| number(i128::from(value));
    form.extend(object.onc.map(|onc| node("onc", [word(onc.program), word(onc.version)])));
    let ancestor = |of: &Ancestor| node("ancestor", [atom(&of.name), text(&of.repository_id)]);
    form.extend(object.ancestors.iter().map(ancestor));
    form.extend(object.imported.then(|| atom("imported")));
    form.extend(object.is_local.then(|| atom("local")));
    form.extend(object.operations.iter().map(|operation| write_operation(operation, types)));
    node("object", form)
}

fn write_operation(operation: &ObjectOperation, types: &BTreeMap<TypeStubId, String>) -> Sexpr {
    let mut form = vec![atom(&operation.name)];
    form.extend(operation.number.map(|value| node("number", [number(i128::from(value))])));
    form.extend((operation.member != operation.name).then(|| node("member", [atom(&operation.member)])));
    form.push(node("client", [atom(&operation.client)]));
    form.extend(operation.inherited_from.as_ref().map(|of| node("inherited-from", [atom(of)])));
    form.extend(operation.is_oneway.then(|| atom("oneway")));
    form.extend(operation.borrows.then(|| atom("borrows")));
    form.extend(operation.lent.as_ref().map(|reply| node("lent", [atom(reply)])));
    form.extend(operation.result.as_ref().map(|result| write_argument("returns", result)));
    form.extend(operation.parameters.iter().map(|parameter| write_argument("parameter", parameter)));
    form.extend(operation.raises.iter().map(|raised| write_raised(raised, types)));
    let messages = [
        ("client-request", operation.client_request),
        ("client-reply", operation.client_reply),
        ("server-request", operation.server_request),
        ("server-reply", operation.server_reply),
    ];
    let told = messages.into_iter().filter_map(|(head, stub)| Some(node(head, [atom(types.get(&stub?)?)])));
    form.extend(told);
    node("operation", form)
}

fn write_argument(head: &str, argument: &Argument) -> Sexpr {
    let words = [word_of(&WAYS, argument.way), word_of(&PASSINGS, argument.passing)].map(atom);
    let mut form = vec![atom(&argument.name)];
    form.extend(words);
    form.extend(argument.count.as_ref().map(|count| node("count", [atom(count)])));
    form.push(write_type(&argument.ty));
    form.extend((argument.passed != argument.ty).then(|| node("passed", [write_type(&argument.passed)])));
    form.extend(argument.release.as_ref().map(|release| node("release", [atom(release)])));
    node(head, form)
}

fn write_raised(raised: &Raised, types: &BTreeMap<TypeStubId, String>) -> Sexpr {
    let mut form = vec![atom(&raised.id), node("id", [text(&raised.repository_id)]), write_type(&raised.ty)];
    form.extend(raised.stub.and_then(|stub| types.get(&stub)).map(|stub| node("members", [atom(stub)])));
    form.extend((!raised.allocate.is_empty()).then(|| node("allocate", [atom(&raised.allocate)])));
    node("raises", form)
}

/// What is left of `(object …)`; `types` knows types by their references.
pub(super) fn read_object(mut parts: Cursor, types: &BTreeMap<String, TypeStubId>) -> Option<ObjectInterface> {
    let name = parts.atom()?.to_string();
    let repository_id = parts.list("id")?.text()?.to_string();
    let onc = match parts.list("onc") {
        Some(mut onc) => {
            let mut word = || u32::try_from(onc.number()?).ok();
            Some(OncNumbers { program: word()?, version: word()? })
        }
        None => None,
    };
    let mut ancestors = Vec::new();
    while let Some(mut of) = parts.list("ancestor") {
        ancestors.push(Ancestor { name: of.atom()?.to_string(), repository_id: of.text()?.to_string() });
    }
    let (imported, is_local) = (parts.keyword("imported"), parts.keyword("local"));
    let mut operations = Vec::new();
    while let Some(operation) = parts.list("operation") {
        operations.push(read_operation(operation, types)?);
    }
    let object = ObjectInterface { name, repository_id, onc, ancestors, operations, imported, is_local };
    parts.is_at_end().then_some(object)
}

fn read_operation(mut parts: Cursor, types: &BTreeMap<String, TypeStubId>) -> Option<ObjectOperation> {
    let name = parts.atom()?.to_string();
    let number = match parts.list("number") {
        Some(mut number) => Some(u32::try_from(number.number()?).ok()?),
        None => None,
    };
    let member = word_in(&mut parts, "member")?.unwrap_or_else(|| name.clone());
    let client = word_in(&mut parts, "client")??;
    let inherited_from = word_in(&mut parts, "inherited-from")?;
    let (is_oneway, borrows) = (parts.keyword("oneway"), parts.keyword("borrows"));
    let lent = word_in(&mut parts, "lent")?;
    let result = match parts.list("returns") {
        Some(result) => Some(read_argument(result)?),
        None => None,
    };
    let mut parameters = Vec::new();
    while let Some(parameter) = parts.list("parameter") {
        parameters.push(read_argument(parameter)?);
    }
    let mut raises = Vec::new();
    while let Some(raised) = parts.list("raises") {
        raises.push(read_raised(raised, types)?);
    }
    let mut message = |head| type_in(&mut parts, head, types);
    let client_request = message("client-request")?;
    let client_reply = message("client-reply")?;
    let server_request = message("server-request")?;
    let server_reply = message("server-reply")?;
    parts.is_at_end().then_some(ObjectOperation {
        name,
        number,
        member,
        client,
        inherited_from,
        is_oneway,
        result,
        parameters,
        raises,
        client_request,
        client_reply,
        server_request,
        server_reply,
        borrows,
        lent,
    })
}

/// The word of `(head WORD)`, if that is next.
fn word_in(parts: &mut Cursor, head: &str) -> Option<Option<String>> {
    match parts.list(head) {
        Some(mut inner) => Some(Some(inner.atom()?.to_string())),
        None => Some(None),
    }
}

/// The type of `(head @NAME)`, if that is next.
fn type_in(parts: &mut Cursor, head: &str, types: &BTreeMap<String, TypeStubId>) -> Option<Option<TypeStubId>> {
    match parts.list(head) {
        Some(mut inner) => Some(Some(*types.get(inner.atom()?)?)),
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

fn read_raised(mut parts: Cursor, types: &BTreeMap<String, TypeStubId>) -> Option<Raised> {
    let id = parts.atom()?.to_string();
    let repository_id = parts.list("id")?.text()?.to_string();
    let ty = read_type(parts.form()?)?;
    let stub = type_in(&mut parts, "members", types)?;
    let allocate = word_in(&mut parts, "allocate")?.unwrap_or_default();
    Some(Raised { repository_id, ty, id, stub, allocate })
}
