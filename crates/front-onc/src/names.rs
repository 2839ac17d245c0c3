//! What each name of a file stands for, and the numbers behind the names.
//!
//! Names of types, constants and members of enumerations share one set per namespace; an inner namespace sees the
//! names of those around it. Names may be used before they are defined.

use crate::errors;
use crate::syntax::{Declaration, Item, Member, Name, Type, Value, ValueKind};
use aoi::DefinitionId;
use source::{Diagnostic, Span};
use std::collections::BTreeMap;

/// A namespace; 0 is the file's own.
pub(crate) type ScopeId = usize;
/// A name that stands for a number.
pub(crate) type SymbolId = usize;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Meaning {
    Type(DefinitionId),
    Constant(DefinitionId, SymbolId),
    Member {
        enumeration: DefinitionId,
        member: usize,
        symbol: SymbolId,
    },
    /// A member of an enumeration that stands inside another type.
    NestedMember(SymbolId),
}

/// A meaning and where it comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) meaning: Meaning,
    pub(crate) span: Span,
}

/// Two definitions of one name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Collision<'a> {
    pub(crate) name: &'a str,
    pub(crate) first: Entry,
    pub(crate) second: Entry,
}

#[derive(Debug)]
struct Symbol<'a> {
    scope: ScopeId,
    name: Name<'a>,
    given: Given<'a>,
    number: Number,
}

/// What the file says of a symbol's number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Given<'a> {
    Number(i128),
    SameAs(&'a str),
    /// One more than the member before.
    OneMoreThan(SymbolId),
    /// A text, or something that is missing.
    Unknown,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    NotYet,
    InWork,
    Known(i128),
    Unknown,
}

/// All names of a file.
#[derive(Debug, Default)]
pub(crate) struct Names<'a> {
    /// The namespace around each namespace; the file's own has none.
    parents: Vec<Option<ScopeId>>,
    children: BTreeMap<(ScopeId, &'a str), ScopeId>,
    entries: BTreeMap<(ScopeId, &'a str), Entry>,
    symbols: Vec<Symbol<'a>>,
    /// By the offset of the name that is defined there.
    symbols_by_place: BTreeMap<u32, SymbolId>,
    pub(crate) collisions: Vec<Collision<'a>>,
    pub(crate) findings: Vec<Diagnostic>,
}

impl<'a> Names<'a> {
    pub(crate) fn new() -> Self {
        Names { parents: vec![None], ..Names::default() }
    }

    /// The namespace `name` inside `scope`, which is made where it is new.
    pub(crate) fn enter(&mut self, scope: ScopeId, name: &'a str) -> ScopeId {
        let next = self.parents.len();
        let child = *self.children.entry((scope, name)).or_insert(next);
        if child == next {
            self.parents.push(Some(scope));
        }
        child
    }

    /// Records what `item` defines, under the definition `id`.
    pub(crate) fn define(&mut self, scope: ScopeId, item: &Item<'a>, id: DefinitionId) {
        match item {
            Item::Constant { name, value } => {
                let symbol = self.symbol(scope, *name, given(value));
                self.enter_name(scope, *name, Meaning::Constant(id, symbol));
            }
            Item::Type { name, body } => {
                self.enter_name(scope, *name, Meaning::Type(id));
                match body {
                    Type::Enumeration(members) => self.members(scope, members, Some(id)),
                    _ => self.nested_members(scope, body),
                }
            }
            Item::Alias(declaration) => {
                self.enter_name(scope, declaration.name, Meaning::Type(id));
                self.nested_members(scope, &declaration.ty);
            }
            Item::Program(_) | Item::Namespace { .. } | Item::Verbatim { .. } => {}
        }
    }

    /// Records the members of the enumerations inside `ty`.
    pub(crate) fn nested_members(&mut self, scope: ScopeId, ty: &Type<'a>) {
        let declarations = |names: &mut Self, declaration: &Declaration<'a>| {
            names.nested_members(scope, &declaration.ty);
        };
        match ty {
            Type::Enumeration(members) => self.members(scope, members, None),
            Type::Structure(fields) => fields.iter().for_each(|field| declarations(self, field)),
            Type::Union(union) => {
                declarations(self, &union.discriminant);
                union.cases.iter().filter_map(|case| case.body.as_ref()).for_each(|body| declarations(self, body));
            }
            _ => {}
        }
    }

    fn members(&mut self, scope: ScopeId, members: &[Member<'a>], enumeration: Option<DefinitionId>) {
        let mut previous = None;
        for (index, member) in members.iter().enumerate() {
            let given = match (&member.value, previous) {
                (Some(value), _) => given(value),
                (None, Some(previous)) => Given::OneMoreThan(previous),
                (None, None) => Given::Number(0),
            };
            let symbol = self.symbol(scope, member.name, given);
            previous = Some(symbol);
            let meaning = match enumeration {
                Some(enumeration) => Meaning::Member { enumeration, member: index, symbol },
                None => Meaning::NestedMember(symbol),
            };
            self.enter_name(scope, member.name, meaning);
        }
    }

    fn symbol(&mut self, scope: ScopeId, name: Name<'a>, given: Given<'a>) -> SymbolId {
        let id = self.symbols.len();
        self.symbols.push(Symbol { scope, name, given, number: Number::NotYet });
        self.symbols_by_place.insert(name.span.start, id);
        id
    }

    fn enter_name(&mut self, scope: ScopeId, name: Name<'a>, meaning: Meaning) {
        let second = Entry { meaning, span: name.span };
        match self.entries.get(&(scope, name.text)) {
            Some(&first) => self.collisions.push(Collision { name: name.text, first, second }),
            None => {
                self.entries.insert((scope, name.text), second);
            }
        }
    }

    /// What `name` stands for in `scope`: the innermost definition counts.
    pub(crate) fn look_up(&self, scope: ScopeId, name: &'a str) -> Option<Entry> {
        let mut scope = Some(scope);
        while let Some(current) = scope {
            if let Some(entry) = self.look_up_inside(current, name) {
                return Some(entry);
            }
            scope = self.parents[current];
        }
        None
    }

    /// `name`, or `space::name` through the namespaces inside `scope`. An enumeration may stand for the namespace
    /// that its members are in.
    fn look_up_inside(&self, scope: ScopeId, name: &'a str) -> Option<Entry> {
        let mut parts = name.split("::").map(str::trim);
        let mut current = parts.next()?;
        let mut scope = scope;
        for next in parts {
            scope = match (current, self.children.get(&(scope, current))) {
                ("", _) => 0,
                (_, Some(&child)) => child,
                (_, None) => {
                    let entry = self.entries.get(&(scope, current))?;
                    matches!(entry.meaning, Meaning::Type(_)).then_some(scope)?
                }
            };
            current = next;
        }
        self.entries.get(&(scope, current)).copied()
    }

    /// Every name of a type, of any namespace.
    pub(crate) fn types(&self) -> impl Iterator<Item = &'a str> {
        self.entries.iter().filter(|(_, entry)| matches!(entry.meaning, Meaning::Type(_))).map(|((_, name), _)| *name)
    }

    /// Every name of a number, of any namespace.
    pub(crate) fn values(&self) -> impl Iterator<Item = &'a str> {
        self.entries.iter().filter(|(_, entry)| !matches!(entry.meaning, Meaning::Type(_))).map(|((_, name), _)| *name)
    }

    /// The number of the name that is defined at `place`.
    pub(crate) fn number_defined_at(&self, place: Span) -> Option<i128> {
        self.number(*self.symbols_by_place.get(&place.start)?)
    }

    /// The number of a symbol, once [`Names::evaluate`] has run.
    pub(crate) fn number(&self, symbol: SymbolId) -> Option<i128> {
        match self.symbols[symbol].number {
            Number::Known(number) => Some(number),
            _ => None,
        }
    }

    /// Finds all numbers. Each symbol depends on at most one other, so that a walk along these dependencies and
    /// back is all it takes.
    pub(crate) fn evaluate(&mut self) {
        for start in 0..self.symbols.len() {
            let mut path = Vec::new();
            let mut current = start;
            let mut number = loop {
                match self.symbols[current].number {
                    Number::Known(number) => break Some(number),
                    Number::Unknown => break None,
                    Number::InWork => {
                        let Name { text, span } = self.symbols[current].name;
                        self.findings.push(errors::circular_constant(span, text));
                        break None;
                    }
                    Number::NotYet => {}
                }
                self.symbols[current].number = Number::InWork;
                path.push(current);
                match self.dependency(current) {
                    Ok(next) => current = next,
                    Err(number) => break number,
                }
            };
            // Back along the path: what is known is the number of the one that the last on the path depends on, or
            // the last one's own, which is never one more than another's.
            for symbol in path.into_iter().rev() {
                if let Given::OneMoreThan(_) = self.symbols[symbol].given {
                    number = number.and_then(|number| number.checked_add(1));
                }
                self.symbols[symbol].number = number.map_or(Number::Unknown, Number::Known);
            }
        }
    }

    /// The symbol that another's number comes from, or the number itself.
    fn dependency(&self, symbol: SymbolId) -> Result<SymbolId, Option<i128>> {
        match self.symbols[symbol].given {
            Given::Number(number) => Err(Some(number)),
            Given::OneMoreThan(previous) => Ok(previous),
            Given::Unknown => Err(None),
            Given::SameAs(name) => match self.look_up(self.symbols[symbol].scope, name).map(|entry| entry.meaning) {
                Some(Meaning::Constant(_, symbol) | Meaning::Member { symbol, .. } | Meaning::NestedMember(symbol)) => {
                    Ok(symbol)
                }
                Some(Meaning::Type(_)) => Err(None),
                None => Err(truth(name).map(i128::from)),
            },
        }
    }
}

/// `TRUE` or `FALSE`, which no file needs to define.
pub(crate) fn truth(name: &str) -> Option<bool> {
    match name {
        "TRUE" => Some(true),
        "FALSE" => Some(false),
        _ => None,
    }
}

fn given<'a>(value: &Value<'a>) -> Given<'a> {
    match &value.kind {
        ValueKind::Integer { value, .. } => Given::Number(*value),
        ValueKind::Name(name) => Given::SameAs(name),
        ValueKind::Literal(_) | ValueKind::Missing => Given::Unknown,
    }
}
