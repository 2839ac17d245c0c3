//! All definitions of a file, and where chains of names for names end. In: definitions, in any order. Out: the same, and
//! for a name that only stands for another one the last of the chain.
//!
//! Everybody asks for the ends of chains, again and again. A short chain is walked; for long ones all ends are found at
//! once and kept until a definition changes, so that n names of names are n steps, not n * n.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use la_arena::Arena;

use crate::{Definition, DefinitionId, DefinitionKind, Type, Value};

/// Links of a chain that are walked before all ends are worked out.
const SHORT: usize = 32;

/// The named types and constants of a file.
#[derive(Debug, Default)]
pub struct Definitions {
    all: Arena<Definition>,
    /// Whoever may change a definition empties it.
    ends: OnceLock<Ends>,
}

/// For each definition the last alias of its chain (for constants the last constant), and the first one of the chain, itself
/// included, that is annotated or the last.
#[derive(Debug)]
struct Ends {
    last: Vec<DefinitionId>,
    annotated: Vec<DefinitionId>,
}

impl Definitions {
    /// The last alias of a chain of names for names, or constant of a chain of constants; a definition of another kind is
    /// its own. A chain that goes in circles, which was reported, ends somewhere on its way.
    pub fn last_alias(&self, id: DefinitionId) -> DefinitionId {
        self.walk(id, |_| false, |ends| &ends.last)
    }

    /// The definition at the end of a chain of names for names, of whatever kind it is.
    pub fn last_name(&self, id: DefinitionId) -> DefinitionId {
        let last = self.last_alias(id);
        match self.all[last].kind {
            DefinitionKind::Alias(Type::Named(end)) => end,
            _ => last,
        }
    }

    /// The first alias of the chain, from this definition on, that has annotations; the last one where none has.
    pub fn first_annotated(&self, id: DefinitionId) -> DefinitionId {
        self.walk(id, |definition| !definition.annotations.is_empty(), |ends| &ends.annotated)
    }

    fn walk(
        &self,
        id: DefinitionId,
        is_found: impl Fn(&Definition) -> bool,
        known: impl Fn(&Ends) -> &Vec<DefinitionId>,
    ) -> DefinitionId {
        let mut id = id;
        for _ in 0..SHORT {
            match next(&self.all, id).filter(|_| !is_found(&self.all[id])) {
                Some(further) => id = further,
                None => return id,
            }
        }
        let ends = self.ends.get_or_init(|| Ends {
            last: ends(&self.all, |_| false),
            annotated: ends(&self.all, |definition| !definition.annotations.is_empty()),
        });
        known(ends).get(index(id)).copied().unwrap_or(id)
    }
}

/// The alias, or the constant, that one is only another name for.
fn next(all: &Arena<Definition>, id: DefinitionId) -> Option<DefinitionId> {
    match &all[id].kind {
        DefinitionKind::Alias(Type::Named(next)) => {
            matches!(all[*next].kind, DefinitionKind::Alias(_)).then_some(*next)
        }
        DefinitionKind::Constant(constant) => match constant.value {
            Value::Constant(next) => matches!(all[next].kind, DefinitionKind::Constant(_)).then_some(next),
            _ => None,
        },
        _ => None,
    }
}

fn index(id: DefinitionId) -> usize {
    id.into_raw().into_u32() as usize
}

/// For each definition where its chain stops: each link is gone over twice, whatever the order.
fn ends(all: &Arena<Definition>, is_found: impl Fn(&Definition) -> bool) -> Vec<DefinitionId> {
    let mut ends: Vec<Option<DefinitionId>> = vec![None; all.len()];
    let mut way = Vec::new();
    for (start, _) in all.iter() {
        let mut id = start;
        // What is on the way is its own end until the end is known, so that circles stop.
        while ends[index(id)].is_none() {
            ends[index(id)] = Some(id);
            way.push(id);
            match next(all, id).filter(|_| !is_found(&all[id])) {
                Some(further) => id = further,
                None => break,
            }
        }
        let end = ends[index(id)];
        way.drain(..).for_each(|id| ends[index(id)] = end);
    }
    all.iter().map(|(id, _)| ends[index(id)].unwrap_or(id)).collect()
}

impl Deref for Definitions {
    type Target = Arena<Definition>;

    fn deref(&self) -> &Arena<Definition> {
        &self.all
    }
}

impl DerefMut for Definitions {
    fn deref_mut(&mut self) -> &mut Arena<Definition> {
        self.ends = OnceLock::new();
        &mut self.all
    }
}

impl From<Arena<Definition>> for Definitions {
    fn from(all: Arena<Definition>) -> Self {
        Definitions { all, ends: OnceLock::new() }
    }
}

impl Clone for Definitions {
    fn clone(&self) -> Self {
        self.all.clone().into()
    }
}

impl PartialEq for Definitions {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use source::{FileId, Span};

    use super::*;
    use crate::{Annotation, Aoi, Origin};

    fn number() -> Type {
        Type::Integer { bits: 32, signed: true, spelling: "int".to_owned() }
    }

    /// `t1` is the next one's other name, and so on; `ends` is what the last one stands for.
    fn chain(length: usize, ends: Type) -> (Aoi, Vec<DefinitionId>) {
        let mut aoi = Aoi::default();
        let place = Span::new(FileId::default(), 0, 0);
        let add = |at: usize| {
            let kind = DefinitionKind::Alias(ends.clone());
            aoi.definitions.alloc(Definition::new(format!("t{at}"), kind, place, Origin::Main))
        };
        let ids: Vec<DefinitionId> = (0..length).map(add).collect();
        for pair in ids.windows(2) {
            aoi.definitions[pair[0]].kind = DefinitionKind::Alias(Type::Named(pair[1]));
        }
        (aoi, ids)
    }

    #[test]
    fn long_chains_of_names_are_walked_once() {
        let (aoi, ids) = chain(50_000, number());
        let begun = Instant::now();
        for id in &ids {
            assert_eq!(aoi.resolve(&Type::Named(*id)), &number());
        }
        // Step by step it would be more than a thousand million of them.
        assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    }

    #[test]
    fn a_change_is_seen() {
        let (mut aoi, ids) = chain(100, number());
        assert_eq!(aoi.definitions.last_name(ids[0]), ids[99]);
        aoi.definitions[ids[70]].kind = DefinitionKind::Alias(Type::Any);
        assert_eq!(aoi.definitions.last_name(ids[0]), ids[70]);
        assert_eq!(aoi.resolve(&Type::Named(ids[0])), &Type::Any);
        let place = Span::new(FileId::default(), 0, 0);
        let annotation = Annotation { name: "a".to_owned(), parameters: Vec::new(), span: place };
        aoi.definitions[ids[60]].annotations.push(annotation);
        assert_eq!(aoi.definitions.first_annotated(ids[0]), ids[60]);
        assert_eq!(aoi.definitions.first_annotated(ids[61]), ids[70]);
        assert_eq!(aoi.definitions.last_name(ids[0]), ids[70]);
    }

    #[test]
    fn circles_end() {
        let (mut aoi, ids) = chain(100, number());
        aoi.definitions[ids[99]].kind = DefinitionKind::Alias(Type::Named(ids[50]));
        for id in ids {
            assert!(matches!(aoi.resolve(&Type::Named(id)), Type::Named(_)));
        }
    }
}
