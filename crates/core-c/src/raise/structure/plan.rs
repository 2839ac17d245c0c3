//! Where each block stands.

use crate::graph::{Graph, Loops, number};

use super::super::flow::{End, Flow, Node, NodeId, graph};

/// The places of blocks, decided before any statement is made.
pub(super) struct Plan {
    pub(super) graph: Graph<Node>,
    pub(super) loops: Loops<Node>,
    /// Blocks right inside the one block that leads to them.
    inside: Vec<bool>,
    /// What stands after each block, in order.
    after: Vec<Vec<NodeId>>,
    /// The arms of each `switch` that other arms fall into.
    arms: Vec<Vec<NodeId>>,
    /// What stands after each loop, in order.
    after_loop: Vec<Vec<NodeId>>,
    /// Blocks that only return something simple: repeated rather than jumped to.
    returns: Vec<bool>,
    /// Blocks whose address is taken.
    addressed: Vec<bool>,
    /// The number of blocks that each block dominates, capped: a measure of what is short.
    weight: Vec<usize>,
}

/// Up to so many blocks and statements, an exit may stand inside the loop that it leaves.
const SHORT: usize = 8;

impl Plan {
    pub(super) fn of(flow: &Flow, addressed: Vec<bool>) -> Plan {
        let graph = graph(flow);
        let loops = Loops::of(&graph);
        let count = flow.len();
        let mut plan = Plan {
            inside: vec![false; count],
            after: vec![Vec::new(); count],
            arms: vec![Vec::new(); count],
            after_loop: vec![Vec::new(); loops.list.len()],
            returns: flow.values().map(is_plain_return).collect(),
            weight: vec![0; count],
            addressed,
            graph,
            loops,
        };
        plan.weigh(flow);
        let follows: Vec<Option<NodeId>> =
            (0..plan.loops.list.len()).map(|position| plan.follow(flow, position)).collect();
        for node in plan.graph.order().skip(1).collect::<Vec<_>>() {
            plan.put(flow, node, &follows);
        }
        for (node, block) in flow.iter() {
            if matches!(block.end, End::Switch { .. }) {
                plan.find_arms(flow, node);
            }
        }
        plan
    }

    /// Of what stands after a `switch`, the blocks that are arms which other arms fall into.
    fn find_arms(&mut self, flow: &Flow, switch: NodeId) {
        let targets = flow[switch].end.targets();
        let after = std::mem::take(&mut self.after[number(switch)]);
        let goes_on = after.iter().any(|node| !targets.contains(node)) || self.leads_on(switch, &after);
        let last = after.last().copied();
        for node in after {
            let mut others: Vec<NodeId> = self.graph.predecessors(node).filter(|before| *before != switch).collect();
            others.dedup();
            let is_arm = targets.contains(&node) && others.len() == 1 && (goes_on || last != Some(node));
            let list = if is_arm { &mut self.arms } else { &mut self.after };
            list[number(switch)].push(node);
        }
    }

    /// True where the last of the blocks after a `switch` and what comes before it lead to one place further on.
    fn leads_on(&self, switch: NodeId, after: &[NodeId]) -> bool {
        let Some(last) = after.last() else { return false };
        let mut ways = (Vec::new(), Vec::new());
        for node in self.graph.order().filter(|node| self.graph.dominates(switch, *node)) {
            let out =
                self.graph.successors(node).filter(|next| !self.graph.dominates(switch, *next) || *next == switch);
            let inside = self.graph.dominates(*last, node);
            if inside { &mut ways.0 } else { &mut ways.1 }.extend(out);
        }
        ways.0.iter().any(|way| ways.1.contains(way))
    }

    /// True for an arm of a `switch` that stands inside it though others lead to it.
    pub(super) fn is_arm(&self, switch: NodeId, node: NodeId) -> bool {
        self.arms[number(switch)].contains(&node)
    }

    fn weigh(&mut self, flow: &Flow) {
        for node in self.graph.order().rev() {
            let below: usize = self.graph.children(node).map(|child| self.weight[number(child)]).sum();
            self.weight[number(node)] = below + 1 + flow[node].statements.len();
        }
    }

    fn put(&mut self, flow: &Flow, node: NodeId, follows: &[Option<NodeId>]) {
        let Some(above) = self.graph.dominator(node) else { return };
        let single = self.single_way(node);
        let left = self.loops.around(above).filter(|position| !self.loops.holds(*position, node)).last();
        match left {
            Some(position) if !(single && self.stays_inside(flow, node, position, follows)) => {
                self.after_loop[position].push(node);
            }
            _ if single && !matches!(flow[above].end, End::GotoAddress { .. }) => self.inside[number(node)] = true,
            _ => self.after[number(above)].push(node),
        }
    }

    /// True where control can go from what `above` dominates right to `node`.
    pub(super) fn leads(&self, above: NodeId, node: NodeId) -> bool {
        self.graph.predecessors(node).any(|before| self.graph.dominates(above, before))
    }

    /// True where one block leads to this one, the ways back to a loop's header aside.
    fn single_way(&self, node: NodeId) -> bool {
        let mut ways: Vec<NodeId> =
            self.graph.predecessors(node).filter(|before| !self.graph.dominates(node, *before)).collect();
        ways.dedup();
        ways.len() == 1
    }

    /// True for an exit from a loop that is better read where it happens: short, and nothing comes after it.
    fn stays_inside(&self, _: &Flow, node: NodeId, position: usize, follows: &[Option<NodeId>]) -> bool {
        follows[position] != Some(node) && self.weight[number(node)] <= SHORT && self.ends_all(node)
    }

    /// True where no way leads out of what a block dominates.
    fn ends_all(&self, node: NodeId) -> bool {
        let leads_out = self.graph.successors(node).any(|next| !self.graph.dominates(node, next));
        !leads_out && self.graph.children(node).all(|child| self.ends_within(node, child))
    }

    fn ends_within(&self, top: NodeId, node: NodeId) -> bool {
        let leads_out = self.graph.successors(node).any(|next| !self.graph.dominates(top, next));
        !leads_out && self.graph.children(node).all(|child| self.ends_within(top, child))
    }

    /// Where a loop goes on when it is done: where its test leads, at the head or at the foot, or else the exit that
    /// most comes after.
    fn follow(&self, flow: &Flow, position: usize) -> Option<NodeId> {
        let cycle = &self.loops.list[position];
        let exit_of = |node: NodeId| {
            let targets = flow[node].end.targets();
            let is_branch = matches!(flow[node].end, End::Branch { .. });
            let mut outside = targets.iter().copied().filter(|target| !self.loops.holds(position, *target));
            let first = outside.next();
            first.filter(|_| is_branch && outside.next().is_none())
        };
        if let Some(exit) = exit_of(cycle.header) {
            return Some(exit);
        }
        if let [latch] = cycle.latches[..]
            && let Some(exit) = exit_of(latch)
        {
            return Some(exit);
        }
        let exits = cycle.nodes.iter().flat_map(|node| flow[*node].end.targets());
        let exits = exits.filter(|target| !self.loops.holds(position, *target));
        exits.max_by_key(|exit| (!self.ends_all(*exit), self.weight[number(*exit)]))
    }

    /// True where all that a block dominates stands in the block of C that its own statements stand in.
    pub(super) fn is_closed(&self, node: NodeId) -> bool {
        let mut exits = self.loops.around(node).flat_map(|position| &self.after_loop[position]);
        !exits.any(|exit| self.graph.dominates(node, *exit))
    }

    pub(super) fn after(&self, node: NodeId) -> &[NodeId] {
        &self.after[number(node)]
    }

    pub(super) fn after_loop(&self, position: usize) -> &[NodeId] {
        &self.after_loop[position]
    }

    /// True where `to` stands right inside the branch of `from` that leads to it.
    pub(super) fn is_inside(&self, from: NodeId, to: NodeId) -> bool {
        self.inside[number(to)] && self.graph.dominator(to) == Some(from) && from != to
    }

    /// True where something may jump to a block.
    pub(super) fn needs_label(&self, node: NodeId) -> bool {
        !self.inside[number(node)] || self.addressed[number(node)]
    }

    pub(super) fn is_return(&self, node: NodeId) -> bool {
        self.returns[number(node)]
    }

    /// True where the first arm of a branch is to stand first: the way out, where only one arm is one; else the one
    /// that comes first in the source, as far as that is known. `next` is where control falls through to.
    pub(super) fn prefers(&self, flow: &Flow, from: NodeId, arms: [NodeId; 2], next: Option<NodeId>) -> bool {
        let weight = |to: NodeId| if self.is_inside(from, to) { self.weight[number(to)] } else { 0 };
        let is_exit =
            |to: NodeId| next != Some(to) && (!self.is_inside(from, to) || (weight(to) <= SHORT && self.ends_all(to)));
        let [then, otherwise] = arms;
        match (is_exit(then), is_exit(otherwise)) {
            (true, false) => true,
            (false, true) => false,
            (exits, _) => match (flow[then].start, flow[otherwise].start) {
                (Some(first), Some(second)) if first != second => first < second,
                _ => !exits || weight(then) <= weight(otherwise),
            },
        }
    }
}

fn is_plain_return(node: &Node) -> bool {
    let simple = |value: &cast::Expression| {
        matches!(value.kind, cast::ExpressionKind::Integer(_) | cast::ExpressionKind::Name(_))
    };
    match &node.end {
        End::Return(value) => node.statements.is_empty() && value.as_ref().is_none_or(simple),
        _ => false,
    }
}
