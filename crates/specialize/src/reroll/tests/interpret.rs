//! Runs small functions: what they load, store, call and return, in order.

use std::collections::BTreeMap;

use core_c::{
    Argument, BinaryOperator, Callee, Expression, ExpressionKind, Function, FunctionId, LocalId, Place, PlaceBase,
    Program, Receiver, Shape, StatementKind, StepKind, Terminator, TypeId, UnaryOperator,
};

/// What somebody outside sees.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) struct Seen {
    pub(super) events: Vec<String>,
    pub(super) memory: BTreeMap<i128, u8>,
    pub(super) result: Option<i128>,
}

struct Machine<'a> {
    program: &'a Program,
    function: &'a Function,
    registers: BTreeMap<LocalId, i128>,
    seen: Seen,
    /// What the next call gives depends on all calls before.
    state: u64,
}

const STEPS: usize = 2_000_000;

pub(super) fn run(program: &Program, id: FunctionId, arguments: &[i128]) -> Seen {
    let function = &program.functions[id];
    let mut machine = Machine { program, function, registers: BTreeMap::new(), seen: Seen::default(), state: 7 };
    machine.registers.extend(function.parameters.iter().copied().zip(arguments.iter().copied()));
    let mut block = function.blocks.iter().next().expect("there is an entry").0;
    for _ in 0..STEPS {
        for statement in &function.blocks[block].statements {
            machine.statement(&statement.kind);
        }
        block = match &function.blocks[block].end {
            Terminator::Goto(target) => *target,
            Terminator::Branch { condition, then, otherwise } => {
                if machine.value(condition) != 0 {
                    *then
                } else {
                    *otherwise
                }
            }
            Terminator::Switch { value, cases, default } => {
                let value = machine.value(value);
                let case = cases.iter().find(|case| (case.first..=case.last).contains(&value));
                case.map_or(*default, |case| case.target)
            }
            Terminator::Return(value) => {
                if let Some(Argument::Value(value)) = value {
                    machine.seen.result = Some(machine.value(value));
                }
                return machine.seen;
            }
            Terminator::GotoAddress { .. } | Terminator::Unreachable => panic!("no way on"),
        };
    }
    panic!("no end");
}

impl Machine<'_> {
    fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Set { local, value } => {
                let value = self.value(value);
                self.registers.insert(*local, value);
            }
            StatementKind::Store { place, value } => {
                let (at, value) = (self.place(place), self.value(value));
                let size = self.size(place.ty);
                self.seen.events.push(format!("store {at} {size} {value}"));
                for byte in 0..size {
                    self.seen.memory.insert(at + byte, (value >> (8 * byte)) as u8);
                }
            }
            StatementKind::Call { receiver, callee, arguments } => {
                let Callee::Function(callee) = callee else { panic!("a call through a pointer") };
                let values = arguments.iter().map(|argument| match argument {
                    Argument::Value(value) => self.value(value),
                    Argument::Object(_) => panic!("an object is passed"),
                });
                let values: Vec<i128> = values.collect();
                let result = self.call(&self.program.functions[*callee].name.clone(), &values);
                if let Some(Receiver::Register(local)) = receiver {
                    let result = self.wrap(result, self.function.locals[*local].ty);
                    self.registers.insert(*local, result);
                }
            }
            _ => panic!("a statement of another kind"),
        }
    }

    fn call(&mut self, name: &str, values: &[i128]) -> i128 {
        match (name, values) {
            ("__builtin_bswap32", [value]) => return i128::from((*value as u32).swap_bytes()),
            ("memcpy", [to, from, bytes]) => self.move_words(*to, *from, *bytes, 1),
            ("whittle_order32", [to, from, words]) => self.move_words(*to, *from, *words, 4),
            _ => {
                let event = format!("call {name} {values:?}");
                for byte in event.bytes() {
                    self.state = (self.state ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(5);
                }
                self.seen.events.push(event);
            }
        }
        (self.state >> 40).into()
    }

    /// Copies words, reversing each.
    fn move_words(&mut self, to: i128, from: i128, words: i128, width: i128) {
        let reversed = |at: i128| from + at - at % width + (width - 1 - at % width);
        let bytes: Vec<u8> = (0..words * width).map(|at| self.memory(reversed(at))).collect();
        self.seen.memory.extend((to..).zip(bytes));
    }

    fn size(&self, ty: TypeId) -> i128 {
        self.program.types.size_of(ty).expect("a size").into()
    }

    fn place(&self, place: &Place) -> i128 {
        let mut at = match &place.base {
            PlaceBase::Pointee(pointer) => self.value(pointer),
            PlaceBase::Local(_) | PlaceBase::Global(_) => panic!("an object by name"),
        };
        for step in &place.steps {
            at += match &step.kind {
                StepKind::Field { offset, .. } => i128::from(*offset),
                StepKind::Index(index) => self.value(index) * self.size(step.ty),
            };
        }
        at
    }

    fn value(&self, value: &Expression) -> i128 {
        let result = match &value.kind {
            ExpressionKind::Integer(number) => *number,
            ExpressionKind::Local(local) => *self.registers.get(local).expect("a register that is set"),
            ExpressionKind::Load(place) => {
                let at = self.place(place);
                let byte = |offset| i128::from(self.memory(at + offset)) << (8 * offset);
                (0..self.size(value.ty)).map(byte).sum()
            }
            ExpressionKind::Address(place) => self.place(place),
            ExpressionKind::Unary(UnaryOperator::Negate, operand) => self.checked(-self.value(operand), value.ty),
            ExpressionKind::Unary(UnaryOperator::Complement, operand) => !self.value(operand),
            ExpressionKind::Binary(operator, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                match operator {
                    BinaryOperator::Add => self.checked(left + right, value.ty),
                    BinaryOperator::Subtract => self.checked(left - right, value.ty),
                    BinaryOperator::Multiply => self.checked(left * right, value.ty),
                    BinaryOperator::Xor => left ^ right,
                    BinaryOperator::Or => left | right,
                    BinaryOperator::And => left & right,
                    BinaryOperator::ShiftLeft => left << right,
                    BinaryOperator::ShiftRight => left >> right,
                    BinaryOperator::Less => i128::from(left < right),
                    BinaryOperator::Equal => i128::from(left == right),
                    _ => panic!("an operator of another kind"),
                }
            }
            ExpressionKind::Offset { pointer, count, negative } => {
                let element = self.program.types.element(pointer.ty).expect("a pointer");
                let by = self.value(count) * self.size(element);
                self.value(pointer) + if *negative { -by } else { by }
            }
            ExpressionKind::Convert(inner) => self.value(inner),
            _ => panic!("an expression of another kind"),
        };
        self.wrap(result, value.ty)
    }

    /// Memory that nobody has written holds something all the same.
    fn memory(&self, at: i128) -> u8 {
        self.seen.memory.get(&at).copied().unwrap_or((at.wrapping_mul(2_654_435_761) >> 7) as u8)
    }

    /// Signed arithmetic stays in the range of its type, always.
    fn checked(&self, value: i128, ty: TypeId) -> i128 {
        if matches!(self.program.types.shape_of(ty), Shape::Integer { signed: true, .. }) {
            assert_eq!(self.wrap(value, ty), value, "overflow");
        }
        value
    }

    fn wrap(&self, value: i128, ty: TypeId) -> i128 {
        match *self.program.types.shape_of(ty) {
            Shape::Integer { bits, signed, .. } => {
                let kept = value & ((1 << bits) - 1);
                if signed && kept >> (bits - 1) & 1 == 1 { kept - (1 << bits) } else { kept }
            }
            _ => value,
        }
    }
}
