//! The middle of a pipe, and what aspects call, as files to fill in, which compile and run as they are. In: a pipe. Out: CAST. It is written
//! once; what is there is never written over.

use std::collections::BTreeSet;

use cast::build::{
    self, and, arrow, call, dereference, name, not, not_equal, null, parameter, returns, sizeof_value, when,
};
use cast::{Declaration, Expression, File, IncludePath, Linkage, Statement, Type};
use xip::{Direction, Pipe, Port};

use crate::shorthand::{boolean, function, number, perform, truth};

/// The template of a pipe with a middle.
pub(crate) fn file(pipe: &Pipe) -> File {
    let middle = pipe.middle.as_ref().map_or("", |middle| middle.function.text.as_str());
    let this = parameter("self", Type::structure(pipe.name.text.as_str()).pointer());
    let mut declarations = vec![
        Declaration::comment(format!("The middle of pipe {}: yours. whittle does not write over it.", pipe.name)),
        Declaration::system_include("string.h"),
        Declaration::include(IncludePath::of_word(&pipe.name.text)),
        Declaration::Blank,
        function(Linkage::Plain, boolean(), middle, vec![this.clone()], body(pipe)),
    ];
    for timer in &pipe.timers {
        let unused = Statement::Expression(build::cast(Type::Void, self::this(pipe)));
        let body = vec![Statement::comment(format!("Every {}.", timer.every.value)), unused];
        declarations.push(Declaration::Blank);
        declarations.push(function(Linkage::Plain, Type::Void, timer.function.text.as_str(), vec![this.clone()], body));
    }
    File { declarations }
}

/// The functions that aspects and deadlines name, as a file to fill in.
pub(crate) fn advice(functions: &BTreeSet<String>) -> File {
    let mut declarations = vec![
        Declaration::comment("What aspects and deadlines call: yours. whittle does not write over it."),
        Declaration::own_include("whittle_flow.h"),
    ];
    let moment = Type::structure("whittle_flow_moment").constant().pointer();
    for advice in functions {
        let body = vec![
            Statement::comment("moment says at which stage or edge, and with which packet."),
            Statement::Expression(build::cast(Type::Void, name("moment", moment.clone()))),
        ];
        declarations.push(Declaration::Blank);
        let parameters = vec![parameter("moment", moment.clone())];
        let result = Type::Void;
        declarations.push(Declaration::Prototype(cast::Function {
            name: advice.clone(),
            result: result.clone(),
            parameters: parameters.clone(),
            ..cast::Function::default()
        }));
        declarations.push(function(Linkage::Plain, result, advice, parameters, body));
    }
    File { declarations }
}

fn body(pipe: &Pipe) -> Vec<Statement> {
    let mut body = Vec::new();
    let ports = |direction| pipe.ports.iter().filter(move |port| port.direction == direction);
    let is_source = ports(Direction::In).all(Port::is_polled);
    let pushed = ports(Direction::In).filter(|port| !port.is_polled() && !crate::header::is_pulled(port));
    for port in ports(Direction::In) {
        if crate::header::is_pulled(port) {
            let is_over = not(asked(pipe, "receive", port));
            let is_over = if port.optional { and(asked(pipe, "has", port), is_over) } else { is_over };
            body.push(when(is_over, vec![returns(truth(false))]));
        } else if port.is_polled() {
            let come = Statement::comment(format!("self->{} is the packet that has come.", port.name));
            body.push(when(asked(pipe, "try", port), vec![come]));
        } else {
            let come = Statement::comment(format!("self->{} is the packet that has come.", port.name));
            if pipe.gathers().is_some() && !port.optional {
                let together = format!("self->{} is one of the packets that have come.", port.name);
                let unused = build::cast(Type::Void, member(pipe, port));
                body.extend([Statement::comment(together), Statement::Expression(unused)]);
            } else if pushed.clone().count() > 1 {
                // One has, and the others have not.
                body.push(when(not_equal(member(pipe, port), null()), vec![come]));
            } else {
                let unused = build::cast(Type::Void, member(pipe, port));
                body.extend([come, Statement::Expression(unused)]);
            }
        }
    }
    for port in ports(Direction::Out) {
        body.push(Statement::comment(format!("Fill in what self->{} points to.", port.name)));
        let size = sizeof_value(dereference(member(pipe, port)));
        body.push(perform("memset", vec![member(pipe, port), number(0), size]));
        body.push(when(not(asked(pipe, "send", port)), vec![returns(truth(false))]));
    }
    if is_source {
        body.push(Statement::comment("Return true to be called again."));
    }
    body.push(returns(truth(!is_source)));
    body
}

fn asked(pipe: &Pipe, verb: &str, port: &Port) -> Expression {
    call(format!("{}_{verb}_{}", pipe.name, port.name), vec![this(pipe)], boolean())
}

fn this(pipe: &Pipe) -> Expression {
    name("self", Type::structure(pipe.name.text.as_str()).pointer())
}

fn member(pipe: &Pipe, port: &Port) -> Expression {
    arrow(this(pipe), port.name.text.as_str(), Type::named(port.ty.text.as_str()).pointer())
}
