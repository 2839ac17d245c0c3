//! Initial values: stores for locals, constants for what has static storage (C11 section 6.7.9).

use cast::{Expression as Source, ExpressionKind as Kind, Type};
use la_arena::Idx;

use super::body::Body;
use super::{Context, Lowered, Refusal, constant, ctype, refuse};
use crate::{
    Expression, ExpressionKind, Global, GlobalId, Initial, Linkage, Place, Shape, StatementKind, StepKind, place,
};

/// One scalar, string or structure of an initializer, and where it goes.
struct Item<'s> {
    place: Place,
    ty: Type,
    value: &'s Source,
}

impl Body<'_, '_> {
    /// Gives a new object its initial value.
    pub(super) fn initialize(&mut self, to: &Place, value: &Source, ty: &Type) -> Lowered<()> {
        if let Some(inner) = self.string_in_braces(value, ty) {
            return self.initialize_text(to, inner);
        }
        if !matches!(value.kind, Kind::Braces(_)) {
            return self.store(to, value);
        }
        if self.types().is_scalar(to.ty) {
            return self.store(to, value);
        }
        self.emit(StatementKind::Zero { place: to.clone() })?;
        let mut items = Vec::new();
        self.items(to.clone(), ty, value, &mut items)?;
        for item in items {
            self.initialize(&item.place, item.value, &item.ty)?;
        }
        Ok(())
    }

    fn initialize_text(&mut self, to: &Place, literal: &Source) -> Lowered<()> {
        let Kind::Literal { bytes, .. } = &literal.kind else { return refuse("a text that is no literal") };
        self.emit(StatementKind::Zero { place: to.clone() })?;
        for part in self.context.text(bytes, to.ty) {
            let Some(element) = self.types().element(to.ty) else { continue };
            let width = self.types().size_of(element).unwrap_or(1);
            let long = self.types_mut().scalar(cast::Scalar::Long);
            let at = self.number((part.offset / width).into(), long)?;
            let place = super::place::step(to.clone(), StepKind::Index(Box::new(at)), element);
            self.emit(StatementKind::Store { place, value: part.value })?;
        }
        Ok(())
    }

    /// The string literal that an array is initialized with, in braces or not.
    fn string_in_braces<'s>(&mut self, value: &'s Source, ty: &Type) -> Option<&'s Source> {
        if !matches!(self.shape(ty), Shape::Array(..)) {
            return None;
        }
        match &value.kind {
            Kind::Literal { .. } => Some(value),
            Kind::Braces(parts) => match parts.as_slice() {
                [only] if only.designators.is_empty() && matches!(only.value.kind, Kind::Literal { .. }) => {
                    let element = ctype::element(&self.context.program.types.table, ty)?.clone();
                    matches!(self.shape(&element), Shape::Integer { .. }).then_some(&only.value)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The parts of a braced initializer.
    fn items<'s>(&mut self, to: Place, ty: &Type, value: &'s Source, items: &mut Vec<Item<'s>>) -> Lowered<()> {
        let Kind::Braces(parts) = &value.kind else { return refuse("an initializer without braces") };
        let places = self.parts(&to, ty, parts.len())?;
        for (part, (place, ty)) in parts.iter().zip(places) {
            if !part.designators.is_empty() {
                return refuse("an initializer with designators");
            }
            let is_aggregate = !self.types().is_scalar(place.ty);
            let is_scalar = {
                let id = self.ty(&part.value.ty);
                self.types().is_scalar(id)
            };
            if is_aggregate && is_scalar && !matches!(part.value.kind, Kind::Braces(_)) {
                return refuse("an initializer that leaves braces out");
            }
            items.push(Item { place, ty, value: &part.value });
        }
        Ok(())
    }

    /// The first members or elements of an object.
    fn parts(&mut self, to: &Place, ty: &Type, count: usize) -> Lowered<Vec<(Place, Type)>> {
        let mut found = Vec::new();
        match self.shape(ty) {
            Shape::Array(element, _) => {
                let table = &self.context.program.types.table;
                let element_type = ctype::element(table, ty).cloned().unwrap_or_default();
                let long = self.types_mut().scalar(cast::Scalar::Long);
                for at in 0..count {
                    let at = self.number(at as i128, long)?;
                    let place = super::place::step(to.clone(), StepKind::Index(Box::new(at)), element);
                    found.push((place, element_type.clone()));
                }
            }
            Shape::Record(_) => {
                let fields = self.types().record(to.ty).map(|layout| layout.fields.clone()).unwrap_or_default();
                for field in fields {
                    let Some(name) = &field.name else { return refuse("an initializer of a member without a name") };
                    let id = self.ty(&field.ty);
                    found.push((self.member(to.clone(), name, id)?, field.ty.clone()));
                }
            }
            _ => return refuse("braces around something that has no parts"),
        }
        Ok(found)
    }

    /// The constants that an object with static storage starts with.
    pub(super) fn constants(&mut self, value: &Source, ty: &Type) -> Lowered<Vec<Initial>> {
        let outer = std::mem::replace(&mut self.constant, true);
        let id = self.ty(ty);
        // Only the steps matter; the object stands for itself.
        let place = Place::global(Idx::from_raw(0.into()), id);
        let mut found = Vec::new();
        let done = self.constant_parts(&place, value, ty, &mut found);
        self.constant = outer;
        done.map(|()| found)
    }

    fn constant_parts(&mut self, at: &Place, value: &Source, ty: &Type, found: &mut Vec<Initial>) -> Lowered<()> {
        let (offset, bits) = self.offset_of(at)?;
        if let Some(literal) = self.string_in_braces(value, ty) {
            let Kind::Literal { bytes, .. } = &literal.kind else { return refuse("a text that is no literal") };
            let parts = self.context.text(bytes, at.ty);
            found.extend(parts.into_iter().map(|part| Initial { offset: offset + part.offset, ..part }));
            return Ok(());
        }
        if self.types().is_scalar(at.ty) {
            let value = self.value(value)?;
            let value = self.convert(value, at.ty)?;
            let value = constant::fold(&self.context.program.types, value);
            check_constant(&value)?;
            found.push(Initial { offset, bits, value });
            return Ok(());
        }
        match &value.kind {
            Kind::Braces(_) => {
                let mut items = Vec::new();
                self.items(at.clone(), ty, value, &mut items)?;
                for item in items {
                    self.constant_parts(&item.place, item.value, &item.ty, found)?;
                }
                Ok(())
            }
            // A constant structure as a whole: a compound literal, in GNU C.
            Kind::Compound(inner) => self.constant_parts(at, inner, ty, found),
            Kind::Cast(inner) | Kind::Implicit(inner) => self.constant_parts(at, inner, ty, found),
            _ => refuse("an initializer that is no constant"),
        }
    }

    /// Where a place with constant steps lies in its object.
    fn offset_of(&mut self, place: &Place) -> Lowered<(u64, Option<crate::BitRange>)> {
        let mut sum = 0;
        for step in &place.steps {
            sum += match &step.kind {
                StepKind::Field { offset, .. } => *offset,
                StepKind::Index(index) => {
                    let index = constant::integer(index).and_then(|index| u64::try_from(index).ok());
                    let size = self.types().size_of(step.ty);
                    let Some(bytes) = index.zip(size).and_then(|(index, size)| index.checked_mul(size)) else {
                        return refuse("an initializer of an element of unknown size");
                    };
                    bytes
                }
            };
        }
        Ok((sum, place.bits()))
    }

    /// A compound literal outside of functions: an object with static storage and no name.
    pub(super) fn static_compound(&mut self, value: &Source, ty: &Type) -> Lowered<Place> {
        let initial = self.constants(value, ty)?;
        let id = self.ty(ty);
        let constant = ctype::qualifiers(&self.context.program.types.table, ty).constant;
        let name = self.context.unique("compound");
        let global = Global {
            name,
            ty: id,
            linkage: Linkage::Internal,
            initial: Some(initial),
            constant,
            thread_local: false,
            literal: None,
            scope: self.function,
            span: self.span,
        };
        let global = self.context.program.globals.alloc(global);
        Ok(Place::global(global, id))
    }
}

/// Refuses what must be read or computed when the program runs.
fn check_constant(value: &Expression) -> Lowered<()> {
    match &value.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Float(_)
        | ExpressionKind::Function(_)
        | ExpressionKind::Label(_) => Ok(()),
        ExpressionKind::Address(place) => check_constant_place(place),
        ExpressionKind::Unary(_, a) | ExpressionKind::Convert(a) => check_constant(a),
        ExpressionKind::Binary(_, a, b)
        | ExpressionKind::Distance(a, b)
        | ExpressionKind::Offset { pointer: a, count: b, .. } => {
            check_constant(a)?;
            check_constant(b)
        }
        ExpressionKind::Local(_) | ExpressionKind::Load(_) | ExpressionKind::Opaque { .. } => {
            refuse("an initializer that is no constant")
        }
    }
}

fn check_constant_place(place: &Place) -> Lowered<()> {
    match &place.base {
        place::PlaceBase::Global(_) => {}
        place::PlaceBase::Pointee(pointer) => check_constant(pointer)?,
        place::PlaceBase::Local(_) => return refuse("an initializer that is no constant"),
    }
    place.steps.iter().try_for_each(|step| match &step.kind {
        StepKind::Index(index) => check_constant(index),
        StepKind::Field { .. } => Ok(()),
    })
}

impl Context<'_> {
    /// Initial values of objects at file level.
    pub(super) fn lower_initials(&mut self) {
        for (global, unit, value) in std::mem::take(&mut self.initials) {
            let ty = self.program.types.get(self.program.globals[global].ty).c.clone();
            let initial = Body::new(self, unit, None).constants(value, &ty);
            self.set_initial(global, initial);
        }
    }

    /// Notes what an object starts with. What is not modelled makes it unknown, as if somebody else defined it.
    pub(super) fn set_initial(&mut self, global: GlobalId, initial: Lowered<Vec<Initial>>) {
        let initial = match initial {
            Ok(initial) => Some(initial),
            Err(refusal) => {
                self.unknown_initial(global, &refusal);
                None
            }
        };
        self.program.globals[global].initial = initial;
    }

    /// `core-002`: the initial value of an object is not modelled; what it holds counts as unknown. Only what depends
    /// on it is not specialized.
    fn unknown_initial(&mut self, global: GlobalId, refusal: &Refusal) {
        let known = &self.program.globals[global];
        let message = format!("the initial value of `{}` is unknown: {}", known.name, refusal.reason);
        let mut finding = source::Diagnostic::warning("core-002", message);
        if let Some(span) = refusal.span.or(known.span) {
            finding = finding.at(span, "not modelled");
        }
        self.findings.push(finding);
    }
}
