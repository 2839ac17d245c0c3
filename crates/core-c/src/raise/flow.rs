//! Between Core C and C: blocks whose statements are C already, while control still goes from block to block.

use cast::{Expression, Statement};
use la_arena::{Arena, Idx};
use source::Span;

use super::{Raiser, types};
use crate::graph::{Graph, id, number};
use crate::{Argument, Case, Terminator};

pub(super) type NodeId = Idx<Node>;

/// A block.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) statements: Vec<Statement>,
    pub(super) end: End,
    /// Where it stands in the source.
    pub(super) start: Option<Span>,
}

/// How it ends.
#[derive(Clone, Debug)]
pub(super) enum End {
    Goto(NodeId),
    Branch { condition: Expression, then: NodeId, otherwise: NodeId },
    Switch { value: Expression, cases: Vec<(Case, NodeId)>, default: NodeId },
    Return(Option<Expression>),
    GotoAddress { address: Expression, targets: Vec<NodeId> },
    Unreachable,
}

/// The blocks of a function, the entry first, numbered as in Core C.
pub(super) type Flow = Arena<Node>;

impl End {
    pub(super) fn targets(&self) -> Vec<NodeId> {
        match self {
            End::Goto(target) => vec![*target],
            End::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            End::Switch { cases, default, .. } => cases.iter().map(|(_, target)| *target).chain([*default]).collect(),
            End::GotoAddress { targets, .. } => targets.clone(),
            End::Return(_) | End::Unreachable => Vec::new(),
        }
    }

    /// The expression that is evaluated last.
    pub(super) fn value_mut(&mut self) -> Option<&mut Expression> {
        match self {
            End::Branch { condition: value, .. }
            | End::Switch { value, .. }
            | End::GotoAddress { address: value, .. }
            | End::Return(Some(value)) => Some(value),
            End::Goto(_) | End::Return(None) | End::Unreachable => None,
        }
    }

    pub(super) fn value(&self) -> Option<&Expression> {
        match self {
            End::Branch { condition: value, .. }
            | End::Switch { value, .. }
            | End::GotoAddress { address: value, .. }
            | End::Return(Some(value)) => Some(value),
            End::Goto(_) | End::Return(None) | End::Unreachable => None,
        }
    }
}

pub(super) fn graph(flow: &Flow) -> Graph<Node> {
    Graph::new(flow.values().map(|node| node.end.targets()).collect())
}

/// The function's blocks with their statements as C.
pub(super) fn build(raiser: &Raiser) -> Flow {
    let nodes = raiser.function.blocks.values().map(|block| Node {
        statements: block.statements.iter().filter_map(|statement| placed(raiser, statement)).collect(),
        end: placed_end(raiser, block),
        start: block.statements.first().and_then(|first| first.span).or(block.span),
    });
    nodes.collect()
}

fn end(raiser: &Raiser, end: &Terminator) -> End {
    let node = |block: &crate::BlockId| id(number(*block));
    match end {
        Terminator::Goto(target) => End::Goto(node(target)),
        Terminator::Branch { then, otherwise, .. } if then == otherwise => End::Goto(node(then)),
        Terminator::Branch { condition, then, otherwise } => {
            End::Branch { condition: raiser.condition(condition), then: node(then), otherwise: node(otherwise) }
        }
        Terminator::Switch { value, cases, default } => {
            let cases = cases.iter().map(|case| (*case, node(&case.target))).collect();
            End::Switch { value: raiser.value(value), cases, default: node(default) }
        }
        Terminator::Return(argument) => End::Return(returned(raiser, argument.as_ref())),
        Terminator::GotoAddress { address, targets } => {
            End::GotoAddress { address: raiser.value(address), targets: targets.iter().map(node).collect() }
        }
        Terminator::Unreachable => End::Unreachable,
    }
}

fn returned(raiser: &Raiser, argument: Option<&Argument>) -> Option<Expression> {
    match argument {
        Some(Argument::Value(value)) => Some(raiser.assigned(value, &raiser.result)),
        Some(Argument::Object(place)) => {
            let value = raiser.place(place);
            // Vectors of other elements.
            let fits = types::compatible(raiser.table(), &raiser.result, &value.ty);
            Some(if fits { value } else { cast::build::cast(raiser.result.clone(), value) })
        }
        // Nobody looks at what comes back, but compilers want something.
        None if raiser.scalar(&raiser.result).is_some() => Some(cast::build::integer(0)),
        None if types::pointee(raiser.table(), &raiser.result).is_some() => Some(cast::build::null()),
        None => None,
    }
}

/// A statement that knows where it comes from.
fn placed(raiser: &Raiser, statement: &crate::Statement) -> Option<Statement> {
    let mut raised = raiser.statement(&statement.kind)?;
    if let Statement::Expression(value) = &mut raised {
        value.span = statement.span;
    }
    Some(raised)
}

fn placed_end(raiser: &Raiser, block: &crate::Block) -> End {
    let mut end = end(raiser, &block.end);
    if let Some(value) = end.value_mut() {
        value.span = block.span;
    }
    end
}
