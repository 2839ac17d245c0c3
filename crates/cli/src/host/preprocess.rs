//! The C preprocessor: found as rpcgen finds it, run with rpcgen's arguments.
//!
//! In order: the `cpp` of `-Y`'s directory, `$CPP`, `cpp` on the path, a C compiler's `-E`. Where there is none, an
//! input without directives and without defined symbols stands as it is.

use std::path::{Path, PathBuf};
use std::process::Command;

use driver::{Failure, Preprocess, Preprocessed, Preprocessor};

use super::bounded::{self, Room};
use crate::errors;

/// A program and the arguments that make it a preprocessor of C.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    path: PathBuf,
    arguments: Vec<String>,
}

pub(super) fn run(request: &Preprocess<'_>, room: Room) -> Result<Preprocessed, Failure> {
    match find(request.options) {
        Ok(program) => start(&program, request, room),
        // One that was named must be there, as rpcgen has it.
        Err(_) if !is_named(request.options) && is_plain(request) => {
            Ok(Preprocessed { text: request.source.text.clone(), ..Preprocessed::default() })
        }
        Err(looked_for) => Err(errors::no_preprocessor(&looked_for)),
    }
}

/// Whether the user says which preprocessor it is.
fn is_named(options: &Preprocessor) -> bool {
    options.directory.is_some() || options.command.is_some()
}

/// True where a preprocessor would change nothing.
fn is_plain(request: &Preprocess<'_>) -> bool {
    let defines = request.options.arguments.iter().any(|argument| argument.starts_with("-D"));
    !defines && !request.source.text.lines().any(|line| line.trim_start().starts_with('#'))
}

/// The preprocessor of descriptions, or where it was looked for.
pub(crate) fn found() -> Result<PathBuf, String> {
    find(&Preprocessor::default()).map(|program| program.path)
}

/// The preprocessor, or where it was looked for.
fn find(options: &Preprocessor) -> Result<Program, String> {
    if let Some([program, arguments @ ..]) = options.command.as_deref() {
        let path = on_path(program).ok_or(program.clone())?;
        return Ok(Program { path, arguments: arguments.to_vec() });
    }
    if let Some(directory) = &options.directory {
        let path = Path::new(directory).join("cpp");
        let found = is_program(&path);
        return if found { Ok(plain(path)) } else { Err(path.display().to_string()) };
    }
    if let Some(named) = std::env::var("CPP").ok().filter(|named| !named.trim().is_empty()) {
        let mut words = named.split_whitespace().map(str::to_owned);
        let program = words.next().unwrap_or_default();
        let path = on_path(&program).ok_or(program)?;
        return Ok(Program { path, arguments: words.chain(["-x".into(), "c".into()]).collect() });
    }
    if let Some(path) = on_path("cpp").or_else(|| Some(PathBuf::from("/lib/cpp")).filter(|path| is_program(path))) {
        return Ok(plain(path));
    }
    let compiler = ["cc", "gcc", "clang"].into_iter().find_map(on_path);
    compiler.map(|path| Program { path, arguments: vec!["-E".into(), "-x".into(), "c".into()] }).ok_or("cpp".into())
}

fn plain(path: PathBuf) -> Program {
    Program { path, arguments: Vec::new() }
}

pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(|path| is_program(path));
    }
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

fn start(program: &Program, request: &Preprocess<'_>, room: Room) -> Result<Preprocessed, Failure> {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments);
    if request.options.command.is_none() {
        command.arg("-C");
    }
    command.args(&request.options.arguments);
    command.args(request.symbol.map(|symbol| format!("-D{symbol}")));
    // What is no file gave its text already, and gives it only once.
    let input = match request.path.filter(|path| Path::new(path).is_file()) {
        Some(path) => {
            command.arg(super::argument(path));
            None
        }
        None => {
            command.arg("-");
            Some(request.source.text.as_str())
        }
    };
    let said = bounded::run(&mut command, input, room)
        .map_err(|problem| errors::cannot_read(&program.path.display().to_string(), &problem))?;
    if let Some(how) = said.failure() {
        return Err(errors::preprocessor_failed(&how, &said.remarks));
    }
    let text = String::from_utf8_lossy(&said.output).into_owned();
    Ok(Preprocessed { text, has_markers: true, remarks: said.remarks })
}

#[cfg(test)]
mod tests {
    use super::*;
    use driver::SourceText;

    fn plain_text(text: &str, arguments: &[&str]) -> bool {
        let source = SourceText { name: "b.x".into(), text: text.into(), lossy: false };
        let options = Preprocessor {
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            ..Preprocessor::default()
        };
        is_plain(&Preprocess { path: None, source: &source, options: &options, symbol: Some("RPC_HDR") })
    }

    #[test]
    fn a_text_without_directives_needs_no_preprocessor() {
        assert!(plain_text("%#include <x.h>\nconst A = 1;\n", &["-Isome"]));
        assert!(!plain_text("  #ifdef A\n", &[]));
        assert!(!plain_text("const A = B;\n", &["-DB=1"]));
    }

    #[test]
    fn a_folder_without_cpp_is_named_in_the_error() {
        let options = Preprocessor { directory: Some("/nowhere".to_owned()), ..Preprocessor::default() };
        assert_eq!(find(&options), Err("/nowhere/cpp".to_owned()));
    }
}
