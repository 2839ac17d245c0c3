//! What becomes of a program that dies while its flow runs. In: `restart` statements of a flow. Out: the policy of each stage.
//! Source: `docs/guides/describe-a-flow.md`; the restart intensity of Erlang's supervisors (so many in so much time).

use crate::contract::words;
use crate::flow::Flow;
use crate::measure::{Duration, TimeUnit};
use crate::name::{Name, Spanned};

words! {
    /// After which ends a program is started again.
    RestartWhen {
        Never = "never",
        /// A signal, or a status that is not 0.
        OnFailure = "on failure",
        /// Its own end, too.
        Always = "always",
    }
}

/// Whether, how soon and how often a program is started again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestartPolicy {
    pub when: RestartWhen,
    /// The longest pause before it runs again. The first is shorter, and pauses grow while it dies soon after its start.
    pub within: Option<Duration>,
    /// At most so many times in so long; more, and the flow ends.
    pub most: Option<(u64, Duration)>,
}

impl RestartPolicy {
    /// Where the flow says nothing.
    pub const NEVER: RestartPolicy = RestartPolicy { when: RestartWhen::Never, within: None, most: None };

    /// The longest pause, where the flow says none, too.
    pub fn longest_pause(&self) -> Duration {
        self.within.unwrap_or(Duration { amount: 5, unit: TimeUnit::Seconds })
    }
}

impl std::fmt::Display for RestartPolicy {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}", self.when.word())?;
        if self.when != RestartWhen::Never {
            write!(formatter, " within {}", self.longest_pause())?;
        }
        match self.most {
            Some((count, time)) => write!(formatter, " at most {count} in {time}"),
            None => Ok(()),
        }
    }
}

/// One statement: the policy of all of a flow, or of the stages of an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restart {
    pub policy: Spanned<RestartPolicy>,
    pub to: Option<Name>,
}

impl Flow {
    /// What the flow says of a stage by its name, and else of all.
    pub fn restart(&self, stage: &str) -> Option<&Restart> {
        let is_of = |restart: &&Restart| {
            let rest = restart.to.as_ref().and_then(|to| stage.strip_prefix(to.text.as_str()));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let restarts = &self.body.restarts;
        restarts.iter().find(is_of).or_else(|| restarts.iter().find(|restart| restart.to.is_none()))
    }
}
