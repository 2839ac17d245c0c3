//! The texts of `--help` and `--version`.

/// As a macro, since `concat!` takes literals.
macro_rules! synopsis {
    () => {
        "usage: mig [OPTION]... [FILE]...\n"
    };
}

macro_rules! options {
    () => {
        "
Writes the stubs of Mach's messages that a definition file (.defs) describes. Without options it makes XUser.c,
XServer.c and X.h for a subsystem X; - is standard input.

files:
  -user FILE        the user's stubs
  -server FILE      the server's stubs
  -header FILE      the header of the user's stubs
  -sheader FILE     the header of the server's functions
  -list FILE        the numbers of all messages
  -i BASE           a file of its own for each of the user's stubs: BASEroutine.c
  -n                only the files that are named

code:
  -prefix NAME      all functions that are made begin with NAME
  -subrprefix NAME  the run time's functions that are called begin with NAME
  -m32 -m64         the machine's words have 32 bits, or 64 (the default)

preprocessor:
  -cc COMMAND       the preprocessor; `cat` if the input has been preprocessed
  -D... -I... -U... and all others go to the preprocessor; -imacros and -isystem take the next argument along

accepted, without effect: -q -Q -v -V -t -T -r -R -s -S, -iheader FILE, -migcom FILE
"
    };
}

pub(crate) const SYNOPSIS: &str = synopsis!();
pub(crate) const OPTIONS: &str = options!();
pub(crate) const HELP: &str = concat!(synopsis!(), options!());
pub(crate) const VERSION: &str =
    concat!("mig (whittle ", env!("CARGO_PKG_VERSION"), ", in the place of GNU MIG 1.8)\n");
