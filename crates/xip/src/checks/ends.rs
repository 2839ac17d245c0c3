//! Ports that no edge is joined to, and that are not optional: what leaves there would be lost, what is waited for there never
//! comes. And stages that nothing calls, since all of their inports are without an edge.

use source::Diagnostic;

use crate::errors;
use crate::ir::{Direction, Polarity};
use crate::network::{End, Network, StageId};

use super::polarity::polarity;

pub(super) fn check(network: &Network, findings: &mut Vec<Diagnostic>) {
    // Behind an edge that makes no sense, ports seem loose that are not.
    if !network.is_whole {
        return;
    }
    for id in (0..network.stages.len()).map(StageId) {
        let is_loose = |end: &End| !network.is_joined(*end) && !network.is_optional(*end);
        let inports = network.ends(id, Direction::In);
        let loose = inports.iter().filter(|end| is_loose(end));
        findings.extend(loose.map(|end| errors::never_fed(network.stage(id), network.port(*end))));
        findings.extend(
            never_called(network, &inports).map(|end| errors::never_called(network.stage(id), network.port(end))),
        );
        let loose = network.ends(id, Direction::Out).into_iter().filter(is_loose);
        findings.extend(loose.map(|end| errors::leads_nowhere(network.stage(id), network.port(end))));
    }
}

/// The first inport of a stage that is called for packets and for nothing else, where all that call it are left out.
fn never_called(network: &Network, inports: &[End]) -> Option<End> {
    let is = |end: &&End, sought: Polarity| polarity(network.port(**end)) == sought;
    let mut pushed = inports.iter().filter(|end| is(end, Polarity::Push)).peekable();
    let first = **pushed.peek()?;
    let calls = pushed.any(|end| network.is_joined(*end) || !network.is_optional(*end));
    (!calls && !inports.iter().any(|end| is(&end, Polarity::Pull))).then_some(first)
}
