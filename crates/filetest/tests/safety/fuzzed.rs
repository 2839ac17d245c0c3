//! Generated decoders under libFuzzer (fuzz/decoders): compared with rpcgen's, and alone, which is faster.
//! `WHITTLE_FUZZ_INPUTS=n` has n inputs decoded alone.
#![expect(clippy::print_stdout, reason = "a long run says how many inputs it tried")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use filetest::oracle;
use filetest::random::{self, Random};
use libtest_mimic::{Failed, Trial};

use crate::messages::{self, Size};
use crate::program::{Subject, default_variant};
use crate::toolchain::{self, CLANG_FUZZER, CLANG_FUZZER_IN_PIECES, Toolchain, trial};
use crate::{everything_text, plan};

const COMPARED: [&str; 8] = [
    "runtime/tests/streams.c",
    "tests/safety/ledger.c",
    "tests/safety/sparing.c",
    "tests/safety/report.c",
    "tests/safety/value.c",
    "tests/safety/arena.c",
    "tests/safety/hostile.c",
    "fuzz/decoders/decoders.c",
];
const ALONE: [&str; 6] = [
    "runtime/tests/streams.c",
    "tests/safety/ledger.c",
    "tests/safety/sparing.c",
    "tests/safety/report.c",
    "tests/safety/value.c",
    "fuzz/decoders/alone.c",
];

/// How libFuzzer makes inputs: the share of all, in sixteenths, and its options.
struct Phase {
    share: u64,
    options: &'static [&'static str],
}

/// Short inputs are many; numbers close to what code compares them with; what is larger than blocks.
const PHASES: [Phase; 3] = [
    Phase { share: 13, options: &["-max_len=512"] },
    Phase { share: 1, options: &["-max_len=512", "-use_value_profile=1"] },
    Phase { share: 2, options: &["-max_len=20000"] },
];

/// Runs a fuzzer from the messages in `corpus` on, and says how many inputs it ran. What fails is left beside the program.
fn fuzz(program: &Path, corpus: &Path, seed: u64, runs: u64, options: &[&str]) -> Result<u64, Failed> {
    let mut command = Command::new(program);
    command.args([format!("-seed={}", seed + 1), format!("-runs={runs}")]).arg(corpus);
    command.args(["-len_control=0", "-keep_seed=1", "-timeout=60", "-verbosity=0", "-print_final_stats=1"]);
    command.args(options).arg(format!("-artifact_prefix={}-", program.display()));
    // Memory that is freed is watched for the length of some inputs; the harness finds what is not freed.
    let sanitizer = "detect_stack_use_after_return=0:malloc_context_size=4:quarantine_size_mb=8:detect_leaks=0";
    command.env("ASAN_OPTIONS", sanitizer).env("UBSAN_OPTIONS", "print_stacktrace=1");
    let said = toolchain::said(&mut command)?;
    let executed = said.lines().find_map(|line| line.strip_prefix("stat::number_of_executed_units:"));
    match executed.and_then(|number| number.trim().parse::<u64>().ok()) {
        Some(executed) if executed >= runs => Ok(executed),
        _ => Err(format!("{command:?} did not run {runs} inputs:\n{said}").into()),
    }
}

/// Writes messages of every type, some large, behind the head that fuzz/decoders/alone.c describes: each whole in memory,
/// by another way, cut, and with an allocation that fails. Returns where.
fn corpus(subject: &Subject, seed: u64) -> Result<PathBuf, Failed> {
    let corpus = subject.folder.join("corpus");
    let _ = fs::remove_dir_all(&corpus);
    fs::create_dir_all(&corpus)?;
    let mut random = Random::new(seed);
    for (index, (id, definition)) in messages::types(&subject.aoi).into_iter().enumerate() {
        let index = u8::try_from(index)?;
        for (number, size) in [0, 200, 200, 900, 12_000, 12_000, 12_000].into_iter().enumerate() {
            let size = if size == 0 { Size::Empty } else { Size::About(size) };
            let message = messages::message(&subject.aoi, id, &mut random, size);
            let mut octet = |limit: usize| random.below(limit as u64) as u8;
            let files = [
                ("whole", [index, 0, 0, 0], message.len()),
                ("way", [index, octet(32), octet(256), 0], message.len()),
                ("cut", [index, octet(32), octet(256), 0], message.len() * usize::from(octet(256)) / 256),
                ("starved", [index, octet(32), octet(256), 0x80 + octet(30)], message.len()),
            ];
            for (title, head, there) in files {
                let path = corpus.join(format!("{}-{number}-{title}", definition.name));
                fs::write(path, [&head, &message[..there]].concat())?;
            }
        }
    }
    Ok(corpus)
}

/// Where an interface file comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    WireCases,
    Everything,
    Random(u64),
}

impl Origin {
    fn title(self) -> String {
        match self {
            Origin::WireCases => "the wire cases' types".to_owned(),
            Origin::Everything => "everything.x".to_owned(),
            Origin::Random(seed) => format!("random interface {seed}"),
        }
    }

    /// Its routines and rpcgen's, in a folder of this use's own.
    fn subject(self, verb: &str, toolchain: &Toolchain) -> Result<Subject, Failed> {
        let text = match self {
            Origin::WireCases => fs::read_to_string(toolchain::root().join("tests/wire/types.x"))?,
            Origin::Everything => everything_text()?,
            Origin::Random(seed) => random::interface(seed, 14),
        };
        // Seeds to come use the same folders.
        let folder = match self {
            Origin::WireCases => "types".to_owned(),
            Origin::Everything => "everything".to_owned(),
            Origin::Random(seed) => format!("random {}", seed % 10),
        };
        Subject::new(&format!("fuzzed {verb} {folder} {}", toolchain.name), &text, &[default_variant()])
    }
}

/// Compares with rpcgen's decoders.
fn compared(origin: Origin) -> Result<(), Failed> {
    let plan = plan();
    let subject = origin.subject("compared", &CLANG_FUZZER)?;
    let program = subject.build(&CLANG_FUZZER, &COMPARED)?;
    fuzz(&program, &corpus(&subject, plan.seed)?, plan.seed, plan.runs, &["-max_len=2048"]).map(|_| ())
}

fn alone(origin: Origin, toolchain: &Toolchain, inputs: u64) -> Result<(), Failed> {
    let seed = plan().seed;
    let subject = origin.subject("alone", toolchain)?;
    let program = subject.build(toolchain, &ALONE)?;
    let corpus = corpus(&subject, seed)?;
    let start = Instant::now();
    let mut executed = 0;
    for phase in PHASES {
        executed += fuzz(&program, &corpus, seed, (inputs * phase.share).div_ceil(16), phase.options)?;
    }
    if inputs_asked_for().is_some() {
        let seconds = start.elapsed().as_secs();
        println!("{}, {}: {executed} inputs in {seconds} s, seed {seed}", origin.title(), toolchain.name);
    }
    Ok(())
}

/// For all fuzzers of decoders alone.
fn inputs_asked_for() -> Option<u64> {
    std::env::var("WHITTLE_FUZZ_INPUTS").ok()?.parse().ok()
}

/// The interfaces in turns of both builds; where more is asked for, more interfaces, each in both.
pub(crate) fn trials() -> Vec<Trial> {
    let seed = plan().seed;
    let asked = inputs_asked_for();
    let randoms = (seed..seed + if asked.is_some() { 4 } else { 1 }).map(Origin::Random);
    let origins = [Origin::WireCases, Origin::Everything].into_iter().chain(randoms);
    let both = [CLANG_FUZZER, CLANG_FUZZER_IN_PIECES];
    let pairs: Vec<(Origin, Toolchain)> = match asked {
        Some(_) => origins.flat_map(|origin| both.map(|toolchain| (origin, toolchain))).collect(),
        None => origins.zip(both.into_iter().cycle()).collect(),
    };
    let inputs = asked.map_or(30_000, |inputs| inputs.div_ceil(pairs.len() as u64));
    let alone = pairs.into_iter().map(|(origin, toolchain)| {
        let name = format!("fuzzed decoders of {} survive alone, {}", origin.title(), toolchain.name);
        trial(name, toolchain, move || alone(origin, &toolchain, inputs))
    });
    let with_rpcgen = [Origin::WireCases, Origin::Random(seed)].into_iter().take(if oracle::is_soak() { 2 } else { 1 });
    let compared = with_rpcgen.map(|origin| {
        let name = format!("fuzzed decoders of {} agree with rpcgen's", origin.title());
        trial(name, CLANG_FUZZER, move || compared(origin))
    });
    compared.into_iter().chain(alone).collect()
}
