//! GCC's torture programs under random divisions: numbers in their code and initial values of their globals are inputs,
//! and some of these, all, or none are known. Beside that, `main` as any function: nothing of memory is known.

use std::fs;
use std::path::{Path, PathBuf};

use filetest::scratch::Scratch;
use filetest::torture::flags;
use libtest_mimic::{Failed, Trial};

use crate::compare::{Values, compile};
use crate::inputs::may_return_nothing;
use crate::program::BUILDS;
use crate::random::{Judged, Subject, judge};
use crate::slice::{sample_from, seed};
use crate::torture::{name, of_the_language, programs};
use crate::worker::{ENDLESS, Outcome, Request, specialize};
use crate::{program, refusals};

/// Of so many programs, one is tried when nobody asks for all.
const ONE_OF: usize = 300;

/// Programs of one trial.
const AT_ONCE: usize = 5;

/// Numbers that become inputs.
const LITERALS: usize = 5;

/// Programs that go, for some inputs or as they are, where C does not lead and no sanitizer looks: indices beyond an
/// array behind a pointer, the address of what lies beyond an array, and numbers of an array that nobody has set.
const UNSEEN: [&str; 4] = ["20021024-1", "cdivchkld", "pr43784", "ptr-arith-1"];

/// A trial for each few programs.
pub(crate) fn trials(folder: &Path) -> Vec<Trial> {
    let mut programs = sample_from(programs(folder), ONE_OF, 7);
    programs.retain(|path| !UNSEEN.contains(&&*name(path)));
    let batches = programs.chunks(AT_ONCE).map(<[PathBuf]>::to_vec);
    batches.map(|batch| Trial::test(format!("divided: {}", name(&batch[0])), move || judge_all(&batch))).collect()
}

fn judge_all(programs: &[PathBuf]) -> Result<(), Failed> {
    let scratch = Scratch::new("law-divided")?;
    let mut failures = Vec::new();
    for program in programs {
        let seed =
            name(program).bytes().fold(seed().unwrap_or(0), |seed, byte| seed * 31 % 1_000_003 + u64::from(byte));
        let flags = of_the_language(&flags(program));
        let shares = vec![[20, 50, 80, 100][seed as usize % 4]];
        let subject = Subject { source: program.clone(), flags, seed, shares, tries: 3, literals: LITERALS };
        for (what, judged) in
            [("", judge(&subject, scratch.path())?), ("no start: ", judge_unknown(&subject, scratch.path())?)]
        {
            if let Err(why) = judged {
                failures.push(format!("{}: {what}{why}", name(program)));
            }
        }
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// `main` under another name is a function that may be called at any time.
fn judge_unknown(subject: &Subject, folder: &Path) -> Result<Judged, Failed> {
    const NAME: &str = "law_original_main";
    let (source, begin) = (folder.join("unknown.c"), folder.join("begin.c"));
    fs::write(&source, format!("#define main {NAME}\n#include \"{}\"\n", subject.source.display()))?;
    let flags = &subject.flags;
    let call =
        if may_return_nothing(&source, flags) { format!("{NAME}(); return 0;") } else { format!("return {NAME}();") };
    fs::write(&begin, format!("int {NAME}();\nint main()\n{{\n    {call}\n}}\n"))?;
    let build = BUILDS[subject.seed as usize % BUILDS.len()];
    let with_begin = [&flags[..], &[begin.display().to_string()]].concat();
    let Ok(original) = compile(&source, &with_begin, &[build], folder, "original")? else { return Ok(Ok(0)) };
    let Some(expected) = original.expected(&Values::default(), folder)? else { return Ok(Ok(0)) };
    let request = Request { sources: vec![&source], roots: vec![NAME], flags: flags.clone(), ..Request::default() };
    let text = match specialize(&request, folder, program::WORK)? {
        Outcome::Residual(residual) => residual.text,
        Outcome::Refused(why) if refusals::is_right(&why) => return Ok(Ok(0)),
        Outcome::Refused(why) => return Ok(Err(format!("refused: {why}"))),
        Outcome::Crashed(why) => return Ok(Err(format!("crashed: {why}"))),
        Outcome::Endless if refusals::is_right(ENDLESS) => return Ok(Ok(0)),
        Outcome::Endless => return Ok(Err(ENDLESS.into())),
    };
    let residual = folder.join("residual.c");
    fs::write(&residual, text)?;
    match compile(&residual, &with_begin, &[build], folder, "residual")? {
        Ok(residual) => Ok(residual.difference(&Values::default(), &expected, folder)?.map_or(Ok(1), Err)),
        Err(why) if refusals::is_right(&why) => Ok(Ok(0)),
        Err(why) => Ok(Err(format!("the residual does not compile: {why}"))),
    }
}
