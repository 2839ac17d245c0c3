//! The Debian packages that tests and the demo use, by name in one list; what is missing is installed. Benches have lists of their own,
//! and install what they need when they run.

use std::process::{Command, Stdio};

/// A package and what it is for.
const PACKAGES: [(&str, &str); 43] = [
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
    ("rpcsvc-proto", "rpcgen, the peer, and a corpus of .x files"),
    ("omniidl", "the peer that reads OMG IDL"),
    ("libomniorb4-dev", "the ORB that ours talks to"),
    ("omniorb-nameserver", "a name service to find objects in"),
    ("openjdk-17-jdk-headless", "compiles and runs the peer in Java"),
    ("curl", "downloads what is in no package of Debian's"),
    ("omniorb-idl", "a corpus of .idl files: the services of CORBA"),
    ("libtirpc-dev", "the library that stubs call"),
    ("libnsl-dev", "a corpus of .x files"),
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
    ("libssl-dev", "libcrypto authenticates the edges of flows"),
    ("libnats-dev", "the library of what carries them"),
];

/// Installs what is missing, or, when `list_only`, prints the names.
pub(crate) fn run(list_only: bool) -> Result<(), Vec<String>> {
    if list_only {
        PACKAGES.iter().for_each(|(name, purpose)| println!("{name:26}{purpose}"));
        let others = crate::bench::peers::packages().filter(|(name, _)| !PACKAGES.iter().any(|known| known.0 == *name));
        others.for_each(|(name, purpose)| println!("{name:26}{purpose}"));
        return Ok(());
    }
    if !exists("dpkg-query") || !exists("apt-get") {
        println!("deps: no apt-get here; the tests report what they miss");
        return Ok(());
    }
    let names: Vec<&str> = PACKAGES.iter().map(|(name, _)| *name).collect();
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
