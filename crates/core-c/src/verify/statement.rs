//! Statements and arguments.

use super::Verifier;
use crate::{Argument, Callee, Function, LocalKind, Place, Receiver, Shape, Signature, StatementKind, TypeId};

impl Verifier<'_> {
    pub(super) fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Set { local, value } => {
                let ty = self.value(value);
                self.register(*local, ty);
            }
            StatementKind::Store { place, value } => {
                let (to, from) = (self.place(place), self.value(value));
                if !self.agree(to, from) {
                    self.finding("a store of another type than its place");
                }
            }
            StatementKind::LoadVolatile { local, place } => {
                if !place.volatile {
                    self.finding("a volatile load of a place that is not");
                }
                let ty = self.place(place);
                self.register(*local, ty);
            }
            StatementKind::Copy { to, from } => {
                let (to, from) = (self.place(to), self.place(from));
                if !self.is_object(to) || !self.agree(to, from) {
                    self.finding("a copy between objects of different types");
                }
            }
            StatementKind::Zero { place } => {
                self.place(place);
            }
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments),
            StatementKind::Begin { local, size } => {
                if self.local(*local).is_some_and(|(_, kind)| kind != LocalKind::Memory) {
                    self.finding("the lifetime of a register");
                }
                if let Some(size) = size {
                    self.value(size);
                }
            }
            StatementKind::Assembly { outputs, inputs, .. } => {
                outputs.iter().for_each(|place| {
                    self.place(place);
                });
                inputs.iter().for_each(|value| {
                    self.value(value);
                });
            }
        }
    }

    fn register(&mut self, local: crate::LocalId, ty: TypeId) {
        match self.local(local) {
            Some((known, LocalKind::Register)) if self.agree(known, ty) => {}
            Some((_, LocalKind::Register)) => self.finding("a register is given a value of another type"),
            Some((_, LocalKind::Memory)) => self.finding("a variable in memory is set as a register"),
            None => {}
        }
    }

    fn call(&mut self, receiver: Option<&Receiver>, callee: &Callee, arguments: &[Argument]) {
        let signature = match callee {
            Callee::Function(id) => {
                let function: &Function = &self.program.functions[*id];
                // What builtins take depends on their arguments.
                if function.name.starts_with("__") { None } else { self.signature(function.ty) }
            }
            Callee::Pointer(pointer) => {
                let ty = self.value(pointer);
                let found = self.program.types.element(ty).and_then(|ty| self.signature(ty));
                if found.is_none() {
                    self.finding("a call through something that is no pointer to a function");
                }
                found
            }
        };
        let given: Vec<TypeId> = arguments.iter().map(|argument| self.argument(argument)).collect();
        let result = match receiver {
            None => None,
            Some(Receiver::Register(local)) => self.local(*local).map(|(ty, kind)| {
                if kind != LocalKind::Register {
                    self.finding("a variable in memory takes a result as a register");
                }
                ty
            }),
            Some(Receiver::Object(place)) => Some(self.place(place)),
        };
        if let Some(signature) = signature {
            self.against(&signature, &given, result);
        }
    }

    /// Arguments and result against what the callee's type says.
    fn against(&mut self, signature: &Signature, given: &[TypeId], result: Option<TypeId>) {
        if let Some(result) = result
            && !self.agree(result, signature.result)
        {
            self.finding("a result is taken as another type than the callee's");
        }
        if signature.unprototyped {
            return;
        }
        let wanted = signature.parameters.len();
        if given.len() < wanted || (given.len() > wanted && !signature.variadic) {
            return self.finding("a call with a wrong number of arguments");
        }
        for (given, wanted) in given.iter().zip(&signature.parameters) {
            if !self.agree(*given, *wanted) {
                self.finding("an argument of another type than its parameter");
            }
        }
    }

    pub(super) fn argument(&mut self, argument: &Argument) -> TypeId {
        match argument {
            Argument::Value(value) => self.value(value),
            Argument::Object(place) => {
                let ty = self.place(place);
                if !self.is_object(ty) {
                    self.finding("a scalar is passed as an object");
                }
                ty
            }
        }
    }

    /// A place that is read or written as it stands there.
    pub(super) fn shape(&self, place: &Place) -> &Shape {
        self.program.types.shape_of(place.ty)
    }
}
