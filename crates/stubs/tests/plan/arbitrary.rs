//! Any PLAN at all, sensible or not.
use proptest::prelude::*;
use stubs::plan::Plan;
pub(crate) fn plans() -> impl Strategy<Value = Plan> {
    Just(Plan::default())
}
