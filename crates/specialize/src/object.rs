//! Objects and how the residual program names them.

use std::rc::Rc;

use core_c::{
    Expression, ExpressionKind, FunctionId, GlobalId, LocalId, LocalKind, Place, PlaceBase, Shape, StatementKind,
    Step as PlaceStep, StepKind, TypeId,
};

use source::Limit;

use crate::engine::{Engine, Interrupt, Step};
use crate::memory::{Background, Cell, Object, Origin};
use crate::mutation;
use crate::reach;
use crate::report::Cause;
use crate::value::{ObjectId, Pointer, Value};

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
        let (origin, ty) = (Origin::Local(frame.path, local), self.input.functions[frame.function].locals[local].ty);
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
            Value::Arguments(path, _) => Some(path),
            _ => None,
        });
        if let Some(path) = list {
            return self.keep_variadic(path, "its variable arguments go where the specializer does not look");
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
            if !same && !is_zeroed && cell.value != Value::Undefined {
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
    fn keep_owner<T>(&mut self, global: GlobalId) -> Step<T> {
        let reason = "a table of labels must exist in the residual program".to_owned();
        let owner = self.input.globals[global].scope;
        match owner.map(|owner| self.functions.kept.insert(owner, reason.clone())) {
            Some(None) => Err(Interrupt::RestartAll),
            _ => self.refuse(reason),
        }
    }

    fn is_table_of_labels(&self, global: GlobalId) -> bool {
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

    /// What a local's declaration asks for beyond its type.
    pub(crate) fn alignment_of(&self, origin: Origin) -> u64 {
        let Origin::Local(path, local) = origin else { return 0 };
        let frame = self.state.frames.iter().find(|frame| frame.path == path);
        frame.map_or(0, |frame| self.input.functions[frame.function].locals[local].alignment)
    }

    fn name_of(&self, origin: Origin) -> String {
        let Origin::Local(path, local) = origin else { return String::new() };
        let frame = self.state.frames.iter().find(|frame| frame.path == path);
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
        let Some(object) = self.state.memory.get(id).filter(|object| !object.escaped) else { return };
        let within = object.within;
        self.mark_escaped(id, true);
        if let Some(within) = within {
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
            Value::Arguments(path, _) => {
                return self.keep_variadic(path, "its variable arguments go where the specializer does not look");
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

    fn lift_pointer(&mut self, pointer: Pointer, ty: TypeId) -> Step<Expression> {
        let origin = self.state.memory.get(pointer.object).map(|object| object.origin);
        if let Some(Origin::Pointee(register)) = origin
            && pointer.offset == 0
        {
            return self.lift(Value::Dynamic(register), ty);
        }
        self.escape(pointer.object);
        self.name_address(pointer, ty)
    }

    /// An address in the residual program. What is done with it does not show it to others.
    pub(crate) fn name_address(&mut self, pointer: Pointer, ty: TypeId) -> Step<Expression> {
        self.materialize(pointer.object)?;
        let element = match self.types.shape_of(ty) {
            Shape::Pointer(to) => *to,
            _ => {
                let byte = self.types.scalar(cast::Scalar::Char);
                let address = self.types.pointer_to(byte);
                let address = self.lift_pointer(pointer, address)?;
                return Ok(Expression { kind: ExpressionKind::Convert(address.into()), ty, span: None });
            }
        };
        let place = self.object_place(pointer, element)?;
        // `&*p` is `p`.
        if let (PlaceBase::Pointee(address), []) = (&place.base, &place.steps[..])
            && address.ty == ty
        {
            return Ok((**address).clone());
        }
        // Functions of strings take a member array for all that they may touch.
        let is_elsewhere = self.types.size_of(element) == Some(1) && !self.is_named_where_taken(&place, pointer);
        let address = self.address_of(place, ty);
        Ok(if is_elsewhere { self.from_base(address) } else { address })
    }

    fn base_type(&self, base: &PlaceBase, unknown: TypeId) -> TypeId {
        match base {
            PlaceBase::Local(local) => self.residual.locals[*local].ty,
            PlaceBase::Global(global) => self.input.globals[*global].ty,
            PlaceBase::Pointee(address) => self.types.element(address.ty).unwrap_or(unknown),
        }
    }

    /// The address of a place as a pointer type; an array's is what the array decays to.
    fn address_of(&mut self, mut place: Place, ty: TypeId) -> Expression {
        let own = self.types.pointer_to(place.ty);
        if let Some(PlaceStep { kind: StepKind::Index(index), .. }) = place.steps.last()
            && index.kind == ExpressionKind::Integer(0)
        {
            place.steps.pop();
            place.ty = place.steps.last().map_or(self.base_type(&place.base, place.ty), |step| step.ty);
        }
        let address = Expression { kind: ExpressionKind::Address(Box::new(place)), ty: own, span: None };
        // Qualifiers aside, the types are often one.
        if own == ty || self.types.element(own) == self.types.element(ty) {
            return Expression { ty, ..address };
        }
        Expression { kind: ExpressionKind::Convert(address.into()), ty, span: None }
    }

    /// The residual program's name for what lies at an address, of a type that can stand for `ty`.
    pub(crate) fn object_place(&mut self, pointer: Pointer, ty: TypeId) -> Step<Place> {
        let Some(object) = self.state.memory.get(pointer.object) else {
            return self.refuse("an object is used whose life has ended");
        };
        let (origin, declared) = (object.origin, object.ty);
        let offset = u64::try_from(pointer.offset).ok();
        if let Origin::Pointee(register) = origin {
            return Ok(self.pointee_place(register, pointer.offset, ty));
        }
        let base = match origin {
            Origin::Local(..) => PlaceBase::Local(self.places[&origin]),
            Origin::Global(global) if self.is_table_of_labels(global) => return self.keep_owner(global),
            Origin::Global(global) if self.letters.has(global) => {
                let Some((register, start)) = self.ask_for(global) else { return self.refuse("unreachable") };
                return Ok(self.pointee_place(register, pointer.offset - start, ty));
            }
            Origin::Global(global) => PlaceBase::Global(global),
            Origin::Pointee(_) | Origin::Snapshot(_) => return self.refuse("unreachable"),
        };
        if let Some(steps) = offset.and_then(|offset| self.steps_to(declared, offset, ty)) {
            return Ok(whole_place(base, steps, declared));
        }
        let whole = self.types.pointer_to(declared);
        let whole_place = Place { base, steps: Vec::new(), ty: declared, volatile: false };
        let address = Expression { kind: ExpressionKind::Address(Box::new(whole_place)), ty: whole, span: None };
        let ty = self.accessible(ty, declared);
        Ok(self.displaced(address, pointer.offset, ty))
    }

    /// What a residual pointer leads to, `offset` bytes on.
    fn pointee_place(&mut self, register: LocalId, offset: i64, ty: TypeId) -> Place {
        let pointer_type = self.residual.locals[register].ty;
        let address = Expression { kind: ExpressionKind::Local(register), ty: pointer_type, span: None };
        let element = self.types.element(pointer_type).unwrap_or(ty);
        let size = self.types.size_of(element).and_then(|size| i64::try_from(size).ok()).filter(|size| *size > 0);
        if let Some(size) = size {
            let (index, rest) = (offset.div_euclid(size), offset.rem_euclid(size));
            if index != 0
                && let Some(place) = self.member_elsewhere(&address, element, offset, ty)
            {
                return place;
            }
            if let Some(steps) = self.steps_to(element, rest.unsigned_abs(), ty) {
                let base = self.element_address(address, index, pointer_type);
                return whole_place(PlaceBase::Pointee(Box::new(base)), steps, element);
            }
        }
        let ty = self.accessible(ty, element);
        self.displaced(address, offset, ty)
    }

    /// A member of another structure than the pointer leads to, such as one that begins with it: it is named by its own structure, since
    /// compilers take members of different structures for different memory.
    fn member_elsewhere(&mut self, address: &Expression, element: TypeId, offset: i64, ty: TypeId) -> Option<Place> {
        let (owner, member) = self.member_at?;
        let is_other = matches!(self.types.shape_of(element), Shape::Record(_))
            && matches!(self.types.shape_of(owner), Shape::Record(_))
            && self.types.get(element).c != self.types.get(owner).c;
        if !is_other {
            return None;
        }
        let steps = self.steps_to(owner, member, ty)?;
        let start = self.displaced(address.clone(), offset.checked_sub(i64::try_from(member).ok()?)?, owner);
        Some(whole_place(start.base, steps, owner))
    }

    /// A type for part of an object: packed structures hold parts where they are not aligned.
    pub(crate) fn accessible(&mut self, ty: TypeId, whole: TypeId) -> TypeId {
        let is_packed = matches!(self.types.shape_of(whole), Shape::Record(_))
            && self.types.get(whole).alignment < self.types.get(ty).alignment;
        if is_packed && self.types.is_scalar(ty) { self.as_bytes(ty) } else { ty }
    }

    /// An address that is moved by an unknown distance: from the whole object on, where it is named as a member's that is no array, or in an
    /// array that it was not taken in. Compilers take what lies behind a member's address for that member.
    pub(crate) fn whole_address(&mut self, address: Expression, from: Option<Pointer>) -> Expression {
        let inner = match &address.kind {
            ExpressionKind::Convert(inner) => inner,
            _ => &address,
        };
        let ExpressionKind::Address(place) = &inner.kind else { return address };
        let ends_in_member = matches!(place.steps.last(), Some(PlaceStep { kind: StepKind::Field { .. }, .. }));
        let may_leave = ends_in_member && self.types.is_scalar(place.ty)
            || from.is_some_and(|from| !self.is_named_where_taken(place, from));
        if may_leave { self.from_base(address) } else { address }
    }

    /// The same address as so many bytes behind its base.
    fn from_base(&mut self, address: Expression) -> Expression {
        let inner = match &address.kind {
            ExpressionKind::Convert(inner) => inner,
            _ => &address,
        };
        let ExpressionKind::Address(place) = &inner.kind else { return address };
        let Some(offset) = self.distance_in(place) else { return address };
        let (base, ty) = (place.base.clone(), address.ty);
        let Some(element) = self.types.element(ty) else { return address };
        let declared = self.base_type(&base, place.ty);
        let start = match base {
            PlaceBase::Pointee(start) => *start,
            base => {
                let whole = Place { base, steps: Vec::new(), ty: declared, volatile: false };
                let pointer = self.types.pointer_to(declared);
                Expression { kind: ExpressionKind::Address(Box::new(whole)), ty: pointer, span: None }
            }
        };
        match self.displaced(start, offset, element).base {
            PlaceBase::Pointee(moved) => Expression { ty, ..*moved },
            _ => address,
        }
    }

    /// False where a place is named in an array, and its address was taken in another one, such as that of which this one is an element.
    fn is_named_where_taken(&self, place: &Place, taken: Pointer) -> bool {
        let (Some(at), Some(object)) = (self.distance_in(place), self.state.memory.get(taken.object)) else {
            return true;
        };
        let (back, array) = match (self.types.shape_of(place.ty), &place.steps[..]) {
            (Shape::Array(..), _) => (0, place.ty),
            (_, [before @ .., PlaceStep { kind: StepKind::Index(index), ty }]) => {
                let ExpressionKind::Integer(index) = index.kind else { return true };
                let size = self.types.size_of(*ty).map_or(0, i128::from);
                let array = before.last().map_or(self.base_type(&place.base, place.ty), |step| step.ty);
                (i64::try_from(index * size).unwrap_or(at), array)
            }
            _ => return true,
        };
        // The base itself may lie anywhere in the object.
        let named = (u64::try_from(taken.offset - back).ok(), self.types.size_of(array));
        match taken.array {
            Some(own) => named == (Some(own.from), Some(own.size)),
            None => named == (Some(0), self.types.size_of(object.ty)),
        }
    }

    /// How far into its base a place lies, where all indices are constants.
    pub(crate) fn distance_in(&self, place: &Place) -> Option<i64> {
        place.steps.iter().try_fold(0, |sum: i64, step| {
            let by = match &step.kind {
                StepKind::Field { offset, .. } => i64::try_from(*offset).ok()?,
                StepKind::Index(index) => {
                    let ExpressionKind::Integer(index) = index.kind else { return None };
                    i64::try_from(index).ok()?.checked_mul(self.types.size_of(step.ty)?.try_into().ok()?)?
                }
            };
            sum.checked_add(by)
        })
    }

    fn element_address(&mut self, address: Expression, index: i64, ty: TypeId) -> Expression {
        if index == 0 {
            return address;
        }
        let long = self.types.scalar(cast::Scalar::Long);
        let count = Expression { kind: ExpressionKind::Integer(index.into()), ty: long, span: None };
        let kind = ExpressionKind::Offset { pointer: address.into(), count: count.into(), negative: false };
        Expression { kind, ty, span: None }
    }

    /// `((ty *)address)[index]`
    pub(crate) fn item_at(&mut self, address: Expression, index: Expression, ty: TypeId) -> Place {
        let pointer_type = self.types.pointer_to(ty);
        let expression = |kind| Expression { kind, ty: pointer_type, span: None };
        let pointer = expression(ExpressionKind::Convert(address.into())).into();
        Place::pointee(expression(ExpressionKind::Offset { pointer, count: index.into(), negative: false }), ty)
    }

    /// `*(ty *)((char *)address + offset)`
    fn displaced(&mut self, address: Expression, offset: i64, ty: TypeId) -> Place {
        let character = self.types.scalar(cast::Scalar::Char);
        let bytes = self.types.pointer_to(character);
        let wanted = self.types.pointer_to(ty);
        let convert = |address: Expression, ty| match address.ty == ty {
            true => address,
            false => Expression { kind: ExpressionKind::Convert(address.into()), ty, span: None },
        };
        let address = if offset == 0 {
            address
        } else {
            let address = convert(address, bytes);
            self.element_address(address, offset, bytes)
        };
        Place::pointee(convert(address, wanted), ty)
    }

    /// The way from an object of one type to a part of another type at an offset.
    fn steps_to(&mut self, from: TypeId, offset: u64, to: TypeId) -> Option<Vec<PlaceStep>> {
        if offset == 0 && self.same_type(from, to) {
            return Some(Vec::new());
        }
        match self.types.shape_of(from).clone() {
            Shape::Record(tag) => {
                let fields = self.types.table.records.get(&tag)?.fields.clone();
                for field in fields {
                    let (start, ty) = (field.offset / 8, self.types.intern(&field.ty));
                    let inside = self.types.size_of(ty).is_some_and(|size| offset >= start && offset < start + size);
                    if field.bits.is_some() || !inside {
                        continue;
                    }
                    let Some(mut rest) = self.steps_to(ty, offset - start, to) else { continue };
                    if let Some(name) = field.name {
                        rest.insert(0, PlaceStep { kind: StepKind::Field { name, offset: start, bits: None }, ty });
                    } else if let Some(PlaceStep { kind: StepKind::Field { offset, .. }, .. }) = rest.first_mut() {
                        // Members of an anonymous member are the outer structure's.
                        *offset += start;
                    }
                    return Some(rest);
                }
                None
            }
            Shape::Array(element, _) => {
                let size = self.types.size_of(element).filter(|size| *size > 0)?;
                let mut rest = self.steps_to(element, offset % size, to)?;
                let long = self.types.scalar(cast::Scalar::Long);
                let index = ExpressionKind::Integer((offset / size).into());
                let index = Box::new(Expression { kind: index, ty: long, span: None });
                rest.insert(0, PlaceStep { kind: StepKind::Index(index), ty: element });
                Some(rest)
            }
            _ => None,
        }
    }

    /// Whether memory of the one type can stand for memory of the other, but for a conversion of the value.
    fn same_type(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (self.types.shape_of(a), self.types.shape_of(b)) {
            // The declared type is taken, and the value converted.
            (Shape::Integer { bits: a, boolean: p, .. }, Shape::Integer { bits: b, boolean: q, .. }) => {
                a == b && p == q
            }
            (Shape::Pointer(_), Shape::Pointer(_)) => true,
            (a @ (Shape::Float { .. } | Shape::Record(_)), b) => a == b,
            (Shape::Array(a, n), Shape::Array(b, m)) => n == m && self.same_type(*a, *b),
            _ => false,
        }
    }
}

/// A place of the type that its last step has.
fn whole_place(base: PlaceBase, steps: Vec<PlaceStep>, declared: TypeId) -> Place {
    let ty = steps.last().map_or(declared, |step| step.ty);
    Place { base, steps, ty, volatile: false }
}

/// A float as C reads it back, exactly.
fn float_text(shape: &Shape, bits: u64) -> String {
    let Shape::Float { bits: width } = shape else { return format!("{bits}") };
    let value = crate::fold::float(*width, bits);
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        return format!("{sign}__builtin_inf{}()", if *width == 32 { "f" } else { "" });
    }
    // The shortest digits that lead back to the same bits.
    if *width == 32 { format!("{:?}f", value as f32) } else { format!("{value:?}") }
}
