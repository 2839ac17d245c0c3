//! Calls: unfolded where the callee's body is there, left to the residual program where not.

pub(crate) mod lessons;
pub(crate) mod merge;
pub(crate) mod outlined;
pub(crate) mod reach;
pub(crate) mod recursion;
pub(crate) mod retained;
mod structures;
pub(crate) mod unfold_blocker;
pub(crate) mod unused;
pub(crate) mod variadic;
pub(crate) mod variants;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use core_c::{Argument, Callee, ExpressionKind, FunctionId, LocalKind, Place, PlaceBase, Receiver, StatementKind};

use crate::engine::call_chain::CallSite;
use crate::engine::residual::End;
use crate::engine::state::Frame;
use crate::engine::worklist::JoinEdge;
use crate::engine::{Engine, Step};
use crate::memory::access::Location;
use crate::memory::{Background, Cell, Object, Origin};
use crate::report::Cause;
use crate::values::value::{ObjectId, Pointer, Value};

/// Frames that may be open at once.
const DEPTH: usize = 2000;

/// Objects whose addresses had gone elsewhere before a call, and those that were private.
pub(super) struct KnownElsewhere {
    escaped: BTreeSet<ObjectId>,
    pub(super) private: BTreeSet<ObjectId>,
}

impl Engine<'_> {
    pub(crate) fn call(&mut self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) -> Step<()> {
        let function = match callee {
            Callee::Function(function) => Some(*function),
            Callee::Pointer(address) => match self.evaluate(address)? {
                Value::Function(function) => Some(function),
                _ => None,
            },
        };
        let Some(function) = function else {
            self.trace.call(callee).unknown += 1;
            return self.residual_call(receiver, callee, arguments);
        };
        let name = &self.input.functions[function].name;
        if self.annotation(name, arguments)? {
            self.trace.call(callee).computed += 1;
            return Ok(());
        }
        if self.may_unfold(function, arguments)? {
            self.decided += 1;
            self.trace.call(callee).unfolded += 1;
            return self.unfold(function, receiver, arguments);
        }
        if let Some(name) = name.strip_prefix("__builtin_").filter(|name| name.starts_with("va_"))
            && self.variadic_call(name, receiver, arguments)?
        {
            self.trace.call(callee).computed += 1;
            return Ok(());
        }
        // Whoever looks whether the call can be done already evaluates what it is given.
        let before = self.known_elsewhere();
        if !self.input.functions[function].has_body() && self.known_call(function, receiver, arguments)? {
            self.decided += 1;
            self.trace.call(callee).computed += 1;
            return Ok(());
        }
        if self.call_variant(function, receiver, arguments)? {
            self.trace.call(callee).variants += 1;
            return Ok(());
        }
        let data = &self.input.functions[function];
        let has_body = data.has_body();
        let calls = self.trace.call(callee);
        *(if has_body { &mut calls.general } else { &mut calls.outside }) += 1;
        self.lend_and_call(receiver, &Callee::Function(function), arguments, &before)
    }

    /// Which objects' addresses are known where the specializer does not look.
    pub(super) fn known_elsewhere(&self) -> KnownElsewhere {
        let all = |test: fn(&Object) -> bool| {
            self.state.memory.iter().filter(|(_, object)| test(object)).map(|(id, _)| id).collect()
        };
        KnownElsewhere { escaped: all(|object| object.escaped), private: all(|object| object.isolated) }
    }

    fn may_unfold(&mut self, function: FunctionId, arguments: &[Argument]) -> Step<bool> {
        let data = &self.input.functions[function];
        if self.is_kept(function) || data.parameters.len() > arguments.len() || self.state.frames.len() >= DEPTH {
            return Ok(false);
        }
        if self.functions.outlined.contains(&function) {
            return Ok(false);
        }
        let open = self.state.frames.iter().position(|frame| frame.function == function);
        match open {
            Some(at) if self.state.frames[at..].iter().any(|frame| frame.under_dynamic_control) => {
                self.may_reenter(function, arguments)
            }
            _ => Ok(true),
        }
    }

    fn unfold(&mut self, function: FunctionId, receiver: Option<&Receiver>, arguments: &[Argument]) -> Step<()> {
        self.keep_long_failures()?;
        self.count_call(function);
        let input = self.input;
        let data = &input.functions[function];
        let caller = self.state.top();
        let site =
            CallSite { caller: caller.function, block: caller.block, statement: caller.statement, callee: function };
        let chain = self.paths.extend(caller.chain, site);
        // Looking through many open calls takes its time.
        self.steps += self.state.frames.len() as u64 / 16;
        let Some((entry, _)) = data.blocks.iter().next() else { return Ok(()) };
        self.trace.function(function);
        let mut frame = Frame {
            function,
            chain,
            registers: BTreeMap::new(),
            objects: BTreeMap::new(),
            block: entry,
            statement: 0,
            receiver: receiver.cloned(),
            variable_arguments: Rc::new(Vec::new()),
            given: Rc::new(Vec::new()),
            under_dynamic_control: false,
            forked: false,
            exits: BTreeMap::new(),
            made: self.made,
        };
        let (mut rest, mut given) = (Vec::new(), Vec::new());
        for (at, argument) in arguments.iter().enumerate() {
            let Some(parameter) = data.parameters.get(at) else {
                rest.push(self.variable_argument(argument)?);
                continue;
            };
            let local = &data.locals[*parameter];
            let value = match argument {
                Argument::Value(value) => {
                    let from = value.ty;
                    let value = self.evaluate(value)?;
                    // Calls without a prototype promise the right types; conversion is for the rest.
                    let value = self.convert(value, from, local.ty)?;
                    let value = self.bind(value, &local.name);
                    given.push(value.clone());
                    Some(self.shared_parameter(function, *parameter, value)?)
                }
                Argument::Object(_) => None,
            };
            if let (Some(value), LocalKind::Register) = (&value, local.kind) {
                frame.registers.insert(*parameter, value.clone());
                continue;
            }
            let mut object = self.fresh(Origin::Local(chain, *parameter), local.ty, Background::Undefined);
            if let Some(value) = value {
                object.cells.insert(0, Cell { size: object.size.unwrap_or(0), ty: local.ty, value });
            }
            let id = self.next_object();
            self.state.memory.insert(id, object);
            frame.objects.insert(*parameter, id);
            if let Argument::Object(place) = argument {
                let source = self.locate(place)?;
                self.copy_between(Location::Known(Pointer::to(id)), source, local.ty)?;
            }
        }
        (frame.variable_arguments, frame.given) = (Rc::new(rest), Rc::new(given));
        self.state.frames.push(frame);
        Ok(())
    }

    fn variable_argument(&mut self, argument: &Argument) -> Step<(Value, core_c::TypeId)> {
        match argument {
            Argument::Value(value) => {
                let ty = value.ty;
                let value = self.evaluate(value)?;
                Ok((self.bind(value, ""), ty))
            }
            Argument::Object(_) => self.refuse("a structure among variable arguments"),
        }
    }

    /// Leaves the top frame; its caller goes on with the result.
    pub(crate) fn return_to_caller(&mut self, value: Option<&Argument>) -> Step<()> {
        let result = match value {
            Some(Argument::Value(value)) => {
                let (ty, value) = (value.ty, self.evaluate(value)?);
                Some((self.bind(value, ""), ty))
            }
            _ => None,
        };
        let object = match value {
            Some(Argument::Object(place)) => Some((self.locate(place)?, place.ty)),
            _ => None,
        };
        let made = self.state.top().made;
        let result = match result {
            Some((value, ty)) => Some((self.returned(made, (value, ty))?, ty)),
            None => None,
        };
        let Some(frame) = self.state.frames.pop() else { return Ok(()) };
        match (&frame.receiver, result, object) {
            (Some(Receiver::Register(local)), Some((value, _)), _) => self.set(*local, value)?,
            (Some(Receiver::Object(place)), _, Some((source, ty))) => {
                let target = self.locate(place)?;
                let source =
                    if self.may_overlap(&target, &source, frame.chain) { self.aside(source, ty)? } else { source };
                self.copy_between(target, source, ty)?;
            }
            (Some(Receiver::Object(place)), Some((value, _)), _) => self.store(&place.clone(), value)?,
            _ => {}
        }
        for id in frame.objects.values() {
            self.end_life(*id, frame.chain);
        }
        if frame.forked {
            let top = self.state.top_mut();
            top.forked = true;
            let point = (top.chain, top.block, top.statement);
            self.enter_join(point, JoinEdge::default(), false);
        }
        Ok(())
    }

    /// Results are values: where they come from may overlap where they go to, unlike in an assignment. Objects of the
    /// callee's own frame do not.
    fn may_overlap(&self, target: &Location, source: &Location, callee: crate::engine::call_chain::ChainId) -> bool {
        let origin = |id| self.state.memory.get(id).map(|object| object.origin);
        let Location::Known(from) = source else { return true };
        match (target, origin(from.object)) {
            (_, Some(Origin::Local(chain, _))) if chain == callee => false,
            (Location::Known(to), _) if to.object == from.object => to.offset != from.offset,
            (Location::Known(to), from) => {
                [origin(to.object), from].iter().any(|origin| matches!(origin, None | Some(Origin::Pointee(_))))
            }
            (Location::Residual(..), _) => true,
        }
    }

    /// A copy in the residual program, of which nothing is known.
    fn aside(&mut self, source: Location, ty: core_c::TypeId) -> Step<Location> {
        let (from, _) = self.residual_location(source, ty)?;
        let local = self.residual.local("result", ty, LocalKind::Memory);
        let to = Place { base: PlaceBase::Local(local), steps: Vec::new(), ty, volatile: false };
        self.emit(StatementKind::Copy { to: to.clone(), from });
        Ok(Location::Residual(to, None))
    }

    fn end_life(&mut self, id: crate::values::value::ObjectId, chain: crate::engine::call_chain::ChainId) {
        let ends = |object: &crate::memory::Object| matches!(object.origin, Origin::Local(own, _) if own == chain);
        if self.state.memory.get(id).is_some_and(ends) {
            self.state.memory.retain(|other| other != id);
        }
    }

    /// A call that the residual program makes.
    pub(crate) fn residual_call(
        &mut self,
        receiver: Option<&Receiver>,
        callee: &Callee,
        arguments: &[Argument],
    ) -> Step<()> {
        let before = self.known_elsewhere();
        self.lend_and_call(receiver, callee, arguments, &before)
    }

    /// The same, where this held before.
    fn lend_and_call(
        &mut self,
        receiver: Option<&Receiver>,
        callee: &Callee,
        arguments: &[Argument],
        before: &KnownElsewhere,
    ) -> Step<()> {
        let mut lifted = Vec::new();
        let mut moved = Vec::new();
        for argument in arguments {
            self.moved_from = None;
            lifted.push(self.lift_argument(argument)?);
            moved.push(self.moved_from.filter(|_| is_moved(argument)));
        }
        let callee = match callee {
            Callee::Function(function) => {
                self.called.insert(*function);
                Callee::Function(*function)
            }
            Callee::Pointer(address) => {
                let ty = address.ty;
                let value = self.evaluate(address)?;
                Callee::Pointer(self.lift(value, ty)?)
            }
        };
        let (name, fails) = match &callee {
            Callee::Function(function) => (self.input.functions[*function].name.clone(), self.only_fails(*function)),
            Callee::Pointer(_) => (String::new(), false),
        };
        // Of a function of the program nothing is known, whatever its name.
        let own = matches!(&callee, Callee::Function(function) if self.input.functions[*function].has_body());
        let library = if own { "" } else { &name };
        // What those write that are described is known once they have.
        let effects = &self.options.effects;
        let is_described = effects.comes_back(library) && effects.writes_through(library).is_some();
        if effects.only_reads(library) || is_described {
            self.keep_private(&before.private);
        } else {
            self.hand_over(&name, &lifted);
        }
        let pure = self.options.effects.is_pure(library);
        if self.options.effects.sees_anything(library) {
            self.reveal(&callee)?;
        }
        let cause = self.blame_of_call(&callee, &name);
        let (target, kept) = self.residual_receiver(receiver, cause)?;
        let filling = self.filling(library, arguments)?;
        let handed = lifted.clone();
        self.emit(StatementKind::Call { receiver: target, callee, arguments: lifted });
        // What a function returns may lead to what it was given.
        if receiver.is_none() {
            self.take_back(library, (&handed, &moved), &before.escaped);
        }
        if !pure {
            self.changed_by(library, &handed, &moved);
        }
        self.keep_private(&before.private);
        if let Some(filling) = filling {
            self.note_filling(&filling);
        }
        if fails || self.options.effects.never_returns(library) {
            self.end(End::Unreachable);
            return Ok(());
        }
        self.got(&name, arguments, (receiver, kept))
    }

    /// The result of a call that the residual program makes goes where it belongs.
    fn got(
        &mut self,
        name: &str,
        arguments: &[Argument],
        (receiver, kept): (Option<&Receiver>, Option<Value>),
    ) -> Step<()> {
        match (receiver, kept) {
            (Some(Receiver::Register(local)), Some(value)) => {
                self.state.top_mut().registers.insert(*local, value.clone());
                if let Value::Dynamic(register) = value {
                    self.learn_order(name, arguments, register)?;
                }
                match (value, self.usual_results.get(name)) {
                    (Value::Dynamic(register), Some(usual)) => self.split_on(register, *usual),
                    _ => Ok(()),
                }
            }
            (Some(Receiver::Object(place)), _) => {
                let root = self.locate(place)?.root();
                self.written(root, None);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Why a call stays; that of a function of the program is said in any case.
    fn blame_of_call(&mut self, callee: &Callee, name: &str) -> Cause {
        match callee {
            Callee::Function(function) => {
                let data = &self.input.functions[*function];
                if !data.has_body() {
                    return Cause::Result(name.to_owned());
                }
                let cause = Cause::Kept(self.plain_name(*function), self.why_kept(*function));
                let what = format!("the result of `{}`", self.plain_name(*function));
                let blame = self.blame(cause.clone(), what);
                self.blames.tell(blame);
                cause
            }
            Callee::Pointer(_) => Cause::Effects(None),
        }
    }

    /// Unknown code that is handed an address may write there, private or not.
    fn hand_over(&mut self, name: &str, arguments: &[Argument]) {
        for argument in arguments {
            let Argument::Value(value) = argument else { continue };
            for register in crate::scenario::addresses(value) {
                let Some(id) = self.state.memory.find(Origin::Pointee(register)) else { continue };
                for id in self.whole_of(id) {
                    self.lose(id, Cause::Effects(Some(name.to_owned())));
                    if let Some(object) = self.state.memory.get_mut(id) {
                        object.cells.clear();
                    }
                }
            }
        }
    }

    pub(crate) fn residual_receiver(
        &mut self,
        receiver: Option<&Receiver>,
        cause: Cause,
    ) -> Step<(Option<Receiver>, Option<Value>)> {
        match receiver {
            None => Ok((None, None)),
            Some(Receiver::Register(local)) => {
                let source = &self.input.functions[self.state.top().function].locals[*local];
                let to = self.residual.local(&source.name, source.ty, LocalKind::Register);
                let what = match &cause {
                    Cause::Result(name) | Cause::Kept(name, _) | Cause::Recursion(name) => {
                        format!("the result of `{name}`")
                    }
                    _ => "the result of a call".to_owned(),
                };
                let blame = self.blame(cause, what);
                self.blames.set(to, Some(blame));
                Ok((Some(Receiver::Register(to)), Some(Value::Dynamic(to))))
            }
            Some(Receiver::Object(place)) => {
                let location = self.locate(place)?;
                let (place, _) = self.residual_location(location, place.ty)?;
                Ok((Some(Receiver::Object(place)), None))
            }
        }
    }

    /// Code of the program that is called as it stands sees the globals where they are. What a pointer calls has had its
    /// address taken, and was exposed then.
    pub(crate) fn reveal(&mut self, callee: &Callee) -> Step<()> {
        match callee {
            Callee::Function(function) => self.expose_function(*function),
            Callee::Pointer(_) => Ok(()),
        }
    }
}

/// True for an address that is moved last, conversions aside.
fn is_moved(argument: &Argument) -> bool {
    let Argument::Value(value) = argument else { return false };
    let mut kind = &value.kind;
    while let ExpressionKind::Convert(inner) = kind {
        kind = &inner.kind;
    }
    matches!(kind, ExpressionKind::Offset { .. })
}
