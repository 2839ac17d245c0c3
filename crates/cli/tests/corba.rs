//! CORBA as its users have it: `whittle compile every.idl`, a client and a server in C around what it writes, and omniORB's or JacORB's on
//! the other side. Every operation of every.idl sends each type in all three ways; what comes back is looked at. Our client
//! runs on a big-endian machine, too, so that both byte orders are on the wire. Where omniORB, or the other machine's compiler,
//! is not installed, there is nothing to test.

#[path = "corba/awkward.rs"]
mod awkward;
#[path = "corba/byte_order.rs"]
mod byte_order;
#[path = "corba/jacorb.rs"]
mod jacorb;
#[path = "corba/names.rs"]
mod names;
#[path = "corba/plain.rs"]
mod plain;
#[path = "corba/values.rs"]
mod values;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::objects::Objects;
use filetest::programs::{CHECKED, Outcome, Server, compiling, is_installed, run, text};
use filetest::scratch::Scratch;

/// The files that `whittle compile` writes, of which both programs are made.
const WRITTEN: [&str; 5] = ["every-common.c", "every-stubs.c", "every-skels.c", "whittle_corba.c", "whittle_net.c"];

static OBJECTS: Objects = Objects::new();

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corba")
}

/// The stubs and skeletons, in a folder of their own.
fn compiled(name: &str, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(name)?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    run(whittle.arg("compile").arg(sources().join("every.idl")).args(options).arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

/// `client` or `server`, in C, from what was written.
fn build(folder: &Path, compiler: &str, flags: &[&str], program: &str, name: &str) -> Outcome<PathBuf> {
    let target = folder.join(name);
    let mut command = compiling(compiler, flags, folder, &sources());
    command.arg(sources().join(format!("{program}.c"))).arg("-o").arg(&target);
    for file in WRITTEN {
        command.arg(OBJECTS.object(compiling(compiler, flags, folder, &sources()), &folder.join(file))?);
    }
    run(&mut command)?;
    Ok(target)
}

/// One client calls everything of one server. `mode`: what the client leaves out.
fn talk(server: (&Path, &[&str]), client: (&[&str], &[&str]), mode: Option<&str>) -> Outcome {
    let server = Server::start(server.0, server.1)?;
    let [program, leading @ ..] = client.0 else { return Err("no client".into()) };
    let mut command = Command::new("timeout");
    command.args(["60", program]).args(leading).args(client.1).arg(&server.address).args(mode);
    run(&mut command)?;
    server.ends()
}

#[test]
fn c_talks_to_c() -> Outcome {
    let folder = compiled("corba-c", &[])?;
    let server = build(folder.path(), "gcc", &CHECKED, "server", "server")?;
    let client = build(folder.path(), "gcc", &CHECKED, "client", "client")?;
    talk((&server, &[]), (&[text(&client)], &[]), None)?;
    let echo = plain::Echo::new("c")?;
    echo.calls((&server, &[]), None)?;
    echo.is_called_by((&client, &[]), "plain")
}

#[test]
fn both_byte_orders_are_understood() -> Outcome {
    if !is_installed("s390x-linux-gnu-gcc") || !is_installed("qemu-s390x") {
        return Ok(());
    }
    let folder = compiled("corba-big-endian", &[])?;
    let server = build(folder.path(), "clang", &["-O1"], "server", "server")?;
    let client = build(folder.path(), "s390x-linux-gnu-gcc", &["-O1", "-static"], "client", "client")?;
    talk((&server, &[]), (&["qemu-s390x", text(&client)], &[]), None)
}

/// omniORB's programs for the same interface.
fn peers(folder: &Path) -> Outcome<[PathBuf; 2]> {
    run(Command::new("omniidl").args(["-bcxx", "-Wba", "-C"]).arg(folder).arg(sources().join("every.idl")))?;
    let object = |name: &str| -> Outcome<PathBuf> {
        let target = folder.join(format!("{name}.o"));
        let mut compiler = Command::new("g++");
        compiler.args(["-O0", "-w", "-c", "-I"]).arg(folder).arg(folder.join(format!("{name}.cc")));
        run(compiler.arg("-o").arg(&target))?;
        Ok(target)
    };
    let objects = [object("everySK")?, object("everyDynSK")?];
    let program = |name: &str| -> Outcome<PathBuf> {
        let target = folder.join(name);
        let mut compiler = Command::new("g++");
        compiler.args(["-O0", "-w", "-std=c++17", "-I"]).arg(folder).arg(sources().join(format!("{name}.cc")));
        compiler.args(&objects).arg("-o").arg(&target);
        run(compiler.args(["-lomniDynamic4", "-lomniORB4", "-lomnithread", "-lpthread"]))?;
        Ok(target)
    };
    Ok([program("omni_server")?, program("omni_client")?])
}

#[test]
fn omniorb_and_c_understand_each_other() -> Outcome {
    if !is_installed("omniidl") || !Path::new("/usr/include/omniORB4/CORBA.h").is_file() {
        return Ok(());
    }
    let folder = compiled("corba-omniorb", &[])?;
    let server = build(folder.path(), "gcc", &["-O1"], "server", "server")?;
    let client = build(folder.path(), "gcc", &["-O1"], "client", "client")?;
    let [omni_server, omni_client] = peers(folder.path())?;
    let echo = plain::Echo::new("omniorb")?;
    for (version, mode, theirs) in
        [("1.2", None, "plain"), ("1.1", Some("small"), "plain-small"), ("1.0", Some("small"), "plain-small")]
    {
        let limit = ["-ORBmaxGIOPVersion", version];
        echo.calls((&omni_server, &limit), mode).map_err(|error| format!("plain, {version}: {error}"))?;
        echo.is_called_by((&omni_client, &limit), theirs).map_err(|error| format!("plain, {version}: {error}"))?;
    }
    let versions = [("1.2", None), ("1.1", Some("small")), ("1.0", Some("narrow"))];
    for (version, mode) in versions {
        let limit = ["-ORBmaxGIOPVersion", version];
        talk((&server, &[]), (&[text(&omni_client)], &limit), mode).map_err(|error| format!("{version}: {error}"))?;
        talk((&omni_server, &limit), (&[text(&client)], &[]), mode).map_err(|error| format!("{version}: {error}"))?;
    }
    Ok(())
}

/// Headers are for C++ programs, too, and all of it compiles without a warning.
#[test]
fn headers_are_for_cplusplus_too() -> Outcome {
    let folder = compiled("corba-cplusplus", &[])?;
    let unit = folder.path().join("unit.cc");
    fs::write(&unit, "#include \"every.h\"\nint main() { return Every_LIMIT - 3; }\n")?;
    run(Command::new("g++").args(["-Wall", "-Wextra", "-Werror", "-fsyntax-only"]).arg(unit))?;
    for file in WRITTEN {
        for compiler in ["gcc", "clang"] {
            let mut command = Command::new(compiler);
            command.args(["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1", "-c", "-o", "/dev/null"]);
            run(command.arg(folder.path().join(file)))?;
        }
    }
    Ok(())
}

/// Files that nobody here wrote; each with what it includes.
const SERVICES: [&str; 8] = [
    "CosNaming",
    "CosEventComm",
    "CosNotification",
    "CosTrading",
    "CosTime",
    "CosTimerEvent",
    "CosCollection",
    "CosPropertyService",
];

#[test]
fn services_of_corba_compile() -> Outcome {
    let corpus = Path::new("/usr/share/idl/omniORB");
    if !corpus.is_dir() {
        return Ok(());
    }
    let folder = Scratch::new("corba-services")?;
    let included =
        ["COS/CosEventChannelAdmin", "COS/TimeBase", "COS/CosTradingRepos", "boxes", "orb", "corbaidl", "ir"];
    let own = SERVICES.map(|name| format!("COS/{name}"));
    for name in own.iter().map(String::as_str).chain(included) {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.arg("compile").arg(corpus.join(format!("{name}.idl"))).arg("-I").arg(corpus);
        let _ = whittle.arg("-I").arg(corpus.join("COS")).arg("--out").arg(folder.path()).output()?;
    }
    for name in SERVICES {
        for part in ["common", "stubs", "skels"] {
            let mut gcc = Command::new("gcc");
            gcc.args(["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]);
            run(gcc.arg(folder.path().join(format!("{name}-{part}.c"))))?;
        }
    }
    Ok(())
}

/// Writes what `directory.EXTENSION` is compiled to into a folder of its own.
fn directory(extension: &str, style: &str) -> Outcome<Scratch> {
    let folder = Scratch::new(&format!("corba-{extension}-{style}"))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources().join(format!("directory.{extension}"))).args(["--style", style]);
    run(whittle.arg("--out").arg(folder.path()))?;
    Ok(folder)
}

#[test]
fn a_program_of_onc_is_served_over_iiop() -> Outcome {
    let folder = directory("x", "corba")?;
    let target = folder.path().join("program");
    let mut gcc = Command::new("gcc");
    gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-g1", "-O0", "-fsanitize=undefined", "-pthread", "-I"]);
    gcc.arg(folder.path()).arg(sources().join("onc_over_iiop.c")).arg("-o").arg(&target);
    let parts = ["directory-common.c", "directory-stubs.c", "directory-skels.c", "whittle_corba.c", "whittle_net.c"];
    run(gcc.args(parts.map(|file| folder.path().join(file))))?;
    run(Command::new("timeout").arg("30").arg(target))
}

#[test]
fn idl_in_rpcgens_style_is_the_same_on_the_wire_as_its_twin() -> Outcome {
    let marshalled = |extension: &str, names: [&str; 3]| -> Outcome<Vec<u8>> {
        let folder = directory(extension, "rpcgen")?;
        let target = folder.path().join("program");
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-I/usr/include/tirpc", "-I"]).arg(folder.path());
        let [discriminant, length, value] = names;
        gcc.arg(format!("-DDISCRIMINANT={discriminant}")).arg(format!("-DLENGTH={length}"));
        gcc.arg(format!("-DVALUE={value}")).arg(sources().join("same_xdr.c"));
        run(gcc.arg(folder.path().join("directory_xdr.c")).arg("-o").arg(&target).arg("-ltirpc"))?;
        Ok(Command::new(target).output()?.stdout)
    };
    let of_onc = marshalled("x", ["kind", "Entries_len", "Entries_val"])?;
    let of_idl = marshalled("idl", ["_d", "Entries_len", "Entries_val"])?;
    assert!(of_onc.len() >= 300 && of_onc == of_idl, "{} and {} bytes", of_onc.len(), of_idl.len());
    Ok(())
}

#[test]
fn names_of_the_preprocessor_are_free() -> Outcome {
    let folder = Scratch::new("corba-names")?;
    let file = folder.path().join("names.idl");
    fs::write(&file, "struct S { long unix; };\nenum System { linux, other };\n")?;
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).arg("check").arg(file))
}

#[test]
fn options_are_obeyed_or_refused() -> Outcome {
    let folder = Scratch::new("corba-options")?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources().join("every.idl")).args(["--max-depth", "7", "--strict", "--out"]);
    run(whittle.arg(folder.path()))?;
    let stubs = fs::read_to_string(folder.path().join("every-stubs.c"))?;
    assert!(stubs.contains("#define WHITTLE_MAX_DEPTH 7"), "the depth is not in the stubs");
    let others = ["--newstyle", "--thread-safe", "--server-arena"].map(|option| (option, "--style rpcgen"));
    for (option, goes_with) in others.into_iter().chain([("--onc-program=5", "--link onc")]) {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = whittle.arg("check").arg(sources().join("every.idl")).arg(option).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(goes_with), "{option}: {said}");
    }
    Ok(())
}
