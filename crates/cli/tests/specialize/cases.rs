//! Programs of other kinds: an interpreter of packet filters, image filters, Fourier transforms, streams. Original and residual
//! code are linked into one program that compares them on many inputs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Failed, Trial};

/// A folder of `tests/specialize` with a scenario and a program that compares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    folder: &'static str,
    /// The source package, in `target/corpora`, and the general code in it; without one, it is in the folder.
    package: Option<&'static str>,
    general: &'static str,
    roots: &'static [&'static str],
    /// Loops that are left in the residual code, at least and at most.
    loops: (usize, usize),
    /// What is computed and leaves no trace.
    gone: &'static [&'static str],
    /// What is to be there.
    made: &'static [&'static str],
}

const CASES: [Case; 4] = [
    Case {
        folder: "filter",
        package: Some("libpcap"),
        general: "bpf_filter.c",
        roots: &["match_web", "match_host", "match_local", "match_get", "match_payload", "match_chain"],
        // The filter that is one itself goes round.
        loops: (0, 1),
        gone: &["switch", "bpf_insn", "pc"],
        made: &[],
    },
    Case {
        folder: "fourier",
        package: Some("kissfft"),
        general: "kiss_fft.c",
        roots: &["forward_8", "forward_16", "backward_16", "forward_60", "forward_64", "forward_14"],
        loops: (0, 100),
        gone: &["cos(", "sin(", "floor("],
        made: &[],
    },
    Case {
        folder: "convolution",
        package: None,
        general: "convolve.c",
        roots: &["sharpen_16", "blur_16", "halve_16", "detect_16"],
        loops: (4, 60),
        gone: &["weights", "kernel", "switch"],
        made: &[],
    },
    Case {
        folder: "streams",
        package: None,
        general: "stream.c",
        roots: &["put_fifty", "put_some", "put_plainly", "put_and_tell", "put_and_keep", "put_and_leave", "put_twice"],
        loops: (4, 60),
        gone: &[],
        // What is left of a stream is stored once, and carried through the loop that puts words.
        made: &["whittle_swap32(t1, words, 49ul)", "stream->left = 200u;", "t1 -= 4;"],
    },
];

/// A trial for each case.
pub(crate) fn trials() -> Vec<Trial> {
    CASES.into_iter().map(trial).collect()
}

fn trial(case: Case) -> Trial {
    let name = format!("{} does the same, specialized", case.folder);
    match case.package {
        Some(package) if !general(case).is_file() => {
            oracle::absent(name, &format!("{package}'s source (make corpora)"))
        }
        _ => oracle::trial(name, &["clang", "gcc"], move || compare(case)),
    }
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn source_folder(case: Case) -> PathBuf {
    case.package
        .map_or_else(|| here("tests/specialize").join(case.folder), |package| here("target/corpora").join(package))
}

fn general(case: Case) -> PathBuf {
    source_folder(case).join(case.general)
}

fn compare(case: Case) -> Result<(), Failed> {
    let folder = Scratch::new(case.folder)?;
    let own = here("tests/specialize").join(case.folder);
    for name in ["scenario.c", "compare.c"] {
        folder.copy(&own.join(name))?;
    }
    let includes = format!("-I{}", source_folder(case).canonicalize()?.display());
    let general = general(case).canonicalize()?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.current_dir(folder.path()).args(["specialize", "scenario.c"]).arg(&general);
    oracle::succeed(whittle.args(["-o", "residual.c", "--", &includes]))?;
    inspect(case, &fs::read_to_string(folder.path().join("residual.c"))?)?;
    let bench = Bench { case, folder: folder.path(), includes, general };
    bench.compile("gcc", &["-w", "-O2"], &bench.original(), "scenario.c", "original.o")?;
    for options in [&["-O0"][..], &["-O2"], &["-O3"]] {
        bench.check("gcc", options)?;
        bench.check("clang", options)?;
    }
    bench.check("gcc", &["-O1", "-fsanitize=address"])
}

/// What is known has gone, and the code is code that loops.
fn inspect(case: Case, residual: &str) -> Result<(), Failed> {
    let functions = residual.split("_general(").next().unwrap_or_default();
    let text = if case.folder == "fourier" { functions } else { residual };
    if let Some(left) = case.gone.iter().find(|word| mentions(text, word)) {
        return Err(format!("`{left}` is left in the residual code of {}", case.folder).into());
    }
    if let Some(missing) = case.made.iter().find(|text| !residual.contains(*text)) {
        return Err(format!("`{missing}` is not in the residual code of {}", case.folder).into());
    }
    let loops = residual.matches("for (").count();
    if loops < case.loops.0 || loops > case.loops.1 {
        return Err(format!("{loops} loops are left in the residual code of {}", case.folder).into());
    }
    Ok(())
}

fn mentions(text: &str, word: &str) -> bool {
    let is_letter = |character: Option<char>| character.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word).any(|(at, _)| {
        !is_letter(text[..at].chars().next_back())
            && (word.ends_with(['(', '[']) || !is_letter(text[at + word.len()..].chars().next()))
    })
}

struct Bench<'a> {
    case: Case,
    folder: &'a Path,
    includes: String,
    general: PathBuf,
}

impl Bench<'_> {
    /// The scenario's functions under other names.
    fn original(&self) -> Vec<String> {
        self.case.roots.iter().map(|root| format!("-D{root}=original_{root}")).collect()
    }

    fn compile(
        &self,
        compiler: &str,
        options: &[&str],
        more: &[String],
        source: &str,
        object: &str,
    ) -> Result<(), Failed> {
        let mut command = oracle::command(compiler);
        let own = format!("-I{}", here("runtime/include").display());
        command.current_dir(self.folder).args(options).args(more).args([&self.includes, &own]);
        oracle::succeed(command.args(["-c", source, "-o", object])).map(|_| ())
    }

    fn check(&self, compiler: &str, options: &[&str]) -> Result<(), Failed> {
        let strict: Vec<String> = oracle::STRICT.iter().map(|option| (*option).to_string()).collect();
        self.compile(compiler, options, &strict, "residual.c", "residual.o")?;
        let mut link = oracle::command(compiler);
        link.current_dir(self.folder).args(["-w", "-o", "compare"]).args(options).arg(&self.includes);
        link.args(["compare.c", "original.o", "residual.o"]).arg(&self.general).arg("-lm");
        oracle::succeed(&mut link)?;
        let output = Command::new(self.folder.join("compare")).output()?;
        if output.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        Err(format!("{compiler} {}: {said}", options.join(" ")).into())
    }
}
