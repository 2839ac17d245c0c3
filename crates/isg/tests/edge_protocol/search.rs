//! An exhaustive search of a protocol's states. In: where it begins, what may happen in a state, what must hold, and what must
//! stay reachable. Out: how many states there are, or the shortest way to one where something does not hold. Why here: the
//! checkers on the registry bring a web server and second versions of crates that this workspace has (see deny.toml). Source:
//! Baier and Katoen, "Principles of Model Checking", sections 3.3 (invariants by breadth-first search) and 6.4 (EF).

use std::collections::{BTreeMap, VecDeque};

/// A protocol with everything around it that may go wrong.
pub(crate) trait Protocol {
    type State: Clone + Ord;

    fn first(&self) -> Self::State;

    /// What may happen in a state: its name, the state after it, and whether it is a fault of the world.
    fn steps(&self, state: &Self::State) -> Vec<(String, Self::State, bool)>;

    /// Why a state must not be.
    fn objection(&self, state: &Self::State) -> Option<String>;

    /// What all is done for: from every state one such is reached if nothing else goes wrong.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// What a search found.
pub(crate) struct Found {
    pub(crate) states: usize,
    /// What does not hold, and the steps to where it does not.
    pub(crate) fault: Option<(String, Vec<String>)>,
}

/// Each state by its number: how it was first reached, and from which others it is reached without a fault of the world.
struct Reached {
    from: Option<(usize, String)>,
    before: Vec<usize>,
    is_goal: bool,
}

/// Looks at every state that can be reached.
pub(crate) fn search<P: Protocol>(protocol: &P) -> Found {
    let first = protocol.first();
    let mut numbers = BTreeMap::from([(first.clone(), 0)]);
    let mut all = vec![Reached { from: None, before: Vec::new(), is_goal: protocol.is_goal(&first) }];
    let mut open = VecDeque::from([(0, first)]);
    while let Some((number, state)) = open.pop_front() {
        if let Some(why) = protocol.objection(&state) {
            return Found { states: all.len(), fault: Some((why, way(&all, number))) };
        }
        for (name, next, is_fault) in protocol.steps(&state) {
            let known = numbers.get(&next).copied();
            let to = known.unwrap_or(all.len());
            if known.is_none() {
                let is_goal = protocol.is_goal(&next);
                all.push(Reached { from: Some((number, name)), before: Vec::new(), is_goal });
                numbers.insert(next.clone(), to);
                open.push_back((to, next));
            }
            if !is_fault {
                all[to].before.push(number);
            }
        }
    }
    let fault = stuck(&all).map(|number| ("nothing leads to the end from here".to_owned(), way(&all, number)));
    Found { states: all.len(), fault }
}

/// The first state from which no goal is reached.
fn stuck(all: &[Reached]) -> Option<usize> {
    let mut leads = vec![false; all.len()];
    let mut open: Vec<usize> = (0..all.len()).filter(|number| all[*number].is_goal).collect();
    while let Some(number) = open.pop() {
        if !std::mem::replace(&mut leads[number], true) {
            open.extend(&all[number].before);
        }
    }
    leads.iter().position(|leads| !leads)
}

fn way(all: &[Reached], mut number: usize) -> Vec<String> {
    let mut steps = Vec::new();
    while let Some((before, step)) = &all[number].from {
        steps.push(step.clone());
        number = *before;
    }
    steps.reverse();
    steps
}
