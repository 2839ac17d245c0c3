//! The link `mach` of `.x` and `.idl`: calls over Mach's ports, in the plain style. A message is Mach's header and one array of bytes,
//! typed as such: CDR in the machine's byte order, so that arrays of numbers are copied as they are. Large ones go beside the message.
//!
//! In: interfaces. Out: what [`rpc`](crate::links::rpc) writes clients and servers with, and the run time (`runtime/mach`). Source:
//! Flick (PLDI'97) sections 3.2 and 4, the message format of `mach/message.h`.

use cast::build::{
    address, arrow, braces, call, cast as cast_to, equal, integer, local, name, parameter, returns, unsigned,
};
use cast::{CaseLabel, Declaration, Expression, Linkage, Statement, Storage, SwitchArm, Type, Variable};
use pres::{Carrier, Interface, Operation};

use crate::links::rpc::{Link, Payloads, Refusals, at, context, functions, functions_type, serving, to};
use crate::links::words::{call_statement, function};

/// The run time begins the bytes of messages at a multiple of so many.
const PHASE: u64 = 8;

/// Mach's ports.
pub struct Mach;

fn the_call() -> Expression {
    name("_call", Type::structure("whittle_mach_call"))
}

fn message_id(operation: &Operation) -> Expression {
    unsigned(u64::from(pres::mach_id(&operation.name)))
}

impl Link for Mach {
    fn carrier(&self) -> Carrier {
        Carrier::Mach
    }

    fn payloads(&self) -> Payloads {
        Payloads::Local { phase: PHASE }
    }

    fn call_variables(&self) -> Vec<Statement> {
        vec![local("_call", the_call().ty, None)]
    }

    fn call(&self) -> Expression {
        the_call()
    }

    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let client = name("client", Carrier::Mach.client().pointer());
        let begin = vec![address(the_call()), client, message_id(operation)];
        let begun = local("_to", to().ty, Some(call("whittle_mach_begin", begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        vec![returns(call("whittle_mach_post", vec![address(the_call()), to()], Type::INT))]
    }

    fn has_results(&self) -> Expression {
        equal(call("whittle_mach_exchange", vec![address(the_call()), to()], Type::INT), integer(0))
    }

    fn waits_for_results(&self) -> bool {
        true
    }

    fn lends(&self) -> Expression {
        call("whittle_mach_lend", vec![address(the_call())], Type::named("bool"))
    }

    /// Where it succeeded the status is 0.
    fn end(&self, _: Expression, lent: Option<Expression>) -> Expression {
        let how = if lent.is_some() { "whittle_mach_end_lent" } else { "whittle_mach_end" };
        call(how, [address(the_call()), at()].into_iter().chain(lent).collect(), Type::INT)
    }

    fn request(&self) -> Expression {
        name("_request", Type::structure("whittle_mach_request").pointer())
    }

    fn refusals(&self) -> Refusals {
        Refusals { unimplemented: "whittle_mach_unknown", malformed: "whittle_mach_garbage", know_oneway: true }
    }

    fn begin_reply(&self) -> Expression {
        call("whittle_mach_reply", vec![self.request()], to().ty)
    }

    fn end_reply(&self) -> Statement {
        call_statement("whittle_mach_answer", vec![self.request(), to()])
    }

    /// A switch on the message's number.
    fn dispatch(&self, object: &Interface) -> Declaration {
        let served = name("_served", Type::Void.constant().pointer());
        // C++ converts no `void *` by itself.
        let typed = cast_to(functions_type(object), served.clone());
        let mut body = vec![local("_operations", functions_type(object), Some(typed))];
        let mut arms: Vec<SwitchArm> = Vec::new();
        for operation in &object.operations {
            let served = call_statement(&serving(operation), vec![functions(object), context(), self.request()]);
            let labels = vec![CaseLabel::Value(message_id(operation))];
            arms.push(SwitchArm { labels, body: vec![served, Statement::Break] });
        }
        let unknown = call_statement("whittle_mach_unknown", vec![self.request()]);
        arms.push(SwitchArm { labels: vec![CaseLabel::Default], body: vec![unknown, Statement::Break] });
        let value = arrow(self.request(), "id", Type::named("uint32_t"));
        if object.operations.is_empty() {
            let unused = |what: Expression| Statement::Expression(cast_to(Type::Void, what));
            body = vec![unused(served.clone()), unused(context())];
        }
        body.push(Statement::Switch { value, arms });
        let parameters = vec![
            parameter("_served", served.ty),
            parameter("_context", Type::Void.pointer()),
            parameter("_request", self.request().ty),
        ];
        function(Linkage::Static, Type::Void, object.dispatch.as_str(), parameters, body)
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        let ty = Type::structure("whittle_mach_interface").constant();
        let described = Statement::Declare(Variable {
            storage: Storage::Static,
            name: "_interface".to_string(),
            ty: ty.clone(),
            initial: Some(braces(vec![name(object.dispatch.as_str(), Type::Void)])),
            ..Variable::default()
        });
        (vec![described], vec![address(name("_interface", ty))])
    }
}
