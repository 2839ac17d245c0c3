//! What names refer to, and what does not become a network: unknown pipes, ports, types and aspects, pipes in themselves, ports without an edge.

use source::{Diagnostic, Span};

use super::choice;
use crate::flow::{Edge, PortPath};
use crate::ir::{Direction, Field, Packet, Pipe, Port};
use crate::name::Name;
use crate::network::Stage;
use crate::restart::Restart;

// Names.

/// `xip-050`: an instance of a pipe that is not there.
pub(crate) fn unknown_pipe<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-050", format!("expected the name of a pipe, found `{name}`"))
        .at(name.span, "no pipe has this name")
        .help(choice(&name.text, known, "pipes"))
}

/// `xip-051`: an end of an edge that is neither an instance nor a pipe.
pub(crate) fn unknown_instance<'a>(name: &Name, owner: &str, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-051", format!("expected an instance of {owner} or a pipe, found `{name}`"))
        .at(name.span, "nothing here has this name")
        .help(choice(&name.text, known, "pipes"))
}

/// `xip-052`: a pipe's name where the pipe has instances.
pub(crate) fn which_instance(name: &Name, instances: &[&Name]) -> Diagnostic {
    let finding =
        Diagnostic::error("xip-052", format!("expected an instance, found the pipe `{name}`, which has some"))
            .at(name.span, "which one?");
    let names: Vec<String> = instances.iter().map(|instance| format!("`{instance}`")).collect();
    let shown = instances.iter().fold(finding, |finding, instance| finding.also(instance.span, "an instance"));
    shown.help(format!("write {}", names.join(" or ")))
}

/// `xip-053`: a port that the pipe does not have.
pub(crate) fn unknown_port(name: &Name, pipe: &Pipe, direction: Direction) -> Diagnostic {
    let known = pipe.ports.iter().filter(|port| port.direction == direction).map(|port| port.name.text.as_str());
    let what = format!("{}ports", direction.word());
    Diagnostic::error("xip-053", format!("expected an {}port of `{}`, found `{name}`", direction.word(), pipe.name))
        .at(name.span, "no port has this name")
        .also(pipe.name.span, "the pipe")
        .help(choice(&name.text, known, &what))
}

/// `xip-054`: a path without a port, where the pipe has none or several in that direction.
pub(crate) fn which_port(path: &PortPath, pipe: &Pipe, direction: Direction, fitting: &[&Port]) -> Diagnostic {
    let word = direction.word();
    let message = match fitting.len() {
        0 => format!("`{path}` has no {word}port, but the edge needs one"),
        many => format!("`{path}` has {many} {word}ports, and the edge does not say which"),
    };
    let finding = Diagnostic::error("xip-054", message).at(path.span(), format!("which {word}port?"));
    let finding = finding.also(pipe.name.span, "the pipe");
    match fitting {
        [] => finding.help(format!("add `{word} TYPE NAME;` to the pipe, or turn the edge round")),
        [first, ..] => finding.help(format!("write the port behind a dot: `{path}.{}`", first.name)),
    }
}

/// `xip-055`: an edge out of an inport, or into an outport.
pub(crate) fn wrong_way(path: &PortPath, port: &Port, expected: Direction) -> Diagnostic {
    let (begins, word) = if expected == Direction::Out { ("begins at", "out") } else { ("ends at", "in") };
    Diagnostic::error(
        "xip-055",
        format!("an edge {begins} an {word}port, and `{path}` is an {}port", port.direction.word()),
    )
    .at(path.span(), format!("expected an {word}port"))
    .also(port.name.span, "the port")
    .help("turn the edge round, or name another port")
}

/// `xip-056`: inside a composed pipe, an edge that leaves its inside by an inport or enters it by an outport.
pub(crate) fn wrong_way_inside(path: &PortPath, port: &Port) -> Diagnostic {
    let (is, does) = if port.direction == Direction::In { ("in", "begins there") } else { ("out", "ends there") };
    Diagnostic::error("xip-056", format!("`{path}` is an {is}port of this pipe, so inside an edge {does}"))
        .at(path.span(), "the wrong side of the edge")
        .also(port.name.span, "the port")
        .help("turn the edge round")
}

// Composition.

/// `xip-057`: an edge from a composed pipe's inport straight to its outport.
pub(crate) fn nothing_between(edge: &Edge) -> Diagnostic {
    Diagnostic::error("xip-057", "expected a stage between a pipe's inport and its outport")
        .at(edge.from.span().to(edge.to.span()), "nothing is between them")
        .help("join each to a pipe inside; without a stage, leave the composed pipe out of the flow")
}

/// `xip-058`: a contract on an edge that only says which inner port an outer one is.
pub(crate) fn contract_inside(edge: &Edge) -> Diagnostic {
    Diagnostic::error("xip-058", "no contract can hold between a composed pipe's port and what is inside")
        .at(edge.from.span().to(edge.to.span()), "this edge is only a name for the inner port")
        .help("put the contract on the edge that joins the pipe in a flow")
}

/// `xip-059`: a pipe that is made of itself.
pub(crate) fn contains_itself(pipe: &Name, at: Span) -> Diagnostic {
    Diagnostic::error("xip-059", format!("pipe `{pipe}` contains itself"))
        .at(at, "this instance would never end")
        .also(pipe.span, "the pipe")
        .help("use another pipe inside")
}

/// `xip-060`: a port of a composed pipe that nothing inside is joined to.
pub(crate) fn unbound_port(pipe: &Pipe, port: &Port) -> Diagnostic {
    let example = match port.direction {
        Direction::In => format!("{} -> INSTANCE.PORT;", port.name),
        Direction::Out => format!("INSTANCE.PORT -> {};", port.name),
    };
    Diagnostic::error("xip-060", format!("port `{}` of `{}` leads nowhere inside the pipe", port.name, pipe.name))
        .at(port.name.span, "joined to nothing")
        .help(format!("add `{example}` to the pipe"))
}

// Types.

/// `xip-061`: a name that is no type.
pub(crate) fn unknown_type<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-061", format!("expected a type, found `{name}`"))
        .at(name.span, "no packet and no imported type has this name")
        .help(choice(&name.text, known, "types"))
}

/// `xip-062`: a packet whose name an imported file has already given to a type.
pub(crate) fn packet_is_imported(name: &Name, file: &str) -> Diagnostic {
    Diagnostic::error("xip-062", format!("packet `{name}` has the name of a type in \"{file}\""))
        .at(name.span, "two types would have this name")
        .help("give the packet another name, or leave it out and use the imported type")
}

/// `xip-063`: a packet inside itself.
pub(crate) fn packet_in_itself(packet: &Packet, through: &Field) -> Diagnostic {
    Diagnostic::error("xip-063", format!("packet `{}` contains itself", packet.name))
        .at(through.name.span, "through this field")
        .also(packet.name.span, "the packet")
        .help("packets are laid out in place; types that refer to themselves belong in an interface file")
}

/// `xip-064`: two ports of different types on one edge.
pub(crate) fn types_differ(from: &Port, to: &Port, edge: Span, why: &str) -> Diagnostic {
    let (one, other) = (&from.ty, &to.ty);
    Diagnostic::error("xip-064", format!("the edge joins `{one} {}` to `{other} {}`: {why}", from.name, to.name))
        .at(edge, "not the same type at both ends")
        .also(from.name.span, format!("`{one}`"))
        .also(to.name.span, format!("`{other}`"))
        .help("give both ports one type, or put a pipe between them that converts")
}

/// `xip-095`: two imported files with a type of the same name, and how many such names they have.
pub(crate) fn two_imports_define(
    name: &str,
    names: usize,
    (earlier, first): (&str, Span),
    (later, second): (&str, Span),
) -> Diagnostic {
    let more = if names > 1 { format!(", and {} more of the same names", names - 1) } else { String::new() };
    Diagnostic::error("xip-095", format!("\"{earlier}\" and \"{later}\" both define `{name}`{more}"))
        .at(second, "defines it again")
        .also(first, "defines it")
        .help("import one of them, or rename the type in the other: a flow's C has one type of each name")
}

// Ends.

/// `xip-065`: an inport to which nothing is sent.
pub(crate) fn never_fed(stage: &Stage, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-065", format!("nothing is sent to `{}.{}`", stage.name, port.name))
        .at(stage.span, "this stage would wait for ever")
        .also(port.name.span, "the port")
        .help(format!("add an edge: `PIPE.PORT -> {}.{};`, or write `optional in` at the port", stage.name, port.name))
}

/// `xip-066`: an outport whose packets would go nowhere.
pub(crate) fn leads_nowhere(stage: &Stage, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-066", format!("what leaves `{}.{}` goes nowhere", stage.name, port.name))
        .at(stage.span, "packets of this stage would be lost")
        .also(port.name.span, "the port")
        .help(format!("add an edge: `{}.{} -> PIPE.PORT;`, or write `optional out` at the port", stage.name, port.name))
}

/// `xip-131`: a stage that is called for packets, and none of its inports has an edge.
pub(crate) fn never_called(stage: &Stage, port: &Port) -> Diagnostic {
    Diagnostic::error("xip-131", format!("no inport of `{}` has an edge", stage.name))
        .at(stage.span, "nothing would ever call this stage")
        .also(port.name.span, "may stay without an edge, but not all of them together")
        .help(format!("add an edge: `PIPE.PORT -> {}.{};`, or leave the stage out", stage.name, port.name))
}

// Aspects and restarts.

/// `xip-088`: an aspect that is not there.
pub(crate) fn unknown_aspect<'a>(name: &Name, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    Diagnostic::error("xip-088", format!("expected an aspect, found `{name}`"))
        .at(name.span, "no aspect has this name")
        .help(choice(&name.text, known, "aspects"))
}

/// `xip-089`: an aspect applied to what is not part of the flow, or a restart of it.
pub(crate) fn applied_to_nothing<'a>(to: &PortPath, known: impl Iterator<Item = &'a str>) -> Diagnostic {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    known.dedup();
    Diagnostic::error("xip-089", format!("expected an instance that is joined here, found `{}`", to.instance))
        .at(to.span(), "no stage has this name")
        .help(choice(&to.instance.text, known.into_iter(), "instances"))
}

/// `xip-090`: an aspect applied to a port that the pipe does not have.
pub(crate) fn applied_to_no_port(name: &Name, pipe: &Pipe) -> Diagnostic {
    Diagnostic::error("xip-090", format!("expected a port of `{}`, found `{name}`", pipe.name))
        .at(name.span, "no port has this name")
        .also(pipe.name.span, "the pipe")
        .help(choice(&name.text, pipe.ports.iter().map(|port| port.name.text.as_str()), "ports"))
}

/// `xip-110`: two restarts of one stage, or of all.
pub(crate) fn restarted_twice(second: &Restart, first: &Restart) -> Diagnostic {
    let what = second.to.as_ref().map_or("the flow".to_owned(), |to| format!("`{to}`"));
    Diagnostic::error("xip-110", format!("the restart of {what} is said twice"))
        .at(second.policy.span, "said again")
        .also(first.policy.span, "first here")
}
