//! Test programs: an interface file's routines by whittle and by rpcgen, the table, and the checks in tests/safety.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use aoi::Aoi;
use filetest::oracle::{self, Compilation};
use filetest::random::Random;
use libtest_mimic::Failed;

use crate::compile::{self, Options};
use crate::messages::{self, Size};
use crate::tables;

/// A compiler and how it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toolchain {
    pub(crate) name: &'static str,
    pub(crate) compiler: &'static str,
    pub(crate) flags: &'static [&'static str],
}

const SANITIZERS: &[&str] = &["-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
pub(crate) const GCC_SANITIZED: Toolchain = Toolchain { name: "gcc sanitizers", compiler: "gcc", flags: SANITIZERS };
pub(crate) const CLANG_SANITIZED: Toolchain =
    Toolchain { name: "clang sanitizers", compiler: "clang", flags: SANITIZERS };
pub(crate) const GCC_THREADS: Toolchain = Toolchain {
    name: "gcc thread sanitizer",
    compiler: "gcc",
    flags: &["-O1", "-g1", "-fsanitize=thread", "-pthread"],
};
pub(crate) const GCC_UNOPTIMIZED: Toolchain = Toolchain { name: "gcc -O0", compiler: "gcc", flags: &["-O0"] };
pub(crate) const GCC: Toolchain = Toolchain { name: "gcc", compiler: "gcc", flags: &["-O2"] };

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for what tests make, kept until the next run.
pub(crate) fn workplace(name: &str) -> Result<PathBuf, Failed> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("safety").join(name.replace([' ', ','], "-"));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// An interface file and what was made of it.
pub(crate) struct Subject {
    pub(crate) aoi: Aoi,
    pub(crate) folder: PathBuf,
    variants: Vec<String>,
}

/// One way to make the routines: a word for symbols, and the options.
pub(crate) type Variant = (String, Options);

/// With all passes, which also is what serves with arenas.
pub(crate) fn default_variant() -> Variant {
    ("all_passes".to_owned(), Options { server_arena: true, ..Options::default() })
}

/// With all passes, without each in turn, and without any.
pub(crate) fn all_variants() -> Vec<Variant> {
    let passes: Vec<String> = driver::passes().iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut variants = vec![default_variant()];
    for pass in &passes {
        let word = format!("without_{}", pass.replace('-', "_"));
        variants.push((word, Options { without: vec![pass.clone()], server_arena: false }));
    }
    variants.push(("without_all".to_owned(), Options { without: passes, server_arena: false }));
    variants
}

impl Subject {
    /// Runs whittle and rpcgen on `text`, and writes everything that is to be compiled.
    pub(crate) fn new(name: &str, text: &str, variants: &[Variant]) -> Result<Subject, Failed> {
        let folder = workplace(name)?;
        let (ours, theirs) = (folder.join("ours"), folder.join("theirs"));
        fs::create_dir_all(&ours)?;
        fs::create_dir_all(&theirs)?;
        fs::write(theirs.join("r.x"), text)?;
        compile::rpcgen("r", &theirs)?;
        let aoi = messages::read("r.x", text)?;
        let mut arenas = BTreeSet::new();
        for (variant, options) in variants {
            let generated = compile::whittle("r", text, options)?;
            fs::write(ours.join(format!("{variant}.c")), generated.routines)?;
            fs::write(ours.join(format!("{variant}.names.h")), tables::renames(&aoi, variant))?;
            if options.server_arena {
                let names = messages::types(&aoi).into_iter().map(|(_, definition)| definition.name.clone());
                arenas = names.filter(|name| generated.header.contains(&format!("xdr_{name}_in_arena("))).collect();
                fs::write(ours.join("r.h"), generated.header)?;
            }
        }
        fs::write(theirs.join("names.h"), tables::renames(&aoi, "reference"))?;
        let variants: Vec<String> = variants.iter().map(|(name, _)| name.clone()).collect();
        fs::write(folder.join("table.c"), tables::table(&aoi, "ours/r.h", &variants, &arenas))?;
        fs::write(folder.join("layout.c"), tables::layout(&aoi, "r.h"))?;
        fs::write(folder.join("compare.c"), tables::COMPARE_LAYOUTS)?;
        Ok(Subject { aoi, folder, variants })
    }

    /// Compiles and links the program: sources of tests/safety, the last of which has `main`.
    pub(crate) fn build(&self, toolchain: &Toolchain, sources: &[&str]) -> Result<PathBuf, Failed> {
        let place = self.folder.join(toolchain.name.replace(' ', "-"));
        fs::create_dir_all(&place)?;
        let (main, shared) = sources.split_last().ok_or("no sources")?;
        let mut objects = checks(toolchain, shared)?;
        let mut object = |compilation: &Compilation, source: PathBuf, name: &str| {
            let object = place.join(format!("{name}.o"));
            objects.push(object.clone());
            compilation.object(&source, &object)
        };
        let plain = Compilation::new(toolchain.compiler).with(["-std=gnu11"]).with(folders()).with_tirpc();
        let folder = |name: &str| self.folder.join(name).display().to_string();
        let ledger = root().join("tests/safety/ledger.h").display().to_string();
        let mine = plain.clone().with(toolchain.flags.iter().copied()).with(oracle::STRICT);
        for variant in &self.variants {
            let names = folder(&format!("ours/{variant}.names.h"));
            let mine = mine.clone().with(["-include", &names, "-include", &ledger]);
            object(&mine, self.folder.join(format!("ours/{variant}.c")), variant)?;
        }
        let theirs = plain.clone().with(["-w", "-include", &folder("theirs/names.h")]);
        object(&theirs, self.folder.join("theirs/r_xdr.c"), "theirs")?;
        object(&includes(&plain), self.folder.join("table.c"), "table")?;
        let main_source = root().join(format!("tests/safety/{main}.c"));
        let names = self.variants.first().map(|variant| folder(&format!("ours/{variant}.names.h"))).unwrap_or_default();
        let names = ["-include".to_owned(), names, format!("-I{}", self.folder.display())];
        object(&includes(&plain).with(names).with(toolchain.flags.iter().copied()), main_source, main)?;
        let program = place.join("program");
        plain.with(toolchain.flags.iter().copied()).program(&objects, &program)?;
        self.compare_layouts(&place)?;
        Ok(program)
    }

    /// The two headers give every type the same size and every member the same place.
    fn compare_layouts(&self, place: &Path) -> Result<(), Failed> {
        let mut objects = vec![self.folder.join("compare.c")];
        for side in ["ours", "theirs"] {
            let object = place.join(format!("layout-{side}.o"));
            let flags = [format!("-DLAYOUT={side}"), format!("-DLAYOUT_COUNT={side}_count")];
            let folder = format!("-I{}", self.folder.join(side).display());
            let compilation = Compilation::new("gcc").with(["-w"]).with(flags).with([folder]).with(folders()).with_tirpc();
            compilation.object(&self.folder.join("layout.c"), &object)?;
            objects.push(object);
        }
        let program = place.join("compare");
        Compilation::new("gcc").program(&objects, &program)?;
        oracle::succeed(&mut oracle::command(&program.display().to_string())).map(|_| ())
    }

    /// Writes messages of every type, some empty, some not, the last of each large; returns where.
    pub(crate) fn messages(&self, seed: u64, ordinary: u64, large: u64) -> Result<PathBuf, Failed> {
        let mut random = Random::new(seed);
        let mut file = Vec::new();
        for (index, (id, _)) in messages::types(&self.aoi).into_iter().enumerate() {
            let mut sizes = vec![Size::Empty];
            sizes.extend((0..ordinary).map(|_| Size::About(400)));
            sizes.extend((large > 0).then_some(Size::About(large)));
            for size in sizes {
                let message = messages::message(&self.aoi, id, &mut random, size);
                for word in [index, message.len()] {
                    file.extend(u32::try_from(word)?.to_ne_bytes());
                }
                file.extend(message);
            }
        }
        let path = self.folder.join(format!("messages-{ordinary}-{large}"));
        fs::write(&path, file)?;
        Ok(path)
    }
}

fn includes(plain: &Compilation) -> Compilation {
    plain.clone().with(folders()).with(oracle::STRICT)
}

fn folders() -> [String; 2] {
    ["tests/safety", "runtime/tests"].map(|folder| format!("-I{}", root().join(folder).display()))
}

/// The checks over a table, and what duties made by hand need of them.
pub(crate) const SUITE: [&str; 8] = ["streams", "ledger", "report", "value", "agree", "arena", "hostile", "main"];
pub(crate) const DUTIES: [&str; 5] = ["streams", "ledger", "report", "value", "duties"];

static DONE: Mutex<BTreeSet<(&'static str, String)>> = Mutex::new(BTreeSet::new());

/// The objects of the checks themselves, compiled once for each toolchain.
fn checks(toolchain: &Toolchain, names: &[&str]) -> Result<Vec<PathBuf>, Failed> {
    let mut done = DONE.lock().map_err(|_| "another build failed")?;
    let place = workplace(&format!("checks {}", toolchain.name))?;
    let compilation = Compilation::new(toolchain.compiler).with(["-std=gnu11"]).with_tirpc();
    let compilation = includes(&compilation).with(toolchain.flags.iter().copied());
    let mut objects = Vec::new();
    for name in names {
        let folder = if *name == "streams" { "runtime/tests" } else { "tests/safety" };
        let object = place.join(format!("{name}.o"));
        if !done.contains(&(toolchain.name, (*name).to_owned())) {
            compilation.object(&root().join(folder).join(format!("{name}.c")), &object)?;
        }
        done.insert((toolchain.name, (*name).to_owned()));
        objects.push(object);
    }
    Ok(objects)
}

/// The largest allocation that succeeds, in MiB: libtirpc asks for all that a count promises.
const LARGEST: u32 = 16;

/// Runs the checks, under the sanitizers' strictest rules.
pub(crate) fn run_checks(program: &Path, arguments: &[&str]) -> Result<(), Failed> {
    let mut command = Command::new(program);
    command.args(arguments);
    if !program.to_string_lossy().contains("sanitizer") {
        command.env("SAFETY_LIMIT", "1");
    }
    finish(&mut command, LARGEST)
}

/// Runs one duty.
pub(crate) fn run_duty(program: &Path, name: &str) -> Result<(), Failed> {
    finish(Command::new(program).arg(name), 16 * LARGEST)
}

/// Runs one duty in a program that has little stack.
pub(crate) fn run_on_small_stack(program: &Path, name: &str) -> Result<(), Failed> {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -s 64; exec \"$0\" \"$1\""]).arg(program).arg(name);
    finish(&mut command, 16 * LARGEST)
}

fn finish(command: &mut Command, largest: u32) -> Result<(), Failed> {
    let options = format!("allocator_may_return_null=1:max_allocation_size_mb={largest}:detect_stack_use_after_return=0");
    command.env("ASAN_OPTIONS", options).env("UBSAN_OPTIONS", "print_stacktrace=1");
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    // libtirpc's own oversized allocations are announced at length.
    let lines: Vec<&str> = said.lines().filter(|line| !line.contains("failed to allocate")).collect();
    let last = lines.len().saturating_sub(60);
    Err(format!("{command:?}\n{}\n{}", output.status, lines[last..].join("\n")).into())
}
