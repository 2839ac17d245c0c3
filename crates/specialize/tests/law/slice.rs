//! Which of many cases a run takes: one of so many; all of them in a soak (`SOAK_SEED=n`) or where `WHITTLE_ALL` is set.

/// Every `one_of`th case; all where all are asked for.
pub(crate) fn sample<T>(cases: Vec<T>, one_of: usize) -> Vec<T> {
    if takes_all() {
        return cases;
    }
    cases.into_iter().step_by(one_of).collect()
}

/// True where time does not matter.
pub(crate) fn takes_all() -> bool {
    seed().is_some() || std::env::var_os("WHITTLE_ALL").is_some()
}

/// What a soak gives.
pub(crate) fn seed() -> Option<u64> {
    std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse().ok())
}
