//! The sample project `examples/station`, built by CMake, Meson and make with what is installed under a prefix, in a folder whose name
//! has a blank, and run. Out: [`Place`], which the package for Debian is tried with, too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use filetest::oracle::in_ci;
use filetest::programs::{Outcome, Server, is_installed, text};
use filetest::scratch::Scratch;

use crate::{prefix, root, said};

/// Where whittle is installed, and what tells build systems of it.
pub(crate) struct Place {
    pub(crate) prefix: PathBuf,
    pub(crate) environment: Vec<(&'static str, PathBuf)>,
}

impl Place {
    /// The prefix of all these tests.
    pub(crate) fn usual() -> Outcome<Place> {
        let prefix = prefix()?;
        Ok(Place { environment: vec![("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig"))], prefix })
    }

    /// A program that finds whittle there, and nothing of it on the path. Its output is `Err` where it fails.
    pub(crate) fn run(&self, program: &str, words: &[&str]) -> Outcome<String> {
        let mut command = Command::new(program);
        command.args(words).env_remove("MAKEFLAGS").env_remove("WHITTLE_EXECUTABLE");
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        let output = command.output()?;
        let printed = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("{command:?}: {}\n{printed}\n{}", output.status, said(&output)).into());
        }
        Ok(printed)
    }

    /// A CMake project, configured.
    pub(crate) fn configure(&self, project: &Path, build: &Path, options: &[&str]) -> Outcome<String> {
        let prefix = format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display());
        let words =
            ["-S", text(project), "-B", text(build), &prefix, "-DCMAKE_C_FLAGS=-Wall -Wextra -Wpedantic -Werror"];
        self.run("cmake", &[&words, options].concat())
    }
}

/// Whether the machine has all of these; in CI an absent one is a failure.
pub(crate) fn has(programs: &[&str]) -> bool {
    let missing: Vec<&&str> = programs.iter().filter(|program| !is_installed(program)).collect();
    assert!(missing.is_empty() || !in_ci(), "not installed (make deps): {missing:?}");
    missing.is_empty()
}

/// The files of the sample, in a folder with a blank in its name.
pub(crate) fn sample(scratch: &Scratch) -> Outcome<PathBuf> {
    let folder = scratch.path().join("a station");
    fs::create_dir_all(&folder)?;
    for entry in fs::read_dir(root().join("examples/station"))? {
        let file = entry?.path();
        fs::copy(&file, folder.join(file.file_name().ok_or("no name")?))?;
    }
    Ok(folder)
}

/// What a client says that calls a server which was built with it.
pub(crate) fn call(programs: &Path) -> Outcome<Output> {
    let server = Server::start(&programs.join("server"), &["tcp://127.0.0.1"])?;
    Ok(Command::new("timeout").arg("20").arg(programs.join("client")).arg(&server.address).output()?)
}

pub(crate) fn works(programs: &Path) -> Outcome {
    let client = call(programs)?;
    assert!(client.status.success(), "{}", said(&client));
    assert_eq!(String::from_utf8_lossy(&client.stdout), "harbour: 4.2\n");
    Ok(())
}

/// That a change of what an interface includes reaches the programs.
fn is_built_again(project: &Path, programs: &Path, build: &dyn Fn() -> Outcome<String>) -> Outcome {
    let included = project.join("reading.x");
    let text = fs::read_to_string(&included)?;
    fs::write(&included, text.replace("place<64>", "place<6>"))?;
    assert!(build()?.contains("station.x"), "what station.x includes has changed");
    assert!(!call(programs)?.status.success(), "`harbour` is too long to be sent");
    Ok(fs::write(&included, text)?)
}

#[test]
fn cmake_builds_the_sample() -> Outcome {
    if !has(&["cmake", "ninja"]) {
        return Ok(());
    }
    let (scratch, place) = (Scratch::new("cmake-sample")?, Place::usual()?);
    let project = sample(&scratch)?;
    for generator in ["Ninja", "Unix Makefiles"] {
        let build = scratch.path().join(format!("by {generator}"));
        place.configure(&project, &build, &["-G", generator])?;
        let by_cmake = || place.run("cmake", &["--build", text(&build)]);
        by_cmake()?;
        works(&build)?;
        is_built_again(&project, &build, &by_cmake)?;
    }
    Ok(())
}

#[test]
fn meson_builds_the_sample() -> Outcome {
    if !has(&["meson", "ninja"]) {
        return Ok(());
    }
    let (scratch, place) = (Scratch::new("meson-sample")?, Place::usual()?);
    let (project, build) = (sample(&scratch)?, scratch.path().join("its build"));
    place.run("meson", &["setup", "--werror", text(&build), text(&project)])?;
    let by_meson = || place.run("meson", &["compile", "-C", text(&build)]);
    by_meson()?;
    works(&build)?;
    is_built_again(&project, &build, &by_meson)
}

/// It says what an interface includes, and make obeys.
#[test]
fn make_builds_the_sample() -> Outcome {
    let (scratch, place) = (Scratch::new("make-sample")?, Place::usual()?);
    let project = sample(&scratch)?;
    let make = || place.run("make", &["-C", text(&project), "CFLAGS=-O1 -Wall -Wextra -Werror"]);
    make()?;
    works(&project)?;
    assert!(make()?.contains("Nothing to be done"));
    is_built_again(&project, &project, &make)
}

/// What the guide shows of the sample's build files stands there.
#[test]
fn the_guide_shows_the_sample() -> Outcome {
    let guide = fs::read_to_string(root().join("docs/guides/install.md"))?;
    for (language, name) in [("cmake", "CMakeLists.txt"), ("meson", "meson.build"), ("make", "Makefile")] {
        let file = fs::read_to_string(root().join("examples/station").join(name))?;
        let blocks: Vec<&str> = guide.split(&format!("```{language}\n")).skip(1).collect();
        assert!(!blocks.is_empty(), "the guide shows nothing of {name}");
        for block in blocks {
            let block = block.split("```").next().unwrap_or_default();
            assert!(file.contains(block), "{name} has no such lines:\n{block}");
        }
    }
    Ok(())
}
