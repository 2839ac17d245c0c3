//! Duties that tests make the passes over Core C and the specializer forget, one at a time, to see that they notice. Only
//! with the feature `mutations`; `WHITTLE_MUTATION` names the duty.

/// True where this duty is to be neglected.
#[cfg(feature = "mutations")]
pub fn forgets(duty: &str) -> bool {
    use std::sync::OnceLock;
    static CHOSEN: OnceLock<Option<String>> = OnceLock::new();
    CHOSEN.get_or_init(|| std::env::var("WHITTLE_MUTATION").ok()).as_deref() == Some(duty)
}

#[cfg(not(feature = "mutations"))]
pub const fn forgets(_duty: &str) -> bool {
    false
}
