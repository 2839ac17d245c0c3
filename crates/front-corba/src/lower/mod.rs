//! From syntax to AOI: names become references, expressions become values, the rules of the language are checked.
//!
//! IDL declares before it uses, so that one walk in the order of the text does all; what a forward declaration
//! promised is looked at in the end.

mod annotations;
mod bits;
mod bodies;
mod constants;
mod evaluate;
mod fixed;
mod forward;
mod ids;
mod interfaces;
mod locals;
mod lookup;
mod operations;
mod pseudo;
mod scopes;
mod types;
mod unions;
mod values;

use crate::errors;
use crate::pragmas::Pragma;
use crate::syntax::{Annotation, Declarator, Expression, Item, ItemKind, Name, ScopedName, Type};
use aoi::{Aoi, Definition, DefinitionId, DefinitionKind};
use scopes::{Entry, Meaning, ScopeKind, Scopes};
use source::{Diagnostic, Limits, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The largest length and bound: 32 bits hold it.
const MAXIMUM: i128 = u32::MAX as i128;

/// Lowers the items of a file; `skipped` are words of what could not be read.
pub(crate) fn lower<'a>(
    (map, limits): (&SourceMap, &Limits),
    pragmas: Vec<Pragma<'a>>,
    skipped: BTreeSet<&'a str>,
    items: &[Item<'a>],
) -> (Aoi, Vec<Diagnostic>) {
    let mut lowering = Lowering {
        map,
        limits,
        inherited: 0,
        aoi: Aoi::default(),
        scopes: Scopes::new(skipped),
        items: Vec::new(),
        ids: ids::Ids::new(pragmas),
        constants: BTreeMap::new(),
        incomplete: BTreeMap::new(),
        interfaces: BTreeMap::new(),
        promised_values: BTreeMap::new(),
        value_scopes: BTreeMap::new(),
        of_corba: BTreeMap::new(),
        locals: BTreeSet::new(),
        stays_at_home: false,
        looks_on: false,
        annotation_types: BTreeMap::new(),
        member_ids: Vec::new(),
        member_forms: Vec::new(),
        findings: Vec::new(),
    };
    items.iter().for_each(|item| lowering.item(item));
    lowering.pragmas_before(u32::MAX);
    lowering.later_prefixes();
    lowering.never_defined();
    lowering.values_never_defined();
    lowering.repository_ids();
    let mut aoi = lowering.aoi;
    aoi.items = lowering.items;
    let mut findings = lowering.findings;
    findings.append(&mut lowering.scopes.findings);
    (aoi.in_order_of_items(), findings)
}

struct Lowering<'m, 'a> {
    map: &'m SourceMap,
    limits: &'m Limits,
    /// What interfaces and values inherit, all together.
    inherited: usize,
    aoi: Aoi,
    scopes: Scopes<'a>,
    /// Of the module that is being lowered.
    items: Vec<aoi::Item>,
    ids: ids::Ids<'a>,
    /// What each constant is.
    constants: BTreeMap<DefinitionId, evaluate::Number>,
    /// Types that are declared, and not yet defined to the end.
    incomplete: BTreeMap<DefinitionId, forward::Incomplete>,
    interfaces: BTreeMap<DefinitionId, interfaces::Facts>,
    /// Value types that are declared and not yet defined, and where.
    promised_values: BTreeMap<DefinitionId, Span>,
    value_scopes: BTreeMap<DefinitionId, scopes::ScopeId>,
    /// What CORBA knows and no file declares, once it is used.
    of_corba: BTreeMap<&'static str, DefinitionId>,
    /// Types of what never leaves its process.
    locals: BTreeSet<DefinitionId>,
    /// The interface that is being lowered is local, or its operations are those of a value.
    stays_at_home: bool,
    /// The interface that is being lowered is given what only those get who look on at calls in their own process.
    looks_on: bool,
    /// The parameters of annotations that the file defines.
    annotation_types: BTreeMap<&'a str, Vec<&'a str>>,
    /// The `@id`s of the members that have been lowered, until their type ends.
    member_ids: Vec<(String, aoi::Value)>,
    /// And how protobuf has their numbers.
    member_forms: Vec<(String, aoi::Value)>,
    findings: Vec<Diagnostic>,
}

/// Stands for a type that could not be made sense of; the error stops everything before it matters.
const BROKEN: aoi::Type = aoi::Type::External(String::new());

impl<'a> Lowering<'_, 'a> {
    fn item(&mut self, item: &Item<'a>) {
        self.pragmas_before(item.start);
        let annotations = self.annotations(&item.annotations);
        match &item.kind {
            ItemKind::Module { name, body } => self.module(*name, body),
            ItemKind::Constant { ty, name, value } => self.constant(ty, *name, value, annotations),
            ItemKind::Alias { ty, declarators } => self.alias(ty, declarators, annotations),
            ItemKind::Type(definition) => {
                self.type_definition(definition, annotations);
            }
            ItemKind::Forward { word, name } => self.forward_type(word, *name),
            ItemKind::Native(name) => {
                self.named(*name, DefinitionKind::Native, annotations);
            }
            ItemKind::Exception { name, members } => self.exception(*name, members, annotations),
            ItemKind::Interface(interface) => self.interface(interface, annotations),
            ItemKind::Value(value) => self.value_type(value, annotations),
            ItemKind::ValueBox { name, ty } => self.value_box(*name, ty, annotations),
            ItemKind::TypeId { target, id } => self.type_id(target, id),
            ItemKind::TypePrefix { target, prefix } => self.type_prefix(target, prefix),
            // What an `#include` brought in is imported already.
            ItemKind::Import(name) if self.scopes.finds(name) => {}
            ItemKind::Import(name) => self.findings.push(errors::nothing_imported(name.span)),
            ItemKind::ImportOf(text) => self.findings.push(errors::nothing_imported(text.span)),
            ItemKind::AnnotationType { name, parameters } => {
                self.annotation_types.insert(name.text, parameters.iter().map(|parameter| parameter.text).collect());
            }
            ItemKind::Unsupported { what, name } => {
                self.findings.push(errors::not_supported(name.span, what));
                self.scopes.define(*name, Meaning::Broken);
            }
            // The grammar has these only inside interfaces and value types, which look at them themselves.
            ItemKind::Operation(_) | ItemKind::Attribute(_) | ItemKind::State { .. } | ItemKind::Factory { .. } => {}
        }
    }

    fn module(&mut self, name: Name<'a>, body: &crate::syntax::Block<'a>) {
        let scope = match self.scopes.own(name.text) {
            Some(entry) if entry.name == name.text && matches!(entry.meaning, Meaning::Module(_)) => {
                match entry.meaning {
                    Meaning::Module(scope) => scope,
                    _ => return,
                }
            }
            _ => {
                let scope = self.scopes.add(name.text, ScopeKind::Module);
                self.scopes.define(name, Meaning::Module(scope));
                scope
            }
        };
        let outer = std::mem::take(&mut self.items);
        self.scopes.current = scope;
        self.ids.enter();
        body.items.iter().for_each(|item| self.item(item));
        self.pragmas_before(body.end);
        self.ids.leave();
        self.scopes.leave();
        let items = std::mem::replace(&mut self.items, outer);
        self.items.push(aoi::Item::Module(aoi::Module { name: name.text.to_owned(), items, span: name.span }));
    }

    /// A definition of the present scope that has no place among the items yet.
    fn allocate(&mut self, name: Name<'a>, kind: DefinitionKind, annotations: Vec<aoi::Annotation>) -> DefinitionId {
        let origin = self.origin(name.span);
        let definition = Definition::new(name.text, kind, name.span, origin);
        let scope = self.scopes.path(self.scopes.current);
        let id = self.aoi.definitions.alloc(Definition { scope, annotations, ..definition });
        self.ids.define(id, self.scopes.current);
        id
    }

    /// A definition without a scope of its own, among the items.
    fn named(&mut self, name: Name<'a>, kind: DefinitionKind, annotations: Vec<aoi::Annotation>) -> DefinitionId {
        let id = self.allocate(name, kind, annotations);
        self.scopes.define(name, Meaning::Type(id, None));
        self.note_local(id);
        self.items.push(aoi::Item::Definition(id));
        id
    }

    fn alias(&mut self, ty: &Type<'a>, declarators: &[Declarator<'a>], annotations: Vec<aoi::Annotation>) {
        let base = self.complete_type(ty);
        for declarator in declarators {
            let ty = self.dimensions(base.clone(), &declarator.dimensions);
            self.named(declarator.name, DefinitionKind::Alias(ty), annotations.clone());
        }
    }

    fn origin(&self, span: Span) -> aoi::Origin {
        match self.map.included_file(span) {
            Some(name) => aoi::Origin::Included(name.to_owned()),
            None => aoi::Origin::Main,
        }
    }

    fn annotations(&mut self, annotations: &[Annotation<'a>]) -> Vec<aoi::Annotation> {
        annotations.iter().filter_map(|annotation| self.annotation(annotation)).collect()
    }

    /// The text of a literal that is one.
    fn plain_text(&mut self, expression: &Expression<'a>) -> String {
        match &expression.kind {
            crate::syntax::ExpressionKind::Text { characters, .. } => constants::text_of(characters),
            _ => String::new(),
        }
    }

    /// Reports a name of another kind than the wanted one, unless it was found by mistake: in another spelling.
    fn wrong_kind(&mut self, name: &ScopedName<'a>, wanted: &str, found: &Entry) {
        let is_misspelled = name.parts.iter().any(|part| self.scopes.misspelled.contains(&part.span));
        if !is_misspelled {
            let what = described(found.meaning);
            self.findings.push(errors::wrong_kind(name.span, &name.spelled(), wanted, what, Some(found.span)));
        }
    }

    /// The definition behind a name, whatever it defines; a module has none.
    fn target(&mut self, name: &ScopedName<'a>) -> Option<Meaning> {
        self.scopes.resolve(name).map(|entry| entry.meaning)
    }
}

/// The definition that a meaning is about.
fn definition_of(meaning: Meaning) -> Option<DefinitionId> {
    match meaning {
        Meaning::Type(id, _)
        | Meaning::Interface(id, _)
        | Meaning::Value(id, _)
        | Meaning::Exception(id, _)
        | Meaning::Constant(id) => Some(id),
        Meaning::Module(_) | Meaning::Member { .. } | Meaning::Part(_) | Meaning::Broken => None,
    }
}

/// How to call what a name stands for.
fn described(meaning: Meaning) -> &'static str {
    match meaning {
        Meaning::Module(_) => "a module",
        Meaning::Type(..) => "a type",
        Meaning::Interface(..) => "an interface",
        Meaning::Value(..) => "a value type",
        Meaning::Exception(..) => "an exception",
        Meaning::Constant(_) => "a constant",
        Meaning::Member { .. } => "a member of an enumeration",
        Meaning::Part(what) => what,
        Meaning::Broken => "nothing",
    }
}
