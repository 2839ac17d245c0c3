//! Leaves out blocks that control cannot reach, and joins those that follow each other with no other way in.

use core_c::graph::Graph;
use core_c::{Block, BlockId, Function, Terminator};
use la_arena::Arena;

use super::outline::number;

pub(super) fn compact(function: &mut Function) {
    join(function);
    let graph = Graph::of(function);
    let mut names: Vec<Option<BlockId>> = vec![None; function.blocks.len()];
    let mut blocks: Arena<Block> = Arena::new();
    for id in graph.order() {
        let nothing = Block { statements: Vec::new(), end: Terminator::Unreachable, span: None };
        let block = std::mem::replace(&mut function.blocks[id], nothing);
        names[number(id) as usize] = Some(blocks.alloc(block));
    }
    for block in blocks.values_mut() {
        for target in block.end.targets_mut() {
            *target = names[number(*target) as usize].unwrap_or(*target);
        }
    }
    function.blocks = blocks;
}

fn join(function: &mut Function) {
    let graph = Graph::of(function);
    let order: Vec<BlockId> = graph.order().collect();
    let entry = order.first().copied();
    let mut gone = vec![false; function.blocks.len()];
    for block in order {
        if gone[number(block) as usize] {
            continue;
        }
        while let Terminator::Goto(next) = function.blocks[block].end {
            if Some(next) == entry || next == block || graph.predecessors(next).len() != 1 {
                break;
            }
            gone[number(next) as usize] = true;
            let rest = std::mem::replace(&mut function.blocks[next].end, Terminator::Unreachable);
            let statements = std::mem::take(&mut function.blocks[next].statements);
            let span = function.blocks[next].span;
            let block = &mut function.blocks[block];
            block.statements.extend(statements);
            (block.end, block.span) = (rest, span.or(block.span));
        }
    }
}
