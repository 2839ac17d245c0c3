//! The programs of `tests/specialize/programs`: their residual code computes what the originals and the hand-written programs do, compiled by
//! gcc without a warning and by clang with its sanitizers, which report nothing of it that they do not report of the original.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::columns;
use filetest::oracle;
use filetest::scratch::Scratch;
use filetest::specialized::{self, Program};
use libtest_mimic::{Arguments, Failed, Trial};

/// So many inputs of each program; a tenth of them with the sanitizers.
const SEEDS: u32 = 200;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn main() {
    let arguments = Arguments::from_args();
    let programs =
        root().canonicalize().map_err(|problem| problem.to_string()).and_then(|root| specialized::programs(&root));
    let trials = match programs {
        Ok(programs) => programs.into_iter().map(trial).collect(),
        Err(problem) => vec![Trial::test("programs", move || Err(problem.into()))],
    };
    libtest_mimic::run(&arguments, trials).exit();
}

fn trial(program: Program) -> Trial {
    let name = format!("{} computes the same, specialized", program.name);
    if program.open.is_some() || program.slow && !oracle::is_soak() {
        return Trial::test(name, || Ok(())).with_ignored_flag(true);
    }
    match program.missing() {
        Some(missing) => oracle::absent(name, &format!("{} (make corpora)", missing.display())),
        None => oracle::trial(name, &["clang", "gcc"], move || compare(&program)),
    }
}

fn compare(program: &Program) -> Result<(), Failed> {
    let folder = Scratch::new(&program.name)?;
    let residual = folder.path().join("residual.c");
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle
        .current_dir(&program.folder)
        .args(["specialize", "scenario.c"])
        .args(&program.general)
        .args(&program.options);
    oracle::succeed(whittle.arg("-o").arg(&residual).arg("--").args(&program.flags))?;
    let text = std::fs::read_to_string(&residual)?;
    if let Some(line) = columns::too_long(&text) {
        return Err(format!("this line is too long: {line}").into());
    }
    if let Some(word) = program.gone.iter().find(|word| text.contains(word.as_str())) {
        return Err(format!("`{word}` is left in the residual program").into());
    }
    let mut strict = oracle::command("gcc");
    strict.args(["-O2", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]).args(&program.flags).arg(&residual);
    oracle::succeed(&mut strict)?;
    let mut expected = None;
    for (who, sources) in program.participants(&residual) {
        let sums = Build { program, folder: folder.path(), who, sources: &sources }.sums()?;
        let original = expected.get_or_insert_with(|| sums.clone());
        if let Some((mine, theirs)) = sums.lines().zip(original.lines()).find(|(mine, theirs)| mine != theirs) {
            return Err(format!("{who}: seed and checksum {mine}; the original: {theirs}").into());
        }
    }
    let reports = |who: usize| -> Result<String, Failed> {
        let (who, sources) = program.participants(&residual).swap_remove(who);
        Build { program, folder: folder.path(), who, sources: &sources }.reports()
    };
    let (original, residual) = (reports(0)?, reports(1)?);
    if original.is_empty() && !residual.is_empty() {
        return Err(format!("sanitizers report of the residual code alone: {residual}").into());
    }
    Ok(())
}

struct Build<'a> {
    program: &'a Program,
    folder: &'a Path,
    who: &'a str,
    sources: &'a [PathBuf],
}

impl Build<'_> {
    fn binary(&self, compiler: &str, flags: &[&str]) -> Result<PathBuf, Failed> {
        let (binary, main) = (self.folder.join(format!("{}-{compiler}", self.who)), self.folder.join("main.o"));
        let mut around = oracle::command(compiler);
        around.current_dir(self.folder).args(flags).arg("-c").arg(specialized::main_file(&root().canonicalize()?));
        oracle::succeed(around.arg("-o").arg(&main))?;
        let mut command = oracle::command(compiler);
        command.current_dir(self.folder).arg("-w").args(flags).args(&self.program.flags);
        command.args([format!("-Dprepare={}_prepare", self.who), format!("-Ddrive={}_drive", self.who)]);
        command.arg(&main).args(self.sources);
        oracle::succeed(command.arg("-o").arg(&binary).args(&self.program.libraries))?;
        Ok(binary)
    }

    /// `SEED CHECKSUM`, line by line.
    fn sums(&self) -> Result<String, Failed> {
        let output = oracle::succeed(Command::new(self.binary("gcc", &["-O2"])?).args(["sums", &SEEDS.to_string()]))?;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        Ok(text.lines().filter_map(|line| line.split_once(' ')).map(|(_, sum)| format!("{sum}\n")).collect())
    }

    /// What the sanitizers say.
    fn reports(&self) -> Result<String, Failed> {
        let mut flags = vec!["-O0", "-g1", "-fsanitize=address,undefined"];
        flags.extend(self.program.checks.iter().map(String::as_str));
        let binary = self.binary("clang", &flags)?;
        let output = Command::new(binary).args(["sums", &(SEEDS / 10).to_string()]).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(if output.status.success() { said } else { format!("{} {said}", output.status) })
    }
}
