//! The bench `specialize`: arrays of integers through libtirpc's own source, as it is and specialized (Table 1 of the
//! paper on Sun RPC), beside link-time optimization, compiled stubs and hand-written loops.

mod calls;
mod cases;

use std::path::PathBuf;

use super::plot;
use super::report::Table;
use super::samples::{Cell, Samples};
use super::summary::{self, Measure, Subject};
use super::workshop::{self, Workshop};
use super::{Context, Outcome};
use crate::tree;

const BENCH: &str = "specialize";
const SIZES: [u32; 6] = [20, 100, 250, 500, 1000, 2000];
/// The general code: what marshalling arrays on a memory stream needs of the library.
const GENERAL: [&str; 3] = ["xdr.c", "xdr_mem.c", "xdr_array.c"];
/// The program is linked so many times, because the place of a loop in memory alone may double its time.
const LINKS: usize = 8;
/// In each link.
const ROUNDS: u64 = 5;
const MILLISECONDS: &str = "1";
const TEXT: &str = "One array in memory, nanoseconds of processor time; medians of 40 rounds over eight links, with the code in \
    other orders and at other distances from cache lines; ratios taken within rounds. tirpc: rpcgen's routines and \
    the library's source by gcc -O2; tirpc-lto: the same by gcc -O3 -flto; whittle: the residual code, with its \
    loops rolled again; whittle-unrolled: the same with its loops unrolled; whittle-stubs: compiled from the \
    interface; hand: a plain loop. All by gcc -O2, except tirpc-lto.";

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
    let mut samples = Samples::default();
    for layout in 0..LINKS {
        let program = bench.link(&objects, layout)?;
        let arguments = [context.core.clone(), ROUNDS.to_string(), MILLISECONDS.to_string()];
        let printed = bench.workshop.run(&bench.workshop.folder, &program.display().to_string(), &arguments)?;
        printed.lines().for_each(|line| read_from(line, layout as u64 * ROUNDS, &mut samples));
    }
    let measure = Measure { metric: "latency", unit: "ns", value: |_, nanoseconds| nanoseconds };
    for direction in ["encode", "decode"] {
        let (workload, title) = (format!("ints-{direction}"), format!("specialize: {direction} arrays of integers"));
        let subject = Subject { bench: BENCH, base: "tirpc", workload: &workload, title, text: TEXT };
        summary::report(&samples, subject, &measure, outcome);
        if let Some(section) = outcome.sections.last_mut() {
            section.tables.push(spread(&samples, &workload));
        }
    }
    Ok(())
}

/// The least and the greatest that a link says.
fn spread(samples: &Samples, workload: &str) -> Table {
    let cells: Vec<&Cell> = samples.cells().filter(|cell| cell.workload == workload).collect();
    let head = ["who".to_string()].into_iter().chain(cells.iter().map(|cell| plot::bytes(cell.size))).collect();
    let row = |who: &String| {
        let range = |cell: &&Cell| match samples.speed_ups(cell, (who, "tirpc"), ROUNDS)[..] {
            [least, .., most] => format!("{least:.2}-{most:.2}"),
            _ => String::new(),
        };
        [who.clone()].into_iter().chain(cells.iter().map(range)).collect()
    };
    let rows = samples.names().iter().map(row).collect();
    Table { caption: "times as fast as tirpc, from one link to the other".to_string(), head, rows }
}

/// `WORKLOAD SIZE WHO ROUND NANOSECONDS`
fn read(line: &str, samples: &mut Samples) {
    read_from(line, 0, samples);
}

fn read_from(line: &str, first_round: u64, samples: &mut Samples) {
    let words: Vec<&str> = line.split_whitespace().collect();
    if let [workload, size, who, round, time] = words.as_slice()
        && let (Ok(size), Ok(round), Ok(time)) = (size.parse(), round.parse::<u64>(), time.parse())
    {
        samples.add(
            Cell { workload: (*workload).to_string(), size },
            &who.replace('_', "-"),
            first_round + round,
            time,
        );
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

    /// The objects in another order for each layout, behind as much as moves them to another place in the processor's lines.
    fn link(&self, objects: &[PathBuf], layout: usize) -> Result<PathBuf, Vec<String>> {
        let source = self.workshop.folder.join(format!("before_{layout}.c"));
        let text = format!("__asm__(\".text; .skip {}\");\n", 16 * (layout % 4));
        std::fs::write(&source, text).map_err(|problem| vec![format!("{}: {problem}", source.display())])?;
        let mut ordered = objects.to_vec();
        ordered.rotate_left(layout * objects.len() / LINKS);
        ordered.insert(0, self.workshop.compile(&source, &format!("before_{layout}.o"), &[])?);
        self.workshop.link(&format!("table_{layout}"), &ordered, &["-ltirpc".to_string()])
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
