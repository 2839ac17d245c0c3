//! Expressions and places.

use super::Verifier;
use crate::{
    BinaryOperator, Expression, ExpressionKind, LocalKind, Place, PlaceBase, Shape, Step, StepKind, TypeId, find_field,
};

impl Verifier<'_> {
    /// A value; gives its type.
    pub(super) fn value(&mut self, value: &Expression) -> TypeId {
        let ty = value.ty;
        match &value.kind {
            ExpressionKind::Integer(number) => self.integer(*number, ty),
            ExpressionKind::Float(_) => {
                if !matches!(self.program.types.shape_of(ty), Shape::Float { .. }) {
                    self.finding("a floating constant of another type");
                }
            }
            ExpressionKind::Local(local) => match self.local(*local) {
                Some((known, LocalKind::Register)) if self.agree(known, ty) => {}
                Some((_, LocalKind::Register)) => self.finding("a register is read as another type"),
                Some((_, LocalKind::Memory)) => self.finding("a variable in memory is read as a register"),
                None => {}
            },
            ExpressionKind::Load(place) => self.load(place, ty),
            ExpressionKind::Address(place) => {
                self.place(place);
                if place.bits().is_some() {
                    self.finding("the address of a bit-field");
                }
                self.pointer(ty);
            }
            ExpressionKind::Function(id) => {
                if id.into_raw().into_u32() as usize >= self.program.functions.len() {
                    self.finding("a function that is not there");
                }
                self.pointer(ty);
            }
            ExpressionKind::Label(block) => {
                if self.function.is_some() {
                    self.target(*block);
                }
            }
            ExpressionKind::Unary(_, operand) => {
                let operand = self.value(operand);
                self.same(operand, ty, "an operator whose result has another type than its operand");
            }
            ExpressionKind::Binary(operator, a, b) => self.binary(*operator, a, b, ty),
            ExpressionKind::Offset { pointer, count, .. } => self.offset(pointer, count, ty),
            ExpressionKind::Distance(a, b) => {
                let (a, b) = (self.value(a), self.value(b));
                self.pointer(a);
                self.pointer(b);
            }
            ExpressionKind::Convert(operand) => {
                let operand = self.value(operand);
                self.scalar(operand);
                self.scalar(ty);
            }
            ExpressionKind::Opaque { operands, .. } => operands.iter().for_each(|operand| {
                self.value(operand);
            }),
        }
        ty
    }

    fn integer(&mut self, number: i128, ty: TypeId) {
        let types = &self.program.types;
        let fits = match types.shape_of(ty) {
            Shape::Integer { boolean: true, .. } => (0..=1).contains(&number),
            Shape::Integer { bits: 128.., .. } => true,
            Shape::Integer { bits, signed: true, .. } => {
                (-(1_i128 << (bits - 1))..1_i128 << (bits - 1)).contains(&number)
            }
            Shape::Integer { bits, signed: false, .. } => (0..1_i128 << bits).contains(&number),
            Shape::Pointer(_) => (0..1_i128 << 64).contains(&number),
            _ => false,
        };
        if !fits {
            self.finding(&format!("the constant {number} is not in the range of its type"));
        }
    }

    fn load(&mut self, place: &Place, ty: TypeId) {
        let of = self.place(place);
        self.same(of, ty, "a load of another type than its place");
        if place.volatile {
            self.finding("a load of a volatile place inside of an expression");
        }
        if !self.program.types.is_scalar(ty) && *self.shape(place) != Shape::Opaque {
            self.finding("a load of a whole object");
        }
    }

    fn binary(&mut self, operator: BinaryOperator, a: &Expression, b: &Expression, ty: TypeId) {
        let (a, b) = (self.value(a), self.value(b));
        if operator.is_comparison() {
            self.same(a, b, "a comparison of values of different types");
            let shape = self.program.types.shape_of(ty);
            if !matches!(shape, Shape::Integer { bits: 32, signed: true, .. }) {
                self.finding("a comparison whose result is no `int`");
            }
            return;
        }
        self.same(a, ty, "an operator whose result has another type than its left operand");
        if !matches!(operator, BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight) {
            self.same(b, ty, "an operator whose result has another type than its right operand");
        }
        if matches!(self.program.types.shape_of(ty), Shape::Pointer(_)) {
            self.finding("arithmetic on pointers as on numbers");
        }
    }

    fn offset(&mut self, pointer: &Expression, count: &Expression, ty: TypeId) {
        let (pointer, count) = (self.value(pointer), self.value(count));
        self.same(pointer, ty, "a moved pointer has another type than before");
        self.pointer(pointer);
        if !matches!(self.program.types.shape_of(count), Shape::Integer { .. }) {
            self.finding("a pointer is moved by something that is no integer");
        }
        let element = self.program.types.element(pointer);
        if element.and_then(|element| self.program.types.size_of(element)).is_none() {
            self.finding("a pointer to something of unknown size is moved");
        }
    }

    fn same(&mut self, a: TypeId, b: TypeId, message: &str) {
        if !self.agree(a, b) {
            let (a, b) = (&self.program.types.get(a).c, &self.program.types.get(b).c);
            self.finding(&format!("{message}: `{}`, `{}`", cast::print_type(a), cast::print_type(b)));
        }
    }

    fn pointer(&mut self, ty: TypeId) {
        if !matches!(self.program.types.shape_of(ty), Shape::Pointer(_)) {
            self.finding("an address or pointer whose type is none");
        }
    }

    fn scalar(&mut self, ty: TypeId) {
        if !self.program.types.is_scalar(ty) {
            self.finding("a conversion of something that is no scalar");
        }
    }

    /// A place; gives the type of what it holds.
    pub(super) fn place(&mut self, place: &Place) -> TypeId {
        let mut ty = match &place.base {
            PlaceBase::Local(local) => match self.local(*local) {
                Some((ty, LocalKind::Memory)) => ty,
                Some(_) => {
                    self.finding("a register is used as memory");
                    return place.ty;
                }
                None => return place.ty,
            },
            PlaceBase::Global(global) => {
                if global.into_raw().into_u32() as usize >= self.program.globals.len() {
                    self.finding("an object that is not there");
                    return place.ty;
                }
                self.program.globals[*global].ty
            }
            PlaceBase::Pointee(pointer) => {
                let pointer = self.value(pointer);
                self.pointer(pointer);
                self.program.types.element(pointer).unwrap_or(place.ty)
            }
        };
        for step in &place.steps {
            self.step(ty, step);
            ty = step.ty;
        }
        self.same(ty, place.ty, "a place of another type than its last step");
        place.ty
    }

    fn step(&mut self, from: TypeId, step: &Step) {
        let types = &self.program.types;
        match &step.kind {
            StepKind::Field { name, offset, bits } => {
                let found = types.record(from).and_then(|layout| find_field(&types.table, layout, name));
                let fits = found
                    .as_ref()
                    .is_some_and(|field| field.offset / 8 == *offset && field.bits == bits.map(|bits| bits.width));
                if !fits {
                    let record = cast::print_type(&types.get(from).c);
                    self.finding(&format!("`{record}` has no member `{name}` at {offset}"));
                }
            }
            StepKind::Index(index) => {
                let element = match types.shape_of(from) {
                    Shape::Array(element, _) => Some(*element),
                    _ => None,
                };
                match element {
                    Some(element) => self.same(element, step.ty, "an element of another type than its array's"),
                    None => self.finding("an element of something that is no array"),
                }
                let index = self.value(index);
                if !matches!(self.program.types.shape_of(index), Shape::Integer { .. }) {
                    self.finding("an index that is no integer");
                }
            }
        }
    }
}
