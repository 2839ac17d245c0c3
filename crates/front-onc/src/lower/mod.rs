//! From syntax to AOI: names become references, numbers are checked.

mod checks;
mod externals;
mod numbers;
mod programs;
mod types;

use crate::continued::verbatim_text;
use crate::errors;
use crate::names::{Meaning, Names, ScopeId, truth};
use crate::syntax::{Item, Name, Value, ValueKind};
use crate::{Lax, NamesOfC, Options};
use aoi::{Aoi, Definition, DefinitionId, DefinitionKind};
use source::{Diagnostic, SourceMap, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The largest length, bound and identifying number: 32 bits hold it.
const MAXIMUM: i128 = u32::MAX as i128;

/// What the largest types hold.
const CONSTANTS: std::ops::RangeInclusive<i128> = i64::MIN as i128..=u64::MAX as i128;

/// Lowers the items of a file.
pub(crate) fn lower<'a>(map: &SourceMap, items: &[Item<'a>], options: &Options) -> (Aoi, Vec<Diagnostic>) {
    let mut lowering = Lowering::new(map, BTreeSet::new(), options);
    let repeated = lowering.all(items);
    let nowhere_defined = lowering.nowhere_defined(options.names_of_c);
    lowering.findings.extend(nowhere_defined);
    if repeated.is_empty() {
        return (lowering.aoi, lowering.findings);
    }
    // Only once all is known do definitions turn out to say the same. Then all is done again without the second.
    let is_said = |finding: &Diagnostic| errors::SAID_ONCE.contains(&finding.code);
    let said_already = lowering.findings.into_iter().filter(is_said);
    let mut again = Lowering::new(map, repeated, options);
    again.all(items);
    again.findings.extend(said_already);
    (again.aoi, again.findings)
}

struct Lowering<'m, 'a> {
    map: &'m SourceMap,
    names: Names<'a>,
    aoi: Aoi,
    /// The definitions, by the offset of their names.
    ids: BTreeMap<u32, DefinitionId>,
    scope: ScopeId,
    /// Unions whose cases can be judged once all types are known.
    unions: Vec<checks::PendingUnion<'a>>,
    /// Definitions that only repeat another one, by the offsets of their names.
    left_out: BTreeSet<u32>,
    externals: externals::Externals<'a>,
    /// The lines for C speak of a type `quadruple`.
    has_quadruple_of_c: bool,
    names_of_c: NamesOfC,
    lax: Lax,
    findings: Vec<Diagnostic>,
}

impl<'m, 'a> Lowering<'m, 'a> {
    fn new(map: &'m SourceMap, left_out: BTreeSet<u32>, options: &Options) -> Self {
        Lowering {
            map,
            names: Names::new(),
            aoi: Aoi::default(),
            ids: BTreeMap::new(),
            scope: 0,
            unions: Vec::new(),
            left_out,
            externals: externals::Externals::default(),
            has_quadruple_of_c: false,
            names_of_c: options.names_of_c,
            lax: options.lax,
            findings: Vec::new(),
        }
    }

    /// Lowers and checks; returns the definitions that only repeat another one.
    fn all(&mut self, items: &[Item<'a>]) -> BTreeSet<u32> {
        self.has_quadruple_of_c = self.names_of_c != NamesOfC::None && externals::speak_of(items, "quadruple");
        self.declare(items);
        self.names.evaluate();
        self.aoi.items = self.items(items);
        self.findings.append(&mut self.names.findings);
        let repeated = self.collisions();
        self.programs_apart(items);
        self.cycles();
        self.unions();
        repeated
    }

    /// Gives each type and constant its place and its name, before any is looked at.
    fn declare(&mut self, items: &[Item<'a>]) {
        for item in items {
            match item {
                Item::Namespace { name, items } => {
                    let outer = self.scope;
                    self.scope = self.names.enter(outer, name.text);
                    self.declare(items);
                    self.scope = outer;
                }
                Item::Program(program) => {
                    let procedures = program.versions.iter().flat_map(|version| &version.procedures);
                    for procedure in procedures {
                        for argument in std::iter::once(&procedure.result).chain(&procedure.arguments) {
                            self.names.nested_members(self.scope, &argument.ty);
                        }
                    }
                }
                _ => {
                    if let Some(name) = defined_name(item).filter(|name| !self.left_out.contains(&name.span.start)) {
                        let kind = DefinitionKind::Alias(aoi::Type::Void);
                        let origin = self.origin(name.span);
                        let definition = Definition::new(name.text, kind, name.span, origin);
                        let id = self.aoi.definitions.alloc(definition);
                        self.ids.insert(name.span.start, id);
                        self.names.define(self.scope, item, id);
                    }
                }
            }
        }
    }

    fn items(&mut self, items: &[Item<'a>]) -> Vec<aoi::Item> {
        let mut lowered = Vec::new();
        for item in items {
            match item {
                Item::Namespace { name, items } => {
                    let outer = self.scope;
                    self.scope = self.names.enter(outer, name.text);
                    let items = self.items(items);
                    self.scope = outer;
                    lowered.push(aoi::Item::Module(aoi::Module { name: name.text.to_owned(), items, span: name.span }));
                }
                Item::Verbatim { text, span } => {
                    let text = verbatim_text(self.map, text, *span);
                    let origin = self.origin(*span);
                    lowered.push(aoi::Item::Verbatim(aoi::Verbatim { text, span: *span, origin }));
                }
                Item::Program(program) => lowered.extend(self.program(program).into_iter().map(aoi::Item::Interface)),
                _ => lowered.extend(self.definition(item).map(aoi::Item::Definition)),
            }
        }
        lowered
    }

    /// Fills in a definition that [`Lowering::declare`] made.
    fn definition(&mut self, item: &Item<'a>) -> Option<DefinitionId> {
        let id = *self.ids.get(&defined_name(item)?.span.start)?;
        let kind = match item {
            Item::Constant { value, .. } => {
                if matches!(&value.kind, ValueKind::Integer { value, .. } if !CONSTANTS.contains(value)) {
                    self.report_lenient(errors::constant_out_of_range(value.span));
                }
                DefinitionKind::Constant(aoi::Constant { value: self.value(value), ty: None })
            }
            Item::Type { body, .. } => match self.plain_type(body) {
                aoi::Type::Structure(structure) => DefinitionKind::Structure(structure),
                aoi::Type::Union(union) => DefinitionKind::Union(union),
                aoi::Type::Enumeration(enumeration) => DefinitionKind::Enumeration(enumeration),
                other => DefinitionKind::Alias(other),
            },
            Item::Alias(declaration) => DefinitionKind::Alias(self.declared_type(&declaration.ty, &declaration.form)),
            Item::Program(_) | Item::Namespace { .. } | Item::Verbatim { .. } => return None,
        };
        self.aoi.definitions[id].kind = kind;
        Some(id)
    }

    fn origin(&self, span: Span) -> aoi::Origin {
        match self.map.included_file(span) {
            Some(name) => aoi::Origin::Included(name.to_owned()),
            None => aoi::Origin::Main,
        }
    }

    /// A value, whatever it stands for.
    fn value(&mut self, value: &Value<'a>) -> aoi::Value {
        match &value.kind {
            ValueKind::Integer { value, spelling } => aoi::Value::Integer { value: *value, spelling: spelling.clone() },
            ValueKind::Literal(text) => aoi::Value::Text(tokens::text_content(text)),
            ValueKind::Missing => aoi::Value::Integer { value: 0, spelling: "0".to_owned() },
            ValueKind::Name(name) => self.named_value(name, value.span),
        }
    }

    fn named_value(&mut self, name: &'a str, span: Span) -> aoi::Value {
        let external = aoi::Value::External(name.to_owned());
        let Some(entry) = self.names.look_up(self.scope, name) else {
            let truth = truth(name);
            if truth.is_none() {
                self.externals.use_value(name, span);
            }
            return truth.map_or(external, aoi::Value::Boolean);
        };
        match entry.meaning {
            Meaning::Constant(id, _) => aoi::Value::Constant(id),
            Meaning::Member { enumeration, member, .. } => aoi::Value::Member { enumeration, member },
            Meaning::NestedMember(symbol) => match self.names.number(symbol) {
                Some(value) => aoi::Value::NestedMember { name: name.to_owned(), value },
                None => external,
            },
            Meaning::Type(_) => {
                self.findings.push(errors::type_as_value(span, name, entry.span));
                external
            }
        }
    }
}

/// The name that an item gives to a type or a constant. `typedef struct a a;` gives none: `a` stands for the
/// structure anyway.
fn defined_name<'a>(item: &Item<'a>) -> Option<Name<'a>> {
    match item {
        Item::Constant { name, .. } | Item::Type { name, .. } => Some(*name),
        Item::Alias(declaration) => {
            let is_redundant = matches!(&declaration.form, crate::syntax::Form::Plain)
                && matches!(&declaration.ty, crate::syntax::Type::Named { tag: Some(_), name }
                    if name.text == declaration.name.text);
            (!is_redundant).then_some(declaration.name)
        }
        Item::Program(_) | Item::Namespace { .. } | Item::Verbatim { .. } => None,
    }
}
