//! The link `fluke`: calls whose first words travel in registers, as far as they fit, and the rest in the kernel's buffer. Each request
//! has its operation's number beside its words. Sizes are known here, so that the run time keeps what is short out of memory.
//!
//! In: interfaces whose operations have numbers. Out: what [`rpc`](super::rpc) writes clients and servers with, and the run time
//! (`runtime/fluke`), over whatever kernel a header describes. Source: Flick (PLDI'97) section 3.2 ("Specialized Transports": Fluke).

pub mod runtime;

use cast::build::{address, arrow, call, integer, local, member, multiply, name, unsigned};
use cast::{Declaration, Expression, Statement, Type};
use pres::{Interface, LinkKind, Operation, PresC, TypeStubId};

use super::rpc::{Link, Payloads, Protocol, Refusals, by_number, served, to};
use super::sizes::Sizes;
use super::statements::call_statement;
use crate::encodings::{ByteOrder, Cdr};

/// The encoding of all values.
const ENCODING: Cdr = Cdr { order: ByteOrder::Host, strict: false, in_registers: true, called: None };

/// Sizes beyond this are as good as none: no stack has room for them.
const LARGEST: u64 = 1 << 20;

/// The link, for the types of a file.
pub struct Fluke<'a> {
    sizes: Sizes<'a>,
}

impl<'a> Fluke<'a> {
    /// Messages are made of these types.
    pub fn of(pres: &'a PresC) -> Fluke<'a> {
        Fluke { sizes: Sizes::of(pres, &ENCODING) }
    }

    /// The most bytes that one of some messages takes; one of nothing takes none.
    fn most(&self, packs: &[Option<TypeStubId>]) -> Expression {
        let sizes: Option<Vec<u64>> = packs.iter().flatten().map(|pack| self.sizes.largest(*pack)).collect();
        let most = sizes.map(|sizes| sizes.into_iter().max().unwrap_or(0)).filter(|most| *most <= LARGEST);
        most.map_or_else(|| name("WHITTLE_FLUKE_ANY", Type::named("size_t")), unsigned)
    }
}

impl Protocol for Fluke<'_> {
    fn kind(&self) -> LinkKind {
        LinkKind::Fluke
    }

    fn payloads(&self) -> Payloads {
        Payloads::Words
    }

    fn request(&self) -> Expression {
        name("_request", Type::structure("whittle_fluke_call").pointer())
    }

    /// A kernel drops the reply to a request that nobody waits for.
    fn refusals(&self) -> Refusals {
        Refusals::new("whittle_fluke_unknown", "whittle_fluke_bad_arguments", true)
    }
}

impl Link for Fluke<'_> {
    /// Both messages have the same words.
    fn send(&self, _: &Interface, operation: &Operation, encode: Option<Statement>) -> Vec<Statement> {
        let [request, reply] = [operation.client_request.structure(), operation.client_reply.structure()];
        let room = call("WHITTLE_FLUKE_WORDS", vec![self.most(&[request, reply])], Type::named("size_t"));
        let words = name("_words", Type::named("uint64_t").array(room));
        let client = name("client", LinkKind::Fluke.client().pointer());
        let most = [request, reply].map(|pack| self.most(&[pack]));
        let begin = [vec![address(self.call()), client, operation.procedure(), words.clone()], most.to_vec()].concat();
        let begun = local("_to", to().ty, Some(call("whittle_fluke_begin", begin, to().ty)));
        [local("_words", words.ty, None), begun].into_iter().chain(encode).collect()
    }

    /// A switch on the number. Each case has a call of its own, of known sizes, so that what is short is in no memory.
    fn dispatch(&self, object: &Interface) -> Declaration {
        let turn = name("_turn", Type::structure("whittle_fluke_turn").pointer());
        let registers = name("WHITTLE_FLUKE_REGISTERS", Type::INT);
        let few = name("_few", Type::named("uint64_t").array(multiply(integer(2), registers)));
        let arm = |operation: &Operation| {
            let most = [operation.server_request.structure(), operation.server_reply.structure()]
                .map(|pack| self.most(&[pack]));
            let arrived = [vec![address(self.call()), turn.clone(), few.clone()], most.to_vec()].concat();
            let body = vec![
                local("_call", self.call().ty, None),
                local("_few", few.ty.clone(), None),
                call_statement("whittle_fluke_arrived", arrived),
                served(operation, address(self.call())),
                call_statement("whittle_fluke_depart", vec![address(self.call()), turn.clone()]),
            ];
            (operation.procedure(), vec![Statement::Block(body)])
        };
        let arms = object.operations.iter().map(arm).collect();
        let received = arrow(turn.clone(), "received", Type::structure("whittle_fluke_message"));
        let code = member(received, "code", Type::named("uint64_t"));
        by_number(object, (turn.clone(), code), arms, "whittle_fluke_no_operation")
    }

    fn description(&self, object: &Interface) -> (Vec<Statement>, Vec<Expression>) {
        (Vec::new(), vec![name(object.dispatch.as_str(), Type::Void)])
    }
}
