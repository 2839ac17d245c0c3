//! Functions built by hand.
