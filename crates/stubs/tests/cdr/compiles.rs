//! What is written compiles without a warning, whichever passes run.

use std::fs;

use filetest::oracle;
use filetest::scratch::Scratch;
use stubs::routines::{Messages, Options, Orders};

use crate::inputs::{c_file, presented, root};

#[test]
fn routines_compile_without_a_warning() {
    let text = fs::read_to_string(root().join("tests/stubs/cdr/kinds.x")).expect("the types");
    let pres = presented("kinds.x", &text);
    let out = Scratch::new("cdr-kinds").expect("a scratch folder");
    let passes: Vec<String> = stubs::passes::PASSES.iter().map(|pass| pass.name.to_string()).collect();
    for (at, no_opt) in [Vec::new(), passes].into_iter().enumerate() {
        let options = Options { no_opt, exported: true, messages: Messages::Cdr(Orders::Both), ..Options::default() };
        let path = out.path().join(format!("kinds{at}.c"));
        fs::write(&path, c_file(&pres, 1, &options)).expect("a file");
        for compiler in ["gcc", "clang"] {
            let mut command = oracle::command(compiler);
            command.args([
                "-std=gnu11",
                "-O2",
                "-Wall",
                "-Wextra",
                "-Werror",
                "-I/usr/include/tirpc",
                "-c",
                "-o",
                "/dev/null",
            ]);
            oracle::succeed(command.arg(&path)).expect("no warning");
        }
    }
}
