//! What the type table of a program says of types: what a name stands for, and what storage a type takes.
//! Source: C11 section 6.2.5 and the System V ABI (x86-64 and i386).

use crate::{Expression, ExpressionKind, Scalar, TagKind, Target, Type, TypeTable};

impl TypeTable {
    /// The type that a name stands for, without its outermost qualifiers; names that lead nowhere stand for themselves.
    pub fn resolve<'t>(&'t self, ty: &'t Type) -> &'t Type {
        let mut ty = ty;
        // A typedef cannot name itself, and a table that says so anyway must not hang anybody.
        let mut names = 0;
        while names <= self.typedefs.len() {
            ty = match ty {
                Type::Qualified(_, inner) => inner,
                Type::Named(name) => match self.typedefs.get(name) {
                    Some(typedef) => {
                        names += 1;
                        &typedef.ty
                    }
                    None => return ty,
                },
                other => return other,
            };
        }
        ty
    }

    /// The integer or floating type that stands for a type in arithmetic: enumerations have one, too.
    pub fn scalar(&self, ty: &Type) -> Option<Scalar> {
        match self.resolve(ty) {
            Type::Scalar(scalar) => Some(*scalar),
            Type::Tagged(TagKind::Enum, tag) => self.enumerations.get(tag).map(|layout| layout.scalar),
            _ => None,
        }
    }

    /// In bytes; none for functions, and for what is incomplete or varies.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match self.resolve(ty) {
            Type::Scalar(scalar) => Some(self.target.size(*scalar)),
            Type::Pointer(_) => Some(u64::from(self.target.pointer)),
            Type::Array(element, Some(length)) => self.size(element)?.checked_mul(array_length(length)?),
            Type::Tagged(TagKind::Enum, tag) => Some(self.target.size(self.enumerations.get(tag)?.scalar)),
            Type::Tagged(_, tag) => self.records.get(tag)?.size,
            Type::Opaque(opaque) => Some(opaque.size),
            // GNU C: `sizeof(void)` is 1, which arithmetic on `void *` uses.
            Type::Void => Some(1),
            Type::Array(_, None) | Type::Function(_) | Type::Named(_) | Type::Anonymous(_) | Type::Qualified(..) => {
                None
            }
        }
    }
}

/// The length of an array, where it is a constant.
pub fn array_length(length: &Expression) -> Option<u64> {
    integer_value(length).and_then(|value| u64::try_from(value).ok())
}

/// The value of an integer literal, or of an expression whose value the front end knows.
pub fn integer_value(expression: &Expression) -> Option<i128> {
    match &expression.kind {
        ExpressionKind::Integer(text) => literal_value(text),
        ExpressionKind::Known { value, .. } => Some(*value),
        ExpressionKind::Implicit(inner) => integer_value(inner),
        _ => None,
    }
}

/// What an integer literal says (C11 section 6.4.4.1, and GNU C's `0b`).
fn literal_value(text: &str) -> Option<i128> {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let prefix = digits.get(..2).unwrap_or("");
    let value = match prefix {
        "0x" | "0X" => i128::from_str_radix(&digits[2..], 16),
        "0b" | "0B" => i128::from_str_radix(&digits[2..], 2),
        _ if digits.len() > 1 && digits.starts_with('0') => i128::from_str_radix(digits, 8),
        _ => digits.parse(),
    };
    value.ok().map(|value| sign * value)
}

impl Target {
    /// In bytes.
    pub fn size(&self, scalar: Scalar) -> u64 {
        match scalar {
            Scalar::Bool | Scalar::Char | Scalar::SignedChar | Scalar::UnsignedChar => 1,
            Scalar::Short | Scalar::UnsignedShort => 2,
            Scalar::Int | Scalar::UnsignedInt | Scalar::Float => 4,
            Scalar::Long | Scalar::UnsignedLong => u64::from(self.long),
            Scalar::LongLong | Scalar::UnsignedLongLong | Scalar::Double => 8,
            Scalar::LongDouble if self.pointer == 4 => 12,
            Scalar::LongDouble | Scalar::Int128 | Scalar::UnsignedInt128 | Scalar::Float128 => 16,
        }
    }

    /// Whether an integer type has a sign.
    pub fn is_signed(&self, scalar: Scalar) -> bool {
        use Scalar::{
            Bool, Char, UnsignedChar, UnsignedInt, UnsignedInt128, UnsignedLong, UnsignedLongLong, UnsignedShort,
        };
        match scalar {
            Char => self.char_signed,
            Bool | UnsignedChar | UnsignedShort | UnsignedInt | UnsignedLong | UnsignedLongLong | UnsignedInt128 => {
                false
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::literal_value;
    use crate::{Scalar, Type, TypeDeclaration, TypeTable, Typedef, build};

    #[test]
    fn integer_literals_are_read_in_every_base() {
        let values = ["0", "017", "0x1fUL", "-12", "0b101u", "18446744073709551615ull"].map(literal_value);
        assert_eq!(values, [0, 15, 31, -12, 5, 18_446_744_073_709_551_615].map(Some));
        assert_eq!(["x", "", "09", "é1"].map(literal_value), [None; 4]);
    }

    #[test]
    fn names_are_followed_to_what_they_stand_for() {
        let mut types = TypeTable::default();
        let table = Type::Scalar(Scalar::Short).array(build::integer(3)).constant();
        let typedef = |ty| Typedef { ty, declaration: TypeDeclaration::default() };
        types.typedefs.insert("row".into(), typedef(table));
        types.typedefs.insert("loop".into(), typedef(Type::named("loop")));
        assert_eq!(types.size(&Type::named("row").volatile().array(build::integer(2))), Some(12));
        assert_eq!(types.size(&Type::named("loop")), None);
        assert_eq!(types.size(&Type::named("row").pointer()), Some(8));
    }
}
