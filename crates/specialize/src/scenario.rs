//! What a scenario says beyond C: calls that `whittle/specialize.h` makes of its annotations.

use core_c::names;
use core_c::{Argument, BinaryOperator, Callee, Expression, ExpressionKind, LocalId, Shape, StatementKind, Terminator};

use crate::Refusal;
use crate::engine::residual::End;
use crate::engine::{Engine, Interrupt, Step};
use crate::join::generalize::CellName;
use crate::memory::Origin;
use crate::memory::access::Location;
use crate::report::Cause;
use crate::report::trace::Source;
use crate::values::fold;
use crate::values::value::{ObjectId, Pointer, Value};

/// A residual expression that is known to have a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Fact {
    pub(crate) expression: Expression,
    pub(crate) value: i128,
}

impl Engine<'_> {
    /// Takes a call as an annotation, if it is one.
    pub(crate) fn annotation(&mut self, name: &str, arguments: &[Argument]) -> Step<bool> {
        let Some(name) = name.strip_prefix("whittle_scenario_") else { return Ok(false) };
        match name {
            "returns" => return self.usual_result(arguments),
            "dynamic" => return self.make_dynamic(arguments),
            "general" => return self.keep_general(arguments),
            _ => {}
        }
        let [Argument::Value(argument)] = arguments else { return Ok(false) };
        let value = self.evaluate(argument)?;
        match name {
            "fact" => self.fact(value, argument, true)?,
            "usually" => self.fact(value, argument, false)?,
            "assume" => self.assume(value, argument)?,
            "static" => self.contract(value, argument)?,
            "private" => self.private(value),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Notes what an external function usually returns.
    fn usual_result(&mut self, arguments: &[Argument]) -> Step<bool> {
        let [Argument::Value(function), Argument::Value(number)] = arguments else { return Ok(false) };
        let (function, number) = (self.evaluate(function)?, self.evaluate(number)?);
        if let (Value::Pointer(function), Value::Integer(number)) = (function, number)
            && let Some(name) = self.known_text(function)
        {
            self.usual_results.insert(String::from_utf8_lossy(&name).into_owned(), number);
            return Ok(true);
        }
        self.refuse("`WHITTLE_USUALLY_RETURNS`: the number is not known here")
    }

    /// What a variable holds is not known from here on.
    fn make_dynamic(&mut self, arguments: &[Argument]) -> Step<bool> {
        let [Argument::Value(variable), Argument::Value(size)] = arguments else { return Ok(false) };
        if let Some(place) = addressed(variable)
            && let Location::Residual(_, Some(root)) = self.locate(place)?
        {
            // An element that is not known: any of them.
            return self.make_all_dynamic(root).map(|()| true);
        }
        let (variable, size) = (self.evaluate(variable)?, self.evaluate(size)?);
        let variable = self.bind(variable, "");
        let (Some(pointer), Value::Integer(size)) = (self.as_pointer(&variable), size) else { return Ok(true) };
        let (Ok(from), Ok(size)) = (u64::try_from(pointer.offset), u64::try_from(size)) else { return Ok(true) };
        let Some(object) = self.state.memory.get(pointer.object) else { return Ok(true) };
        let origin = object.origin;
        let cells = object.cells.range(from..from.saturating_add(size)).map(|(at, cell)| (*at, cell.size));
        let mut inside: Vec<(u64, u64)> = cells.collect();
        // Its own members, since one cell may hold those beside it, too.
        for (at, ty) in self.declared_in(pointer, size).unwrap_or_default() {
            let member = (from.wrapping_add_signed(at), self.types.size_of(ty).unwrap_or(0));
            let is_part =
                |cell: &(u64, u64)| cell.0 <= member.0 && cell.0 + cell.1 >= member.0 + member.1 && *cell != member;
            inside.retain(|cell| !is_part(cell));
            inside.push(member);
        }
        inside.sort_unstable();
        inside.dedup();
        for (at, size) in inside {
            self.generalize_cell(CellName::Memory(origin, at, size), &Cause::Asked)?;
        }
        Ok(true)
    }

    fn make_all_dynamic(&mut self, id: ObjectId) -> Step<()> {
        let Some(object) = self.state.memory.get(id) else { return Ok(()) };
        let origin = object.origin;
        let cells: Vec<(u64, u64)> = object.cells.iter().map(|(at, cell)| (*at, cell.size)).collect();
        cells
            .into_iter()
            .try_for_each(|(at, size)| self.generalize_cell(CellName::Memory(origin, at, size), &Cause::Asked))
    }

    /// A function is called as it stands from here on.
    fn keep_general(&mut self, arguments: &[Argument]) -> Step<bool> {
        let [Argument::Value(name)] = arguments else { return Ok(false) };
        let Value::Pointer(name) = self.evaluate(name)? else { return Ok(true) };
        let Some(name) = self.known_text(name) else { return Ok(true) };
        let name = String::from_utf8_lossy(&name).into_owned();
        let Some((function, _)) = self.input.functions.iter().find(|(_, data)| names::plain(&data.name) == name) else {
            return self.refuse(format!("`WHITTLE_GENERAL`: there is no function `{name}`"));
        };
        self.functions.kept.insert(function, "the scenario says so (WHITTLE_GENERAL)".to_owned());
        Ok(true)
    }

    /// Two continuations under one test: a call has returned what it usually does, or something else.
    pub(crate) fn split_on(&mut self, register: LocalId, usual: i128) -> Step<()> {
        let ty = self.residual.locals[register].ty;
        let int = self.types.int();
        let operand = |kind| Box::new(Expression { kind, ty, span: None });
        let (left, right) = (operand(ExpressionKind::Local(register)), operand(ExpressionKind::Integer(usual)));
        let kind = ExpressionKind::Binary(BinaryOperator::Equal, left, right);
        let (holds, fails) = (self.residual.block(), self.residual.block());
        self.end(End::Branch(Expression { kind, ty: int, span: None }, holds, fails));
        self.forks();
        let state = self.state.clone();
        self.later(fails, state, None);
        self.current = holds;
        self.learn(register, &Value::Integer(usual));
        Ok(())
    }

    fn contract(&mut self, value: Value, argument: &Expression) -> Step<()> {
        if value.is_known() {
            return Ok(());
        }
        let lifted = self.lift(value, argument.ty)?;
        let source = self.blames.source_of(&lifted).or_else(|| self.blame_of(&lifted).map(Source::Blame));
        let because = source.and_then(|source| self.blames.why(source)).map(Box::new);
        let reason = "`WHITTLE_STATIC`: the value is not known here".to_owned();
        Err(Interrupt::Refuse(Refusal { reason, span: self.span, because, ..Refusal::default() }))
    }

    fn private(&mut self, value: Value) {
        let value = self.bind(value, "");
        let from_the_beginning = self.is_untouched() && self.state.frames.iter().all(|frame| !frame.forked);
        if let Some(pointer) = self.as_pointer(&value)
            && let Some(object) = self.state.memory.get_mut(pointer.object)
        {
            (object.isolated, object.promised) = (true, true);
            if let Origin::Pointee(register) = object.origin
                && from_the_beginning
            {
                self.residual.private.insert(register);
            }
        }
    }

    fn assume(&mut self, value: Value, argument: &Expression) -> Step<()> {
        match value {
            // On another path to this place it holds.
            Value::Integer(0) if self.state.top().forked => {
                self.end(End::Unreachable);
                Ok(())
            }
            Value::Integer(0) => self.refuse("`WHITTLE_ASSUME`: the condition never holds here"),
            Value::Integer(_) => Ok(()),
            value => {
                let condition = self.lift(value, argument.ty)?;
                self.learn_condition(&condition)
            }
        }
    }

    /// A test in the residual code; where it fails, the general code, or a continuation that knows less.
    fn fact(&mut self, value: Value, argument: &Expression, to_general: bool) -> Step<()> {
        let is_first = self.state.frames.len() == 1 && self.is_untouched();
        let value = match value {
            Value::Integer(0) if to_general && self.state.top().forked => {
                // On another path to this place it holds.
                return match self.general {
                    Some(general) if is_first => self.call_general(general),
                    _ => Ok(()),
                };
            }
            Value::Integer(0) if to_general => return self.refuse("`WHITTLE_FACT`: the condition never holds here"),
            Value::Integer(_) => return Ok(()),
            value => value,
        };
        let condition = self.lift(value, argument.ty)?;
        let (holds, fails) = (self.residual.block(), self.residual.block());
        self.end(End::Branch(condition.clone(), holds, fails));
        self.current = fails;
        match self.general {
            Some(general) if to_general && is_first => self.call_general(general)?,
            _ => {
                let state = self.state.clone();
                self.later(fails, state, None);
            }
        }
        self.current = holds;
        self.learn_condition(&condition)
    }

    /// Nothing has been done yet that the general code would do again.
    fn is_untouched(&self) -> bool {
        let effects = |statement: &core_c::Statement| !matches!(statement.kind, StatementKind::Set { .. });
        // Paths that have returned are not this one.
        let open = self.residual.blocks.iter().filter(|block| !matches!(block.end, Some(End::Return(_))));
        !open.flat_map(|block| &block.statements).any(effects)
    }

    /// Ends the block by calling the scenario's own body with the residual function's arguments.
    fn call_general(&mut self, general: core_c::FunctionId) -> Step<()> {
        let data = &self.input.functions[general];
        let mut arguments = Vec::new();
        for parameter in self.residual.parameters.clone() {
            let local = self.residual.locals[parameter].clone();
            arguments.push(match local.kind {
                core_c::LocalKind::Register => Argument::Value(self.lift(Value::Dynamic(parameter), local.ty)?),
                core_c::LocalKind::Memory => Argument::Object(core_c::Place::local(parameter, local.ty)),
            });
        }
        let returned = data.blocks.iter().find_map(|(_, block)| match &block.end {
            Terminator::Return(Some(value)) => Some(value.clone()),
            _ => None,
        });
        self.called.insert(general);
        let callee = Callee::Function(general);
        let (receiver, value) = match returned {
            Some(Argument::Value(value)) => {
                let local = self.residual.local("", value.ty, core_c::LocalKind::Register);
                let result = self.lift(Value::Dynamic(local), value.ty)?;
                (Some(core_c::Receiver::Register(local)), Some(Argument::Value(result)))
            }
            Some(Argument::Object(place)) => {
                let local = self.residual.local("", place.ty, core_c::LocalKind::Memory);
                let place = core_c::Place::local(local, place.ty);
                (Some(core_c::Receiver::Object(place.clone())), Some(Argument::Object(place)))
            }
            None => (None, None),
        };
        self.emit(StatementKind::Call { receiver, callee, arguments });
        self.end(End::Return(value));
        Ok(())
    }

    /// From here on a condition holds.
    fn learn_condition(&mut self, condition: &Expression) -> Step<()> {
        self.learn_numbers(condition, true);
        if let ExpressionKind::Binary(BinaryOperator::Equal, left, right) = &condition.kind {
            match (&self.narrowed(left, right).kind, &self.narrowed(right, left).kind) {
                (ExpressionKind::Local(register), ExpressionKind::Integer(value))
                | (ExpressionKind::Integer(value), ExpressionKind::Local(register)) => {
                    self.learn_everywhere(*register, &Value::Integer(*value));
                    return Ok(());
                }
                (ExpressionKind::Local(register), address) | (address, ExpressionKind::Local(register)) => {
                    if let Some(known) = self.displaced_register(address).or_else(|| self.known_address(address)) {
                        self.learn_everywhere(*register, &known);
                        return Ok(());
                    }
                }
                (_, ExpressionKind::Integer(value)) => {
                    let fact = Fact { expression: (**left).clone(), value: *value };
                    self.state.facts.push(fact);
                }
                _ => {}
            }
        }
        self.state.facts.push(Fact { expression: condition.clone(), value: 1 });
        Ok(())
    }

    /// Without conversions to wider integers, where the other side is a number that fits before them.
    fn narrowed<'e>(&self, wide: &'e Expression, other: &Expression) -> &'e Expression {
        let (ExpressionKind::Convert(inner), ExpressionKind::Integer(number)) = (&wide.kind, &other.kind) else {
            return wide;
        };
        match (self.types.shape_of(inner.ty), self.types.shape_of(wide.ty)) {
            (Shape::Integer { bits, signed, boolean: false }, Shape::Integer { bits: to, .. })
                if bits <= to && fold::wrap(*number, *bits, *signed) == *number =>
            {
                self.narrowed(inner, other)
            }
            _ => wide,
        }
    }

    /// A register is known, and what was found to point where it points.
    fn learn_everywhere(&mut self, register: LocalId, value: &Value) {
        self.learn(register, value);
        let Some(pointee) = self.state.memory.find(Origin::Pointee(register)) else { return };
        let known = |held: &mut Value| {
            let Value::Pointer(pointer) = held else { return };
            match value {
                _ if pointer.object != pointee => {}
                Value::Pointer(to) => *held = Value::Pointer(Pointer { offset: to.offset + pointer.offset, ..*to }),
                _ if pointer.offset == 0 => *held = value.clone(),
                _ => {}
            }
        };
        for frame in &mut self.state.frames {
            frame.registers.values_mut().for_each(known);
        }
        for id in self.state.memory.ids() {
            let leads = |held: &Value| matches!(held, Value::Pointer(pointer) if pointer.object == pointee);
            let object = self.state.memory.get(id);
            if object.is_some_and(|object| object.cells.values().any(|cell| leads(&cell.value)))
                && let Some(object) = self.state.memory.get_mut(id)
            {
                object.cells.values_mut().for_each(|cell| known(&mut cell.value));
            }
        }
    }

    /// A residual pointer, moved by a known distance.
    fn displaced_register(&mut self, address: &ExpressionKind) -> Option<Value> {
        match address {
            ExpressionKind::Local(register) => self.as_pointer(&Value::Dynamic(*register)).map(Value::Pointer),
            ExpressionKind::Convert(inner) => self.displaced_register(&inner.kind),
            ExpressionKind::Offset { pointer, count, negative: false } => {
                let ExpressionKind::Integer(count) = count.kind else { return None };
                let size = self.types.element(pointer.ty).and_then(|element| self.types.size_of(element)).unwrap_or(1);
                let Some(Value::Pointer(base)) = self.displaced_register(&pointer.kind) else { return None };
                let offset =
                    base.offset.checked_add(i64::try_from(count).ok()?.checked_mul(i64::try_from(size).ok()?)?)?;
                Some(Value::Pointer(crate::values::value::Pointer { offset, ..base }))
            }
            _ => None,
        }
    }

    /// The address of a whole global or a function, as a value.
    fn known_address(&mut self, address: &ExpressionKind) -> Option<Value> {
        match address {
            ExpressionKind::Function(function) => Some(Value::Function(*function)),
            ExpressionKind::Convert(inner) => self.known_address(&inner.kind),
            ExpressionKind::Address(place) if place.steps.is_empty() => match place.base {
                core_c::PlaceBase::Global(global) => {
                    let object = self.global_object(global);
                    Some(Value::Pointer(crate::values::value::Pointer::to(object)))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a residual expression is known to be.
    pub(crate) fn by_fact(&self, expression: &Expression) -> Option<Value> {
        let known = self.state.facts.iter().find(|fact| fact.expression.kind == expression.kind);
        known.map(|fact| Value::Integer(fact.value)).or_else(|| self.by_opposite(expression))
    }

    /// What `a == b` is where the scenario speaks of `a != b`, or of `b` and `a`.
    fn by_opposite(&self, expression: &Expression) -> Option<Value> {
        let ExpressionKind::Binary(operator, left, right) = &expression.kind else { return None };
        let is_equality = |operator| matches!(operator, BinaryOperator::Equal | BinaryOperator::NotEqual);
        self.state.facts.iter().filter(|_| is_equality(*operator)).find_map(|fact| {
            let ExpressionKind::Binary(other, a, b) = &fact.expression.kind else { return None };
            let alike = (a.kind == left.kind && b.kind == right.kind) || (a.kind == right.kind && b.kind == left.kind);
            let holds = (fact.value != 0) == (operator == other);
            (alike && is_equality(*other)).then(|| Value::Integer(holds.into()))
        })
    }
}

/// The place whose address an argument is.
fn addressed(argument: &Expression) -> Option<&core_c::Place> {
    match &argument.kind {
        ExpressionKind::Address(place) => Some(place),
        ExpressionKind::Convert(inner) => addressed(inner),
        _ => None,
    }
}

/// Whether a function says something to the specializer.
pub fn is_annotated(program: &core_c::Program, function: &core_c::Function) -> bool {
    function.blocks.values().flat_map(|block| &block.statements).any(|statement| is_annotation(program, statement))
}

/// Takes the annotations out of a function: what is left is the scenario as a compiler sees it.
pub fn strip(program: &core_c::Program, function: &mut core_c::Function) {
    for (_, block) in function.blocks.iter_mut() {
        block.statements.retain(|statement| !is_annotation(program, statement));
    }
}

fn is_annotation(program: &core_c::Program, statement: &core_c::Statement) -> bool {
    match &statement.kind {
        StatementKind::Call { callee: Callee::Function(callee), .. } => {
            program.functions[*callee].name.starts_with("whittle_scenario_")
        }
        _ => false,
    }
}

/// Facts about residual registers that are still there, under their new names; and the facts as part of a state's key.
pub(crate) fn registers(expression: &Expression) -> Vec<LocalId> {
    let mut found = std::cell::RefCell::new(Vec::new());
    let mut copy = expression.clone();
    crate::engine::rewrite::expression(&mut copy, &|local| {
        found.borrow_mut().push(local);
        local
    });
    std::mem::take(found.get_mut())
}

/// The registers whose own value, or a part of it, is in a value; what is loaded through them is another.
pub(crate) fn addresses(value: &Expression) -> Vec<LocalId> {
    match &value.kind {
        ExpressionKind::Local(local) => vec![*local],
        ExpressionKind::Load(_) => Vec::new(),
        _ => value.children().into_iter().flat_map(addresses).collect(),
    }
}
