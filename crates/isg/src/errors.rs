//! What of a flow cannot become C, with codes that are never reused.

use escape::Refused;
use source::{Diagnostic, Span, near_miss};
use xip::{Name, Pipe, Port, Restart, Stage, Timer};

/// `isg-001`: a name that C keeps for itself. Packets, fields, pipes, ports and middles have their names in C.
pub(crate) fn kept_by_c(name: &Name) -> Diagnostic {
    Diagnostic::error("isg-001", format!("`{name}` is a keyword of C, or a name of whittle's own C"))
        .at(name.span, "a name in C, too")
        .help("choose another name")
}

/// `isg-002`: a port with the name of a member that every pipe's structure has.
pub(crate) fn member_is_there(name: &Name) -> Diagnostic {
    Diagnostic::error("isg-002", format!("a port cannot be called `{name}`"))
        .at(name.span, "a member of every pipe's structure")
        .help("`instance` is the stage's name, `state` is for the middle's own use: choose another name")
}

/// `isg-003`: two pipes with one middle or timer. Each is a C function that takes its pipe's structure.
pub(crate) fn middle_of_two(function: &Name, first: &Name) -> Diagnostic {
    Diagnostic::error("isg-003", format!("`{function}` is to be called in two places"))
        .at(function.span, "here as well")
        .also(first.span, "the first")
        .help("give each middle and each timer a function of its own; both may call one of yours")
}

/// `isg-004`: a pipe that pulls from one inport and is pushed to at another. Its middle would have to be called and to
/// go round by itself at once.
pub(crate) fn pulled_and_pushed(pipe: &Pipe, pulled: &Port, pushed: &Port) -> Diagnostic {
    Diagnostic::error("isg-004", format!("`{}` pulls from one inport and is pushed to at another", pipe.name))
        .at(pulled.name.span, "pulls")
        .also(pushed.name.span, "is pushed to")
        .help(format!("write `pull {};` as well, or leave both to be pushed", pushed.name))
}

/// `isg-005`: more edges than there are network ports for.
pub(crate) fn too_many_edges(flow: &Name, count: usize, most: usize) -> Diagnostic {
    Diagnostic::error("isg-005", format!("flow `{flow}` has {count} edges; at most {most} have a port each"))
        .at(flow.span, "this flow")
        .help("make several flows of it")
}

/// `isg-006`: flows that would write the same file.
pub(crate) fn same_program(flow: &Name, program: &str) -> Diagnostic {
    Diagnostic::error("isg-006", format!("two programs would be called `{program}`"))
        .at(flow.span, "one of them is of this flow")
        .help("choose another name for the flow or for a stage")
}

/// `isg-007`: an inport that fetches from a stage of its own process, and that other edges lead to as well. A stage that
/// is called cannot be waited for beside them.
pub(crate) fn fetched_and_more(at: Span, port: &Port) -> Diagnostic {
    Diagnostic::error("isg-007", format!("`{}` fetches over a `direct` edge, and other edges lead to it", port.name))
        .at(at, "this edge is one of several")
        .help("give the other edges an inport of their own, or carry this one by `shm`")
}

/// `isg-008`: a function with the name of one that the generated C needs. It would be called in that one's place.
pub(crate) fn function_is_there(name: &Name) -> Diagnostic {
    Diagnostic::error("isg-008", format!("a function of yours cannot be called `{name}`"))
        .at(name.span, "the C library, or the C around it, has this name")
        .help("choose another name, such as one that says what the stage does")
}

/// `isg-009`: a stage that several others fetch from. What it has made for one would be there for the other.
pub(crate) fn fetched_twice(at: Span, stage: &Stage) -> Diagnostic {
    Diagnostic::error("isg-009", format!("several edges fetch from `{}`", stage.name))
        .at(at, "one of them")
        .help("over `direct` edges one stage may pull from another; carry the others by `shm`, or let the stage push")
}

/// `isg-010`: two things with one name in C. Names of stages, ports and functions are put together to names in C, and two of
/// these came out the same.
pub(crate) fn same_name(flow: &Name, file: &str, name: &str) -> Diagnostic {
    Diagnostic::error("isg-010", format!("in `{file}` two things would be called `{name}`"))
        .at(flow.span, "of this flow")
        .help("choose another name for a stage, a port or a function of yours")
}

/// `isg-011`: an imported file with the header of something else.
pub(crate) fn header_taken(place: Span, header: &str, other: &str) -> Diagnostic {
    Diagnostic::error("isg-011", format!("the header `{header}` of this file would be that of {other}, too"))
        .at(place, "imported here")
        .help("headers of a flow stand in one folder: rename one of the two")
}

/// `isg-013`: a timer at a stage that another fetches from. It is called when the other wants a packet, and has no thread.
pub(crate) fn fetched_and_timed(at: Span, timer: &Timer) -> Diagnostic {
    Diagnostic::error("isg-013", "a stage that another fetches from has no thread for a timer")
        .at(timer.function.span, "would be called while nobody fetches")
        .also(at, "fetched over this `direct` edge")
        .help("let the stage push, or carry the edge by `shm`")
}

/// `isg-012`: a name that no Makefile can hold. `make` and the shell behind it would take it for something else: several names, a
/// variable, a command.
pub(crate) fn not_built(refused: &Refused) -> Diagnostic {
    Diagnostic::error("isg-012", refused.to_string())
        .help("call the file something else: letters, digits, `_`, `-` and `.` are understood everywhere")
}

/// `isg-039`: a packet that a transport's own types cannot say.
pub(crate) fn no_idl(at: Span, packet: &str, carrier: xip::Transport, why: &str) -> Diagnostic {
    Diagnostic::error("isg-039", format!("packets `{packet}` cannot travel via {}: {why}", carrier.word()))
        .at(at, "its samples have a type of IDL")
        .help("say it with numbers, strings, structures, and elements right behind the `uint32` that counts them; or write `via tcp`")
}

/// `isg-020`: stages that are one program, and are to be started again differently.
pub(crate) fn two_restarts(program: &str, first: &Restart, second: &Restart) -> Diagnostic {
    Diagnostic::error("isg-020", format!("stages of one program, `{program}`, are to be started again differently"))
        .at(second.policy.span, "this one")
        .also(first.policy.span, "and this one")
        .help("`direct` edges make one program of their stages: say one policy, or carry an edge between them by `shm`")
}

/// `isg-030`: a name that a condition has of nothing in the packet.
pub(crate) fn no_field(at: Span, field: &str, whose: &str, known: &[&str]) -> Diagnostic {
    let help = match near_miss(field, known) {
        Some(guess) => format!("did you mean `{guess}`?"),
        None if known.is_empty() => "leave it out".to_owned(),
        None => {
            format!("there is {}", known.iter().take(12).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
        }
    };
    Diagnostic::error("isg-030", format!("{whose} has no `{field}`")).at(at, "in a condition").help(help)
}

/// `isg-031`: a comparison of two things that are never alike.
pub(crate) fn different(at: Span, one: &str, other: &str, help: Option<&str>) -> Diagnostic {
    Diagnostic::error("isg-031", format!("{one} and {other} cannot be compared"))
        .at(at, "compared here")
        .help(help.unwrap_or("numbers are compared with numbers, texts with texts (`\"…\"`), characters with characters (`'…'`), truth values with `true` and `false`"))
}

/// `isg-032`: a value where something should hold.
pub(crate) fn no_truth(at: Span, what: &str) -> Diagnostic {
    Diagnostic::error("isg-032", format!("expected a condition, found {what}"))
        .at(at, "neither true nor false")
        .help("compare it: `… > 0`; only fields of type `bool` hold by themselves")
}

/// `isg-033`: a field of a type that no condition looks at.
pub(crate) fn not_compared(at: Span, path: &str, what: &str) -> Diagnostic {
    Diagnostic::error("isg-033", format!("`{path}` cannot be compared: it is {what}"))
        .at(at, "in a condition")
        .help("conditions look at truth values, numbers, characters, texts, enumerations, members of structures, elements of arrays of one length, and `count` of other arrays")
}

/// `isg-034`: a comparison that comes out the same for every packet.
pub(crate) fn always(at: Span, why: &str) -> Diagnostic {
    Diagnostic::error("isg-034", "this comparison comes out the same for every packet")
        .at(at, why)
        .help("leave it out, or compare with another value")
}

/// `isg-035`: an element that is not always there.
pub(crate) fn no_element(at: Span, why: &str) -> Diagnostic {
    Diagnostic::error("isg-035", "a condition cannot look at this element")
        .at(at, why)
        .help("elements have numbers from 0 on; of an array that is not always full, the `count` can be compared")
}

/// `isg-036`: the count of what is not counted.
pub(crate) fn no_count(at: Span, why: &str) -> Diagnostic {
    Diagnostic::error("isg-036", "this has no `count`")
        .at(at, why)
        .help("`count` says how many elements an array with a bound (`[<= N]`) has")
}

/// `isg-037`: values without an order, compared as if they had one.
pub(crate) fn no_order(at: Span, what: &str, comparison: &str) -> Diagnostic {
    Diagnostic::error("isg-037", format!("{what} have no order that `{comparison}` could ask for"))
        .at(at, "compared here")
        .help("write `==` or `!=`")
}

/// `isg-040`: packets that a stage would have to copy, and that lead to memory of their own.
pub(crate) fn never_copied(port: &Name, policy: &str, packet: &str) -> Diagnostic {
    Diagnostic::error("isg-040", format!("packets of type `{packet}` cannot wait in their stage: they hold pointers or unions"))
        .at(port.span, format!("`wait {policy}` copies packets of this port"))
        .help("write `wait all`, which leaves packets where they arrive; or carry packets of arrays and texts with bounds, as `packet` declares them")
}

/// `isg-038`: a comparison of what the condition itself says.
pub(crate) fn compares_no_field(at: Span) -> Diagnostic {
    Diagnostic::error("isg-038", "this compares no field of the packet")
        .at(at, "known before any packet comes")
        .help("name a field on one side")
}
