//! Files that nobody here wrote, from Debian's packages, for direct stubs in either style. Where they are not installed, there is nothing
//! to test.

use std::path::Path;
use std::process::Command;

use filetest::programs::{Outcome, is_installed, run};
use filetest::scratch::Scratch;

/// Files that nobody here wrote, with all that they include: each is compiled, or refused with a place and a reason.
#[test]
fn files_of_others_are_compiled_or_refused_with_a_place() -> Outcome {
    let (mut good, folder) = (0, Scratch::new("direct-others")?);
    for (corpus, extension) in [("/usr/include/rpcsvc", "x"), ("/usr/share/idl/omniORB/COS", "idl")] {
        let Ok(entries) = std::fs::read_dir(corpus) else { continue };
        let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
        for path in paths.filter(|path| path.extension().is_some_and(|found| found == extension)) {
            let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
            whittle.arg("compile").arg(&path).args(["--style", "plain", "--message-format", "short"]);
            whittle.args(["-I", corpus, "-I", "/usr/share/idl/omniORB", "--out"]).arg(folder.path());
            whittle.args((extension == "idl").then_some("--onc-program=0x20000001"));
            let output = whittle.output()?;
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let is_explained = said.lines().all(|line| line.contains("host-003") || line.contains(": "));
            let is_refused = output.status.code() == Some(1) && said.contains("error[") && is_explained;
            assert!(output.status.success() || is_refused, "{}: {said}", path.display());
            let is_internal = said.contains("[pres-") || said.contains("[cast-");
            assert!(!is_internal, "{}: {said}", path.display());
            good += usize::from(output.status.success());
        }
    }
    assert!(good >= 16 || !Path::new("/usr/include/rpcsvc").is_dir(), "{good} files compiled");
    Ok(())
}

/// Whatever rpcgen's output finds in libtirpc's headers, it finds in those beside it: but for `nis_callback.x`, which includes what no
/// package has, all of them compile.
#[test]
fn headers_beside_the_stubs_have_what_files_of_others_use() -> Outcome {
    let Ok(entries) = std::fs::read_dir("/usr/include/rpcsvc") else { return Ok(()) };
    let is_whole =
        |path: &Path| path.extension().is_some_and(|found| found == "x") && !path.ends_with("nis_callback.x");
    let (folder, mut good) = (Scratch::new("direct-headers")?, 0);
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| is_whole(path)) {
        let base = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let out = folder.path().join(&base);
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        run(whittle.arg("compile").arg(&path).args(["--style", "rpcgen", "--link", "onc", "--out"]).arg(&out))?;
        let files = ["xdr", "clnt", "svc"].map(|part| out.join(format!("{base}_{part}.c")));
        if is_installed("gcc") {
            run(Command::new("gcc")
                .args(["-fsyntax-only", "-I"])
                .arg(&out)
                .args(files.iter().filter(|file| file.is_file())))?;
            good += 1;
        }
    }
    assert!(good >= 16 || !is_installed("gcc"), "{good} files compiled");
    Ok(())
}
