//! `whittle_generate()` of the installed CMake module: every style and link, what it refuses, and what is built again when.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{Outcome, run, text};
use filetest::scratch::Scratch;

use crate::projects::{Place, has};
use crate::{direct, said};

const KEPT: &str = "#include \"size.h\"\n\
                    const COUNT = SIZE;\n\
                    struct kept { int all[EXTRA]; };\n";
const PROGRAM: &str = "program KEPT { version KEPT_1 { kept GET(int) = 1; } = 1; } = 0x20000322;\n";

/// A project of one library of `kept.x`, which includes a file of another folder, and its build.
struct Kept {
    scratch: Scratch,
    place: Place,
}

impl Kept {
    fn new(generator: &str) -> Outcome<Kept> {
        let kept = Kept { scratch: Scratch::new("kept")?, place: Place::usual()? };
        fs::create_dir(kept.path("other files"))?;
        fs::write(kept.path("other files/size.h"), "#define SIZE 10\n")?;
        fs::write(kept.path("kept.x"), format!("{KEPT}{PROGRAM}"))?;
        let lines = "cmake_minimum_required(VERSION 3.18)\nproject(kept C)\nfind_package(whittle 0.1 REQUIRED)\nadd_library(kept STATIC)\n\
                     whittle_generate(TARGET kept SOURCES kept.x STYLE plain INCLUDES \"other files\" DEFINES EXTRA=3)\n";
        fs::write(kept.path("CMakeLists.txt"), lines)?;
        kept.place.configure(kept.scratch.path(), &kept.path("build"), &["-G", generator])?;
        kept.build()?;
        Ok(kept)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn build(&self) -> Outcome {
        self.place.run("cmake", &["--build", text(&self.path("build"))]).map(drop)
    }

    fn generated(&self, name: &str) -> Outcome<String> {
        Ok(fs::read_to_string(self.path("build/whittle/kept").join(name))?)
    }
}

#[test]
fn what_changed_is_built_again_and_nothing_else() -> Outcome {
    if !has(&["cmake", "ninja"]) {
        return Ok(());
    }
    for generator in ["Ninja", "Unix Makefiles"] {
        let kept = Kept::new(generator)?;
        let (header, written) = (kept.path("build/whittle/kept/kept.h"), |file: &Path| fs::metadata(file)?.modified());
        assert!(kept.generated("kept.h")?.contains("#define COUNT 10\n"));
        let before = written(&header)?;
        kept.build()?;
        assert_eq!(written(&header)?, before, "{generator}: nothing has changed");
        fs::write(kept.path("other files/size.h"), "#define SIZE 20\n")?;
        kept.build()?;
        assert!(kept.generated("kept.h")?.contains("#define COUNT 20\n"), "{generator}");
        // Stubs of a program that is gone would not compile: its types have changed.
        assert!(kept.generated("kept_client.c")?.contains("kept_get"));
        fs::write(kept.path("kept.x"), KEPT.replace("struct kept", "struct other"))?;
        kept.build()?;
        assert!(!kept.generated("kept_client.c")?.contains("kept_get"), "{generator}");
    }
    Ok(())
}

/// The project of all styles in one program, which another test builds without CMake.
const STYLES: &str = "cmake_minimum_required(VERSION 3.18)\n\
    project(styles C)\n\
    find_package(whittle REQUIRED)\n\
    foreach(name mapped spoken called old old_near old_over_tirpc ledger)\n  add_library(${name} STATIC)\nendforeach()\n\
    whittle_generate(TARGET mapped SOURCES ${INTERFACES}/mapped.idl STYLE corba RUNTIME ${RUNTIME})\n\
    whittle_generate(TARGET spoken SOURCES ${INTERFACES}/spoken.idl STYLE plain ENCODING cdr RUNTIME ${RUNTIME})\n\
    whittle_generate(TARGET called SOURCES ${INTERFACES}/called.x STYLE plain RUNTIME ${RUNTIME})\n\
    whittle_generate(TARGET old SOURCES ${INTERFACES}/old.x STYLE rpcgen LINK onc SIDE client RUNTIME ${RUNTIME})\n\
    whittle_generate(TARGET old_near SOURCES ${INTERFACES}/old.x STYLE rpcgen LINK shm SIDE client RUNTIME ${RUNTIME})\n\
    whittle_generate(TARGET ledger SOURCES ${INTERFACES}/../ledger.defs STYLE plain LINK shm RUNTIME ${RUNTIME}\n\
    OPTIONS --onc-program 0x20000700)\n\
    whittle_generate(TARGET old_over_tirpc SOURCES ${INTERFACES}/old.x STYLE rpcgen OPTIONS --newstyle --strict)\n\
    add_executable(styles ${INTERFACES}/styles.c)\n\
    target_include_directories(styles PRIVATE ${INTERFACES}/..)\n\
    target_link_libraries(styles mapped spoken called old)\n\
    file(WRITE ${CMAKE_BINARY_DIR}/main.c \"int main(void)\\n{\\n    return 0;\\n}\\n\")\n\
    foreach(row plain:tirpc corba:tirpc corba:onc)\n  string(REPLACE \":\" \";\" words ${row})\n  list(GET words 0 style)\n  list(GET words 1 link)\n\
    add_executable(${style}_${link} ${CMAKE_BINARY_DIR}/main.c)\n\
    whittle_generate(TARGET ${style}_${link} SOURCES ${INTERFACES}/called.x STYLE ${style} LINK ${link} RUNTIME ${RUNTIME} SIDE client)\n\
    endforeach()\n";

#[test]
fn every_style_is_generated_with_the_run_time_in_either_place() -> Outcome {
    if !has(&["cmake", "ninja"]) {
        return Ok(());
    }
    for runtime in ["installed", "beside"] {
        let (scratch, place) = (Scratch::new("cmake-styles")?, Place::usual()?);
        let build = scratch.path().join("build");
        fs::write(scratch.path().join("CMakeLists.txt"), STYLES)?;
        let interfaces = format!("-DINTERFACES={}", direct().join("styles").display());
        place.configure(
            scratch.path(),
            &build,
            &["-G", "Ninja", &interfaces, &format!("-DRUNTIME={runtime}"), "-DCMAKE_C_FLAGS=-Wall -Wextra -Werror"],
        )?;
        place.run("cmake", &["--build", text(&build)])?;
        run(Command::new("timeout").arg("60").arg(build.join("styles")))?;
    }
    Ok(())
}

/// Runs lines of CMake with the module, without a compiler. Out: whether they are accepted, and what is said.
fn script(lines: &str) -> Outcome<(bool, String)> {
    let (scratch, place) = (Scratch::new("cmake-lines")?, Place::usual()?);
    let module = place.prefix.join("lib/cmake/whittle/whittle-generate.cmake");
    fs::write(scratch.path().join("here.x"), "struct s { int a; };\n")?;
    fs::write(scratch.path().join("here.spi"), "")?;
    let project = format!(
        "cmake_minimum_required(VERSION 3.18)\nproject(lines NONE)\nset(WHITTLE_EXECUTABLE \"{}\")\ninclude(\"{}\")\n\
         add_library(t STATIC nothing.c)\nadd_library(whittle::whittle INTERFACE IMPORTED)\n{lines}",
        env!("CARGO_BIN_EXE_whittle"),
        module.display()
    );
    fs::write(scratch.path().join("CMakeLists.txt"), project)?;
    let output =
        Command::new("cmake").arg("-S").arg(scratch.path()).arg("-B").arg(scratch.path().join("b")).output()?;
    let words = said(&output).split_whitespace().collect::<Vec<&str>>().join(" ");
    Ok((output.status.success(), words))
}

#[test]
fn what_cannot_be_generated_is_refused_with_its_reason() -> Outcome {
    if !has(&["cmake"]) {
        return Ok(());
    }
    let rows = [
        ("SOURCES here.x STYLE plain", "TARGET is missing"),
        ("TARGET t STYLE plain", "SOURCES is missing"),
        ("TARGET t SOURCES here.x", "STYLE is missing"),
        ("TARGET t SOURCES here.x STYLE", "these need a value: STYLE"),
        ("t SOURCES here.x STYLE plain", "unknown arguments: t."),
        ("TARGET u SOURCES here.x STYLE plain", "there is no target `u`"),
        ("TARGET whittle::whittle SOURCES here.x STYLE plain", "compiles nothing"),
        ("TARGET t SOURCES here.x STYLE fancy", "STYLE is one of plain, rpcgen, corba, not `fancy`"),
        ("TARGET t SOURCES here.x STYLE plain SIDE left", "SIDE is one of both, client, server, not `left`"),
        ("TARGET t SOURCES here.x STYLE plain LINK udp", "LINK is one of onc, giop-tcp, tirpc, shm, not `udp`"),
        ("TARGET t SOURCES here.x STYLE plain RUNTIME near", "RUNTIME is one of installed, beside, not `near`"),
        ("TARGET t SOURCES here.x STYLE rpcgen RUNTIME beside", "over tirpc the run time is libtirpc"),
        ("TARGET t SOURCES gone.x STYLE plain", "gone.x. If the build makes it, say so"),
        ("TARGET t SOURCES here.spi STYLE plain", "interfaces end in .x, .idl or .defs"),
        ("TARGET t SOURCES here.x ./here.x STYLE plain", "has an interface `here` already"),
    ];
    for (words, reason) in rows {
        let (accepted, said) = script(&format!("whittle_generate({words})\n"))?;
        assert!(!accepted && said.contains("whittle_generate: ") && said.contains(reason), "{words}: {said}");
    }
    Ok(())
}

/// The names that the module tells the build system are those that whittle writes.
#[test]
fn the_module_knows_the_names_of_all_outputs() -> Outcome {
    if !has(&["cmake"]) {
        return Ok(());
    }
    for (style, interface) in [("plain", "called.x"), ("rpcgen", "old.x"), ("corba", "mapped.idl")] {
        for side in ["both", "client", "server"] {
            let scratch = Scratch::new("outputs")?;
            let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
            whittle
                .arg("compile")
                .arg(direct().join("styles").join(interface))
                .args(["--style", style, "--side", side]);
            if style != "rpcgen" {
                whittle.args(["--runtime", "installed"]);
            }
            run(whittle.arg("--out").arg(scratch.path()))?;
            let stem = interface.split('.').next().unwrap_or_default();
            let lines =
                format!("_whittle_outputs(names {style} {side} {stem})\nmessage(FATAL_ERROR \"<${{names}}>\")\n");
            let (_, said) = script(&lines)?;
            let known = said.split(['<', '>']).nth(1).ok_or("no names")?;
            let known: BTreeSet<&str> = known.split(';').collect();
            assert_eq!(known, scratch.names().iter().map(String::as_str).collect(), "{style}, {side}");
        }
    }
    Ok(())
}

#[test]
fn versions_that_fit_are_found() -> Outcome {
    if !has(&["cmake"]) {
        return Ok(());
    }
    let file = Place::usual()?.prefix.join("lib/cmake/whittle/whittle-config-version.cmake");
    let lines = |version: &str, own: &str| -> Outcome<String> {
        let (scratch, text) = (Scratch::new("versions")?, fs::read_to_string(&file)?);
        assert!(text.contains(concat!("\"", env!("CARGO_PKG_VERSION"), "\"")), "{text}");
        let text = text.replace(env!("CARGO_PKG_VERSION"), own);
        let script = scratch.path().join("script.cmake");
        let end = "message(\"${PACKAGE_VERSION_COMPATIBLE}\")\n";
        fs::write(&script, format!("set(PACKAGE_FIND_VERSION \"{version}\")\n{text}{end}"))?;
        Ok(said(&Command::new("cmake").arg("-P").arg(&script).output()?).trim().to_owned())
    };
    for (own, fits, others) in [
        ("0.3.1", &["", "0.3", "0.3.0", "0.3.1"][..], &["0.2", "0.3.2", "0.4", "1.0", "1"][..]),
        ("2.3.1", &["", "2", "2.0", "2.3.1"], &["1.9", "2.4", "3"]),
    ] {
        for version in fits {
            assert_eq!(lines(version, own)?, "TRUE", "{version} of {own}");
        }
        for version in others {
            assert_eq!(lines(version, own)?, "FALSE", "{version} of {own}");
        }
    }
    Ok(())
}
