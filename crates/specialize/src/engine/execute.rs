//! Statements.

use core_c::{Argument, Place, Shape, Statement, StatementKind, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::access::Location;
use crate::memory::{Background, Cell};
use crate::mutation;
use crate::report::Cause;
use crate::values::value::{Pointer, Value};

/// Structures of more parts are copied as a whole.
const PARTS: usize = 64;

impl Engine<'_> {
    pub(crate) fn execute(&mut self, statement: &Statement) -> Step<()> {
        match &statement.kind {
            StatementKind::Set { local, value } => {
                self.steers_by_register(*local, value)?;
                let value = self.evaluate(value)?;
                self.set(*local, value)
            }
            StatementKind::Store { place, value } => {
                let value = self.evaluate(value)?;
                self.store(place, value)
            }
            StatementKind::LoadVolatile { local, place } => {
                let location = self.locate(place)?;
                let (at, _) = self.residual_place(location, place)?;
                let name = self.input.functions[self.state.top().function].locals[*local].name.clone();
                let to = self.residual.local(&name, place.ty, core_c::LocalKind::Register);
                let what = self.place_name(place);
                let blame = self.blame(Cause::Volatile, what);
                self.blames.set(to, Some(blame));
                self.emit(StatementKind::LoadVolatile { local: to, place: Place { volatile: true, ..at } });
                self.state.top_mut().registers.insert(*local, Value::Dynamic(to));
                Ok(())
            }
            StatementKind::Copy { to, from } => self.copy(to, from),
            StatementKind::Zero { place } => self.zero(place),
            StatementKind::Call { receiver, callee, arguments } => self.call(receiver.as_ref(), callee, arguments),
            StatementKind::Begin { local, size: None } => {
                self.begin(*local);
                Ok(())
            }
            StatementKind::Begin { size: Some(_), .. } => self.refuse("an array whose length is computed"),
            StatementKind::Assembly { .. } => self.refuse("assembly is kept in the general code"),
        }
    }

    /// A register of the top frame gets a value.
    pub(crate) fn set(&mut self, local: core_c::LocalId, value: Value) -> Step<()> {
        let input = self.input;
        let name = &input.functions[self.state.top().function].locals[local].name;
        let value = self.bind(value, name);
        if let Value::Dynamic(register) = value {
            self.blames.name(register, name, self.span);
        }
        let value = self.shared_register(local, value)?;
        self.state.top_mut().registers.insert(local, value);
        Ok(())
    }

    fn copy(&mut self, to: &Place, from: &Place) -> Step<()> {
        let source = self.locate(from)?;
        if let Location::Known(pointer) = source
            && self.is_constant(pointer)
        {
            self.steers_by_place(from)?;
        }
        let target = self.locate(to)?;
        self.copy_between(target, source, to.ty)
    }

    pub(crate) fn copy_between(&mut self, target: Location, source: Location, ty: TypeId) -> Step<()> {
        if let (Location::Known(target), Location::Known(source)) = (&target, &source)
            && self.copy_cells(*target, *source, ty)?
        {
            return Ok(());
        }
        let (from, _) = self.residual_location(source.clone(), ty)?;
        let (to, root) = self.residual_location(target.clone(), ty)?;
        self.emit(StatementKind::Copy { to, from });
        let size = self.types.size_of(ty).unwrap_or(u64::MAX);
        let range = match &target {
            Location::Known(pointer) => u64::try_from(pointer.offset).ok().map(|offset| (offset, size)),
            Location::Residual(..) => None,
        };
        self.written(root, range);
        // What is known of the source holds for the copy.
        if let (Location::Known(target), Location::Known(source)) = (target, source) {
            self.copy_knowledge(target, source, size);
        }
        Ok(())
    }

    fn copy_knowledge(&mut self, target: Pointer, source: Pointer, size: u64) {
        let (Ok(to), Ok(from)) = (u64::try_from(target.offset), u64::try_from(source.offset)) else { return };
        let Some(object) = self.state.memory.get(source.object) else { return };
        let inside = |at: &u64, cell: &Cell| *at >= from && at + cell.size <= from.saturating_add(size);
        let cells: Vec<(u64, Cell)> = object
            .cells
            .iter()
            .filter(|(at, cell)| inside(at, cell))
            .map(|(at, cell)| (*at - from + to, cell.clone()))
            .collect();
        if let Some(object) = self.state.memory.get_mut(target.object) {
            for (at, cell) in cells {
                object.write(at, cell);
            }
        }
    }

    /// Copies part by part where at least one of the two objects is virtual; false where that cannot be done.
    fn copy_cells(&mut self, target: Pointer, source: Pointer, ty: TypeId) -> Step<bool> {
        let is_residual = |engine: &Self, pointer: Pointer| {
            engine.state.memory.get(pointer.object).is_none_or(|object| object.residual)
        };
        let (to_residual, from_residual) = (is_residual(self, target), is_residual(self, source));
        if to_residual && from_residual {
            return Ok(false);
        }
        if !from_residual && !to_residual {
            let size = self.types.size_of(ty);
            return Ok(size.is_some_and(|size| self.move_cells(target, source, size, false)));
        }
        let mut parts = Vec::new();
        if !self.parts(ty, 0, &mut parts) {
            return Ok(false);
        }
        if !mutation::forgets("padding") {
            self.padding(ty, &mut parts);
        }
        for (offset, ty) in parts {
            let at = |pointer: Pointer| Pointer { offset: pointer.offset + offset, ..pointer };
            // Indeterminate parts stay so.
            let undefined = matches!(self.peek(at(source), ty), Some(crate::memory::Found::Undefined));
            if !undefined {
                let value = self.load_at(at(source), ty)?;
                self.store_at(at(target), ty, value)?;
            }
        }
        Ok(true)
    }

    fn peek(&self, pointer: Pointer, ty: TypeId) -> Option<crate::memory::Found> {
        let object = self.state.memory.get(pointer.object)?;
        Some(object.read(u64::try_from(pointer.offset).ok()?, self.types.size_of(ty)?))
    }

    /// Between two virtual objects the cells themselves are copied; `as_bytes` where the objects' types may differ.
    pub(crate) fn move_cells(&mut self, target: Pointer, source: Pointer, size: u64, as_bytes: bool) -> bool {
        let (Ok(to), Ok(from)) = (u64::try_from(target.offset), u64::try_from(source.offset)) else { return false };
        let Some(object) = self.state.memory.get(source.object) else { return false };
        // Cells that reach over the borders are taken apart in a copy of the object.
        let mut cut = object.clone();
        let (background, end) = (object.background, from.saturating_add(size));
        if !cut.clear(0, from) || !cut.clear(end, u64::MAX - end) {
            return false;
        }
        if as_bytes {
            let whole = |cell: &&mut Cell| self.types.size_of(cell.ty) == Some(cell.size);
            let mut cells: Vec<&mut Cell> = cut.cells.values_mut().filter(whole).collect();
            cells.iter_mut().for_each(|cell| cell.ty = self.as_bytes(cell.ty));
        }
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        let Some(object) = self.state.memory.get_mut(target.object) else { return false };
        if object.size.is_some_and(|all| to + size > all) || !object.clear(to, size) {
            return false;
        }
        let blank = match background {
            Background::Zero => Value::Integer(0),
            _ => Value::Undefined,
        };
        if object.background != background {
            object.cells.insert(to, Cell { size, ty: byte, value: blank });
        }
        for (at, cell) in cut.cells {
            object.write(at - from + to, cell);
        }
        true
    }

    /// The scalars that a type consists of, by offset; false for unions, bit-fields and very large types.
    pub(crate) fn parts(&mut self, ty: TypeId, offset: i64, parts: &mut Vec<(i64, TypeId)>) -> bool {
        if parts.len() > PARTS {
            return false;
        }
        match self.types.shape_of(ty).clone() {
            Shape::Integer { .. } | Shape::Float { .. } | Shape::Pointer(_) => {
                parts.push((offset, ty));
                true
            }
            Shape::Array(element, Some(length)) if length <= PARTS as u64 => {
                let size = self.types.size_of(element).unwrap_or(0) as i64;
                (0..length as i64).all(|at| self.parts(element, offset + at * size, parts))
            }
            Shape::Record(tag) => {
                let Some(layout) = self.types.table.records.get(&tag).cloned() else { return false };
                layout.kind == cast::RecordKind::Struct
                    && layout.fields.iter().all(|field| {
                        let ty = self.types.intern(&field.ty);
                        field.bits.is_none() && self.parts(ty, offset + (field.offset / 8) as i64, parts)
                    })
            }
            _ => false,
        }
    }

    /// Adds what lies between the parts of a type and behind them: an assignment copies it, and `memcpy` shows it.
    fn padding(&mut self, ty: TypeId, parts: &mut Vec<(i64, TypeId)>) {
        use cast::Scalar::{UnsignedChar, UnsignedInt, UnsignedLong, UnsignedShort};
        let words = [UnsignedLong, UnsignedInt, UnsignedShort, UnsignedChar].map(|scalar| self.types.scalar(scalar));
        let words = words.map(|word| (self.types.size_of(word).unwrap_or(1) as i64, self.as_bytes(word)));
        let mut next = 0;
        let end = self.types.size_of(ty).unwrap_or(0) as i64;
        let mut gaps = Vec::new();
        for (offset, ty) in parts.iter() {
            gaps.push((next, *offset));
            next = offset + self.types.size_of(*ty).unwrap_or(0) as i64;
        }
        gaps.push((next, end));
        for (mut at, end) in gaps {
            for (size, word) in words {
                while at + size <= end {
                    parts.push((at, word));
                    at += size;
                }
            }
        }
    }

    fn zero(&mut self, place: &Place) -> Step<()> {
        let location = self.locate(place)?;
        let size = self.types.size_of(place.ty).unwrap_or(0);
        let byte = self.types.scalar(cast::Scalar::UnsignedChar);
        let cell = Cell { size, ty: byte, value: Value::Integer(0) };
        if let Location::Known(pointer) = &location
            && let Ok(offset) = u64::try_from(pointer.offset)
            && let Some(object) = self.state.memory.get_mut(pointer.object)
        {
            if !object.residual && object.write(offset, cell.clone()) {
                return Ok(());
            }
            let id = pointer.object;
            let (place, root) = self.residual_location(location, place.ty)?;
            self.emit(StatementKind::Zero { place });
            self.written(root, Some((offset, size)));
            if let Some(object) = self.state.memory.get_mut(id) {
                object.write(offset, cell);
            }
            return Ok(());
        }
        let (place, root) = self.residual_location(location, place.ty)?;
        self.emit(StatementKind::Zero { place });
        self.written(root, None);
        Ok(())
    }

    /// An argument or a returned object, for the residual program.
    pub(crate) fn lift_argument(&mut self, argument: &Argument) -> Step<Argument> {
        match argument {
            Argument::Value(value) => {
                let ty = value.ty;
                let value = self.evaluate(value)?;
                self.lift(value, ty).map(Argument::Value)
            }
            Argument::Object(place) => {
                let location = self.locate(place)?;
                self.residual_location(location, place.ty).map(|(place, _)| Argument::Object(place))
            }
        }
    }
}
