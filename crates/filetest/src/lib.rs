//! The harness of tests that are data: goldens, and comparisons with programs that others wrote.
//!
//! In: a folder of cases, or a list of programs. Out: trials for `libtest-mimic`. A golden is an input and, beside
//! it, what should come of it; the expectation's extension says what is tested. `BLESS=1` rewrites expectations. A
//! peer that is not installed makes its cases show as ignored, and fail where `CI` is set.

pub mod accounts;
pub mod announced;
pub mod columns;
pub mod files;
pub mod golden;
pub mod interfaces;
pub mod mutation;
pub mod objects;
pub mod openmetrics;
pub mod oracle;
pub mod pcap;
pub mod picture;
pub mod ports;
pub mod programs;
pub mod random;
pub mod run_times;
pub mod scratch;
pub mod specialized;
pub mod torture;
