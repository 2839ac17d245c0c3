//! Where items stand: an abstract interpretation of each routine, whose state is what is known of the position in the
//! message. Routines begin at a multiple of their entry phase.

use super::{Findings, Routine};
use crate::encodings::Encoding;
use crate::plan::phase::{Phase, Walker};
use crate::plan::{Access, Count, Op, Part};

/// Checks one routine.
pub(super) fn verify(encoding: &dyn Encoding, routine: &Routine, findings: &mut Findings) {
    let entry = Walker::at(Phase::multiple(routine.entry_phase));
    Items { encoding, findings }.body(&routine.body, entry);
}

struct Items<'a> {
    encoding: &'a dyn Encoding,
    findings: &'a mut Findings,
}

impl Items<'_> {
    fn body(&mut self, body: &[Op], mut walker: Walker) {
        for op in body {
            self.op(op, &walker);
            let begin = walker.within(op);
            op.bodies().into_iter().for_each(|body| self.body(body, begin.clone()));
            walker.step(op);
        }
    }

    /// `plan-011`: an item may begin elsewhere than at a multiple of its alignment.
    fn at_multiple(&mut self, phase: Phase, to: u64) {
        if !phase.is_multiple(to) {
            self.findings.add("plan-011", &format!("what is aligned to {to} bytes may begin elsewhere"));
        }
    }

    /// An alignment where the encoding has none, or to what no encoding aligns, breaks the same rule.
    fn alignment(&mut self, to: u64) {
        let largest = if self.encoding.count_alignment() > 1 { 8 } else { 1 };
        if !to.is_power_of_two() || to > largest {
            let name = self.encoding.name();
            self.findings.add("plan-011", &format!("an alignment to {to} bytes; {largest} are the most in `{name}`"));
        }
    }

    fn op(&mut self, op: &Op, walker: &Walker) {
        // Bytes as they are have the alignment of the items that they stand for, which is no longer known.
        let run = |bytes: u64| bytes.min(8 * u64::from(self.encoding.count_alignment() > 1)).max(1);
        match op {
            Op::Chunk { parts, .. } => parts.iter().for_each(|part| self.part(part, walker.phase)),
            Op::Order { word, count, .. } => self.at_multiple(walker.inside(count), run(word.bytes())),
            Op::CountedOrder { word, count, .. } => {
                self.at_multiple(walker.inside(&Count::Local(count.clone())), run(word.bytes()));
            }
            Op::Align { to, .. } => self.alignment(*to),
            Op::Text { align, length, .. } => {
                self.alignment(*align);
                if length.is_none() {
                    self.at_multiple(walker.phase, self.encoding.count_alignment());
                }
            }
            _ => {}
        }
    }

    fn part(&mut self, part: &Part, phase: Phase) {
        let to = match &part.access {
            Access::Scalar { kind, .. } => self.encoding.alignment(*kind),
            Access::Count(_) | Access::Flag(_) | Access::Local(_) => self.encoding.count_alignment(),
            Access::Order { word, .. } if self.encoding.count_alignment() > 1 => word.bytes(),
            Access::Order { .. } | Access::Copy { .. } | Access::Zero { .. } => 1,
        };
        self.at_multiple(phase.moved(part.offset), to);
    }
}
