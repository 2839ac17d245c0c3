//! Compilers' builtins and what scenarios say: functions whose effects their names alone say.

use crate::{Description, Effect, Outcome, When};

/// What a compiler's builtin does, or a function whose effect its name alone says.
pub(crate) fn builtin(name: &str) -> Option<Effect> {
    if let Some(said) = name.strip_prefix("whittle_scenario_") {
        return SCENARIO.contains(&said).then_some(Effect::Scenario);
    }
    let bare = name.strip_prefix("__builtin_")?;
    let described = match bare {
        "va_start" | "c23_va_start" => return Some(Effect::ListStart),
        "va_copy" => return Some(Effect::ListCopy),
        "va_arg" => return Some(Effect::ListNext),
        "memcpy" | "memmove" => return Some(Effect::Copy { to: 0, from: 1, count: 2 }),
        "memset" => return Some(Effect::Fill { to: 0, value: Some(1), count: 2 }),
        "bzero" => return Some(Effect::Fill { to: 0, value: None, count: 1 }),
        // Whatever is known of it: the answer is.
        "constant_p" => {
            Description { when: When::Anytime, reads: Vec::new(), result: Outcome::Known, ..Description::remote() }
        }
        "va_end" | "prefetch" => Description { result: Outcome::Nothing, ..Description::pure() },
        "expect" | "expect_with_probability" | "assume_aligned" => {
            Description { result: Outcome::Argument(0), ..Description::pure() }
        }
        "unreachable" | "trap" => Description { returns: false, ..Description::remote() },
        "alloca" | "alloca_with_align" => {
            Description { result: Outcome::Fresh { zeroed: false }, ..Description::remote() }
        }
        "frame_address" | "return_address" => Description { result: Outcome::Outside, ..Description::remote() },
        _ if is_arithmetic(bare) => Description::pure(),
        _ => return None,
    };
    Some(Effect::Described(described))
}

/// The annotations of `whittle/specialize.h`.
const SCENARIO: [&str; 8] = ["fact", "assume", "usually", "static", "private", "returns", "dynamic", "general"];

fn is_arithmetic(bare: &str) -> bool {
    const NAMES: [&str; 46] = [
        "bswap16",
        "bswap32",
        "bswap64",
        "bswap128",
        "ffs",
        "ffsl",
        "ffsll",
        "clz",
        "clzl",
        "clzll",
        "ctz",
        "ctzl",
        "ctzll",
        "clrsb",
        "clrsbl",
        "clrsbll",
        "popcount",
        "popcountl",
        "popcountll",
        "parity",
        "parityl",
        "parityll",
        "abs",
        "labs",
        "llabs",
        "fabs",
        "fabsf",
        "inf",
        "nan",
        "huge_val",
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
        "inff",
        "huge_valf",
    ];
    NAMES.contains(&bare)
}
