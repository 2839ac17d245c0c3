//! One translation unit around some functions: the types, objects and functions that they need, and no others.
//!
//! In: a Core C program, the CAST it was lowered from, and the functions wanted. Out: a file that compilers take as it is.
//! Declarations of system headers become `#include`s, those of the program are repeated as its source spells them,
//! and functions that Core C does not model stand as they are.

mod globals;
mod heads;
mod identifiers;
mod initial;
mod lines;
mod needs;
mod rename;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use cast::{Declaration, File};

use source::SourceMap;

use crate::{FunctionId, GlobalId, Program};
pub(super) use initial::value as initial_value;
pub use lines::settle;
use needs::Needs;

/// What a file is to be like.
#[derive(Clone, Debug, Default)]
pub struct Options<'a> {
    /// Units, by position, that the file stands for: what they define with external linkage is defined in it where it is
    /// needed; what other units so define is declared. None given: the units of the wanted functions.
    pub units: Vec<usize>,
    /// Functions to be taken as the source has them, though Core C models them.
    pub kept: BTreeSet<FunctionId>,
    /// Objects that the file holds whether a function mentions them or not.
    pub objects: Vec<GlobalId>,
    /// With it, `#line` tells where each statement of a raised function comes from; the printed text wants [`settle`].
    pub lines: Option<&'a SourceMap>,
}

/// The file of these functions, and of what they need.
pub fn file(program: &Program, source: &cast::Program, roots: &[FunctionId]) -> File {
    file_with(program, source, roots, &Options::default())
}

/// As [`file`], in a way of one's choice.
pub fn file_with(program: &Program, source: &cast::Program, roots: &[FunctionId], options: &Options) -> File {
    let index = Index::of(source);
    let mut needs = Needs::new(program, source, &index, roots, options);
    needs.find(roots, &options.objects);
    let names = rename::Names::of(&needs);
    let mut out = Vec::new();
    types::includes(&needs, &mut out);
    types::declarations(&needs, &names, &mut out);
    heads::prototypes(&needs, &names, &mut out);
    globals::variables(&needs, &names, &mut out);
    for (id, function) in needs.definitions() {
        if !matches!(out.last(), None | Some(Declaration::Blank)) {
            out.push(Declaration::Blank);
        }
        let mut function = names.function(function);
        if !needs.program.functions[id].blocks.is_empty() {
            super::finish::fill(&mut function);
            out.extend(options.lines.and_then(|sources| lines::insert(sources, &mut function)));
        }
        out.push(Declaration::Function(function));
        out.extend(options.lines.map(|_| lines::own()));
    }
    File { declarations: out }
}

/// Where the source declares its functions and objects.
pub(super) struct Index<'a> {
    functions: BTreeMap<&'a str, Declared<'a, cast::Function>>,
    variables: BTreeMap<&'a str, Declared<'a, cast::Variable>>,
    /// The enumeration that each enumerator is of, by tag.
    enumerators: BTreeMap<&'a str, &'a str>,
    /// By what types are called without what makes them unique.
    typedefs: BTreeMap<&'a str, Vec<&'a str>>,
    tags: BTreeMap<&'a str, Vec<&'a str>>,
}

/// The declarations of one name, with their units.
struct Declared<'a, T> {
    definition: Option<(usize, &'a T)>,
    /// In order, definitions aside.
    others: Vec<&'a T>,
    /// The first system header that declares it.
    header: Option<&'a str>,
}

impl<T> Default for Declared<'_, T> {
    fn default() -> Self {
        Declared { definition: None, others: Vec::new(), header: None }
    }
}

impl<'a> Index<'a> {
    fn of(source: &'a cast::Program) -> Index<'a> {
        let mut index = Index {
            functions: BTreeMap::new(),
            variables: BTreeMap::new(),
            enumerators: BTreeMap::new(),
            typedefs: BTreeMap::new(),
            tags: BTreeMap::new(),
        };
        for (unit, found) in source.units.iter().enumerate() {
            index.declarations(unit, &found.file.declarations);
        }
        let table = &source.types;
        for (tag, layout) in &table.enumerations {
            index.enumerators.extend(layout.members.iter().map(|(name, _)| (name.as_str(), tag.as_str())));
        }
        for name in table.typedefs.keys() {
            index.typedefs.entry(super::names::plain(name)).or_default().push(name);
        }
        for tag in table.records.keys().chain(table.enumerations.keys()) {
            index.tags.entry(super::names::plain(tag)).or_default().push(tag);
        }
        index
    }

    /// What system headers declare: a file that includes them cannot mean something else by it.
    fn of_headers(&self) -> impl Iterator<Item = &'a str> + '_ {
        let functions = self.functions.iter().filter(|(_, known)| known.header.is_some()).map(|(name, _)| *name);
        let variables = self.variables.iter().filter(|(_, known)| known.header.is_some()).map(|(name, _)| *name);
        functions.chain(variables)
    }

    fn declarations(&mut self, unit: usize, list: &'a [Declaration]) {
        for declaration in list {
            match declaration {
                Declaration::Function(function) => {
                    let known = self.functions.entry(&function.name).or_default();
                    known.header = known.header.or(function.header.as_deref());
                    known.definition.get_or_insert((unit, function));
                }
                Declaration::Prototype(function) => {
                    let known = self.functions.entry(&function.name).or_default();
                    known.header = known.header.or(function.header.as_deref());
                    known.others.push(function);
                }
                Declaration::Variable(variable) => self.variable(unit, variable),
                Declaration::ExternC(inner) => self.declarations(unit, inner),
                _ => {}
            }
        }
    }

    /// An object with an initial value is defined by that declaration, else by the first that is not `extern`.
    fn variable(&mut self, unit: usize, variable: &'a cast::Variable) {
        let known = self.variables.entry(&variable.name).or_default();
        known.header = known.header.or(variable.header.as_deref());
        let is_extern = variable.storage == cast::Storage::Extern && variable.initial.is_none();
        match &mut known.definition {
            _ if is_extern => known.others.push(variable),
            Some((place, earlier)) if earlier.initial.is_none() && variable.initial.is_some() => {
                known.others.push(std::mem::replace(earlier, variable));
                *place = unit;
            }
            Some(_) => known.others.push(variable),
            definition @ None => *definition = Some((unit, variable)),
        }
    }
}
