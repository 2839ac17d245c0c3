//! Operations on values that Core C does not look into: complex numbers, vectors. They stay C text with holes for the
//! values they take: `⟨0⟩ + ⟨1⟩`.

use cast::{Expression as Source, ExpressionKind as Kind, Type, UnaryOperator};

use super::body::Body;
use super::order::{effects, effects_of};
use super::{Lowered, ctype, refuse};
use crate::{Expression, ExpressionKind, Place, Shape, StatementKind};

impl Body<'_, '_> {
    pub(super) fn is_opaque(&mut self, ty: &Type) -> bool {
        self.shape(ty) == Shape::Opaque
    }

    /// True for an operation that gives an opaque value or takes one.
    pub(super) fn is_opaque_operation(&mut self, source: &Source) -> bool {
        match &source.kind {
            Kind::Cast(a) | Kind::Implicit(a) => {
                (self.is_opaque(&a.ty) || self.is_opaque(&source.ty)) && !self.is_alike(&a.ty, &source.ty)
            }
            Kind::Unary(UnaryOperator::Negate | UnaryOperator::Complement | UnaryOperator::Not, a)
            | Kind::Index(a, _) => self.is_opaque(&a.ty) || self.is_opaque(&source.ty),
            Kind::Binary(operator, a, b) => {
                !matches!(operator, cast::BinaryOperator::Comma | cast::BinaryOperator::And | cast::BinaryOperator::Or)
                    && (self.is_opaque(&a.ty) || self.is_opaque(&b.ty) || self.is_opaque(&source.ty))
            }
            Kind::Braces(_) => self.is_opaque(&source.ty),
            Kind::Verbatim(text) => self.is_opaque(&source.ty) && text.starts_with(|c: char| c.is_ascii_digit()),
            _ => false,
        }
    }

    /// True for two spellings of one type.
    pub(super) fn is_alike(&self, a: &Type, b: &Type) -> bool {
        let table = &self.types().table;
        ctype::resolve(table, a) == ctype::resolve(table, b)
    }

    /// Such an operation as text with holes.
    pub(super) fn opaque(&mut self, source: &Source) -> Lowered<Expression> {
        let (text, parts): (String, Vec<&Source>) = match &source.kind {
            Kind::Unary(operator, a) => match operator {
                UnaryOperator::Negate => ("-⟨0⟩".to_owned(), vec![a]),
                UnaryOperator::Complement => ("~⟨0⟩".to_owned(), vec![a]),
                UnaryOperator::Not => ("!⟨0⟩".to_owned(), vec![a]),
                _ => return self.no_operation(source),
            },
            Kind::Binary(operator, a, b) => (format!("⟨0⟩ {} ⟨1⟩", operator.spelling()), vec![a, b]),
            Kind::Index(a, b) => ("⟨0⟩[⟨1⟩]".to_owned(), vec![a, b]),
            Kind::Cast(a) => (format!("({})⟨0⟩", cast::print_type(&source.ty)), vec![a]),
            // C converts a scalar to a vector where it is an operand, and nowhere else.
            Kind::Implicit(a) if !self.is_complex(&source.ty) && self.is_opaque(&source.ty) => return self.operand(a),
            Kind::Implicit(a) => (format!("({})⟨0⟩", cast::print_type(&source.ty)), vec![a]),
            Kind::Braces(parts) if parts.iter().all(|part| part.designators.is_empty()) => {
                let holes: Vec<String> = (0..parts.len()).map(|at| format!("⟨{at}⟩")).collect();
                let text = format!("({}){{{}}}", cast::print_type(&source.ty), holes.join(", "));
                (text, parts.iter().map(|part| &part.value).collect())
            }
            Kind::Verbatim(text) => (text.clone(), Vec::new()),
            _ => return self.no_operation(source),
        };
        let mut operands = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let value = self.operand(part)?;
            operands.push(self.protect(value, &effects_of(parts[at + 1..].iter().copied()))?);
        }
        let ty = self.ty(&source.ty);
        Ok(self.expression(ExpressionKind::Opaque { text, operands }, ty))
    }

    fn no_operation(&self, source: &Source) -> Lowered<Expression> {
        refuse(format!("an operation on values of type `{}`", cast::print_type(&source.ty)))
    }

    fn is_complex(&self, ty: &Type) -> bool {
        let ty = ctype::resolve(&self.types().table, ty);
        matches!(ty, Type::Opaque(opaque) if opaque.spelling.contains("_Complex"))
    }

    /// What a hole takes: a scalar value, or what an opaque object holds.
    fn operand(&mut self, source: &Source) -> Lowered<Expression> {
        if !self.is_opaque(&source.ty) {
            return self.value(source);
        }
        if self.is_opaque_operation(source) && !self.is_lvalue(source) {
            return self.opaque(source);
        }
        let place = self.place_or_object(source)?;
        if place.volatile {
            return refuse("an operation on a volatile value that is no number");
        }
        self.load(place)
    }

    /// Assigns `target op value` to an opaque target.
    pub(super) fn opaque_update(
        &mut self,
        operator: cast::BinaryOperator,
        target: &Source,
        value: Option<&Source>,
    ) -> Lowered<Place> {
        let place = self.place(target)?;
        let place = match value {
            Some(value) => self.protect_place(place, &effects(value))?,
            None => place,
        };
        let value = match value {
            Some(value) => self.operand(value)?,
            None => {
                let int = self.types_mut().int();
                self.number(1, int)?
            }
        };
        let old = self.load(place.clone())?;
        let text = format!("⟨0⟩ {} ⟨1⟩", operator.spelling());
        let kind = ExpressionKind::Opaque { text, operands: vec![old, value] };
        let value = self.expression(kind, place.ty);
        self.emit(StatementKind::Store { place: place.clone(), value })?;
        Ok(place)
    }
}
