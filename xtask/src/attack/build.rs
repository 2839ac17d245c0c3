//! Builds what is attacked and what attacks. In: `tests/attack/`. Out: for each style and link a server, an honest client and a client
//! that is attacked, and the attacker, all in `target/attack/`. What has not changed since is not compiled again.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use super::flow;
use super::options::Options;
use crate::{cargo, tree};

/// A style over a link's protocol.
pub(crate) struct Style {
    pub(crate) name: &'static str,
    /// What `whittle compile` is given, for each interface.
    interfaces: &'static [(&'static str, &'static [&'static str])],
    /// `serve_plain.c` and the like.
    serve: &'static str,
    /// `calls_plain.c` and the like.
    calls: &'static str,
    flags: &'static [&'static str],
    client: &'static [&'static str],
    server: &'static [&'static str],
    pub(crate) links: &'static [&'static str],
    /// Whether it serves in GIOP's words.
    pub(crate) giop: bool,
    /// Its servers are those of libtirpc's interface, which takes no options.
    library: bool,
    /// Workers, and whether they may overtake where that can be chosen.
    pub(crate) threads: &'static [(u32, Option<bool>)],
}

/// Brings whittle's run time of libtirpc's interface, which has bounds that libtirpc has not; what else it writes is not compiled, and
/// the header gives way to that of the style which comes next.
const LIBRARY: (&str, &[&str]) = ("attack.x", &["--style", "rpcgen", "--link", "onc"]);

/// All that there are.
pub(crate) const STYLES: [Style; 7] = [
    Style {
        name: "plain",
        interfaces: &[("attack.x", &["--style", "plain"])],
        serve: "plain",
        calls: "plain",
        flags: &[],
        client: &["attack_client.c", "attack_types.c"],
        server: &["attack_server.c", "attack_types.c"],
        links: &["tcp", "unix", "udp"],
        giop: false,
        library: false,
        threads: &[(1, Some(false)), (4, Some(false)), (4, Some(true)), (16, Some(false)), (16, Some(true))],
    },
    Style {
        name: "plain",
        interfaces: &[("attack.x", &["--style", "plain", "--link", "giop-tcp"])],
        serve: "plain",
        calls: "plain",
        flags: &["-DLINK_IIOP"],
        client: &["attack_client.c", "attack_types.c"],
        server: &["attack_server.c", "attack_types.c"],
        links: &["iiop"],
        giop: true,
        library: false,
        threads: &[(1, None), (4, None), (16, None)],
    },
    Style {
        name: "corba",
        interfaces: &[("attack.x", &["--style", "corba"]), ("any.idl", &["--style", "corba"])],
        serve: "corba",
        calls: "corba",
        flags: &[],
        client: &["attack-common.c", "attack-stubs.c"],
        server: &["attack-common.c", "attack-skels.c", "attack-stubs.c", "any-common.c", "any-skels.c", "any-stubs.c"],
        links: &["iiop"],
        giop: true,
        library: false,
        threads: &[(1, None), (4, None), (16, None)],
    },
    Style {
        name: "corba-onc",
        interfaces: &[("attack.x", &["--style", "corba", "--link", "onc"])],
        serve: "objects",
        calls: "corba",
        flags: &["-DLINK_ONC"],
        client: &["attack-common.c", "attack-stubs.c"],
        server: &["attack-common.c", "attack-skels.c"],
        links: &["tcp", "unix", "udp"],
        giop: false,
        library: false,
        threads: &[(1, Some(false)), (4, Some(false)), (4, Some(true)), (16, Some(true))],
    },
    Style {
        name: "rpcgen",
        interfaces: &[("attack.x", &["--style", "rpcgen", "--link", "onc"])],
        serve: "rpcgen",
        calls: "rpcgen",
        flags: &[],
        client: &["attack_clnt.c", "attack_xdr.c"],
        server: &["attack_xdr.c"],
        links: &["tcp", "udp"],
        giop: false,
        library: true,
        threads: &[(1, None)],
    },
    Style {
        name: "plain-tirpc",
        interfaces: &[LIBRARY, ("attack.x", &["--style", "plain", "--link", "tirpc"])],
        serve: "plain",
        calls: "plain",
        flags: &["-DLINK_TIRPC"],
        client: &["attack_client.c", "attack_types.c"],
        server: &["attack_server.c", "attack_types.c"],
        links: &["tcp", "udp"],
        giop: false,
        library: true,
        threads: &[(1, None)],
    },
    Style {
        name: "corba-tirpc",
        interfaces: &[LIBRARY, ("attack.x", &["--style", "corba", "--link", "tirpc"])],
        serve: "objects",
        calls: "corba",
        flags: &["-DLINK_TIRPC"],
        client: &["attack-common.c", "attack-stubs.c"],
        server: &["attack-common.c", "attack-skels.c"],
        links: &["tcp", "udp"],
        giop: false,
        library: true,
        threads: &[(1, None)],
    },
];

/// A flow, whose receiver is attacked. It has programs of its own: `flow.rs`.
pub(crate) const FLOW: Style = Style {
    name: "flow",
    interfaces: &[],
    serve: "",
    calls: "",
    flags: &[],
    client: &[],
    server: &[],
    links: &["tcp"],
    giop: false,
    library: false,
    threads: &[(1, None)],
};

/// Tests of one process build in the same folder: one after the other.
static BUILDING: Mutex<()> = Mutex::new(());

/// Megabytes of `memory` that a server is given, and that it has where its style takes no such option.
const GIVEN: u32 = 64;
const USUAL: u32 = 256;

/// Where the programs are.
pub(crate) struct Built {
    folder: PathBuf,
}

impl Built {
    /// The program `name` of a style.
    pub(crate) fn program(&self, style: &Style, name: &str) -> PathBuf {
        self.folder.join(folder_name(style)).join(name)
    }

    /// The folder of the flow's programs.
    pub(crate) fn flow(&self) -> PathBuf {
        self.folder.join("flow")
    }

    pub(crate) fn attacker(&self) -> PathBuf {
        self.folder.join("attacker/attacker")
    }

    /// The bound of memory, in megabytes, that a style's servers have.
    pub(crate) fn memory(&self, style: &Style) -> u32 {
        let option = !style.giop || !memory_flags(&self.folder.join(folder_name(style)), style).is_empty();
        if !style.library && option { GIVEN } else { USUAL }
    }

    /// A new folder for sockets and the like.
    pub(crate) fn scratch(&self) -> PathBuf {
        self.folder.join("scratch")
    }
}

fn folder_name(style: &Style) -> String {
    format!("{}-{}", style.name, if style.giop { "giop" } else { "onc" })
}

/// Compiles the interfaces and the C; each folder on its own.
pub(crate) fn build(options: &Options) -> Result<Built, Vec<String>> {
    let _alone = BUILDING.lock();
    let whittle = cargo::build_whittle_quickly()?;
    let target = whittle.parent().and_then(Path::parent).unwrap_or(Path::new("target")).to_owned();
    let name = options.sanitize.as_ref().map_or("plain".into(), |sanitize| sanitize.replace(',', "-"));
    let folder = std::path::absolute(target.join("attack").join(name)).map_err(|problem| vec![problem.to_string()])?;
    let built = Built { folder };
    let speed = if options.sanitize.is_some() { "-O1" } else { "-O2" };
    let mut sanitize: Vec<String> = vec![speed.into(), "-g".into(), "-pthread".into()];
    if let Some(which) = &options.sanitize {
        sanitize.extend([format!("-fsanitize={which}"), "-fno-sanitize-recover=all".into(), "-DSLOW_MACHINE".into()]);
    }
    make(&built.scratch())?;
    build_attacker(&built.folder.join("attacker"))?;
    let mut shared = BTreeMap::new();
    for style in &STYLES {
        build_style(&whittle, &built.folder.join(folder_name(style)), style, &sanitize, &mut shared)?;
    }
    flow::build(&whittle, &built.flow(), &sanitize)?;
    Ok(built)
}

pub(super) fn sources() -> PathBuf {
    tree::root().join("tests/attack")
}

fn build_attacker(folder: &Path) -> Result<(), Vec<String>> {
    if !copy_sources(folder, &[])? && folder.join("attacker").exists() {
        return Ok(());
    }
    let attacks = names(folder)?.into_iter().filter(|name| name.starts_with("attacks_"));
    let files = ["attacker.c", "messages.c", "sockets.c"].into_iter().map(str::to_owned).chain(attacks);
    let flags = ["-O2", "-g", "-std=gnu11", "-Wall", "-Wextra", "-pthread"].map(str::to_owned).to_vec();
    compile(folder, "attacker", &flags, &files.collect::<Vec<_>>())
}

fn build_style(
    whittle: &Path,
    folder: &Path,
    style: &Style,
    flags: &[String],
    shared: &mut BTreeMap<Vec<u8>, String>,
) -> Result<(), Vec<String>> {
    let fresh = folder.with_extension("new");
    let _ = std::fs::remove_dir_all(&fresh);
    make(&fresh)?;
    for (interface, options) in style.interfaces {
        let mut compile = Command::new(whittle);
        compile.arg("compile").arg(sources().join(interface)).args(*options).arg("--out").arg(&fresh);
        cargo::run(&mut compile, &format!("whittle compile {interface}"))?;
    }
    let mut generated: Vec<PathBuf> = files_below(&fresh)?;
    generated.sort();
    let changed = copy_sources(folder, &generated)?;
    let _ = std::fs::remove_dir_all(&fresh);
    if !changed && ["server", "honest", "victim"].iter().all(|name| folder.join(name).exists()) {
        return Ok(());
    }
    let runtime = names(folder)?.into_iter().filter(|name| name.starts_with("whittle_") && name.ends_with(".c"));
    let runtime: Vec<String> = runtime.collect();
    let mut own: Vec<String> = flags.to_vec();
    own.extend(["-std=gnu11", "-I."].map(str::to_owned));
    own.extend(style.flags.iter().map(|&flag| flag.to_owned()));
    own.extend(memory_flags(folder, style));
    let mut objects = BTreeMap::new();
    let mut program = |name: &str, files: &[&str], generated: &[&str]| {
        let files = files.iter().chain(generated).map(|&file| file.to_owned()).chain(runtime.iter().cloned());
        let all: Result<Vec<String>, _> = files.map(|file| object(folder, &own, &mut objects, shared, &file)).collect();
        compile(folder, name, &own, &all?)
    };
    let (serve, calls) = (format!("serve_{}.c", style.serve), format!("calls_{}.c", style.calls));
    program("server", &[&serve, "procedures.c"], style.server)?;
    program("honest", &["honest.c", &calls], style.client)?;
    let hostile = ["hostile.c", "hostile_replies.c", "hostile_manners.c", "hostile_giop.c"];
    let victim = [["victim.c", "messages.c", "sockets.c"].as_slice(), &hostile, &[&calls]].concat();
    program("victim", &victim, style.client)
}

/// The object of a file; it is compiled for the first program that has it, and a run time's for the first style.
fn object(
    folder: &Path,
    flags: &[String],
    made: &mut BTreeMap<String, String>,
    shared: &mut BTreeMap<Vec<u8>, String>,
    file: &str,
) -> Result<String, Vec<String>> {
    let text = std::fs::read(folder.join(file)).map_err(|problem| vec![format!("{file}: {problem}")])?;
    let runtime = file.starts_with("whittle_");
    if let Some(object) = made.get(file).or(shared.get(&text).filter(|_| runtime)) {
        return Ok(object.clone());
    }
    let object = folder.join(file.replace(".c", ".o")).to_string_lossy().into_owned();
    let mut gcc = Command::new("gcc");
    gcc.args(flags).args(["-c", "-o", &object, file]).current_dir(folder);
    cargo::run(&mut gcc, &format!("gcc {file}"))?;
    made.insert(file.to_owned(), object.clone());
    if runtime {
        shared.insert(text, object.clone());
    }
    Ok(object)
}

/// A bound of memory is an option that not every run time has.
fn memory_flags(folder: &Path, style: &Style) -> Vec<String> {
    let holds = |file: &str, text: &str| std::fs::read_to_string(folder.join(file)).is_ok_and(|all| all.contains(text));
    let mut flags = Vec::new();
    if style.name == "plain" && holds("whittle_iiop.h", "uint32_t memory;") {
        flags.push("-DIIOP_MEMORY".into());
    }
    if style.name == "corba" && holds("whittle_corba.h", "-ORBMaxMemory") {
        flags.push("-DORB_MEMORY".into());
    }
    flags
}

/// Copies the C of `tests/attack/` and what was generated into a folder. Whether anything there changed.
fn copy_sources(folder: &Path, generated: &[PathBuf]) -> Result<bool, Vec<String>> {
    make(&folder.join("rpc"))?;
    let mut own = files_below(&sources())?;
    own.retain(|file| file.parent() == Some(&sources())); // a flow's own are in a folder below
    let mut changed = false;
    for file in own.iter().chain(generated) {
        let inner = file.parent().is_some_and(|parent| parent.ends_with("rpc"));
        let name = file.file_name().unwrap_or_default();
        let to = if inner { folder.join("rpc").join(name) } else { folder.join(name) };
        let text = std::fs::read(file).map_err(|problem| vec![format!("{}: {problem}", file.display())])?;
        if std::fs::read(&to).ok().as_deref() != Some(&text) {
            std::fs::write(&to, text).map_err(|problem| vec![format!("{}: {problem}", to.display())])?;
            changed = true;
        }
    }
    Ok(changed)
}

fn compile(folder: &Path, name: &str, flags: &[String], files: &[String]) -> Result<(), Vec<String>> {
    let mut gcc = Command::new("gcc");
    gcc.args(flags).args(["-o", name]).args(files).current_dir(folder);
    cargo::run(&mut gcc, &format!("gcc -o {}/{name}", folder.display()))
}

pub(super) fn make(folder: &Path) -> Result<(), Vec<String>> {
    std::fs::create_dir_all(folder).map_err(|problem| vec![format!("{}: {problem}", folder.display())])
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Vec<String>> {
    let mut found = Vec::new();
    let entries = std::fs::read_dir(folder).map_err(|problem| vec![format!("{}: {problem}", folder.display())])?;
    for entry in entries.flatten() {
        if entry.path().is_dir() {
            found.extend(files_below(&entry.path())?);
        } else {
            found.push(entry.path());
        }
    }
    Ok(found)
}

fn names(folder: &Path) -> Result<Vec<String>, Vec<String>> {
    let files = files_below(folder)?;
    let mut names: Vec<String> =
        files.iter().filter_map(|file| Some(file.file_name()?.to_string_lossy().into_owned())).collect();
    names.sort();
    Ok(names)
}
