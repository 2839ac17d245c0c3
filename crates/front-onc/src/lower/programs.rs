//! Programs: each version becomes an interface.

use super::{Lowering, MAXIMUM};
use crate::errors;
use crate::syntax::{Argument, Item, Name, Procedure, Program, Value, ValueKind, Version};
use source::Span;
use std::collections::BTreeMap;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn program(&mut self, program: &Program<'a>) -> Vec<aoi::Interface> {
        let number = self.identifying_number(&program.number, "program");
        let versions = program.versions.iter().map(|version| (version.name, &version.number));
        self.unique("version", versions);
        program.versions.iter().map(|version| self.version(program, &number, version)).collect()
    }

    fn version(&mut self, program: &Program<'a>, number: &aoi::Value, version: &Version<'a>) -> aoi::Interface {
        let identity = aoi::OncIdentity {
            program_name: program.name.text.to_owned(),
            program: number.clone(),
            version: self.identifying_number(&version.number, "version"),
        };
        let procedures = version.procedures.iter().map(|procedure| (procedure.name, &procedure.number));
        self.unique("procedure", procedures);
        let identity = aoi::Identity { onc: Some(identity), ..aoi::Identity::default() };
        let operations = version.procedures.iter().map(|procedure| self.procedure(procedure)).collect();
        let span = version.name.span;
        aoi::Interface::new(version.name.text, identity, operations, span, self.origin(span))
    }

    fn procedure(&mut self, procedure: &Procedure<'a>) -> aoi::Operation {
        let code = self.identifying_number(&procedure.number, "procedure");
        let result = self.declared_type(&procedure.result.ty, &procedure.result.form);
        let parameters = procedure.arguments.iter().map(|argument| self.parameter(argument)).collect();
        let Name { text, span } = procedure.name;
        aoi::Operation::new(text, code, parameters, result, span)
    }

    fn parameter(&mut self, argument: &Argument<'a>) -> aoi::Parameter {
        aoi::Parameter {
            name: argument.name.map(|name| name.text.to_owned()),
            direction: aoi::Direction::In,
            ty: self.declared_type(&argument.ty, &argument.form),
            span: argument.span,
        }
    }

    fn identifying_number(&mut self, value: &Value<'a>, what: &str) -> aoi::Value {
        if let Some(number) = self.number(value).filter(|number| !(0..=MAXIMUM).contains(number)) {
            self.report_lenient(errors::number_out_of_range(value.span, what, number));
            return super::numbers::sent(number);
        }
        self.whole_number(value, &format!("a {what} number"))
    }

    /// Programs of one namespace have names and numbers of their own.
    pub(super) fn programs_apart(&mut self, items: &[Item<'a>]) {
        let programs = items.iter().filter_map(|item| match item {
            Item::Program(program) => Some((program.name, &program.number)),
            _ => None,
        });
        self.unique("program", programs);
    }

    /// Reports names and numbers that occur twice.
    fn unique<'s>(&mut self, what: &str, numbered: impl Iterator<Item = (Name<'a>, &'s Value<'a>)>)
    where
        'a: 's,
    {
        let mut names: BTreeMap<&str, Span> = BTreeMap::new();
        let mut numbers: BTreeMap<Result<i128, String>, Span> = BTreeMap::new();
        for (name, number) in numbered {
            match names.get(name.text) {
                Some(&first) => self.findings.push(errors::duplicate_name(name.span, first, what, name.text)),
                None => {
                    names.insert(name.text, name.span);
                }
            }
            let spelling = match &number.kind {
                ValueKind::Integer { spelling, .. } => spelling.clone(),
                ValueKind::Name(name) => format!("`{name}`"),
                ValueKind::Literal(_) | ValueKind::Missing => continue,
            };
            let key = self.number(number).ok_or(spelling.clone());
            match numbers.get(&key) {
                Some(&first) => self.report_lenient(errors::duplicate_number(number.span, first, what, &spelling)),
                None => {
                    numbers.insert(key, number.span);
                }
            }
        }
    }
}
