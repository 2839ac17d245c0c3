//! Mach's ports for rpcgen's style, whose run time (`runtime/rpc/mach`) has libtirpc's interface over them: a network of its own.

use super::Mach;
use crate::links::rpcgen::Library;

impl Library for Mach {
    fn network(&self) -> Option<&'static str> {
        Some("mach")
    }

    fn server_headers(&self) -> &'static [&'static str] {
        &[]
    }
}
