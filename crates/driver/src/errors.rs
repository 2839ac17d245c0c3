//! What is wrong with an input as a whole, with codes that are never reused.

use source::{Diagnostic, Span};

use crate::growth::Growth;

use crate::Stage;

/// `input-001`: the input is not UTF-8. Bytes that are no text are replaced, which shows only where text is passed
/// on (`%` lines).
pub(crate) fn not_utf8(name: &str) -> Diagnostic {
    Diagnostic::warning("input-001", format!("{name} is not UTF-8; bytes that are no text are replaced"))
}

/// `input-002`: a dump of this tree cannot be read. `aoi`, `pres` and `plan` can; tokens and C are what they are text
/// of, and MINT is a part of PRES.
pub(crate) fn no_text(stage: Stage) -> Diagnostic {
    Diagnostic::error("input-002", format!("a dump of `{}` cannot be read", stage.name()))
        .help("`aoi`, `pres` and `plan` can")
}

/// `input-003`: a dump cannot be read back. It is not the text that `--emit` prints of this tree.
pub(crate) fn bad_dump(name: &str, text: &str, problem: &sexpr::ReadError) -> Diagnostic {
    let place = match problem.offset {
        Some(offset) => {
            format!("{name}:{}", text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1)
        }
        None => name.to_owned(),
    };
    Diagnostic::error("input-003", format!("{place}: {}", problem.message))
}

/// `input-004`: this tree is not there. The input is a dump of a later tree.
pub(crate) fn tree_is_before(stage: Stage) -> Diagnostic {
    Diagnostic::error(
        "input-004",
        format!("there is no `{}` to print: the input is a dump of a later tree", stage.name()),
    )
}

/// `input-011`: what is included is no file. A device or a pipe may have no end, and gives its text only once.
pub(crate) fn included_is_no_file(at: Span, path: &str, kind: &str) -> Diagnostic {
    Diagnostic::error("input-011", format!("{path} is {kind}, not a file"))
        .at(at, "only files are included")
        .help("put what it holds into a file; the description itself may come from a pipe")
}

/// `scenario-001`: a function to specialize is not there. The name is wrong, or its file was not given.
pub(crate) fn no_root(name: &str) -> Diagnostic {
    Diagnostic::error("scenario-001", format!("there is no function `{name}` to specialize"))
}

/// `scenario-002`: nothing is marked. A scenario says with `WHITTLE_SPECIALIZE` which functions it wants.
pub(crate) fn no_scenario(path: &str) -> Diagnostic {
    Diagnostic::error("scenario-002", format!("{path} marks no function to be specialized")).help(
        "include <whittle/specialize.h> and write WHITTLE_SPECIALIZE before a function's definition, or name one with --root",
    )
}

/// `scenario-003`: a function cannot be specialized. The reason follows; nothing is written.
pub(crate) fn refused(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error("scenario-003", format!("`{name}` is not specialized: {reason}"))
}

/// `scenario-004`: nothing has the name that is asked for. Ask for a variable or a part of it (`xdrs->x_handy`), for a function, or for a
/// line (`xdr.c:85`) of code that the scenario leads to.
pub(crate) fn unknown_name(name: &str, near: &[String]) -> Diagnostic {
    let finding = Diagnostic::error("scenario-004", format!("nothing that the scenario leads to is called `{name}`"));
    let near: Vec<String> = near.iter().map(|name| format!("`{name}`")).collect();
    match &near[..] {
        [] => finding.help("--why takes a variable or a part of it (xdrs->x_handy), a function, or a line (xdr.c:85)"),
        near => finding.help(format!("there is {}", near.join(", "))),
    }
}

/// `scenario-005`: no harness can be written for a function. Its arguments come from random numbers, and the reason says
/// what cannot be made of them; nothing is written.
pub(crate) fn no_harness(name: &str, reason: &str) -> Diagnostic {
    Diagnostic::error("scenario-005", format!("there is no harness for `{name}`: {reason}")).help(
        "write a function around it whose parameters are numbers, text and structures of them, and specialize that",
    )
}

/// `scenario-007`: functions are called as they stand. Their work is left to run time, with the reason of each.
pub(crate) fn stay_general(root: &str, functions: &[(String, String)], shares_statics: bool) -> Diagnostic {
    let named: Vec<String> = functions.iter().map(|(name, _)| format!("`{name}`")).collect();
    let message = format!("`{root}` calls as general code: {}", named.join(", "));
    let warning = functions.iter().fold(Diagnostic::warning("scenario-007", message), |finding, (name, why)| {
        finding.note(format!("`{name}`: {why}"))
    });
    if !shares_statics && functions.iter().any(|(_, why)| why.contains("static variable")) {
        return warning.help("`--share-statics` lets residual code share static variables of other files");
    }
    warning
}

/// `scenario-008`: specializing a function gains nothing. No test, no call and no loop of it could be decided, and
/// `--require-benefit` was given.
pub(crate) fn no_benefit(root: &str) -> Diagnostic {
    Diagnostic::error("scenario-008", format!("nothing of `{root}` is decided before run time"))
        .help("`--why NAME` says why something is not known, `--statistics` counts what is")
}

/// `scenario-009`: residual code is too large. Code for each known case is made apart, and there are too many cases.
pub(crate) fn too_large(root: &str, growth: &Growth) -> Diagnostic {
    let (times, Growth { made, of }) = (growth.times(), growth);
    let message =
        format!("`{root}` would be {times} times as large: {} statements, of {}", made.statements, of.statements);
    Diagnostic::error("scenario-009", message).help(format!(
        "`--max-growth {times}` allows it; or leave to run time what the cases differ in (WHITTLE_DYNAMIC)"
    ))
}

/// `scenario-010`: residual code is many times as large as its source. It is written, since it is small.
pub(crate) fn large(root: &str, growth: &Growth) -> Diagnostic {
    let (times, Growth { made, of }) = (growth.times(), growth);
    let message = format!(
        "`{root}` is {times} times as large as what it is made of: {} statements, of {}",
        made.statements, of.statements
    );
    Diagnostic::warning("scenario-010", message).help(format!(
        "`--max-growth {times}` says that this is wanted; WHITTLE_DYNAMIC leaves to run time what the cases differ in"
    ))
}

/// `input-005`: what was to be printed is empty. A plan has routines only for types, and a file without any has none.
pub(crate) fn nothing_to_print(name: &str) -> Diagnostic {
    Diagnostic::warning("input-005", format!("there is nothing to print: {name} defines nothing that gets there"))
}

/// `input-006`: stubs of one side were asked for, and there are none. Only programs have stubs.
pub(crate) fn no_program(name: &str) -> Diagnostic {
    Diagnostic::warning("input-006", format!("{name} defines no program, so that there are no stubs to write"))
        .help("leave --side out where only the types are wanted")
}

/// `input-007`: an import of a kind of file that nothing here reads.
pub(crate) fn no_front_end(at: Span, name: &str) -> Diagnostic {
    Diagnostic::error("input-007", format!("expected an interface file (`.x` or `.idl`), found \"{name}\""))
        .at(at, "nothing reads files with this ending")
        .help("import a `.x` or `.idl` file, or write the packet here")
}

/// `input-008`: an import that cannot be read.
pub(crate) fn not_imported(at: Span, name: &str, failure: &Diagnostic) -> Diagnostic {
    Diagnostic::error("input-008", format!("cannot import \"{name}\": {}", failure.message))
        .at(at, "imported here")
        .help("paths are relative to the file that imports")
}

/// `input-009`: no edge of the flow has what was asked for in its name.
pub(crate) fn no_such_edge() -> Diagnostic {
    Diagnostic::error("input-009", "no edge has such a name")
        .help("names of edges are like `Camera.f -> Gray.a`; a part will do, and none at all shows every edge")
}

/// `input-010`: a name or an option that no Makefile can hold. `make` and the shell behind it would take it for something else: several
/// names, a variable, a command.
pub(crate) fn not_built(refused: &escape::Refused) -> Diagnostic {
    Diagnostic::error("input-010", refused.to_string())
        .help("call the file something else: letters, digits, `_`, `-` and `.` are understood everywhere")
}
