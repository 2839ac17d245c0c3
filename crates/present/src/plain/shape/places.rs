//! Where in an interface the things stand that statements name. In: AOI as the front end made it, and names. Out: places,
//! which stay what they are when things get other names and types get names of their own.

use aoi::{Aoi, DefinitionId, DefinitionKind, Field, Interface, Item, Operation, Origin, Structure, Type, Union};
use source::{Diagnostic, near_name};

use super::errors;
use super::statements::{Kind, Word};
use crate::plain::names;

/// A thing that may be named and shaped. Interfaces are counted in the file's order, all else within what holds it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    Definition(DefinitionKey),
    Enumerator(DefinitionKey, usize),
    /// Of a structure or union, through those that are nested in it.
    Member(DefinitionKey, Vec<usize>),
    Interface(usize),
    Operation(usize, usize),
    Parameter(usize, usize, usize),
    Result(usize, usize),
}

/// A definition's number, which has an order.
pub(super) type DefinitionKey = u32;

pub(super) fn key(id: DefinitionId) -> DefinitionKey {
    id.into_raw().into_u32()
}

pub(super) fn id(key: DefinitionKey) -> DefinitionId {
    DefinitionId::from_raw(la_arena::RawIdx::from_u32(key))
}

/// All interfaces in the file's order.
pub(super) fn interfaces(aoi: &Aoi) -> Vec<&Interface> {
    fn gather<'a>(items: &'a [Item], found: &mut Vec<&'a Interface>) {
        for item in items {
            match item {
                Item::Interface(interface) => found.push(interface),
                Item::Module(module) => gather(&module.items, found),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    gather(&aoi.items, &mut found);
    found
}

/// The same, to be changed.
pub(super) fn interfaces_mut(items: &mut [Item]) -> Vec<&mut Interface> {
    let mut found = Vec::new();
    for item in items {
        match item {
            Item::Interface(interface) => found.push(interface),
            Item::Module(module) => found.extend(interfaces_mut(&mut module.items)),
            _ => {}
        }
    }
    found
}

/// The members of a structure; those of a union, its discriminant first.
pub(super) fn members(kind: &DefinitionKind) -> Vec<&Field> {
    match kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter().collect()
        }
        DefinitionKind::Union(union) => members_of_union(union),
        DefinitionKind::Alias(ty) => members_of(ty),
        _ => Vec::new(),
    }
}

fn members_of(ty: &Type) -> Vec<&Field> {
    match ty {
        Type::Structure(Structure { fields }) => fields.iter().collect(),
        Type::Union(union) => members_of_union(union),
        Type::Array { element, .. }
        | Type::Sequence { element, .. }
        | Type::Optional(element)
        | Type::Recursive(element) => members_of(element),
        _ => Vec::new(),
    }
}

fn members_of_union(union: &Union) -> Vec<&Field> {
    let bodies = union.cases.iter().chain(union.default.as_deref()).filter_map(|case| case.body.as_ref());
    std::iter::once(&*union.discriminant).chain(bodies).collect()
}

/// The same, to be changed.
pub(super) fn members_mut(kind: &mut DefinitionKind) -> Vec<&mut Field> {
    match kind {
        DefinitionKind::Structure(structure) | DefinitionKind::Exception(structure) => {
            structure.fields.iter_mut().collect()
        }
        DefinitionKind::Union(union) => members_of_union_mut(union),
        DefinitionKind::Alias(ty) => members_of_mut(ty),
        _ => Vec::new(),
    }
}

pub(super) fn members_of_mut(ty: &mut Type) -> Vec<&mut Field> {
    match ty {
        Type::Structure(Structure { fields }) => fields.iter_mut().collect(),
        Type::Union(union) => members_of_union_mut(union),
        Type::Array { element, .. }
        | Type::Sequence { element, .. }
        | Type::Optional(element)
        | Type::Recursive(element) => members_of_mut(element),
        _ => Vec::new(),
    }
}

fn members_of_union_mut(union: &mut Union) -> Vec<&mut Field> {
    let cases = union.cases.iter_mut().chain(union.default.as_deref_mut());
    let bodies = cases.filter_map(|case| case.body.as_mut());
    std::iter::once(&mut *union.discriminant).chain(bodies).collect()
}

/// Finds things of one file.
pub(super) struct Finder<'a> {
    pub(super) aoi: &'a Aoi,
    pub(super) origin: &'a Origin,
}

/// What a path leads to, and how much of it that takes.
type Found<T> = Option<(T, usize)>;

impl<'a> Finder<'a> {
    /// The thing that a path names.
    pub(super) fn find(&self, kind: Kind, path: &[Word]) -> Result<Place, Box<Diagnostic>> {
        match kind {
            Kind::Type | Kind::Constant => self.definition(kind, path).map(|id| Place::Definition(key(id))),
            Kind::Enumerator => self.enumerator(path),
            Kind::Member => self.member(path),
            Kind::Interface => match self.interface(path, path.len())? {
                (at, _, used) if used == path.len() => Ok(Place::Interface(at)),
                _ => Err(self.unknown(kind, path, &[])),
            },
            Kind::Operation => {
                self.operation(path, path.len()).map(|(interface, at, _)| Place::Operation(interface, at))
            }
            Kind::Result => {
                let (interface, at, operation) = self.operation(path, path.len())?;
                match operation.result {
                    Type::Void => Err(self.unknown(kind, path, &[])),
                    _ => Ok(Place::Result(interface, at)),
                }
            }
            Kind::Parameter => self.parameter(path),
        }
    }

    fn unknown(&self, kind: Kind, path: &[Word], candidates: &[&str]) -> Box<Diagnostic> {
        let words: Vec<&str> = path.iter().map(|word| word.text.as_str()).collect();
        let (Some(first), Some(last)) = (path.first(), path.last()) else {
            return Box::new(errors::no_such_thing(source::Span::default(), kind, "", &[], None));
        };
        let guess = near_name(&last.text, candidates).filter(|guess| *guess != last.text);
        let mut known: Vec<&str> = candidates.iter().copied().filter(|name| !name.is_empty()).collect();
        known.sort_unstable();
        known.dedup();
        Box::new(errors::no_such_thing(first.span.to(last.span), kind, &words.join("."), &known, guess))
    }

    /// The definitions of the file, with their names and those around them.
    fn definitions(&self) -> impl Iterator<Item = (DefinitionId, Vec<&'a str>)> + '_ {
        let own = self.aoi.definitions.iter().filter(|(_, definition)| definition.origin == *self.origin);
        own.map(|(id, definition)| {
            let scope = definition.scope.iter().map(String::as_str);
            (id, scope.chain([definition.name.as_str()]).collect())
        })
    }

    fn definition(&self, kind: Kind, path: &[Word]) -> Result<DefinitionId, Box<Diagnostic>> {
        let wants_constant = kind == Kind::Constant;
        let fits = |id: DefinitionId| {
            let is_constant = matches!(self.aoi.definitions[id].kind, DefinitionKind::Constant(_));
            is_constant == wants_constant
        };
        let all: Vec<_> = self.definitions().filter(|(id, _)| fits(*id)).collect();
        let found = all.iter().find(|(_, name)| begins(path, name) == Some(path.len()));
        let candidates: Vec<&str> = all.iter().filter_map(|(_, name)| name.last().copied()).collect();
        found.map(|(id, _)| *id).ok_or_else(|| self.unknown(kind, path, &candidates))
    }

    /// In OMG IDL and in C a member stands beside its enumeration; its name may go with either.
    fn enumerator(&self, path: &[Word]) -> Result<Place, Box<Diagnostic>> {
        let mut candidates = Vec::new();
        for (id, mut name) in self.definitions() {
            let DefinitionKind::Enumeration(enumeration) = &self.aoi.definitions[id].kind else { continue };
            for (at, member) in enumeration.members.iter().enumerate() {
                let inside: Vec<&str> = name.iter().copied().chain([member.name.as_str()]).collect();
                let last = name.len() - 1;
                let enumeration_name = std::mem::replace(&mut name[last], &member.name);
                let is_it = [&inside, &name].iter().any(|name| begins(path, name) == Some(path.len()));
                name[last] = enumeration_name;
                if is_it {
                    return Ok(Place::Enumerator(key(id), at));
                }
                candidates.push(member.name.as_str());
            }
        }
        Err(self.unknown(Kind::Enumerator, path, &candidates))
    }

    /// Nothing that has members begins with this word.
    fn no_type(&self, word: &Word) -> Box<Diagnostic> {
        let types = self.definitions().filter(|(id, _)| !members(&self.aoi.definitions[*id].kind).is_empty());
        let candidates: Vec<&str> = types.filter_map(|(_, name)| name.first().copied()).collect();
        self.unknown(Kind::Type, std::slice::from_ref(word), &candidates)
    }

    fn member(&self, path: &[Word]) -> Result<Place, Box<Diagnostic>> {
        let holder: Found<DefinitionId> = self
            .definitions()
            .filter_map(|(id, name)| Some((id, begins(path, &name)?)))
            .filter(|(id, used)| *used < path.len() && !members(&self.aoi.definitions[*id].kind).is_empty())
            .max_by_key(|(_, used)| *used);
        let Some((id, used)) = holder else {
            return Err(match path {
                [of, _, ..] => self.no_type(of),
                _ => self.unknown(Kind::Member, path, &[]),
            });
        };
        let mut here = members(&self.aoi.definitions[id].kind);
        let mut way = Vec::new();
        for (at, word) in path.iter().enumerate().skip(used) {
            let Some(found) = here.iter().position(|field| field.name == word.text) else {
                let candidates: Vec<&str> = here.iter().map(|field| field.name.as_str()).collect();
                return Err(self.unknown(Kind::Member, &path[..=at], &candidates));
            };
            way.push(found);
            here = members_of(&here[found].ty);
        }
        Ok(Place::Member(key(id), way))
    }

    /// An interface that the path begins with, in at most so many words. A program is called by its name, its version's, or
    /// both; by its own where it has one version.
    fn interface(&self, path: &[Word], most: usize) -> Result<(usize, &'a Interface, usize), Box<Diagnostic>> {
        let all = interfaces(self.aoi);
        let mut candidates = Vec::new();
        let mut best: Found<usize> = None;
        for (at, interface) in all.iter().enumerate() {
            for name in names_of(interface, &all) {
                candidates.extend(name.last().copied());
                if let Some(used) = begins(path, &name).filter(|used| *used <= most)
                    && best.is_none_or(|(_, before)| used > before)
                {
                    best = Some((at, used));
                }
            }
        }
        match best {
            Some((at, used)) => Ok((at, all[at], used)),
            None => Err(self.unknown(Kind::Interface, &path[..path.len().min(most.max(1))], &candidates)),
        }
    }

    /// The operation that the first words of a path name.
    fn operation(&self, path: &[Word], most: usize) -> Result<(usize, usize, &'a Operation), Box<Diagnostic>> {
        let path = &path[..most];
        if path.len() < 2 {
            return Err(self.unknown(Kind::Operation, path, &[]));
        }
        let (at, interface, used) = self.interface(path, most - 1)?;
        let name = |operation: &'a Operation| operation.name.trim_start_matches('_');
        let found = path.get(used).filter(|_| used + 1 == most).and_then(|word| {
            let wanted = word.text.trim_start_matches('_');
            interface.operations.iter().position(|operation| name(operation) == wanted)
        });
        let candidates: Vec<&str> = interface.operations.iter().map(name).collect();
        match found {
            Some(operation) => Ok((at, operation, &interface.operations[operation])),
            None => Err(self.unknown(Kind::Operation, path, &candidates)),
        }
    }

    fn parameter(&self, path: &[Word]) -> Result<Place, Box<Diagnostic>> {
        let Some((last, before)) = path.split_last().filter(|(_, before)| before.len() >= 2) else {
            return Err(self.unknown(Kind::Parameter, path, &[]));
        };
        let (interface, at, operation) = self.operation(path, before.len())?;
        let called = names::of_parameters(operation);
        let found = called.iter().position(|name| *name == last.text && !name.is_empty());
        let candidates: Vec<&str> = called.iter().map(String::as_str).collect();
        match found {
            Some(parameter) => Ok(Place::Parameter(interface, at, parameter)),
            None => Err(self.unknown(Kind::Parameter, path, &candidates)),
        }
    }
}

/// How many words of a path a name takes, where the path begins with it.
fn begins(path: &[Word], name: &[&str]) -> Option<usize> {
    let is_prefix = path.len() >= name.len() && path.iter().zip(name).all(|(word, part)| word.text == *part);
    is_prefix.then_some(name.len())
}

/// What an interface may be called.
fn names_of<'a>(interface: &'a Interface, all: &[&Interface]) -> Vec<Vec<&'a str>> {
    let own: Vec<&str> = interface.scope.iter().chain([&interface.name]).map(String::as_str).collect();
    let Some(onc) = interface.identity.onc.as_ref().filter(|_| interface.identity.corba.is_none()) else {
        return vec![own];
    };
    let program = onc.program_name.as_str();
    let versions =
        all.iter().filter(|other| other.identity.onc.as_ref().is_some_and(|onc| onc.program_name == program));
    let mut names = vec![vec![program, &interface.name], own];
    if versions.count() == 1 {
        names.push(vec![program]);
    }
    names
}
