//! Test programs: an interface file's routines by whittle and by rpcgen, the table, and the checks in tests/safety.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use aoi::Aoi;
use filetest::oracle::{self, Compilation};
use filetest::random::Random;
use libtest_mimic::Failed;

use crate::compile::{self, Options};
use crate::messages::{self, Size};
use crate::tables;
use crate::toolchain::{self, CLANG_FUZZER, CLANG_SANITIZED, Toolchain, root, workplace};

/// An interface file and what was made of it.
pub(crate) struct Subject {
    pub(crate) aoi: Aoi,
    pub(crate) folder: PathBuf,
    variants: Vec<String>,
}

/// One way to make the routines: a word for symbols, and the options.
pub(crate) type Variant = (String, Options);

/// Routines for all types, with all passes, which also is what serves with arenas.
pub(crate) fn default_variant() -> Variant {
    ("all_passes".to_owned(), Options { server_arena: true, ..routines() })
}

fn routines() -> Options {
    Options { prefer: driver::Prefer::Speed, ..Options::default() }
}

/// The same; tables beside routines; tables for all types.
pub(crate) fn routines_and_tables() -> Vec<Variant> {
    let tables = Options { prefer: driver::Prefer::Size, ..Options::default() };
    vec![default_variant(), ("balance".to_owned(), Options::default()), ("tables".to_owned(), tables)]
}

/// With all passes, without each in turn, without any, with tables.
pub(crate) fn all_variants() -> Vec<Variant> {
    let passes: Vec<String> = driver::optional_passes().into_iter().map(str::to_owned).collect();
    let mut variants = vec![default_variant()];
    for pass in &passes {
        let word = format!("without_{}", pass.replace('-', "_"));
        variants.push((word, Options { without: vec![pass.clone()], ..routines() }));
    }
    variants.push(("without_all".to_owned(), Options { without: passes, ..routines() }));
    variants.extend(routines_and_tables().into_iter().skip(1));
    variants
}

/// Where small values go in an arena's structure. Most toolchains leave next to none, so that small messages, too, make
/// the arena grow.
const ARENA_ROOM: &str = "first[512]";

fn arena_room(toolchain: &Toolchain) -> String {
    let ordinary = [CLANG_SANITIZED.name, CLANG_FUZZER.name].contains(&toolchain.name);
    format!("-DARENA_ROOM={}", if ordinary { 512 } else { 8 })
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
                if !arenas.is_empty() && !generated.header.contains(ARENA_ROOM) {
                    return Err(format!("no `{ARENA_ROOM}` in the header of {name}").into());
                }
                fs::write(ours.join("r.h"), generated.header.replace(ARENA_ROOM, "first[ARENA_ROOM]"))?;
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
        let mut objects = toolchain.shared(shared)?;
        let mut object = |compilation: &Compilation, source: PathBuf, name: &str| {
            let object = place.join(format!("{name}.o"));
            objects.push(object.clone());
            compilation.object(&source, &object)
        };
        let folder = |name: &str| self.folder.join(name).display().to_string();
        let ledger = root().join("tests/safety/ledger.h").display().to_string();
        let room = arena_room(toolchain);
        for variant in &self.variants {
            let names = folder(&format!("ours/{variant}.names.h"));
            let mine = toolchain.flagged().with(oracle::STRICT).with(["-include", &names, "-include", &ledger, &room]);
            object(&mine, self.folder.join(format!("ours/{variant}.c")), variant)?;
        }
        let [archive, header] = toolchain.reference_library()?;
        let names = folder("theirs/names.h");
        let theirs =
            toolchain.compilation().with(["-w", "-include", &header.display().to_string(), "-include", &names]);
        object(&theirs, self.folder.join("theirs/r_xdr.c"), "theirs")?;
        object(&toolchain.compilation().with(oracle::STRICT).with([&room]), self.folder.join("table.c"), "table")?;
        let names = self.variants.first().map(|variant| folder(&format!("ours/{variant}.names.h"))).unwrap_or_default();
        let names = ["-include".to_owned(), names, format!("-I{}", self.folder.display()), room];
        let compilation = toolchain.flagged().with(oracle::STRICT).with(names);
        let title = Path::new(main).file_stem().unwrap_or_default().to_string_lossy();
        object(&compilation, root().join(main), &title)?;
        let program = place.join(format!("{title}.program"));
        objects.push(archive);
        // What has no `main` of its own is libFuzzer's.
        let flag: &[&str] = if main.starts_with("fuzz/") { &["-fsanitize=fuzzer"] } else { &[] };
        toolchain.link(&objects, flag, &program)?;
        self.compare_layouts(toolchain, &place)?;
        Ok(program)
    }

    /// The two headers give every type the same size and every member the same place.
    fn compare_layouts(&self, toolchain: &Toolchain, place: &Path) -> Result<(), Failed> {
        let mut objects = vec![self.folder.join("compare.c")];
        for side in ["ours", "theirs"] {
            let object = place.join(format!("layout-{side}.o"));
            let flags = [format!("-DLAYOUT={side}"), format!("-DLAYOUT_COUNT={side}_count"), "-w".to_owned()];
            let folder = format!("-I{}", self.folder.join(side).display());
            let compilation = toolchain.compilation().with(flags).with([folder, arena_room(toolchain)]);
            compilation.object(&self.folder.join("layout.c"), &object)?;
            objects.push(object);
        }
        let program = place.join("compare");
        toolchain.link(&objects, &[], &program)?;
        toolchain::run(&mut toolchain.command(&program))
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
                    file.extend(u32::try_from(word)?.to_be_bytes());
                }
                file.extend(message);
            }
        }
        let path = self.folder.join(format!("messages-{ordinary}-{large}"));
        fs::write(&path, file)?;
        Ok(path)
    }
}

/// The checks over a table, and what duties made by hand need of them.
pub(crate) const SUITE: [&str; 9] = [
    "runtime/tests/streams.c",
    "tests/safety/ledger.c",
    "tests/safety/sparing.c",
    "tests/safety/report.c",
    "tests/safety/value.c",
    "tests/safety/agree.c",
    "tests/safety/arena.c",
    "tests/safety/hostile.c",
    "tests/safety/main.c",
];
pub(crate) const DUTIES: [&str; 6] = [
    "runtime/tests/streams.c",
    "tests/safety/ledger.c",
    "tests/safety/sparing.c",
    "tests/safety/report.c",
    "tests/safety/value.c",
    "tests/safety/duties.c",
];

/// Runs the checks.
pub(crate) fn run_checks(toolchain: &Toolchain, program: &Path, arguments: &[&str]) -> Result<(), Failed> {
    toolchain::run(toolchain.command(program).args(arguments))
}
