//! Reads preprocessed C and prints it again: `reprint FILE.i [-o FILE.c] [FLAG …]`.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example talks to the person who started it")]

use std::process::ExitCode;

use front_c::Input;
use source::SourceMap;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (files, flags): (Vec<String>, Vec<String>) = arguments.into_iter().partition(|word| !word.starts_with('-'));
    let mut units = Vec::new();
    for path in files {
        match std::fs::read(&path) {
            Ok(bytes) => units.push(Input { path, text: front_c::text_of(&bytes), flags: flags.clone() }),
            Err(problem) => {
                eprintln!("{path}: {problem}");
                return ExitCode::FAILURE;
            }
        }
    }
    let mut sources = SourceMap::new();
    let (program, findings) = front_c::import(&units, &mut sources);
    let said = source::render::short(&sources, &findings);
    eprint!("{said}");
    for unit in &program.units {
        print!("{}", cast::print_file(&unit.file));
    }
    if findings.iter().any(source::Diagnostic::is_error) { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
