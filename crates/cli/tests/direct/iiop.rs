//! The plain style over IIOP: the programs that go over ONC RPC, compiled with `-DIIOP`. Both byte orders are on the wire; whatever
//! is cut or overwritten on the way leaves nothing behind. Other ORBs are on the other side in the tests of CORBA.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::programs::{Outcome, Server, compiling, is_installed, run, text};
use filetest::scratch::Scratch;

use crate::{OBJECTS, compiled, look_like, sources, talk};

/// The order that this machine does not have.
const OTHER: &str = if cfg!(target_endian = "little") { "big" } else { "little" };

/// Looked at by sanitizers, and compiled in no time.
pub(crate) const LIGHT: [&str; 3] = ["-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

pub(crate) fn stubs(name: &str, interface: &str, options: &[&str]) -> Outcome<Scratch> {
    compiled(&format!("iiop-{name}"), interface, &[&["--link", "giop-tcp"], options].concat())
}

/// A program in C, from what was written for an interface.
pub(crate) fn build(folder: &Path, compiler: &str, flags: &[&str], program: &str, interface: &str) -> Outcome<PathBuf> {
    let target = folder.join(program);
    let compiling = || compiling(compiler, &[&["-DIIOP"], flags].concat(), folder, &sources());
    let mut command = compiling();
    command.arg(sources().join(format!("{program}.c"))).arg("-o").arg(&target);
    let written = ["types.c", "client.c", "server.c"].map(|part| format!("{interface}_{part}"));
    for source in written.iter().map(String::as_str).chain(["whittle_iiop.c", "whittle_corba.c", "whittle_net.c"]) {
        command.arg(OBJECTS.object(compiling(), &folder.join(source))?);
    }
    run(&mut command)?;
    Ok(target)
}

/// A program that does all by itself.
pub(crate) fn alone(program: &Path, arguments: &[&str]) -> Outcome {
    run(Command::new("timeout").arg("120").arg(program).args(arguments))
}

#[test]
fn interfaces_of_idl_are_called_over_iiop() -> Outcome {
    for (name, compiler, flags, options) in
        [("calls", "gcc", &["-O1"][..], &[][..]), ("calls-turned", "clang", &LIGHT, &["--byte-order", OTHER])]
    {
        let folder = stubs(name, "calls.idl", options)?;
        let program = build(folder.path(), compiler, flags, "calls", "calls")?;
        alone(&program, &["tcp://127.0.0.1"])?;
    }
    Ok(())
}

/// Several objects of an interface, keys, threads, what is not there, what takes too long.
#[test]
fn objects_have_keys_and_failures_statuses() -> Outcome {
    let folder = stubs("objects", "objects.idl", &[])?;
    alone(&build(folder.path(), "clang", &LIGHT, "objects", "objects")?, &[])
}

/// What RPC's language has goes over IIOP, too; our client runs on a big-endian machine as well.
#[test]
fn programs_of_onc_are_called_over_iiop() -> Outcome {
    let folder = stubs("every", "every.x", &[])?;
    let server = build(folder.path(), "clang", &LIGHT, "server", "every")?;
    let client = build(folder.path(), "clang", &LIGHT, "client", "every")?;
    talk(&server, &[text(&client)], "127.0.0.1:0", None)?;
    if is_installed("s390x-linux-gnu-gcc") && is_installed("qemu-s390x") {
        let client = build(folder.path(), "s390x-linux-gnu-gcc", &["-O0", "-static"], "client", "every")?;
        talk(&server, &["qemu-s390x", text(&client)], "127.0.0.1:0", None)?;
    }
    Ok(())
}

/// With all passes, with none, and, where there is time, without each.
#[test]
fn damaged_messages_of_iiop_leave_nothing_behind() -> Outcome {
    let all = driver::optional_passes();
    let each = all.iter().filter(|_| oracle::is_soak()).map(|pass| vec![*pass]);
    let variants: Vec<Vec<&str>> = [Vec::new(), all.clone()].into_iter().chain(each).collect();
    for without in variants {
        let options: Vec<&str> = without.iter().flat_map(|pass| ["--no-opt", pass]).collect();
        let folder = stubs("damage", "every.x", &options)?;
        let program = build(folder.path(), "clang", &LIGHT, "damage", "every")?;
        alone(&program, &[]).map_err(|error| format!("without {without:?}: {error}"))?;
    }
    Ok(())
}

/// Each pass off: stubs say the same to those that were made with all.
#[test]
fn passes_change_nothing_over_iiop() -> Outcome {
    let all = driver::optional_passes();
    let each = all.iter().filter(|_| oracle::is_soak()).map(|pass| vec![*pass]);
    let usual = stubs("passes", "every.x", &[])?;
    let [server, client] = ["server", "client"].map(|program| build(usual.path(), "clang", &LIGHT, program, "every"));
    let (server, client) = (server?, client?);
    for without in each.chain([all.clone()]) {
        let options: Vec<&str> = without.iter().flat_map(|pass| ["--no-opt", pass]).collect();
        let folder = stubs("passes-off", "every.x", &options)?;
        let own_server = build(folder.path(), "clang", &LIGHT, "server", "every")?;
        let own_client = build(folder.path(), "clang", &LIGHT, "client", "every")?;
        for (server, client) in [(&server, &own_client), (&own_server, &client)] {
            talk(server, &[text(client)], "127.0.0.1", None)
                .map_err(|error| format!("without {without:?}: {error}"))?;
        }
    }
    Ok(())
}

/// Texts with their length, arrays inside their structures, results that stay in the reply.
#[test]
fn shapes_are_for_iiop_too() -> Outcome {
    let folder = stubs("reshaped", "reshaped.idl", &[])?;
    alone(&build(folder.path(), "clang", &LIGHT, "reshaped", "reshaped")?, &["127.0.0.1"])?;
    let own = stubs("shaped", "shaped.x", &[])?;
    let shaped = build(own.path(), "clang", &LIGHT, "shaped", "shaped")?;
    alone(&shaped, &["damage"])?;
    let usual = stubs("shaped-usual", "shaped.x", &["--presentation", "/dev/null"])?;
    let peer = build(usual.path(), "clang", &LIGHT, "shaped_peer", "shaped")?;
    for (server, client) in [(&shaped, &shaped), (&peer, &shaped), (&shaped, &peer)] {
        let mut started = Server::start(server, &[])?;
        let address = std::mem::take(&mut started.address);
        run(Command::new("timeout").arg("60").arg(client).arg(address))?;
        started.ends()?;
    }
    Ok(())
}

/// What the stubs of a small interface look like.
#[test]
fn stubs_over_iiop_look_like_this() -> Outcome {
    let folder = stubs("golden", "folder.idl", &[])?;
    let files = [("iiop-h", "folder.h"), ("iiop-client", "folder_client.c"), ("iiop-server", "folder_server.c")];
    look_like(folder.path(), &files)
}

/// The header is for C++ programs, too, and all of it compiles without a warning, however it is shaped.
#[test]
fn all_of_it_compiles_without_warnings_over_iiop() -> Outcome {
    let warnings = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"];
    let shapes =
        ["strict", "strings inline; arrays inline; prefix own_", "strings counted; arrays apart; results lent"];
    for (at, shape) in shapes.iter().enumerate() {
        let compiler = if at % 2 == 0 { "gcc" } else { "clang" };
        let interfaces = ["every.x", "calls.idl", "names.x", "nested.x"];
        for interface in &interfaces[..if at == 0 { 4 } else { 2 }] {
            let (base, options) = (interface.split('.').next().unwrap_or_default(), ["--present", shape]);
            let folder = stubs("warnings", interface, &options)?;
            let unit = folder.path().join("unit.cc");
            std::fs::write(&unit, format!("#include \"{base}.h\"\nint main() {{ return 0; }}\n"))?;
            run(Command::new("g++").arg("-std=c++17").args(warnings).arg(unit))?;
            let parts = ["types.c", "client.c", "server.c"].map(|part| folder.path().join(format!("{base}_{part}")));
            run(Command::new(compiler).arg("-std=c11").args(warnings).args(parts))
                .map_err(|error| format!("{interface}, {shape}: {error}"))?;
        }
    }
    let folder = stubs("run-time", "every.x", &[])?;
    for compiler in ["gcc", "clang"] {
        let run_time = ["whittle_iiop.c", "whittle_corba.c", "whittle_net.c"].map(|source| folder.path().join(source));
        run(Command::new(compiler).arg("-std=c11").args(warnings).arg("-O1").args(run_time))?;
    }
    Ok(())
}
