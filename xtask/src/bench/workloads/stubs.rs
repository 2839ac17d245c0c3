//! Stubs of `flick.x`, compiled for the program that measures: `xdr_T` routines on streams, from rpcgen and from whittle, and
//! whittle's direct ones. In: commands. Out: objects.

use std::path::{Path, PathBuf};

use super::super::workshop::{Workshop, includes, pkg_config};
use super::super::{Context, machine, peers};
use super::{Built, sources};

/// The entries of the stubs, which are renamed so that several sets of stubs can live in one program.
const ENTRIES: [&str; 10] = [
    "intseq",
    "point",
    "rect",
    "rectseq",
    "stat_info",
    "direntry",
    "direntseq",
    "intseq_in_arena",
    "rectseq_in_arena",
    "direntseq_in_arena",
];

/// A set of `xdr_T` routines: whose they are, in results and as the beginning of C names, and the command that makes them.
pub(in super::super) struct Streams<'a> {
    pub(in super::super) who: &'a str,
    pub(in super::super) name: &'a str,
    pub(in super::super) command: &'a str,
    pub(in super::super) arguments: &'a [&'a str],
}

/// Compiles a set; returns the folder with `flick.h` and `flick_xdr.c`, and the flags that were needed.
pub(in super::super) fn streams(
    context: &Context,
    workshop: &Workshop,
    set: &Streams<'_>,
    built: &mut Built,
) -> Result<(PathBuf, Vec<String>), Vec<String>> {
    let (sources, folder, name) = (sources(context), workshop.subfolder(set.name)?, set.name);
    workshop.copy(&sources.join("flick.x"), &folder)?;
    workshop.run(&folder, set.command, set.arguments)?;
    let mut flags: Vec<String> = ENTRIES.iter().map(|entry| format!("-Dxdr_{entry}={name}_xdr_{entry}")).collect();
    flags.extend(["-w".to_string(), format!("-I{}", folder.display()), format!("-I{}", sources.display())]);
    flags.extend(pkg_config("--cflags", "libtirpc").unwrap_or_default());
    built.objects.push(workshop.compile(&folder.join("flick_xdr.c"), &format!("{name}_xdr.o"), &flags)?);
    let driver = [flags.clone(), vec![format!("-DWHO=\"{}\"", set.who)]].concat();
    built.objects.push(workshop.compile(&sources.join("xdr.c"), &format!("{name}.o"), &driver)?);
    Ok((folder, flags))
}

/// rpcgen's stubs, and the same with its inlining at the lowest threshold; the folder of the first, where there is rpcgen.
pub(in super::super) fn rpcgen(
    context: &Context,
    workshop: &Workshop,
    built: &mut Built,
) -> Result<Option<PathBuf>, Vec<String>> {
    let command = std::env::var("RPCGEN").unwrap_or_else(|_| "rpcgen".to_string());
    built.libraries.extend(pkg_config("--libs", "libtirpc").unwrap_or_default());
    if !machine::first_line(&command, &["--version"]).starts_with("rpcgen") {
        built.absent.push(peers::absence("rpcgen", &[]));
        return Ok(None);
    }
    let plain = Streams { who: "rpcgen", name: "rpcgen", command: &command, arguments: &["flick.x"] };
    let inlining =
        Streams { who: "rpcgen-i1", name: "rpcgen_i1", command: &command, arguments: &["-i", "1", "flick.x"] };
    let (folder, _) = streams(context, workshop, &plain, built)?;
    streams(context, workshop, &inlining, built)?;
    Ok(Some(folder))
}

/// Direct stubs, without libtirpc.
pub(in super::super) struct Direct<'a> {
    pub(in super::super) who: &'a str,
    /// Who decodes in the message.
    pub(in super::super) in_place: &'a str,
    /// Who decodes into fresh storage from a copy of the message, if somebody is to.
    pub(in super::super) received: Option<&'a str>,
    /// Texts have their length beside them.
    pub(in super::super) counted: bool,
    /// Passes that are switched off.
    pub(in super::super) off: &'a [&'a str],
    /// For the compiler.
    pub(in super::super) flags: &'a [&'a str],
}

/// Compiles direct stubs; returns their folder.
pub(in super::super) fn direct(
    context: &Context,
    workshop: &Workshop,
    set: &Direct<'_>,
    built: &mut Built,
) -> Result<PathBuf, Vec<String>> {
    let (who, folder) = (set.who.replace('-', "_"), workshop.subfolder(set.who)?);
    let file = sources(context).join("flick.x").display().to_string();
    let mut arguments = vec!["compile", &file, "--style", "plain", "--out", "."];
    arguments.extend(set.off.iter().flat_map(|pass| ["--no-opt", pass]));
    arguments.extend(if set.counted { &["--present", "strings counted"][..] } else { &[] });
    workshop.run(&folder, &context.whittle.display().to_string(), &arguments)?;
    let own = context.sources.join("marshal");
    let mut flags = includes(&[&folder, &own, &sources(context)]);
    flags.extend([format!("-DWHO=\"{}\"", set.who), format!("-DWHO_IN_PLACE=\"{}\"", set.in_place)]);
    flags.extend(set.counted.then(|| "-DCOUNTED".to_string()));
    flags.extend(set.received.map(|who| format!("-DWHO_RECEIVED=\"{who}\"")));
    flags.extend(set.flags.iter().map(|flag| (*flag).to_string()));
    let files: Vec<PathBuf> = ["direct.c", "encode.c", "decode.c"].map(|name| own.join(name)).into();
    let files = [files, vec![folder.join("flick_types.c")]].concat();
    built.objects.push(workshop.participant(&who, &["direct".to_string()], &files, &flags)?);
    Ok(folder)
}

/// What direct stubs call to send and receive: linked, and not measured.
pub(in super::super) fn run_time(workshop: &Workshop, folder: &Path, built: &mut Built) -> Result<(), Vec<String>> {
    for name in ["whittle_onc", "whittle_net"] {
        let source = folder.join(format!("{name}.c"));
        built.objects.push(workshop.compile(&source, &format!("{name}.o"), &["-w".to_string()])?);
    }
    built.libraries.push("-pthread".to_string());
    Ok(())
}
