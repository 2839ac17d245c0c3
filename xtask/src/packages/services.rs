//! `cargo xtask services`: services of Debian's interface files, each built with rpcgen and with whittle from the same small program
//! (`tests/packages/services`). In: names of services, or none for all. Each build's client calls each build's server, over TCP and UDP.
//! Out: whether all four pairs print the same.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use super::making::{self, Maker};
use super::{command, recipe, source};
use crate::tree;

/// Where Debian puts the interface files, whose names are those of the programs.
const INTERFACES: &str = "/usr/include/rpcsvc";

/// Services of packages: their interface files have no program, so that the test has dispatch functions and calls of its own. The package,
/// the folder and the generated files that are linked.
const OF_PACKAGES: [(&str, &str, [&str; 2]); 1] =
    [("glusterfs", "rpc/xdr/src", ["glusterfs3-xdr.c", "rpc-common-xdr.c"])];

/// Runs the services of these names.
pub(crate) fn run(arguments: &[&str]) -> Result<(), Vec<String>> {
    let (whittle, names) = match arguments {
        ["--whittle", path, names @ ..] => (command(Some(path))?, names),
        names => (command(None)?, names),
    };
    let mut problems = Vec::new();
    for name in all()?.iter().filter(|name| names.is_empty() || names.contains(&name.as_str())) {
        match both_ways(name, &whittle) {
            Ok(lines) => println!("services: {name}: four pairs, the same {lines} lines"),
            Err(problem) => problems.push(format!("services: {name}: {problem}")),
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Services whose interface files are installed; others are said.
pub(crate) fn all() -> Result<Vec<String>, Vec<String>> {
    let folder = programs();
    let entries = fs::read_dir(&folder).map_err(|problem| vec![format!("{}: {problem}", folder.display())])?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter_map(|entry| entry.file_name().to_string_lossy().strip_suffix(".c").map(str::to_owned))
        .collect();
    names.sort();
    names.retain(|name| {
        let is_here = if OF_PACKAGES.iter().any(|(package, ..)| package == name) {
            recipe::chosen(&[name]).is_ok_and(|found| found.iter().all(|one| source::root(one, true).is_ok()))
        } else {
            Path::new(INTERFACES).join(format!("{name}.x")).is_file()
        };
        if !is_here {
            println!("services: the interface file of {name} is not here; skipped");
        }
        is_here
    });
    Ok(names)
}

fn programs() -> PathBuf {
    tree::root().join("tests/packages/services")
}

/// Every client with every server; says how many lines all of them print.
pub(crate) fn both_ways(name: &str, whittle: &Maker) -> Result<usize, String> {
    let builds = [build(name, &Maker::Rpcgen)?, build(name, whittle)?];
    let mut first: Option<String> = None;
    for server in &builds {
        let (serving, ports) = serve(server)?;
        for client in &builds {
            let said = call(client, &ports)?;
            match &first {
                None => first = Some(said),
                Some(first) if *first == said => {}
                Some(first) => {
                    let differs = first.lines().zip(said.lines()).find(|(one, other)| one != other);
                    let (one, other) = differs.unwrap_or(("", "another number of lines"));
                    let pair = format!("{} calls {}", client.display(), server.display());
                    return Err(format!("{pair}: `{other}` in place of `{one}`"));
                }
            }
        }
        drop(serving);
    }
    Ok(first.map_or(0, |said| said.lines().count()))
}

fn build(name: &str, maker: &Maker) -> Result<PathBuf, String> {
    let folder = source::folder().join("services").join(name).join(maker.name());
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|problem| format!("{}: {problem}", folder.display()))?;
    let of_package = OF_PACKAGES.iter().find(|(package, ..)| *package == name);
    let (sources, flags) = match of_package {
        Some((_, inside, files)) => from_package(name, inside, files, maker)?,
        None => from_file(name, &folder, maker)?,
    };
    let program = folder.join(name);
    let mut gcc = Command::new("gcc");
    // The dispatch function names procedures that the program does not have, and that nobody calls.
    gcc.args(["-O1", "-w", "-no-pie", "-Wl,--unresolved-symbols=ignore-all"]).args(flags).arg("-o").arg(&program);
    gcc.arg(format!("-I{}", programs().display())).arg(programs().join(format!("{name}.c"))).args(sources);
    making::run(gcc.args(of_tirpc("--libs")).env("LC_ALL", "C"))?;
    Ok(program)
}

type SourcesAndFlags = (Vec<PathBuf>, Vec<String>);

fn from_package(name: &str, inside: &str, files: &[&str], maker: &Maker) -> Result<SourcesAndFlags, String> {
    let package = recipe::chosen(&[name]).map_err(|problems| problems.join("; "))?;
    let package = package.first().ok_or_else(|| format!("no package is called {name}"))?;
    let made = making::make(package, &source::root(package, true)?, maker, "services")?;
    let folder = made.outputs.iter().filter_map(|output| output.path.parent()).find(|folder| folder.ends_with(inside));
    let folder = folder.ok_or_else(|| format!("{name} has no folder {inside}"))?;
    Ok((files.iter().map(|file| folder.join(file)).collect(), made.flags))
}

fn from_file(name: &str, folder: &Path, maker: &Maker) -> Result<SourcesAndFlags, String> {
    let interface = format!("{name}.x");
    let installed = Path::new(INTERFACES).join(&interface);
    fs::copy(&installed, folder.join(&interface)).map_err(|problem| format!("{}: {problem}", installed.display()))?;
    let path = maker.path()?;
    let endings = [("-h", ".h"), ("-c", "_xdr.c"), ("-l", "_clnt.c"), ("-m", "_svc.c")];
    for (option, ending) in endings {
        let mut rpcgen = Command::new("rpcgen");
        rpcgen.args([option, "-o", &format!("{name}{ending}"), &interface]).current_dir(folder).env("PATH", &path);
        making::run(&mut rpcgen)?;
    }
    let mut flags = of_tirpc("--cflags");
    flags.push(format!("-I{}", folder.display()));
    Ok((endings[1..].iter().map(|(_, ending)| folder.join(format!("{name}{ending}"))).collect(), flags))
}

fn of_tirpc(what: &str) -> Vec<String> {
    let output = Command::new("pkg-config").args([what, "libtirpc"]).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().map(str::to_owned).collect()
}

/// A server that ends with this value.
struct Serving(Child);

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a server and reads its ports.
fn serve(program: &Path) -> Result<(Serving, Vec<String>), String> {
    let mut command = Command::new(program);
    command.arg("server").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(|problem| format!("{}: {problem}", program.display()))?;
    let output = child.stdout.take();
    let serving = Serving(child);
    let mut line = String::new();
    let read = output.map(|output| BufReader::new(output).read_line(&mut line));
    let ports: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    match read {
        Some(Ok(_)) if ports.len() == 2 => Ok((serving, ports)),
        _ => Err(format!("{} does not serve", program.display())),
    }
}

fn call(program: &Path, ports: &[String]) -> Result<String, String> {
    let output = Command::new("timeout").arg("20").arg(program).arg("client").args(ports).output();
    let output = output.map_err(|problem| problem.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() && said.ends_with("end\n") {
        return Ok(said);
    }
    Err(format!("{}: {}", program.display(), String::from_utf8_lossy(&output.stderr).trim()))
}
