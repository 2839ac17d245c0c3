//! Which parts of a graph have no end: those from which every way leads round a cycle. In: a graph as a function. Out: the
//! nodes that are left when all that end are taken away; none, in time linear in the graph, where all is well.

use std::collections::{BTreeMap, BTreeSet};

/// The nodes that hold, directly or not, a node that holds itself.
pub fn endless<Id: Copy + Ord>(nodes: &[Id], holds: impl Fn(Id) -> Vec<Id>) -> BTreeSet<Id> {
    let mut holders: BTreeMap<Id, Vec<Id>> = BTreeMap::new();
    let mut missing: BTreeMap<Id, usize> = BTreeMap::new();
    for &node in nodes {
        let held = holds(node);
        missing.insert(node, held.len());
        held.into_iter().for_each(|part| holders.entry(part).or_default().push(node));
    }
    let mut ended: Vec<Id> = missing.iter().filter(|(_, count)| **count == 0).map(|(id, _)| *id).collect();
    while let Some(part) = ended.pop() {
        missing.remove(&part);
        for holder in holders.remove(&part).unwrap_or_default() {
            if let Some(count) = missing.get_mut(&holder) {
                *count -= 1;
                if *count == 0 {
                    ended.push(holder);
                }
            }
        }
    }
    missing.into_keys().collect()
}

#[cfg(test)]
mod tests {
    use super::endless;

    #[test]
    fn what_leads_to_a_cycle_is_left() {
        let holds = |node: u32| match node {
            1 => vec![2, 3],
            2 => vec![1],
            4 => vec![1, 5],
            6 => vec![5, 5],
            _ => vec![],
        };
        assert_eq!(endless(&[1, 2, 3, 4, 5, 6], holds).into_iter().collect::<Vec<_>>(), [1, 2, 4]);
    }
}
