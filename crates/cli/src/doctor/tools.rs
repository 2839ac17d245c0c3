//! The tools themselves. In: nothing. Out: of each, whether it is there, where, and in which version.

use std::path::PathBuf;

use super::Finding;
use crate::host::{compiler, preprocess, said};

/// One tool.
pub(super) struct Tool {
    name: &'static str,
    is_needed: bool,
    look: Look,
    purpose: &'static str,
    /// Debian's.
    package: Option<&'static str>,
}

/// How a tool is looked for.
enum Look {
    /// By what other subcommands call it by.
    Program(fn() -> Option<PathBuf>),
    /// By its name, in `$PATH` and where the system's own programs are.
    Name(&'static str),
    Libclang,
    /// By pkg-config, or else by what the compiler includes.
    Header {
        library: &'static str,
        header: &'static str,
    },
    /// whittle's own run time, installed: it must be of this version.
    RunTime,
}

/// Every tool that whittle, or what it writes, may need.
pub(super) const ALL: [Tool; 13] = [
    Tool {
        name: "C compiler",
        is_needed: true,
        look: Look::Program(c_compiler),
        purpose: "compiles what whittle writes",
        package: Some("gcc"),
    },
    Tool {
        name: "C preprocessor",
        is_needed: false,
        look: Look::Program(preprocessor),
        purpose: "reads descriptions that have lines like #include and #define",
        package: Some("cpp"),
    },
    Tool {
        name: "clang",
        is_needed: false,
        look: Look::Program(compiler::found),
        purpose: "whittle specialize: preprocesses C sources; gcc takes its place where it is missing",
        package: Some("clang"),
    },
    Tool {
        name: "libclang",
        is_needed: false,
        look: Look::Libclang,
        purpose: "whittle specialize: reads C",
        package: Some("libclang1-19"),
    },
    Tool {
        name: "make",
        is_needed: false,
        look: Look::Name("make"),
        purpose: "whittle pipe run, and the Makefiles of flows: builds the programs",
        package: Some("make"),
    },
    Tool {
        name: "pkg-config",
        is_needed: false,
        look: Look::Name("pkg-config"),
        purpose: "builds: finds installed libraries, such as libtirpc and whittle's run time",
        package: Some("pkg-config"),
    },
    Tool {
        name: "libtirpc",
        is_needed: false,
        look: Look::Header { library: "libtirpc", header: "rpc/rpc.h" },
        purpose: "code in rpcgen's style: its headers and library (--link tirpc, the usual one for .x)",
        package: Some("libtirpc-dev"),
    },
    Tool {
        name: "rpcbind",
        is_needed: false,
        look: Look::Name("rpcbind"),
        purpose: "ONC RPC servers: clients find their ports by program numbers",
        package: Some("rpcbind"),
    },
    Tool {
        name: "libcrypto",
        is_needed: false,
        look: Look::Header { library: "libcrypto", header: "openssl/evp.h" },
        purpose: "flows: edges over TCP and NATS authenticate their peers by a key",
        package: Some("libssl-dev"),
    },
    Tool {
        name: "libnats",
        is_needed: false,
        look: Look::Header { library: "libnats", header: "nats/nats.h" },
        purpose: "flows: edges over NATS",
        package: Some("libnats-dev"),
    },
    Tool {
        name: "CycloneDDS",
        is_needed: false,
        look: Look::Header { library: "CycloneDDS", header: "dds/dds.h" },
        purpose: "flows: edges over DDS",
        package: Some("cyclonedds-dev"),
    },
    Tool {
        name: "nats-server",
        is_needed: false,
        look: Look::Name("nats-server"),
        purpose: "flows: carries the packets of edges over NATS; it may be on another machine",
        package: Some("nats-server"),
    },
    Tool {
        name: "run time",
        is_needed: false,
        look: Look::RunTime,
        purpose: "--runtime installed: whittle's run time as a library; without it, its files are written beside the code",
        package: None,
    },
];

impl Tool {
    pub(super) fn examined(&self) -> Finding {
        let found = match &self.look {
            Look::Program(find) => find().map(program),
            Look::Name(name) => named(name).map(program),
            Look::Libclang => return self.finding(driver::libclang().map(|(path, version)| (path, Some(version)))),
            Look::Header { library, header } => installed(library).or_else(|| included(header)),
            Look::RunTime => return self.finding(run_time()),
        };
        self.finding(found.ok_or_else(String::new))
    }

    fn finding(&self, found: Result<(String, Option<String>), String>) -> Finding {
        let problem = found.as_ref().err().filter(|problem| !problem.is_empty()).cloned();
        let is_there = found.is_ok();
        let (place, version) = found.map_or((None, None), |(place, version)| (Some(place), version));
        Finding {
            tool: self.name,
            is_there,
            is_needed: self.is_needed,
            place,
            version,
            problem,
            purpose: self.purpose,
            package: self.package,
        }
    }
}

/// Where a program is, and the first line of what it says of its version.
fn program(path: PathBuf) -> (String, Option<String>) {
    let version = said(&path, &["--version"]);
    let version = version.and_then(|text| text.lines().map(str::trim).find(|line| !line.is_empty()).map(str::to_owned));
    (path.display().to_string(), version)
}

fn c_compiler() -> Option<PathBuf> {
    ["cc", "gcc", "clang"].into_iter().find_map(preprocess::on_path)
}

fn preprocessor() -> Option<PathBuf> {
    preprocess::found().ok()
}

/// Servers are not on everybody's path.
fn named(name: &str) -> Option<PathBuf> {
    preprocess::on_path(name).or_else(|| preprocess::on_path(&format!("/usr/sbin/{name}")))
}

/// What pkg-config knows of a library.
fn installed(library: &str) -> Option<(String, Option<String>)> {
    let version = said(&named("pkg-config")?, &["--modversion", library])?;
    Some((format!("pkg-config {library}"), Some(version.trim().to_owned())))
}

/// A header that the compiler finds by itself, or where libtirpc's are.
fn included(header: &str) -> Option<(String, Option<String>)> {
    said(&c_compiler()?, &["-E", "-x", "c", "-I/usr/include/tirpc", "-include", header, "/dev/null"])?;
    Some((format!("<{header}>"), None))
}

fn run_time() -> Result<(String, Option<String>), String> {
    const OWN: &str = env!("CARGO_PKG_VERSION");
    match installed("whittle") {
        None => Err("pkg-config does not know it".to_owned()),
        Some((place, Some(version))) if version == OWN => Ok((place, Some(version))),
        Some((_, version)) => {
            let version = version.unwrap_or_default();
            Err(format!("version {version} is installed, and this command is of version {OWN}: they must be the same"))
        }
    }
}
