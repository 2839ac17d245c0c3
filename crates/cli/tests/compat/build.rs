//! Client, server and recorder, built once for each maker of stubs and each style.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use filetest::oracle::{self, Compilation};
use filetest::scratch::Scratch;
use libtest_mimic::Failed;

/// Who makes the stubs, and carries the calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Maker {
    Rpcgen,
    /// Over libtirpc, as rpcgen's.
    Whittle,
    /// Over whittle's own run time, without a library.
    Direct,
}

/// Whose programs talk to each other in a style. Styles differ in signatures, which are the same over any run time: it is
/// enough to have it in the two that differ most.
pub(crate) fn makers(style: &Style) -> &'static [Maker] {
    let is_all = style.flags.is_empty() || style.flags.len() > 2;
    if is_all { &[Maker::Rpcgen, Maker::Whittle, Maker::Direct] } else { &[Maker::Rpcgen, Maker::Whittle] }
}

/// One of rpcgen's styles of signatures.
#[derive(Debug)]
pub(crate) struct Style {
    pub(crate) name: &'static str,
    /// rpcgen's flags.
    flags: &'static [&'static str],
    /// What the C sources need to know.
    defines: &'static [&'static str],
}

pub(crate) const STYLES: [Style; 4] = [
    Style { name: "default", flags: &[], defines: &[] },
    Style { name: "-M", flags: &["-M"], defines: &["-DMULTITHREAD"] },
    Style { name: "-N", flags: &["-N", "-DNEWSTYLE"], defines: &["-DNEWSTYLE"] },
    Style { name: "-N -M", flags: &["-N", "-M", "-DNEWSTYLE"], defines: &["-DNEWSTYLE", "-DMULTITHREAD"] },
];

/// The generated files: rpcgen's flag and the name.
const GENERATED: [(&str, &str); 4] =
    [("-h", "everything.h"), ("-c", "everything_xdr.c"), ("-l", "everything_clnt.c"), ("-m", "everything_svc.c")];

/// Finished programs; the folder goes with them.
#[derive(Debug)]
pub(crate) struct Build {
    folder: Scratch,
}

impl Build {
    pub(crate) fn program(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

/// The sources of the test.
pub(crate) fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat")
}

type Outcome = Result<Arc<Build>, String>;
/// A build, once somebody has asked for it.
type Slot = Arc<Mutex<Option<Outcome>>>;

static BUILDS: Mutex<BTreeMap<(Maker, &str), Slot>> = Mutex::new(BTreeMap::new());

/// Removes all builds.
pub(crate) fn forget() {
    BUILDS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The programs of a maker and a style. Whoever asks first builds; the others wait.
pub(crate) fn build(maker: Maker, style: &Style) -> Result<Arc<Build>, Failed> {
    let key = (maker, style.name);
    let slot = BUILDS.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default().clone();
    let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
    let outcome = slot
        .get_or_insert_with(|| make(maker, style).map_err(|failed| failed.message().unwrap_or_default().to_owned()));
    outcome.clone().map_err(Failed::from)
}

fn make(maker: Maker, style: &Style) -> Result<Arc<Build>, Failed> {
    let folder = Scratch::new(&format!("compat-{maker:?}-{}", style.name))?;
    generate(maker, style, &folder)?;
    let plain = Compilation::new("gcc").with(["-g"]).with(style.defines.iter().copied());
    let plain = if maker == Maker::Direct {
        plain.with([format!("-I{}", folder.path().display()), "-pthread".to_owned()])
    } else {
        plain.with_tirpc()
    };
    let sanitized = plain.clone().with(["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]);
    let own = sanitized.clone().with(oracle::STRICT);
    // What rpcgen writes has warnings and misaligned accesses; that is not what is tested.
    let theirs = if maker == Maker::Rpcgen { plain.with(["-w", "-fsanitize=address"]) } else { own.clone() };
    let object = |name: &str, compilation: &Compilation| {
        let (source, object) = (folder.path().join(format!("{name}.c")), folder.path().join(format!("{name}.o")));
        compilation.object(&source, &object).map(|()| object)
    };
    let marshalling = object("everything_xdr", &theirs)?;
    let stubs = object("everything_clnt", &theirs)?;
    let dispatch = object("everything_svc", &theirs)?;
    for name in ["values.c", "client.c", "server.c", "record.c", "wire.c", "values.h"] {
        folder.copy(&sources().join(name))?;
    }
    let values = object("values", &own)?;
    let run_time = match maker {
        Maker::Direct => vec![object("whittle_onc", &own)?, object("whittle_rpc", &own)?, object("whittle_net", &own)?],
        _ => Vec::new(),
    };
    let link = |program: &str, others: &[&PathBuf]| {
        let mut inputs = vec![object(program, &own)?, values.clone(), marshalling.clone()];
        inputs.extend(others.iter().map(|path| (*path).clone()).chain(run_time.iter().cloned()));
        let program = folder.path().join(program);
        if maker == Maker::Direct {
            sanitized.program_alone(&inputs, &program)
        } else {
            sanitized.program(&inputs, &program)
        }
    };
    link("client", &[&stubs])?;
    link("server", &[&dispatch])?;
    // It has no streams of records, nor libtirpc's messages.
    if maker != Maker::Direct {
        link("record", &[])?;
        link("wire", &[])?;
    }
    Ok(Arc::new(Build { folder }))
}

/// Writes the generated files, one run each, as Makefiles do.
pub(crate) fn generate(maker: Maker, style: &Style, folder: &Scratch) -> Result<(), Failed> {
    folder.copy(&sources().join("everything.x"))?;
    for (flag, name) in GENERATED {
        let mut command = match maker {
            Maker::Rpcgen => oracle::command("rpcgen"),
            Maker::Whittle | Maker::Direct => {
                let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
                whittle.arg("rpcgen");
                whittle
            }
        };
        command.args(style.flags).args([flag, "-o", name, "everything.x"]).current_dir(folder.path());
        oracle::succeed(&mut command)?;
    }
    if maker == Maker::Direct {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.args(["compile", "everything.x", "--style", "rpcgen", "--link", "onc", "--side", "client"]);
        whittle.args(["--out", "run-time"]).current_dir(folder.path());
        oracle::succeed(&mut whittle)?;
        for entry in std::fs::read_dir(folder.path().join("run-time"))? {
            let entry = entry?;
            let name = entry.file_name();
            if name == "rpc" || name.to_string_lossy().starts_with("whittle_") {
                std::fs::rename(entry.path(), folder.path().join(name))?;
            }
        }
    }
    Ok(())
}

/// Compiles whittle's files with warnings as errors: both compilers, with and without optimization.
pub(crate) fn without_warnings(style: &Style) -> Result<(), Failed> {
    let folder = Scratch::new(&format!("warnings-{}", style.name))?;
    generate(Maker::Whittle, style, &folder)?;
    for compiler in ["gcc", "clang"] {
        for level in ["-O0", "-O2"] {
            let compilation = Compilation::new(compiler).with_tirpc().with(oracle::STRICT).with([level, "-std=c11"]);
            let compilation = compilation.with(["-D_DEFAULT_SOURCE"]);
            for (_, name) in GENERATED.iter().filter(|(_, name)| name.ends_with(".c")) {
                compilation.object(&folder.path().join(name), &folder.path().join("out.o"))?;
            }
        }
    }
    Ok(())
}
