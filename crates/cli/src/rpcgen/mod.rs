//! `whittle rpcgen`: rpcgen's command line, file names, exit status and channels (rpcgen 1.4.3).
//!
//! In: rpcgen's arguments. Out: a request to `driver`, or what to say about the command line. Everything is
//! observed from the program and its manual page; what whittle does otherwise on purpose is in the list below.
//! - Outputs that exist are overwritten even with `-o`, each in one step.
//! - Nothing is written when any stage finds an error, and all errors are reported.
//! - `-K` takes a number only; rpcgen pastes anything into the server.
//! - `-aT` and `-a dir/file.x` work.
//! - Long options are whittle's own.

mod arguments;
mod check;
mod long;
mod outputs;
mod usage;

pub(crate) use arguments::{Command, Misuse, parse};
pub(crate) use check::{CheckTree, run as check_tree};
pub(crate) use usage::{HELP, OPTIONS, SYNOPSIS, VERSION};
