//! Types under the user's conditions call each other by `xdr_T`, and how deep a message nests counts through such calls: whatever is
//! preferred, it ends at the same level, and no message takes the stack.

use std::fs;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;

/// Each type under a condition of its own.
const DESCRIPTION: &str = "%#if 1\nstruct a { int v; struct b *down; int w; };\n%#endif\n%#if 2\nstruct b { int v; a *down; int w; };\n\
    %#endif\n";

/// Decodes a chain of so many values, each with the next in its middle.
const MAIN: &str = r#"
#include "n.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
    const size_t levels = strtoul(words[count - 1], 0, 10);
    char *const message = (char *)calloc(levels, 12);
    size_t i;
    XDR xdrs;
    a value;
    for (i = 0; i + 1 < levels; i++)
        message[8 * i + 7] = 1;
    memset(&value, 0, sizeof value);
    xdrmem_create(&xdrs, message, (u_int)(12 * levels), XDR_DECODE);
    puts(xdr_a(&xdrs, &value) ? "taken" : "refused");
    xdrs.x_op = XDR_FREE;
    xdr_a(&xdrs, &value);
    free(message);
    return 0;
}
"#;

#[test]
fn levels_count_through_types_under_conditions() {
    let folder = Scratch::new("nesting").expect("a folder");
    fs::write(folder.path().join("n.x"), DESCRIPTION).expect("a file");
    fs::write(folder.path().join("main.c"), MAIN).expect("a file");
    for prefer in ["speed", "balance", "size"] {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let whittle = whittle.current_dir(folder.path()).args(["rpcgen", "--quiet", "--prefer", prefer, "n.x"]);
        oracle::succeed(whittle).expect("files");
        let mut gcc = oracle::command("gcc");
        gcc.current_dir(folder.path()).args(["-Wall", "-Wextra", "-Werror", "-fsanitize=address", "-isystem"]);
        let files = ["/usr/include/tirpc", "-o", "main", "main.c", "n_xdr.c", "-ltirpc"];
        oracle::succeed(gcc.args(files)).expect("a program");
        for (levels, expected) in [("3", "taken"), ("1000", "taken"), ("1100", "refused"), ("200000", "refused")] {
            let output = oracle::succeed(Command::new(folder.path().join("main")).arg(levels)).expect("an end");
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(said.trim_end(), expected, "--prefer {prefer}, {levels} levels");
        }
    }
}
