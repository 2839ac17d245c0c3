//! Timers of a stage: functions of the user's that are called again and again. In: a stage. Out: `tick_camera`, which calls
//! what is due and says when the next is. Who waits on the stage's thread waits until then; a stage that others call has a
//! thread for its timers, and takes turns with them.

use cast::build::{self, address, assign, call, name, not_equal, when};
use cast::{Declaration, Expression, Linkage, Statement, Type};

use crate::shorthand::{boolean, function, members, number, object, perform, time};
use crate::stage::Stage;

impl Stage<'_> {
    fn timer(&self, at: usize) -> Expression {
        name(self.own(&format!("timer_{at}")), Type::structure("whittle_flow_timer"))
    }

    /// `timer_0_camera`, and what follows it.
    pub(crate) fn timers(&self) -> Vec<Declaration> {
        let timer = |(at, of): (usize, &xip::Timer)| {
            let period = of.every.value.microseconds().saturating_mul(1000);
            let initial = members(vec![("period", number(period))]);
            object(self.own(&format!("timer_{at}")), Type::structure("whittle_flow_timer"), Some(initial))
        };
        self.pipe().timers.iter().enumerate().map(timer).collect()
    }

    /// `tick_camera`: calls what is due; 0: the stage has ended.
    pub(crate) fn tick(&self) -> Option<Declaration> {
        if !self.running.is_timed {
            return None;
        }
        let next = || name("next", time());
        let mut work = Vec::new();
        for (at, timer) in self.pipe().timers.iter().enumerate() {
            let rings = call("whittle_flow_rings", vec![address(self.timer(at)), address(next())], boolean());
            work.push(when(rings, vec![perform(&timer.function.text, vec![address(self.value())])]));
        }
        let mut body = vec![build::local("next", time(), Some(number(0)))];
        body.extend(self.lock());
        body.push(when(build::not(self.ended()), work));
        body.extend(self.unlock());
        body.push(build::returns(next()));
        Some(function(Linkage::Static, time(), self.own("tick"), vec![], body))
    }

    /// A call of it.
    pub(crate) fn ticked(&self) -> Expression {
        call(self.own("tick"), vec![], time())
    }

    /// What the thread of the timers does, where nothing else needs one.
    pub(crate) fn ring(&self) -> Vec<Statement> {
        let (ends, until) = (|| name("ends", Type::named("uint32_t")), || name("until", time()));
        let more = not_equal(build::assignment(until(), self.ticked()), number(0));
        let seen = || call("whittle_flow_end_count", vec![], ends().ty);
        let round = vec![perform("whittle_flow_nap", vec![until(), ends()]), assign(ends(), seen())];
        vec![
            build::local("ends", ends().ty, Some(seen())),
            build::local("until", time(), None),
            Statement::While { condition: more, body: round },
        ]
    }
}
