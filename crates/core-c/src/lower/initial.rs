//! Initial values: stores for locals, constants for what has static storage (C11 section 6.7.9).

use std::collections::BTreeMap;

use cast::{Expression as Source, ExpressionKind as Kind, Placed, Type, Unresolved};

use super::body::Body;
use super::path::{Part, data, path};
use super::{Context, Lowered, Refusal, constant, ctype, refuse};
use crate::{
    BitRange, Expression, ExpressionKind, Global, GlobalId, Initial, Linkage, Place, StatementKind, StepKind, place,
};

impl Body<'_, '_> {
    /// Gives a new object its initial value.
    pub(super) fn initialize(&mut self, to: &Place, value: &Source, ty: &Type) -> Lowered<()> {
        let is_list = matches!(value.kind, Kind::Braces(_) | Kind::Literal { .. });
        if !is_list || self.types().is_scalar(to.ty) || self.is_opaque(ty) {
            return self.store(to, value);
        }
        let parts = self.resolved(value, ty)?;
        if let [only] = parts.as_slice()
            && self.copy_text(to, ty, only)?
        {
            return Ok(());
        }
        if !self.covers(ty, &parts) {
            self.emit(StatementKind::Zero { place: to.clone() })?;
        }
        let mut last: Option<(&Source, Expression)> = None;
        for (at, part) in parts.iter().enumerate() {
            let path = path(&self.types().table, ty, part)?;
            let place = self.along(to.clone(), path)?;
            if matches!(part.value.kind, Kind::Literal { .. }) && !self.types().is_scalar(place.ty) {
                self.store_text(&place, part.value)?;
                continue;
            }
            if !self.types().is_scalar(place.ty) {
                self.store(&place, part.value)?;
                continue;
            }
            // A value for a range of elements is computed once.
            let value = match last.take() {
                Some((source, value)) if std::ptr::eq(source, part.value) => value,
                _ => {
                    let value = self.value(part.value)?;
                    let is_shared = parts.get(at + 1).is_some_and(|next| std::ptr::eq(next.value, part.value));
                    if is_shared && constant::integer(&value).is_none() { self.hold(value)? } else { value }
                }
            };
            last = Some((part.value, value.clone()));
            let value = self.convert(value, place.ty)?;
            self.emit(StatementKind::Store { place, value })?;
        }
        Ok(())
    }

    fn resolved<'s>(&self, value: &'s Source, ty: &Type) -> Lowered<Vec<Placed<'s>>> {
        match cast::resolve_initializer(&self.types().table, ty, value) {
            Ok(resolved) => Ok(resolved.parts),
            Err(Unresolved::UnknownType(ty)) => {
                refuse(format!("an initializer of `{}`, which is incomplete", cast::print_type(&ty)))
            }
            Err(Unresolved::UnknownPlace) => refuse("an initializer of a member that is not there"),
            Err(Unresolved::TooLong(count)) => refuse(format!("an initializer of {count} elements by a range")),
        }
    }

    /// True where the parts leave nothing of the object but padding, which an initializer need not set.
    fn covers(&self, ty: &Type, parts: &[Placed]) -> bool {
        let table = &self.types().table;
        let bits = |part: &Placed| match part.bits {
            Some(bits) => Some(u64::from(bits.width)),
            // A literal may end before its array does.
            None if matches!((&part.value.kind, table.resolve(&part.ty)), (Kind::Literal { .. }, Type::Array(..))) => {
                None
            }
            None => data(table, &part.ty),
        };
        let sum: Option<u64> = parts.iter().map(bits).sum();
        sum.is_some() && sum == data(table, ty)
    }

    /// An array that a string literal fills is copied from it, also where it is all that there is of a structure. What the literal
    /// gives a pointer is its address.
    fn copy_text(&mut self, to: &Place, ty: &Type, part: &Placed) -> Lowered<bool> {
        let Kind::Literal { spelling, bytes } = &part.value.kind else { return Ok(false) };
        let array = self.ty(&part.ty);
        let room = self.types().size_of(array).unwrap_or(u64::MAX);
        let is_whole = self.types().size_of(to.ty) == Some(room);
        if part.offset != 0 || room > bytes.len() as u64 || self.types().is_scalar(array) || !is_whole {
            return Ok(false);
        }
        let path = path(&self.types().table, ty, part)?;
        let to = self.along(to.clone(), path)?;
        let literal = self.context.string(spelling, bytes, to.ty, part.value.span);
        self.emit(StatementKind::Copy { from: Place::global(literal, to.ty), to })?;
        Ok(true)
    }

    /// The elements of a string literal that are not zero.
    fn store_text(&mut self, to: &Place, literal: &Source) -> Lowered<()> {
        let Kind::Literal { bytes, .. } = &literal.kind else { return refuse("a text that is no literal") };
        for part in self.context.text(bytes, to.ty) {
            let Some(element) = self.types().element(to.ty) else { continue };
            let width = self.types().size_of(element).unwrap_or(1);
            let place = self.along(to.clone(), vec![Part::Element(part.offset / width, None)])?;
            self.emit(StatementKind::Store { place, value: part.value })?;
        }
        Ok(())
    }

    /// The place that some steps lead to.
    fn along(&mut self, mut place: Place, path: Vec<Part>) -> Lowered<Place> {
        for part in path {
            place = match part {
                Part::Member(name, ty) => {
                    let ty = self.ty(&ty);
                    self.member(place, &name, ty)?
                }
                Part::Element(at, ty) => {
                    let element = match ty {
                        Some(ty) => self.ty(&ty),
                        None => self.types().element(place.ty).unwrap_or(place.ty),
                    };
                    let long = self.types_mut().scalar(cast::Scalar::Long);
                    let at = self.number(at.into(), long)?;
                    super::place::step(place, StepKind::Index(Box::new(at)), element)
                }
            };
        }
        Ok(place)
    }

    /// The constants that an object with static storage starts with.
    pub(super) fn constants(&mut self, value: &Source, ty: &Type) -> Lowered<Vec<Initial>> {
        let outer = std::mem::replace(&mut self.constant, true);
        let mut found = Vec::new();
        let done = self.constant_parts(0, value, ty, &mut found);
        self.constant = outer;
        done.and_then(|()| self.in_order(found))
    }

    /// The parts by where they stand; of two for one place the later one holds. Designators may come in any order.
    fn in_order(&self, found: Vec<Initial>) -> Lowered<Vec<Initial>> {
        let range = |part: &Initial| {
            let size = self.types().size_of(part.value.ty).unwrap_or(0).saturating_mul(8);
            let (first, width) = part.bits.map_or((0, size), |bits| (bits.first.into(), bits.width.into()));
            let start = part.offset.saturating_mul(8).saturating_add(first);
            (start, start.saturating_add(width))
        };
        if found.is_sorted_by(|one, two| range(one).1 <= range(two).0) {
            return Ok(found);
        }
        let mut parts: BTreeMap<u64, Initial> = BTreeMap::new();
        for part in found {
            let (start, end) = range(&part);
            if parts.get(&start).is_some_and(|known| range(known).1 != end) {
                return refuse("an initializer whose parts overlap");
            }
            parts.insert(start, part);
        }
        let parts: Vec<Initial> = parts.into_values().collect();
        match parts.is_sorted_by(|one, two| range(one).1 <= range(two).0) {
            true => Ok(parts),
            false => refuse("an initializer whose parts overlap"),
        }
    }

    fn constant_parts(&mut self, offset: u64, value: &Source, ty: &Type, found: &mut Vec<Initial>) -> Lowered<()> {
        for part in self.resolved(value, ty)? {
            let offset = offset + part.offset;
            let id = self.ty(&part.ty);
            if self.types().is_scalar(id) {
                let value = self.value(part.value)?;
                let value = self.convert(value, id)?;
                let value = constant::fold(self.types(), value);
                check_constant(&value)?;
                let bits = part.bits.map(|bits| BitRange { first: bits.first, width: bits.width });
                found.push(Initial { offset, bits, value });
                continue;
            }
            match &part.value.kind {
                Kind::Literal { bytes, .. } => {
                    let text = self.context.text(bytes, id);
                    found.extend(text.into_iter().map(|part| Initial { offset: offset + part.offset, ..part }));
                }
                _ if self.is_opaque_operation(part.value) => {
                    let value = self.opaque(part.value)?;
                    check_constant(&value)?;
                    found.push(Initial { offset, bits: None, value });
                }
                // A constant structure as a whole: a compound literal, in GNU C.
                Kind::Compound(inner) => self.constant_parts(offset, inner, &part.ty, found)?,
                Kind::Cast(inner) | Kind::Implicit(inner) => self.constant_parts(offset, inner, &part.ty, found)?,
                _ => return refuse("an initializer that is no constant"),
            }
        }
        Ok(())
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
            alignment: 0,
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
        ExpressionKind::Opaque { operands, .. } => operands.iter().try_for_each(check_constant),
        ExpressionKind::Local(_) | ExpressionKind::Load(_) => refuse("an initializer that is no constant"),
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
