//! `whittle mig`: mig's command line, file names, exit status and channels (GNU MIG 1.8).
//!
//! In: mig's arguments. Out: requests to `driver`, or what to say about the command line. Everything is observed from the
//! program and its own help; what whittle does otherwise on purpose is in the list below.
//! - Nothing is written when any stage finds an error, and all errors are reported.
//! - `-cc cat` means that the input has been preprocessed, and starts no program.
//! - `-m32` and `-m64` say how wide the machine's words are; there is one mig for each machine.
//! - `-s`, `-v` and their opposites change nothing: there is no table of symbols, and nothing to tell.

mod arguments;
mod usage;

pub(crate) use arguments::{Command, Misuse, parse};
pub(crate) use usage::{HELP, OPTIONS, SYNOPSIS, VERSION};
