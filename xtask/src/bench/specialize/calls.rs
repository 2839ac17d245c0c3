//! Whole calls over UDP through libtirpc's own client and server, as they are and specialized (Table 2 of the paper on Sun
//! RPC), on loopback and on a link of 100 Mbit/s, beside the same calls with nothing marshalled: the limit, which says how
//! much there was to be saved.

use std::path::{Path, PathBuf};

use super::super::report::{Section, Table};
use super::super::samples::{Cell, Samples};
use super::super::summary::{self, Measure, Subject};
use super::super::workshop::{self, Workshop};
use super::super::{Context, Outcome};
use crate::tree;

const SIZES: [u32; 7] = [20, 100, 250, 500, 1000, 2000, 15000];
/// Rounds, and turns in each.
const LOOPBACK: [&str; 2] = ["25", "200"];
const LINK: [&str; 3] = ["5", "40", "link"];
/// What is specialized beside the client, and beside the server, which has the memory streams in its scenario.
const CLIENT: [&str; 6] = ["xdr_mem.c", "xdr.c", "xdr_array.c", "xdr_reference.c", "rpc_prot.c", "rpc_callmsg.c"];
const SERVER: [&str; 6] = ["svc.c", "xdr.c", "xdr_array.c", "xdr_reference.c", "rpc_prot.c", "rpc_callmsg.c"];
/// What they need of the library besides, and the library as installed does not show.
const REST: [&str; 9] = [
    "mt_misc.c",
    "rpc_commondata.c",
    "rpc_generic.c",
    "debug.c",
    "svc_run.c",
    "svc_auth.c",
    "svc_vc.c",
    "xdr_rec.c",
    "getpeereid.c",
];
/// What the program that measures calls, beside the functions for each size.
const SHOWN: [&str; 6] = ["clnt_dg_create", "authnone_create", "svc_dg_create", "svc_reg", "svc_run", "adopt"];
const TEXT: &str = "Arrays of integers there and back, nanoseconds per call. Client and server are processes, each pinned to a core. \
    All use the same buffers and the same server, with one call each per turn, in an order drawn anew. Medians of \
    rounds of turns, and of differences within turns. tirpc: the library's source and rpcgen's routines by gcc -O2; \
    whittle: the residual code by gcc -O2; copy: tirpc's code with the integers copied unchanged; limit: tirpc's \
    code without marshalling.";
/// Marshalling routines, as rpcgen makes them.
struct Stubs {
    folder: &'static str,
    /// What the names of its workloads begin with.
    prefix: &'static str,
    /// What rpcgen is given.
    flags: &'static [&'static str],
    called: &'static str,
    /// What whittle is given for the server.
    options: &'static [&'static str],
    /// Loopback, and the link.
    runs: &'static [&'static [&'static str]],
}

/// A loop for each array, as rpcgen makes them now; a routine's call for each integer, as the papers had them.
const STUBS: [Stubs; 2] = [
    Stubs {
        folder: "calls",
        prefix: "",
        flags: &[],
        called: "rpcgen's default stubs",
        options: &[],
        runs: &[&LOOPBACK, &LINK],
    },
    Stubs {
        folder: "calls-papers",
        prefix: "papers-",
        flags: &["-i", "0"],
        called: "a routine for each integer (rpcgen -i 0)",
        // The largest array is unrolled, too, before its loops are found again.
        options: &["--max-variants", "20000"],
        runs: &[&LOOPBACK],
    },
];
/// What is measured, and what it is called.
const WORKLOADS: [(&str, &str); 5] = [
    ("call-client", "the client specialized, on loopback"),
    ("call-client-processor", "the client specialized, its processor time with the system's"),
    ("call-both", "client and server specialized, on loopback"),
    ("link-call-client", "the client specialized, over 100 Mbit/s"),
    ("link-call-both", "client and server specialized, over 100 Mbit/s"),
];

/// Builds and measures.
pub(super) fn run(context: &Context, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let library = tree::root().join("target/corpora/libtirpc");
    if !library.join("src/clnt_dg.c").is_file() {
        println!("bench: whole calls need libtirpc's source: cargo xtask corpora");
        return Ok(());
    }
    STUBS.iter().try_for_each(|stubs| measure(context, &library, stubs, outcome))
}

/// Builds and measures calls with one kind of stubs.
fn measure(context: &Context, library: &Path, stubs: &Stubs, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let workshop = Workshop::new(context.results.join(stubs.folder))?;
    let calls = Calls { context, workshop, library: library.to_path_buf(), stubs };
    let program = calls.build()?.display().to_string();
    let mut samples = Samples::default();
    for arguments in stubs.runs {
        for line in calls.workshop.run(&calls.workshop.folder, &program, arguments)?.lines() {
            match line.strip_prefix("no-link: ") {
                Some(why) => println!("bench: whole calls are measured on loopback alone: {why}"),
                None => super::read(&format!("{}{line}", stubs.prefix), &mut samples),
            }
        }
    }
    let measure = Measure { metric: "latency", unit: "ns", value: |_, nanoseconds| nanoseconds };
    for (workload, what) in WORKLOADS {
        let workload = format!("{}{workload}", stubs.prefix);
        if !samples.cells().any(|cell| cell.workload == workload) {
            continue;
        }
        let title = format!("specialize: whole calls with arrays of integers, {what}; {}", stubs.called);
        let subject = Subject { bench: super::BENCH, base: "tirpc", workload: &workload, title, text: TEXT };
        summary::report(&samples, subject, &measure, outcome);
        if let Some(section) = outcome.sections.last_mut() {
            share(&samples, &workload, section);
        }
    }
    Ok(())
}

/// How much of what marshalling costs is saved.
fn share(samples: &Samples, workload: &str, section: &mut Section) {
    let (mut saved, mut cost) = (vec!["saved of it".to_string()], vec!["marshalling in a call".to_string()]);
    let mut fast = vec!["times as fast, in percent".to_string()];
    let mut head = vec!["share in percent".to_string()];
    for cell in samples.cells().filter(|cell| cell.workload == workload) {
        let paired = Cell { workload: format!("{workload}-paired"), size: cell.size };
        let time = |cell: &Cell, who: &str| samples.median(cell, who).unwrap_or(f64::NAN);
        head.push(format!("{} B", cell.size));
        cost.push(format!("{:.1}", 100.0 * time(&paired, "cost") / time(cell, "tirpc")));
        fast.push(format!("{:.0}", 100.0 * time(cell, "tirpc") / time(cell, "whittle")));
        saved.push(format!("{:.0}", 100.0 * time(&paired, "saved") / time(&paired, "cost")));
    }
    section.tables.push(Table { caption: "what was to be saved".to_string(), head, rows: vec![cost, saved, fast] });
}

struct Calls<'a> {
    context: &'a Context,
    workshop: Workshop,
    library: PathBuf,
    stubs: &'a Stubs,
}

impl Calls<'_> {
    fn build(&self) -> Result<PathBuf, Vec<String>> {
        let (own, folder) = (self.context.sources.join(super::BENCH), &self.workshop.folder);
        self.workshop.copy(&own.join("ints.x"), folder)?;
        self.workshop.run(folder, "rpcgen", &["-h", "-o", "ints.h", "ints.x"])?;
        let arguments = [self.stubs.flags, &["-c", "-o", "ints_xdr.c", "ints.x"]].concat();
        self.workshop.run(folder, "rpcgen", &arguments)?;
        // The server asks for what is in sets of files, which the library's users do not see.
        let mut flags = [self.includes(), vec!["-D_GNU_SOURCE".to_string()]].concat();
        let scenarios = [own.join("call/client.c"), own.join("call/server.c")];
        let residuals = [
            self.residual("residual_client.c", &scenarios[0], &CLIENT, (&[], &self.includes()))?,
            self.residual("residual_server.c", &scenarios[1], &SERVER, (self.stubs.options, &flags))?,
        ];
        let mut shown: Vec<String> = SHOWN.map(str::to_string).to_vec();
        shown.extend(SIZES.iter().flat_map(|size| [format!("call_{size}"), format!("answer_{size}")]));
        flags.push("-O2".to_string());
        let main = own.join("call/main.c");
        let mut objects = vec![self.workshop.compile(&main, "main.o", &["-I/usr/include/tirpc".to_string()])?];
        for (who, first) in [("tirpc", scenarios), ("whittle", residuals)] {
            let library = self.sources(&SERVER).into_iter().chain(self.sources(&REST));
            let all: Vec<PathBuf> = first.into_iter().chain([folder.join("ints_xdr.c")]).chain(library).collect();
            objects.push(self.workshop.participant(who, &shown, &all, &flags)?);
        }
        self.workshop.link("calls", &objects, &["-ltirpc".to_string(), "-lpthread".to_string()])
    }

    /// Residual code in which every way to the general code ends the program: facts that never hold would have the
    /// original measured in its place.
    fn residual(
        &self,
        name: &str,
        scenario: &Path,
        general: &[&str],
        (options, flags): (&[&str], &[String]),
    ) -> Result<PathBuf, Vec<String>> {
        let mut sources = vec![scenario.to_path_buf(), self.workshop.folder.join("ints_xdr.c")];
        sources.extend(self.sources(general));
        let file = self.workshop.residual(&self.context.whittle, name, &sources, options, flags)?;
        let failed = |problem: std::io::Error| vec![format!("{}: {problem}", file.display())];
        let mut text = std::fs::read_to_string(&file).map_err(failed)?;
        for first in ["client", "transport"] {
            text = text.replace(&format!("_general({first},"), &format!("_general((abort(), {first}),"));
        }
        std::fs::write(&file, text).map_err(failed)?;
        Ok(file)
    }

    fn sources(&self, names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(|name| self.library.join("src").join(name)).collect()
    }

    fn includes(&self) -> Vec<String> {
        workshop::includes(&[&self.library.join("tirpc"), &self.library.join("src"), &self.workshop.folder])
    }
}
