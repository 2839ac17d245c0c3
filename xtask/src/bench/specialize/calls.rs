//! Whole calls over UDP on loopback, through libtirpc's own client as it is and specialized (Table 2 of the paper on Sun
//! RPC), beside the same call with nothing marshalled: the limit, which says how much there was to be saved.

use std::path::PathBuf;

use super::super::report::{Section, Table};
use super::super::samples::{Cell, Samples};
use super::super::summary::{self, Measure, Subject};
use super::super::workshop::{self, Workshop};
use super::super::{Context, Outcome};
use crate::tree;

const SIZES: [u32; 7] = [20, 100, 250, 500, 1000, 2000, 15000];
const ROUNDS: &str = "15";
const CALLS: &str = "1000";
/// What is specialized beside the client.
const GENERAL: [&str; 6] = ["xdr.c", "xdr_mem.c", "xdr_array.c", "xdr_reference.c", "rpc_prot.c", "rpc_callmsg.c"];
/// What the client needs of the library besides, and the library as installed does not show.
const REST: [&str; 3] = ["mt_misc.c", "rpc_commondata.c", "rpc_generic.c"];
const TEXT: &str = "Arrays of integers there and back over loopback, nanoseconds a call; client and server are processes \
    pinned to a core each; medians of 15 rounds of 1000 calls, ratios taken within rounds. tirpc: the library's client and \
    rpcgen's routines by gcc -O2; whittle: the residual code of the whole call by gcc -O2; limit: tirpc's call \
    with nothing marshalled on the client's side. The server is libtirpc as installed.";
/// What is measured, and what it is called.
const WORKLOADS: [(&str, &str); 2] =
    [("call-ints", "by the clock"), ("call-ints-processor", "processor time of the client, with the system's")];

/// Builds and measures.
pub(super) fn run(context: &Context, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let library = tree::root().join("target/corpora/libtirpc");
    if !library.join("src/clnt_dg.c").is_file() {
        println!("bench: whole calls need libtirpc's source: cargo xtask corpora");
        return Ok(());
    }
    let calls = Calls { context, workshop: Workshop::new(context.results.join("calls"))?, library };
    let program = calls.build()?;
    let arguments = [ROUNDS, CALLS].map(str::to_string);
    let printed = calls.workshop.run(&calls.workshop.folder, &program.display().to_string(), &arguments)?;
    let mut samples = Samples::default();
    printed.lines().for_each(|line| super::read(line, &mut samples));
    let measure = Measure { metric: "latency", unit: "ns", value: |_, nanoseconds| nanoseconds };
    for (workload, what) in WORKLOADS {
        let title = format!("specialize: whole calls with arrays of integers, {what}");
        let subject = Subject { bench: super::BENCH, base: "tirpc", workload, title, text: TEXT };
        summary::report(&samples, subject, &measure, outcome);
        if let Some(section) = outcome.sections.last_mut() {
            share(&samples, workload, section);
        }
    }
    Ok(())
}

/// How much of what marshalling costs is saved.
fn share(samples: &Samples, workload: &str, section: &mut Section) {
    let cells: Vec<&Cell> = samples.cells().filter(|cell| cell.workload == workload).collect();
    let (mut saved, mut cost) = (vec!["saved of it".to_string()], vec!["marshalling in a call".to_string()]);
    let mut head = vec!["share in percent".to_string()];
    for cell in cells {
        let time = |who: &str| samples.median(cell, who).unwrap_or(f64::NAN);
        let (whole, residual, limit) = (time("tirpc"), time("whittle"), time("limit"));
        head.push(format!("{} B", cell.size));
        cost.push(format!("{:.0}", 100.0 * (whole - limit) / whole));
        saved.push(format!("{:.0}", 100.0 * (whole - residual) / (whole - limit)));
    }
    section.tables.push(Table { caption: "what was to be saved".to_string(), head, rows: vec![cost, saved] });
}

struct Calls<'a> {
    context: &'a Context,
    workshop: Workshop,
    library: PathBuf,
}

impl Calls<'_> {
    fn build(&self) -> Result<PathBuf, Vec<String>> {
        let (own, folder) = (self.context.sources.join(super::BENCH), &self.workshop.folder);
        self.workshop.copy(&own.join("ints.x"), folder)?;
        self.workshop.run(folder, "rpcgen", &["-h", "-o", "ints.h", "ints.x"])?;
        self.workshop.run(folder, "rpcgen", &["-c", "-o", "ints_xdr.c", "ints.x"])?;
        let source = |name: &&str| self.library.join("src").join(name);
        let mut general = vec![folder.join("ints_xdr.c")];
        general.extend(GENERAL.iter().map(source));
        let scenario = own.join("call/scenario.c");
        let original: Vec<PathBuf> = std::iter::once(scenario.clone()).chain(general.iter().cloned()).collect();
        let whittle = &self.context.whittle;
        let residual = self.workshop.residual(whittle, "residual.c", &original, &[], &self.includes())?;
        general.extend(REST.iter().map(source));
        let mut objects =
            vec![self.workshop.compile(&own.join("call/main.c"), "main.o", &["-I/usr/include/tirpc".to_string()])?];
        let mut shown: Vec<String> = SIZES.iter().map(|size| format!("call_{size}")).collect();
        shown.push("clnt_dg_create".to_string());
        let mut flags = self.includes();
        flags.push("-O2".to_string());
        for (who, first) in [("tirpc", scenario), ("whittle", residual)] {
            let sources: Vec<PathBuf> = std::iter::once(first).chain(general.iter().cloned()).collect();
            objects.push(self.workshop.participant(who, &shown, &sources, &flags)?);
        }
        self.workshop.link("calls", &objects, &["-ltirpc".to_string(), "-lpthread".to_string()])
    }

    fn includes(&self) -> Vec<String> {
        workshop::includes(&[&self.library.join("tirpc"), &self.library.join("src"), &self.workshop.folder])
    }
}
