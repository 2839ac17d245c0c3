//! `whittle mig` from outside: the C of every form of type compiles in silence for words of both sizes, messages are those of
//! the golden and of GNU MIG, and changed requests reach nothing that is not theirs.
//!
//! The headers of Mach in `tests/mig/include` are stand-ins, as far as stubs need them. `tests/mig/exchange.c` calls each
//! routine of `exchange.defs` and prints what passes. `BLESS=1` rewrites `messages.txt`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

/// The compiler of this test; a kernel's warnings, and more, are errors.
const STRICT: [&str; 8] = [
    "-std=gnu11",
    "-O2",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Werror",
];

/// GNU MIG for words of 64 bits, where it is installed.
const PEER: &str = "x86_64-gnu-mig";

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    for bits in ["64", "32"] {
        trials.push(oracle::trial(format!("C for words of {bits} bits is silent"), &["gcc", "cpp"], move || {
            compiles_in_silence(bits)
        }));
    }
    trials.push(oracle::trial("messages are those of the golden", &["gcc", "cpp"], || exchange(None)));
    // Its messages for 64 bits are younger than the one that Debian 12 has.
    let peer = Trial::test("messages are those of GNU MIG", || exchange(Some(PEER)));
    trials.push(peer.with_ignored_flag(oracle::find(PEER).is_none()));
    trials.push(oracle::trial("changed requests do no harm", &["gcc", "cpp"], changed_requests));
    trials.push(oracle::trial("a build's own way to call it makes the files", &["cpp"], standard_input));
    trials.push(oracle::trial("places are those of the files", &["cpp"], places));
    trials.push(oracle::trial("files of types alone are checked, too", &["cpp"], types_alone));
    trials.push(Trial::test("nothing is written beside an error", nothing_beside_an_error));
    libtest_mimic::run(&arguments, trials).exit();
}

fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/mig").join(name)
}

fn done(command: &mut Command) -> Result<Output, Failed> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() && said.is_empty() { Ok(output) } else { Err(format!("{command:?}\n{said}").into()) }
}

fn whittle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.arg("mig").current_dir(folder).env_remove("CPP");
    command
}

/// The stubs of a file, as `u.c` and `s.c`, with their headers.
fn generate(mut mig: Command, folder: &Path, name: &str, header: &str) -> Result<(), Failed> {
    mig.current_dir(folder).args(["-n", "-user", "u.c", "-server", "s.c", "-header", header]);
    done(mig.args(["-sheader", &header.replace(".h", "_server.h")]).arg(data(name)))?;
    Ok(())
}

fn compiles_in_silence(bits: &str) -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    let mut mig = whittle(folder.path());
    mig.arg(format!("-m{bits}"));
    generate(mig, folder.path(), "good/everything.defs", "every.h")?;
    std::fs::write(folder.path().join("h.c"), "#include <every_server.h>\n#include <every.h>\n")?;
    let own = done(Command::new("gcc").arg("-print-file-name=include"))?;
    let own = String::from_utf8_lossy(&own.stdout).trim().to_owned();
    for file in ["u.c", "s.c", "h.c"] {
        let mut gcc = Command::new("gcc");
        // Without the C library's headers, which machines have for one size of words alone.
        gcc.args(STRICT).args([&format!("-m{bits}"), "-ffreestanding", "-nostdinc", "-isystem", &own, "-I."]);
        gcc.arg("-I").arg(data("include")).args(["-DMIG_EOPNOTSUPP=-5", "-fsyntax-only", file]);
        done(gcc.current_dir(folder.path()))?;
    }
    Ok(())
}

/// Builds the exchange of a user's and a server's stubs.
fn build(folder: &Path, user: &Path, server: &Path, flags: &[&str]) -> Result<PathBuf, Failed> {
    let program = folder.join("exchange");
    let mut gcc = Command::new("gcc");
    // What nobody writes is zero, so that it is the same everywhere.
    gcc.args(["-std=gnu11", "-O1", "-g1", "-fno-strict-aliasing", "-ftrivial-auto-var-init=zero", "-w"]).args(flags);
    gcc.arg("-I").arg(data("include")).arg("-I").arg(user).arg(data("exchange.c"));
    done(gcc.arg(user.join("u.c")).arg(server.join("s.c")).arg("-o").arg(&program))?;
    Ok(program)
}

/// What passes is what stands in the golden, whoever made the user's stubs and the server's.
fn exchange(peer: Option<&str>) -> Result<(), Failed> {
    let (ours, theirs) = (Scratch::new("mig")?, Scratch::new("mig")?);
    generate(whittle(ours.path()), ours.path(), "exchange.defs", "exchange.h")?;
    let mut pairs = vec![(ours.path(), ours.path())];
    if let Some(peer) = peer {
        generate(oracle::command(peer), theirs.path(), "exchange.defs", "exchange.h")?;
        pairs = vec![(ours.path(), theirs.path()), (theirs.path(), ours.path()), (theirs.path(), theirs.path())];
    }
    for (user, server) in pairs {
        let program = build(ours.path(), user, server, &[])?;
        let output = done(&mut Command::new(program))?;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let golden = data("messages.txt");
        if std::env::var_os("BLESS").is_some() && peer.is_none() {
            std::fs::write(&golden, &said)?;
        }
        let expected = std::fs::read_to_string(&golden)?;
        let differs = expected.lines().zip(said.lines()).enumerate().find(|(_, (one, other))| one != other);
        if let Some((at, (expected, found))) = differs {
            return Err(format!("line {}\nexpected {expected}\nfound    {found}", at + 1).into());
        }
        if expected != said {
            return Err(format!("{} lines, expected {}", said.lines().count(), expected.lines().count()).into());
        }
    }
    Ok(())
}

fn changed_requests() -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    generate(whittle(folder.path()), folder.path(), "exchange.defs", "exchange.h")?;
    // The servers of the test compute with what they get, and may overflow.
    let flags = ["-fsanitize=address,bounds", "-fno-sanitize-recover=all"];
    let program = build(folder.path(), folder.path(), folder.path(), &flags)?;
    let output = done(Command::new(program).arg("4000"))?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if said.contains("replied returns 0") { Ok(()) } else { Err(said.into()) }
}

/// `MIG -n -cc cat - /dev/null … < preprocessed`, as kernels' Makefiles call it.
fn standard_input() -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    let text = std::fs::File::open(data("exchange.defs"))?;
    let mut mig = whittle(folder.path());
    mig.args("-n -cc cat - /dev/null -subrprefix __ -user u.c -list l.msgids".split(' ')).stdin(text);
    done(&mut mig)?;
    let user = std::fs::read_to_string(folder.path().join("u.c"))?;
    let list = std::fs::read_to_string(folder.path().join("l.msgids"))?;
    if !user.contains("__mach_msg(") || !list.starts_with("exchange 2000 fixed 0 2000 2100\n") {
        return Err(list.into());
    }
    let nowhere = "-user /dev/null -header /dev/null -server s.c".split(' ');
    done(whittle(folder.path()).args(nowhere).arg(data("exchange.defs")))?;
    if !folder.path().join("s.c").exists() {
        return Err("what is not wanted hides what is".into());
    }
    if folder.path().join("exchangeServer.c").exists() { Err("more than was asked for".into()) } else { Ok(()) }
}

fn places() -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    std::fs::write(folder.path().join("part.defs"), "\n\ntype count_t = nowhere_t;\n")?;
    std::fs::write(folder.path().join("whole.defs"), "subsystem x 1;\n#include \"part.defs\"\n")?;
    let output = whittle(folder.path()).arg("whole.defs").output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_right = said.contains("[mig-010]") && said.contains("part.defs:3:16") && output.status.code() == Some(1);
    if is_right { Ok(()) } else { Err(said.into()) }
}

fn types_alone() -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
        command.args(words).current_dir(folder.path()).env_remove("CPP").output()
    };
    std::fs::write(folder.path().join("types.defs"), "type count_t = int;\n")?;
    std::fs::write(folder.path().join("wrong.defs"), "type count_t = nowhere_t;\n")?;
    let right = run(&["check", "types.defs"])?;
    let wrong = run(&["check", "types.defs", "wrong.defs"])?;
    let refused = run(&["compile", "types.defs"])?;
    let said = [&right, &wrong, &refused].map(|output| String::from_utf8_lossy(&output.stderr).into_owned());
    let codes = [right.status.code(), wrong.status.code(), refused.status.code()];
    let is_right = codes == [Some(0), Some(1), Some(2)]
        && said[0].is_empty()
        && said[1].contains("[mig-010]")
        && said[2].contains("whittle mig types.defs");
    if is_right { Ok(()) } else { Err(said.join("\n").into()) }
}

fn nothing_beside_an_error() -> Result<(), Failed> {
    let folder = Scratch::new("mig")?;
    let bad = std::fs::File::open(data("bad/routines.defs"))?;
    let output = whittle(folder.path()).args(["-cc", "cat", "-"]).stdin(bad).output()?;
    let is_empty = std::fs::read_dir(folder.path())?.next().is_none();
    if is_empty && !output.status.success() { Ok(()) } else { Err("something was written".into()) }
}
