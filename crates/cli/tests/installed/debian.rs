//! The package for Debian: made of the command as tests have it, unpacked into a folder, and used there. `make package` makes one of the
//! optimized command, installs it and lets lintian look at it.

use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::programs::{Outcome, is_installed, run, text};
use filetest::scratch::Scratch;

use crate::projects::{Place, has, sample, works};
use crate::{RUN_TIME_FLAGS, prefix, root, with_ending};

/// What the package has to have, beside what the samples below use.
const CONTENTS: [&str; 9] = [
    "usr/bin/whittle-rpcgen",
    "usr/lib/whittle/bin/rpcgen",
    "usr/share/man/man1/whittle.1.gz",
    "usr/share/man/man1/whittle-pipe-run.1.gz",
    "usr/share/bash-completion/completions/whittle",
    "usr/share/zsh/vendor-completions/_whittle",
    "usr/share/fish/vendor_completions.d/whittle.fish",
    "usr/share/doc/whittle/copyright",
    "usr/share/doc/whittle/changelog.gz",
];

/// Makes the package and unpacks it. Out: the folder that stands for `/`.
fn unpacked(scratch: &Scratch) -> Outcome<PathBuf> {
    // The libraries of the prefix are the same.
    let runtime = prefix()?.with_file_name("build");
    let out = scratch.path().join("made");
    let mut make = Command::new("make");
    make.arg("-s").arg("-C").arg(root().join("packaging/debian")).args(["COMPRESSION=gzip -z1", RUN_TIME_FLAGS]);
    make.arg(format!("WHITTLE={}", env!("CARGO_BIN_EXE_whittle"))).arg(format!("OUT={}", text(&out)));
    run(make.arg(format!("RUNTIME={}", text(&runtime))).env_remove("MAKEFLAGS"))?;
    let package = with_ending(&out, "deb")?.pop().ok_or("no package was made")?;
    let top = scratch.path().join("top");
    run(Command::new("dpkg-deb").arg("-x").arg(&package).arg(&top))?;
    lint(&package)?;
    Ok(top)
}

/// Where lintian is installed it finds nothing.
fn lint(package: &Path) -> Outcome {
    if !is_installed("lintian") {
        return Ok(());
    }
    let output = Command::new("lintian").args(["--allow-root", "--fail-on", "error,warning"]).arg(package).output()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    Ok(())
}

#[test]
fn the_package_has_all_that_samples_need() -> Outcome {
    if !has(&["dpkg-deb", "dpkg-shlibdeps", "cmake", "ninja"]) {
        return Ok(());
    }
    let scratch = Scratch::new("package")?;
    let top = unpacked(&scratch)?;
    let missing: Vec<&str> = CONTENTS.into_iter().filter(|name| !top.join(name).exists()).collect();
    assert!(missing.is_empty(), "not in the package: {missing:?}");

    let machine = Command::new("dpkg-architecture").arg("-qDEB_HOST_MULTIARCH").output()?;
    let libraries = format!("usr/lib/{}/pkgconfig", String::from_utf8(machine.stdout)?.trim());
    let environment = vec![("PKG_CONFIG_SYSROOT_DIR", top.clone()), ("PKG_CONFIG_PATH", top.join(libraries))];
    let place = Place { prefix: top.join("usr"), environment };
    let (project, build) = (sample(&scratch)?, scratch.path().join("build"));
    place.run("make", &["-C", text(&project)])?;
    works(&project)?;
    place.configure(&project, &build, &["-G", "Ninja"])?;
    place.run("cmake", &["--build", text(&build)])?;
    works(&build)
}
