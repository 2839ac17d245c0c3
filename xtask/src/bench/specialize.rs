//! The bench `specialize`: arrays of integers through libtirpc's own source, as it is and specialized (Table 1 of the
//! paper on Sun RPC), beside link-time optimization, compiled stubs and hand-written loops.

mod calls;
mod cases;

use std::path::PathBuf;

use super::samples::{Cell, Samples};
use super::summary::{self, Measure, Subject};
use super::workshop::{self, Workshop};
use super::{Context, Outcome};
use crate::tree;

const BENCH: &str = "specialize";
const SIZES: [u32; 6] = [20, 100, 250, 500, 1000, 2000];
/// The general code: what marshalling arrays on a memory stream needs of the library.
const GENERAL: [&str; 3] = ["xdr.c", "xdr_mem.c", "xdr_array.c"];
const ROUNDS: u64 = 15;
const MILLISECONDS: &str = "2";
const TEXT: &str = "One array in memory, nanoseconds of processor time; medians of 15 rounds in one pinned process, \
    ratios taken within rounds. tirpc: rpcgen's routines and the library's source by gcc -O2; tirpc-lto: the same by \
    gcc -O3 -flto; whittle: the residual code, loops rolled again; whittle-unrolled: the residual code as it comes; \
    whittle-stubs: compiled from the interface; hand: a plain loop. All by gcc -O2 but tirpc-lto.";

/// Builds and measures.
pub(super) fn run(context: &Context) -> Result<Outcome, Vec<String>> {
    let mut outcome = Outcome { rows: Vec::new(), sections: Vec::new() };
    arrays(context, &mut outcome)?;
    calls::run(context, &mut outcome)?;
    cases::run(context, &mut outcome)?;
    Ok(outcome)
}

fn arrays(context: &Context, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let library = tree::root().join("target/corpora/libtirpc");
    if !library.join("src/xdr.c").is_file() {
        println!("bench: specialize needs libtirpc's source: cargo xtask corpora");
        return Ok(());
    }
    let bench = Builder { context, workshop: Workshop::new(context.results.join(BENCH))?, library };
    let objects = bench.build()?;
    let program = bench.workshop.link("table", &objects, &["-ltirpc".to_string()])?;
    let arguments = [context.core.clone(), ROUNDS.to_string(), MILLISECONDS.to_string()];
    let printed = bench.workshop.run(&bench.workshop.folder, &program.display().to_string(), &arguments)?;
    let mut samples = Samples::default();
    printed.lines().for_each(|line| read(line, &mut samples));
    let measure = Measure { metric: "latency", unit: "ns", value: |_, nanoseconds| nanoseconds };
    for direction in ["encode", "decode"] {
        let (workload, title) = (format!("ints-{direction}"), format!("specialize: {direction} arrays of integers"));
        let subject = Subject { bench: BENCH, base: "tirpc", workload: &workload, title, text: TEXT };
        summary::report(&samples, subject, &measure, outcome);
    }
    Ok(())
}

/// `WORKLOAD SIZE WHO ROUND NANOSECONDS`
fn read(line: &str, samples: &mut Samples) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [workload, size, who, round, time] = words.as_slice()
        && let (Ok(size), Ok(round), Ok(time)) = (size.parse(), round.parse::<u64>(), time.parse())
    {
        samples.add(Cell { workload: (*workload).to_string(), size }, &who.replace('_', "-"), round, time);
    }
}

struct Builder<'a> {
    context: &'a Context,
    workshop: Workshop,
    library: PathBuf,
}

impl Builder<'_> {
    /// The objects of all who take part, and of the program that times them.
    fn build(&self) -> Result<Vec<PathBuf>, Vec<String>> {
        let sources = self.context.sources.join(BENCH);
        let folder = &self.workshop.folder;
        self.workshop.copy(&sources.join("ints.x"), folder)?;
        self.workshop.run(folder, "rpcgen", &["-h", "-o", "ints.h", "ints.x"])?;
        self.workshop.run(folder, "rpcgen", &["-c", "-o", "ints_xdr.c", "ints.x"])?;
        let scenario = sources.join("scenario.c");
        let mut general = vec![folder.join("ints_xdr.c")];
        general.extend(GENERAL.iter().map(|name| self.library.join("src").join(name)));
        let original: Vec<PathBuf> = std::iter::once(scenario.clone()).chain(general.iter().cloned()).collect();
        let residual = |loops: &str| {
            let (output, options) = (format!("residual_{loops}.c"), ["--loops", loops]);
            self.workshop.residual(&self.context.whittle, &output, &original, &options, &self.includes())
        };
        let (rolled, unrolled) = (residual("auto")?, residual("keep")?);
        // Where a fact does not hold the residual code calls the general code.
        let beside = |residual: PathBuf| [vec![residual], general.clone()].concat();
        let stubs = self.workshop.subfolder("stubs")?;
        self.workshop.copy(&sources.join("ints.x"), &stubs)?;
        let whittle = self.context.whittle.display().to_string();
        self.workshop.run(&stubs, &whittle, &["rpcgen", "-c", "-o", "stubs_xdr.c", "ints.x"])?;
        Ok(vec![
            self.workshop.compile(&sources.join("main.c"), "main.o", &[])?,
            self.participant("tirpc", &original, &["-O2"])?,
            self.participant("tirpc_lto", &original, &["-O3", "-flto"])?,
            self.participant("whittle", &beside(rolled), &["-O2"])?,
            self.participant("whittle_unrolled", &beside(unrolled), &["-O2"])?,
            self.participant("whittle_stubs", &[scenario, stubs.join("stubs_xdr.c")], &["-O2"])?,
            self.participant("hand", &[sources.join("hand.c")], &["-O2"])?,
        ])
    }

    fn includes(&self) -> Vec<String> {
        workshop::includes(&[&self.library.join("tirpc"), &self.library.join("src"), &self.workshop.folder])
    }

    fn participant(&self, who: &str, sources: &[PathBuf], options: &[&str]) -> Result<PathBuf, Vec<String>> {
        let mut flags = self.includes();
        flags.extend(options.iter().map(|option| (*option).to_string()));
        let both = |size: &u32| ["encode", "decode"].map(|direction| format!("{direction}_{size}"));
        let shown: Vec<String> = SIZES.iter().flat_map(both).collect();
        self.workshop.participant(who, &shown, sources, &flags)
    }
}
