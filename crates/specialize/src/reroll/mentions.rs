//! Where registers are set and read.

use std::collections::BTreeMap;

use core_c::{Expression, ExpressionKind, Function, LocalId};

use super::tree::Position;

/// A register at one place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) at: Position,
    pub(super) sets: bool,
}

#[derive(Debug, Default)]
pub(super) struct Mentions {
    by_register: BTreeMap<LocalId, Vec<Mention>>,
}

impl Mentions {
    pub(super) fn of(function: &Function) -> Mentions {
        let mut mentions = Mentions::default();
        for (block, data) in function.blocks.iter() {
            for (index, statement) in data.statements.iter().enumerate() {
                let at = Position { block, index };
                statement.kind.expressions().into_iter().for_each(|value| mentions.reads(value, at));
                if let Some(register) = statement.kind.written_register() {
                    mentions.by_register.entry(register).or_default().push(Mention { at, sets: true });
                }
            }
            let at = Position { block, index: data.statements.len() };
            data.end.expressions().into_iter().for_each(|value| mentions.reads(value, at));
        }
        mentions
    }

    fn reads(&mut self, value: &Expression, at: Position) {
        value.walk(&mut |part| {
            if let ExpressionKind::Local(register) = part.kind {
                self.by_register.entry(register).or_default().push(Mention { at, sets: false });
            }
        });
    }

    pub(super) fn of_register(&self, register: LocalId) -> &[Mention] {
        self.by_register.get(&register).map_or(&[], Vec::as_slice)
    }
}
