//! The plain style and CORBA's over libtirpc's CLIENT and SVCXPRT: the programs that go over ONC RPC without a library, compiled with
//! `-DTIRPC`, by themselves, with rpcgen's in either direction, and with those of the other links. Where libtirpc is not installed, there is
//! nothing to test.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{CHECKED, Outcome, Server, compiling, is_installed, run, text};
use filetest::scratch::Scratch;

use crate::{OBJECTS, build, compiled, peer, sources, talk, talk_by};

const CALLS: [&str; 2] = ["-DPROGRAM=0x20000077", "-DVERSION=3"];
const HEADERS: &str = "/usr/include/tirpc";

fn has_library() -> bool {
    Path::new(HEADERS).join("rpc/rpc.h").is_file()
}

/// Compiles an interface.
fn stubs(style: &str, interface: &str, options: &[&str]) -> Outcome<Scratch> {
    let scratch = Scratch::new(&format!("tirpc-{style}-{}", interface.replace('.', "-")))?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(sources().join(interface)).args(["--style", style, "--link", "tirpc"]).args(options);
    run(whittle.arg("--out").arg(scratch.path()))?;
    Ok(scratch)
}

/// A program in C, from all that was written.
fn program(folder: &Path, compiler: &str, flags: &[&str], name: &str) -> Outcome<PathBuf> {
    let target = folder.join(format!("{name}{}", flags.concat()));
    let flags = [&CHECKED[..], &["-DTIRPC", "-I", HEADERS], flags].concat();
    let mut command = compiling(compiler, &flags, folder, &sources());
    command.arg(sources().join(format!("{name}.c"))).arg("-o").arg(&target);
    for entry in std::fs::read_dir(folder)?.flatten() {
        if entry.path().extension().is_some_and(|extension| extension == "c") {
            command.arg(OBJECTS.object(compiling(compiler, &flags, folder, &sources()), &entry.path())?);
        }
    }
    run(command.arg("-ltirpc"))?;
    Ok(target)
}

/// With all of every.x: ours, rpcgen's, and those that need no library, in both directions and by both transports.
#[test]
fn clients_and_servers_of_libtirpc_talk_to_all_others() -> Outcome {
    if !has_library() {
        return Ok(());
    }
    let (ours, whole) = (stubs("plain", "every.x", &[])?, compiled("tirpc-whole", "every.x", &[])?);
    let client = program(ours.path(), "gcc", &[], "client")?;
    let servers = [program(ours.path(), "clang", &[], "server")?, program(ours.path(), "gcc", &["-DUDP"], "server")?];
    let mut others =
        vec![(build(whole.path(), "gcc", &CHECKED, "server")?, build(whole.path(), "gcc", &CHECKED, "client")?)];
    let peers = Scratch::new("tirpc-peers")?;
    if is_installed("rpcgen") {
        others.push((peer(peers.path(), "server", "-m")?, peer(peers.path(), "client", "-l")?));
    }
    for (server, (address, mode)) in servers.iter().zip([("tcp://127.0.0.1", None), ("udp://127.0.0.1", Some("small"))])
    {
        talk(server, &[text(&client)], address, mode).map_err(|error| format!("ours, {address}: {error}"))?;
        for (their_server, their_client) in &others {
            talk(their_server, &[text(&client)], address, mode)
                .map_err(|error| format!("to it, {address}: {error}"))?;
            talk(server, &[text(their_client)], address, mode)
                .map_err(|error| format!("from it, {address}: {error}"))?;
        }
    }
    Ok(())
}

/// Messages cut short and overwritten at every place of every type: each call fails as it should, its results are empty, and nothing stays
/// allocated.
#[test]
fn damaged_messages_over_libtirpc_leave_nothing_behind() -> Outcome {
    if !has_library() {
        return Ok(());
    }
    let folder = stubs("plain", "every.x", &[])?;
    run(Command::new("timeout").arg("120").arg(program(folder.path(), "gcc", &[], "damage")?))
}

/// Exceptions, statuses, attributes, calls without replies; in either style, and between the two.
#[test]
fn interfaces_of_idl_are_called_over_libtirpc() -> Outcome {
    if !has_library() {
        return Ok(());
    }
    let plain = stubs("plain", "calls.idl", &[])?;
    let mapped = stubs("corba", "calls.idl", &[])?;
    let programs = [
        program(plain.path(), "gcc", &CALLS, "calls")?,
        program(plain.path(), "clang", &[&CALLS[..], &["-DUDP"]].concat(), "calls")?,
        program(mapped.path(), "gcc", &CALLS, "calls_corba")?,
        program(mapped.path(), "clang", &[&CALLS[..], &["-DUDP"]].concat(), "calls_corba")?,
    ];
    for program in &programs {
        run(Command::new("timeout").arg("60").arg(program))
            .map_err(|error| format!("{}: {error}", program.display()))?;
    }
    run(Command::new("timeout").arg("120").arg(&programs[2]).arg("-d"))?;
    for (server, client) in [(&programs[0], &programs[2]), (&programs[2], &programs[0])] {
        talk_by(server, client, "tcp://127.0.0.1")
            .map_err(|error| format!("{} from {}: {error}", server.display(), client.display()))?;
    }
    Ok(())
}

/// C99, C17 and C++17, without a warning, however it is shaped, and with the run time.
#[test]
fn all_of_it_is_every_standards_over_libtirpc() -> Outcome {
    if !has_library() {
        return Ok(());
    }
    let shaped: [(&str, &[&str]); 3] =
        [("plain", &[]), ("plain", &["--present", "strings counted; arrays apart; results lent"]), ("corba", &[])];
    for (style, options) in shaped {
        for file in ["every.x", "nested.x", "folder.idl", "calls.idl"] {
            let folder = stubs(style, file, options)?;
            for entry in std::fs::read_dir(folder.path())?.flatten() {
                let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
                let is_others = ["whittle_corba.c", "whittle_net.c"].contains(&name.as_str());
                if is_others || path.extension().is_none_or(|extension| extension != "c") {
                    continue;
                }
                for standard in ["c99", "c17", "c++17"] {
                    let is_cpp = standard == "c++17";
                    let mut command = Command::new(if is_cpp { "g++" } else { "gcc" });
                    command.args(is_cpp.then_some("-xc++")).arg(format!("-std={standard}")).args(["-I", HEADERS]);
                    command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only"]);
                    run(command.arg(&path)).map_err(|error| format!("{style} {file}: {name}: {error}"))?;
                }
            }
        }
    }
    Ok(())
}

/// What is no message of the program's is answered with an error, and the server goes on: tried by bytes of no sense behind a good header.
#[test]
fn garbage_is_answered_and_the_server_goes_on() -> Outcome {
    use std::io::{Read, Write};
    if !has_library() {
        return Ok(());
    }
    let folder = stubs("plain", "every.x", &[])?;
    let server = Server::start(&program(folder.path(), "gcc", &[], "server")?, &["tcp://127.0.0.1"])?;
    let address = server.address.trim_start_matches("tcp://").to_owned();
    let header = std::fs::read_to_string(folder.path().join("every.h"))?;
    let number = header.lines().find_map(|line| line.strip_prefix("#define EVERY_PROGRAM 0x")).ok_or("no program")?;
    let number = u32::from_str_radix(number.trim_end_matches('u'), 16)?;
    for seed in 0..400_u32 {
        let length = seed % 50 * 4;
        let mut words = vec![0x8000_0000 | (40 + length), seed, 0, 2, number, 1, seed % 40, 0, 0, 0, 0];
        let noise = (0..length / 4).map(|at| (seed * 977 + at * 7919).wrapping_mul(2_654_435_761));
        words.extend(noise.map(|word| if word % 3 == 0 { u32::MAX } else { word % 4 }));
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        // The procedure that stops the server is not among them: it takes nothing, and is called below.
        if seed % 40 == shut_down(&folder)? {
            continue;
        }
        let mut stream = std::net::TcpStream::connect(&address)?;
        stream.set_read_timeout(Some(std::time::Duration::from_secs(30)))?;
        stream.write_all(&bytes)?;
        let mut reply = [0_u8; 28];
        stream.read_exact(&mut reply)?;
        assert_eq!(reply[4..8], seed.to_be_bytes());
    }
    let mut stream = std::net::TcpStream::connect(&address)?;
    let stop = [0x8000_0028, 1, 0, 2, number, 1, shut_down(&folder)?, 0, 0, 0, 0];
    stream.write_all(&stop.iter().flat_map(|word: &u32| word.to_be_bytes()).collect::<Vec<u8>>())?;
    let mut reply = [0_u8; 28];
    stream.read_exact(&mut reply)?;
    // What came was not what the server waits for, and that is what it ends with.
    let _ = server.ends();
    Ok(())
}

/// The number of the procedure that stops the server.
fn shut_down(folder: &Scratch) -> Outcome<u32> {
    let client = std::fs::read_to_string(folder.path().join("every_client.c"))?;
    let body = client.split("int every_shut_down(").nth(1).ok_or("no shut_down")?;
    let begin = body.split("EVERY_VERSION, ").nth(1).ok_or("no begin")?;
    Ok(begin.chars().take_while(char::is_ascii_digit).collect::<String>().parse()?)
}
