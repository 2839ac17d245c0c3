//! Random programs in bundles: each of two units with state, a scenario and general code that is linked beside the residual code.
//! A bundle is specialized, compiled and run as one program, which makes a hundred thousand of them possible.
//!
//! In: a kind of programs, and seeds. Out: nothing, or the first program of the bundle that differs, tried alone.

use std::fs;
use std::ops::Range;

use filetest::oracle;
use filetest::random::Random;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

use crate::compare::{Beside, Values};
use crate::program::{BUILDS, Build, ENDLESS_COMPILER, WATCHED, WORK};
use crate::slice;
use crate::worker::{ENDLESS, Outcome, Request, specialize};

/// Programs of a bundle.
const AT_ONCE: u64 = 20;

/// Bundles of a run, and of a soak.
const BUNDLES: u64 = 1;
const BUNDLES_OF_A_SOAK: u64 = 20;

/// Bundles that are all watched: what a run takes.
const WATCHED_FIRST: usize = 8;

/// Values of inputs that each bundle is tried on.
const TRIES: usize = 3;

/// Inputs of a bundle, which its programs share.
pub(crate) const INPUTS: usize = 8;

/// A kind of random programs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    /// What each file begins with.
    pub(crate) declarations: &'static str,
    /// Adds the program of a seed, all of whose names end with the seed's number.
    pub(crate) write: fn(u64, &mut Bundle),
}

/// Programs that stand side by side.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bundle {
    pub(crate) scenario: String,
    pub(crate) general: String,
    /// A third file: for each program a function `begin_SEED`, which runs it and shows what it gives.
    pub(crate) begin: String,
    pub(crate) roots: Vec<String>,
}

impl Bundle {
    /// Adds the program of a seed, in whose texts `@` stands where names end, and whose roots are `root_0@` and on.
    pub(crate) fn add(&mut self, seed: u64, scenario: &str, begin: &str, roots: usize) {
        let of_seed = |text: &str| text.replace('@', &format!("_{seed}"));
        self.scenario.push_str(&of_seed(scenario));
        self.begin.push_str(&of_seed(begin));
        self.roots.extend((0..roots).map(|at| format!("root_{at}_{seed}")));
    }
}

/// Calls of roots at random, each with an input behind what else it is handed.
pub(crate) fn calls(random: &mut Random, times: usize, roots: usize, handed: &str) -> String {
    let call = |_| {
        let (at, input) = (random.below(roots as u64), random.below(INPUTS as u64));
        format!("    law_output(\"root_{at}@\", root_{at}@({handed}, (unsigned)law_input({input}, {at})));\n")
    };
    (0..times).map(call).collect()
}

/// The bundles of a run.
pub(crate) fn trials(kind: Kind) -> Vec<Trial> {
    let seeds = slice::seeds(BUNDLES * AT_ONCE, BUNDLES_OF_A_SOAK * AT_ONCE);
    let last = seeds.end;
    let bundle = move |first: u64| {
        let seeds = first..(first + AT_ONCE).min(last);
        oracle::trial(format!("{}: {first} and on", kind.name), &["gcc", "clang"], move || judge(kind, seeds.clone()))
    };
    seeds.step_by(AT_ONCE as usize).map(bundle).collect()
}

/// Tries a bundle; where it fails or takes too long, each of its programs alone.
fn judge(kind: Kind, seeds: Range<u64>) -> Result<(), Failed> {
    let together = judge_together(kind, seeds.clone());
    if let Ok(Verdict::Alike) = together {
        return Ok(());
    }
    // One of so many random programs may be too much.
    let may_be = (seeds.end - seeds.start) / AT_ONCE;
    let mut endless = Vec::new();
    for seed in seeds {
        if judge_together(kind, seed..seed + 1)? == Verdict::Endless {
            endless.push(seed);
        }
    }
    match together {
        Ok(_) if endless.len() as u64 <= may_be => Ok(()),
        Ok(_) => Err(format!("{}: {ENDLESS}: LAW_SEEDS of {endless:?}", kind.name).into()),
        Err(why) => Err(why),
    }
}

/// What became of programs that do not differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Alike,
    Endless,
}

fn judge_together(kind: Kind, seeds: Range<u64>) -> Result<Verdict, Failed> {
    let wrong = |why: &str| -> Failed { format!("{}, LAW_SEEDS={seeds:?}: {why}", kind.name).into() };
    let scratch = Scratch::new("law-bundle")?;
    let folder = scratch.path();
    let mut bundle = Bundle::default();
    seeds.clone().for_each(|seed| (kind.write)(seed, &mut bundle));
    let [scenario, general, begin, residual] =
        ["scenario.c", "general.c", "begin.c", "residual.c"].map(|name| folder.join(name));
    fs::write(&scenario, format!("{}{}", kind.declarations, bundle.scenario))?;
    fs::write(&general, format!("{}{}", kind.declarations, bundle.general))?;
    fs::write(&begin, format!("{}{}{}", kind.declarations, bundle.begin, main(seeds.clone())))?;
    let roots = bundle.roots.iter().map(String::as_str).collect();
    // Every other bundle shares what is static; its general code is compiled from what is written for that, where there is such.
    let shares_statics = seeds.start / AT_ONCE % 2 == 1;
    let request = Request { sources: vec![&scenario, &general], roots, shares_statics, ..Request::default() };
    match specialize(&request, folder, WORK)? {
        Outcome::Residual(text) => fs::write(&residual, text.text)?,
        Outcome::Refused(why) | Outcome::Crashed(why) => return Err(wrong(&why)),
        Outcome::Endless => return Ok(Verdict::Endless),
    }
    let (builds, shared) = (builds(seeds.start), folder.join("general.shared.c"));
    let beside = Beside::compile(&[&general, &begin], &builds, folder)?;
    let original = beside.program(&scenario, folder, "original")??;
    let beside = match shared.is_file() {
        true => Beside::compile(&[&shared, &begin], &builds, folder)?,
        false => beside,
    };
    let residual = match beside.program(&residual, folder, "residual")? {
        Err(why) if why.contains(ENDLESS_COMPILER) => return Ok(Verdict::Endless),
        residual => residual?,
    };
    let mut random = Random::new(seeds.start);
    let mut compared = 0;
    for turn in 0..TRIES {
        let given: Vec<String> = (0..INPUTS).map(|at| format!("{at}={}", random.below(1 << 20))).collect();
        let values: Values = (if turn == 0 { String::new() } else { given.join(" ") }, String::new());
        if let Some(expected) = original.expected(&values, folder)? {
            compared += 1;
            if let Some(why) = residual.difference(&values, &expected, folder)? {
                return Err(wrong(&format!("with {values:?}: {why}")));
            }
        }
    }
    if compared == 0 { Err(wrong("no run could be compared")) } else { Ok(Verdict::Alike) }
}

/// How the bundle that begins with a seed is built: the first in three ways, each of many in one of five. Another program shows more
/// than another build of the same.
fn builds(seed: u64) -> Vec<Build> {
    let number = (seed / AT_ONCE) as usize;
    if number < WATCHED_FIRST {
        return vec![WATCHED, BUILDS[number % BUILDS.len()], BUILDS[(number / 4) % BUILDS.len()]];
    }
    let turn = number % (BUILDS.len() + 1);
    vec![*BUILDS.get(turn).unwrap_or(&WATCHED)]
}

/// The program that runs all.
fn main(seeds: Range<u64>) -> String {
    let calls: String = seeds.map(|seed| format!("    begin_{seed}();\n")).collect();
    format!("int main(void)\n{{\n{calls}    return 0;\n}}\n")
}
