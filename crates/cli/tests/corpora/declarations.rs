//! What two headers declare, as clang understands it: types, members, prototypes and their order; and what they
//! define for the preprocessor.

use filetest::golden::difference;
use filetest::oracle;
use libtest_mimic::Failed;

use crate::sample::Made;

/// The headers are the same to a C program.
pub(crate) fn same(theirs: &Made, ours: &Made) -> Result<(), Failed> {
    let as_seen = [("declarations", ["-fsyntax-only", "-Xclang", "-ast-print"].as_slice()), ("macros", &["-E", "-dM"])];
    for (what, flags) in as_seen {
        let (expected, actual) = (seen(theirs, flags)?, seen(ours, flags)?);
        if expected != actual {
            return Err(format!("other {what} than rpcgen's:\n{}", difference(&expected, &actual)).into());
        }
    }
    Ok(())
}

/// What clang prints of a header.
fn seen(made: &Made, flags: &[&str]) -> Result<String, Failed> {
    let mut command = oracle::command("clang");
    command.args(flags).args(["-w", "-x", "c"]).args(oracle::flags_of("libtirpc", "--cflags")).arg(made.file(".h"));
    let text = String::from_utf8_lossy(&oracle::succeed(&mut command)?.stdout).into_owned();
    let mut lines: Vec<String> = text.lines().map(without_tags).collect();
    if flags.contains(&"-dM") {
        lines.sort_unstable();
    }
    Ok(lines.join("\n") + "\n")
}

/// `struct point` and `point` are one type once `typedef struct point point;` stands; rpcgen says what the file says.
fn without_tags(line: &str) -> String {
    if line.ends_with('{') {
        return line.to_owned();
    }
    line.replace("struct ", "").replace("union ", "").replace("enum ", "")
}
