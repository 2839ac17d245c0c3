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
    command.args(flags).args(["-w", "-x", "c"]).args(oracle::flags_of("libtirpc", "--cflags"));
    command.args(&made.flags).arg(made.file(".h"));
    let text = String::from_utf8_lossy(&oracle::succeed(&mut command)?.stdout).into_owned();
    let mut lines: Vec<String> = text.lines().map(|line| added_up(&without_tags(line))).collect();
    // A type that is declared twice has its routine declared twice.
    lines.dedup();
    if flags.contains(&"-dM") {
        // Where a file says the library's macros again, rpcgen defines them twice. From the name `a-b.x` it makes a guard
        // `_A-B_H_RPCGEN`, which is a macro `_A`.
        // Ours alone is what gives enumerations their type in C++.
        let left_out = ["#define TRUE ", "#define FALSE ", "#define WHITTLE_INT_ENUM"];
        lines.retain(|line| !line.contains("_H_RPCGEN") && !left_out.iter().any(|start| line.starts_with(start)));
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

/// rpcgen counts enumerators from the last one with a number: `= 4 + 2` is `= 6`.
fn added_up(line: &str) -> String {
    let (front, comma) = line.strip_suffix(',').map_or((line, ""), |front| (front, ","));
    let numbers = front.split_once(" = ").and_then(|(name, sum)| Some((name, sum.split_once(" + ")?)));
    let Some((name, (first, second))) = numbers else { return line.to_owned() };
    match (first.parse::<i64>(), second.parse::<i64>()) {
        (Ok(first), Ok(second)) => format!("{name} = {}{comma}", first + second),
        _ => line.to_owned(),
    }
}
