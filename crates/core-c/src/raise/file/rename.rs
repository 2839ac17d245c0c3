//! Names that are unique in the program become C names that are unique in the file, as short as can be.

use std::collections::{BTreeMap, BTreeSet};

use cast::{Function, Layout, NameOf, Type, Typedef, Variable};

use super::super::names::plain;
use super::identifiers;
use super::needs::Needs;
use crate::Linkage;

/// The names that change; all others stay, without what follows an `@`.
pub(super) struct Names {
    objects: BTreeMap<String, String>,
    typedefs: BTreeMap<String, String>,
    tags: BTreeMap<String, String>,
}

impl Names {
    pub(super) fn of(needs: &Needs) -> Names {
        let mut external = Vec::new();
        let mut internal = Vec::new();
        // What headers define themselves, such as intrinsics, is called as they have it.
        let of_headers: BTreeSet<&str> = needs.index.of_headers().collect();
        for id in needs.defined.keys().chain(&needs.declared) {
            let function = &needs.program.functions[*id];
            if of_headers.contains(function.name.as_str()) {
                continue;
            }
            let list = if function.linkage == Linkage::External { &mut external } else { &mut internal };
            list.push(&function.name);
        }
        for id in needs.objects.keys() {
            let global = &needs.program.globals[*id];
            let list = if global.linkage == Linkage::External { &mut external } else { &mut internal };
            list.push(&global.name);
        }
        let external: BTreeSet<String> = external.into_iter().map(|name| plain(name).to_owned()).collect();
        let mut taken = external.clone();
        taken.extend(needs.typedefs.iter().map(|name| plain(name).to_owned()));
        taken.extend(of_headers.iter().map(|name| (*name).to_owned()));
        let mut objects = choose(internal.iter().copied(), &mut taken, &needs.taken);
        if super::types::used_by_raised(needs).1 && needs.rules_out_strings() {
            objects.extend(["memcpy", "memset"].map(|name| (name.to_owned(), format!("__builtin_{name}"))));
        }
        let mut taken = external;
        taken.extend(internal.iter().map(|name| objects.get(*name).unwrap_or(name).clone()));
        let typedefs = choose(needs.typedefs.iter(), &mut taken, &needs.taken);
        let tags = choose(needs.tags.iter(), &mut BTreeSet::new(), &needs.taken);
        Names { objects, typedefs, tags }
    }

    /// A function with its final names.
    pub(super) fn function(&self, function: &Function) -> Function {
        let mut function = function.clone();
        let old = plain(&function.name).to_owned();
        cast::rename_function(&mut function, &mut |of, name| self.rename(of, name));
        if let Some(spelling) = &mut function.spelling {
            *spelling = self.head(spelling, &old, &function.name);
        }
        function
    }

    /// The head of a declaration as spelled, with its name's new form.
    fn head(&self, spelling: &str, old: &str, new: &str) -> String {
        if old == new {
            return spelling.to_owned();
        }
        identifiers::replace(spelling, &mut |word| (word.text == old && !word.is_tag).then(|| new.to_owned()))
    }

    pub(super) fn variable(&self, variable: &Variable) -> Variable {
        let mut variable = variable.clone();
        let old = plain(&variable.name).to_owned();
        cast::rename_variable(&mut variable, &mut |of, name| self.rename(of, name));
        if let Some(spelling) = &mut variable.spelling {
            *spelling = self.head(spelling, &old, &variable.name);
        }
        variable
    }

    fn rename(&self, of: NameOf, name: &mut String) {
        let map = match of {
            NameOf::Object => &self.objects,
            NameOf::Typedef => &self.typedefs,
            NameOf::Tag => &self.tags,
            NameOf::Label => return,
        };
        if let Some(new) = map.get(name) {
            name.clone_from(new);
        }
    }

    /// The text of a typedef's declaration with final names.
    pub(super) fn typedef_text(&self, needs: &Needs, name: &str, typedef: &Typedef) -> String {
        let mut own = self.local_map(std::iter::once(&typedef.ty));
        own.insert((false, plain(name).to_owned()), self.final_name(&self.typedefs, name));
        // The declaration may define the record that it names.
        if let Type::Tagged(_, tag) = typedef.ty.unqualified()
            && let Some(layout) = needs.source.types.records.get(tag)
            && layout.declaration.order == typedef.declaration.order
        {
            own.extend(self.local_map(layout.fields.iter().map(|field| &field.ty)));
        }
        changed(&typedef.declaration.text, &own)
    }

    /// The text of a record's declaration with final names.
    pub(super) fn record_text(&self, tag: &str, layout: &Layout) -> String {
        let mut own = self.local_map(layout.fields.iter().map(|field| &field.ty));
        own.insert((true, plain(tag).to_owned()), self.final_name(&self.tags, tag));
        changed(&layout.declaration.text, &own)
    }

    fn final_name(&self, map: &BTreeMap<String, String>, name: &str) -> String {
        map.get(name).cloned().unwrap_or_else(|| plain(name).to_owned())
    }

    /// What the names in some types become, by the names that the text has.
    fn local_map<'t>(&self, types: impl Iterator<Item = &'t Type>) -> BTreeMap<(bool, String), String> {
        let mut map = BTreeMap::new();
        for ty in types {
            cast::rename_type(&mut ty.clone(), &mut |of, name| match of {
                NameOf::Typedef => {
                    map.insert((false, plain(name).to_owned()), self.final_name(&self.typedefs, name));
                }
                NameOf::Tag => {
                    map.insert((true, plain(name).to_owned()), self.final_name(&self.tags, name));
                }
                NameOf::Object | NameOf::Label => {}
            });
        }
        map
    }
}

fn changed(text: &str, map: &BTreeMap<(bool, String), String>) -> String {
    if map.iter().all(|((_, old), new)| old == new) {
        return text.to_owned();
    }
    identifiers::replace(text, &mut |word| {
        map.get(&(word.is_tag, word.text.to_owned())).filter(|new| *new != word.text).cloned()
    })
}

/// The plain form where it is free, else a numbered one that the file's text does not use either.
fn choose<'n>(
    names: impl Iterator<Item = &'n String>,
    taken: &mut BTreeSet<String>,
    words: &BTreeSet<String>,
) -> BTreeMap<String, String> {
    let mut names: Vec<&String> = names.collect();
    // Names without an `@` keep what they are.
    names.sort_by_key(|name| name.contains('@'));
    let mut chosen = BTreeMap::new();
    for name in names {
        let plain = plain(name);
        let mut new = plain.to_owned();
        let mut count = 1;
        while taken.contains(&new) || (count > 1 && words.contains(&new)) {
            count += 1;
            new = format!("{plain}_{count}");
        }
        taken.insert(new.clone());
        if new != *name {
            chosen.insert(name.clone(), new);
        }
    }
    chosen
}
