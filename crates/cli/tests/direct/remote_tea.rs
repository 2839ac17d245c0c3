//! Remote Tea and our stubs understand each other: ONC RPC in Java, client and server, that shares nothing with libtirpc. Every type
//! of every.x goes both ways, over streams and datagrams, and every answer to a call that is not served (states.x). What its
//! `jrpcgen` writes is compiled as it stands. `cargo xtask corpora` fetches it; without it, or without a compiler of Java, there is
//! nothing to test.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, Server, is_installed, run, text};
use filetest::scratch::Scratch;

use crate::{build, build_from, build_of, compile_into, compiled, sources};

/// What Remote Tea is made of, as a class path; `None` where it is not there.
fn jars() -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/corpora/remote-tea");
    let entries = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    let jars = entries.filter(|path| path.extension().is_some_and(|ending| ending == "jar"));
    let jars: Vec<String> = jars.map(|path| text(&path).to_owned()).collect();
    (!jars.is_empty()).then(|| jars.join(":"))
}

/// The peer's classes: what `jrpcgen` makes of both files, and the programs around it.
fn peer(folder: &Path, jars: &str) -> Outcome<String> {
    let interface = folder.join("every.x");
    // It takes an optional number for a number; a union of the same form it takes for what it is.
    let all = fs::read_to_string(sources().join("every.x"))?;
    fs::write(&interface, all.replace("point *where; int *number;", "point *where; flag number;"))?;
    let java = folder.join("java");
    fs::create_dir_all(&java)?;
    for (interface, program) in [(interface, "Every"), (sources().join("states.x"), "States")] {
        let mut generator = Command::new("java");
        generator.args(["-cp", jars, "org.acplt.oncrpc.apps.jrpcgen.jrpcgen", "-nobackup", "-withcallinfo", "-d"]);
        generator.arg(&java).args(["-c", &format!("{program}Client"), "-s", &format!("{program}Server")]);
        run(generator.arg(interface))?;
    }
    let written = fs::read_dir(&java)?.flatten().map(|entry| entry.path());
    let own = ["TeaPeer", "TeaStates", "TeaWalk"].map(|name| sources().join(format!("{name}.java")));
    let classes = folder.join("classes");
    let mut compiler = Command::new("javac");
    run(compiler.args(["-nowarn", "-cp", jars, "-d"]).arg(&classes).args(written).args(own))?;
    Ok(format!("{}:{jars}", text(&classes)))
}

/// A program that ends in time.
fn timed(program: &[&str], arguments: &[&str]) -> Outcome {
    run(Command::new("timeout").arg("120").args(program).args(arguments))
}

/// Our clients, and Remote Tea's servers.
fn to_it(java: &[&str], clients: [&Path; 2]) -> Outcome {
    let server = Server::start(Path::new("java"), &[java, &["serve", "2"]].concat())?;
    let places: Vec<&str> = server.address.split_whitespace().collect();
    let [datagrams, stream, states @ ..] = &places[..] else { return Err(server.address.clone().into()) };
    let [client, states_client] = clients.map(text);
    timed(&[states_client, "theirs"], states)?;
    // What Remote Tea sends in a datagram is small.
    timed(&[client], &[datagrams, "small"])?;
    timed(&[client], &[stream])?;
    server.ends()
}

/// Remote Tea's clients, and our servers.
fn from_it(java: &[&str], servers: [&Path; 2]) -> Outcome {
    let [datagrams, stream] = [["udp://127.0.0.1"], ["tcp://127.0.0.1"]].map(|at| Server::start(servers[0], &at));
    let (datagrams, stream, states) = (datagrams?, stream?, Server::start(servers[1], &[])?);
    let mut places = vec!["call", &datagrams.address, &stream.address];
    places.extend(states.address.split_whitespace());
    timed(&[&["java"], java].concat(), &places)?;
    datagrams.ends()?;
    stream.ends()?;
    states.ends()
}

#[test]
fn remote_tea_and_our_stubs_understand_each_other() -> Outcome {
    let Some(jars) = jars().filter(|_| is_installed("javac") && is_installed("java")) else {
        let missing = "Remote Tea (cargo xtask corpora) or a compiler of Java is not here";
        if std::env::var_os("CI").is_some() {
            return Err(missing.into());
        }
        // Past what catches the words of tests: nobody should take this for a test that was run.
        writeln!(std::io::stderr(), "skipped: {missing}")?;
        return Ok(());
    };
    let (folder, states) = (compiled("remote-tea", "every.x", &[])?, states(&["-O1"])?);
    let classes = peer(folder.path(), &jars)?;
    let java = ["-XX:TieredStopAtLevel=1", "-cp", &classes, "TeaPeer"];
    let ours = ["server", "client"].map(|program| build(folder.path(), "gcc", &["-O1"], program));
    let [server, client] = ours;
    to_it(&java, [&client?, &states.client])?;
    from_it(&java, [&server?, &states.server])
}

/// Client and server of states.x; the folder goes with them.
struct States {
    _folder: Scratch,
    client: PathBuf,
    server: PathBuf,
}

fn states(flags: &[&str]) -> Outcome<States> {
    let folder = compiled("states", "states.x", &[])?;
    compile_into(folder.path(), "strange.x", &[])?;
    let parts = ["states_types.c", "states_client.c", "strange_client.c"].map(str::to_owned);
    let client = build_from(folder.path(), "gcc", flags, "states_client", &parts)?;
    let server = build_of(folder.path(), "gcc", flags, "states_server", "states")?;
    Ok(States { _folder: folder, client, server })
}

/// The same of our own, over both transports.
#[test]
fn calls_that_are_not_served_get_the_reason() -> Outcome {
    let states = states(&CHECKED)?;
    let server = Server::start(&states.server, &[])?;
    let places: Vec<&str> = server.address.split_whitespace().collect();
    timed(&[text(&states.client), "ours"], &places)?;
    server.ends()
}
