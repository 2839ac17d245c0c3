//! Stages from the sources on, each behind all that send to it. In: a network, and the links that count. Out: the stages
//! that are on no cycle of such links, nor behind one. Source: A. B. Kahn, "Topological sorting of large networks", 1962.

use super::{Link, Network, StageId};

impl<'a> Network<'a> {
    /// The stages in order.
    pub(crate) fn in_order(&self, counts: impl Fn(&Link<'a>) -> bool) -> Vec<StageId> {
        let counted = |link: &&usize| counts(&self.links[**link]);
        let mut waits: Vec<usize> = self.incoming.iter().map(|links| links.iter().filter(counted).count()).collect();
        let mut order: Vec<StageId> = (0..self.stages.len()).filter(|at| waits[*at] == 0).map(StageId).collect();
        let mut next = 0;
        while let Some(stage) = order.get(next).copied() {
            next += 1;
            for link in self.outgoing[stage.0].iter().filter(counted) {
                let to = self.links[*link].to.stage;
                waits[to.0] -= 1;
                if waits[to.0] == 0 {
                    order.push(to);
                }
            }
        }
        order
    }
}
