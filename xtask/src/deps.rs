//! The Debian packages that tests use, each with its purpose; what is missing is installed. The demo has a list of its own, which
//! its Makefile installs before anything of ours is built. So have benches, which install what they need when they run.

use std::process::{Command, Stdio};

/// What the demo is built with; tests use it, too.
const OF_THE_DEMO: &str = include_str!("../../examples/directory/packages");

/// A package and what it is for.
const PACKAGES: [(&str, &str); 49] = [
    ("gcc", "compiles generated C"),
    ("g++", "compiles generated headers"),
    ("clang", "compiles generated C"),
    ("libclang-rt-dev", "sanitizers of clang"),
    ("libclang1-19", "reads C for the specializer"),
    ("libclang1-16", "an older one that must do, too"),
    ("libclang1-14", "an older one that must do, too"),
    ("csmith", "random C programs"),
    ("libcsmith-dev", "headers of random C programs"),
    ("cpp", "the preprocessor that interface files go through"),
    ("make", "builds the examples"),
    ("cmake", "a build system that calls rpcgen"),
    ("meson", "a build system that calls rpcgen"),
    ("ninja-build", "what both call in turn"),
    ("dpkg-dev", "says what libraries a package needs"),
    ("pkg-config", "finds libtirpc"),
    ("omniidl", "the peer that reads OMG IDL"),
    ("libomniorb4-dev", "the ORB that ours talks to"),
    ("protobuf-c-compiler", "makes C of messages of protobuf"),
    ("libprotobuf-c-dev", "a peer that reads and writes protobuf"),
    ("protobuf-compiler", "makes C++ of messages of protobuf"),
    ("libprotobuf-dev", "another peer that reads and writes protobuf"),
    ("omniorb-nameserver", "a name service to find objects in"),
    ("openjdk-17-jdk-headless", "compiles and runs the peer in Java"),
    ("maven", "downloads peers that are in no package of Debian's"),
    ("omniorb-idl", "a corpus of .idl files: the services of CORBA"),
    ("libnsl-dev", "a corpus of .x files"),
    ("abigail-tools", "compares types in debug information"),
    ("rpcbind", "lets servers register"),
    ("libxml2-utils", "an independent judge of XML and its schema"),
    ("tshark", "an independent judge of bytes on the wire"),
    ("qemu-user", "runs programs of other machines"),
    ("gcc-s390x-linux-gnu", "a big-endian machine"),
    ("libc6-dev-s390x-cross", "a big-endian machine"),
    ("gcc-arm-linux-gnueabihf", "a 32-bit machine"),
    ("libc6-dev-armhf-cross", "a 32-bit machine"),
    ("xz-utils", "unpacks source packages"),
    ("bzip2", "unpacks source packages"),
    ("libglib2.0-dev", "a header that libvirt's interface files include"),
    ("iproute2", "a network of its own for each run of a real daemon"),
    ("libwrap0", "a library of Debian's RPC daemons"),
    ("libcap2", "a library of Debian's RPC daemons"),
    ("procps", "watches servers in tests"),
    ("nats-server", "carries edges of flows"),
    ("libpng-dev", "reads and writes the images of an example"),
    ("libssl-dev", "libcrypto authenticates the edges of flows"),
    ("libnats-dev", "the library of what carries them"),
    ("cyclonedds-dev", "carries edges of flows as samples of DDS"),
    ("cyclonedds-tools", "idlc makes a peer of the IDL that whittle prints"),
];

/// Installs what is missing, or, when `list_only`, prints the names.
pub(crate) fn run(list_only: bool) -> Result<(), Vec<String>> {
    if list_only {
        of_the_demo().for_each(|(name, purpose)| println!("demo, tests  {name:26}{purpose}"));
        PACKAGES.iter().for_each(|(name, purpose)| println!("tests        {name:26}{purpose}"));
        let is_known = |name: &str| of_the_demo().chain(PACKAGES).any(|known| known.0 == name);
        let others = crate::bench::peers::packages().filter(|(name, _)| !is_known(name));
        others.for_each(|(name, purpose)| println!("benches      {name:26}{purpose}"));
        return Ok(());
    }
    if !exists("dpkg-query") || !exists("apt-get") {
        println!("deps: no apt-get here; the tests report what they miss");
        return Ok(());
    }
    let names: Vec<&str> = of_the_demo().chain(PACKAGES).map(|(name, _)| name).collect();
    let missing = provide(&names);
    if missing.is_empty() {
        return Ok(());
    }
    let complaint = format!("deps: cannot install {}", missing.join(" "));
    // In CI an absent peer is a failure, and so is what makes it absent.
    if std::env::var_os("CI").is_some() {
        return Err(vec![complaint]);
    }
    println!("{complaint}; tests that need them are skipped");
    Ok(())
}

fn of_the_demo() -> impl Iterator<Item = (&'static str, &'static str)> {
    OF_THE_DEMO.lines().filter_map(|line| line.split_once(' ')).map(|(name, purpose)| (name, purpose.trim_start()))
}

/// Installs those of the packages that are missing; returns what could not be had.
pub(crate) fn provide<'a>(packages: &[&'a str]) -> Vec<&'a str> {
    let missing: Vec<&str> = packages.iter().copied().filter(|name| !is_installed(name)).collect();
    if missing.is_empty() || !exists("apt-get") {
        return missing;
    }
    println!("deps: installing {}", missing.join(" "));
    if install(&missing) { Vec::new() } else { missing }
}

fn exists(program: &str) -> bool {
    std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).any(|folder| folder.join(program).is_file())
}

fn is_installed(package: &str) -> bool {
    let output = Command::new("dpkg-query").args(["-W", "-f", "${db:Status-Status}", package]).output();
    output.is_ok_and(|output| output.stdout.starts_with(b"installed"))
}

fn install(packages: &[&str]) -> bool {
    let install = |packages: &[&str]| {
        let mut arguments = vec!["install", "-y", "-q", "--no-install-recommends"];
        arguments.extend(packages);
        apt(&arguments)
    };
    // The lists of a fresh machine are empty, and those of an old one name packages that are gone.
    install(packages) || (apt(&["update", "-q"]) && install(packages))
}

fn apt(arguments: &[&str]) -> bool {
    let is_root = Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"));
    let mut command = if is_root {
        Command::new("env")
    } else {
        let mut sudo = Command::new("sudo");
        sudo.args(["-n", "env"]);
        sudo
    };
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments).stdin(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;
    use std::process::Command;

    const SECURITY: &str = "deb http://deb.debian.org/debian-security bookworm-security main";

    /// What the check of Rust says where `rustc` is of this version, on a machine that has these programs beside it and this source
    /// of packages.
    fn said(rustc: Option<&str>, programs: &[&str], os: &str, source: &str) -> String {
        let folder =
            std::env::temp_dir().join(format!("whittle-rust-{}-{:?}", std::process::id(), std::thread::current().id()));
        fs::create_dir_all(&folder).expect("a folder is made");
        let program = |name: &str, text: &str| {
            fs::write(folder.join(name), format!("#!/bin/sh\n{text}\n")).expect("a program is written");
            Command::new("chmod").arg("+x").arg(folder.join(name)).status().expect("it is made executable");
        };
        ["sed", "sort", "head", "grep", "cat"]
            .iter()
            .for_each(|name| program(name, &format!("exec /usr/bin/{name} \"$@\"")));
        programs.iter().for_each(|name| program(name, ""));
        if let Some(version) = rustc {
            program("rustc", &format!("echo 'rustc {version} (abc 2026-01-01)'"));
            program("cargo", "");
        }
        fs::write(folder.join("os"), os).expect("a file is written");
        fs::write(folder.join("sources.list"), format!("{source}\n")).expect("a file is written");
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut shell = Command::new("/bin/sh");
        shell
            .args(["xtask/rust.sh", "cargo"])
            .current_dir(root)
            .env("PATH", &folder)
            .env("APT", &folder)
            .env("OS_RELEASE", folder.join("os"));
        let output = shell.env_remove("RUSTC").output().expect("a shell runs");
        fs::remove_dir_all(&folder).expect("the folder is removed");
        let text = String::from_utf8_lossy(&output.stderr).replace(&*folder.to_string_lossy(), "/etc/apt");
        assert_eq!(output.status.success(), text.is_empty(), "{text}");
        text
    }

    #[test]
    fn a_rust_that_is_missing_or_old_is_said_with_the_command_that_mends_it() {
        let bookworm = "VERSION_CODENAME=bookworm\n";
        assert_eq!(said(Some("1.88.0"), &[], bookworm, SECURITY), "");
        assert_eq!(said(Some("1.100.1"), &[], bookworm, SECURITY), "");
        let needed = "error: Rust 1.88 or newer is needed, and";
        let cases = [
            (Some("1.63.0"), &["apt-get"][..], bookworm, "1.63.0 is here: apt-get update && apt-get install cargo-web"),
            (None, &["apt-get"], bookworm, "none is here: apt-get update && apt-get install cargo-web"),
            (Some("1.87.1"), &["rustup"], bookworm, "1.87.1 is here: rustup update stable && rustup default stable"),
            (None, &["apt-get"], "", "none is here: apt-get update && apt-get install rustup && rustup default stable"),
            (None, &[], "", "none is here: install rustup, then: rustup default stable"),
        ];
        for (rustc, programs, os, end) in cases {
            assert_eq!(said(rustc, programs, os, SECURITY), format!("{needed} {end}\n"));
        }
        let end = format!(
            "none is here: echo '{SECURITY}' > /etc/apt/sources.list.d/security.list && apt-get update && apt-get install cargo-web"
        );
        for source in ["deb http://deb.debian.org/debian bookworm main", &format!("# {SECURITY}")] {
            assert_eq!(said(None, &["apt-get"], bookworm, source), format!("{needed} {end}\n"));
        }
    }
}
