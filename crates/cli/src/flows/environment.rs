//! What programs of flows read from the environment, looked at before they do: a fault is said once, not by each of them.
//! In: the environment. Out: whether it is sound. Source: `runtime/flow/options.c`.

use crate::print;

/// A variable, what it is, and the most it may be.
const READ: [(&str, &str, u32); 3] = [
    ("WHITTLE_AWAKE", "microseconds", 1_000_000),
    ("WHITTLE_WAIT", "seconds", 1_000_000_000),
    ("WHITTLE_PORT", "the first TCP port", 65535),
];

/// How many seconds programs wait at their end, where it is said.
pub(super) fn wait() -> Option<u32> {
    std::env::var("WHITTLE_WAIT").ok()?.parse().ok()
}

/// Whether all of it can be read; what cannot has been said.
pub(super) fn is_sound() -> bool {
    let mut is_sound = true;
    for (name, what, most) in READ {
        let Some(value) = std::env::var_os(name).filter(|value| !value.is_empty()) else { continue };
        let number = value.to_str().filter(|text| !text.starts_with('+')).and_then(|text| text.parse::<u32>().ok());
        if number.is_none_or(|number| number > most) {
            let value = value.to_string_lossy();
            print::refuse(&format!("{name} is `{value}`: give {what}, a whole number up to {most}, or unset it"));
            is_sound = false;
        }
    }
    is_sound
}
