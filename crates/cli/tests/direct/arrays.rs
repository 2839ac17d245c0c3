//! Arrays that C has in its own way: of no items, and with names, as items of others.

use std::path::Path;
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

use crate::{OBJECTS, build_of, compiled, iiop, sources};

/// `opaque x[0]`, which RFC 4506 does not forbid, and counted items of no bytes.
#[test]
fn arrays_of_nothing_arrive() -> Outcome {
    let folder = compiled("zeros", "zeros.x", &[])?;
    let program = build_of(folder.path(), "gcc", &CHECKED, "zeros", "zeros")?;
    run(Command::new("timeout").arg("60").arg(program))
}

#[test]
fn arrays_of_nothing_arrive_over_iiop() -> Outcome {
    let folder = iiop::stubs("zeros", "zeros.x", &[])?;
    iiop::alone(&iiop::build(folder.path(), "clang", &iiop::LIGHT, "zeros", "zeros")?, &[])
}

/// With libtirpc's streams, and with those of the run time beside the stubs.
#[test]
fn arrays_of_nothing_are_values_of_rpcgens_style() -> Outcome {
    let scratch = Scratch::new("direct-zeros")?;
    for (link, run_time, flags) in [
        ("onc", ["whittle_onc.c", "whittle_rpc.c", "whittle_net.c"].as_slice(), [""; 0].as_slice()),
        ("tirpc", &[], &["-I/usr/include/tirpc", "-ltirpc"]),
    ] {
        if link == "tirpc" && !Path::new("/usr/include/tirpc/rpc/rpc.h").is_file() {
            continue;
        }
        let folder = scratch.path().join(link);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(sources().join("zeros.x")).args(["--style", "rpcgen", "--newstyle"]);
        run(whittle.args(["--link", link, "--out"]).arg(&folder))?;
        let compiling = || compiling("clang", &CHECKED, &folder, &sources());
        let (mut clang, program) = (compiling(), folder.join("zeros"));
        clang.arg(sources().join("zeros_xdr.c")).arg(folder.join("zeros_xdr.c")).arg("-o").arg(&program);
        for source in run_time {
            clang.arg(OBJECTS.object(compiling(), &folder.join(source))?);
        }
        run(clang.args(flags))?;
        run(&mut Command::new(program)).map_err(|error| format!("{link}: {error}"))?;
    }
    Ok(())
}

/// Sequences of named arrays: ISO C before C23 knows no pointer to a constant array.
#[test]
fn items_that_are_arrays_compile_without_warnings() -> Outcome {
    let shapes = [
        "strict",
        "strings inline; arrays inline; prefix own_",
        "strings counted; arrays apart; results lent",
        "strings inline; arrays apart",
    ];
    for link in ["onc", "giop-tcp"] {
        for shape in shapes {
            let folder = compiled("arrays", "arrays.x", &["--link", link, "--present", shape])?;
            let parts = ["types.c", "client.c", "server.c"].map(|part| folder.path().join(format!("arrays_{part}")));
            for compiler in ["gcc", "clang"] {
                let mut command = Command::new(compiler);
                command.args(["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
                run(command.args(&parts)).map_err(|error| format!("{link}, {shape}: {error}"))?;
            }
        }
    }
    Ok(())
}
