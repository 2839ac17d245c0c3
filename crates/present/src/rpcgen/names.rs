//! One C name, one meaning: what the interface language keeps apart, C has in one name space, and macros in all.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use aoi::{Aoi, Definition, DefinitionKind, Enumeration, Field, Interface, Operation, Structure, Type, Union};
use pres::CodecFunction;
use source::{Diagnostic, Span};

use super::c_types::{self, Nested, Place};
use super::options::Options;
use super::reserved::{Cautions, Declares, is_routine_of_library};
use super::{errors, operations, scalars, values};
use crate::library::is_kept;

/// The value of a macro that the library's header defines.
pub(super) fn truth(name: &str) -> Option<i128> {
    match name {
        "TRUE" => Some(1),
        "FALSE" => Some(0),
        _ => None,
    }
}

/// What a name stands for.
#[derive(Clone, PartialEq)]
enum Use {
    Type,
    /// A function of the stubs.
    Function(&'static str),
    Enumerator(Option<i128>),
    /// A macro, with its text and, where known, its number.
    Macro(&'static str, String, Option<i128>),
}

impl Use {
    fn what(&self) -> &'static str {
        match self {
            Use::Type => "type",
            Use::Enumerator(_) => "enumerator",
            Use::Function(what) | Use::Macro(what, _, _) => what,
        }
    }
}

/// The names of a file's C declarations.
struct Names {
    uses: BTreeMap<String, (Use, Span)>,
    fields: Vec<(String, Span)>,
    /// There are no `xdr_` routines.
    codec: bool,
    ambiguous: Vec<String>,
    hiding: Vec<String>,
    unnamed: Vec<String>,
    cautions: Cautions,
    findings: Vec<Diagnostic>,
}

/// What [`check`] found out.
pub(super) struct Checked {
    pub(super) findings: Vec<Diagnostic>,
    /// Macros that are defined with several values.
    pub(super) ambiguous: Vec<String>,
    /// Macros that would replace what C's own headers declare: generated files end them.
    pub(super) hiding: Vec<String>,
    /// The same and those that stand for them: generated files write their numbers.
    pub(super) unnamed: Vec<String>,
    /// The user's types, enumerators and macros: nothing else may be called so.
    pub(super) taken: BTreeSet<String>,
}

impl Checked {
    /// The usual name, with as many `_` behind it as make it nobody else's.
    pub(super) fn clear_of_taken(&self, usual: &str) -> String {
        let mut name = usual.to_string();
        while self.taken.contains(&name) {
            name.push('_');
        }
        name
    }
}

/// Looks at all names that the header will use, in the order of its declarations; with `newstyle` also at those of
/// parameters.
pub(super) fn check(aoi: &Aoi, interfaces: &[&Interface], options: &Options) -> Checked {
    let mut names = Names {
        uses: BTreeMap::new(),
        fields: Vec::new(),
        codec: options.codec,
        ambiguous: Vec::new(),
        hiding: Vec::new(),
        unnamed: Vec::new(),
        cautions: Cautions::new(),
        findings: Vec::new(),
    };
    aoi.definitions.iter().for_each(|(_, definition)| names.definition(aoi, definition));
    aoi.definitions.iter().for_each(|(_, definition)| names.nested(definition));
    interfaces.iter().for_each(|interface| names.interface(aoi, interface));
    for (_, definition) in aoi.definitions.iter() {
        if options.codec && is_declared(&definition.kind) {
            for function in CodecFunction::ALL {
                names.take(&function.name(&definition.name), Use::Function("function"), definition.span);
            }
        } else if !matches!(definition.kind, DefinitionKind::Constant(_)) {
            names.take(&format!("xdr_{}", definition.name), Use::Function("routine"), definition.span);
        }
    }
    interfaces.iter().for_each(|interface| names.functions(aoi, interface, options));
    if options.newstyle {
        interfaces.iter().flat_map(|interface| &interface.operations).for_each(|operation| names.parameters(operation));
    }
    names.check_fields();
    // Cautions are about the headers of an RPC library.
    names.findings.retain(|finding| !options.codec || finding.is_error());
    let Names { findings, ambiguous, hiding, unnamed, uses, .. } = names;
    Checked { findings, ambiguous, hiding, unnamed, taken: uses.into_keys().collect() }
}

/// C has a type of it.
fn is_declared(kind: &DefinitionKind) -> bool {
    use DefinitionKind::{Alias, Enumeration, Structure, Union};
    matches!(kind, Structure(_) | Union(_) | Enumeration(_) | Alias(_))
}

impl Names {
    fn definition(&mut self, aoi: &Aoi, definition: &Definition) {
        use DefinitionKind::{Exception, Native, Reference, Value, ValueBox};
        // C declares nothing for them.
        if let Exception(_) | Reference(_) | Value(_) | ValueBox(_) | Native = definition.kind {
            return;
        }
        let (name, span) = (&definition.name, definition.span);
        let declares = match &definition.kind {
            DefinitionKind::Constant(_) => Declares::Macro,
            DefinitionKind::Alias(ty) if scalars::of_type(ty).is_some() => Declares::Alias,
            DefinitionKind::Alias(Type::Named(_) | Type::External(_)) => Declares::Alias,
            DefinitionKind::Alias(_) => Declares::Type,
            _ => Declares::Tagged,
        };
        let is_type = declares != Declares::Macro;
        if self.codec && name.to_ascii_lowercase().starts_with("whittle_") {
            self.findings.push(errors::name_of_run_time(name, span));
        }
        if is_type && !self.codec && is_routine_of_library(name) && !is_kept(name) {
            self.findings.push(errors::routine_of_library(name, span));
        } else {
            self.findings.extend(self.cautions.about_declaration(name, declares, span));
        }
        if is_type {
            self.take(name, Use::Type, span);
        }
        match &definition.kind {
            DefinitionKind::Constant(constant) => self.number(aoi, "constant", name, &constant.value, span),
            DefinitionKind::Enumeration(enumeration) => self.enumeration(enumeration),
            DefinitionKind::Structure(structure) => self.structure(structure),
            DefinitionKind::Union(union) => self.union(name, union),
            DefinitionKind::Alias(ty) => self.ty(name, ty),
            _ => {}
        }
    }

    /// The functions of the stubs, and the structures that several arguments travel in.
    fn functions(&mut self, aoi: &Aoi, interface: &Interface, options: &Options) {
        let Some(onc) = &interface.identity.onc else { return };
        let suffix = values::suffix(aoi, &onc.version);
        for operation in &interface.operations {
            let of = operations::names(operation, &suffix, options);
            let is_new = self.take(&of.client, Use::Function("client's function"), operation.span);
            if of.server != of.client && is_new {
                self.take(&of.server, Use::Function("server's function"), operation.span);
            }
            let arguments = operation.parameters.iter().filter(|parameter| parameter.ty != Type::Void).count();
            if arguments > 1 && is_new && self.take(&of.pack, Use::Type, operation.span) {
                self.take(&format!("xdr_{}", of.pack), Use::Function("routine"), operation.span);
            }
        }
    }

    /// The tags of types without a name of their own.
    fn nested(&mut self, definition: &Definition) {
        let name = definition.name.as_str();
        let mut found = |place: Place, _: Nested| {
            let tag = place.path();
            if tag != name {
                self.take(&tag, Use::Type, definition.span);
            }
        };
        match &definition.kind {
            DefinitionKind::Structure(structure) => c_types::nested_in_structure(structure, name, &mut found),
            DefinitionKind::Union(union) => c_types::nested_in_union(union, name, &mut found),
            DefinitionKind::Alias(ty) => c_types::nested(ty, Place::of("", name), &mut found),
            _ => {}
        }
    }

    fn interface(&mut self, aoi: &Aoi, interface: &Interface) {
        if let Some(onc) = &interface.identity.onc {
            self.number(aoi, "program", &onc.program_name, &onc.program, interface.span);
            self.number(aoi, "version", &interface.name, &onc.version, interface.span);
        }
        for operation in &interface.operations {
            self.number(aoi, "procedure", &operation.name, &operation.code, operation.span);
        }
    }

    fn number(&mut self, aoi: &Aoi, what: &'static str, name: &str, value: &aoi::Value, span: Span) {
        let (text, number) = (values::suffix(aoi, value), aoi.number(value));
        if number.is_some() && number == truth(name) {
            // The file says what the library's header says.
            return;
        }
        if number.is_some() && self.cautions.is_of_c(name) {
            self.hiding.push(name.to_string());
            self.unnamed.push(name.to_string());
        } else if self.unnamed.contains(&text) {
            self.unnamed.push(name.to_string());
        }
        self.take(name, Use::Macro(what, text, number), span);
    }

    /// True where the name was free.
    fn take(&mut self, name: &str, what: Use, span: Span) -> bool {
        if is_kept(name) {
            self.findings.push(errors::keyword(name, span));
            return false;
        }
        let caution = match &what {
            Use::Macro(..) => self.cautions.about_macro(name, span),
            Use::Type | Use::Enumerator(_) => self.cautions.about(name, span),
            Use::Function(_) => None,
        };
        self.findings.extend(caution);
        let (first, first_span) = match self.uses.entry(name.to_string()) {
            Entry::Vacant(vacant) => {
                vacant.insert((what, span));
                return true;
            }
            Entry::Occupied(occupied) => occupied.get().clone(),
        };
        match (&first, &what) {
            (Use::Macro(_, first_text, first_number), Use::Macro(_, text, number)) => {
                let same = first_text == text || (number.is_some() && first_number == number);
                if !same {
                    self.findings.push(errors::macro_redefined(name, span, first_span));
                    self.ambiguous.push(name.to_string());
                }
            }
            (Use::Function(_), Use::Function(function)) => {
                self.findings.push(errors::function_twice(name, function, span, first_span));
            }
            // A macro may repeat an enumerator: whoever writes the name gets the same number.
            (Use::Enumerator(first), Use::Macro(_, _, number)) if number.is_some() && first == number => {}
            _ => self.findings.push(errors::name_taken(name, what.what(), span, first.what(), first_span)),
        }
        false
    }

    fn enumeration(&mut self, enumeration: &Enumeration) {
        for member in &enumeration.members {
            self.findings.extend(self.cautions.about_declaration(&member.name, Declares::Value, member.span));
            self.take(&member.name, Use::Enumerator(member.value), member.span);
        }
    }

    fn structure(&mut self, structure: &Structure) {
        self.members(structure.fields.iter());
    }

    /// `name` is what the union of the bodies is called after: it stands beside the discriminant.
    fn union(&mut self, name: &str, union: &Union) {
        let bodies = c_types::union_body_name(name);
        let discriminant = &union.discriminant;
        let has_bodies = c_types::cases_in_order(union).iter().any(|case| case.body.is_some());
        if discriminant.name == bodies && has_bodies {
            let span = discriminant.span;
            self.findings.push(errors::name_taken(&bodies, "discriminant", span, "union of bodies", span));
        }
        self.members(std::iter::once(&*union.discriminant));
        self.members(union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref()));
    }

    fn members<'f>(&mut self, fields: impl Iterator<Item = &'f Field>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for field in fields {
            self.spoken_for(&field.name, field.span);
            if let Some(first) = seen.insert(&field.name, field.span) {
                self.findings.push(errors::name_taken(&field.name, "member", field.span, "member", first));
            }
            self.fields.push((field.name.clone(), field.span));
            self.ty(&field.name, &field.ty);
        }
    }

    fn parameters(&mut self, operation: &Operation) {
        for parameter in &operation.parameters {
            let Some(name) = &parameter.name else { continue };
            self.spoken_for(name, parameter.span);
            self.fields.push((name.clone(), parameter.span));
        }
    }

    /// Reports the name of a member or parameter that somebody else has taken.
    fn spoken_for(&mut self, name: &str, span: Span) {
        let finding = if is_kept(name) { Some(errors::keyword(name, span)) } else { self.cautions.about(name, span) };
        self.findings.extend(finding);
    }

    fn ty(&mut self, name: &str, ty: &Type) {
        match ty {
            Type::Array { element: inner, .. }
            | Type::Sequence { element: inner, .. }
            | Type::Optional(inner)
            | Type::Recursive(inner) => {
                self.ty(name, inner);
            }
            Type::Structure(structure) => self.structure(structure),
            Type::Union(union) => self.union(name, union),
            Type::Enumeration(enumeration) => self.enumeration(enumeration),
            _ => {}
        }
    }

    /// A macro replaces members, too.
    fn check_fields(&mut self) {
        for (name, span) in std::mem::take(&mut self.fields) {
            if let Some((first @ Use::Macro(..), first_span)) = self.uses.get(&name) {
                self.findings.push(errors::name_taken(&name, "member", span, first.what(), *first_span));
            }
        }
    }
}
