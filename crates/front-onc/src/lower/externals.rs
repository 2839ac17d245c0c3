//! Names that neither the file nor what it includes defines. rpcgen takes them for names of C's, and so do we in its
//! style: some header must define them, and the routines of such types. Often enough they are misspelled.
//!
//! In: the names in the order of their first use. Out: a finding for each, once.

use super::Lowering;
use crate::NamesOfC;
use crate::errors::{self, Nowhere};
use crate::syntax::Item;
use source::{Diagnostic, Span};
use std::collections::{BTreeMap, BTreeSet};

/// What was used and where first.
#[derive(Default)]
pub(super) struct Externals<'a> {
    types: BTreeMap<&'a str, Span>,
    values: BTreeMap<&'a str, Span>,
}

impl<'a> Externals<'a> {
    pub(super) fn use_type(&mut self, name: &'a str, at: Span) {
        self.types.entry(name).or_insert(at);
    }

    pub(super) fn use_value(&mut self, name: &'a str, at: Span) {
        self.values.entry(name).or_insert(at);
    }
}

/// Types that come with `rpc/rpc.h`, and their routines with libtirpc.
const OF_THE_LIBRARY: [&str; 17] = [
    "des_block",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "netobj",
    "quad_t",
    "rpcb",
    "u_int8_t",
    "u_int16_t",
    "u_int32_t",
    "u_int64_t",
    "u_quad_t",
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
];

/// Lengths that come with `rpc/rpc.h`.
const LENGTHS_OF_THE_LIBRARY: [&str; 4] = ["MAXNETNAMELEN", "MAX_AUTH_BYTES", "MAX_MACHINE_NAME", "NGRPS"];

/// What the language itself calls its types.
const OF_THE_LANGUAGE: [&str; 13] = [
    "bool",
    "char",
    "double",
    "float",
    "hyper",
    "int",
    "long",
    "opaque",
    "quadruple",
    "short",
    "string",
    "unsigned",
    "void",
];

impl<'a> Lowering<'_, 'a> {
    /// The findings. Names that the file's own lines for C speak of are left out.
    pub(super) fn nowhere_defined(&self, names_of_c: NamesOfC) -> Vec<Diagnostic> {
        let spoken_of = words_for_c(&self.aoi.items);
        let has_headers = spoken_of.contains("include");
        if names_of_c == NamesOfC::Any || (names_of_c == NamesOfC::OfHeaders && has_headers) {
            return Vec::new();
        }
        let is_unknown = |name: &str| !spoken_of.contains(&name) && !OF_THE_LIBRARY.contains(&name);
        let known_types: Vec<&str> = self.names.types().chain(OF_THE_LANGUAGE).collect();
        let known_values: Vec<&str> = self.names.values().collect();
        let may_be_of_c = names_of_c != NamesOfC::None;
        let nowhere = |name, known| Nowhere { guess: guess(name, known), may_be_of_c, has_headers };
        let types = self.externals.types.iter().filter(|(name, _)| is_unknown(name));
        let is_length = |name: &str| may_be_of_c && LENGTHS_OF_THE_LIBRARY.contains(&name);
        let values = self.externals.values.iter().filter(|(name, _)| is_unknown(name) && !is_length(name));
        let types = types.map(|(name, at)| errors::type_nowhere_defined(*at, name, nowhere(name, &known_types)));
        let values = values.map(|(name, at)| errors::value_nowhere_defined(*at, name, nowhere(name, &known_values)));
        types.chain(values).collect()
    }
}

/// The known name that `name` is probably a misspelling of.
fn guess<'n>(name: &str, known: &[&'n str]) -> Option<&'n str> {
    known
        .iter()
        .copied()
        .take(source::COMPARED)
        .find(|known| source::near_miss(name, &[&known.to_ascii_lowercase()]).is_some())
}

impl Lowering<'_, '_> {
    /// A name that the language gives a meaning, unless the lines for C do: `quadruple` is no type of C's, and many define it.
    pub(super) fn is_of_c(&self, name: &str) -> bool {
        self.has_quadruple_of_c && name == "quadruple"
    }
}

/// Whether lines for C have that word.
pub(super) fn speak_of(items: &[Item<'_>], name: &str) -> bool {
    items.iter().any(|item| match item {
        Item::Verbatim { text, .. } => text.split(|character| !is_part(character)).any(|word| word == name),
        Item::Namespace { items, .. } => speak_of(items, name),
        _ => false,
    })
}

fn is_part(character: char) -> bool {
    character.is_ascii_alphanumeric() || character == '_'
}

/// Every word of the `%` lines.
fn words_for_c(items: &[aoi::Item]) -> BTreeSet<&str> {
    let mut words = BTreeSet::new();
    for item in items {
        match item {
            aoi::Item::Verbatim(line) => words.extend(line.text.split(|character| !is_part(character))),
            aoi::Item::Module(module) => words.append(&mut words_for_c(&module.items)),
            _ => {}
        }
    }
    words
}
