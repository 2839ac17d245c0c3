//! Objects and how the residual program names them.

use std::rc::Rc;

use core_c::{Expression, ExpressionKind, FunctionId, GlobalId, LocalId, LocalKind, Shape, StatementKind, TypeId};

use source::Limit;

use crate::calls::reach;
use crate::engine::{Engine, Interrupt, Step};
use crate::memory::{Background, Cell, Object, Origin};
use crate::mutation;
use crate::report::Cause;
use crate::values::value::{ObjectId, Pointer, Value};

impl Engine<'_> {
    /// The object that a memory local of the top frame is.
    pub(crate) fn local_object(&mut self, local: LocalId) -> ObjectId {
        if let Some(id) = self.state.top().objects.get(&local) {
            return *id;
        }
        self.begin(local)
    }

    /// A local's life begins.
    pub(crate) fn begin(&mut self, local: LocalId) -> ObjectId {
        let frame = self.state.top();
        let (origin, ty) = (Origin::Local(frame.chain, local), self.input.functions[frame.function].locals[local].ty);
        if let Some(id) = self.begin_again(origin) {
            self.state.top_mut().objects.insert(local, id);
            return id;
        }
        let object = self.fresh(origin, ty, Background::Undefined);
        let id = self.next_object();
        self.state.memory.insert(id, object);
        self.state.top_mut().objects.insert(local, id);
        id
    }

    /// A jump back to before a declaration does not end the life of what is declared there: it is still the same
    /// object, and only its content is indeterminate again (C11 section 6.2.4).
    fn begin_again(&mut self, origin: Origin) -> Option<ObjectId> {
        let id = self.state.memory.find(origin).filter(|_| !mutation::forgets("begin-again"))?;
        let is_pointer = |value: &Value| matches!(value, Value::Pointer(pointer) if pointer.object == id);
        let escaped = self.state.memory.get(id).is_some_and(|object| object.escaped);
        let is_known = escaped
            || self.state.frames.iter().any(|frame| {
                frame.registers.values().chain(frame.variable_arguments.iter().map(|(value, _)| value)).any(is_pointer)
            })
            || self.state.memory.iter().any(|(_, object)| {
                let is_part = object.within.is_some_and(|within| within.object == id);
                is_part || object.cells.values().any(|cell| is_pointer(&cell.value))
            });
        if !is_known {
            self.state.memory.remove(id);
            return None;
        }
        let object = self.state.memory.get_mut(id)?;
        object.cells.clear();
        if !object.residual {
            object.background = Background::Undefined;
        }
        Some(id)
    }

    /// The object that a global is.
    pub(crate) fn global_object(&mut self, global: GlobalId) -> ObjectId {
        let origin = Origin::Global(global);
        let id = ObjectId::of_global(global);
        if self.state.memory.get(id).is_some() {
            return id;
        }
        // Globals may point to each other: the object is there before its content is looked at.
        let object = self.fresh(origin, self.input.globals[global].ty, Background::Unknown);
        self.state.memory.insert(id, object);
        let object = self.initial_object(global);
        let residual = object.residual;
        self.state.memory.insert(id, object);
        if residual {
            // What it points to can be reached from now on.
            let _ = self.expose_cells(id);
        }
        id
    }

    /// A global as it is when the root function is entered. Outside a program's start only what nobody writes is known.
    fn initial_object(&mut self, global: GlobalId) -> Object {
        let data = &self.input.globals[global];
        let mut object = self.fresh(Origin::Global(global), data.ty, Background::Unknown);
        object.constant = data.constant;
        // A function of its own may be called at any time.
        let at_start = self.options.program_start && self.variant.is_none();
        let is_known = data.initial.is_some() && (data.constant || at_start) && !data.thread_local;
        object.residual = !is_known;
        object.escaped = !is_known;
        if !is_known {
            return object;
        }
        let is_given = self.letters.has(global);
        (object.escaped, object.background) = (is_given, if is_given { Background::Unknown } else { Background::Zero });
        for part in data.initial.as_deref().unwrap_or_default() {
            if part.bits.is_some() || object.residual {
                object.background = Background::Unknown;
                object.residual = true;
                continue;
            }
            let value = self.evaluate(&part.value).unwrap_or(Value::Undefined);
            let ty = part.value.ty;
            let size = self.types.size_of(ty).unwrap_or(0);
            if value.is_known() && size > 0 && self.link.may_name(&part.value) {
                object.write(part.offset, Cell { size, ty, value });
            } else {
                object.background = Background::Unknown;
                object.residual = true;
            }
        }
        object.settled = object.constant && !object.residual && !is_given;
        object
    }

    /// The residual program gets an object of which so far only the cells were there.
    pub(crate) fn materialize(&mut self, id: ObjectId) -> Step<()> {
        let Some(object) = self.state.memory.get_mut(id) else {
            return self.refuse("an object is used whose life has ended");
        };
        let is_given = matches!(object.origin, Origin::Global(global) if self.letters.has(global));
        if object.residual || is_given {
            return Ok(());
        }
        if let Origin::Snapshot(number) = object.origin {
            return self.do_without_snapshot(number);
        }
        let list = object.cells.values().find_map(|cell| match cell.value {
            Value::Arguments(chain, _) => Some(chain),
            _ => None,
        });
        if let Some(chain) = list {
            return self.keep_variadic(chain, "its variable arguments go where the specializer does not look");
        }
        if object.cells.values().any(|cell| matches!(cell.value, Value::Label(..))) {
            return self.refuse("the address of a label must exist in the residual program");
        }
        let before = object.clone();
        object.residual = true;
        let (origin, background, ty, size) = (object.origin, object.background, object.ty, object.size);
        object.background = Background::Unknown;
        let cells: Vec<(u64, Cell)> = object.cells.iter().map(|(at, cell)| (*at, cell.clone())).collect();
        let start = match origin {
            Origin::Local(..) => self.declare(id, origin, ty)?,
            Origin::Global(global) => Some(self.initial_object(global)),
            Origin::Pointee(_) | Origin::Snapshot(_) => None,
        };
        // Where much is zero, all is made so at once.
        let zeros: u64 =
            cells.iter().filter(|(_, cell)| cell.value == Value::Integer(0)).map(|(_, cell)| cell.size).sum();
        let is_local = matches!(origin, Origin::Local(..));
        let zeroed = background == Background::Zero || is_local && zeros > 16;
        if is_local && zeroed {
            let place = self.object_place(Pointer::to(id), ty)?;
            self.emit(StatementKind::Zero { place });
        }
        if background == Background::Zero {
            self.fill_gaps(id, size.unwrap_or(0));
        }
        for (offset, cell) in cells {
            let same = start.as_ref().is_some_and(|start| start.cells.get(&offset) == Some(&cell));
            let is_zeroed = zeroed && start.is_none() && cell.value == Value::Integer(0);
            // The address of an object that is gone is nothing (C11 6.2.4p2).
            let is_gone = matches!(cell.value, Value::Pointer(to) if self.state.memory.get(to.object).is_none());
            if !same && !is_zeroed && !is_gone && cell.value != Value::Undefined {
                self.store_cell(id, offset, &cell)?;
            }
        }
        self.begin_elements(id, &before)?;
        self.expose_cells(id)
    }

    /// What the cells of a residual object lead to can be reached by residual code.
    fn expose_cells(&mut self, id: ObjectId) -> Step<()> {
        let Some(object) = self.state.memory.get(id).filter(|_| !mutation::forgets("expose")) else { return Ok(()) };
        let values: Vec<Value> = object.cells.values().map(|cell| cell.value.clone()).collect();
        for value in values {
            match value {
                Value::Pointer(pointer) if self.state.memory.get(pointer.object).is_some() => {
                    self.materialize(pointer.object)?;
                    self.escape(pointer.object);
                }
                Value::Function(function) => {
                    self.escapes(function);
                    self.expose_function(function)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Residual code may call a function: it finds the globals where they are.
    pub(crate) fn expose_function(&mut self, function: FunctionId) -> Step<()> {
        if !self.options.program_start {
            return Ok(());
        }
        let input = self.input;
        let reached = self.reached.entry(function).or_insert_with(|| Rc::new(reach::globals(input, function)));
        for global in Rc::clone(reached).iter() {
            let id = self.global_object(*global);
            if !self.leave_inside(id, *global) {
                self.materialize(id)?;
            }
            self.escape(id);
        }
        Ok(())
    }

    /// A table of labels is its function's own, and cannot be named elsewhere: it stays as it is from the start.
    fn leave_inside(&mut self, id: ObjectId, global: GlobalId) -> bool {
        if !self.is_table_of_labels(global) {
            return false;
        }
        let start = self.initial_object(global);
        let Some(object) = self.state.memory.get_mut(id) else { return false };
        if object.cells != start.cells {
            return false;
        }
        (object.residual, object.background) = (true, Background::Unknown);
        true
    }

    /// Nobody else can name a table of labels: its function is called as it stands.
    pub(crate) fn keep_owner<T>(&mut self, global: GlobalId) -> Step<T> {
        let reason = "a table of labels must exist in the residual program".to_owned();
        let owner = self.input.globals[global].scope;
        match owner.map(|owner| self.functions.kept.insert(owner, reason.clone())) {
            Some(None) => Err(Interrupt::RestartAll),
            _ => self.refuse(reason),
        }
    }

    pub(crate) fn is_table_of_labels(&self, global: GlobalId) -> bool {
        let global = &self.input.globals[global];
        let is_label = &mut |part: &Expression| matches!(part.kind, ExpressionKind::Label(_));
        global.scope.is_some() && global.initial.iter().flatten().any(|part| part.value.any(is_label))
    }

    /// Declares a residual local for an object.
    fn declare(&mut self, id: ObjectId, origin: Origin, ty: TypeId) -> Step<Option<Object>> {
        if self.types.size_of(ty).is_none() {
            let _ = id;
            return self.refuse("an array whose length is computed must exist in the residual program");
        }
        if !self.places.contains_key(&origin) {
            let name = self.name_of(origin);
            let local = self.residual.local(&name, ty, LocalKind::Memory);
            self.residual.locals[local].alignment = self.alignment_of(origin);
            self.places.insert(origin, local);
        }
        Ok(None)
    }

    fn name_of(&self, origin: Origin) -> String {
        let Origin::Local(chain, local) = origin else { return String::new() };
        let frame = self.state.frames.iter().find(|frame| frame.chain == chain);
        frame.map(|frame| self.input.functions[frame.function].locals[local].name.clone()).unwrap_or_default()
    }

    /// Bytes that are zero without being said to be get cells, since the object's background is no longer theirs.
    fn fill_gaps(&mut self, id: ObjectId, size: u64) {
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        let Some(object) = self.state.memory.get_mut(id) else { return };
        let mut at = 0;
        let mut gaps = Vec::new();
        for (offset, cell) in &object.cells {
            gaps.push((at, offset.saturating_sub(at)));
            at = offset + cell.size;
        }
        gaps.push((at, size.saturating_sub(at)));
        for (offset, size) in gaps.into_iter().filter(|(_, size)| *size > 0) {
            object.cells.insert(offset, Cell { size, ty: byte, value: Value::Integer(0) });
        }
    }

    /// Writes one cell through to the residual program.
    fn store_cell(&mut self, id: ObjectId, offset: u64, cell: &Cell) -> Step<()> {
        let at = i64::try_from(offset).unwrap_or(i64::MAX);
        if mutation::forgets("materialize") {
            return Ok(());
        }
        if self.types.is_scalar(cell.ty) && self.types.size_of(cell.ty) == Some(cell.size) {
            let place = self.object_place(Pointer { offset: at, ..Pointer::to(id) }, cell.ty)?;
            let value = self.lift_as(cell.value.clone(), cell.ty, place.ty)?;
            self.emit(StatementKind::Store { place, value });
            return Ok(());
        }
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        let Value::Integer(number) = cell.value else { return self.refuse("part of a value must go to memory") };
        if cell.size.saturating_add(self.residual.statements as u64) > self.options.budget.statements as u64 {
            return self.out_of_budget(Limit::Statements);
        }
        for index in 0..cell.size {
            let place = self.object_place(Pointer { offset: at + index as i64, ..Pointer::to(id) }, byte)?;
            let value = if index < 16 { number >> (index * 8) & 0xff } else { 0 };
            let value = self.lift_as(Value::Integer(value), byte, place.ty)?;
            self.emit(StatementKind::Store { place, value });
        }
        Ok(())
    }

    /// The residual program gets to know an object's address, and with it what the object's pointers lead to.
    pub(crate) fn escape(&mut self, id: ObjectId) {
        if let Some(object) = self.state.memory.get_mut(id).filter(|object| !object.elements.is_empty()) {
            object.elements.clear();
        }
        if mutation::forgets("escape") {
            return;
        }
        let Some(object) = self.state.memory.get(id) else { return };
        let (escaped, within) = (object.escaped, object.within);
        let private = object.isolated && !object.promised;
        if private && !mutation::forgets("private") {
            self.mark_private(id, false);
        }
        if !escaped {
            self.mark_escaped(id, true);
        }
        if let Some(within) = within.filter(|_| private || !escaped) {
            self.escape(within.object);
        }
    }

    /// A function of the program that is called from who knows where stays as it stands.
    fn escapes(&mut self, function: FunctionId) {
        if !self.input.functions[function].blocks.is_empty() {
            let what = format!("`{}`", self.plain_name(function));
            let blame = self.blame(Cause::Escape, what);
            self.blames.tell(blame);
        }
    }

    /// A residual expression for a value of one type, in another type.
    pub(crate) fn lift_as(&mut self, value: Value, from: TypeId, to: TypeId) -> Step<Expression> {
        let value = self.convert(value, from, to)?;
        self.lift(value, to)
    }

    /// A residual expression for a value.
    pub(crate) fn lift(&mut self, value: Value, ty: TypeId) -> Step<Expression> {
        let expression = |kind| Expression { kind, ty, span: None };
        let shape = self.types.shape_of(ty).clone();
        Ok(match value {
            Value::Integer(number) => match shape {
                Shape::Float { .. } => expression(ExpressionKind::Float(format!("{number}.0"))),
                _ => expression(ExpressionKind::Integer(number)),
            },
            Value::Undefined => match shape {
                Shape::Float { .. } => expression(ExpressionKind::Float("0.0".to_string())),
                _ => expression(ExpressionKind::Integer(0)),
            },
            Value::Float(bits) => expression(ExpressionKind::Float(float_text(&shape, bits))),
            Value::Function(function) => {
                self.called.insert(function);
                self.escapes(function);
                self.expose_function(function)?;
                let own = self.input.functions[function].ty;
                let pointer = self.types.pointer_to(own);
                let name = Expression { kind: ExpressionKind::Function(function), ty: pointer, span: None };
                if pointer == ty { name } else { expression(ExpressionKind::Convert(name.into())) }
            }
            Value::Label(..) => return self.refuse("the address of a label must exist in the residual program"),
            Value::Arguments(chain, _) => {
                return self.keep_variadic(chain, "its variable arguments go where the specializer does not look");
            }
            Value::Dynamic(local) => {
                self.expose_register(local);
                let own = self.residual.locals[local].ty;
                let register = Expression { kind: ExpressionKind::Local(local), ty: own, span: None };
                let number = matches!(shape, Shape::Integer { .. } | Shape::Float { .. });
                let same =
                    self.types.get(own).c == self.types.get(ty).c || number && *self.types.shape_of(own) == shape;
                if same { register } else { expression(ExpressionKind::Convert(register.into())) }
            }
            Value::Tree(tree) => *tree,
            Value::Pointer(pointer) => self.lift_pointer(pointer, ty)?,
        })
    }

    pub(crate) fn lift_pointer(&mut self, pointer: Pointer, ty: TypeId) -> Step<Expression> {
        let origin = self.state.memory.get(pointer.object).map(|object| object.origin);
        if let Some(Origin::Pointee(register)) = origin
            && pointer.offset == 0
        {
            if self.is_private(pointer.object) {
                self.escape(pointer.object);
            }
            return self.lift(Value::Dynamic(register), ty);
        }
        self.escape(pointer.object);
        self.name_address(pointer, ty)
    }
}

/// A float as C reads it back, exactly.
fn float_text(shape: &Shape, bits: u64) -> String {
    let Shape::Float { bits: width } = shape else { return format!("{bits}") };
    let value = crate::values::fold::float(*width, bits);
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}__builtin_inf{}()", if *width == 32 { "f" } else { "" });
    }
    if value.is_nan() {
        return nan_text(*width, bits);
    }
    // The shortest digits that lead back to the same bits.
    if *width == 32 { format!("{:?}f", value as f32) } else { format!("{value:?}") }
}

/// A NaN with its sign and what else its bits hold: a union or `memcpy` may look at them.
fn nan_text(width: u32, bits: u64) -> String {
    let (suffix, fraction) = if width == 32 { ("f", 23) } else { ("", 52) };
    let sign = if bits >> (width - 1) & 1 == 1 { "-" } else { "" };
    let kind = if bits >> (fraction - 1) & 1 == 1 { "nan" } else { "nans" };
    let payload = bits & ((1 << (fraction - 1)) - 1);
    format!("{sign}__builtin_{kind}{suffix}(\"{payload:#x}\")")
}
