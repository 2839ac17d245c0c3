//! The C of packets, compiled without a warning and without any library.

use filetest::oracle::{Compilation, STRICT, find};
use filetest::scratch::Scratch;

use crate::inputs::{Input, presented, root};

/// Writes the files that a flow's packets become, the runtime's interface beside them, and its version for the linker.
pub(crate) fn write(input: &Input, no_opt: &[String], folder: &Scratch) {
    let version = std::fs::read_to_string(root().join("runtime/net/version.c")).expect("the runtime");
    let files = [
        ("version.c", version.replace("version.h", "whittle_flow.h")),
        ("whittle_flow.h", stubs::links::flow::runtime::header()),
        ("packets.h", format!("#ifndef PACKETS_H\n#define PACKETS_H\n{}#endif\n", input.header())),
        ("packets.c", cast::print_file(&input.packets(no_opt))),
    ];
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file in a scratch folder");
    }
}

pub(crate) fn compilers() -> impl Iterator<Item = &'static str> {
    ["gcc", "clang"].into_iter().filter(|compiler| find(compiler).is_some())
}

#[test]
fn packets_compile_without_a_warning() {
    let text = std::fs::read_to_string(root().join("tests/stubs/flow/packets.spi")).expect("the description");
    let input = presented(&text, &[]);
    let folder = Scratch::new("flow-packets").expect("a scratch folder");
    write(&input, &[], &folder);
    for compiler in compilers() {
        for level in ["-O0", "-O2"] {
            let compilation = Compilation::new(compiler).with(STRICT).with(["-std=c11", "-pedantic", level]);
            let done = compilation.object(&folder.path().join("packets.c"), &folder.path().join("packets.o"));
            done.unwrap_or_else(|problem| panic!("{compiler} {level}: {}", problem.message().unwrap_or_default()));
        }
    }
}
