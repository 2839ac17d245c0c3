//! GIOP for CORBA's style. Exceptions come in replies of their own, known by their repository ids; interfaces are known by theirs, and
//! what they inherit is dispatched among their own operations. In: interfaces with repository ids. Out: what
//! [`corba`](crate::links::corba) writes clients and servers with. Source: CORBA 3.3 part 2, chapter 9.

use cast::build::{
    address, assign, braces, call, cast as cast_to, equal, local, name, null, parameter, sizeof_value, text,
};
use cast::{Declaration, Expression, Linkage, Statement, TagKind, Type};
use pres::{Interface, Operation, PresC};

use super::{Giop, begin_reply, demux, ids, request, unknown};
use crate::links::corba::{ExceptionReplies, Exceptions, Objects, ev, making, serving, vector_of};
use crate::links::rpc::{bytes, to};
use crate::links::statements::{call_statement, function, kept};

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_call"))
}

fn reply_is(what: &str) -> Expression {
    equal(name("_answer", Type::INT), name(format!("WHITTLE_ANSWER_{what}"), Type::INT))
}

impl Objects for Giop {
    fn exceptions(&self) -> Exceptions<'_> {
        Exceptions::Replies(self)
    }

    fn call_variables(&self) -> Vec<Statement> {
        let new = Some(name("WHITTLE_NEW_CALL", Type::Void));
        let answer = Type::Tagged(TagKind::Enum, "whittle_answer".to_string());
        vec![local("_call", the_call().ty, new), local("_answer", answer, None)]
    }

    fn call(&self) -> Expression {
        the_call()
    }

    /// The request, again as long as the object is found to be elsewhere.
    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let named = || text(operation.name.as_str());
        let waits = name(if operation.is_oneway { "false" } else { "true" }, Type::INT);
        let object = name("_obj", Type::named("CORBA_Object"));
        let begin = vec![address(the_call()), object, named(), sizeof_value(named()), waits, ev()];
        let mut body = vec![local("_to", to().ty, Some(call("whittle_call_begin", begin, to().ty)))];
        body.extend(encode);
        let send = call("whittle_call_send", vec![address(the_call()), to(), ev()], Type::INT);
        body.push(assign(name("_answer", Type::INT), send));
        vec![Statement::DoWhile { body, condition: reply_is("AGAIN") }]
    }

    fn post(&self) -> Vec<Statement> {
        Vec::new()
    }

    fn has_results(&self) -> Expression {
        reply_is("RESULT")
    }

    fn unmarshalled(&self, call: Expression, at: Expression) -> Statement {
        call_statement("whittle_call_unmarshalled", vec![call, at, ev()])
    }

    fn end(&self) -> Option<Statement> {
        Some(call_statement("whittle_call_end", vec![address(the_call())]))
    }

    fn heap(&self) -> String {
        "whittle_corba_allocate".to_string()
    }

    fn raised_otherwise(&self, environment: Expression) -> Statement {
        call_statement("whittle_reply_system", vec![request(), environment])
    }

    fn interface(&self, pres: &PresC, object: &Interface) -> Vec<Declaration> {
        interface(pres, object)
    }

    fn serves_heirs(&self) -> bool {
        true
    }
}

impl ExceptionReplies for Giop {
    fn is_raised(&self) -> Expression {
        reply_is("EXCEPTION")
    }

    fn unexpected(&self) -> Statement {
        call_statement("whittle_call_unknown", vec![address(the_call()), ev()])
    }

    fn begin(&self, to: Expression, id: Expression) -> [Statement; 2] {
        let named = vec![request(), to.clone(), id.clone(), sizeof_value(id)];
        [
            local(cast::print_expression(&to), to.ty.clone(), Some(begin_reply("EXCEPTION"))),
            assign(to.clone(), call("whittle_reply_id", named, to.ty)),
        ]
    }
}

/// What stands for an interface: its ids, its dispatch, and what makes servants of it.
fn interface(pres: &PresC, object: &Interface) -> Vec<Declaration> {
    let name_of = &object.name;
    let ancestors = format!("ancestors_of_{name_of}");
    let ids = ids(object).chain([text("IDL:omg.org/CORBA/Object:1.0"), null()]);
    let constant = |name: String, ty: Type, initial| Declaration::Variable(kept(name, ty, Some(initial)));
    let list = Type::Array(Box::new(bytes().constant()), None);
    let described = vec![
        text(object.repository_id.as_str()),
        name(ancestors.as_str(), Type::Void),
        name(object.dispatch.as_str(), Type::Void),
    ];
    let description = format!("interface_of_{name_of}");
    let ty = Type::structure("whittle_interface").constant();
    vec![
        Declaration::Blank,
        dispatch(pres, object),
        Declaration::Blank,
        constant(ancestors, list, braces(ids.collect())),
        constant(description.clone(), ty.clone(), braces(described)),
        Declaration::Blank,
        making(object, "init", Some(address(name(description, ty)))),
        Declaration::Blank,
        making(object, "fini", None),
    ]
}

fn servant() -> Expression {
    name("_servant", Type::named("PortableServer_Servant"))
}

/// The dispatch of an interface, its ancestors' operations among its own.
fn dispatch(pres: &PresC, object: &Interface) -> Declaration {
    let ancestors =
        object.ancestors.iter().filter_map(|ancestor| pres.interfaces.iter().find(|of| of.name == ancestor.name));
    let all = std::iter::once(object).chain(ancestors).flat_map(|of| of.operations.iter().map(move |each| (of, each)));
    let served = all.map(|(of, operation)| {
        let arguments = vec![servant(), vector_of(object, &of.name), request()];
        (operation.name.as_str(), call_statement(&serving(of, operation), arguments))
    });
    let unused = Statement::Expression(cast_to(Type::Void, name("_servant", Type::Void)));
    let body = demux::by_name(served).map_or_else(|| vec![unused, unknown()], |switch| vec![switch]);
    let parameters = vec![parameter("_servant", servant().ty), parameter("_asked", request().ty)];
    function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
}
