//! The sensitivities of the papers, each of which can be switched off to see in the residual code what it buys.
//!
//! In: names of sensitivities, and the values that a run gives to variables, members and parameters. Out: residual registers in
//! place of known values, where an insensitive specializer could not use them. What is found to be unknown once is recorded, and
//! the run begins again with it. Source: Hornof, Noyé, Consel, "Effective Specialization of Realistic Programs via Use
//! Sensitivity" (1997); Muller, Marlet, Volanschi, "Accurate Program Analyses" (section 3).

use std::collections::BTreeSet;

use core_c::{Expression, ExpressionKind, FunctionId, LocalId, Shape, Statement, TypeId};

use crate::engine::{Engine, Step};
use crate::report::Cause;
use crate::values::value::{Pointer, Value};

/// What is switched off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Without {
    /// A variable that is unknown anywhere in a function is unknown in all of it.
    pub flow: bool,
    /// A parameter that is unknown in one call of a function is unknown in all.
    pub context: bool,
    /// A variable whose value the residual code needs is not used before run time.
    pub uses: bool,
    /// What a function returns that leaves residual code is not known.
    pub returns: bool,
    /// A member that is unknown in one structure of a type is unknown in all.
    pub objects: bool,
    /// A structure of which a member is unknown is unknown.
    pub members: bool,
    /// A test teaches nothing about what it tested.
    pub tests: bool,
}

impl Without {
    /// What can be switched off, by name.
    pub const NAMES: [&str; 7] = ["flow", "context", "uses", "returns", "objects", "members", "tests"];

    /// Switches off what has this name; false where nothing has.
    pub fn switch_off(&mut self, name: &str) -> bool {
        let switch = match name {
            "flow" => &mut self.flow,
            "context" => &mut self.context,
            "uses" => &mut self.uses,
            "returns" => &mut self.returns,
            "objects" => &mut self.objects,
            "members" => &mut self.members,
            "tests" => &mut self.tests,
            _ => return false,
        };
        *switch = true;
        true
    }
}

/// What shares one binding time while a sensitivity is off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Shared {
    Register(FunctionId, LocalId),
    Parameter(FunctionId, LocalId),
    /// A structure's tag, and where in it.
    Member(String, u64),
    Structure(String),
}

impl Engine<'_> {
    /// What a register of the top frame is set to.
    pub(crate) fn shared_register(&mut self, local: LocalId, value: Value) -> Step<Value> {
        let without = self.options.without;
        if !without.flow && !without.uses {
            return Ok(value);
        }
        let function = self.state.top().function;
        let data = &self.input.functions[function].locals[local];
        let shared = Shared::Register(function, local);
        self.share(shared, without.flow, value, data.ty)
    }

    /// What a parameter of an unfolded function is given.
    pub(crate) fn shared_parameter(&mut self, function: FunctionId, local: LocalId, value: Value) -> Step<Value> {
        let without = self.options.without;
        let ty = self.input.functions[function].locals[local].ty;
        let value = match without.context {
            true => self.share(Shared::Parameter(function, local), true, value, ty)?,
            false => value,
        };
        match without.flow || without.uses {
            true => self.share(Shared::Register(function, local), without.flow, value, ty),
            false => Ok(value),
        }
    }

    /// What is stored in memory.
    pub(crate) fn shared_member(&mut self, pointer: Pointer, ty: TypeId, value: Value) -> Step<Value> {
        let without = self.options.without;
        if !without.objects && !without.members {
            return Ok(value);
        }
        let Some(object) = self.state.memory.get(pointer.object) else { return Ok(value) };
        let (Shape::Record(tag), Ok(offset)) = (self.types.shape_of(object.ty), u64::try_from(pointer.offset)) else {
            return Ok(value);
        };
        let shared = match without.members {
            true => Shared::Structure(tag.clone()),
            false => Shared::Member(tag.clone(), offset),
        };
        self.share(shared, true, value, ty)
    }

    /// What an unfolded call returns; `made` is how much residual code there was when it began.
    pub(crate) fn returned(&mut self, made: usize, (value, ty): (Value, TypeId)) -> Step<Value> {
        match self.options.without.returns && self.made > made && value.is_known() {
            true => self.in_register(value, ty),
            false => Ok(value),
        }
    }

    /// A statement left residual code: what it read is needed at run time, too.
    pub(crate) fn used(&mut self, statement: &Statement) {
        if !self.options.without.uses {
            return;
        }
        let function = self.state.top().function;
        let mut registers = BTreeSet::new();
        for expression in statement.kind.expressions() {
            expression.walk(&mut |part: &Expression| {
                if let ExpressionKind::Local(local) = part.kind {
                    registers.insert(Shared::Register(function, local));
                }
            });
        }
        for shared in registers {
            self.outdated |= self.functions.shared.insert(shared);
        }
    }

    /// A known value in a register, where something that shares its binding time is unknown; an unknown one is recorded.
    fn share(&mut self, shared: Shared, spreads: bool, value: Value, ty: TypeId) -> Step<Value> {
        if !value.is_known() {
            let is_new = spreads && value != Value::Undefined && self.functions.shared.insert(shared);
            self.outdated |= is_new;
            return Ok(value);
        }
        match self.functions.shared.contains(&shared) {
            true => self.in_register(value, ty),
            false => Ok(value),
        }
    }

    fn in_register(&mut self, value: Value, ty: TypeId) -> Step<Value> {
        let lifted = self.lift(value, ty)?;
        let register = self.bind_tree(lifted, "");
        let blame = self.blame(Cause::Insensitive, "a value".to_owned());
        self.blames.set(register, Some(blame));
        self.forget_number(register);
        Ok(Value::Dynamic(register))
    }
}
