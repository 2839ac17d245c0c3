//! From text to AOI: types and values.

use super::atoms;
use super::read::Reader;
use crate::{Enumeration, EnumerationMember, Field, Structure, Type, Union, UnionCase, Value};
use sexpr::{Cursor, Sexpr};
use source::Span;

impl Reader {
    pub(super) fn ty(&mut self, form: &Sexpr) -> Option<Type> {
        if let Some(word) = form.as_atom() {
            return match atoms::plain_type(word).or_else(|| self.names.definition(word).map(Type::Named)) {
                Some(ty) => Some(ty),
                None => self.wrong(form, "unknown type"),
            };
        }
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        let head = parts.atom().unwrap_or_default();
        match head {
            "wstring" => Some(Type::WideText { bound: Some(self.value(parts.form().unwrap_or(form))?) }),
            "fixed" => self.fixed(form, parts),
            "string" => Some(Type::Text { bound: Some(self.value(parts.form().unwrap_or(form))?) }),
            "bytes" => Some(Type::Opaque { bound: Some(self.value(parts.form().unwrap_or(form))?) }),
            "opaque" => Some(Type::FixedOpaque { length: self.value(parts.form().unwrap_or(form))? }),
            "array" => {
                let element = Box::new(self.ty(parts.form().unwrap_or(form))?);
                Some(Type::Array { element, length: self.value(parts.form().unwrap_or(form))? })
            }
            "sequence" => {
                let element = Box::new(self.ty(parts.form().unwrap_or(form))?);
                let bound = match parts.form() {
                    Some(bound) => Some(self.value(bound)?),
                    None => None,
                };
                Some(Type::Sequence { element, bound })
            }
            "optional" => Some(Type::Optional(Box::new(self.ty(parts.form().unwrap_or(form))?))),
            "recursive" => Some(Type::Recursive(Box::new(self.ty(parts.form().unwrap_or(form))?))),
            "struct" => {
                let fields = parts.rest().iter().filter_map(|part| self.field(part)).collect();
                Some(Type::Structure(Structure { fields }))
            }
            "union" => self.union(form, parts).map(Type::Union),
            "enum" => Some(Type::Enumeration(self.members(parts))),
            "named" => match parts.atom().and_then(|name| self.names.definition(name)) {
                Some(id) => Some(Type::Named(id)),
                None => self.wrong(form, "unknown definition"),
            },
            "float" => Some(Type::Float { bits: parts.number().and_then(|bits| u8::try_from(bits).ok())? }),
            "external" => parts.atom().map(|name| Type::External(name.to_owned())),
            _ => match parts.atom().and_then(|spelling| atoms::integer_type(head, Some(spelling))) {
                Some(integer) => Some(integer),
                None => self.wrong(form, "expected a type"),
            },
        }
    }

    /// `(fixed DIGITS SCALE)`
    fn fixed(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Type> {
        let digits = parts.number().and_then(|digits| u16::try_from(digits).ok());
        let scale = parts.number().and_then(|scale| i16::try_from(scale).ok());
        match (digits, scale) {
            (Some(digits), Some(scale)) => Some(Type::Fixed { digits, scale }),
            _ => self.wrong(form, "expected `(fixed DIGITS SCALE)`"),
        }
    }

    /// `(name TYPE)`
    pub(super) fn field(&mut self, form: &Sexpr) -> Option<Field> {
        match form.as_list() {
            Some([Sexpr::Atom(name), ty]) => {
                let (name, ty) = (name.clone(), self.ty(ty)?);
                Some(Field { name, ty, span: Span::default() })
            }
            _ => self.wrong(form, "expected `(name TYPE)`"),
        }
    }

    /// `(switch (name TYPE)) (case (LABEL…) BODY) … (default BODY)`
    pub(super) fn union(&mut self, form: &Sexpr, mut parts: Cursor<'_>) -> Option<Union> {
        let Some(mut switch) = parts.list("switch") else { return self.wrong(form, "expected `(switch (name TYPE))`") };
        let discriminant = Box::new(self.field(switch.form().unwrap_or(form))?);
        let mut cases = Vec::new();
        let mut default = None;
        let mut default_position = None;
        while let Some(part) = parts.form() {
            if let Some(mut case) = Cursor::of(part, "case") {
                let Some(labels) = case.form().and_then(Sexpr::as_list) else {
                    return self.wrong(part, "expected `(case (LABEL…) BODY)`");
                };
                let labels = labels.iter().filter_map(|label| self.value(label)).collect();
                let body = self.case_body(case.form().unwrap_or(part));
                cases.push(UnionCase { labels, body, span: Span::default() });
            } else if let Some(mut other) = Cursor::of(part, "default") {
                let body = self.case_body(other.form().unwrap_or(part));
                default = Some(Box::new(UnionCase { labels: Vec::new(), body, span: Span::default() }));
                default_position = Some(cases.len());
            } else {
                return self.wrong(part, "expected `(case …)` or `(default …)`");
            }
        }
        let default_position = default_position.unwrap_or(cases.len());
        Some(Union { discriminant, cases, default, default_position })
    }

    fn case_body(&mut self, form: &Sexpr) -> Option<Field> {
        if form.as_atom() == Some("void") { None } else { self.field(form) }
    }

    /// `NAME`, `(NAME VALUE)` or `(NAME VALUE (is N))`
    pub(super) fn members(&mut self, parts: Cursor<'_>) -> Enumeration {
        let mut members: Vec<EnumerationMember> = Vec::new();
        for form in parts.rest() {
            let previous = members.last().map_or(Some(-1), |member| member.value);
            members.extend(self.member(form, previous));
        }
        Enumeration { members }
    }

    fn member(&mut self, form: &Sexpr, previous: Option<i128>) -> Option<EnumerationMember> {
        let mut parts = Cursor::new(form.as_list().unwrap_or(std::slice::from_ref(form)));
        let Some(name) = parts.atom() else { return self.wrong(form, "expected a member of an enumeration") };
        let name = name.to_owned();
        let is_number = |form: &Sexpr| form.head() == Some("is");
        let explicit = match parts.peek() {
            Some(value) if !is_number(value) => {
                parts.form();
                Some(self.value(value)?)
            }
            _ => None,
        };
        let value = match parts.list("is") {
            Some(mut said) => said.number(),
            None => implied_number(explicit.as_ref(), previous),
        };
        Some(EnumerationMember { name, explicit, value, span: Span::default() })
    }

    pub(super) fn value(&mut self, form: &Sexpr) -> Option<Value> {
        if let Some(content) = form.as_text() {
            return Some(Value::Text(content.to_owned()));
        }
        if let Some(word) = form.as_atom() {
            return match (literal(word), word) {
                (Some(value), _) => Some(Value::Integer { value, spelling: word.to_owned() }),
                (None, "true") => Some(Value::Boolean(true)),
                (None, "false") => Some(Value::Boolean(false)),
                _ => match self.names.bare_value(word).cloned() {
                    Some(value) => Some(value),
                    None => self.wrong(form, "unknown value"),
                },
            };
        }
        let mut parts = Cursor::new(form.as_list().unwrap_or_default());
        let value = self.spelled_out(&mut parts);
        if value.is_none() {
            return self.wrong(form, "expected a value");
        }
        value
    }

    fn spelled_out(&mut self, parts: &mut Cursor<'_>) -> Option<Value> {
        match parts.atom()? {
            "integer" => Some(Value::Integer { value: parts.number()?, spelling: parts.text()?.to_owned() }),
            "constant" => self.names.definition(parts.atom()?).map(Value::Constant),
            "member" => {
                let enumeration = self.names.definition(parts.atom()?)?;
                Some(Value::Member { enumeration, member: usize::try_from(parts.number()?).ok()? })
            }
            "nested" => Some(Value::NestedMember { name: parts.atom()?.to_owned(), value: parts.number()? }),
            "external" => Some(Value::External(parts.atom()?.to_owned())),
            "float" => Some(Value::Float(parts.text()?.to_owned())),
            "fixed" => Some(Value::Fixed(parts.text()?.to_owned())),
            "wide" => Some(Value::WideText(parts.text()?.to_owned())),
            head @ ("char" | "wchar") => {
                Some(Value::Character { code: u32::try_from(parts.number()?).ok()?, is_wide: head == "wchar" })
            }
            _ => None,
        }
    }
}

/// The number of a member that says no number of its own: what it is given, or one more than the one before.
pub(super) fn implied_number(explicit: Option<&Value>, previous: Option<i128>) -> Option<i128> {
    match explicit {
        Some(Value::Integer { value, .. }) => Some(*value),
        Some(_) => None,
        None => previous.and_then(|previous| previous.checked_add(1)),
    }
}

/// The value of a C integer literal.
pub(super) fn literal(spelling: &str) -> Option<i128> {
    let (sign, digits) = match spelling.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, spelling),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let (digits, radix) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hexadecimal) => (hexadecimal, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    if !digits.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
        return None;
    }
    i128::from_str_radix(digits, radix).ok().map(|magnitude| sign * magnitude)
}
