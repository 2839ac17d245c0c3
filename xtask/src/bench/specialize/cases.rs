//! Cases that are not RPC: packet filters, image filters and Fourier transforms, as they are, specialized, and written by
//! hand. The general code is libpcap's and kissfft's own source, and the image filters of the tests.

use std::path::PathBuf;

use super::super::samples::Samples;
use super::super::summary::{self, Measure, Subject};
use super::super::workshop::{self, Workshop};
use super::super::{Context, Outcome};
use crate::tree;

const ROUNDS: u64 = 15;
const MILLISECONDS: &str = "2";
const FILTERS: [&str; 4] = ["match_web", "match_host", "match_local", "match_get"];
const IMAGES: [&str; 4] = ["sharpen_16", "sharpen_64", "blur_16", "blur_64"];
const TRANSFORMS: [&str; 3] = ["forward_8", "forward_16", "forward_64"];
const TEXT: &str = "Nanoseconds of processor time, called through a pointer; medians of 15 rounds in one pinned process, ratios \
    taken within rounds. whittle: the residual code. hand: careful hand-written code, an estimate of what is \
    possible; its blur handles rows and columns separately, which no specializer can derive. finite: the residual \
    code, compiled for numbers that are finite and zeros without a sign, which strict C may not assume.";

/// What is measured, whom ratios are taken to, and what it is called.
const WORKLOADS: [(&str, &str, &str); 7] = [
    ("filter-web", "libpcap-O2", "tcp dst port 80, one of 64 packets"),
    ("filter-host", "libpcap-O2", "host 192.0.2.17 and (tcp port 80 or tcp port 443)"),
    ("filter-local", "libpcap-O2", "a filter of 44 instructions"),
    ("filter-get", "libpcap-O2", "a look into what TCP carries"),
    ("sharpen", "library-O2", "3x3, borders replicated, 16x16 and 64x64 pixels"),
    ("blur", "library-O2", "5x5, borders reflected, 16x16 and 64x64 pixels"),
    ("fourier", "kissfft-O2", "8, 16 and 64 complex numbers"),
];

/// Builds and measures, where the sources are.
pub(super) fn run(context: &Context, outcome: &mut Outcome) -> Result<(), Vec<String>> {
    let corpora = tree::root().join("target/corpora");
    let (pcap, fft) = (corpora.join("libpcap"), corpora.join("kissfft"));
    if !pcap.join("bpf_filter.c").is_file() || !fft.join("kiss_fft.c").is_file() {
        println!("bench: packet filters and transforms need libpcap's and kissfft's source: cargo xtask corpora");
        return Ok(());
    }
    let workshop = Workshop::new(context.results.join("cases"))?;
    let tests = tree::root().join("tests/specialize");
    let sources = context.sources.join("specialize/cases");
    let cases = Cases { context, workshop, pcap, fft, tests, sources };
    let program = cases.build()?;
    let arguments = [context.core.clone(), ROUNDS.to_string(), MILLISECONDS.to_string()];
    let printed = cases.workshop.run(&cases.workshop.folder, &program.display().to_string(), &arguments)?;
    let mut samples = Samples::default();
    printed.lines().for_each(|line| super::read(line, &mut samples));
    let measure = Measure { metric: "latency", unit: "ns", value: |_, nanoseconds| nanoseconds };
    for (workload, base, what) in WORKLOADS {
        let title = format!("specialize: {workload} ({what})");
        summary::report(
            &samples,
            Subject { bench: super::BENCH, base, workload, title, text: TEXT },
            &measure,
            outcome,
        );
    }
    Ok(())
}

struct Cases<'a> {
    context: &'a Context,
    workshop: Workshop,
    pcap: PathBuf,
    fft: PathBuf,
    tests: PathBuf,
    sources: PathBuf,
}

impl Cases<'_> {
    fn build(&self) -> Result<PathBuf, Vec<String>> {
        let own = |name: &str| self.sources.join(name);
        let (filters, interpreter) = (self.tests.join("filter/scenario.c"), self.pcap.join("bpf_filter.c"));
        let (images, library) = (own("images.c"), self.tests.join("convolution/convolve.c"));
        let (transforms, kissfft) = (own("transforms.c"), self.fft.join("kiss_fft.c"));
        let residuals = [
            self.residual("filters.c", &[&filters, &interpreter])?,
            self.residual("images.c", &[&images, &library])?,
            self.residual("transforms.c", &[&transforms, &kissfft])?,
        ];
        let all: Vec<&str> = [&FILTERS[..], &IMAGES, &TRANSFORMS].concat();
        let drawn: Vec<&str> = [&FILTERS[..], &IMAGES].concat();
        let hand = [own("hand_filters.c"), own("hand_images.c")];
        let mut objects = vec![self.workshop.compile(&own("main.c"), "main.o", &[])?];
        for level in ["O2", "O3"] {
            let option = format!("-{level}");
            let mut add = |who: &str, roots: &[&str], sources: &[PathBuf]| {
                objects.push(self.participant(&format!("{who}_{level}"), roots, sources, &[&option])?);
                Ok::<(), Vec<String>>(())
            };
            add("libpcap", &FILTERS, &[filters.clone(), interpreter.clone()])?;
            add("library", &IMAGES, &[images.clone(), library.clone()])?;
            add("kissfft", &TRANSFORMS, &[own("kissfft.c"), kissfft.clone()])?;
            // Where a fact does not hold the residual code calls the general code.
            add("whittle", &all, &[&residuals[..], std::slice::from_ref(&kissfft)].concat())?;
            add("hand", &drawn, &hand)?;
        }
        let finite = ["-O3", "-ffinite-math-only", "-fno-signed-zeros"];
        objects.push(self.participant("finite_O3", &TRANSFORMS, &[residuals[2].clone(), kissfft], &finite)?);
        self.workshop.link("cases", &objects, &["-lm".to_string()])
    }

    fn includes(&self) -> Vec<String> {
        workshop::includes(&[&self.pcap, &self.fft, &self.tests.join("convolution")])
    }

    fn residual(&self, name: &str, sources: &[&PathBuf]) -> Result<PathBuf, Vec<String>> {
        let sources: Vec<PathBuf> = sources.iter().copied().cloned().collect();
        self.workshop.residual(&self.context.whittle, &format!("residual_{name}"), &sources, &[], &self.includes())
    }

    fn participant(
        &self,
        who: &str,
        roots: &[&str],
        sources: &[PathBuf],
        options: &[&str],
    ) -> Result<PathBuf, Vec<String>> {
        let mut flags = self.includes();
        flags.extend(options.iter().map(|option| (*option).to_string()));
        let shown: Vec<String> = roots.iter().map(|root| (*root).to_string()).collect();
        self.workshop.participant(who, &shown, sources, &flags)
    }
}
