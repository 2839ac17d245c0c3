//! The plain style over Mach's ports, on a stand-in for the kernel (`tests/mach/kernel.c`): the programs that go over ONC RPC, compiled with
//! `-DMACH`, for words of 64 bits and of 32; and one of its own, for what ports alone have: rights, memory beside messages, ends, forgeries.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{Outcome, compiling, is_installed, run};
use filetest::scratch::Scratch;

use crate::iiop::LIGHT;
use crate::{OBJECTS, look_like, sources};

fn own() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mach")
}

fn stubs(name: &str, interface: &Path, options: &[&str]) -> Outcome<Scratch> {
    styled("plain", name, interface, options)
}

fn styled(style: &str, name: &str, interface: &Path, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("mach-{style}-{name}"))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(interface).args(["--style", style, "--link", "mach"]).args(options);
    run(whittle.arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

/// The sources that were written for an interface, with the run time's.
fn written(folder: &Path, interface: &str) -> Vec<PathBuf> {
    let has = |part: &str| folder.join(format!("{interface}{part}")).is_file();
    let (parts, run_time): (&[&str], &[&str]) = if has("_client.c") {
        (&["_types.c", "_client.c", "_server.c"], &["whittle_mach.c"])
    } else if has("_clnt.c") {
        // The program has the server's file in it, whose main is its own.
        (&["_xdr.c", "_clnt.c"], &["whittle_mach.c", "whittle_mach_rpc.c"])
    } else {
        let run_time = &["whittle_mach.c", "whittle_mach_object.c", "whittle_corba_values.c"];
        (&["-common.c", "-stubs.c", "-skels.c"], run_time)
    };
    let own = parts.iter().map(|part| format!("{interface}{part}"));
    own.chain(run_time.iter().map(|name| (*name).to_owned())).map(|name| folder.join(name)).collect()
}

/// A program in C, from what was written for an interface.
fn build(folder: &Path, compiler: &str, flags: &[&str], program: &Path, interface: &str) -> Outcome<PathBuf> {
    let target = folder.join("program");
    let compiling = || {
        let mut command = compiling(compiler, &[&["-DMACH"], flags].concat(), folder, &sources());
        command.arg("-I").arg(own()).arg("-I").arg(own().join("../mig/include"));
        command
    };
    let mut command = compiling();
    command.arg(program).arg(own().join("kernel.c")).arg("-o").arg(&target);
    for source in written(folder, interface) {
        command.arg(OBJECTS.object(compiling(), &source)?);
    }
    run(&mut command)?;
    Ok(target)
}

/// A program that does all by itself, on this machine and on one of the other word size.
fn alone(name: &str, folder: &Path, program: &Path, interface: &str, flags: &[&str]) -> Outcome {
    let here = build(folder, "gcc", flags, program, interface)?;
    run(Command::new("timeout").arg("120").arg(here).arg("there")).map_err(|error| format!("{name}: {error}"))?;
    if is_installed("arm-linux-gnueabihf-gcc") && is_installed("qemu-arm") {
        let there = build(folder, "arm-linux-gnueabihf-gcc", &["-O1", "-static"], program, interface)?;
        run(Command::new("timeout").args(["120", "qemu-arm"]).arg(there).arg("there"))
            .map_err(|error| format!("{name}, 32 bits: {error}"))?;
    }
    Ok(())
}

fn direct(name: &str, interface: &str, options: &[&str]) -> Outcome {
    let folder = stubs(name, &sources().join(interface), options)?;
    let base = interface.split('.').next().unwrap_or_default();
    alone(name, folder.path(), &sources().join(format!("{name}.c")), base, &LIGHT)
}

#[test]
fn interfaces_of_idl_are_called_over_ports() -> Outcome {
    direct("calls", "calls.idl", &[])
}

#[test]
fn damaged_messages_of_ports_leave_nothing_behind() -> Outcome {
    direct("damage", "every.x", &[])
}

#[test]
fn shapes_are_for_ports_too() -> Outcome {
    direct("reshaped", "reshaped.idl", &[])
}

#[test]
fn ports_end_and_messages_are_forged() -> Outcome {
    let folder = stubs("ports", &own().join("store.idl"), &[])?;
    alone("ports", folder.path(), &own().join("ports.c"), "store", &LIGHT)
}

/// CORBA's style: every type and exception, and what inherits.
#[test]
fn objects_of_idl_are_called_over_ports() -> Outcome {
    let folder = styled("corba", "calls", &sources().join("calls.idl"), &[])?;
    alone("calls", folder.path(), &sources().join("calls_corba.c"), "calls", &LIGHT)
}

/// References are rights to send, in whatever place of a message.
#[test]
fn references_travel_as_rights_to_send() -> Outcome {
    let folder = styled("corba", "objects", &own().join("objects.idl"), &[])?;
    alone("objects", folder.path(), &own().join("objects.c"), "objects", &LIGHT)
}

/// rpcgen's style: the main that is written serves, and is found by its program's number.
#[test]
fn programs_of_rpcgens_style_are_called_over_ports() -> Outcome {
    let folder = styled("rpcgen", "tally", &own().join("tally.x"), &[])?;
    alone("tally", folder.path(), &own().join("tally.c"), "tally", &LIGHT)
}

/// A program with interfaces over IIOP, too, has the ORB's values.
#[test]
fn objects_over_ports_are_called_beside_the_orb() -> Outcome {
    let folder = styled("corba", "beside", &own().join("objects.idl"), &[])?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let giop = ["compile", "--style", "corba", "--link", "giop-tcp", "--out"];
    run(whittle.args(giop).arg(folder.path()).arg(sources().join("calls.idl")))?;
    let orb = ["calls-common.c", "calls-stubs.c", "calls-skels.c", "whittle_corba.c", "whittle_net.c"];
    let sources_of_both = written(folder.path(), "objects")
        .into_iter()
        .filter(|source| !source.ends_with("whittle_corba_values.c"))
        .chain(orb.map(|name| folder.path().join(name)));
    let target = folder.path().join("program");
    let mut command = compiling("gcc", &["-DMACH", "-O1", "-lm"], folder.path(), &sources());
    command.arg("-I").arg(own()).arg("-I").arg(own().join("../mig/include"));
    command.arg(own().join("objects.c")).arg(own().join("kernel.c")).args(sources_of_both);
    run(command.args(["-o"]).arg(&target))?;
    run(Command::new("timeout").arg("120").arg(target))
}

/// What a message has no form for is refused.
#[test]
fn values_of_any_type_are_refused_over_ports() -> Outcome {
    let folder = Scratch::new("mach-refused")?;
    let file = folder.path().join("refused.idl");
    for (text, says) in [
        ("interface I { void f(in any a); };", "a value of any type is the ORB's, and messages of Mach's ports"),
        ("interface I { CORBA::TypeCode f(); };", "a type code is the ORB's"),
        ("interface I { void costarring(); void liquid(); };", "and so is another"),
    ] {
        std::fs::write(&file, text)?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = whittle.arg("check").arg(&file).args(["--style", "corba", "--link", "mach"]).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(says), "{text}: {said}");
    }
    Ok(())
}

/// What the stubs of a small interface look like.
#[test]
fn stubs_over_ports_look_like_this() -> Outcome {
    let folder = stubs("golden", &sources().join("folder.idl"), &[])?;
    look_like(
        folder.path(),
        &[("mach-h", "folder.h"), ("mach-client", "folder_client.c"), ("mach-server", "folder_server.c")],
    )
}

/// The header is for C++ programs, too, and all of it compiles without a warning, however it is shaped.
#[test]
fn all_of_it_compiles_without_warnings_over_ports() -> Outcome {
    let warnings = ["-Wall", "-Wextra", "-Werror", "-fsyntax-only"];
    // `<rpc/…>` is beside the files.
    let silent = |compiler: &str, standard: &str, files: &[PathBuf]| -> Outcome {
        let mut command = Command::new(compiler);
        let folder = files.first().and_then(|file| file.parent()).unwrap_or(Path::new("."));
        let headers =
            [folder.to_owned(), own(), own().join("../mig/include")].map(|path| format!("-I{}", path.display()));
        command.args(warnings).arg(standard).args(headers);
        run(command.args(files))
    };
    let shapes =
        ["strict", "strings inline; arrays inline; prefix own_", "strings counted; arrays apart; results lent"];
    for (at, shape) in shapes.iter().enumerate() {
        let compiler = if at % 2 == 0 { "gcc" } else { "clang" };
        let interfaces = ["every.x", "calls.idl", "names.x", "nested.x"];
        for interface in &interfaces[..if at == 0 { 4 } else { 2 }] {
            let base = interface.split('.').next().unwrap_or_default();
            let folder = stubs("warnings", &sources().join(interface), &["--present", shape])?;
            let unit = folder.path().join("unit.cc");
            std::fs::write(&unit, format!("#include \"{base}.h\"\nint main() {{ return 0; }}\n"))?;
            silent("g++", "-std=c++17", &[unit])?;
            let parts = ["types.c", "client.c", "server.c"].map(|part| folder.path().join(format!("{base}_{part}")));
            silent(compiler, "-std=c11", &[&parts[..], &[folder.path().join("whittle_mach.c")]].concat())
                .map_err(|error| format!("{interface}, {shape}: {error}"))?;
        }
    }
    for interface in [sources().join("every.x"), sources().join("calls.idl"), own().join("objects.idl")] {
        let base = interface.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let folder = styled("corba", "warnings", &interface, &[])?;
        let unit = folder.path().join("unit.cc");
        std::fs::write(&unit, format!("#include \"{base}.h\"\nint main() {{ return 0; }}\n"))?;
        silent("g++", "-std=c++17", &[unit])?;
        for compiler in ["gcc", "clang"] {
            silent(compiler, "-std=c11", &written(folder.path(), &base))
                .map_err(|error| format!("{base}, CORBA's style: {error}"))?;
        }
    }
    let number = ["--onc-program", "0x20000078"];
    let in_rpcgens = [
        (own().join("tally.x"), &[][..]),
        (sources().join("every.x"), &["--newstyle", "--thread-safe"]),
        (own().join("store.idl"), &number),
    ];
    for (interface, options) in in_rpcgens {
        let base = interface.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
        let folder = styled("rpcgen", "warnings", &interface, options)?;
        let unit = folder.path().join("unit.cc");
        std::fs::write(
            &unit,
            format!("#include \"{base}.h\"\n#include \"whittle_mach_rpc.h\"\nint main() {{ return 0; }}\n"),
        )?;
        let server = folder.path().join(format!("{base}_svc.c"));
        let files = [written(folder.path(), &base), vec![server]].concat();
        silent("g++", "-std=c++17", &[unit])?;
        for compiler in ["gcc", "clang"] {
            silent(compiler, "-std=gnu11", &files).map_err(|error| format!("{base}, rpcgen's style: {error}"))?;
        }
    }
    Ok(())
}
