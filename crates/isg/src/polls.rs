//! How a middle looks for a packet without waiting for ever: `Camera_try_w`, `Camera_wait_w` and `Camera_over_w` of an inport
//! that is polled or pulled. In: a pipe and its stages in one process. Out: these functions. Why: a source that knows what
//! to do goes on meanwhile, and a middle that waits for one thing can do another when it does not come in time.

use cast::build::{self, address, assign, call, cast, name, not_equal, null, parameter, returns, when};
use cast::{Declaration, Expression, Statement, Type};
use xip::{End, Pipe};

use crate::ports::{distinguished, inlined, port_of, this, unused};
use crate::process::is_pulled;
use crate::shorthand::{boolean, number, time, truth};
use crate::stage::Stage;

/// The functions, for the stages of the pipe in this process.
pub(crate) fn functions(pipe: &Pipe, stages: &[Stage], port: usize) -> Vec<Declaration> {
    let ways = |body: &dyn Fn(&Stage, End) -> Vec<Statement>| {
        let way = |stage: &Stage| (stage.value(), body(stage, End { stage: stage.running.id, port }));
        distinguished(pipe, stages.iter().map(way).collect())
    };
    let pause = || name("nanoseconds", time());
    let all = [
        ("try", None, ways(&|stage, end| look(stage, end, number(0)))),
        ("wait", Some(parameter("nanoseconds", time())), ways(&|stage, end| look(stage, end, pause()))),
        ("over", None, ways(&over)),
    ];
    let port = &pipe.ports[port].name;
    let declared = all.into_iter().map(|(verb, more, body)| {
        let parameters = [crate::header::this(pipe)].into_iter().chain(more).collect();
        [Declaration::Blank, inlined(boolean(), format!("{}_{verb}_{port}", pipe.name), parameters, body)]
    });
    declared.flatten().collect()
}

/// The links that lead to an inport, and whether it is fetched from a stage of this process.
fn links(stage: &Stage, end: End) -> (Vec<usize>, bool) {
    let network = stage.network;
    let links: Vec<usize> = network.links_into(end.stage).filter(|number| network.links[*number].to == end).collect();
    let is_fetched = links.iter().any(|number| network.links[*number].is_call());
    (links, is_fetched)
}

/// `struct whittle_flow_receiver *const receivers[2] = {&in_a, &in_b};`, and what a call takes of it.
fn receivers(stage: &Stage, links: &[usize]) -> (Statement, Vec<Expression>) {
    let pointer = Type::structure("whittle_flow_receiver").pointer();
    let count = number(links.len() as u64);
    let all = build::braces(links.iter().map(|number| stage.receiver(*number)).collect());
    let declared = build::local("receivers", pointer.clone().constant().array(count.clone()), Some(all));
    (declared, vec![name("receivers", pointer), count])
}

/// The next packet, within a time.
fn look(stage: &Stage, end: End, within: Expression) -> Vec<Statement> {
    let (links, is_fetched) = links(stage, end);
    if links.is_empty() {
        let within = Statement::Expression(cast(Type::Void, within));
        return vec![unused("self", this(stage.pipe()).ty), within, returns(truth(false))];
    }
    if is_fetched {
        // The stage before it is called, and makes one now or never.
        let port = &stage.network.port(end).name;
        let receive = format!("{}_receive_{port}", stage.pipe().name);
        let unused = Statement::Expression(cast(Type::Void, within));
        return vec![unused, returns(call(receive, vec![this(stage.pipe())], boolean()))];
    }
    let port = || port_of(stage, end);
    let mut body = wait(stage, &links, port(), Some(within));
    if stage.carries_time() && is_pulled(stage.network, end) {
        let born = match links.as_slice() {
            [only] if stage.stamped[*only] => call("whittle_flow_born", vec![stage.receiver(*only)], time()),
            _ => call("whittle_flow_now", vec![truth(stage.network.is_on_one_machine)], time()),
        };
        body.push(when(not_equal(port(), null()), vec![assign(stage.born(), born)]));
    }
    body.push(returns(not_equal(port(), null())));
    body
}

/// Waits for a packet of some links, within a time or as long as one may come. Timers go on meanwhile.
pub(crate) fn wait(stage: &Stage, links: &[usize], port: Expression, within: Option<Expression>) -> Vec<Statement> {
    let (declared, among) = receivers(stage, links);
    let which = || name("which", Type::named("size_t"));
    let until = || name("until", time());
    let mut body = vec![declared, build::local("which", which().ty, Some(number(0)))];
    let end = match within {
        None => build::unsigned(u64::MAX),
        Some(within) => call("whittle_flow_after", vec![within], time()),
    };
    body.push(build::local("until", time(), Some(end)));
    let receive = |until: Expression| {
        let arguments = among.iter().cloned().chain([until, address(which())]).collect();
        assign(port.clone(), call("whittle_flow_receive_until", arguments, Type::Void.constant().pointer()))
    };
    if !stage.running.is_timed {
        body.push(receive(until()));
        return body;
    }
    let due = || name("due", time());
    let over = call("whittle_flow_is_over", among.clone(), boolean());
    let round = vec![
        assign(due(), stage.ticked()),
        receive(call("whittle_flow_sooner", vec![due(), until()], time())),
        when(
            build::or(not_equal(port.clone(), null()), build::or(over, build::not(build::less(due(), until())))),
            vec![Statement::Break],
        ),
    ];
    body.push(build::local("due", time(), None));
    body.push(Statement::While { condition: truth(true), body: round });
    body
}

/// Whether no packet follows.
fn over(stage: &Stage, end: End) -> Vec<Statement> {
    let unused = unused("self", this(stage.pipe()).ty);
    let (links, is_fetched) = links(stage, end);
    if links.is_empty() {
        return vec![unused, returns(truth(true))];
    }
    if is_fetched {
        let before = links.first().and_then(|link| stage.other(stage.network.links[*link].from.stage));
        return vec![unused, returns(before.map_or_else(|| truth(true), |before| before.ended()))];
    }
    let (declared, arguments) = receivers(stage, &links);
    vec![unused, declared, returns(call("whittle_flow_is_over", arguments, boolean()))]
}
