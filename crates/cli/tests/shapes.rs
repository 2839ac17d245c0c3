//! Presentation files and options as their users have them: shaped clients and servers talk to those that are made from the
//! same interface as it usually is, by whittle and by rpcgen, and stay whole when messages are damaged. What is wrong in a
//! presentation file is said at its place there.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::objects::Objects;
use filetest::programs::{CHECKED, Outcome, Server, compiling, is_installed, run};
use filetest::scratch::Scratch;

static OBJECTS: Objects = Objects::new();

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/direct")
}

fn whittle(arguments: &[&str]) -> Command {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.args(arguments).args(["--style", "plain"]);
    whittle
}

/// What whittle makes of an interface, with the presentation file that stands beside it or with another one.
fn compiled(name: &str, interface: &str, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("shaped-{name}"))?;
    run(whittle(&["compile"]).arg(sources().join(interface)).args(options).arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

/// A program around it.
fn build(folder: &Path, program: &str, interface: &str) -> Outcome<PathBuf> {
    let target = folder.join(program);
    let compiling = || compiling("gcc", &CHECKED, folder, &sources());
    let mut command = compiling();
    command.arg(sources().join(format!("{program}.c"))).arg("-o").arg(&target);
    for part in ["types.c", "client.c", "server.c"].map(|part| folder.join(format!("{interface}_{part}"))) {
        command.arg(OBJECTS.object(compiling(), &part)?);
    }
    for part in ["whittle_onc.c", "whittle_net.c"] {
        command.arg(OBJECTS.object(compiling(), &folder.join(part))?);
    }
    run(&mut command)?;
    Ok(target)
}

/// The usual program in rpcgen's style, over libtirpc.
fn build_with_rpcgen(folder: &Path) -> Outcome<PathBuf> {
    for (flag, name) in [("-h", "shaped.h"), ("-c", "xdr.c"), ("-l", "client.c"), ("-m", "server.c")] {
        let mut rpcgen = Command::new("rpcgen");
        rpcgen.current_dir(sources()).args(["-NMC", flag, "-o"]).arg(folder.join(name)).arg("shaped.x");
        run(&mut rpcgen)?;
    }
    let target = folder.join("peer");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-w", "-O1", "-DRPCGEN", "-I/usr/include/tirpc", "-I"])
        .arg(folder)
        .arg("-I")
        .arg(sources());
    gcc.arg(sources().join("shaped_peer.c")).args(["xdr.c", "client.c", "server.c"].map(|part| folder.join(part)));
    run(gcc.arg("-o").arg(&target).arg("-ltirpc"))?;
    Ok(target)
}

fn talk(server: &Path, client: &Path) -> Outcome {
    talk_over(server, &[], client)
}

fn talk_over(server: &Path, arguments: &[&str], client: &Path) -> Outcome {
    let server = Server::start(server, arguments)?;
    run(Command::new("timeout").arg("60").arg(client).arg(&server.address))?;
    server.ends()
}

#[test]
fn the_wire_is_the_same_whatever_the_presentation() -> Outcome {
    let (own, usual) =
        (compiled("own", "shaped.x", &[])?, compiled("usual", "shaped.x", &["--presentation", "/dev/null"])?);
    let shaped = build(own.path(), "shaped", "shaped")?;
    let peer = build(usual.path(), "shaped_peer", "shaped")?;
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1"] {
        talk_over(&shaped, &["serve", address], &shaped).map_err(|error| format!("{address}: {error}"))?;
    }
    talk(&peer, &shaped)?;
    talk(&shaped, &peer)?;
    if is_installed("rpcgen") && Path::new("/usr/include/tirpc/rpc/rpc.h").is_file() {
        let folder = Scratch::new("shaped-rpcgen")?;
        let peer = build_with_rpcgen(folder.path())?;
        talk(&peer, &shaped).map_err(|error| format!("to rpcgen's: {error}"))?;
        talk(&shaped, &peer).map_err(|error| format!("from rpcgen's: {error}"))?;
    }
    // Cut and overwritten at all places; and zeros in texts.
    run(Command::new("timeout").arg("120").arg(&shaped).arg("damage"))
}

/// Each form is a matter of the plan, and none of one pass.
#[test]
fn shapes_need_no_optimization() -> Outcome {
    let passes =
        ["inline", "tail-loops", "bulk-copies", "merge-checks", "hoist-decode-checks", "chunks", "prefetch", "wide"];
    let options: Vec<&str> = passes.iter().flat_map(|pass| ["--no-opt", pass]).collect();
    let folder = compiled("no-opt", "shaped.x", &options)?;
    let shaped = build(folder.path(), "shaped", "shaped")?;
    run(Command::new("timeout").arg("120").arg(&shaped).arg("damage"))
}

/// What goes both ways, exceptions, attributes, calls without replies; replies that last longer than the next ones.
#[test]
fn interfaces_of_idl_are_shaped() -> Outcome {
    let folder = compiled("idl", "reshaped.idl", &["--onc-program", "0x20000780"])?;
    let program = build(folder.path(), "reshaped", "reshaped")?;
    let socket = format!("unix:{}", folder.path().join("socket").display());
    for address in ["tcp://127.0.0.1", "udp://127.0.0.1", &socket] {
        run(Command::new("timeout").arg("60").arg(&program).arg(address))?;
    }
    Ok(())
}

/// Every option over every interface that the tests have: all of it compiles without a warning.
#[test]
fn shaped_stubs_compile_without_warnings() -> Outcome {
    let options =
        ["arrays=inline", "strings inline; arrays inline; prefix own_", "strings counted; arrays apart; strict"];
    let folder = Scratch::new("shaped-warnings")?;
    for (at, option) in options.iter().enumerate() {
        for interface in ["every.x", "names.x", "nested.x", "calls.idl"] {
            let out = folder.path().join(format!("{at}-{interface}"));
            let mut whittle = whittle(&["compile", "--present", option, "--onc-program", "0x20000001"]);
            run(whittle.arg(sources().join(interface)).arg("--out").arg(&out))?;
            let base = interface.split('.').next().unwrap_or_default();
            let compiler = if at % 2 == 0 { "gcc" } else { "clang" };
            let mut command = Command::new(compiler);
            command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"]);
            run(command.args(["types.c", "client.c", "server.c"].map(|part| out.join(format!("{base}_{part}")))))?;
        }
    }
    Ok(())
}

/// The example of Flick's introduction, in both languages, with and without a length.
#[test]
fn the_papers_mail_takes_a_length_where_it_is_asked_to() -> Outcome {
    let folder = Scratch::new("shaped-mail")?;
    let examples = sources().join("../../examples");
    for (interface, function, options) in [
        (
            "mail.x",
            "mail_send(struct whittle_onc_client *client, const char *argument, uint32_t argument_length)",
            &[][..],
        ),
        (
            "mail.idl",
            "Mail_send(struct whittle_onc_client *client, const char *msg, uint32_t msg_length)",
            &["--onc-program", "9"],
        ),
    ] {
        let mut whittle = whittle(&["compile", "--present", "strings=counted"]);
        run(whittle.arg(examples.join(interface)).args(options).arg("--out").arg(folder.path()))?;
        let header = std::fs::read_to_string(folder.path().join("mail.h"))?;
        assert!(header.contains(function), "{interface}: {header}");
    }
    Ok(())
}

/// What the command says, and how it ends.
fn said(folder: &Path, arguments: &[&str]) -> Outcome<(Option<i32>, String)> {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    let output = whittle.current_dir(folder).args(arguments).args(["--message-format", "short"]).output()?;
    Ok((output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned()))
}

#[test]
fn presentation_files_are_found_and_their_faults_reported_in_place() -> Outcome {
    let folder = Scratch::new("shaped-files")?;
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("a.x", "struct s { string t<9>; };\n")?;
    write("a.pres", "/* of a.x */\nmember s.u counted;\n")?;
    write("other.pres", "strings inline;\n")?;
    let check = ["check", "a.x", "--style", "plain"];
    let (code, text) = said(folder.path(), &check)?;
    assert!(code == Some(1) && text.starts_with("a.pres:2:8: error[shape-005]"), "{text}");
    let (code, text) = said(folder.path(), &[&check[..], &["--presentation", "other.pres"]].concat())?;
    assert!(code == Some(0) && text.is_empty(), "{text}");
    let (code, text) = said(folder.path(), &[&check[..], &["--presentation", "absent.pres"]].concat())?;
    assert!(code == Some(1) && text.contains("host-001") && text.contains("absent.pres"), "{text}");
    let option = ["--presentation", "other.pres", "--present", "strings=counted"];
    let (code, text) = said(folder.path(), &[&check[..], &option].concat())?;
    assert!(code == Some(1) && text.starts_with("--present:1:9: error[shape-007]"), "{text}");
    // Other styles have their forms from elsewhere.
    assert_eq!(said(folder.path(), &["check", "a.x"])?.0, Some(0));
    let (code, text) = said(folder.path(), &["check", "a.x", "--present", "strings=counted"])?;
    assert!(code == Some(2) && text.contains("`--present` is for `--style plain`"), "{text}");
    Ok(())
}

/// A header and the one that includes it agree on names and forms.
#[test]
fn included_files_have_presentation_files_of_their_own() -> Outcome {
    let folder = Scratch::new("shaped-included")?;
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    write("common.x", "typedef string label<9>;\nstruct item { label of; };\n")?;
    write("common.pres", "prefix common_;\ntype label inline;\n")?;
    write("main.x", "#include \"common.x\"\nstruct items { item one; string own<9>; };\n")?;
    write("main.pres", "strings counted;\n")?;
    for file in ["common.x", "main.x"] {
        let (code, text) = said(folder.path(), &["compile", file, "--style", "plain"])?;
        assert!(code == Some(0), "{text}");
    }
    let header = std::fs::read_to_string(folder.path().join("main.h"))?;
    assert!(header.contains("struct common_item one;") && header.contains("struct whittle_text own;"), "{header}");
    let mut gcc = Command::new("gcc");
    gcc.current_dir(folder.path()).args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-Wpedantic", "-fsyntax-only"]);
    run(gcc.args(["common_types.c", "main_types.c"]))
}
