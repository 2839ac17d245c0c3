//! Direct stubs as their users have them: `whittle compile every.x --style plain`, a client and a server in C around what it
//! writes, and on the other side the same two of rpcgen's and libtirpc. Every type travels both ways, over each transport;
//! whatever is cut or overwritten on the way leaves nothing behind. Our client runs on a big-endian machine, too. Where
//! rpcgen, or the other machine's compiler, is not installed, there is nothing to test.

#[path = "direct/arrays.rs"]
mod arrays;
#[path = "direct/data.rs"]
mod data;
#[path = "direct/iiop.rs"]
mod iiop;
#[path = "direct/mach.rs"]
mod mach;
#[path = "direct/mapped.rs"]
mod mapped;
#[path = "direct/others.rs"]
mod others;
#[path = "direct/passes.rs"]
mod passes;
#[path = "direct/remote_tea.rs"]
mod remote_tea;
#[path = "direct/strict.rs"]
mod strict;
#[path = "direct/styles.rs"]
mod styles;
#[path = "direct/tirpc.rs"]
mod tirpc;

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::golden::{self, Golden};
use filetest::objects::Objects;
use filetest::programs::{CHECKED, Outcome, Server, compiling, is_installed, run, text};
use filetest::scratch::Scratch;

static OBJECTS: Objects = Objects::new();

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/direct")
}

/// What whittle makes of an interface, in a folder of its own.
fn compiled(name: &str, interface: &str, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("direct-{name}"))?;
    compile_into(scratch.path(), interface, options)?;
    Ok(scratch)
}

fn compile_into(folder: &Path, interface: &str, options: &[&str]) -> Outcome {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources().join(interface)).args(["--style", "plain"]).args(options);
    run(whittle.arg("--out").arg(folder))
}

/// A program in C, from what was written for `every.x`.
fn build(folder: &Path, compiler: &str, flags: &[&str], program: &str) -> Outcome<PathBuf> {
    build_of(folder, compiler, flags, program, "every")
}

fn build_of(folder: &Path, compiler: &str, flags: &[&str], program: &str, interface: &str) -> Outcome<PathBuf> {
    let written = ["types.c", "client.c", "server.c"].map(|part| format!("{interface}_{part}"));
    build_from(folder, compiler, flags, program, &written)
}

/// From those of the files that were written.
fn build_from(folder: &Path, compiler: &str, flags: &[&str], program: &str, written: &[String]) -> Outcome<PathBuf> {
    let target = folder.join(program);
    let mut command = compiling(compiler, flags, folder, &sources());
    command.arg(sources().join(format!("{program}.c"))).arg("-o").arg(&target);
    for source in written.iter().map(String::as_str).chain(["whittle_onc.c", "whittle_net.c"]) {
        command.arg(OBJECTS.object(compiling(compiler, flags, folder, &sources()), &folder.join(source))?);
    }
    run(&mut command)?;
    Ok(target)
}

/// The same program in rpcgen's style, over libtirpc.
fn peer(folder: &Path, program: &str, stubs: &str) -> Outcome<PathBuf> {
    let part = |flag: &str, name: &str| -> Outcome<PathBuf> {
        let target = folder.join(name);
        let _ = std::fs::remove_file(&target);
        let mut rpcgen = Command::new("rpcgen");
        run(rpcgen.current_dir(sources()).args(["-NMC", flag, "-o"]).arg(&target).arg("every.x"))?;
        Ok(target)
    };
    part("-h", "every.h")?;
    let parts = [part("-c", "every_xdr.c")?, part(stubs, "every_stubs.c")?];
    let target = folder.join(program);
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O1", "-DRPCGEN", "-I/usr/include/tirpc", "-I"])
        .arg(folder)
        .arg("-I")
        .arg(sources());
    gcc.arg(sources().join(format!("{program}.c"))).args(parts).arg("-o").arg(&target);
    run(gcc.arg("-ltirpc"))?;
    Ok(target)
}

/// A client calls everything of a server that listens at `address`.
fn talk(server: &Path, client: &[&str], address: &str, mode: Option<&str>) -> Outcome {
    let server = Server::start(server, &[address])?;
    run(Command::new("timeout").arg("60").args(client).arg(&server.address).args(mode))?;
    server.ends()
}

/// A program calls everything of another that serves.
fn talk_by(server: &Path, client: &Path, address: &str) -> Outcome {
    let server = Server::start(server, &["-s", address])?;
    run(Command::new("timeout").arg("60").arg(client).arg("-c").arg(&server.address))?;
    server.ends()
}

#[test]
fn ours_talk_to_ours_over_every_transport() -> Outcome {
    let folder = compiled("ours", "every.x", &[])?;
    let server = build(folder.path(), "gcc", &CHECKED, "server")?;
    let client = build(folder.path(), "clang", &CHECKED, "client")?;
    let socket = format!("unix:{}", folder.path().join("socket").display());
    let nameless = format!("unix:@whittle-direct-{}", std::process::id());
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1", &socket, &nameless] {
        talk(&server, &[text(&client)], address, None).map_err(|error| format!("{address}: {error}"))?;
    }
    Ok(())
}

#[test]
fn rpcgens_programs_talk_to_ours_over_libtirpc() -> Outcome {
    if !is_installed("rpcgen") || !Path::new("/usr/include/tirpc/rpc/rpc.h").is_file() {
        return Ok(());
    }
    let (folder, peers) = (compiled("libtirpc", "every.x", &[])?, Scratch::new("direct-peers")?);
    let server = build(folder.path(), "clang", &CHECKED, "server")?;
    let client = build(folder.path(), "gcc", &CHECKED, "client")?;
    let their_server = peer(peers.path(), "server", "-m")?;
    let their_client = peer(peers.path(), "client", "-l")?;
    // What libtirpc sends in a datagram is small.
    for (address, mode) in [("tcp://127.0.0.1", None), ("udp://127.0.0.1", Some("small"))] {
        talk(&their_server, &[text(&client)], address, mode).map_err(|error| format!("to it, {address}: {error}"))?;
        talk(&server, &[text(&their_client)], address, mode).map_err(|error| format!("from it, {address}: {error}"))?;
    }
    Ok(())
}

#[test]
fn a_big_endian_client_is_understood() -> Outcome {
    if !is_installed("s390x-linux-gnu-gcc") || !is_installed("qemu-s390x") {
        return Ok(());
    }
    let folder = compiled("big-endian", "every.x", &[])?;
    let server = build(folder.path(), "gcc", &["-O1"], "server")?;
    let client = build(folder.path(), "s390x-linux-gnu-gcc", &["-O1", "-static"], "client")?;
    talk(&server, &["qemu-s390x", text(&client)], "tcp://127.0.0.1", None)
}

/// Messages cut short and overwritten at every place of every type: each call fails as it should, its results are empty, and
/// nothing stays allocated.
#[test]
fn damaged_messages_leave_nothing_behind() -> Outcome {
    let folder = compiled("damage", "every.x", &[])?;
    let program = build(folder.path(), "gcc", &CHECKED, "damage")?;
    run(Command::new("timeout").arg("120").arg(program))
}

/// Of items that are not whole nothing is looked at but what has arrived.
#[test]
fn items_that_are_cut_are_released() -> Outcome {
    let folder = compiled("cut", "cut.x", &[])?;
    for compiler in ["gcc", "clang"] {
        run(&mut Command::new(build_from(folder.path(), compiler, &CHECKED, "cut", &["cut_types.c".to_owned()])?))?;
    }
    Ok(())
}

/// OMG IDL: each type in, out, in and out, attributes and inherited operations, exceptions, calls without replies; what is
/// not there, fails or cannot be sent has a status of its own.
#[test]
fn interfaces_of_idl_are_called() -> Outcome {
    let folder = compiled("idl", "calls.idl", &[])?;
    for compiler in ["gcc", "clang"] {
        let program = build_of(folder.path(), compiler, &CHECKED, "calls", "calls")?;
        let socket = format!("unix:{}", folder.path().join(compiler).display());
        for address in ["tcp://127.0.0.1", "udp://127.0.0.1", &socket] {
            run(Command::new("timeout").arg("60").arg(&program).arg(address))?;
        }
    }
    Ok(())
}

/// The header is for C++ programs, too, and all of it compiles without a warning.
#[test]
fn all_of_it_compiles_without_warnings() -> Outcome {
    for file in ["every.x", "names.x", "nested.x", "hidden.x", "folder.idl"] {
        let interface = file.split('.').next().unwrap_or_default();
        let folder = compiled(interface, file, &[])?;
        let unit = folder.path().join("unit.cc");
        std::fs::write(&unit, format!("#include \"{interface}.h\"\nint main() {{ return 0; }}\n"))?;
        let warnings = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"];
        for compiler in ["g++", "clang++"] {
            run(Command::new(compiler).arg("-std=c++17").args(warnings).arg(&unit))?;
        }
        for compiler in ["gcc", "clang"] {
            for file in ["types.c", "client.c", "server.c"].map(|part| format!("{interface}_{part}")) {
                run(Command::new(compiler).arg("-std=c11").args(warnings).arg("-O1").arg(folder.path().join(file)))?;
            }
        }
    }
    let folder = compiled("run-time", "every.x", &[])?;
    for compiler in ["gcc", "clang"] {
        let warnings = ["-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"];
        let parts = ["whittle_onc.c", "whittle_net.c"].map(|part| folder.path().join(part));
        run(Command::new(compiler).arg("-std=c11").args(warnings).arg("-O1").args(parts))?;
    }
    Ok(())
}

/// What was written for a small interface, file by file.
fn look_like(folder: &Path, files: &[(&str, &str)]) -> Outcome {
    for (kind, name) in files {
        let input = sources().join("folder.idl");
        let golden =
            Golden { expectation: input.with_extension(kind), input, kind: (*kind).to_owned(), options: Vec::new() };
        let text = std::fs::read_to_string(folder.join(name))?;
        golden::check(&golden, &text, "BLESS=1 cargo test -p whittle --test direct")
            .map_err(|failed| failed.message().unwrap_or_default().to_owned())?;
    }
    Ok(())
}

#[test]
fn stubs_look_like_this() -> Outcome {
    let folder = compiled("golden", "folder.idl", &[])?;
    let files =
        [("h", "folder.h"), ("types", "folder_types.c"), ("client", "folder_client.c"), ("server", "folder_server.c")];
    look_like(folder.path(), &files)
}

/// The interface of Flick's introduction is the same functions from either language.
#[test]
fn twins_have_the_same_functions() -> Outcome {
    let functions = |file: &str, options: &[&str]| -> Outcome<Vec<String>> {
        let folder = compiled("twins", &format!("../../examples/{file}"), options)?;
        let header = std::fs::read_to_string(folder.path().join("mail.h"))?.to_lowercase();
        let found = header.lines().filter(|line| line.contains("(struct whittle_") || line.contains("(*"));
        Ok(found.map(|line| line.replace("*argument", "*msg")).collect())
    };
    let of_onc = functions("mail.x", &[])?;
    assert!(
        of_onc.len() == 3 && of_onc[0] == "int mail_send(struct whittle_onc_client *client, const char *msg);",
        "{of_onc:?}"
    );
    assert_eq!(of_onc, functions("mail.idl", &["--onc-program", "0x20000001"])?);
    Ok(())
}

/// What C cannot know apart is an error that says where.
#[test]
fn names_that_meet_in_c_are_refused() -> Outcome {
    let folder = Scratch::new("direct-meet")?;
    let file = folder.path().join("meet.x");
    for (text, place) in [
        ("struct s { int class; int class_; };", "1:27"),
        ("const x = 3; struct s { int x; };", "1:29"),
        ("struct a { struct { int c; } b; }; typedef int a_b;", "1:48"),
        ("struct a { string b<>; }; typedef int a_free;", "1:39"),
        ("typedef int p_serve; program P { version V { void F(void) = 1; } = 1; } = 5;", "1:42"),
    ] {
        std::fs::write(&file, text)?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("check").arg(&file).args(["--style", "plain", "--message-format", "short"]);
        let output = whittle.output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_refused = output.status.code() == Some(1) && said.contains("[plain-001]") && said.contains(place);
        assert!(is_refused, "{text}: {said}");
    }
    Ok(())
}
