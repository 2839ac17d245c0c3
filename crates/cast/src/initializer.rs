//! What an initializer means (C11 section 6.7.9): which value goes to which place of the object.
//!
//! In: a type and an initializer as written, with designators, ranges and braces left out. Out: places and values in
//! order; all other bytes of the object are zero. A later place may overlap an earlier one and wins; what is wholly
//! overridden is gone. Braces that initialize vectors and other opaque types stay as they are.

use crate::{
    Designator, Expression, ExpressionKind, FieldLayout, Initializer, Layout, RecordKind, Scalar, TagKind, Type,
    TypeTable, array_length, integer_value,
};

/// The value of one part of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placed<'e> {
    /// From the start of the object, in bytes.
    pub offset: u64,
    /// Where the part is a bit-field.
    pub bits: Option<Bits>,
    pub ty: Type,
    /// One value may stand at many places (`[0 ... 9] = f()`); it is computed once.
    pub value: &'e Expression,
}

/// The bits of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bits {
    /// The first, counted from the start of the byte at the part's offset; less than 8.
    pub first: u32,
    pub width: u32,
}

/// An object's initial value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved<'e> {
    pub parts: Vec<Placed<'e>>,
    /// In bytes: of the type, or, where that is incomplete or ends in a flexible array, what the initializer makes it.
    pub size: u64,
}

/// Why an initializer cannot be resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// The type is incomplete, or its table lacks it.
    UnknownType(Type),
    /// A designator names no member, or no constant.
    UnknownPlace,
    /// A range of this many elements.
    TooLong(u64),
}

/// Ranges of more elements are not written out.
const LONGEST_RANGE: u64 = 1 << 22;

/// Finds the place of each value of an initializer.
pub fn resolve_initializer<'e>(
    types: &TypeTable,
    ty: &Type,
    initial: &'e Expression,
) -> Result<Resolved<'e>, Unresolved> {
    let mut resolver = Resolver { types, parts: Vec::new(), end: 0, filled: 0 };
    let place = Place { ty: ty.clone(), offset: 0, width: None };
    resolver.whole(&place, initial)?;
    let size = types.size(ty).unwrap_or(0).max(resolver.end.div_ceil(8));
    let placed = resolver.parts.into_iter().map(|(place, value)| Placed {
        offset: place.offset / 8,
        bits: place.width.map(|width| Bits { first: (place.offset % 8) as u32, width }),
        ty: place.ty,
        value,
    });
    Ok(Resolved { parts: placed.collect(), size })
}

/// A part of the object, in bits from its start.
#[derive(Clone, Debug)]
struct Place {
    ty: Type,
    offset: u64,
    width: Option<u32>,
}

/// An aggregate whose parts are being initialized, one after the other.
struct Level {
    place: Place,
    /// The next part: an element's index, or a member's position.
    next: u64,
    /// A union whose one value is there.
    is_done: bool,
}

struct Resolver<'t, 'e> {
    types: &'t TypeTable,
    parts: Vec<(Place, &'e Expression)>,
    /// In bits: the end of the last part, and of arrays that the initializer gives their length.
    end: u64,
    /// In bits: the end of the last part.
    filled: u64,
}

impl<'t, 'e> Resolver<'t, 'e> {
    /// One value for one place, braces or not.
    fn whole(&mut self, place: &Place, value: &'e Expression) -> Result<(), Unresolved> {
        let is_aggregate = self.is_aggregate(&place.ty);
        match &value.kind {
            ExpressionKind::Braces(list) if is_aggregate => {
                self.clear(place);
                self.list(place, list)
            }
            ExpressionKind::Braces(list) if !matches!(self.types.resolve(&place.ty), Type::Opaque(_)) => {
                match list.first() {
                    Some(first) => self.whole(place, &first.value),
                    None => {
                        self.clear(place);
                        Ok(())
                    }
                }
            }
            // GNU C: an array takes the elements of a literal of its own type.
            ExpressionKind::Compound(braces) if self.is_array(&place.ty) => self.whole(place, braces),
            _ => {
                self.put(place, value);
                Ok(())
            }
        }
    }

    /// A list in braces.
    fn list(&mut self, place: &Place, list: &'e [Initializer]) -> Result<(), Unresolved> {
        if let [Initializer { designators, value }] = list
            && designators.is_empty()
            && self.is_string_for(&place.ty, value)
        {
            self.put(place, value);
            return Ok(());
        }
        let mut levels = vec![Level { place: place.clone(), next: 0, is_done: false }];
        for Initializer { designators, value } in list {
            if designators.is_empty() {
                self.next(&mut levels, value)?;
            } else {
                levels.truncate(1);
                self.designated(&mut levels, designators, value)?;
            }
        }
        Ok(())
    }

    /// A value for the next part of the innermost aggregate that is not full.
    fn next(&mut self, levels: &mut Vec<Level>, value: &'e Expression) -> Result<(), Unresolved> {
        while let Some(level) = levels.last_mut() {
            match self.part(&level.place, level.next, level.is_done)? {
                Some((place, position)) => {
                    level.next = position + 1;
                    level.is_done = self.is_union(&level.place.ty);
                    if !self.goes_inside(&place, value) {
                        return self.whole(&place, value);
                    }
                    levels.push(Level { place, next: 0, is_done: false });
                }
                // One value too many is ignored, as compilers do.
                None if levels.len() == 1 => return Ok(()),
                None => drop(levels.pop()),
            }
        }
        Ok(())
    }

    /// A value for the part that designators lead to. What follows it goes on from there.
    fn designated(
        &mut self,
        levels: &mut Vec<Level>,
        designators: &'e [Designator],
        value: &'e Expression,
    ) -> Result<(), Unresolved> {
        let Some((first, rest)) = designators.split_first() else {
            let Some(level) = levels.pop() else { return Ok(()) };
            if !self.goes_inside(&level.place, value) {
                return self.whole(&level.place, value);
            }
            levels.push(level);
            return self.next(levels, value);
        };
        let constant = |value: &Expression| integer_value(value).and_then(|value| u64::try_from(value).ok());
        match first {
            Designator::Member(name) => {
                for position in self.path(levels, name).ok_or(Unresolved::UnknownPlace)? {
                    self.descend(levels, position)?;
                }
                self.designated(levels, rest, value)
            }
            Designator::Index(at) => {
                let at = constant(at).ok_or(Unresolved::UnknownPlace)?;
                self.descend(levels, at)?;
                self.designated(levels, rest, value)
            }
            Designator::Range(from, to) => {
                let (from, to) = constant(from).zip(constant(to)).ok_or(Unresolved::UnknownPlace)?;
                let count = to.saturating_sub(from);
                if count > LONGEST_RANGE {
                    return Err(Unresolved::TooLong(count));
                }
                let depth = levels.len();
                for at in from..=to {
                    levels.truncate(depth);
                    self.descend(levels, at)?;
                    self.designated(levels, rest, value)?;
                }
                Ok(())
            }
        }
    }

    /// Makes the part at `position` of the innermost aggregate the innermost.
    fn descend(&mut self, levels: &mut Vec<Level>, position: u64) -> Result<(), Unresolved> {
        let Some(level) = levels.last_mut() else { return Err(Unresolved::UnknownPlace) };
        let (place, position) = self.part(&level.place, position, false)?.ok_or(Unresolved::UnknownPlace)?;
        level.next = position + 1;
        level.is_done = self.is_union(&level.place.ty);
        levels.push(Level { place, next: 0, is_done: false });
        Ok(())
    }

    /// The positions that lead to a member: several where anonymous records hold it.
    fn path(&self, levels: &[Level], name: &str) -> Option<Vec<u64>> {
        self.path_in(&levels.last()?.place.ty, name)
    }

    fn path_in(&self, ty: &Type, name: &str) -> Option<Vec<u64>> {
        let fields = &self.layout(ty)?.fields;
        for (position, field) in (0..).zip(fields) {
            match &field.name {
                Some(own) if own == name => return Some(vec![position]),
                None if field.bits.is_none() => {
                    if let Some(mut path) = self.path_in(&field.ty, name) {
                        path.insert(0, position);
                        return Some(path);
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// The first part at or behind a position of an aggregate, and its position.
    fn part(&mut self, place: &Place, position: u64, is_done: bool) -> Result<Option<(Place, u64)>, Unresolved> {
        if is_done {
            return Ok(None);
        }
        if let Type::Array(element, length) = self.types.resolve(&place.ty) {
            if length.as_deref().and_then(array_length).is_some_and(|length| position >= length) {
                return Ok(None);
            }
            let unknown = || Unresolved::UnknownType(place.ty.clone());
            let size = self.types.size(element).and_then(|size| size.checked_mul(8)).ok_or_else(unknown)?;
            let offset = position.checked_mul(size).and_then(|offset| offset.checked_add(place.offset));
            let offset = offset.ok_or_else(unknown)?;
            self.end = self.end.max(offset.saturating_add(size));
            return Ok(Some((Place { ty: (**element).clone(), offset, width: None }, position)));
        }
        let layout = self.layout(&place.ty).ok_or_else(|| Unresolved::UnknownType(place.ty.clone()))?;
        let is_padding = |field: &FieldLayout| field.name.is_none() && field.bits.is_some();
        let skipped = usize::try_from(position).unwrap_or(usize::MAX);
        let mut fields = (0..).zip(&layout.fields).skip(skipped).filter(|(_, field)| !is_padding(field));
        Ok(fields.next().map(|(position, field)| {
            (Place { ty: field.ty.clone(), offset: place.offset + field.offset, width: field.bits }, position)
        }))
    }

    /// Whether a value belongs to the first part of a place, the braces around which were left out.
    fn goes_inside(&self, place: &Place, value: &Expression) -> bool {
        let is_list = matches!(value.kind, ExpressionKind::Braces(_));
        if is_list || !self.is_aggregate(&place.ty) || self.is_string_for(&place.ty, value) {
            return false;
        }
        match (self.types.resolve(&place.ty), self.types.resolve(&value.ty)) {
            (Type::Tagged(_, tag), Type::Tagged(_, of_value)) => tag != of_value,
            (Type::Array(..), Type::Array(..)) => !matches!(value.kind, ExpressionKind::Compound(_)),
            _ => true,
        }
    }

    fn put(&mut self, place: &Place, value: &'e Expression) {
        let ty = if self.types.size(&place.ty).is_none() { &value.ty } else { &place.ty };
        let place = Place { ty: ty.clone(), ..place.clone() };
        self.clear(&place);
        self.filled = self.filled.max(place.offset + self.extent(&place));
        self.end = self.end.max(self.filled);
        self.parts.push((place, value));
    }

    /// Forgets values that another one replaces as a whole.
    fn clear(&mut self, place: &Place) {
        if place.offset >= self.filled {
            // Nearly always: values come in order.
            return;
        }
        let (start, end) = (place.offset, place.offset + self.extent(place));
        let types = self.types;
        self.parts.retain(|(old, _)| old.offset < start || old.offset + extent(types, old) > end);
    }

    fn extent(&self, place: &Place) -> u64 {
        extent(self.types, place)
    }

    fn layout(&self, ty: &Type) -> Option<&'t Layout> {
        match self.types.resolve(ty) {
            Type::Tagged(TagKind::Struct | TagKind::Union, tag) => {
                self.types.records.get(tag).filter(|layout| layout.size.is_some())
            }
            _ => None,
        }
    }

    fn is_aggregate(&self, ty: &Type) -> bool {
        match self.types.resolve(ty) {
            Type::Array(..) => true,
            Type::Tagged(kind, _) => *kind != TagKind::Enum,
            _ => false,
        }
    }

    fn is_array(&self, ty: &Type) -> bool {
        matches!(self.types.resolve(ty), Type::Array(..))
    }

    fn is_union(&self, ty: &Type) -> bool {
        self.layout(ty).is_some_and(|layout| layout.kind == RecordKind::Union)
    }

    /// Whether a value is a string literal that fills an array of a type.
    fn is_string_for(&self, ty: &Type, value: &Expression) -> bool {
        if !matches!(value.kind, ExpressionKind::Literal { .. } | ExpressionKind::Text(_)) {
            return false;
        }
        let Type::Array(element, _) = self.types.resolve(ty) else { return false };
        let is_integer = |scalar: Scalar| !matches!(scalar, Scalar::Float | Scalar::Double | Scalar::LongDouble);
        self.types.scalar(element).is_some_and(|scalar| {
            let width =
                self.types.resolve(&value.ty).element().and_then(|element| self.types.size(element)).unwrap_or(1);
            is_integer(scalar) && self.types.target.size(scalar) == width
        })
    }
}

/// In bits; 0 for what has no size.
fn extent(types: &TypeTable, place: &Place) -> u64 {
    match place.width {
        Some(width) => u64::from(width),
        None => types.size(&place.ty).unwrap_or(0).saturating_mul(8),
    }
}

#[cfg(test)]
mod tests;
