//! Numbers and constants as C writes them, for styles whose headers name constants. In: values of AOI, and how a style names
//! things. Out: C expressions, by the names that the header gives to constants and members.

use aoi::{Aoi, Definition, DefinitionId, DefinitionKind, Type, Value};
use cast::{Expression, Scalar, build};
use pres::{Extent, Label};

/// How a style names what values speak of.
pub(crate) struct Naming {
    pub(crate) truth: &'static str,
    pub(crate) untruth: &'static str,
    pub(crate) definition: fn(&Aoi, DefinitionId) -> String,
    /// A member of an enumeration.
    pub(crate) member: fn(&Definition, &str) -> String,
}

impl Naming {
    /// How C writes a value.
    pub(crate) fn expression(&self, aoi: &Aoi, value: &Value) -> Expression {
        let named = |name: String| build::name(name, cast::Type::INT);
        match value {
            Value::Integer { value, .. } => number(*value),
            Value::NestedMember { value, .. } => number(*value),
            Value::Text(text) => build::text(text.clone()),
            Value::WideText(text) => wide(text),
            Value::Constant(id) => named((self.definition)(aoi, *id)),
            Value::Member { enumeration, member } => {
                let definition = &aoi.definitions[*enumeration];
                let name = match &definition.kind {
                    DefinitionKind::Enumeration(of) => {
                        of.members.get(*member).map_or("", |member| member.name.as_str())
                    }
                    _ => "",
                };
                named((self.member)(definition, name))
            }
            Value::Boolean(true) => named(self.truth.to_string()),
            Value::Boolean(false) => named(self.untruth.to_string()),
            Value::Float(spelling) | Value::Fixed(spelling) => {
                build::spelled(spelling.as_str(), cast::Type::Scalar(Scalar::Double))
            }
            Value::Character { code, is_wide } => character(*code, *is_wide),
            Value::External(name) => named(name.clone()),
        }
    }

    /// A length or a bound.
    pub(crate) fn extent(&self, aoi: &Aoi, value: &Value) -> Extent {
        let known = aoi.number(value).and_then(|number| u64::try_from(number).ok());
        Extent { value: known, c: self.expression(aoi, value) }
    }

    /// The same as MINT has it.
    pub(crate) fn bound(&self, aoi: &Aoi, value: &Value) -> mint::Bound {
        match aoi.number(value) {
            Some(number) => mint::Bound::Number(number),
            None => mint::Bound::Symbol(cast::print_expression(&self.expression(aoi, value))),
        }
    }

    /// A label of a union.
    pub(crate) fn label(&self, aoi: &Aoi, value: &Value) -> Label {
        Label { value: aoi.number(value), c: self.expression(aoi, value) }
    }

    /// What a constant is defined as; its type decides how it is written.
    pub(crate) fn constant(&self, aoi: &Aoi, constant: &aoi::Constant) -> Expression {
        match (&constant.value, &constant.ty) {
            (Value::Float(spelling), Some(ty)) if matches!(aoi.resolve(ty), Type::Float { bits: 32 }) => {
                build::spelled(format!("{spelling}f"), cast::Type::Scalar(Scalar::Float))
            }
            (value, _) => self.expression(aoi, value),
        }
    }
}

/// A literal that is what it says in every context, of a type that holds it.
pub(crate) fn number(value: i128) -> Expression {
    match u64::try_from(value) {
        Ok(value) if value > 0x7fff_ffff => build::unsigned(value),
        // The least number has no literal of its own.
        _ if value == i128::from(i64::MIN) => build::spelled("(-9223372036854775807LL - 1)", cast::Type::INT),
        _ if value < i128::from(i32::MIN) => build::spelled(format!("({value}LL)"), cast::Type::INT),
        _ if value == i128::from(i32::MIN) => build::spelled("(-2147483647 - 1)", cast::Type::INT),
        _ => build::integer(value),
    }
}

/// A character's number. Whether a `char` beyond 127 is below zero is the compiler's choice: converted, it is what such a member holds.
pub(crate) fn character(code: u32, is_wide: bool) -> Expression {
    match code {
        128..=255 if !is_wide => build::cast(cast::Type::CHAR, number(i128::from(code))),
        _ => number(i128::from(code)),
    }
}

/// A wide string: an array of `CORBA_wchar`, the zero at its end.
fn wide(text: &str) -> Expression {
    let units = text.chars().map(|unit| (unit as u32).to_string()).chain(["0".to_string()]);
    let units = units.collect::<Vec<_>>().join(", ");
    build::verbatim(format!("((const CORBA_wchar[]){{{units}}})"), cast::Type::named("CORBA_wchar").pointer())
}
