//! Clients made from Debian's own interface files talk to Debian's daemons.

use std::path::{Path, PathBuf};

use filetest::oracle::{self, Compilation};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

use crate::build::{Maker, have};
use crate::world::{self, folder};

const LOGGED_IN: &str = "\
ada pts/901 far.example.org 7 1000000000
grace tty902  7 1000000000
konrad-the-first pts/903 near 7 1000000000
";

/// Builds the program that logs users in.
pub(crate) fn log_in(into: &Path) -> Result<PathBuf, Failed> {
    let program = into.join("log_in");
    Compilation::new("gcc").with(oracle::STRICT).program_alone(&[folder().join("log_in.c")], &program)?;
    Ok(program)
}

/// Generates files from a copy of `interface`: rpcgen's flags and the names.
fn generate(maker: Maker, interface: &Path, files: &[(&str, &str)], scratch: &Scratch) -> Result<(), Failed> {
    scratch.copy(interface)?;
    for (flag, file) in files {
        let mut command = maker.command();
        command.current_dir(scratch.path()).args([flag, "-o", file]).arg(interface.file_name().unwrap_or_default());
        oracle::succeed(&mut command)?;
    }
    Ok(())
}

/// A client of rusersd's third version.
pub(crate) fn client(maker: Maker, scratch: &Scratch) -> Result<PathBuf, Failed> {
    let files = [("-h", "rusers.h"), ("-c", "rusers_xdr.c"), ("-l", "rusers_clnt.c")];
    generate(maker, Path::new("/usr/include/rpcsvc/rusers.x"), &files, scratch)?;
    let sources =
        [folder().join("logins.c"), scratch.path().join("rusers_xdr.c"), scratch.path().join("rusers_clnt.c")];
    let program = scratch.path().join("client");
    let compilation = Compilation::new("gcc").with([format!("-I{}", scratch.path().display())]).with_tirpc();
    // rpcgen's own has unused variables.
    let strict = if maker == Maker::Whittle { oracle::STRICT.as_slice() } else { &[] };
    compilation.with(strict.iter().copied()).program(&sources, &program)?;
    Ok(program)
}

pub(crate) fn rusers() -> Result<(), Failed> {
    let scratches = [Scratch::new("real-rusers")?, Scratch::new("real-rusers")?];
    let ours = client(Maker::Whittle, &scratches[0])?;
    let theirs = client(Maker::Rpcgen, &scratches[1])?;
    let parts = world::run(
        "logins.sh",
        &[
            ("LOG_IN", log_in(scratches[0].path())?.display().to_string()),
            ("DAEMONS", have("usr/sbin/rpc.rusersd")?.display().to_string()),
            ("CLIENTS", world::list(&[&have("usr/bin/rusers")?, &ours, &theirs])),
            ("TELLERS", world::list(&[&ours, &theirs])),
        ],
    )?;
    let parts: Vec<&world::Part> = parts.iter().collect();
    assert_eq!(parts.len(), 5);
    assert_eq!(parts[0].text.lines().count(), 3, "{}", parts[0].text);
    world::agree(&parts[..3])?;
    world::agree(&parts[3..])?;
    assert_eq!(parts[3].text, LOGGED_IN);
    Ok(())
}

/// Stubs of ours over the header that libtirpc installs, which rpcgen made of the same file.
fn table_client(scratch: &Scratch) -> Result<PathBuf, Failed> {
    let include = oracle::flags_of("libtirpc", "--cflags");
    let library = include.iter().find_map(|flag| flag.strip_prefix("-I")).ok_or("pkg-config knows no libtirpc")?;
    let interface = Path::new(library).join("rpc/rpcb_prot.x");
    let files = [("-c", "rpcb_prot_xdr.c"), ("-l", "rpcb_prot_clnt.c")];
    generate(Maker::Whittle, &interface, &files, scratch)?;
    let program = scratch.path().join("client");
    let sources = ["rpcb_prot_xdr.c", "rpcb_prot_clnt.c"].map(|name| scratch.path().join(name));
    let sources: Vec<PathBuf> = sources.into_iter().chain([folder().join("table.c")]).collect();
    // The file leaves the numbers' types to who compiles it.
    let numbers = ["rpcprog_t", "rpcvers_t", "rpcproc_t"].map(|name| format!("-Dxdr_{name}=xdr_u_int32_t"));
    let includes = ["-include".to_owned(), "rpc/rpc.h".to_owned(), format!("-I{library}/rpc")];
    let compilation = Compilation::new("gcc").with(oracle::STRICT).with_tirpc().with(numbers).with(includes);
    compilation.program(&sources, &program)?;
    Ok(program)
}

pub(crate) fn rpcbind() -> Result<(), Failed> {
    let scratch = Scratch::new("real-rpcbind")?;
    let client = table_client(&scratch)?;
    let daemon = have("usr/sbin/rpc.rusersd")?.display().to_string();
    let parts = world::run("table.sh", &[("DAEMON", daemon), ("CLIENT", client.display().to_string())])?;
    let [all, ports, ours] = parts.as_slice() else { return Err("three tables were asked for".into()) };
    let ours: Vec<Vec<&str>> = ours.text.lines().map(|line| line.split(' ').collect()).collect();
    assert!(ours.len() >= 14, "{} entries", ours.len());
    // program version netid address service owner
    let words = |line: &'_ str| -> Vec<String> { line.split_whitespace().map(str::to_owned).collect() };
    let theirs: Vec<Vec<String>> = all.text.lines().skip(1).map(words).collect();
    assert!(theirs.iter().all(|entry| entry.len() == 6), "{}", all.text);
    let theirs: Vec<Vec<&str>> =
        theirs.iter().map(|entry| [0, 1, 2, 3, 5].map(|column| entry[column].as_str()).to_vec()).collect();
    assert_eq!(ours, theirs);
    // program version protocol port service
    let theirs: Vec<Vec<String>> = ports.text.lines().skip(1).map(words).map(|entry| entry[..4].to_vec()).collect();
    let ours: Vec<Vec<String>> =
        ours.iter().filter(|entry| ["tcp", "udp"].contains(&entry[2])).map(|e| port(e)).collect();
    assert_eq!(ours, theirs);
    Ok(())
}

/// An entry as `rpcinfo -p` tells it: `0.0.0.0.193.75` is port 193 * 256 + 75.
fn port(entry: &[&str]) -> Vec<String> {
    let bytes: Vec<u32> = entry[3].split('.').filter_map(|byte| byte.parse().ok()).collect();
    let port = bytes[bytes.len() - 2] * 256 + bytes[bytes.len() - 1];
    entry[..3].iter().map(|word| (*word).to_owned()).chain([port.to_string()]).collect()
}
