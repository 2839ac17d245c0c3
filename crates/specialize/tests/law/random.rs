//! Random divisions: some of a program's inputs are known to the specializer, the others only to the residual program.
//! Whatever the division, and whatever the inputs, original and residual do the same; so does the residual of a
//! residual to which some of the other inputs were made known.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::oracle;
use filetest::random::Random;
use libtest_mimic::Failed;

use crate::compare::{Compiled, Values, compile};
use crate::inputs::{self, Inputs};
use crate::literals;
use crate::plain;
use crate::program::{BUILDS, Build, WORK};
use crate::refusals;
use crate::slice::seed;
use crate::worker::{ENDLESS, Outcome, Request, specialize};

/// A program whose inputs are divided.
#[derive(Clone, Debug)]
pub(crate) struct Subject {
    pub(crate) source: PathBuf,
    pub(crate) flags: Vec<String>,
    pub(crate) seed: u64,
    /// Shares of inputs, in percent, that are left to the residual program; each gives one division.
    pub(crate) shares: Vec<u64>,
    /// Values that each residual is tried on.
    pub(crate) tries: usize,
    /// Numbers in its code that become inputs, at most.
    pub(crate) literals: usize,
}

/// How many runs were compared, or what was found wrong.
pub(crate) type Judged = Result<usize, String>;

/// Tries the divisions of a program.
pub(crate) fn judge(subject: &Subject, folder: &Path) -> Result<Judged, Failed> {
    let mut random = Random::new(subject.seed);
    let lifted = match subject.literals {
        0 => None,
        most => literals::lift(&subject.source, &subject.flags, (&mut random, most), folder)?,
    };
    let subject = &Subject { source: lifted.unwrap_or_else(|| subject.source.clone()), ..subject.clone() };
    let mut preprocess = oracle::command("clang");
    preprocess.args(["-E", "-w"]).args(&subject.flags).arg(&subject.source);
    let text = match preprocess.output() {
        Ok(output) if output.status.success() => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => return Ok(Ok(0)),
    };
    let Some(inputs) = inputs::find(&subject.source, text, &subject.flags) else { return Ok(Ok(0)) };
    let mut compared = 0;
    for share in &subject.shares {
        let division = inputs.division(&mut random, *share);
        if division.is_empty() && *share > 0 {
            continue;
        }
        match (Trial { subject, inputs: &inputs, division: &division, folder }).judge(&mut random)? {
            Ok(runs) => compared += runs,
            Err(why) => return Ok(Err(format!("{share} percent dynamic: {why}"))),
        }
    }
    Ok(Ok(compared))
}

/// One division of a program's inputs.
struct Trial<'a> {
    subject: &'a Subject,
    inputs: &'a Inputs,
    division: &'a [usize],
    folder: &'a Path,
}

impl Trial<'_> {
    fn judge(&self, random: &mut Random) -> Result<Judged, Failed> {
        // Without time for all builds, each division gets another one.
        let chosen = [BUILDS[random.below(BUILDS.len() as u64) as usize]];
        let builds: &[Build] = if seed().is_some() { &BUILDS } else { &chosen };
        let source = self.folder.join("divided.c");
        fs::write(&source, self.inputs.program(&self.subject.source, self.division))?;
        let Ok(original) = compile(&source, &self.subject.flags, builds, self.folder, "original")? else {
            return Ok(Ok(0));
        };
        if original.expected(&Values::default(), self.folder)?.is_none() {
            return Ok(Ok(0));
        }
        let residual = match self.residual(&[&source], "residual.c", builds)? {
            Ok(residual) => residual,
            Err(why) => return Ok(why.map_or(Ok(0), Err)),
        };
        let mut all = vec![Values::default()];
        if !self.division.is_empty() {
            all.extend((0..self.subject.tries).map(|_| self.inputs.values(self.division, random)));
        }
        let mut compared = 0;
        for values in &all {
            match self.compare(&original, &residual, values)? {
                Ok(runs) => compared += runs,
                Err(why) => return Ok(Err(format!("with {values:?}: {why}"))),
            }
        }
        if self.division.len() > 1 && random.chance(50) {
            let again = self.judge_again(&original, builds, random)?;
            return Ok(again.map(|runs| runs + compared));
        }
        Ok(Ok(compared))
    }

    fn compare(&self, original: &Compiled, residual: &Compiled, values: &Values) -> Result<Judged, Failed> {
        let Some(expected) = original.expected(values, self.folder)? else { return Ok(Ok(0)) };
        Ok(residual.difference(values, &expected, self.folder)?.map_or(Ok(1), Err))
    }

    /// The residual program; what is wrong where there is none.
    fn residual(
        &self,
        sources: &[&Path],
        name: &str,
        builds: &[Build],
    ) -> Result<Result<Compiled, Option<String>>, Failed> {
        let flags = &self.subject.flags;
        let request =
            Request { sources: sources.to_vec(), roots: vec!["main"], flags: flags.clone(), ..Request::default() };
        let residual = match specialize(&request, self.folder, WORK)? {
            Outcome::Residual(residual) => residual,
            Outcome::Refused(why) if refusals::is_right(&why) => return Ok(Err(None)),
            Outcome::Refused(why) => return Ok(Err(Some(format!("refused: {why}")))),
            Outcome::Crashed(why) => return Ok(Err(Some(format!("crashed: {why}")))),
            Outcome::Endless if refusals::is_right(ENDLESS) => return Ok(Err(None)),
            Outcome::Endless => return Ok(Err(Some(ENDLESS.into()))),
        };
        if self.division.is_empty()
            && let Some(why) = plain::judge(&residual)
        {
            return Ok(Err(Some(why)));
        }
        let source = self.folder.join(name);
        fs::write(&source, residual.text)?;
        let compiled = compile(&source, flags, builds, self.folder, name)?;
        let wrong = |why: String| (!refusals::is_right(&why)).then(|| format!("the residual does not compile: {why}"));
        Ok(compiled.map_err(wrong))
    }

    /// Specializes the residual to some more inputs.
    fn judge_again(&self, original: &Compiled, builds: &[Build], random: &mut Random) -> Result<Judged, Failed> {
        let (now, later): (Vec<usize>, Vec<usize>) = self.division.iter().partition(|_| random.chance(50));
        let known = self.inputs.values(&now, random);
        let more = self.folder.join("known.c");
        fs::write(&more, known_inputs(&known.0))?;
        let first = self.folder.join("residual.c");
        let residual = match self.residual(&[&first, &more], "twice.c", builds)? {
            Ok(residual) => residual,
            Err(why) => return Ok(why.map_or(Ok(0), |why| Err(format!("specialized twice: {why}")))),
        };
        let mut compared = 0;
        for _ in 0..self.subject.tries {
            let rest = self.inputs.values(&later, random);
            let values = (format!("{} {}", known.0, rest.0), rest.1);
            match self.compare(original, &residual, &values)? {
                Ok(runs) => compared += runs,
                Err(why) => {
                    return Ok(Err(format!("specialized twice, with {values:?}, of which {} first: {why}", known.0)));
                }
            }
        }
        Ok(Ok(compared))
    }
}

/// A part of the outside world that is known: `law_input` for some numbers.
fn known_inputs(values: &str) -> String {
    let mut text = String::from("extern long long law_more_input(int number, long long usual);\n");
    text.push_str("long long law_input(int number, long long usual)\n{\n    switch (number) {\n");
    for value in values.split_whitespace() {
        let Some((number, value)) = value.split_once('=') else { continue };
        // The least number has no literal of its own.
        let value: i64 = value.parse().unwrap_or_default();
        let spelled = if value == i64::MIN { "(-9223372036854775807LL - 1)".into() } else { format!("{value}LL") };
        text.push_str(&format!("    case {number}: return {spelled};\n"));
    }
    text.push_str("    default: return law_more_input(number, usual);\n    }\n}\n");
    text
}
