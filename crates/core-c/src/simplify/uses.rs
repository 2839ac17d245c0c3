//! How often locals are read and written, and which memory locals are known to be seen by nobody else.

use crate::graph::{LocalSet, number};
use crate::{Expression, ExpressionKind, Function, GlobalId, LocalId, Place, PlaceBase, Program, StatementKind};

/// The counts for one function.
pub(super) struct Uses {
    reads: Vec<u32>,
    writes: Vec<u32>,
    addressed: LocalSet,
    mentioned: LocalSet,
}

impl Uses {
    pub(super) fn of(function: &Function) -> Uses {
        let count = function.locals.len();
        let mut uses = Uses {
            reads: vec![0; count],
            writes: vec![0; count],
            addressed: LocalSet::default(),
            mentioned: LocalSet::default(),
        };
        for parameter in &function.parameters {
            uses.writes[number(*parameter)] += 1;
        }
        for block in function.blocks.values() {
            for statement in &block.statements {
                uses.writes_of(&statement.kind);
                let places = statement.kind.places();
                uses.mentioned.extend(places.into_iter().filter_map(|(_, place)| place.local_base()));
                statement.kind.expressions().into_iter().for_each(|value| uses.expression(value));
            }
            block.end.expressions().into_iter().for_each(|value| uses.expression(value));
            uses.mentioned.extend(block.end.place().and_then(|place| place.local_base()));
        }
        uses
    }

    fn writes_of(&mut self, statement: &StatementKind) {
        if let Some(local) = statement.written_register() {
            self.writes[number(local)] += 1;
        }
        if let StatementKind::Assembly { outputs, .. } = statement {
            // The text may do more with its operands than they say.
            self.addressed.extend(outputs.iter().filter_map(|place| place.local_base()));
        }
    }

    fn expression(&mut self, value: &Expression) {
        value.walk(&mut |part| match &part.kind {
            ExpressionKind::Local(local) => self.reads[number(*local)] += 1,
            ExpressionKind::Address(place) => self.addressed.extend(place.local_base()),
            ExpressionKind::Load(place) => self.mentioned.extend(place.local_base()),
            _ => {}
        });
    }

    /// How often a register is read.
    pub(super) fn reads(&self, local: LocalId) -> u32 {
        self.reads[number(local)]
    }

    /// How often a register is set; a parameter once more.
    pub(super) fn writes(&self, local: LocalId) -> u32 {
        self.writes[number(local)]
    }

    /// True for memory locals of which more is said than that they begin.
    pub(super) fn is_mentioned(&self, local: LocalId) -> bool {
        self.mentioned.contains(local) || self.addressed.contains(local)
    }

    /// True for memory locals whose address is taken.
    pub(super) fn is_addressed(&self, local: LocalId) -> bool {
        self.addressed.contains(local)
    }
}

/// True where blocks are known by their addresses, so that they have to stay as they are.
pub(super) fn has_labels(program: &Program, function: &Function) -> bool {
    let is_label = |value: &Expression| value.any(&mut |part| matches!(part.kind, ExpressionKind::Label(_)));
    // Tables of labels are objects inside of functions.
    let is_table = |global: GlobalId| {
        let global = &program.globals[global];
        global.scope.is_some() && global.initial.iter().flatten().any(|part| is_label(&part.value))
    };
    let names_label = |value: &Expression| {
        value.any(&mut |part| match (&part.kind, part.place()) {
            (ExpressionKind::Label(_), _) => true,
            (_, Some(Place { base: PlaceBase::Global(global), .. })) => is_table(*global),
            _ => false,
        })
    };
    function.blocks.values().any(|block| {
        matches!(block.end, crate::Terminator::GotoAddress { .. })
            || block.statements.iter().any(|statement| statement.kind.expressions().into_iter().any(names_label))
            || block.end.expressions().into_iter().any(names_label)
    })
}
