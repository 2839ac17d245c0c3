//! Compilers, natively and for other machines, and how what they make is run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use filetest::oracle::{self, Compilation};
use libtest_mimic::{Failed, Trial};

/// A compiler and how it is used.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Toolchain {
    pub(crate) name: &'static str,
    pub(crate) compiler: &'static str,
    pub(crate) flags: &'static [&'static str],
    pub(crate) machine: Option<Machine>,
}

/// Another machine: Debian's name for it, the compiler's, and who plays it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    architecture: &'static str,
    triple: &'static str,
    emulator: &'static str,
}

const S390X: Machine = Machine { architecture: "s390x", triple: "s390x-linux-gnu", emulator: "qemu-s390x" };
const ARMHF: Machine = Machine { architecture: "armhf", triple: "arm-linux-gnueabihf", emulator: "qemu-arm" };

pub(crate) const fn native(name: &'static str, compiler: &'static str, flags: &'static [&'static str]) -> Toolchain {
    Toolchain { name, compiler, flags, machine: None }
}

const SANITIZERS: &[&str] = &["-O1", "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
pub(crate) const GCC_SANITIZED: Toolchain = native("gcc sanitizers", "gcc", SANITIZERS);
pub(crate) const CLANG_SANITIZED: Toolchain = native("clang sanitizers", "clang", SANITIZERS);
const THREADS: &[&str] = &["-O1", "-g1", "-fsanitize=thread", "-pthread"];
pub(crate) const GCC_THREADS: Toolchain = native("gcc thread sanitizer", "gcc", THREADS);
/// The objects of a libFuzzer program, which has its `main` from the linker's flags.
const FUZZED: &[&str] = &["-O1", "-g1", "-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=all"];
pub(crate) const CLANG_FUZZER: Toolchain = native("clang fuzzer", "clang", FUZZED);
/// With so little taken on trust, in so small pieces, that short messages already need more.
const FUZZED_IN_PIECES: &[&str] = &[
    "-O1",
    "-g1",
    "-fsanitize=fuzzer-no-link,address,undefined",
    "-fno-sanitize-recover=all",
    "-DWHITTLE_CREDIT=64",
    "-DWHITTLE_ARENA_FIRST=64",
    "-DWHITTLE_MAX_DEPTH=8",
    "-DHEAP_ALLOWANCE=1024",
];
pub(crate) const CLANG_FUZZER_IN_PIECES: Toolchain = native("clang fuzzer in pieces", "clang", FUZZED_IN_PIECES);
pub(crate) const GCC: Toolchain = native("gcc -O2", "gcc", &["-O2"]);
pub(crate) const GCC_UNOPTIMIZED: Toolchain = native("gcc -O0", "gcc", &["-O0"]);

/// The machine whose bytes stand the other way round.
pub(crate) const BIG_ENDIAN: Toolchain =
    Toolchain { name: "s390x", compiler: "s390x-linux-gnu-gcc", flags: &["-O2"], machine: Some(S390X) };
/// The machine whose long and pointers have 32 bits, and whose char has no sign.
pub(crate) const NARROW: Toolchain =
    Toolchain { name: "armhf", compiler: "arm-linux-gnueabihf-gcc", flags: &["-O2"], machine: Some(ARMHF) };

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A folder for what tests make, kept until the next run.
pub(crate) fn workplace(name: &str) -> Result<PathBuf, Failed> {
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(env!("CARGO_CRATE_NAME")).join(name.replace([' ', ','], "-"));
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

impl Machine {
    /// Where libtirpc for it is unpacked.
    fn folder(self) -> PathBuf {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap_or(Path::new("."));
        target.join(format!("sysroot-{}", self.architecture))
    }

    /// Unpacks libtirpc, the first time.
    fn prepare(self) -> bool {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _held = ONE_AT_A_TIME.lock();
        let script = root().join("tests/wire/sysroot.sh");
        let output = Command::new(script).arg(self.architecture).arg(self.folder()).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Toolchain {
    /// What it needs and is not there.
    pub(crate) fn missing(&self) -> Option<String> {
        let emulator = self.machine.map(|machine| machine.emulator);
        let absent = [Some("rpcgen"), Some(self.compiler), emulator];
        let absent = absent.into_iter().flatten().find(|program| oracle::find(program).is_none());
        match (absent, self.machine) {
            (Some(program), _) => Some(program.to_owned()),
            (None, Some(machine)) if !machine.prepare() => Some(format!("libtirpc-dev:{}", machine.architecture)),
            _ => None,
        }
    }

    /// A command line with all that C of ours includes.
    pub(crate) fn compilation(&self) -> Compilation {
        let includes = ["tests/safety", "tests/wire", "runtime/tests", "runtime/include"];
        let includes = includes.map(|folder| format!("-I{}", root().join(folder).display()));
        let compilation = Compilation::new(self.compiler).with(["-std=gnu11"]).with(includes);
        match self.machine {
            None => compilation.with_tirpc(),
            Some(machine) => {
                let folder = machine.folder().display().to_string();
                compilation.with([format!("-I{folder}/usr/include/tirpc")])
            }
        }
    }

    /// With the flags that tell one toolchain from another.
    pub(crate) fn flagged(&self) -> Compilation {
        self.compilation().with(self.flags.iter().copied())
    }

    pub(crate) fn link(&self, objects: &[PathBuf], flags: &[&str], program: &Path) -> Result<(), Failed> {
        let compilation = self.flagged().with(flags.iter().copied());
        let compilation = match self.machine {
            None => compilation,
            Some(machine) => {
                let folder = machine.folder().display().to_string();
                compilation.with(["-static".to_owned(), format!("-L{folder}/usr/lib/{}", machine.triple)])
            }
        };
        let mut inputs = objects.to_vec();
        inputs.push("-lm".into());
        compilation.program(&inputs, program)
    }

    /// A tool of the compiler's.
    fn tool(&self, name: &str) -> Command {
        match self.machine {
            None => oracle::command(name),
            Some(machine) => oracle::command(&format!("{}-{name}", machine.triple)),
        }
    }

    /// A libtirpc for rpcgen's routines alone: its names begin with `reference_`, so that sanitizers do not take its calls, and
    /// it allocates sparingly (tests/safety/sparing.c). The archive, and a header that gives the names.
    pub(crate) fn reference_library(&self) -> Result<[PathBuf; 2], Failed> {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let _held = ONE_AT_A_TIME.lock();
        let place = workplace(&format!("shared {}", self.name))?;
        let (archive, header) = (place.join("libreference.a"), place.join("reference.h"));
        let original = match self.machine {
            Some(machine) => machine.folder().join(format!("usr/lib/{}/libtirpc.a", machine.triple)),
            None => {
                let output = oracle::succeed(oracle::command("gcc").arg("-print-file-name=libtirpc.a"))?;
                PathBuf::from(String::from_utf8_lossy(&output.stdout).trim())
            }
        };
        let symbols = oracle::succeed(self.tool("nm").args(["-g", "--defined-only"]).arg(&original))?;
        let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let names = symbols.lines().filter_map(|line| line.split(' ').nth(2).filter(|name| name.starts_with("xdr_")));
        let names: BTreeSet<&str> = names.collect();
        let renames: String = names.iter().map(|name| format!("{name} reference_{name}\n")).collect();
        let list = place.join("reference.names");
        fs::write(&list, renames + "malloc sparing_malloc\ncalloc sparing_calloc\n")?;
        let defines: String = names.iter().map(|name| format!("#define {name} reference_{name}\n")).collect();
        fs::write(&header, defines)?;
        let option = format!("--redefine-syms={}", list.display());
        oracle::succeed(self.tool("objcopy").arg(option).arg(&original).arg(&archive))?;
        Ok([archive, header])
    }

    /// A command that runs a program.
    pub(crate) fn command(&self, program: &Path) -> Command {
        match self.machine {
            None => Command::new(program),
            Some(machine) => {
                let mut command = oracle::command(machine.emulator);
                command.arg(program);
                command
            }
        }
    }

    /// The objects of sources that all programs share, compiled once.
    pub(crate) fn shared(&self, sources: &[&str]) -> Result<Vec<PathBuf>, Failed> {
        static DONE: Mutex<BTreeSet<(&'static str, String)>> = Mutex::new(BTreeSet::new());
        let mut done = DONE.lock().map_err(|_| "another build failed")?;
        let place = workplace(&format!("shared {}", self.name))?;
        let mut objects = Vec::new();
        for source in sources {
            let name = Path::new(source).file_stem().unwrap_or_default();
            let object = place.join(name).with_extension("o");
            if !done.contains(&(self.name, (*source).to_owned())) {
                self.flagged().with(oracle::STRICT).object(&root().join(source), &object)?;
            }
            done.insert((self.name, (*source).to_owned()));
            objects.push(object);
        }
        Ok(objects)
    }
}

/// A case that needs a toolchain: ignored where that is absent, a failure there where `CI` is set.
pub(crate) fn trial<F>(name: String, toolchain: Toolchain, run: F) -> Trial
where
    F: FnOnce() -> Result<(), Failed> + Send + 'static,
{
    match toolchain.missing() {
        None => Trial::test(name, run),
        Some(missing) => oracle::absent(name, &missing),
    }
}

/// Runs a command under the sanitizers' strictest rules; what it said is the failure when it fails.
pub(crate) fn run(command: &mut Command) -> Result<(), Failed> {
    command.env("ASAN_OPTIONS", "detect_stack_use_after_return=0").env("UBSAN_OPTIONS", "print_stacktrace=1");
    said(command).map(|_| ())
}

/// Runs a command; what it said is returned, or the failure.
pub(crate) fn said(command: &mut Command) -> Result<String, Failed> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.success() {
        return Ok(said);
    }
    let lines: Vec<&str> = said.lines().collect();
    let last = lines.len().saturating_sub(60);
    Err(format!("{command:?}\n{}\n{}", output.status, lines[last..].join("\n")).into())
}
