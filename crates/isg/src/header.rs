//! The header of a pipe: its ports as one structure, its middle, and what the middle may call. In: a pipe. Out: CAST.
//! Source: the Infopipes paper, section 3 (one structure per port, no copy).

use cast::build::parameter;
use cast::{Condition, Conditional, Declaration, Definition, Field, File, IncludePath, Record, RecordKind, Type};
use xip::{Direction, Pipe, Polarity, Port};

use crate::batches;
use crate::shorthand::{boolean, prototype, result, time};

/// The header of a pipe with a middle. `packets` is the name of the header with the packets.
pub(crate) fn file(pipe: &Pipe, packets: &IncludePath) -> File {
    let guard = format!("{}_PIPE_H", pipe.name).to_uppercase();
    let mut inside = vec![
        Declaration::Define(Definition { name: guard.clone(), value: None }),
        Declaration::system_include("stdbool.h"),
        Declaration::system_include("stddef.h"),
        Declaration::include(packets.clone()),
        Declaration::Blank,
        Declaration::comment(format!(
            "A stage of pipe {}: its name in the flow, a place for the middle's own use, and a packet at each port.",
            pipe.name
        )),
        Declaration::Record(structure(pipe)),
    ];
    inside.push(Declaration::ExternC(functions(pipe)));
    let mut declarations =
        vec![Declaration::comment(format!("Pipe {}. whittle writes this file; changes are lost.", pipe.name))];
    let condition = Condition::undefined(guard);
    declarations.push(Declaration::Conditional(Conditional { condition, then: inside, otherwise: Vec::new() }));
    File { declarations }
}

pub(crate) fn this(pipe: &Pipe) -> cast::Parameter {
    parameter("self", Type::structure(pipe.name.text.as_str()).pointer())
}

fn structure(pipe: &Pipe) -> Record {
    let mut fields = vec![
        Field { name: "instance".to_owned(), ty: Type::CHAR.constant().pointer() },
        Field { name: "state".to_owned(), ty: Type::Void.pointer() },
    ];
    for port in &pipe.ports {
        let packet = Type::named(port.ty.text.as_str());
        let packet = if port.direction == Direction::In { packet.constant() } else { packet };
        fields.push(Field { name: port.name.text.clone(), ty: packet.pointer() });
    }
    Record { kind: RecordKind::Struct, tag: Some(pipe.name.text.clone()), fields }
}

pub(crate) fn is_pulled(port: &Port) -> bool {
    port.polarity.is_some_and(|polarity| polarity.value == Polarity::Pull)
}

fn functions(pipe: &Pipe) -> Vec<Declaration> {
    let mut functions = vec![Declaration::Blank, Declaration::comment(about_middle(pipe))];
    if let Some(middle) = &pipe.middle {
        functions.push(prototype(boolean(), middle.function.text.as_str(), vec![this(pipe)], vec![]));
    }
    for port in &pipe.ports {
        let (verb, answer, about) = match port.direction {
            Direction::Out if is_pulled(port) => (
                "send",
                result(),
                format!(
                    "Hands on the packet at self->{0}: one in a call of the middle. Zero: it is not taken.",
                    port.name
                ),
            ),
            Direction::Out => (
                "send",
                result(),
                format!(
                    "Sends the packet at self->{0}; afterwards self->{0} is where the next is to be written. What became of it: WHITTLE_FLOW_IS_SENT, _DROPPED or _FAULTY; zero, WHITTLE_FLOW_IS_CLOSED, where nobody takes packets any more.",
                    port.name
                ),
            ),
            Direction::In if is_pulled(port) => (
                "receive",
                boolean(),
                format!(
                    "Fetches the next packet to self->{0}, where it stays until the next call. False: there is none any more.",
                    port.name
                ),
            ),
            Direction::In => {
                if port.is_polled() {
                    functions.extend(polls(pipe, port));
                }
                functions.extend(has(pipe, port));
                functions.extend(narrows(pipe, port));
                continue;
            }
        };
        functions.extend(has(pipe, port));
        functions.push(Declaration::Blank);
        functions.push(Declaration::comment(about));
        functions.push(prototype(answer, format!("{}_{verb}_{}", pipe.name, port.name), vec![this(pipe)], vec![]));
        functions.extend(batches::prototypes(pipe, port));
        if port.direction == Direction::In {
            functions.extend(polls(pipe, port));
            functions.extend(narrows(pipe, port));
        }
    }
    functions.push(Declaration::Blank);
    functions
        .push(Declaration::comment("Yours where you need them: before the first call of the middle, after the last."));
    for hook in ["begin", "end"] {
        let weak = vec!["__attribute__((weak))".to_owned()];
        functions.push(prototype(Type::Void, format!("{}_{hook}", pipe.name), vec![this(pipe)], weak));
    }
    functions.extend(hooks(pipe));
    functions.push(Declaration::Blank);
    functions
}

/// What a stage says when it cannot go on, and what its timers call.
fn hooks(pipe: &Pipe) -> Vec<Declaration> {
    let about = format!(
        "To be called in {0}_begin, and in the middle before it returns false: the stage cannot go on. The reason is printed with its name, the flow ends, and the status of its process is 1. After {0}_begin no middle is called.",
        pipe.name
    );
    let mut hooks = vec![
        Declaration::Blank,
        Declaration::comment(about),
        prototype(Type::Void, format!("{}_fail", pipe.name), failing(pipe), vec![]),
    ];
    for timer in &pipe.timers {
        let about = format!(
            "Yours: called every {}, from the time that the stage runs until it ends, between two calls of the middle or while it waits for a packet.",
            timer.every.value
        );
        hooks.push(Declaration::Blank);
        hooks.push(Declaration::comment(about));
        hooks.push(prototype(Type::Void, timer.function.text.as_str(), vec![this(pipe)], vec![]));
    }
    hooks
}

/// What `Camera_fail` takes.
pub(crate) fn failing(pipe: &Pipe) -> Vec<cast::Parameter> {
    vec![this(pipe), parameter("reason", Type::CHAR.constant().pointer())]
}

/// Whether an edge joins an optional port: its name, and its declaration.
pub(crate) fn has_name(pipe: &Pipe, port: &Port) -> String {
    format!("{}_has_{}", pipe.name, port.name)
}

fn has(pipe: &Pipe, port: &Port) -> Vec<Declaration> {
    if !port.optional {
        return Vec::new();
    }
    let without = match port.direction {
        Direction::Out => "what is sent goes nowhere: the result is WHITTLE_FLOW_IS_UNCONNECTED",
        Direction::In => "no packet ever comes",
    };
    let about = format!(
        "Whether the flow joins an edge to the port {}, which may stay without one; then {without}.",
        port.name
    );
    let this = parameter("self", Type::structure(pipe.name.text.as_str()).constant().pointer());
    vec![
        Declaration::Blank,
        Declaration::comment(about),
        prototype(boolean(), has_name(pipe, port), vec![this], vec![]),
    ]
}

/// How a middle looks for a packet without waiting for ever: for what comes, what it is given, and its declaration.
/// A condition of the program's own at an inport: the function's name, and what it takes.
pub(crate) fn narrowing(pipe: &Pipe, port: &Port) -> (String, Vec<cast::Parameter>) {
    let condition = parameter("condition", Type::CHAR.constant().pointer());
    (format!("{}_where_{}", pipe.name, port.name), vec![this(pipe), condition])
}

fn narrows(pipe: &Pipe, port: &Port) -> [Declaration; 3] {
    let about = format!(
        "To be called in {0}_begin, where port {1} subscribes to a channel: it wants the packets alone of which the condition holds, and that of `where` in the flow. What several calls say must hold together. False: it is no condition, which has been printed.",
        pipe.name, port.name
    );
    let (name, parameters) = narrowing(pipe, port);
    [Declaration::Blank, Declaration::comment(about), prototype(boolean(), name, parameters, vec![])]
}

fn polls(pipe: &Pipe, port: &Port) -> Vec<Declaration> {
    let name = &port.name;
    let try_it = format!(
        "Whether a packet has come: it is at self->{name} until the next call. It waits for none; NULL is there where none has come."
    );
    let wait = "The same, and waits so long for one at most.".to_owned();
    let over = "Whether no packet follows: all that were sent have been taken, and the other end has ended.".to_owned();
    let pause = parameter("nanoseconds", time());
    let all = [("try", try_it, None), ("wait", wait, Some(pause)), ("over", over, None)];
    let declared = all.into_iter().map(|(verb, about, more)| {
        let parameters = [this(pipe)].into_iter().chain(more).collect();
        let function = prototype(boolean(), format!("{}_{verb}_{name}", pipe.name), parameters, vec![]);
        [Declaration::Blank, Declaration::comment(about), function]
    });
    declared.flatten().collect()
}

fn about_middle(pipe: &Pipe) -> String {
    if let Some(wait) = pipe.gathers() {
        return crate::waits::about(pipe, wait);
    }
    let mut inports = pipe.ports.iter().filter(|port| port.direction == Direction::In && !port.is_polled()).peekable();
    let about = if inports.peek().is_none() {
        "The middle, yours: called again and again. False: nothing follows."
    } else if inports.any(is_pulled) {
        "The middle, yours: called again and again, to fetch what it needs. False: nothing follows."
    } else {
        "The middle, yours: called for each packet, which is at its port; the other inports are NULL. False: it wants no more."
    };
    about.to_owned()
}
