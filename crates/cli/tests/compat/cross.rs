//! Machines of another byte order and of another word: the same bytes, under qemu.

use std::process::Command;

use filetest::oracle::{self, Compilation};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::build::{self, Maker, STYLES};

/// A machine, its compiler and what runs its programs.
pub(crate) struct Machine {
    pub(crate) name: &'static str,
    pub(crate) compiler: &'static str,
    pub(crate) emulator: &'static str,
}

pub(crate) const MACHINES: [Machine; 2] = [
    Machine { name: "s390x (big-endian)", compiler: "s390x-linux-gnu-gcc", emulator: "qemu-s390x" },
    Machine { name: "armhf (32-bit)", compiler: "arm-linux-gnueabihf-gcc", emulator: "qemu-arm" },
];

/// whittle's routines there write what rpcgen's write here.
pub(crate) fn same_bytes(machine: &Machine) -> Result<(), Failed> {
    let expected = oracle::succeed(&mut Command::new(build::build(Maker::Rpcgen, &STYLES[0])?.program("wire")))?.stdout;
    let folder = Scratch::new(machine.compiler)?;
    build::generate(Maker::Whittle, &STYLES[0], &folder)?;
    for name in ["values.c", "values.h", "wire.c"] {
        folder.copy(&build::sources().join(name))?;
    }
    // The headers are the same everywhere; the library is not there. `char` has a sign, as here.
    let flags = ["-static", "-fsigned-char", "-DALONE", "-I/usr/include/tirpc"];
    let compilation = Compilation::new(machine.compiler).with(flags);
    let sources = ["wire.c", "values.c", "everything_xdr.c"].map(|name| folder.path().join(name));
    let program = folder.path().join("wire");
    compilation.program_alone(&sources, &program)?;
    let actual = oracle::succeed(oracle::command(machine.emulator).arg(&program))?.stdout;
    if expected == actual {
        return Ok(());
    }
    let at = expected.iter().zip(&actual).position(|(one, other)| one != other);
    Err(format!("{} and {} bytes, first difference at {at:?}", expected.len(), actual.len()).into())
}
