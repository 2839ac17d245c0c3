//! Places as words, and what their types follow from. Writer and reader meet the places of a routine in the same
//! order and keep the same account of the types they know, so that few need be said.

use std::collections::BTreeMap;

use cast::Type;
use pres::text::c_types::{read_type, write_type};
use sexpr::{Cursor, Sexpr, atom, node};

use crate::plan::{Count, Item, Place, Step, item_name};

/// The types of a routine's places, so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    known: BTreeMap<String, Type>,
    /// The types that do not follow from the first use of their place.
    said: BTreeMap<String, Type>,
}

impl Places {
    /// At the head of a routine over values of type `ty`.
    pub(super) fn of(ty: &Type) -> Places {
        Places { known: BTreeMap::from([("v*".to_string(), ty.clone())]), said: BTreeMap::new() }
    }

    /// The same routine once more, when it is known what must be said.
    pub(super) fn again(self, ty: &Type) -> Places {
        let mut places = Places::of(ty);
        places.known.extend(self.said.clone());
        places.said = self.said;
        places
    }

    /// `(places (PLACE TYPE)…)`, if there is anything to say.
    pub(super) fn head(&self) -> Option<Sexpr> {
        let pair = |(path, ty): (&String, &Type)| sexpr::list([atom(path), write_type(ty)]);
        (!self.said.is_empty()).then(|| node("places", self.said.iter().map(pair)))
    }

    /// Takes in what the head of a routine says.
    pub(super) fn read_head(&mut self, head: Cursor) -> Option<()> {
        for form in head.rest() {
            let mut pair = Cursor::new(form.as_list()?);
            self.known.insert(pair.atom()?.to_string(), read_type(pair.form()?)?);
        }
        Some(())
    }

    /// Notes the type of a place that an operation speaks of before the operations inside it use it.
    pub(super) fn learn(&mut self, variable: &str, steps: &[Step], ty: &Type) {
        self.known.entry(path_word(variable, steps)).or_insert_with(|| ty.clone());
    }

    /// The items of a loop: through the pointer to one, or by its index.
    pub(super) fn learn_item(&mut self, index: &str, over: &Item, bind: bool) {
        if bind {
            self.learn(&item_name(index), &[Step::Target], &over.ty);
        } else {
            let item = over.data.element(index, over.ty.clone());
            self.learn(&item.variable, &item.steps, &item.ty);
        }
    }

    /// The type of a place before it is looked up, where it follows from anything.
    fn expected(&self, variable: &str, steps: &[Step], guess: Option<Type>) -> Option<Type> {
        let through = || match steps.split_last()? {
            (Step::Target | Step::Element(_), path) => self.known.get(&path_word(variable, path))?.element().cloned(),
            _ => None,
        };
        self.known.get(&path_word(variable, steps)).cloned().or(guess).or_else(through)
    }

    /// A place; `guess` is the type that its use suggests.
    pub(super) fn write(&mut self, place: &Place, guess: Option<Type>) -> Sexpr {
        let path = path_word(&place.variable, &place.steps);
        let follows = self.expected(&place.variable, &place.steps, guess).as_ref() == Some(&place.ty);
        let is_new = !self.known.contains_key(&path);
        if is_new {
            self.known.insert(path.clone(), place.ty.clone());
            if !follows {
                self.said.insert(path.clone(), place.ty.clone());
            }
        }
        if follows || is_new { atom(path) } else { node("typed", [atom(path), write_type(&place.ty)]) }
    }

    /// A place from its form.
    pub(super) fn read(&mut self, form: &Sexpr, guess: Option<Type>) -> Option<Place> {
        if let Some(mut typed) = Cursor::of(form, "typed") {
            let (variable, steps) = read_path(typed.atom()?)?;
            return Some(Place { variable, steps, ty: read_type(typed.form()?)? });
        }
        let path = form.as_atom()?;
        let (variable, steps) = read_path(path)?;
        let ty = self.expected(&variable, &steps, guess)?;
        self.known.entry(path.to_string()).or_insert_with(|| ty.clone());
        Some(Place { variable, steps, ty })
    }
}

/// `v*.info.fields[i]`
fn path_word(variable: &str, steps: &[Step]) -> String {
    let mut path = variable.to_string();
    for step in steps {
        match step {
            Step::Target => path.push('*'),
            Step::Member(name) => path.extend([".", name]),
            Step::Element(index) => path.extend(["[", index, "]"]),
        }
    }
    path
}

const STEPS: [char; 3] = ['*', '.', '['];

fn read_path(path: &str) -> Option<(String, Vec<Step>)> {
    let (variable, mut rest) = path.split_at(path.find(STEPS).unwrap_or(path.len()));
    let mut steps = Vec::new();
    while let Some(first) = rest.chars().next() {
        let after = &rest[1..];
        match first {
            '*' => {
                steps.push(Step::Target);
                rest = after;
            }
            '.' => {
                let (name, left) = after.split_at(after.find(STEPS).unwrap_or(after.len()));
                steps.push(Step::Member(name.to_string()));
                rest = left;
            }
            '[' => {
                let (index, left) = after.split_once(']')?;
                steps.push(Step::Element(index.to_string()));
                rest = left;
            }
            _ => return None,
        }
    }
    Some((variable.to_string(), steps))
}

/// The type that a copy of so many bytes suggests.
pub(super) fn bytes_type(length: u64) -> Type {
    Type::CHAR.array(cast::build::integer(i128::from(length)))
}

/// True for the word of a place other than a variable by itself.
pub(super) fn is_path(word: &str) -> bool {
    word.contains(STEPS)
}

/// The type that a loop suggests for what it goes over: a pointer to items, or so many in a row.
pub(super) fn array_type(item: &Type, count: &Count, is_pointer: bool) -> Option<Type> {
    match count {
        _ if is_pointer => Some(item.clone().pointer()),
        Count::Known(count) => Some(item.clone().array(cast::build::integer(i128::from(*count)))),
        Count::Symbol(symbol) => Some(item.clone().array(cast::build::name(symbol, Type::INT))),
        _ => None,
    }
}
