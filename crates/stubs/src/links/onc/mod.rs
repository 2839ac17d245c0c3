//! The link `onc`: calls of ONC RPC without a library. Stubs marshal straight into the message, behind a header that is a
//! constant but for its number.
//!
//! The same over libtirpc's `CLIENT` and `SVCXPRT` is the link `tirpc` of all styles but rpcgen's: there the library has the header.
//!
//! In: interfaces with numbers. Out: what [`rpc`](super::rpc) writes clients and servers with, and the run time that carries
//! messages (`runtime/onc`), over whichever transport an address names. Source: RFC 5531; Flick (PLDI'97) section 3.

mod library;
mod objects;
pub mod runtime;
pub mod tirpc;

pub use library::Near;

use cast::build::{address, arrow, call, local, member, name, returns, unsigned};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, LinkKind, Operation};

use super::rpc::{Link, Payloads, Protocol, Refusals, by_number, bytes, served, to};
use super::statements::{call_statement, described};

/// ONC RPC, by either of two run times, whose functions are the same but for what their names begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Onc {
    /// Ours, `runtime/onc`.
    Whole,
    /// `runtime/tirpc`, over libtirpc.
    Tirpc,
}

impl Onc {
    /// `static const struct whittle_onc_program _program = {0x20000001u, 1u, dispatch_dir};`
    fn described(self, object: &Interface) -> (Statement, Expression) {
        let [program, version] = object.numbers();
        described("_program", &self.own("program"), vec![program, version, name(&object.dispatch, Type::Void)])
    }

    /// The number in a request.
    fn number(self) -> Expression {
        arrow(self.request(), "procedure", Type::named("uint32_t"))
    }

    /// What is done for each procedure. Procedure 0 answers that the server is there (RFC 5531, section 12.1).
    fn arms(
        self,
        object: &Interface,
        served: impl Iterator<Item = (Expression, Statement)>,
    ) -> Vec<(Expression, Vec<Statement>)> {
        let mut arms: Vec<(Expression, Vec<Statement>)> = Vec::new();
        if !object.has_procedure_0() {
            let nothing = vec![self.request(), self.begin_reply()];
            arms.push((unsigned(0), vec![call_statement(&self.own("answer"), nothing)]));
        }
        arms.extend(served.map(|(procedure, served)| (procedure, vec![served])));
        arms
    }
}

impl Protocol for Onc {
    fn kind(&self) -> LinkKind {
        match self {
            Onc::Whole => LinkKind::Onc,
            Onc::Tirpc => LinkKind::Tirpc,
        }
    }

    fn payloads(&self) -> Payloads {
        Payloads::Xdr
    }

    /// Who waits for no reply gets none (RFC 5531, section 8.4.1).
    fn refusals(&self) -> Refusals {
        Refusals::new(self.own("unknown"), self.own("garbage"), false)
    }
}

impl Link for Onc {
    fn send(&self, object: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let [program, version] = object.numbers();
        let client = name("client", self.kind().client().pointer());
        let begin = vec![address(self.call()), client, program, version, operation.procedure()];
        let begun = local("_to", to().ty, Some(call(self.own("begin"), begin, to().ty)));
        [begun].into_iter().chain(encode).collect()
    }

    fn post(&self) -> Vec<Statement> {
        let posted = call_statement(&self.own("post"), vec![address(self.call()), to()]);
        let end = vec![address(self.call()), member(self.call(), "at", bytes())];
        vec![posted, returns(call(self.own("end"), end, Type::INT))]
    }

    /// A switch on the procedure's number.
    fn dispatch(&self, object: &Interface) -> Declaration {
        let served = object.operations.iter().map(|operation| {
            let served = served(operation, self.request());
            (operation.procedure(), served)
        });
        by_number(object, (self.request(), self.number()), self.arms(object, served), &self.refusals().unimplemented)
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        let (described, given) = self.described(object);
        (vec![described], vec![given])
    }
}
