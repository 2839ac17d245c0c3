//! The bench `sizes`: Flick's Table 2. In: the directory interface, compiled by rpcgen and by whittle. Out: the bytes of machine code of
//! the stubs, and of what they use of a library to marshal.

mod reach;

use std::path::{Path, PathBuf};

use super::report::{Section, Table};
use super::rows::Row;
use super::workshop::{Workshop, pkg_config};
use super::{Context, Outcome};
use reach::Library;

const BENCH: &str = "sizes";
const TEXT: &str = "Bytes of the sections that are loaded (code, constants, variables; no unwind tables) of compiled stubs for the \
    directory interface, as in the paper's Table 2, whose numbers (SPARC) come last. `library`: the functions of \
    libtirpc.a that stubs reach in order to marshal: rpcgen's routines, and those of memory streams; record streams, \
    which TCP needs instead, are larger. `transport`: all other functions of libtirpc.a, or of whittle's run time, \
    that stubs and the program around them reach (it opens a client, or makes a server and runs it). The C library \
    is not counted. whittle's direct stubs contain their marshalling; with -Os they have no wide instructions.";

/// The paper's, for comparison: client's stubs and library, server's stubs and library.
const PAPER: [(&str, [&str; 4]); 3] = [
    ("Flick, 1997", ["2800", "0", "2116", "0"]),
    ("PowerRPC, 1997", ["2656", "2976", "2992", "2976"]),
    ("rpcgen, 1997", ["2824", "2976", "3796", "2976"]),
];

/// Stubs that were compiled, and what they need.
struct Side {
    stubs: u64,
    library: u64,
    transport: u64,
}

/// Compiles and counts.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    super::peers::provide(&["rpcgen"]);
    println!("bench: sizes");
    let workshop = Workshop::new(context.results.join(BENCH))?;
    let counting = Counting { context, workshop: &workshop };
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    let mut rows = Vec::new();
    let smallest = ["inline", "bulk-copies", "prefetch"];
    for (who, flag, off) in [
        ("whittle", "-O2", &[][..]),
        ("whittle-small", "-Os", &[][..]),
        ("whittle-small-passes-off", "-Os", &smallest[..]),
    ] {
        let sides = counting.direct(who, flag, off)?;
        outcome.rows.extend(results(who, &sides));
        rows.push(line(who, &sides));
    }
    for (who, flag) in [("rpcgen", "-O2"), ("rpcgen-small", "-Os")] {
        let sides = counting.rpcgen(who, flag)?;
        outcome.rows.extend(results(who, &sides));
        rows.push(line(who, &sides));
    }
    for (who, numbers) in PAPER {
        let [client, client_library, server, server_library] = numbers.map(str::to_string);
        let nothing = String::new;
        let cells = [who.to_string(), client, client_library, nothing(), server, server_library, nothing()];
        rows.push(cells.into());
    }
    let head =
        ["who", "client: stubs", "library", "transport", "server: stubs", "library", "transport"].map(str::to_string);
    let table = Table { caption: "bytes".to_string(), head: head.into(), rows };
    let title = "sizes: stubs of the directory interface".to_string();
    outcome.sections.push(Section { title, text: TEXT.to_string(), plot: String::new(), tables: vec![table] });
    Ok(outcome)
}

fn line(who: &str, sides: &[Side; 2]) -> Vec<String> {
    let numbers = sides.iter().flat_map(|side| [side.stubs, side.library, side.transport]);
    println!("  {who:26}{}", numbers.clone().map(|number| format!("{number:>9}")).collect::<String>());
    [who.to_string()].into_iter().chain(numbers.map(|number| number.to_string())).collect()
}

fn results(who: &str, sides: &[Side; 2]) -> Vec<Row> {
    let of = |(name, side): (&str, &Side)| {
        [("stubs", side.stubs), ("library", side.library), ("transport", side.transport)].map(|(part, bytes)| Row {
            bench: BENCH,
            workload: format!("{name}-{part}"),
            size: 0,
            who: who.to_string(),
            metric: "size",
            unit: "bytes",
            value: bytes as f64,
        })
    };
    ["client", "server"].into_iter().zip(sides).flat_map(of).collect()
}

struct Counting<'a> {
    context: &'a Context,
    workshop: &'a Workshop,
}

impl Counting<'_> {
    /// whittle's direct stubs: client and server.
    fn direct(&self, who: &str, flag: &str, off: &[&str]) -> Result<[Side; 2], Vec<String>> {
        let folder = self.folder(who)?;
        let mut arguments = vec!["compile", "directory.x", "--style", "plain"];
        arguments.extend(off.iter().flat_map(|pass| ["--no-opt", pass]));
        self.workshop.run(&folder, &self.context.whittle.display().to_string(), &arguments)?;
        let library = Library::read(self.workshop, &self.run_time(&folder, flag)?)?;
        let side = |name: &str, by_users: &[&str]| -> Result<Side, Vec<String>> {
            let object = self.compile(&folder, name, flag, &[])?;
            let mut roots = library.undefined(self.workshop, &object)?;
            roots.extend(by_users.iter().map(|name| format!("whittle_onc_{name}")));
            Ok(Side { stubs: self.loaded(&object)?, library: 0, transport: library.reached(&roots) })
        };
        let client = side("directory_client", &["client_open", "client_close"])?;
        Ok([client, side("directory_server", &["server_new", "server_listen", "server_run", "server_free"])?])
    }

    /// The run time of direct stubs, as an archive.
    fn run_time(&self, folder: &Path, flag: &str) -> Result<PathBuf, Vec<String>> {
        let archive = folder.join("run_time.a");
        let mut words = vec!["rcs".to_string(), archive.display().to_string()];
        for name in ["whittle_onc", "whittle_net"] {
            words.push(self.compile(folder, name, flag, &[])?.display().to_string());
        }
        self.workshop.run(folder, "ar", &words)?;
        Ok(archive)
    }

    /// rpcgen's stubs, each side with the routines of the types.
    fn rpcgen(&self, who: &str, flag: &str) -> Result<[Side; 2], Vec<String>> {
        let folder = self.folder(who)?;
        for (options, output) in [("-h", "directory.h"), ("-c", "directory_xdr.c"), ("-l", "directory_clnt.c")] {
            self.workshop.run(&folder, "rpcgen", &[options, "-o", output, "directory.x"])?;
        }
        self.workshop.run(&folder, "rpcgen", &["-m", "-o", "directory_svc.c", "directory.x"])?;
        let flags = pkg_config("--cflags", "libtirpc").unwrap_or_default();
        let archive = self.workshop.run(&folder, "gcc", &["-print-file-name=libtirpc.a"])?;
        let library = Library::read(self.workshop, Path::new(archive.trim()))?;
        let types = self.compile(&folder, "directory_xdr", flag, &flags)?;
        let mut marshalling = library.undefined(self.workshop, &types)?;
        marshalling.push("xdrmem_create".to_string());
        let marshalled = library.reached(&marshalling);
        let side = |name: &str| -> Result<Side, Vec<String>> {
            let object = self.compile(&folder, name, flag, &flags)?;
            let mut roots = library.undefined(self.workshop, &object)?;
            let by_users =
                if name.ends_with("clnt") { ["clnt_create", "clnt_perror"] } else { ["svc_create", "svc_run"] };
            roots.extend(by_users.map(str::to_string));
            roots.extend(marshalling.clone());
            Ok(Side {
                stubs: self.loaded(&object)? + self.loaded(&types)?,
                library: marshalled,
                transport: library.reached(&roots) - marshalled,
            })
        };
        Ok([side("directory_clnt")?, side("directory_svc")?])
    }

    fn folder(&self, who: &str) -> Result<PathBuf, Vec<String>> {
        let folder = self.workshop.subfolder(who)?;
        self.workshop.copy(&super::workloads::sources(self.context).join("directory.x"), &folder)?;
        Ok(folder)
    }

    fn compile(&self, folder: &Path, name: &str, flag: &str, flags: &[String]) -> Result<PathBuf, Vec<String>> {
        let who = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let own = ["-w".to_string(), flag.to_string(), format!("-I{}", folder.display())];
        let source = folder.join(format!("{name}.c"));
        self.workshop.compile(&source, &format!("{who}_{name}.o"), &[&own[..], flags].concat())
    }

    /// What `size` says of the sections that are loaded, without unwind tables.
    fn loaded(&self, object: &Path) -> Result<u64, Vec<String>> {
        let printed =
            self.workshop.run(&self.workshop.folder, "size", &["-A".to_string(), object.display().to_string()])?;
        Ok(printed.lines().filter_map(section_size).sum())
    }
}

/// `.text.unlikely  12  0`
fn section_size(line: &str) -> Option<u64> {
    let mut words = line.split_whitespace();
    let (name, size) = (words.next()?, words.next()?);
    let is_loaded = [".text", ".rodata", ".data", ".bss"].iter().any(|kind| name.starts_with(kind));
    if is_loaded { size.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_constants_count_and_tables_do_not() {
        assert_eq!(section_size(".text.unlikely       12      0"), Some(12));
        assert_eq!(section_size(".rodata.str1.1        8      0"), Some(8));
        assert_eq!(section_size(".eh_frame            96      0"), None);
        assert_eq!(section_size("Total               116"), None);
    }
}
