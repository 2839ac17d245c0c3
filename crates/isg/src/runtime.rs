//! The runtime's C as the two files that stand beside what is generated, so that building needs no library of ours. In:
//! `runtime/flow/`. Out: `whittle_flow.h` and `whittle_flow.c`.

/// What generated code includes.
const INTERFACE: &str = include_str!("../../../runtime/flow/flow.h");

/// What the sources share, and the sources, in an order in which each knows what it uses.
const PARTS: &[&str] = &[include_str!("../../../runtime/flow/run.c")];

/// `whittle_flow.h`.
pub(crate) fn header() -> String {
    INTERFACE.to_owned()
}

/// `whittle_flow.c`: all parts, each without the lines that include another.
pub(crate) fn source() -> String {
    let mut text = String::from("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include \"whittle_flow.h\"\n");
    for part in PARTS {
        text.push('\n');
        let lines = part.lines().filter(|line| !line.starts_with("#include \"") && *line != "#define _GNU_SOURCE");
        lines.for_each(|line| {
            text.push_str(line);
            text.push('\n');
        });
    }
    text
}
