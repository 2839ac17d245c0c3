//! Where the analysis starts: a root's parameters, and what globals hold then.

use std::sync::Arc;

use core_c::{Expression, ExpressionKind, GlobalId, LocalKind, PlaceBase, Shape, StepKind};

use crate::cause::Reason;
use crate::fold;
use crate::lattice::{BindingTime, Content, Known, Offsets, State, Store, Value};
use crate::object::{ObjectId, ObjectName};
use crate::options::{Entry, Member, Root};
use crate::variant::{Variant, VariantId};

use super::{Engine, number, outside};

/// Of larger tables, entries are not told apart.
const ENTRIES_MOST: usize = 1024;

impl Engine<'_> {
    /// The variant of a root.
    pub(crate) fn root(&mut self, root: &Root) -> VariantId {
        let function = self.function(root.function);
        let mut state = State { registers: vec![Value::nothing(); function.locals.len()], store: Store::default() };
        for global in self.known_globals(root) {
            let object = self.object(ObjectName::Global(global));
            let content = self.initial_content(global);
            state.store.set(object, Some(Arc::new(content)));
        }
        for (position, parameter) in function.parameters.iter().enumerate() {
            let entry = root.parameters.get(position).unwrap_or(&Entry::Dynamic);
            let value = self.parameter(&mut state, root, position, entry);
            let local = &function.locals[*parameter];
            if local.kind == LocalKind::Register {
                state.registers[number(*parameter)] = value;
                continue;
            }
            let object = self.object(ObjectName::Local(root.function, *parameter));
            let mut content = Content::of(value.blurred());
            if self.program.types.is_scalar(local.ty) {
                content.replace(0, self.width(local.ty), value);
            }
            state.store.set(object, Some(Arc::new(content)));
        }
        if self.is_variadic(root.function) {
            let object = self.object(ObjectName::Variable(root.function));
            let cause = self.at_the_beginning(Reason::Parameter(root.function, function.parameters.len()));
            state.store.set(object, Some(Arc::new(Content::of(Value::dynamic(cause, outside())))));
        }
        // What globals point to can be reached through the program's own functions.
        let held: Vec<ObjectId> = state.store.objects().collect();
        let held = held.iter().filter(|object| matches!(self.objects.name(**object), ObjectName::Global(_)));
        let mut open: Vec<Arc<Content>> = held.filter_map(|object| self.content(&state.store, *object)).collect();
        while let Some(content) = open.pop() {
            for (object, _) in content.values().flat_map(|value| value.targets.iter()) {
                let new = !self.is_exposed(&state.store, *object) && !self.is_constant(*object);
                if new && Arc::make_mut(&mut state.store.exposed).insert(object.0 as usize) {
                    open.extend(self.content(&state.store, *object));
                }
            }
        }
        let id = VariantId(u32::try_from(self.variants.len()).unwrap_or(u32::MAX));
        self.variants.push(Variant::new(root.function, None, state));
        id
    }

    fn known_globals(&self, root: &Root) -> Vec<GlobalId> {
        let globals = self.program.globals.iter();
        let known = globals.filter(|(id, global)| {
            global.initial.is_some()
                && !self.scan.constant.contains(id)
                && (root.starts_program || root.known_globals.contains(id))
        });
        known.map(|(id, _)| id).collect()
    }

    fn parameter(&mut self, state: &mut State, root: &Root, position: usize, entry: &Entry) -> Value {
        let function = self.function(root.function);
        let ty = function.locals[function.parameters[position]].ty;
        let cause = self.at_the_beginning(Reason::Parameter(root.function, position));
        let object_name = ObjectName::Pointee(root.function, position);
        match entry {
            Entry::Static => Value::any(),
            Entry::Dynamic => match self.program.types.shape_of(ty) {
                Shape::Pointer(_) => {
                    let object = self.object(object_name);
                    let content = self.pristine(object_name);
                    state.store.set(object, Some(Arc::new(content)));
                    Value::based(cause, object)
                }
                _ => Value::dynamic(cause, outside()),
            },
            Entry::Object { otherwise, members } => {
                let object = self.object(object_name);
                let unstated = self.at_the_beginning(Reason::Unstated(object_name));
                let default = match otherwise {
                    BindingTime::Static => Value::any(),
                    _ => Value::dynamic(unstated, outside()),
                };
                let pristine = *otherwise != BindingTime::Static;
                let mut content = Content { private: true, pristine, ..Content::of(default) };
                for Member { offset, size, time } in members {
                    let start = i64::try_from(*offset).unwrap_or(0) * 8;
                    let end = start + i64::try_from(*size).unwrap_or(1) * 8;
                    let value = match time {
                        BindingTime::Static => Value::any(),
                        _ => Value::dynamic(unstated, outside()),
                    };
                    content.replace(start, end, value);
                }
                state.store.set(object, Some(Arc::new(content)));
                Value { known: Known::NonZero, ..Value::based(cause, object) }
            }
        }
    }

    /// What a global holds when the program starts.
    pub(super) fn initial_content(&mut self, global: GlobalId) -> Content {
        let data = &self.program.globals[global];
        let entries = data.initial.as_deref().unwrap_or_default();
        let mut content = Content::of(Value::exact(0));
        if data.literal.is_some() {
            return Content::of(Value::any());
        }
        if entries.len() > ENTRIES_MOST {
            let all = entries.iter().fold(Value::exact(0), |all, entry| {
                let value = self.constant(&entry.value);
                all.join(&value.blurred(), true)
            });
            return Content::of(all.blurred());
        }
        for entry in entries {
            let value = self.constant(&entry.value);
            let offset = i64::try_from(entry.offset).unwrap_or(0) * 8;
            let (first, width) = match entry.bits {
                Some(bits) => (i64::from(bits.first), i64::from(bits.width)),
                None => (0, self.width(entry.value.ty)),
            };
            content.replace(offset + first, offset + first + width, value);
        }
        content
    }

    /// The value of a constant.
    fn constant(&mut self, expression: &Expression) -> Value {
        let ty = self.program.types.shape_of(expression.ty).clone();
        match &expression.kind {
            ExpressionKind::Integer(number) => match ty {
                Shape::Float { .. } => Value::any(),
                _ => Value::exact(*number),
            },
            ExpressionKind::Function(function) => self.function_address(*function),
            ExpressionKind::Convert(inner) => {
                let value = self.constant(inner);
                match value.number() {
                    Some(number) => fold::convert(&ty, number).map_or_else(Value::any, Value::exact),
                    None => value,
                }
            }
            ExpressionKind::Address(place) => {
                let PlaceBase::Global(global) = place.base else { return Value::any() };
                let object = self.object(ObjectName::Global(global));
                let mut offset = Some(0);
                for step in &place.steps {
                    let by = match &step.kind {
                        StepKind::Field { offset, .. } => i64::try_from(*offset).ok(),
                        StepKind::Index(index) => {
                            let number = self.constant(index).number().and_then(|number| i64::try_from(number).ok());
                            let size = self.program.types.size_of(step.ty).and_then(|size| i64::try_from(size).ok());
                            number.zip(size).map(|(number, size)| number * size)
                        }
                    };
                    offset = offset.zip(by).map(|(offset, by)| offset + by);
                }
                Value::address(object, offset.map_or_else(Offsets::anywhere, Offsets::at))
            }
            ExpressionKind::Offset { pointer, count, negative } => {
                let (base, count) = (self.constant(pointer), self.constant(count).number());
                let size = self.program.types.element(pointer.ty).and_then(|ty| self.program.types.size_of(ty));
                let by = count.zip(size).and_then(|(count, size)| i64::try_from(count * i128::from(size)).ok());
                let targets = match by {
                    Some(by) => base.targets.map(|_, offsets| offsets.shifted(if *negative { -by } else { by })),
                    None => base.targets.anywhere(),
                };
                Value { targets, ..base }
            }
            _ => Value::any(),
        }
    }
}
