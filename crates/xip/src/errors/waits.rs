//! What a stage with several inports cannot wait for.

use source::{Diagnostic, Span};

use crate::ir::{Direction, Port};
use crate::name::Name;
use crate::network::Link;
use crate::wait::Wait;

/// `xip-132`: a composed pipe that waits. Its inner stages do, each by itself.
pub(crate) fn wait_without_middle(wait: &Wait, pipe: &str) -> Diagnostic {
    Diagnostic::error("xip-132", format!("the pipe `{pipe}` waits, and has no middle"))
        .at(wait.policy.span, "is for calls of a middle")
        .help("write it in a pipe inside that has a middle")
}

/// `xip-133`: a port that the pipe does not have.
pub(crate) fn waits_at_unknown(name: &Name, pipe: &str, guess: Option<&str>) -> Diagnostic {
    Diagnostic::error("xip-133", format!("expected an inport of `{pipe}` that is pushed to, found `{name}`"))
        .at(name.span, "no port is called so")
        .help(match guess {
            Some(guess) => format!("did you mean `{guess}`?"),
            None => format!("declare it: `in TYPE {name};`"),
        })
}

/// `xip-134`: a port whose packets call no middle.
pub(crate) fn never_waited_for(name: &Name, port: &Port) -> Diagnostic {
    let (what, help) = match (port.direction, port.polarity) {
        (Direction::In, Some(polarity)) => {
            let word = polarity.value.word();
            (format!("said to `{word}`"), format!("leave out `{word} {name};`, or the port here"))
        }
        _ => ("an outport".to_owned(), "name inports".to_owned()),
    };
    Diagnostic::error("xip-134", format!("the stage does not wait for packets of `{name}`, which is {what}"))
        .at(name.span, "no call of the middle is for its packets")
        .also(port.name.span, "the port")
        .help(help)
}

/// `xip-135`: a port that is named twice.
pub(crate) fn waited_twice(name: &Name, first: Span) -> Diagnostic {
    Diagnostic::error("xip-135", format!("`{name}` is waited for twice"))
        .at(name.span, "named again")
        .also(first, "first here")
        .help("name each port once: a call of the middle has one packet of a port at most")
}

/// `xip-136`: one port alone, or a pair of another number than two.
pub(crate) fn waits_for_so_many(wait: &Wait) -> Diagnostic {
    let (word, count) = (wait.policy.value.word(), wait.ports.len());
    let (expected, help) = match word {
        "pair" => ("two ports", "name both: `wait pair (a.field, b.field) within 100 ms;`".to_owned()),
        _ => ("several ports", format!("leave `wait {word}` out: a middle is called for each packet of its port")),
    };
    Diagnostic::error("xip-136", format!("expected {expected} in `wait {word}`, found {count}"))
        .at(wait.policy.span, "waits for packets that belong together")
        .help(help)
}

/// `xip-137`: an inport that nothing is said of, where the pipe says what it waits for.
pub(crate) fn left_out_of_wait(port: &Port, wait: &Wait) -> Diagnostic {
    let name = &port.name;
    Diagnostic::error(
        "xip-137",
        format!("`wait {}` does not say what becomes of packets of `{name}`", wait.policy.value.word()),
    )
    .at(wait.policy.span, "names the other ports alone")
    .also(name.span, "would call the middle, too")
    .help(format!("name `{name}` there, too; or write `poll {name};`, and the middle looks for its packets"))
}

/// `xip-138`: a part that only pairs have.
pub(crate) fn part_of_pairs(at: Span, what: &str, word: &str) -> Diagnostic {
    Diagnostic::error("xip-138", format!("`wait {word}` has no use for {what}"))
        .at(at, "goes with `wait pair`")
        .help(format!("leave it out, or write `pair` in place of `{word}`"))
}

/// `xip-139`: a pair that does not say how its packets are known to belong together.
pub(crate) fn pair_without_field(port: &Name) -> Diagnostic {
    Diagnostic::error("xip-139", format!("`wait pair` does not say which field of the packets of `{port}` is compared"))
        .at(port.span, "expected a field behind the port")
        .help(format!("write `{port}.FIELD`: two packets are a pair if their fields have one value"))
}

/// `xip-140`: a pair without an end to its waiting.
pub(crate) fn pair_without_time(at: Span) -> Diagnostic {
    Diagnostic::error("xip-140", "`wait pair` does not say how long a packet waits for its other")
        .at(at, "what has no other would wait for ever")
        .help("write for example `within 100 ms` behind the ports")
}

/// `xip-141`: a pair that would have to come at once.
pub(crate) fn pair_within_nothing(at: Span) -> Diagnostic {
    Diagnostic::error("xip-141", "no packet waits for its other at all")
        .at(at, "no time at all")
        .help("write a time of 1 us or more")
}

/// `xip-142`: a pair of whose ports one may stay without an edge.
pub(crate) fn pair_of_one(name: &Name, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-142", format!("`{name}` may stay without an edge, and pairs are of both ports"))
        .at(name.span, "no packet would have another")
        .also(port.name.span, "is optional")
        .help("leave `optional` out")
}

/// `xip-143`: a call that would have to wait in the stage that it calls.
pub(crate) fn call_that_waits(link: &Link, wait: &Wait, port: &Port) -> Diagnostic {
    let word = wait.policy.value.word();
    Diagnostic::error(
        "xip-143",
        format!("a `direct` edge calls the middle at once, and `{}` waits for others", port.name),
    )
    .at(link.span, "is a call")
    .also(wait.policy.span, format!("`wait {word}` is said here"))
    .help(match word {
        "latest" => "write `via direct latest`, or `via shm`",
        _ => "write `via shm` or another transport, which holds the packet until the others have come",
    })
}

/// `xip-144`: an edge that promises what copies in a stage do not keep.
pub(crate) fn durable_copy(link: &Link, wait: &Wait, port: &Port) -> Diagnostic {
    let word = wait.policy.value.word();
    Diagnostic::error("xip-144", format!("packets of `{}` wait in the memory of their stage, and the edge is `durable`", port.name))
        .at(link.span, "its packets are to survive the death of the stage")
        .also(wait.policy.span, format!("`wait {word}` is said here"))
        .help("write `deliver reliable`, or `wait all`, which leaves packets with the server until the middle is done with them")
}

/// `xip-145`: more memory than a program can have.
pub(crate) fn waits_for_too_much(at: Span, bytes: u64, most: u64) -> Diagnostic {
    Diagnostic::error("xip-145", format!("packets that wait may take {bytes} bytes"))
        .at(at, format!("more than {most}"))
        .help("say `at most` fewer packets, or make the packets' bounds smaller")
}
