//! Which of many cases a run takes: one of so many; in a soak (`SOAK_SEED=n`) a part of them that the seed names; all of
//! them where `WHITTLE_ALL` is set.

/// Rounds of a soak that take everything once.
const ROUNDS: usize = 8;

/// Every `one_of`th case; all where all are asked for.
pub(crate) fn sample<T>(cases: Vec<T>, one_of: usize) -> Vec<T> {
    sample_from(cases, one_of, 0)
}

/// The same, from another one on.
pub(crate) fn sample_from<T>(cases: Vec<T>, one_of: usize, first: usize) -> Vec<T> {
    if std::env::var_os("WHITTLE_ALL").is_some() || std::env::var_os("WHITTLE_ONLY").is_some() {
        return cases;
    }
    // Rounds of a soak take turns.
    match seed() {
        Some(seed) => cases.into_iter().skip(seed as usize % ROUNDS).step_by(ROUNDS).collect(),
        None => cases.into_iter().skip(first).step_by(one_of).collect(),
    }
}

/// True where time does not matter.
pub(crate) fn takes_all() -> bool {
    seed().is_some() || std::env::var_os("WHITTLE_ALL").is_some()
}

/// What a soak gives.
pub(crate) fn seed() -> Option<u64> {
    std::env::var("SOAK_SEED").ok().and_then(|seed| seed.parse().ok())
}

/// The seeds of random programs: so many, more in a soak; `LAW_SEEDS=FIRST..END` names them.
pub(crate) fn seeds(count: u64, of_a_soak: u64) -> std::ops::Range<u64> {
    let given = std::env::var("LAW_SEEDS").ok();
    let number = |text: &str| text.trim().parse::<u64>().ok();
    if let Some((first, end)) = given.as_deref().and_then(|text| text.split_once("..")) {
        return number(first).unwrap_or(1)..number(end).unwrap_or(1);
    }
    let first = 1 + seed().unwrap_or(0) * of_a_soak;
    first..first + if takes_all() { of_a_soak } else { count }
}
