//! Where in the message an operation stands, as far as is known: a position modulo 8, the most that any encoding aligns to.
//! In: a phase and an operation. Out: the phase behind it. Where ways meet the phases are joined; loops run to a fixpoint.

use super::{Count, Op, Otherwise};

/// Positions that leave `residue` when divided by `modulus`, which is 1, 2, 4 or 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Phase {
    modulus: u64,
    residue: u64,
}

/// Longer loops end as any of their rounds.
const MOST_ROUNDS: u64 = 64;

/// Nothing is aligned to more.
const LARGEST: u64 = 8;

impl Phase {
    /// Nothing is known.
    pub(crate) const ANY: Phase = Phase { modulus: 1, residue: 0 };

    /// A multiple of `of`, as far as that matters.
    pub(crate) fn multiple(of: u64) -> Phase {
        Phase { modulus: power_of_two(of), residue: 0 }
    }

    /// So many bytes on.
    #[must_use]
    pub(crate) fn moved(self, bytes: u64) -> Phase {
        Phase { residue: (self.residue + bytes % LARGEST) % self.modulus, ..self }
    }

    /// Any number of pieces of `bytes` bytes on.
    #[must_use]
    pub(crate) fn moved_by_pieces(self, bytes: u64) -> Phase {
        self.join(self.moved(bytes))
    }

    /// What both know.
    #[must_use]
    pub(crate) fn join(self, other: Phase) -> Phase {
        let mut modulus = self.modulus.min(other.modulus);
        while self.residue % modulus != other.residue % modulus {
            modulus /= 2;
        }
        Phase { modulus, residue: self.residue % modulus }
    }

    /// What is skipped to a multiple of `to`, where that is known.
    pub(crate) fn padding(self, to: u64) -> Option<u64> {
        let to = to.max(1);
        self.modulus.is_multiple_of(to).then(|| (to - self.residue % to) % to)
    }

    /// The most that is skipped to a multiple of `to`.
    pub(crate) fn most_padding(self, to: u64) -> u64 {
        let beyond = to.saturating_sub(self.modulus);
        self.padding(to).unwrap_or(beyond + (self.modulus - self.residue) % self.modulus)
    }

    /// All that may be known.
    pub(crate) fn all() -> Vec<Phase> {
        let moduli = [1, 2, 4, LARGEST].into_iter();
        moduli.flat_map(|modulus| (0..modulus).map(move |residue| Phase { modulus, residue })).collect()
    }

    /// At a multiple of `to`.
    #[must_use]
    pub(crate) fn aligned(self, to: u64) -> Phase {
        match self.padding(to) {
            Some(padding) => self.moved(padding),
            None => Phase::multiple(to),
        }
    }

    /// The position is known to be a multiple of `to`.
    pub(crate) fn is_multiple(self, to: u64) -> bool {
        self.padding(to) == Some(0)
    }

    /// At the head of any round of a loop that begins here, where a round leads on as `round` says.
    #[must_use]
    pub(crate) fn in_rounds(self, mut round: impl FnMut(Phase) -> Phase) -> Phase {
        let mut head = self;
        loop {
            let next = head.join(round(head));
            if next == head {
                return head;
            }
            head = next;
        }
    }
}

/// The largest of 1, 2, 4 and 8 that divides a number.
fn power_of_two(number: u64) -> u64 {
    1 << number.trailing_zeros().min(LARGEST.trailing_zeros())
}

/// A phase on its way over operations.
#[derive(Clone, Debug)]
pub(crate) struct Walker {
    pub(crate) phase: Phase,
    /// The phase where a count is not 0, behind an alignment that depends on it.
    given: Option<(Count, Phase)>,
}

impl Walker {
    pub(crate) fn at(phase: Phase) -> Walker {
        Walker { phase, given: None }
    }

    /// The phase in which the body, or the run, of an operation over so many items begins.
    pub(crate) fn inside(&self, count: &Count) -> Phase {
        match &self.given {
            Some((given, phase)) if given == count => *phase,
            _ => self.phase,
        }
    }

    pub(crate) fn body(mut self, body: &[Op]) -> Phase {
        body.iter().for_each(|op| self.step(op));
        self.phase
    }

    /// Over one operation.
    pub(crate) fn step(&mut self, op: &Op) {
        let given = self.given.take();
        let before = Walker { phase: self.phase, given };
        let local = |count: &String| Count::Local(count.clone());
        self.phase = match op {
            Op::Ensure(_)
            | Op::Ahead { .. }
            | Op::Check { .. }
            | Op::Allocate { .. }
            | Op::Capacity { .. }
            | Op::Free { .. }
            | Op::Claim { .. }
            | Op::Owe(_)
            | Op::Pay(_)
            | Op::Member { .. } => {
                self.given = before.given;
                self.phase
            }
            Op::Align { to, when: None, .. } => self.phase.aligned(*to),
            Op::Align { to, when: Some(count), .. } => {
                self.given = Some((count.clone(), self.phase.aligned(*to)));
                self.phase.join(self.phase.aligned(*to))
            }
            Op::Chunk { size, .. } => self.phase.moved(*size),
            Op::Aggregate { body, .. } => before.body(body),
            Op::Order { word, count, words, .. } => before.run(count, words.wrapping_mul(word.bytes())),
            Op::Bytes { length, .. } => before.run(length, 1),
            Op::CountedBytes { .. } => Phase::ANY,
            Op::CountedOrder { count, word, words, .. } => before.run(&local(count), words.wrapping_mul(word.bytes())),
            Op::Text { align, .. } => Phase::multiple(*align),
            Op::Loop { count, body, .. } => before.rounds(count, body),
            Op::Items { count, body, .. } => before.rounds(&local(count), body),
            Op::Optional { body, .. } => self.phase.join(Walker::at(self.phase).body(body)),
            Op::Switch { arms, otherwise, .. } => {
                let last = if let Otherwise::Body(body) = otherwise { Some(body) } else { None };
                let bodies = arms.iter().map(|arm| &arm.body).chain(last);
                let ends = bodies.map(|body| Walker::at(self.phase).body(body));
                ends.reduce(Phase::join).unwrap_or(self.phase)
            }
            Op::Call { .. } | Op::External { .. } | Op::Again { .. } => Phase::ANY,
        };
    }

    /// Behind so many pieces of so many bytes.
    fn run(&self, count: &Count, bytes: u64) -> Phase {
        let inside = self.inside(count);
        match count {
            Count::Known(count) => inside.moved(bytes.wrapping_mul(*count)),
            _ => self.phase.join(inside.moved_by_pieces(bytes)),
        }
    }

    /// At the beginning of each body of an operation that stands here.
    pub(crate) fn within(&self, op: &Op) -> Walker {
        match op {
            Op::Aggregate { .. } => self.clone(),
            Op::Loop { count, body, .. } => Walker::at(self.head(count, body)),
            Op::Items { count, body, .. } => Walker::at(self.head(&Count::Local(count.clone()), body)),
            _ => Walker::at(self.phase),
        }
    }

    /// At the head of any round.
    fn head(&self, count: &Count, body: &[Op]) -> Phase {
        self.inside(count).in_rounds(|head| Walker::at(head).body(body))
    }

    fn rounds(&self, count: &Count, body: &[Op]) -> Phase {
        let end = Walker::at(self.head(count, body)).body(body);
        match count {
            // Few rounds are followed one by one: the last may end where no other does.
            Count::Known(count @ 1..=MOST_ROUNDS) if body.iter().all(|op| op.bodies().is_empty()) => {
                (0..*count).fold(self.inside(&Count::Known(*count)), |phase, _| Walker::at(phase).body(body))
            }
            Count::Known(1..) => end,
            _ => self.phase.join(end),
        }
    }
}
