//! What kind of number a float is, and how two compare where one may be none: `isnan`, `fpclassify`, `isgreater` and their like (C11 sections 7.12.3 and
//! 7.12.14), which headers make of compilers' builtins.
//!
//! In: such a builtin, without its prefix, with the values that it is given. Out: its result, where all of them are known.

use std::cmp::Ordering;
use std::num::FpCategory;

use core_c::{Receiver, Shape, TypeId};

use crate::engine::Engine;
use crate::values::value::Value;

/// The names, without their prefix.
pub(super) const COMPUTED: [&str; 14] = [
    "isnan",
    "isinf",
    "isinf_sign",
    "isfinite",
    "isnormal",
    "signbit",
    "signbitf",
    "fpclassify",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isunordered",
];

/// A known float, with its class in its own type.
struct Float {
    value: f64,
    class: FpCategory,
}

impl Engine<'_> {
    pub(super) fn known_class(
        &mut self,
        name: &str,
        values: &[(Value, TypeId)],
        receiver: Option<&Receiver>,
    ) -> Option<Value> {
        let result = match (name, values) {
            ("fpclassify", [classes @ .., x]) if classes.len() == 5 => {
                let at = match self.known_float(x)?.class {
                    FpCategory::Nan => 0,
                    FpCategory::Infinite => 1,
                    FpCategory::Normal => 2,
                    FpCategory::Subnormal => 3,
                    FpCategory::Zero => 4,
                };
                return matches!(classes[at].0, Value::Integer(_)).then(|| classes[at].0.clone());
            }
            (_, [x]) => one(name, &self.known_float(x)?)?,
            (_, [x, y]) => i128::from(two(name, self.known_float(x)?.value, self.known_float(y)?.value)?),
            _ => return None,
        };
        // Of a sign that is set, some compilers give the bit, and others one.
        let is_known = !name.starts_with("signbit") || result == 0 || self.is_only_tested(receiver);
        is_known.then_some(Value::Integer(result))
    }

    fn known_float(&self, (value, ty): &(Value, TypeId)) -> Option<Float> {
        match (value, self.types.shape_of(*ty)) {
            (Value::Float(raw), Shape::Float { bits: 64 }) => {
                let value = f64::from_bits(*raw);
                Some(Float { value, class: value.classify() })
            }
            (Value::Float(raw), Shape::Float { bits: 32 }) => {
                let value = f32::from_bits(u32::try_from(*raw & 0xffff_ffff).ok()?);
                Some(Float { value: value.into(), class: value.classify() })
            }
            _ => None,
        }
    }
}

fn one(name: &str, x: &Float) -> Option<i128> {
    let is_infinite = x.class == FpCategory::Infinite;
    Some(match name {
        "isnan" => (x.class == FpCategory::Nan).into(),
        "isinf" => is_infinite.into(),
        "isinf_sign" => i128::from(is_infinite) * if x.value < 0.0 { -1 } else { 1 },
        "isfinite" => (!is_infinite && x.class != FpCategory::Nan).into(),
        "isnormal" => (x.class == FpCategory::Normal).into(),
        "signbit" | "signbitf" => x.value.is_sign_negative().into(),
        _ => return None,
    })
}

fn two(name: &str, x: f64, y: f64) -> Option<bool> {
    Some(match name {
        "isgreater" => x > y,
        "isgreaterequal" => x >= y,
        "isless" => x < y,
        "islessequal" => x <= y,
        "islessgreater" => x.partial_cmp(&y).is_some_and(Ordering::is_ne),
        "isunordered" => x.is_nan() || y.is_nan(),
        _ => return None,
    })
}
