//! What the machine could not do, with codes that are never reused.

use std::io;
use std::path::Path;

use driver::Failure;
use source::Diagnostic;

/// `host-001`: an input cannot be read.
pub(crate) fn cannot_read(path: &str, problem: &io::Error) -> Failure {
    Box::new(Diagnostic::error("host-001", format!("{path}: {}", describe(problem))))
}

/// `host-002`: there is no C preprocessor. The input has directives, or symbols are defined for it, so one is needed.
pub(crate) fn no_preprocessor(looked_for: &str) -> Failure {
    let finding = Diagnostic::error("host-002", format!("cannot find C preprocessor: {looked_for}"));
    Box::new(finding.help("install the package `cpp` (Debian: apt-get install cpp), or name one with $CPP or -Y"))
}

/// `host-003`: the C preprocessor failed. What it said itself follows, or is shown at its place.
pub(crate) fn preprocessor_failed(status: &str, said: &str) -> Failure {
    let finding = Diagnostic::error("host-003", format!("C preprocessor failed with {status}"));
    let finding = said.lines().fold(finding, |finding, line| finding.note(line));
    let is_bounded = ["terminated program", "out of memory", "memory exhausted"].iter().any(|end| said.contains(end));
    Box::new(match is_bounded || status.starts_with("signal") {
        true => finding.help(
            "it may take 10 seconds of processor time and 1 GiB: do macros multiply, or is an included file a device?",
        ),
        false => finding,
    })
}

/// `host-004`: an output cannot be written; no output is.
pub(crate) fn cannot_write(path: &str, problem: &io::Error) -> Failure {
    let finding = Diagnostic::error("host-004", format!("cannot write {path}: {}", describe(problem)));
    Box::new(finding.note("nothing was written"))
}

/// `host-005`: an output would replace a file that was read. The input, or a file it includes, has the name of an output.
pub(crate) fn would_replace_input(path: &str) -> Failure {
    let finding = Diagnostic::error("host-005", format!("output would overwrite {path}, which was read"));
    Box::new(finding.note("nothing was written").help("name another output with -o, or another folder with --out"))
}

/// `host-006`: no C compiler is there whose preprocessor could read C sources.
pub(crate) fn no_compiler() -> Failure {
    let finding = Diagnostic::error("host-006", "cannot find a C compiler");
    Box::new(finding.help("install `clang` (Debian: apt-get install clang), or name one with $CLANG"))
}

/// `host-007`: a symbolic link stands where an output is to be. Who put it there decides where the output would go; the command line alone may.
pub(crate) fn output_is_a_link(path: &str) -> Failure {
    let finding = Diagnostic::error("host-007", format!("{path} is a symbolic link, and outputs do not follow links"));
    Box::new(finding.note("nothing was written").help("remove it, or name the file that it leads to with -o"))
}

/// `host-008`: a folder of outputs is a symbolic link. Folders below the one that `--out` names are entered, links to others are not.
pub(crate) fn link_on_the_way(path: &str) -> Failure {
    let finding = Diagnostic::error("host-008", format!("{path} is a symbolic link, and outputs do not follow links"));
    Box::new(finding.note("nothing was written").help("remove it, or name another folder with --out"))
}

/// `host-009`: a device or a pipe stands where an output is to be. Only one that the command line names with -o is written to.
pub(crate) fn output_is_a_device(path: &str) -> Failure {
    let finding = Diagnostic::error("host-009", format!("{path} is no file, but a device, a pipe or a socket"));
    Box::new(finding.note("nothing was written").help("remove it, or name it with -o"))
}

/// `host-010`: two inputs make different files of one name. Each would be written over by the other.
pub(crate) fn two_of_one_name(path: &str) -> Failure {
    let finding = Diagnostic::error("host-010", format!("two inputs make different files of the name {path}"));
    Box::new(finding.note("nothing was written").help("compile them one by one, with --out into folders of their own"))
}

/// `host-011`: a name that no dependency file can hold. `make` reads one name up to the end of the line.
pub(crate) fn no_dependency(refused: &escape::Refused) -> Failure {
    let finding = Diagnostic::error("host-011", refused.to_string());
    Box::new(finding.note("nothing was written").help("call the file something else, or leave --depfile out"))
}

/// `host-012`: an `#include` line that may lead anywhere. `rpcgen --check` does not follow it; compiling does.
pub(crate) fn wild_include(name: &str, line: usize) -> Failure {
    let message = format!("{name}:{line}: an included file whose name is a macro, or leads out of the folder");
    let finding = Diagnostic::error("host-012", message);
    Box::new(finding.help("write the name of a file inside; or check this description alone, with `whittle check`"))
}

/// `host-013`: compile commands that cannot be read. The file is what CMake, Meson or Bear writes, or a folder with it.
pub(crate) fn bad_commands(path: &Path, why: &str) -> Failure {
    let finding = Diagnostic::error("host-013", format!("{}: no compile commands: {why}", path.display()));
    Box::new(finding.help(
        "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON`, `meson setup` and `bear -- make` write compile_commands.json",
    ))
}

/// The system's words without Rust's error number.
pub(crate) fn describe(problem: &io::Error) -> String {
    let text = problem.to_string();
    match text.find(" (os error") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
