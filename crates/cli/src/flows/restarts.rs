//! When a program is started again. In: what its flow says, and the times of its ends. Out: at once, after a pause, or no more. The
//! first pause is none; each is twice the one before while the program does not live long, up to what the flow says.
//! Source: `docs/guides/describe-a-flow.md`; the restart intensity of Erlang's supervisors.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use driver::{FlowRestart, FlowRestartWhen};

/// The pause after a second early death.
const SHORTEST: Duration = Duration::from_millis(100);

/// What follows from a program's end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Again(Duration),
    /// It has been started again so often, as often as it may.
    TooOften(u64),
    /// Nobody sends to it.
    NothingToDo,
    Leave,
}

/// The ends of one program so far.
pub(super) struct Restarts {
    policy: FlowRestart,
    began: Instant,
    pause: Option<Duration>,
    /// Times of restarts, as far back as the policy looks.
    times: VecDeque<Instant>,
    is_again: bool,
}

impl Restarts {
    pub(super) fn new(policy: FlowRestart, began: Instant) -> Restarts {
        Restarts { policy, began, pause: None, times: VecDeque::new(), is_again: false }
    }

    /// It runs again.
    pub(super) fn began(&mut self, now: Instant) {
        self.began = now;
        self.is_again = true;
    }

    /// Whether it has taken a dead one's place.
    pub(super) fn is_again(&self) -> bool {
        self.is_again
    }

    /// Whether the flow wants it again after such an end.
    pub(super) fn is_meant(&self, has_failed: bool) -> bool {
        match self.policy.when {
            FlowRestartWhen::Never => false,
            FlowRestartWhen::OnFailure => has_failed,
            FlowRestartWhen::Always => true,
        }
    }

    /// It has ended.
    pub(super) fn ended(&mut self, has_failed: bool, now: Instant) -> Verdict {
        if !self.is_meant(has_failed) {
            return Verdict::Leave;
        }
        if let Some((most, time)) = self.policy.most {
            let time = Duration::from_micros(time.microseconds());
            self.times.retain(|before| now.saturating_duration_since(*before) <= time);
            if self.times.len() as u64 >= most {
                return Verdict::TooOften(most);
            }
            self.times.push_back(now);
        }
        let longest = Duration::from_micros(self.policy.longest_pause().microseconds());
        let has_lived = now.saturating_duration_since(self.began) > longest.max(Duration::from_secs(1));
        let pause = match self.pause {
            Some(before) if !has_lived => before.saturating_mul(2).max(SHORTEST).min(longest),
            _ => Duration::ZERO,
        };
        self.pause = Some(pause);
        Verdict::Again(pause)
    }
}

#[cfg(test)]
mod tests {
    use driver::{FlowDuration as Time, FlowTimeUnit};

    use super::*;

    const fn time(amount: u64, unit: FlowTimeUnit) -> Time {
        Time { amount, unit }
    }

    const MILLISECOND: Duration = Duration::from_millis(1);

    #[test]
    fn pauses_grow_up_to_what_the_flow_says_and_begin_anew_after_a_life() {
        let within = Some(time(300, FlowTimeUnit::Milliseconds));
        let policy = FlowRestart { when: FlowRestartWhen::OnFailure, within, most: None };
        let mut now = Instant::now();
        let mut restarts = Restarts::new(policy, now);
        for pause in [0, 100, 200, 300, 300] {
            assert_eq!(restarts.ended(true, now), Verdict::Again(pause * MILLISECOND));
            now += pause * MILLISECOND;
            restarts.began(now);
        }
        now += Duration::from_secs(2);
        assert_eq!(restarts.ended(true, now), Verdict::Again(Duration::ZERO));
        assert_eq!(restarts.ended(false, now), Verdict::Leave, "its own end");
    }

    #[test]
    fn more_than_the_flow_allows_in_a_time_is_too_often() {
        let most = Some((2, time(10, FlowTimeUnit::Seconds)));
        let policy = FlowRestart { when: FlowRestartWhen::Always, within: None, most };
        let now = Instant::now();
        let mut restarts = Restarts::new(policy, now);
        assert_eq!(restarts.ended(false, now), Verdict::Again(Duration::ZERO));
        assert!(matches!(restarts.ended(true, now + Duration::from_secs(9)), Verdict::Again(_)));
        assert_eq!(restarts.ended(true, now + Duration::from_secs(10)), Verdict::TooOften(2));
        assert!(
            matches!(restarts.ended(true, now + Duration::from_secs(12)), Verdict::Again(_)),
            "the first is long ago"
        );
    }

    #[test]
    fn without_a_policy_nothing_is_started_again() {
        let now = Instant::now();
        assert_eq!(Restarts::new(FlowRestart::NEVER, now).ended(true, now), Verdict::Leave);
    }
}
