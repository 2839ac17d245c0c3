//! Annotations: the standard ones (IDL 4.2 chapter 8, and those of DDS-XTYPES 1.3), whittle's own `@onc` and
//! `@protobuf`, and those that a file defines. Unknown ones are warned of: they say nothing to anybody.

use super::Lowering;
use super::evaluate::{Number, Width};
use crate::errors;
use crate::syntax::{Annotation, Expression, ExpressionKind, Name};
use aoi::{OncIdentity, Operation, Value};

/// Each annotation and its parameters; a parameter that may be left out ends with `?`.
const KNOWN: [(&str, &[&str]); 37] = [
    ("id", &["value"]),
    ("autoid", &["value?"]),
    ("optional", &["value?"]),
    ("position", &["value"]),
    ("value", &["value"]),
    ("extensibility", &["value"]),
    ("final", &[]),
    ("mutable", &[]),
    ("appendable", &[]),
    ("key", &["value?"]),
    ("must_understand", &["value?"]),
    ("default_literal", &[]),
    ("default", &["value"]),
    ("range", &["min", "max"]),
    ("min", &["value"]),
    ("max", &["value"]),
    ("unit", &["value"]),
    ("bit_bound", &["value"]),
    ("external", &["value?"]),
    ("nested", &["value?"]),
    ("verbatim", &["language?", "placement?", "text"]),
    ("service", &["platform?"]),
    ("oneway", &["value?"]),
    ("ami", &["value?"]),
    ("hashid", &["value?"]),
    ("default_nested", &["value?"]),
    ("ignore_literal_names", &["value?"]),
    ("try_construct", &["value?"]),
    ("non_serialized", &["value?"]),
    ("data_representation", &["allowed_kinds"]),
    ("topic", &["name?", "platform?"]),
    ("choice", &[]),
    ("empty", &[]),
    ("DDSService", &[]),
    ("DDSRequestTopic", &["name"]),
    ("onc", &["program?", "version?", "procedure?"]),
    ("protobuf", &["form"]),
];

/// What `@protobuf` says.
const FORMS: [&str; 6] = ["sint32", "sint64", "fixed32", "fixed64", "sfixed32", "sfixed64"];

const UNSIGNED_LONG: Width = Width { bits: 32, signed: false };

impl<'a> Lowering<'_, 'a> {
    /// An annotation whose name and parameters are right; others are reported and left out.
    pub(super) fn annotation(&mut self, annotation: &Annotation<'a>) -> Option<aoi::Annotation> {
        let name = annotation.name.parts.last()?.text;
        let standard = KNOWN.iter().find(|(known, _)| *known == name).map(|(_, parameters)| *parameters);
        let known: Vec<&str> = match (standard, self.annotation_types.get(name)) {
            (_, Some(own)) => own.clone(),
            (Some(standard), None) => standard.to_vec(),
            (None, None) => {
                let names: Vec<&str> = KNOWN.iter().map(|(name, _)| *name).collect();
                let guess = source::near_name(name, &names);
                self.findings.push(errors::unknown_annotation(annotation.span, name, guess));
                return None;
            }
        };
        // What a file defines has defaults that only its author knows of.
        let is_standard = standard.is_some() && !self.annotation_types.contains_key(name);
        let parameters = self.arguments(annotation, name, &known);
        let missing = known
            .iter()
            .find(|parameter| !parameter.ends_with('?') && !parameters.iter().any(|(given, _)| given == *parameter));
        if let Some(missing) = missing.filter(|_| is_standard) {
            if annotation.arguments.len() < known.len() {
                self.findings.push(errors::missing_parameter(annotation.span, name, missing));
            }
            return None;
        }
        Some(aoi::Annotation { name: name.to_owned(), parameters, span: annotation.span })
    }

    /// The parameters by name; the only one may go without its name.
    fn arguments(&mut self, annotation: &Annotation<'a>, of: &str, known: &[&str]) -> Vec<(String, Value)> {
        let mut parameters: Vec<(String, Value)> = Vec::new();
        for (name, value) in &annotation.arguments {
            let plain = |parameter: &&str| parameter.trim_end_matches('?').to_owned();
            let parameter = match name {
                Some(name) => known.iter().find(|known| plain(known) == name.text).map(plain),
                None => known.first().filter(|_| annotation.arguments.len() == 1).map(plain),
            };
            let is_new = |parameter: &String| !parameters.iter().any(|(given, _)| given == parameter);
            match parameter.filter(is_new) {
                Some(parameter) => {
                    if let Some(value) = self.argument(value) {
                        parameters.push((parameter, value));
                    }
                }
                None => {
                    let span = name.map_or(value.span, |name: Name<'a>| name.span);
                    self.findings.push(errors::unknown_parameter(span, of, known));
                }
            }
        }
        parameters
    }

    /// A value; a word that means nothing here is a word of the annotation (`@autoid(HASH)`, `@allowed(A | B)`).
    fn argument(&mut self, expression: &Expression<'a>) -> Option<Value> {
        if self.is_of_words(expression) {
            let spelled: Vec<&str> = self.map.slice(expression.span).split_whitespace().collect();
            return Some(Value::External(spelled.join(" ")));
        }
        let number = self.evaluate(expression, UNSIGNED_LONG)?;
        Some(match &number {
            Number::Integer(value) => self.spelled_number(expression, *value),
            Number::Float(number) => Value::Float(format!("{number:?}")),
            Number::Fixed(number) => Value::Fixed(number.to_string()),
            Number::Boolean(truth) => Value::Boolean(*truth),
            Number::Character { code, is_wide } => Value::Character { code: *code, is_wide: *is_wide },
            Number::Text { characters, is_wide } => {
                let text = super::constants::text_of(characters);
                if *is_wide { Value::WideText(text) } else { Value::Text(text) }
            }
            Number::Member { enumeration, member } => Value::Member { enumeration: *enumeration, member: *member },
        })
    }

    fn is_of_words(&self, expression: &Expression<'a>) -> bool {
        match &expression.kind {
            ExpressionKind::Name(name) => matches!(name.parts[..], [word] if !self.scopes.is_known(&word)),
            ExpressionKind::Binary('|', operands) => self.is_of_words(&operands.0) || self.is_of_words(&operands.1),
            _ => false,
        }
    }

    /// `@value(3)`: the number of a member, and its annotation's place.
    pub(super) fn explicit_value(&mut self, annotations: &[Annotation<'a>]) -> Option<(i128, source::Span)> {
        let lowered = self.annotations(annotations);
        let value = lowered.iter().find(|annotation| annotation.name == "value")?;
        match self.annotation_number(value, "value") {
            Some(number) => Some((number, value.span)),
            None => {
                self.findings.push(errors::wrong_value(value.span, "a value, a whole number", "something else"));
                None
            }
        }
    }

    /// The `@id`s of the members of the type that ends here, as one annotation of the type, and so their forms.
    pub(super) fn ended_members(&mut self) -> Vec<aoi::Annotation> {
        let (ids, forms) = (std::mem::take(&mut self.member_ids), std::mem::take(&mut self.member_forms));
        let said = [(aoi::MEMBER_IDS, ids), (aoi::MEMBER_FORMS, forms)].into_iter();
        let of_type = |(name, parameters): (&str, _)| aoi::Annotation {
            name: name.to_owned(),
            parameters,
            span: source::Span::default(),
        };
        said.filter(|(_, parameters)| !parameters.is_empty()).map(of_type).collect()
    }

    /// `@protobuf(sint32)`: how protobuf has a member's whole numbers.
    pub(super) fn form(&mut self, annotations: &[aoi::Annotation]) -> Option<Value> {
        let form = annotations.iter().find(|annotation| annotation.name == "protobuf")?;
        match form.parameters.first() {
            Some((_, Value::External(word))) if FORMS.contains(&word.as_str()) => Some(Value::External(word.clone())),
            _ => {
                self.findings.push(errors::wrong_value(
                    form.span,
                    "a form of protobuf's (`sint32`, `sint64`, `fixed32`, `fixed64`, `sfixed32`, `sfixed64`)",
                    "something else",
                ));
                None
            }
        }
    }

    /// `@position(3)`: which bit a flag is.
    pub(super) fn position(&mut self, annotations: &[Annotation<'a>]) -> Option<i128> {
        let lowered = self.annotations(annotations);
        let position = lowered.iter().find(|annotation| annotation.name == "position")?;
        self.annotation_number(position, "value")
    }

    fn annotation_number(&self, annotation: &aoi::Annotation, parameter: &str) -> Option<i128> {
        let (_, value) = annotation.parameters.iter().find(|(name, _)| name == parameter)?;
        self.aoi.number(value)
    }

    /// `@onc(program = N, version = N)` on an interface
    pub(super) fn onc_identity(&mut self, name: Name<'a>, annotations: &[aoi::Annotation]) -> Option<OncIdentity> {
        let onc = annotations.iter().find(|annotation| annotation.name == "onc")?;
        let given =
            |wanted: &str| onc.parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value.clone());
        let Some(program) = given("program") else {
            self.findings.push(errors::missing_parameter(onc.span, "onc", "program"));
            return None;
        };
        let one = Value::Integer { value: 1, spelling: "1".to_owned() };
        let version = given("version").unwrap_or(one);
        for (what, value) in [("program", &program), ("version", &version)] {
            if !self.aoi.number(value).is_some_and(|number| (0..=super::MAXIMUM).contains(&number)) {
                self.findings.push(errors::onc_number(onc.span, what));
                return None;
            }
        }
        Some(OncIdentity { program_name: name.text.to_owned(), program, version })
    }

    /// `@onc(procedure = N)` on an operation
    pub(super) fn onc_procedure(&mut self, operation: &Operation) -> Option<i128> {
        let onc = operation.annotations.iter().find(|annotation| annotation.name == "onc")?;
        let number = self.annotation_number(onc, "procedure").filter(|number| (0..=super::MAXIMUM).contains(number));
        if number.is_none() {
            self.findings.push(errors::onc_number(onc.span, "procedure"));
        }
        number
    }
}
