//! `cargo xtask mach WORK WHITTLE`: programs of ours in the kernel that `make mach` built below WORK. In: `tests/mach/booted`, whose clients
//! and servers are tasks of a booted GNU Mach, and `bench/mach`. Out: what the tests say, and the table of Figure 7: instructions of a call,
//! as the emulator counts them, beside MIG's stubs. The kernel's own harness links the programs and makes what is booted.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tree;

const USAGE: &str = "mach: WORK WHITTLE (`make mach MACH_SRC=DIR` calls it)";
/// What the harness's programs say when they succeed, and when not.
const GOOD: &str = "gnumach-test-success-and-reboot";
const BAD: &str = "gnumach-test-failure";
/// The emulator, as the harness starts it; it also ends by itself.
const EMULATOR: &str = "-m 2047 -nographic -no-reboot -monitor none -serial stdio -boot d -cpu core2duo-v1";

struct Bench {
    root: PathBuf,
    work: PathBuf,
    whittle: PathBuf,
}

pub(crate) fn run(words: &[&str]) -> Result<(), Vec<String>> {
    let [work, whittle] = words else { return Err(vec![USAGE.to_owned()]) };
    let bench = Bench { root: tree::root(), work: PathBuf::from(work), whittle: PathBuf::from(whittle) };
    measured(&bench).map_err(|problem| vec![format!("mach: {problem}")])
}

fn measured(bench: &Bench) -> Result<(), String> {
    for (name, style, interface) in [("calls", "plain", "store.idl"), ("objects", "corba", "objects.idl")] {
        let program = format!("tests/mach/booted/{name}.c");
        let said = bench.boots(name, (style, &format!("tests/mach/{interface}")), &program, &[])?;
        said.lines().filter(|line| !line.contains(GOOD)).for_each(|line| println!("mach: {name}: {line}"));
    }
    bench.mig_stubs()?;
    let interface = ("plain", "bench/mach/figure7.x");
    let said = bench.boots("figure7", interface, "bench/mach/figure7.c", &["-icount", "shift=0"])?;
    println!("{}", table(&said));
    Ok(())
}

/// Lines of a size and eight numbers, as a table in Markdown.
fn table(said: &str) -> String {
    let mut text = String::from(
        "| bytes | same integers: MIG inline | MIG out of line | whittle | new integers: MIG inline | MIG out of line | whittle | rectangles: whittle | entries: whittle |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    for line in said.lines().filter_map(|line| line.strip_prefix("figure7 ")) {
        let numbers: Vec<&str> = line.split_whitespace().map(|word| if word == "0" { "" } else { word }).collect();
        let _ = writeln!(text, "| {} |", numbers.join(" | "));
    }
    text
}

impl Bench {
    fn folder(&self, name: &str) -> PathBuf {
        self.work.join("programs").join(name)
    }

    /// Compiles an interface, builds the program around it and boots it; what it says.
    fn boots(
        &self,
        name: &str,
        (style, interface): (&str, &str),
        program: &str,
        options: &[&str],
    ) -> Result<String, String> {
        let folder = self.folder(name);
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        let mut whittle = Command::new(&self.whittle);
        whittle.arg("compile").arg(self.root.join(interface)).args(["--style", style, "--link", "mach", "--out"]);
        done(whittle.arg(&folder))?;
        copy(&self.root.join(program), &self.work.join("gnumach/tests").join(format!("test-{name}.c")))?;
        let image = format!("tests/test-{name}.iso");
        for old in [self.work.join("build").join(&image), self.work.join(format!("build/tests/module-{name}"))] {
            // None is there the first time.
            let _ = std::fs::remove_file(old);
        }
        let include = |path: &Path| format!(" -I{}", path.display());
        let own = ["tests/mach/booted", "tests/mach"].map(|path| include(&self.root.join(path))).concat();
        // The kernel saves vector registers for tasks that use them; values of CORBA's style have floating point.
        let registers = if style == "plain" { " -mgeneral-regs-only" } else { "" };
        let flags = format!("USER_CFLAGS=-O2{registers} -fno-stack-protector -w{}{own}", include(&folder));
        done(Command::new("make").current_dir(self.work.join("build")).args([&image, &flags]))?;
        let mut emulator = Command::new("timeout");
        emulator.args(["300", "qemu-system-x86_64"]).args(EMULATOR.split(' ')).args(options);
        let said = done(emulator.arg("-cdrom").arg(self.work.join("build").join(&image)))?.replace('\r', "");
        let own = said.split_once("start module").map_or("", |(_, own)| own);
        let own = own.split_once('\n').map_or("", |(_, lines)| lines);
        if own.contains(GOOD) && !own.contains(BAD) {
            return Ok(own.to_owned());
        }
        let first: Vec<&str> = own.lines().take(20).collect();
        Err(format!("{name} fails in the kernel:\n{}", first.join("\n")))
    }

    /// GNU MIG's stubs for the same.
    fn mig_stubs(&self) -> Result<(), String> {
        let folder = self.folder("figure7");
        std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        copy(&self.root.join("bench/mach/figure7_types.h"), &folder.join("figure7_types.h"))?;
        let headers = self.work.join("build/tests/include-mach/usr/local/include");
        let mut cpp = Command::new("gcc");
        cpp.args(["-E", "-x", "c", "-nostdinc", "-I"]).arg(headers).arg(self.root.join("bench/mach/figure7.defs"));
        done(cpp.arg("-o").arg(folder.join("figure7.i")))?;
        let definitions = std::fs::File::open(folder.join("figure7.i")).map_err(|error| error.to_string())?;
        let mut mig = Command::new(self.work.join("tools/usr/bin/x86_64-gnu-mig"));
        mig.current_dir(&folder).stdin(definitions);
        mig.args("-n -cc cat - /dev/null -user figure7User.c -server figure7Server.c -header figure7_mig.h".split(' '));
        done(&mut mig).map(|_| ())
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    std::fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", from.display()))
}

/// Runs a command to its good end; what it said.
fn done(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let last: Vec<&str> = said.lines().rev().take(20).collect();
    Err(format!("{command:?}: {}\n{}", output.status, last.into_iter().rev().collect::<Vec<_>>().join("\n")))
}
