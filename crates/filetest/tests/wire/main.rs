//! Wire cases (`tests/wire/*.wire`): values and their bytes, by generated routines on machines of either byte order and
//! of 32 and 64 bits, and encoded by rpcgen's routines, too.

mod c_values;
mod cases;
mod cdr;
#[path = "../safety/compile.rs"]
mod compile;
#[path = "../safety/messages.rs"]
#[allow(dead_code, reason = "shared with the safety tests, which need more of it")]
mod messages;
#[path = "../safety/tables.rs"]
#[allow(dead_code, reason = "shared with the safety tests, which need more of it")]
mod tables;
#[path = "../safety/toolchain.rs"]
#[allow(dead_code, reason = "shared with the safety tests, which need more of it")]
mod toolchain;
mod values;
mod xdr;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use aoi::{Aoi, Type};
use cases::Case;
use compile::Options;
use filetest::oracle;
use libtest_mimic::{Arguments, Failed, Trial};
use toolchain::{BIG_ENDIAN, GCC, GCC_SANITIZED, GCC_UNOPTIMIZED, NARROW, Toolchain, native, root, trial, workplace};

const CLANG: Toolchain = native("clang -O2", "clang", &["-O2"]);
const CLANG_UNOPTIMIZED: Toolchain = native("clang -O0", "clang", &["-O0"]);
const TOOLCHAINS: [Toolchain; 4] = [GCC_SANITIZED, CLANG, BIG_ENDIAN, NARROW];
/// What `make soak` adds.
const OF_A_SOAK: [Toolchain; 3] = [GCC, GCC_UNOPTIMIZED, CLANG_UNOPTIMIZED];

/// Whittle's routines with all passes, and without any; its tables.
const VARIANTS: [&str; 3] = ["all_passes", "without_all", "tables"];

/// The value of a case as C: declarations, and calls that hold it against its bytes.
fn function(aoi: &Aoi, file: &str, case: &Case) -> Result<String, String> {
    let ty = &case.ty;
    let (id, _) = messages::types(aoi)
        .into_iter()
        .find(|(_, definition)| definition.name == *ty)
        .ok_or_else(|| format!("there is no type {ty}"))?;
    let variants: Vec<String> =
        VARIANTS.iter().map(|variant| format!("ROUTINE({})", tables::symbol(variant, ty))).collect();
    let reference = format!("ROUTINE({})", tables::symbol("reference", ty));
    let under_xdr = case.bytes.clone().unwrap_or_default();
    let mut text = format!("    static const char bytes[] = {{{}0}};\n", octets(&under_xdr));
    let _ = writeln!(text, "    static const routine mine[] = {{{}, NULL}};", variants.join(", "));
    let _ = writeln!(text, "    wire_case(\"{file}\", {}, \"{}\");", case.line, case.name);
    let size = under_xdr.len();
    let Some(value) = &case.value else {
        if case.bytes.is_some() {
            let _ = writeln!(text, "    wire_refused(mine, sizeof({ty}), bytes, {size});");
            text += &xdr::refusal(case, "bytes", size);
        }
        return Ok(format!("{text}    (void)mine, (void)bytes;\n{}", cdr::refusals(case)));
    };
    let value = c_values::initializer(aoi, &Type::Named(id), &values::read(value)?)?;
    let _ = writeln!(text, "    static const routine all[] = {{{}, {reference}, NULL}};", variants.join(", "));
    let _ = writeln!(text, "    {ty} value = {value};");
    let same = format!("(bool (*)(const void *, const void *))(void (*)(void))same_{ty}");
    let _ = writeln!(text, "    (void)all, (void)mine, (void)bytes, (void)value;");
    if case.bytes.is_some() {
        let _ = writeln!(text, "    wire_encodes(all, &value, bytes, {size});");
        let _ = writeln!(text, "    wire_decodes(mine, sizeof value, &value, {same}, bytes, {size});");
        text += &xdr::check(case, &same, "bytes", size, true);
    }
    text += &cdr::checks(case, &same);
    for (index, also) in case.also.iter().enumerate() {
        let _ = writeln!(text, "    static const char also{index}[] = {{{}0}};", octets(also));
        let size = also.len();
        let _ = writeln!(text, "    wire_decodes(mine, sizeof value, &value, {same}, also{index}, {size});");
        text += &xdr::check(case, &same, &format!("also{index}"), size, false);
    }
    Ok(text)
}

pub(crate) fn octets(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("(char){byte}, ")).collect()
}

/// The program of one file's cases.
fn source(aoi: &Aoi, file: &str, cases: &[Case]) -> Result<String, String> {
    let mut text =
        "#include \"wire_cdr.h\"\n#include \"wire_xdr.h\"\n#include \"r.h\"\n#include <unistd.h>\n\n".to_owned();
    text += &cdr::tables(aoi);
    text += &xdr::tables(aoi);
    for (_, definition) in messages::types(aoi) {
        for variant in VARIANTS.iter().chain(&["reference"]) {
            let _ = writeln!(text, "extern void {}(void);", tables::symbol(variant, &definition.name));
        }
    }
    text += &c_values::comparisons(aoi);
    let mut calls = String::new();
    for (index, case) in cases.iter().enumerate() {
        let body = function(aoi, file, case).map_err(|problem| format!("{file}:{}: {problem}", case.line))?;
        let _ = writeln!(text, "static void case_{index}(void)\n{{\n{body}}}\n");
        let _ = writeln!(calls, "    case_{index}();");
    }
    let _ = writeln!(text, "int main(void)\n{{\n    alarm(120);\n{calls}    return 0;\n}}");
    Ok(text)
}

/// What is compiled of an interface for a machine, once for all files of cases.
type Compiled = Result<Vec<PathBuf>, String>;
static COMPILED: Mutex<BTreeMap<String, Arc<OnceLock<Compiled>>>> = Mutex::new(BTreeMap::new());

/// Compiles and runs the cases of a file.
fn holds(path: &Path, toolchain: &Toolchain) -> Result<(), Failed> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let file = cases::read(&fs::read_to_string(path)?).map_err(|problem| format!("{stem}.wire: {problem}"))?;
    let text = fs::read_to_string(path.with_file_name(&file.interface))?;
    let name = format!("{} {}", file.interface, toolchain.name);
    let compiled = COMPILED.lock().map_err(|_| "another test failed")?.entry(name.clone()).or_default().clone();
    let place = workplace(&name)?;
    let routines = || {
        let failed = |failed: Failed| failed.message().unwrap_or("it did not compile").to_owned();
        compile_all(&file.interface, &text, &place, toolchain).map_err(failed)
    };
    let mut objects = compiled.get_or_init(routines).clone()?;
    let aoi = messages::read(&file.interface, &text)?;
    let (main_source, main) = (place.join(format!("{stem}.c")), place.join(format!("{stem}.o")));
    fs::write(&main_source, source(&aoi, &format!("{stem}.wire"), &file.cases)?)?;
    plain(toolchain, &place).object(&main_source, &main)?;
    objects.push(main);
    let program = place.join(stem);
    toolchain.link(&objects, &[], &program)?;
    toolchain::run(&mut toolchain.command(&program))
}

fn plain(toolchain: &Toolchain, place: &Path) -> oracle::Compilation {
    toolchain.flagged().with(["-w".to_owned(), format!("-I{}", place.display())])
}

/// The routines of an interface, in every variant and by rpcgen, and what all programs share.
fn compile_all(interface: &str, text: &str, place: &Path, toolchain: &Toolchain) -> Result<Vec<PathBuf>, Failed> {
    let theirs = place.join("theirs");
    fs::create_dir_all(&theirs)?;
    fs::write(theirs.join("r.x"), text)?;
    compile::rpcgen("r", &theirs)?;
    let aoi = messages::read(interface, text)?;
    let mut objects = toolchain.shared(&[
        "runtime/tests/streams.c",
        "tests/safety/ledger.c",
        "tests/safety/report.c",
        "tests/safety/value.c",
        "tests/wire/wire.c",
        "tests/wire/wire_cdr.c",
        "tests/wire/wire_xdr.c",
    ])?;
    let include = |file: PathBuf| ["-include".to_owned(), file.display().to_string()];
    let ledger = include(root().join("tests/safety/ledger.h"));
    for variant in VARIANTS {
        let without = if variant == "without_all" { driver::optional_passes() } else { Vec::new() };
        let prefer = if variant == "tables" { driver::Prefer::Size } else { driver::Prefer::Speed };
        let without = without.into_iter().map(str::to_owned).collect();
        let generated = compile::whittle("r", text, &Options { without, prefer, ..Options::default() })?;
        let (source, names) = (place.join(format!("{variant}.c")), place.join(format!("{variant}.names.h")));
        fs::write(place.join("r.h"), generated.header)?;
        fs::write(&source, generated.routines)?;
        fs::write(&names, tables::renames(&aoi, variant))?;
        let object = source.with_extension("o");
        let strict = toolchain.flagged().with(oracle::STRICT);
        strict.with(include(names)).with(ledger.clone()).object(&source, &object)?;
        objects.push(object);
    }
    let under_cdr = cdr::sources(interface, text)?.into_iter().map(|(variant, text)| (variant.to_owned(), text));
    for (variant, generated) in under_cdr.chain(xdr::sources(interface, text)?) {
        let (source, object) = (place.join(format!("{variant}.c")), place.join(format!("{variant}.o")));
        fs::write(&source, generated)?;
        let strict = toolchain.flagged().with(oracle::STRICT).with([format!("-I{}", place.display())]);
        strict.with(ledger.clone()).object(&source, &object)?;
        objects.push(object);
    }
    fs::write(theirs.join("names.h"), tables::renames(&aoi, "reference"))?;
    let reference = place.join("reference.o");
    plain(toolchain, place).with(include(theirs.join("names.h"))).object(&theirs.join("r_xdr.c"), &reference)?;
    objects.push(reference);
    Ok(objects)
}

fn main() {
    let folder = root().join("tests/wire");
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "wire"));
    files.sort();
    let mut trials: Vec<Trial> = Vec::new();
    for path in files {
        let more = oracle::is_soak().then_some(OF_A_SOAK);
        for toolchain in TOOLCHAINS.into_iter().chain(more.into_iter().flatten()) {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let path = path.clone();
            trials.push(trial(format!("{stem}, {}", toolchain.name), toolchain, move || holds(&path, &toolchain)));
        }
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
