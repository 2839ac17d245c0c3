//! Where a function's pointers come from. In: a function. Out: for each register the parameters and objects that its addresses were made
//! of, by moving and converting alone. Two that come from one parameter or one object lead into one object: comparing them tells nothing of
//! which object that is. Source: C11 section 6.5.6.

use std::collections::{BTreeMap, BTreeSet};

use core_c::{Expression, ExpressionKind, Function, GlobalId, LocalId, PlaceBase, Receiver, StatementKind};

/// What an address was made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    /// What a parameter was when the function was called.
    Parameter(LocalId),
    Local(LocalId),
    Global(GlobalId),
    /// Memory, a call, a number: each time another one.
    Anything,
}

/// The sources of a function's registers.
#[derive(Debug)]
pub(crate) struct Provenance(BTreeMap<LocalId, BTreeSet<Source>>);

impl Provenance {
    pub(crate) fn of(function: &Function) -> Provenance {
        let mut sources: BTreeMap<LocalId, BTreeSet<Source>> = BTreeMap::new();
        let mut moves = Vec::new();
        for parameter in &function.parameters {
            sources.entry(*parameter).or_default().insert(Source::Parameter(*parameter));
        }
        for statement in function.blocks.values().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Set { local, value } => moves.push((*local, value)),
                StatementKind::LoadVolatile { local, .. }
                | StatementKind::Call { receiver: Some(Receiver::Register(local)), .. } => {
                    sources.entry(*local).or_default().insert(Source::Anything);
                }
                _ => {}
            }
        }
        let mut provenance = Provenance(sources);
        loop {
            let mut has_grown = false;
            for (local, value) in &moves {
                let found = provenance.sources(value);
                let known = provenance.0.entry(*local).or_default();
                let before = known.len();
                known.extend(found);
                has_grown |= known.len() > before;
            }
            if !has_grown {
                return provenance;
            }
        }
    }

    /// True where two addresses lead into one object, whichever that is.
    pub(crate) fn is_one_object(&self, a: &Expression, b: &Expression) -> bool {
        let (a, b) = (self.sources(a), self.sources(b));
        a.len() == 1 && a == b && !a.contains(&Source::Anything)
    }

    fn sources(&self, value: &Expression) -> BTreeSet<Source> {
        match &value.kind {
            ExpressionKind::Local(local) => self.0.get(local).cloned().unwrap_or_default(),
            ExpressionKind::Offset { pointer, .. } => self.sources(pointer),
            ExpressionKind::Convert(inner) => self.sources(inner),
            ExpressionKind::Address(place) => match &place.base {
                PlaceBase::Local(local) => [Source::Local(*local)].into(),
                PlaceBase::Global(global) => [Source::Global(*global)].into(),
                PlaceBase::Pointee(pointer) => self.sources(pointer),
            },
            _ => [Source::Anything].into(),
        }
    }
}
