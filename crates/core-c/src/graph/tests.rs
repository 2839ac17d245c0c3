//! Small graphs, checked against what a definition says of them.

use la_arena::Idx;

use super::{Graph, Loops, id, number};

struct Node;

fn graph(edges: &[&[usize]]) -> Graph<Node> {
    Graph::new(edges.iter().map(|list| list.iter().map(|next| id(*next)).collect()).collect())
}

fn numbers(list: impl Iterator<Item = Idx<Node>>) -> Vec<usize> {
    list.map(number).collect()
}

/// What can be reached from the entry when one node is closed.
fn reached_without(edges: &[Vec<usize>], closed: usize) -> Vec<bool> {
    let mut seen = vec![false; edges.len()];
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        if node == closed || std::mem::replace(&mut seen[node], true) {
            continue;
        }
        open.extend(&edges[node]);
    }
    seen
}

#[test]
fn dominators_are_those_of_the_definition_on_random_graphs() {
    let mut state = 12345_u64;
    let mut random = move |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..300 {
        let count = 1 + random(12);
        let edges: Vec<Vec<usize>> = (0..count).map(|_| (0..random(3)).map(|_| random(count)).collect()).collect();
        let graph = graph(&edges.iter().map(Vec::as_slice).collect::<Vec<_>>());
        let reachable = reached_without(&edges, usize::MAX);
        for above in 0..count {
            let without = reached_without(&edges, above);
            for node in 0..count {
                let expected = reachable[above] && reachable[node] && !without[node];
                assert_eq!(graph.dominates(id(above), id(node)), expected, "{edges:?}: {above} over {node}");
            }
        }
    }
}

#[test]
fn the_first_arm_comes_before_the_second_and_both_before_what_follows() {
    let graph = graph(&[&[1, 2], &[3], &[3], &[], &[0]]);
    assert_eq!(numbers(graph.order()), [0, 1, 2, 3]);
    assert_eq!(numbers(graph.children(id(0))), [1, 2, 3]);
    assert_eq!(numbers(graph.predecessors(id(3))), [1, 2]);
    assert!(!graph.is_reachable(id(4)));
}

#[test]
fn loops_nest_and_a_cycle_with_two_entries_is_none() {
    // 0 -> 1 { 2 { 3 } 4 } -> 5
    let nested = graph(&[&[1], &[2, 5], &[3, 4], &[2], &[1], &[]]);
    let loops = Loops::of(&nested);
    assert_eq!(loops.list.len(), 2);
    assert_eq!(numbers(loops.list[0].nodes.iter().copied()), [1, 2, 3, 4]);
    assert_eq!(numbers(loops.list[1].nodes.iter().copied()), [2, 3]);
    assert_eq!(loops.list[1].parent, Some(0));
    assert_eq!(loops.innermost(id(4)), Some(0));
    assert_eq!(loops.headed_by(id(2)), Some(1));
    assert!(loops.holds(0, id(3)) && !loops.holds(1, id(4)));

    let irreducible = graph(&[&[1, 2], &[2], &[1]]);
    assert!(Loops::of(&irreducible).list.is_empty());
}
