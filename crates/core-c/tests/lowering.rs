//! C and the Core C it becomes, side by side: `tests/core`.

use std::fs;
use std::path::Path;

use filetest::golden::{self, Golden};
use front_c::Input;
use libtest_mimic::{Arguments, Failed, Trial};
use source::{Diagnostic, SourceMap, render};

fn main() {
    let arguments = Arguments::from_args();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/core");
    let trial = |golden: Golden| Trial::test(golden.name(&folder), move || judge(&golden));
    let trials: Vec<Trial> = golden::find(&folder, "c").into_iter().map(trial).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn judge(golden: &Golden) -> Result<(), Failed> {
    let mut sources = SourceMap::new();
    let name = golden.input.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut inputs = vec![Input { path: name, text: fs::read_to_string(&golden.input)?, flags: Vec::new() }];
    // A second unit of the same program stands beside the first.
    let second = golden.input.with_extension("second");
    if let Ok(text) = fs::read_to_string(&second) {
        let path = second.file_name().unwrap_or_default().to_string_lossy().into_owned();
        inputs.push(Input { path, text, flags: Vec::new() });
    }
    let (program, findings) = front_c::import(&inputs, &mut sources);
    let errors: Vec<Diagnostic> = findings.into_iter().filter(Diagnostic::is_error).collect();
    let (core, findings) = core_c::lower(&program);
    let wrong: Vec<Diagnostic> = errors.into_iter().chain(core_c::verify(&core)).collect();
    if !wrong.is_empty() {
        return Err(render::short(&sources, &wrong).into());
    }
    let text = format!("{}{}", render::short(&sources, &findings), core_c::dump(&core));
    golden::check(golden, &text, "BLESS=1 cargo test -p core-c --test lowering")
}
