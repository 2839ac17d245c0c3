//! Which parts of which objects a place is.

use core_c::{Place, PlaceBase, Shape, Step, StepKind, TypeId};

use crate::cause::CauseId;
use crate::lattice::{BindingTime, FAR, Known, Offsets, Part, Range, State, Targets, Value};
use crate::object::ObjectName;

use super::{Engine, Point, outside};

/// A place, resolved.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Of the address.
    pub(crate) time: BindingTime,
    pub(crate) cause: Option<CauseId>,
    pub(crate) targets: Targets,
    /// The address, where it is a number.
    pub(crate) known: Known,
    pub(crate) part: Part,
    /// The member's record and its offset there, where the place is a member.
    pub(crate) field: Option<(String, i64)>,
}

impl Access {
    /// What a pointer points to, as wide as said.
    pub(crate) fn through(pointer: &Value, width: i64) -> Access {
        Access {
            time: pointer.time,
            cause: pointer.cause,
            targets: pointer.targets.clone(),
            known: pointer.known,
            part: Part { first: 0, width },
            field: None,
        }
    }

    pub(crate) fn address(&self) -> Value {
        let known = if self.time.is_dynamic() { Known::Any } else { self.known };
        Value { time: self.time, known, targets: self.targets.clone(), cause: self.cause }
    }
}

impl Engine<'_> {
    pub(crate) fn resolve(&mut self, point: Point, state: &State, place: &Place) -> Access {
        let mut access = Access {
            time: BindingTime::Static,
            cause: None,
            targets: Targets::default(),
            known: Known::NonZero,
            part: Part { first: 0, width: self.width(place.ty) },
            field: None,
        };
        let mut ty;
        match &place.base {
            PlaceBase::Local(local) => {
                let function = point.at.function;
                let object = self.object(ObjectName::Local(function, *local));
                access.targets = Targets::one(object, Offsets::at(0));
                ty = Some(self.function(function).locals[*local].ty);
            }
            PlaceBase::Global(global) => {
                let object = self.object(ObjectName::Global(*global));
                access.targets = Targets::one(object, Offsets::at(0));
                ty = Some(self.program.globals[*global].ty);
            }
            PlaceBase::Pointee(pointer) => {
                let value = self.evaluate(point, state, pointer);
                let cause = value.cause;
                access.time = value.time;
                access.cause = cause;
                access.known = value.known;
                access.targets = value.targets;
                ty = self.program.types.element(pointer.ty);
            }
        }
        let base = ty;
        for (at, step) in place.steps.iter().enumerate() {
            match &step.kind {
                StepKind::Field { offset, bits, .. } => {
                    let offset = i64::try_from(*offset).unwrap_or(FAR);
                    access.field = self.tag(ty).map(|tag| (tag, offset));
                    access.shift(offset);
                    if let Some(bits) = bits {
                        access.part = Part { first: i64::from(bits.first), width: i64::from(bits.width) };
                    }
                }
                StepKind::Index(index) => {
                    let index = self.evaluate(point, state, index);
                    // Members after the array limit it; an array at the end of an object may be a longer one.
                    let length = if self.ends_record(&place.steps[..at], base) { None } else { self.length(ty) };
                    self.index(&mut access, &index, step, length);
                }
            }
            ty = Some(step.ty);
        }
        access
    }

    fn index(&mut self, access: &mut Access, index: &Value, step: &Step, length: Option<i64>) {
        let size = self.program.types.size_of(step.ty).and_then(|size| i64::try_from(size).ok());
        if index.is_dynamic() {
            access.cause = if access.time.is_dynamic() { access.cause } else { index.cause };
            access.time = BindingTime::Dynamic;
        }
        match (index.number(), size) {
            (Some(number), Some(size)) => {
                access.shift(i64::try_from(number).unwrap_or(FAR).saturating_mul(size));
            }
            (_, Some(size)) => {
                let last = length.map(|length| (length - 1).max(0));
                access.targets = access.targets.map(|_, offsets| offsets.spread(size, Some(0), last));
            }
            (_, None) => access.targets = access.targets.anywhere(),
        }
    }

    /// The width of a type's values, in bits; one without a size reaches to the object's end.
    pub(crate) fn width(&self, ty: TypeId) -> i64 {
        let size = self.program.types.size_of(ty).and_then(|size| i64::try_from(size).ok());
        size.map_or(FAR, |size| size.saturating_mul(8))
    }

    fn tag(&self, ty: Option<TypeId>) -> Option<String> {
        match self.program.types.shape_of(ty?) {
            Shape::Record(tag) => Some(tag.clone()),
            _ => None,
        }
    }

    fn length(&self, ty: Option<TypeId>) -> Option<i64> {
        match self.program.types.shape_of(ty?) {
            Shape::Array(_, length) => {
                length.and_then(|length| i64::try_from(length).ok()).filter(|length| *length > 1)
            }
            _ => None,
        }
    }

    /// True where the steps end with the last member of a record.
    fn ends_record(&self, steps: &[Step], base: Option<TypeId>) -> bool {
        let Some((Step { kind: StepKind::Field { offset, .. }, ty }, outer)) = steps.split_last() else { return false };
        let record = outer.last().map(|step| step.ty).or(base);
        let size = record.and_then(|record| self.program.types.size_of(record));
        let end = self.program.types.size_of(*ty).map(|size| size + offset);
        size.is_none() || end.is_none() || end >= size
    }

    /// The targets of an access; a dynamic or unknown address without any may lead anywhere outside.
    pub(crate) fn reached(access: &Access) -> Targets {
        if access.targets.is_empty() && (access.time.is_dynamic() || access.known != Known::Exact(0)) {
            return outside();
        }
        access.targets.clone()
    }
}

impl Access {
    fn shift(&mut self, by: i64) {
        if by == 0 {
            return;
        }
        if let Known::Exact(number) = self.known
            && self.targets.is_empty()
        {
            self.known = Known::Exact(number + i128::from(by));
        }
        self.targets = self.targets.map(|_, offsets| offsets.shifted(by));
    }
}

/// Any byte from the given ones on.
pub(crate) fn onward(offsets: &Offsets) -> Offsets {
    let range = offsets.range();
    Offsets::Range(Range { low: range.low, high: FAR, step: 1, phase: 0 })
}
