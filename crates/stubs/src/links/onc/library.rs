//! ONC RPC for rpcgen's style: over libtirpc, or over `runtime/rpc`, which has its interface. Through shared memory that is a network of its own.

use super::Onc;
use crate::links::rpcgen::Library;

impl Library for Onc {}

/// Shared memory alone.
pub struct Near;

impl Library for Near {
    fn network(&self) -> Option<&'static str> {
        Some("shm")
    }
}
