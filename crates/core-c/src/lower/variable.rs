//! Arrays whose length is computed (C11 section 6.7.6.2).
//!
//! A length is computed once, where its declaration stands, into a register. Core C's types do not say it: an array of
//! computed length is one of unknown length, and arrays of such arrays are one array of the innermost elements, whose
//! parts are found by counting bytes. The object's size stands in its `Begin`.

use cast::{Expression as Source, Scalar, Type, array_length};

use super::body::Body;
use super::{Lowered, ctype, refuse};
use crate::{BinaryOperator, Expression, ExpressionKind, LocalId, Place, PlaceBase, Shape, TypeId};

/// True for an array whose size is computed.
pub(super) fn is_computed(table: &cast::TypeTable, ty: &Type) -> bool {
    match ctype::resolve(table, ty) {
        Type::Array(element, Some(length)) => array_length(length).is_none() || is_computed(table, element),
        Type::Array(element, None) => is_computed(table, element),
        _ => false,
    }
}

/// The type as Core C has it; none where it is the same.
pub(super) fn in_core(table: &cast::TypeTable, ty: &Type) -> Option<Type> {
    match ty {
        Type::Named(name) => in_core(table, &table.typedefs.get(name)?.ty),
        Type::Pointer(to) => in_core(table, to).map(Type::pointer),
        Type::Qualified(qualifiers, inner) => {
            in_core(table, inner).map(|inner| Type::Qualified(*qualifiers, Box::new(inner)))
        }
        Type::Array(element, _) if is_computed(table, ty) => {
            let mut innermost: &Type = element;
            while let Type::Array(element, _) = ctype::resolve(table, innermost) {
                innermost = element;
            }
            let innermost = in_core(table, innermost).unwrap_or_else(|| innermost.clone());
            Some(Type::Array(Box::new(innermost), None))
        }
        Type::Array(element, length) => {
            in_core(table, element).map(|element| Type::Array(Box::new(element), length.clone()))
        }
        Type::Function(function) => {
            let result = in_core(table, &function.result);
            let parameters: Vec<Option<Type>> =
                function.parameters.iter().map(|parameter| in_core(table, &parameter.ty)).collect();
            if result.is_none() && parameters.iter().all(Option::is_none) {
                return None;
            }
            let mut function = function.clone();
            function.result = result.unwrap_or(function.result);
            for (parameter, ty) in function.parameters.iter_mut().zip(parameters) {
                parameter.ty = ty.unwrap_or_else(|| parameter.ty.clone());
            }
            Some(Type::Function(function))
        }
        Type::Void | Type::Scalar(_) | Type::Tagged(..) | Type::Anonymous(_) | Type::Opaque(_) => None,
    }
}

impl Body<'_, '_> {
    fn table(&self) -> &cast::TypeTable {
        &self.context.program.types.table
    }

    pub(super) fn has_computed_size(&self, ty: &Type) -> bool {
        is_computed(self.table(), ty)
    }

    /// Computes the lengths that a declaration or cast speaks of, as they are now.
    pub(super) fn lengths(&mut self, ty: &Type) -> Lowered<()> {
        match ty {
            Type::Named(name) => {
                let meaning = self.table().typedefs.get(name).map(|typedef| typedef.ty.clone());
                if meaning.is_some_and(|meaning| in_core(self.table(), &meaning).is_some()) {
                    return refuse(format!("`{name}`, a name for a type of computed size"));
                }
                Ok(())
            }
            Type::Pointer(inner) | Type::Qualified(_, inner) => self.lengths(inner),
            Type::Array(element, length) => {
                if let Some(length) = length.as_deref().filter(|length| array_length(length).is_none()) {
                    self.length(length)?;
                }
                self.lengths(element)
            }
            _ => Ok(()),
        }
    }

    /// Computes a length into the register that stands for it. An expression is distinguished from others by its place in the
    /// source, so that an array's type leads to the length that its own declaration computed.
    fn length(&mut self, length: &Source) -> Lowered<()> {
        let long = self.types_mut().scalar(Scalar::UnsignedLong);
        let value = self.value(length)?;
        let value = self.convert(value, long)?;
        let known = self.lengths.iter().find(|(known, _)| known == length).map(|(_, local)| *local);
        let local = known.unwrap_or_else(|| {
            let local = self.temporary(long);
            self.lengths.push((length.clone(), local));
            local
        });
        self.set(local, value)
    }

    fn known_length(&mut self, length: &Source) -> Lowered<Expression> {
        if let Some(known) = array_length(length) {
            let long = self.types_mut().scalar(Scalar::UnsignedLong);
            return self.number(known.into(), long);
        }
        let found = self.lengths.iter().find(|(known, _)| known == length);
        match found.map(|(_, local)| *local) {
            Some(local) => Ok(self.register(local)),
            None => refuse("an array whose length was computed nowhere"),
        }
    }

    /// The size of a type in bytes, an `unsigned long`.
    pub(super) fn size_value(&mut self, ty: &Type) -> Lowered<Expression> {
        let long = self.types_mut().scalar(Scalar::UnsignedLong);
        if !self.has_computed_size(ty) {
            let id = self.ty(ty);
            let size = match (self.types().shape_of(id), self.types().size_of(id)) {
                (_, Some(size)) => size,
                // GNU C counts these in bytes.
                (Shape::Void | Shape::Function(_), None) => 1,
                (_, None) => return refuse(format!("the size of `{}`, which is not known", cast::print_type(ty))),
            };
            return self.number(size.into(), long);
        }
        let Type::Array(element, Some(length)) = ctype::resolve(self.table(), ty).clone() else {
            return refuse("an array of unknown length");
        };
        let count = self.known_length(&length)?;
        let size = self.size_value(&element)?;
        self.product(count, size)
    }

    fn product(&mut self, count: Expression, size: Expression) -> Lowered<Expression> {
        if let ExpressionKind::Integer(1) = size.kind {
            return Ok(count);
        }
        let ty = count.ty;
        let kind = ExpressionKind::Binary(BinaryOperator::Multiply, Box::new(count), Box::new(size));
        Ok(self.expression(kind, ty))
    }

    /// An element of computed size: a place that is found by counting bytes.
    pub(super) fn computed_element(&mut self, array: Place, index: Expression, element: &Type) -> Lowered<Place> {
        let bytes = self.ty(&Type::CHAR.pointer());
        let start = match array {
            Place { base: PlaceBase::Pointee(pointer), steps, .. } if steps.is_empty() => *pointer,
            array => {
                let inner = self.types().element(array.ty).unwrap_or(array.ty);
                let ty = self.types_mut().pointer_to(inner);
                self.expression(ExpressionKind::Address(Box::new(array)), ty)
            }
        };
        let start = self.convert(start, bytes)?;
        let id = self.ty(element);
        let pointer = self.types_mut().pointer_to(id);
        let moved = self.offset_by_bytes(start, index, element, false, pointer)?;
        Ok(Place::pointee(moved, id))
    }

    /// A pointer moved by a number of elements whose size is computed.
    pub(super) fn offset_by_bytes(
        &mut self,
        pointer: Expression,
        count: Expression,
        element: &Type,
        negative: bool,
        ty: TypeId,
    ) -> Lowered<Expression> {
        let bytes = self.ty(&Type::CHAR.pointer());
        let signed = self.types_mut().scalar(Scalar::Long);
        let pointer = self.convert(pointer, bytes)?;
        let size = self.size_value(element)?;
        let (count, size) = (self.convert(count, signed)?, self.convert(size, signed)?);
        let count = self.product(count, size)?;
        let kind = ExpressionKind::Offset { pointer: Box::new(pointer), count: Box::new(count), negative };
        let moved = self.expression(kind, bytes);
        self.convert(moved, ty)
    }

    /// The distance of two pointers to elements of computed size.
    pub(super) fn distance_by_bytes(
        &mut self,
        a: Expression,
        b: Expression,
        element: &Type,
        ty: TypeId,
    ) -> Lowered<Expression> {
        let bytes = self.ty(&Type::CHAR.pointer());
        let signed = self.types_mut().scalar(Scalar::Long);
        let (a, b) = (self.convert(a, bytes)?, self.convert(b, bytes)?);
        let distance = self.expression(ExpressionKind::Distance(Box::new(a), Box::new(b)), signed);
        let size = self.size_value(element)?;
        let size = self.convert(size, signed)?;
        let kind = ExpressionKind::Binary(BinaryOperator::Divide, Box::new(distance), Box::new(size));
        let count = self.expression(kind, signed);
        self.convert(count, ty)
    }
}

/// A length of an array and the register that holds it.
pub(super) type Length = (Source, LocalId);
