//! The link `fluke` as its users have it: between threads of one process, with sanitizers, and by the loop that receives and replies
//! over kernels such as seL4, for which a stand-in of threads takes the kernel's place (`make sel4` has the kernel itself). What is
//! cut, overwritten or made up on the way gets an error and leaves nothing behind.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::objects::Objects;
use filetest::programs::{CHECKED, Outcome, compiling, run};
use filetest::scratch::Scratch;

static OBJECTS: Objects = Objects::new();

/// Races show.
const RACES: [&str; 3] = ["-g", "-O1", "-fsanitize=thread"];

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

/// What whittle makes of an interface, in a folder of its own.
fn stubs(name: &str, interface: &str, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("fluke-{name}"))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(tests().join(interface)).args(["--style", "plain", "--link", "fluke"]).args(options);
    run(whittle.arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

/// Builds a program of the tests from what was written for an interface, and runs it to its end.
fn try_program(folder: &Path, program: &str, (compiler, flags): (&str, &[&str]), interface: &str) -> Outcome {
    let source = tests().join(program);
    let target = folder.join("program");
    let compiling = || {
        let mut command = compiling(compiler, flags, folder, &tests().join("direct"));
        command.arg("-DFLUKE");
        command
    };
    let mut command = compiling();
    command.arg(source).arg("-o").arg(&target);
    let parts = ["types", "client", "server"].map(|part| format!("{interface}_{part}.c"));
    for part in parts.iter().map(String::as_str).chain(["whittle_fluke.c"]) {
        command.arg(OBJECTS.object(compiling(), &folder.join(part))?);
    }
    run(&mut command)?;
    run(Command::new("timeout").args(["-k", "1", "240"]).arg(target))
}

#[test]
fn threads_call_each_other() -> Outcome {
    let folder = stubs("bank", "fluke/bank.idl", &[])?;
    for compiler in [("gcc", &CHECKED[..]), ("gcc", &RACES[..]), ("clang", &["-O2"][..])] {
        try_program(folder.path(), "fluke/bank.c", compiler, "bank")
            .map_err(|error| format!("{compiler:?}: {error}"))?;
    }
    Ok(())
}

/// Each type in, out, in and out; attributes and inherited operations, exceptions, calls without replies.
#[test]
fn interfaces_of_idl_are_called_in_registers() -> Outcome {
    let folder = stubs("calls", "direct/calls.idl", &[])?;
    try_program(folder.path(), "direct/calls.c", ("clang", &CHECKED), "calls")
}

/// Messages cut short and overwritten at every place of every type; with all passes, and with none.
#[test]
fn damaged_registers_leave_nothing_behind() -> Outcome {
    let all: Vec<&str> = driver::optional_passes().iter().flat_map(|pass| ["--no-opt", pass]).collect();
    for options in [&[][..], &all[..]] {
        let folder = stubs("damage", "direct/every.x", options)?;
        try_program(folder.path(), "direct/damage.c", ("gcc", &CHECKED), "every")?;
    }
    Ok(())
}

/// The server's loop over a kernel that receives: seL4's header, over a stand-in for libsel4.
#[test]
fn servers_receive_and_reply() -> Outcome {
    let folder = stubs("loop", "fluke/bank.idl", &[])?;
    let stand_in = format!("-I{}", tests().join("sel4/stand_in").display());
    for own in [&CHECKED[..], &RACES[..], &["-O2"][..]] {
        let flags = [&["-DWHITTLE_FLUKE_KERNEL=\"whittle_fluke_sel4.h\"", &stand_in], own].concat();
        try_program(folder.path(), "sel4/loop.c", ("gcc", &flags), "bank")
            .map_err(|error| format!("{own:?}: {error}"))?;
    }
    Ok(())
}

/// What has no meaning for it is refused, and says why.
#[test]
fn what_it_has_not_is_refused() -> Outcome {
    for (option, why) in [
        (["--byte-order", "big"], "both sides are on one machine"),
        (["--onc-program", "0x20000001"], "objects are known by references"),
        (["--runtime", "installed"], "the kernel that WHITTLE_FLUKE_KERNEL names"),
        (["--encoding", "xdr"], "and not with `--link fluke`"),
    ] {
        let refused = stubs("refused", "fluke/bank.idl", &option).map(|_| ()).map_err(|error| error.to_string());
        let said = refused.err().unwrap_or_default();
        assert!(said.contains(why), "{option:?}: {said}");
    }
    Ok(())
}

/// The header is for C++ programs, too, and all of it compiles without a warning, however it is shaped.
#[test]
fn all_of_it_compiles_without_warnings() -> Outcome {
    let warnings = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"];
    let shapes =
        ["strict", "strings inline; arrays inline; prefix own_", "strings counted; arrays apart; results lent"];
    for (at, shape) in shapes.iter().enumerate() {
        let compiler = if at % 2 == 0 { "gcc" } else { "clang" };
        for (base, interface) in
            [("every", "direct/every.x"), ("calls", "direct/calls.idl"), ("bank", "fluke/bank.idl")]
        {
            let folder = stubs("warnings", interface, &["--present", shape])?;
            let unit = folder.path().join("unit.cc");
            std::fs::write(&unit, format!("#include \"{base}.h\"\nint main() {{ return 0; }}\n"))?;
            run(Command::new("g++").arg("-std=c++17").args(warnings).arg(unit))?;
            let parts = ["types", "client", "server"].map(|part| folder.path().join(format!("{base}_{part}.c")));
            let mut all = Command::new(compiler);
            all.arg("-std=c11").args(warnings).args(parts).arg(folder.path().join("whittle_fluke.c"));
            run(&mut all).map_err(|error| format!("{interface}, {shape}: {error}"))?;
        }
    }
    Ok(())
}
