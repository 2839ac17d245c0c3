//! Names of places and addresses in the residual program. In: an object and a distance in it. Out: an expression of C that leads there, by
//! members and indices where they are the ones that the address was taken by, else by bytes: what compilers take members and arrays for
//! (types, bounds, sizes) must hold of what is named so. Source: C11 sections 6.5.6, 6.5.2.3.

use core_c::{Expression, ExpressionKind, LocalId, Place, PlaceBase, Shape, Step as PlaceStep, StepKind, TypeId};

use crate::engine::{Engine, Step};
use crate::memory::Origin;
use crate::values::value::Pointer;

impl Engine<'_> {
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
        Ok(if is_elsewhere { self.behind_base(address) } else { address })
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
        // Compilers see which object it is, and that it is declared as something else (C11 section 6.5p7).
        let ty = if self.types.is_scalar(ty) { self.as_bytes(ty) } else { ty };
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
        if may_leave { self.behind_base(address) } else { address }
    }

    /// The same address as so many bytes behind its base.
    fn behind_base(&mut self, address: Expression) -> Expression {
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
