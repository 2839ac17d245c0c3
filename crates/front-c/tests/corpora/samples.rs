//! Which of many cases a run takes: one of so many, chosen by a seed; all of them in a soak (`SOAK_SEED=n`).

/// Every `one_of`th case, starting anywhere; all where a soak asks for all.
pub(crate) fn sample<T>(cases: Vec<T>, one_of: usize) -> Vec<T> {
    if seed().is_some() || std::env::var_os("WHITTLE_ALL").is_some() {
        return cases;
    }
    cases.into_iter().enumerate().filter(|(at, _)| at % one_of == 0).map(|(_, case)| case).collect()
}

/// What a soak gives.
pub(crate) fn seed() -> Option<u64> {
    std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse().ok())
}
