//! What this style cannot present, found before anything is built. In: lifted AOI in C's order. Out: findings: types without
//! a form, names that C takes for one, interfaces and operations without numbers.

use std::collections::BTreeMap;

use aoi::{Aoi, DefinitionId, DefinitionKind, Interface, Type, Verbatim};
use pres::{CodecFunction, LinkKind};
use source::{Diagnostic, Span};

use super::shape::{Form, marks};
use super::{c_types, capabilities, errors, names};
use crate::inheritance::all_operations;
use crate::order::Entry;
use crate::programs::{Procedures, Programs};

/// All findings of a file.
pub(super) fn check(aoi: &Aoi, entries: &[Entry], link: LinkKind) -> Vec<Diagnostic> {
    let is_constant = |kind: &DefinitionKind| matches!(kind, DefinitionKind::Constant(_));
    let constants = aoi.definitions.iter().filter(|(_, definition)| is_constant(&definition.kind));
    let constants = constants.map(|(id, definition)| (names::of_definition(aoi, id), definition.span)).collect();
    let (places, programs) = (BTreeMap::new(), Programs::default());
    let mut checks = Checks { aoi, link, constants, places, programs, findings: Vec::new() };
    for entry in entries {
        match entry {
            Entry::Definition(id) => checks.definition(*id),
            Entry::Interface(interface) if !super::is_called(aoi, interface, link) => {}
            Entry::Interface(interface) => checks.interface(interface),
            Entry::Verbatim(verbatim) => {
                let path = is_included(entry).filter(|path| path.starts_with("rpc/") || path.starts_with("rpcsvc/"));
                checks.findings.extend(path.map(|_| errors::library_header(verbatim.span)));
            }
            Entry::Included(_) => {}
        }
    }
    checks.findings
}

/// The header that a line for C includes.
fn is_included<'e>(entry: &'e Entry) -> Option<&'e str> {
    let Entry::Verbatim(Verbatim { text, .. }) = entry else { return None };
    let include = text.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    Some(include.trim_start().trim_start_matches(['<', '"']))
}

/// A message has an object or a value for it (CORBA 3.3 part 2, section 9.3.7).
fn is_abstract(kind: &DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Reference(reference) if reference.is_abstract)
}

struct Checks<'a> {
    aoi: &'a Aoi,
    link: LinkKind,
    /// What the preprocessor replaces everywhere.
    constants: BTreeMap<String, Span>,
    /// The names that the header declares, tags and others apart, and where each was declared first.
    places: BTreeMap<(bool, String), Span>,
    programs: Programs,
    findings: Vec<Diagnostic>,
}

impl Checks<'_> {
    fn take(&mut self, is_tag: bool, name: String, span: Span) {
        match self.places.get(&(is_tag, name.clone())) {
            Some(first) => self.findings.push(errors::one_name(&name, span, *first)),
            None => {
                self.places.insert((is_tag, name), span);
            }
        }
    }

    fn definition(&mut self, id: DefinitionId) {
        let aoi = self.aoi;
        let definition = &aoi.definitions[id];
        let (name, span) = (names::of_definition(aoi, id), definition.span);
        let is_tag = c_types::is_record(definition) || matches!(definition.kind, DefinitionKind::Enumeration(_));
        match &definition.kind {
            DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
                self.members(structure.fields.iter());
            }
            DefinitionKind::Union(union) => {
                self.ty(&union.discriminant.ty, union.discriminant.span);
                self.members(c_types::bodies(union));
            }
            DefinitionKind::Enumeration(enumeration) => {
                for member in &enumeration.members {
                    self.take(false, names::of_member(definition, &member.name), member.span);
                }
            }
            DefinitionKind::Alias(ty) => self.ty(ty, span),
            DefinitionKind::Constant(_) => {}
            // They are at fault where something is made of them.
            _ => return,
        }
        if self.link == LinkKind::None && !matches!(definition.kind, DefinitionKind::Constant(_)) {
            CodecFunction::ALL.into_iter().for_each(|function| self.take(false, function.name(&name), span));
        } else if c_types::is_freed(aoi, id) {
            self.take(false, pres::freeing(&name), span);
        }
        // Routines are named after all types, whatever C calls those.
        if !is_tag {
            self.take(false, name.clone(), span);
        }
        if !matches!(definition.kind, DefinitionKind::Constant(_)) {
            self.take(true, name, span);
        }
    }

    fn members<'b>(&mut self, members: impl Iterator<Item = &'b aoi::Field>) {
        let mut places: BTreeMap<String, Span> = BTreeMap::new();
        for member in members {
            self.ty(&member.ty, member.span);
            let name = names::inner(&member.name);
            if let Some(first) = places.insert(name.clone(), member.span).or(self.constants.get(&name).copied()) {
                self.findings.push(errors::one_name(&name, member.span, first));
            }
        }
    }

    fn interface(&mut self, interface: &Interface) {
        let aoi = self.aoi;
        let prefix = names::of_interface(aoi, interface);
        let is_numbered = self.link.is_onc() || matches!(self.link, LinkKind::Fluke | LinkKind::Mach);
        match self.link {
            LinkKind::Onc | LinkKind::Tirpc => {
                self.findings.extend(self.programs.take(aoi, interface));
                let macros = ["PROGRAM", "VERSION"].map(|what| format!("{}_{what}", prefix.to_ascii_uppercase()));
                macros.into_iter().for_each(|name| self.take(false, name, interface.span));
            }
            LinkKind::Fluke | LinkKind::Mach | LinkKind::None => {}
            LinkKind::Iiop => self.take(false, format!("{}_ID", prefix.to_ascii_uppercase()), interface.span),
        }
        self.take(false, format!("{prefix}_serve"), interface.span);
        self.take(true, pres::operations_tag(&prefix), interface.span);
        let mut procedures = Procedures::default();
        for (at, (_, operation)) in all_operations(aoi, interface).into_iter().enumerate() {
            let span = operation.span;
            let client = format!("{prefix}_{}", names::of_operation(interface, operation));
            if !operation.raises.is_empty() {
                self.take(true, pres::exceptions_tag(&client), span);
            }
            self.take(false, client, span);
            if is_numbered {
                self.findings.extend(procedures.take(aoi, interface, (at, operation), self.link));
            }
            if !operation.contexts.is_empty() {
                self.findings.push(errors::no_form("a context", span));
            }
            let parameters = operation.parameters.iter().filter(|parameter| parameter.ty != Type::Void);
            parameters.for_each(|parameter| self.ty(&parameter.ty, parameter.span));
            if operation.result != Type::Void {
                self.ty(&operation.result, span);
            }
        }
    }

    fn ty(&mut self, ty: &Type, span: Span) {
        let what = match ty {
            Type::Named(id) if is_abstract(&self.aoi.definitions[*id].kind) => "a reference to an abstract interface",
            _ if self.link == LinkKind::Iiop && c_types::is_reference(self.aoi, ty) => return,
            Type::Array { element, .. } | Type::Sequence { element, .. } | Type::Recursive(element) => {
                return self.ty(element, span);
            }
            Type::Optional(target) => {
                // A sequence or a text may lie in an array of its own.
                match marks::resolve(self.aoi, target) {
                    (Type::Array { .. } | Type::FixedOpaque { .. }, None) | (Type::Text { .. }, Some(Form::Inline)) => {
                        "an optional array"
                    }
                    _ => return self.ty(target, span),
                }
            }
            _ if capabilities::is_capability(ty) => return,
            Type::External(name) => return self.findings.push(errors::foreign(name, span)),
            Type::Float { bits: 128 } => "a quadruple",
            Type::Character { is_wide: true } | Type::WideText { .. } => "a wide character or string",
            Type::Fixed { .. } => "a fixed-point number",
            Type::Any => "a value of any type",
            Type::TypeCode => "a type code",
            Type::Object => "an object reference",
            Type::Named(id) => match &self.aoi.definitions[*id].kind {
                DefinitionKind::Reference(_) => "an object reference",
                DefinitionKind::Value(_) | DefinitionKind::ValueBox(_) => "a value type",
                DefinitionKind::Native => "a native type",
                _ => return,
            },
            _ => return,
        };
        self.findings.push(errors::no_form(what, span));
    }
}
