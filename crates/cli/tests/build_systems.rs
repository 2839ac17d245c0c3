//! The lines of `docs/guides/replace-rpcgen.md` for make, CMake and Meson, run as they stand there: each builds a
//! library, a client and a server, from files that whittle wrote. And the sample Makefile that whittle writes itself.

#[path = "build_systems/sample_makefile.rs"]
mod sample_makefile;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

const GUIDE: &str = include_str!("../../../docs/guides/replace-rpcgen.md");
/// The guide's example, which its build files build.
const DEMO: [&str; 3] = ["demo.x", "procedures.c", "client.c"];
/// Where the guide takes whittle to be.
const INSTALLED: &str = "/usr/local/bin/whittle-rpcgen";

fn main() {
    let arguments = Arguments::from_args();
    let trial = |name: &str, programs: &[&str], test: fn(&Project) -> Result<(), Failed>| -> Trial {
        oracle::trial(name, programs, move || test(&Project::new()?))
    };
    let mut trials = vec![
        trial("make: the variable", &["make", "gcc", "cpp", "pkg-config"], make),
        trial("cmake: -DRPCGEN", &["cmake", "make", "gcc", "cpp", "pkg-config"], cmake),
        trial("cmake: rpcgen on the path", &["cmake", "make", "gcc", "cpp", "pkg-config"], cmake_by_path),
        trial("meson: a native file", &["meson", "gcc", "cpp", "pkg-config"], meson),
        trial("meson: rpcgen on the path", &["meson", "gcc", "cpp", "pkg-config"], meson_by_path),
    ];
    trials.extend(sample_makefile::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

/// A folder with `demo.x`, and `bin`, where links to whittle are called `rpcgen` and `whittle-rpcgen`.
struct Project {
    folder: Scratch,
}

impl Project {
    fn new() -> Result<Project, Failed> {
        let folder = Scratch::new("build")?;
        for name in DEMO {
            let block = GUIDE.split(&format!("```c\n/* {name} */\n")).nth(1).and_then(|rest| rest.split("```").next());
            fs::write(folder.path().join(name), block.ok_or_else(|| format!("the guide has no {name}"))?)?;
        }
        fs::create_dir(folder.path().join("bin"))?;
        let whittle = env!("CARGO_BIN_EXE_whittle");
        for (folder_of, name) in [("bin", "rpcgen"), (".", "whittle-rpcgen")] {
            std::os::unix::fs::symlink(whittle, folder.path().join(folder_of).join(name))?;
        }
        Ok(Project { folder })
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a block of the guide into a file: the first that is not another example's file.
    fn take(&self, language: &str, name: &str) -> Result<(), Failed> {
        let fence = format!("```{language}\n");
        let mut blocks = GUIDE.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
        let block = blocks.find(|block| !block.starts_with("# src/"));
        let block = block.ok_or_else(|| format!("the guide has no block of {language}"))?;
        let link = self.path("whittle-rpcgen").display().to_string();
        Ok(fs::write(self.path(name), block.replace(INSTALLED, &link))?)
    }

    /// Runs a command in the folder; with `by_path`, whittle is what the path has for `rpcgen`.
    fn run(&self, by_path: bool, words: &[&str]) -> Result<(), Failed> {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(self.folder.path()).env_remove("CPP").env_remove("MAKEFLAGS");
        if by_path {
            let path = std::env::var("PATH").unwrap_or_default();
            command.env("PATH", format!("{}:{path}", self.path("bin").display()));
        }
        oracle::succeed(&mut command).map(|_| ())
    }

    /// There are a library, a client and a server, and whittle wrote what they are made of.
    fn is_built(&self, build: &str) -> Result<(), Failed> {
        let folder = self.path(build);
        for name in ["demo.h", "demo_xdr.c", "demo_clnt.c", "demo_svc.c"] {
            let text = fs::read_to_string(folder.join(name))?;
            if !text.contains("generated using whittle") {
                return Err(format!("{name} is not whittle's").into());
            }
        }
        let symbols = oracle::succeed(Command::new("nm").arg("libdemo.a").current_dir(&folder))?;
        let symbols = String::from_utf8_lossy(&symbols.stdout).into_owned();
        let usage = Command::new(folder.join("client")).output()?;
        if usage.status.code() != Some(2) || !usage.stderr.starts_with(b"usage: client HOST") {
            return Err("the client does not run".into());
        }
        let server = oracle::succeed(Command::new("nm").arg("server").current_dir(&folder))?;
        if !String::from_utf8_lossy(&server.stdout).contains("T mirror_1_svc") {
            return Err("the server has no procedures".into());
        }
        match ["T xdr_point", "T mirror_1"].iter().find(|symbol| !symbols.contains(**symbol)) {
            None => Ok(()),
            Some(symbol) => Err(format!("the library has no `{symbol}`:\n{symbols}").into()),
        }
    }
}

/// What the guide says on the command line, with its words as they stand there.
fn said(words: &str) -> Result<Vec<&str>, Failed> {
    if GUIDE.contains(words) {
        Ok(words.split(' ').collect())
    } else {
        Err(format!("not in the guide: {words}").into())
    }
}

fn make(project: &Project) -> Result<(), Failed> {
    project.take("make", "Makefile")?;
    said("make RPCGEN=\"whittle rpcgen\"")?;
    let variable = format!("RPCGEN={} rpcgen", env!("CARGO_BIN_EXE_whittle"));
    project.run(false, &["make", &variable])?;
    project.is_built(".")
}

fn cmake(project: &Project) -> Result<(), Failed> {
    project.take("cmake", "CMakeLists.txt")?;
    let words = said("cmake -S . -B build -DRPCGEN=/usr/local/bin/whittle-rpcgen")?;
    let variable = words[5].replace(INSTALLED, &project.path("whittle-rpcgen").display().to_string());
    project.run(false, &[&words[..5], &[&variable]].concat())?;
    project.run(false, &["cmake", "--build", "build"])?;
    project.is_built("build")
}

fn cmake_by_path(project: &Project) -> Result<(), Failed> {
    project.take("cmake", "CMakeLists.txt")?;
    without_installed(project, "CMakeLists.txt", "NAMES whittle-rpcgen rpcgen", "rpcgen")?;
    project.run(true, &["cmake", "-S", ".", "-B", "build"])?;
    project.run(true, &["cmake", "--build", "build"])?;
    project.is_built("build")
}

fn meson(project: &Project) -> Result<(), Failed> {
    project.take("meson", "meson.build")?;
    project.take("ini", "whittle.ini")?;
    without_installed(project, "meson.build", "'whittle-rpcgen', 'rpcgen'", "'rpcgen'")?;
    project.run(false, &said("meson setup --native-file whittle.ini build")?)?;
    project.run(false, &["meson", "compile", "-C", "build"])?;
    project.is_built("build")
}

fn meson_by_path(project: &Project) -> Result<(), Failed> {
    project.take("meson", "meson.build")?;
    without_installed(project, "meson.build", "'whittle-rpcgen', 'rpcgen'", "'rpcgen'")?;
    project.run(true, &["meson", "setup", "build"])?;
    project.run(true, &["meson", "compile", "-C", "build"])?;
    project.is_built("build")
}

/// The line of an older project, which looks for `rpcgen` alone.
fn without_installed(project: &Project, name: &str, both: &str, one: &str) -> Result<(), Failed> {
    let path: &Path = &project.path(name);
    let text = fs::read_to_string(path)?;
    if !text.contains(both) {
        return Err(format!("{name} does not look for {both}").into());
    }
    Ok(fs::write(path, text.replace(both, one))?)
}
