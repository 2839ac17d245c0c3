//! `awkward.idl`: discriminants that no `int` holds, servants that leave functions out, exceptions without what they need.

use std::process::Command;

use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

use crate::{OBJECTS, sources};

#[test]
fn wide_discriminants_and_what_a_servant_leaves_out() -> Outcome {
    let folder = Scratch::new("corba-awkward")?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    run(whittle.arg("compile").arg(sources().join("awkward.idl")).arg("--out").arg(folder.path()))?;
    for compiler in ["gcc", "clang"] {
        let program = folder.path().join(compiler);
        let compiling = || compiling(compiler, &CHECKED, folder.path(), &sources());
        let mut command = compiling();
        command.arg(sources().join("awkward.c")).arg("-o").arg(&program);
        for file in ["awkward-common.c", "awkward-stubs.c", "awkward-skels.c", "whittle_corba.c", "whittle_net.c"] {
            command.arg(OBJECTS.object(compiling(), &folder.path().join(file))?);
        }
        run(&mut command)?;
        run(Command::new("timeout").arg("60").arg(program))?;
    }
    Ok(())
}

/// The ORB's type codes stay the ORB's.
#[test]
fn types_named_as_those_of_the_orb() -> Outcome {
    let folder = Scratch::new("corba-orb-names")?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let description = sources().join("orb_names.x");
    run(whittle.args(["compile", "--style", "corba", "--link", "onc", "--out"]).arg(folder.path()).arg(description))?;
    for compiler in ["gcc", "clang"] {
        for file in ["orb_names-common.c", "orb_names-stubs.c", "orb_names-skels.c"] {
            OBJECTS.object(compiling(compiler, &CHECKED, folder.path(), &sources()), &folder.path().join(file))?;
        }
    }
    Ok(())
}
