//! Variable arguments of calls that are unfolded: a list (`va_list`) is a known value, the frame whose arguments it walks and the
//! number of the next one. In: calls of `va_start`, `va_arg`, `va_copy`, `va_end`. Out: nothing residual, where the list is known;
//! where the residual program needs the list itself, the function that began it is called as it stands. C11 section 7.16.

use core_c::{Argument, Receiver, Shape, TypeId};

use crate::engine::call_chain::ChainId;
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::Cell;
use crate::values::value::{Pointer, Value};

/// The next argument of a list of which only the frame is known: paths joined that had taken different numbers of them.
pub(crate) const LOST: usize = usize::MAX;

/// Where a list lies.
#[derive(Clone, Copy, Debug)]
struct List {
    at: Pointer,
    ty: TypeId,
}

impl Engine<'_> {
    /// Does a call of one of `va_start`, `va_arg`, `va_copy`, `va_end` (`name` is without `__builtin_`); false leaves it residual.
    pub(crate) fn variadic_call(
        &mut self,
        name: &str,
        receiver: Option<&Receiver>,
        arguments: &[Argument],
    ) -> Step<bool> {
        let Some(list) = self.list(arguments.first())? else { return Ok(false) };
        match name {
            "va_start" => {
                let chain = self.state.top().chain;
                match self.write_list(list, Value::Arguments(chain, 0)) {
                    true => Ok(true),
                    false => self.keep_variadic(chain, "its variable arguments go where the specializer does not look"),
                }
            }
            "va_copy" => match self.list(arguments.get(1))?.and_then(|from| self.read_list(from)) {
                Some((chain, next)) => Ok(self.write_list(list, Value::Arguments(chain, next))),
                None => Ok(false),
            },
            "va_end" => Ok(self.read_list(list).is_some() && self.write_list(list, Value::Undefined)),
            _ => self.next_argument(list, receiver),
        }
    }

    /// The list that an argument is the address of.
    fn list(&mut self, argument: Option<&Argument>) -> Step<Option<List>> {
        let Some(Argument::Value(address)) = argument else { return Ok(None) };
        let Some(ty) = self.types.element(address.ty) else { return Ok(None) };
        Ok(match self.evaluate(address)? {
            Value::Pointer(at) => Some(List { at, ty }),
            _ => None,
        })
    }

    fn read_list(&self, list: List) -> Option<(ChainId, usize)> {
        let object = self.state.memory.get(list.at.object)?;
        match object.cells.get(&u64::try_from(list.at.offset).ok()?)?.value {
            Value::Arguments(chain, next) => Some((chain, next)),
            _ => None,
        }
    }

    /// False where the list lies in the residual program's memory.
    fn write_list(&mut self, List { at, ty }: List, value: Value) -> bool {
        let object = self.state.memory.get_mut(at.object).filter(|object| !object.residual);
        match (object, u64::try_from(at.offset), self.types.size_of(ty)) {
            (Some(object), Ok(offset), Some(size)) => object.write(offset, Cell { size, ty, value }),
            _ => false,
        }
    }

    /// `va_arg`: the receiver says of which type.
    fn next_argument(&mut self, list: List, receiver: Option<&Receiver>) -> Step<bool> {
        let Some((chain, next)) = self.read_list(list) else { return Ok(false) };
        let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
        let Some((value, from)) = frame.and_then(|frame| frame.variable_arguments.get(next).cloned()) else {
            let why = match next {
                LOST => "it takes as many of its variable arguments as run time decides",
                _ => "it takes more arguments than it is given",
            };
            return self.keep_variadic(chain, why);
        };
        if let Some(Receiver::Register(local)) = receiver {
            let to = self.input.functions[self.state.top().function].locals[*local].ty;
            if !self.are_alike(from, to) {
                return self.keep_variadic(chain, "it takes an argument as something else than it was given as");
            }
            let value = self.convert(value, from, to)?;
            self.set(*local, value)?;
        } else if receiver.is_some() {
            return self.keep_variadic(chain, "it takes a structure from its variable arguments");
        }
        self.write_list(list, Value::Arguments(chain, next + 1));
        Ok(true)
    }

    /// Types of which one argument may be read as the other: C11 section 7.16.1.1.
    fn are_alike(&self, from: TypeId, to: TypeId) -> bool {
        let kind = |ty| match self.types.shape_of(ty) {
            Shape::Integer { bits, .. } => Some((0, u64::from(*bits))),
            Shape::Float { bits } => Some((1, u64::from(*bits))),
            Shape::Pointer(_) => Some((2, 64)),
            _ => None,
        };
        kind(from).is_some() && kind(from) == kind(to)
    }

    /// The residual program needs what the specializer alone knows: the function is called as it stands.
    pub(crate) fn keep_variadic<T>(&mut self, chain: ChainId, why: &str) -> Step<T> {
        let Some(frame) = self.state.frames.iter().find(|frame| frame.chain == chain) else { return self.refuse(why) };
        self.functions.kept.insert(frame.function, why.to_owned());
        Err(Interrupt::RestartAll)
    }
}
