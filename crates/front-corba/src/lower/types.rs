//! Types as they are used.

use super::scopes::Meaning;
use super::{BROKEN, Lowering, MAXIMUM};
use crate::errors;
use crate::syntax::{Expression, ScopedName, Type, TypeKind};

/// Of a fixed-point number (IDL 4.2 section 7.4.1.4.4.2.3).
const DIGITS_MOST: i128 = 31;

impl<'a> Lowering<'_, 'a> {
    pub(super) fn ty(&mut self, ty: &Type<'a>) -> aoi::Type {
        match &ty.kind {
            TypeKind::Void => aoi::Type::Void,
            TypeKind::Integer { bits, signed, name } => self.integer(ty, *bits, *signed, name.as_ref()),
            TypeKind::Octet => octet(),
            TypeKind::Boolean => aoi::Type::Boolean,
            TypeKind::Character { is_wide } => aoi::Type::Character { is_wide: *is_wide },
            TypeKind::Float { bits } => aoi::Type::Float { bits: *bits },
            TypeKind::Text { bound } => aoi::Type::Text { bound: self.optional_bound(bound.as_ref()) },
            TypeKind::WideText { bound } => aoi::Type::WideText { bound: self.optional_bound(bound.as_ref()) },
            TypeKind::Fixed(size) => match size {
                Some(size) => self.fixed(ty, &size.0, &size.1),
                None => {
                    self.findings.push(errors::fixed_without_digits(ty.span));
                    BROKEN
                }
            },
            TypeKind::Sequence { element, bound } => self.sequence(element, bound.as_ref()),
            TypeKind::Map { key, value, bound } => self.map(key, value, bound.as_ref()),
            TypeKind::Any => aoi::Type::Any,
            TypeKind::Object => aoi::Type::Object,
            TypeKind::ValueBase => aoi::Type::Named(self.value_base()),
            TypeKind::Named(name) => self.named_type(name),
            TypeKind::Definition(definition) => match self.type_definition(definition, Vec::new()) {
                Some(id) => aoi::Type::Named(id),
                None => BROKEN,
            },
        }
    }

    /// An integer, unless its word is a name of the user's.
    fn integer(&mut self, ty: &Type<'a>, bits: u8, signed: bool, name: Option<&ScopedName<'a>>) -> aoi::Type {
        if let Some(name) = name.filter(|name| name.parts.iter().all(|part| self.scopes.is_known(part))) {
            return self.named_type(name);
        }
        let words: Vec<&str> = self.map.slice(ty.span).split_whitespace().collect();
        let is_plain = words.iter().all(|word| word.bytes().all(|byte| byte.is_ascii_alphanumeric()));
        let spelling = if is_plain { words.join(" ") } else { usual_spelling(bits, signed).to_owned() };
        aoi::Type::Integer { bits, signed, spelling }
    }

    fn named_type(&mut self, name: &ScopedName<'a>) -> aoi::Type {
        if let Some(pseudo) = self.pseudo(name) {
            return self.pseudo_type(pseudo);
        }
        let Some(entry) = self.scopes.resolve(name) else { return BROKEN };
        match entry.meaning {
            Meaning::Type(id, _) | Meaning::Interface(id, _) | Meaning::Value(id, _) => aoi::Type::Named(id),
            _ => {
                self.wrong_kind(name, "a type", &entry);
                BROKEN
            }
        }
    }

    /// `sequence<octet>` is opaque data.
    fn sequence(&mut self, element: &Type<'a>, bound: Option<&Expression<'a>>) -> aoi::Type {
        let is_opaque = matches!(element.kind, TypeKind::Octet);
        let element = self.ty(element);
        let bound = self.optional_bound(bound);
        match is_opaque {
            true => aoi::Type::Opaque { bound },
            false => aoi::Type::Sequence { element: Box::new(element), bound },
        }
    }

    /// A map is a sequence of pairs.
    fn map(&mut self, key: &Type<'a>, value: &Type<'a>, bound: Option<&Expression<'a>>) -> aoi::Type {
        let field = |name: &str, ty: aoi::Type, span| aoi::Field { name: name.to_owned(), ty, span };
        let fields = vec![
            field("key", self.complete_type(key), key.span),
            field("value", self.complete_type(value), value.span),
        ];
        let element = Box::new(aoi::Type::Structure(aoi::Structure { fields }));
        aoi::Type::Sequence { element, bound: self.optional_bound(bound) }
    }

    fn fixed(&mut self, ty: &Type<'a>, digits: &Expression<'a>, scale: &Expression<'a>) -> aoi::Type {
        let (Some(digits), Some(scale)) = (self.whole_number(digits, "digits"), self.whole_number(scale, "a scale"))
        else {
            return BROKEN;
        };
        let fits = (1..=DIGITS_MOST).contains(&digits) && (0..=digits).contains(&scale);
        match (u16::try_from(digits), i16::try_from(scale)) {
            (Ok(digits), Ok(scale)) if fits => aoi::Type::Fixed { digits, scale },
            _ => {
                self.findings.push(errors::bad_fixed(ty.span, digits, scale));
                BROKEN
            }
        }
    }

    fn optional_bound(&mut self, bound: Option<&Expression<'a>>) -> Option<aoi::Value> {
        bound.map(|bound| self.length(bound))
    }

    /// A length or a bound: at least 1.
    fn length(&mut self, expression: &Expression<'a>) -> aoi::Value {
        let one = aoi::Value::Integer { value: 1, spelling: "1".to_owned() };
        match self.whole_number(expression, "a length") {
            None => one,
            Some(number) if (1..=MAXIMUM).contains(&number) => self.spelled_number(expression, number),
            Some(number) => {
                self.findings.push(errors::bad_length(expression.span, number));
                one
            }
        }
    }

    /// The array that the dimensions behind a name make of a type. Bytes in an array are opaque data.
    pub(super) fn dimensions(&mut self, base: aoi::Type, dimensions: &[Expression<'a>]) -> aoi::Type {
        let lengths: Vec<aoi::Value> = dimensions.iter().map(|dimension| self.length(dimension)).collect();
        let mut lengths = lengths.into_iter().rev();
        let mut ty = base;
        if ty == octet()
            && let Some(length) = lengths.next()
        {
            ty = aoi::Type::FixedOpaque { length };
        }
        lengths.fold(ty, |element, length| aoi::Type::Array { element: Box::new(element), length })
    }

    /// What is left of a type when its other names are taken away.
    pub(super) fn unaliased<'t>(&'t self, ty: &'t aoi::Type) -> &'t aoi::Type {
        self.aoi.resolve(ty)
    }
}

fn octet() -> aoi::Type {
    aoi::Type::Integer { bits: 8, signed: false, spelling: "octet".to_owned() }
}

pub(super) fn usual_spelling(bits: u8, signed: bool) -> &'static str {
    match (bits, signed) {
        (8, true) => "int8",
        (8, false) => "uint8",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        (_, true) => "long",
        (_, false) => "unsigned long",
    }
}
