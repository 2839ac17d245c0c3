//! Names of files: in includes, guards, comments, Makefiles and CMake files. A name is either taken, and then all that is made of it
//! builds, or refused with nothing written.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

use filetest::scratch::Scratch;
use libtest_mimic::Trial;

use super::{Outcome, compiles, is_untouched, require, run, some, trial, whittle};

const X: &str =
    "struct pair { int a; string b<>; };\nprogram P { version V { pair SWAP(pair) = 1; } = 1; } = 0x20000101;\n";
const IDL: &str = "interface counter { long add(in string by); };\n";
const SPI: &str =
    "packet P { bool b; }\npipe A { out P p; middle a; }\npipe B { in P p; middle b; }\nflow f { A -> B via tcp; }\n";

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial("names of `.x` files, rpcgen's outputs and Makefile", rpcgen),
        trial("names of `.x` and `.idl` files, other styles", styles),
        trial("names of `.spi` files, Makefile and CMake file", flows),
        trial("names of included files", included),
        trial("names of imported files", imported),
        trial("names that are refused, and why", refused),
        trial("names that are no UTF-8", no_text),
        trial("names that look like options of the preprocessor", options),
        trial("names of scenarios", scenarios),
    ]
}

/// A folder with an input of a hostile name; `None` where no file can have it.
fn folder(payload: &str, ending: &str, text: &str) -> Outcome<Option<(Scratch, String)>> {
    let folder = Scratch::new("hostile")?;
    let name = format!("{payload}{ending}");
    fs::write(folder.path().join("evil.h"), "#error foreign\n")?;
    fs::write(folder.path().join("args"), "-include evil.h\n")?;
    let path = folder.path().join(&name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    Ok(fs::write(&path, text).is_ok().then_some((folder, name)))
}

/// What was refused left nothing behind.
fn is_empty(folder: &Scratch, before: usize, what: &str) -> Outcome {
    let files = filetest::golden::files_below(folder.path());
    require(files.len() == before, || format!("{what:?} left {files:?}"))
}

fn rpcgen() -> Outcome {
    let mut made = 0;
    for payload in some(0) {
        for (name, with_makefile) in
            [(payload.to_owned(), true), (format!("b{payload}"), true), (format!("b{payload}"), false)]
        {
            let Some((folder, name)) = folder(&name, ".x", X)? else { continue };
            let before = filetest::golden::files_below(folder.path()).len();
            let file = format!("./{name}");
            let words = if with_makefile { vec!["rpcgen", "-a", &file] } else { vec!["rpcgen", &file] };
            if !whittle(folder.path(), &words)?.is_done() {
                is_empty(&folder, before, &name)?;
                continue;
            }
            made += 1;
            compiles(folder.path(), &name)?;
            if with_makefile {
                let stem = name.strip_suffix(".x").unwrap_or_default();
                makes(&folder, &format!("Makefile.{stem}"), &name)?;
            }
        }
    }
    require(made > 0, || format!("only {made} names were taken"))
}

/// `make` reads and runs it; in place of compilers there is `true`.
fn makes(folder: &Scratch, file: &str, what: &str) -> Outcome {
    let tools = ["CC=true", "RM=true", "LINK.c=true", "RPCGEN=true"];
    for target in ["all", "clean"] {
        run(Command::new("make").args(["-f", file, "-B"]).args(tools).arg(target), folder.path())?;
        is_untouched(folder.path(), what)?;
    }
    Ok(())
}

fn styles() -> Outcome {
    let calls: [(&str, &str, &[&str]); 4] = [
        (".x", X, &["--style", "plain"]),
        (".x", X, &["--style", "rpcgen", "--link", "onc"]),
        (".idl", IDL, &[]),
        (".idl", IDL, &["--style", "plain", "--link", "giop-tcp"]),
    ];
    let mut made = 0;
    for payload in some(1) {
        for (ending, text, options) in calls {
            let Some((folder, name)) = folder(&format!("b{payload}"), ending, text)? else { continue };
            let before = filetest::golden::files_below(folder.path()).len();
            let words: Vec<&str> = [&["compile"], options, &["--", &name]].concat();
            if !whittle(folder.path(), &words)?.is_done() {
                is_empty(&folder, before, &name)?;
                continue;
            }
            made += 1;
            // Of the run time's own files it is known that they are C.
            for entry in filetest::golden::files_below(folder.path()) {
                let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if name.starts_with("whittle_") && name.ends_with(".c") {
                    fs::remove_file(entry)?;
                }
            }
            compiles(folder.path(), &name)?;
        }
    }
    require(made > 0, || format!("only {made} names were taken"))
}

fn flows() -> Outcome {
    let mut made = 0;
    for payload in some(2).chain(["ü", "plain-name"]) {
        let Some((folder, name)) = folder(&format!("f{payload}"), ".spi", SPI)? else { continue };
        if !whittle(folder.path(), &["compile", "--out", "out", "--", &name])?.is_done() {
            require(!folder.path().join("out/Makefile").exists(), || format!("{name:?}: half-written"))?;
            continue;
        }
        made += 1;
        let out = folder.path().join("out");
        makes(&folder, "out/Makefile", &name)?;
        compiles(&out, &name)?;
        if made <= 2 {
            let said = run(Command::new("cmake").args(["-S", "out", "-B", "build"]), folder.path())?;
            require(said.is_done(), || format!("{name:?}: {}", said.errors))?;
        }
        is_untouched(folder.path(), &name)?;
    }
    require(made >= 2, || format!("only {made} names were taken"))
}

fn included() -> Outcome {
    for payload in some(3) {
        let Some((folder, name)) = folder(&format!("i{payload}"), ".x", "struct part { int a; };\n")? else { continue };
        fs::write(folder.path().join("part.x"), "struct part { int a; };\n")?;
        // A line marker may name any file; `"` and `\` are escaped in it.
        let marked = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        let text =
            format!("# 1 \"{marked}\" 1\nstruct part {{ int a; }};\n# 2 \"m.x\" 2\nstruct whole {{ part p; }};\n");
        fs::write(folder.path().join("m.x"), text)?;
        for words in [&["rpcgen", "m.x"][..], &["compile", "--style", "plain", "m.x"], &["check", "m.x"]] {
            if whittle(folder.path(), words)?.is_done() && words[0] == "rpcgen" {
                compiles(folder.path(), &name)?;
            }
            is_untouched(folder.path(), &name)?;
        }
    }
    Ok(())
}

fn imported() -> Outcome {
    for payload in some(1) {
        let Some((folder, name)) = folder(&format!("i{payload}"), ".x", "struct part { int a; };\n")? else { continue };
        let attribute = name.replace('\\', "\\\\").replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;");
        let attribute: String = attribute
            .chars()
            .map(|c| if c.is_control() { format!("\\u{{{:x}}}", c as u32) } else { c.into() })
            .collect();
        let text = format!(
            "<xip version=\"1\" xmlns=\"{}\"><import file=\"{attribute}\"/>\
             <pipe name=\"A\"><outport type=\"part\" name=\"p\"/><middle function=\"a\"/></pipe>\
             <pipe name=\"B\"><inport type=\"part\" name=\"p\"/><middle function=\"b\"/></pipe>\
             <flow name=\"f\"><instance pipe=\"A\" name=\"one\"/><instance pipe=\"B\" name=\"two\"/>\
             <edge from=\"one.p\" to=\"two.p\"><via transport=\"tcp\"/></edge></flow></xip>",
            super::texts::namespace(folder.path())?
        );
        fs::write(folder.path().join("f.xip"), text)?;
        if whittle(folder.path(), &["compile", "--out", "out", "f.xip"])?.is_done() {
            makes(&folder, "out/Makefile", &name)?;
            compiles(&folder.path().join("out"), &name)?;
        }
        is_untouched(folder.path(), &name)?;
    }
    Ok(())
}

fn refused() -> Outcome {
    let calls: [(&str, &str, &[&str], &str); 5] = [
        ("a\"b.x", X, &["rpcgen"], "include-001"),
        ("a\nb.idl", IDL, &["compile"], "include-001"),
        ("a>b.spi", SPI, &["compile"], "include-001"),
        ("my flow.spi", SPI, &["compile"], "isg-012"),
        ("$(touch OWNED).x", X, &["rpcgen", "-Sm"], "input-010"),
    ];
    for (name, text, words, code) in calls {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join(name), text)?;
        let words: Vec<&str> = words.iter().copied().chain([name]).collect();
        let said = whittle(folder.path(), &words)?;
        require(said.status == Some(1) && said.errors.contains(code), || format!("{name:?}: {said:?}"))?;
        require(folder.names().len() == 1, || format!("{name:?}: {:?}", folder.names()))?;
    }
    Ok(())
}

fn no_text() -> Outcome {
    for (name, text) in [(&b"a\xff.x"[..], X), (b"\xc3\x28.idl", IDL), (b"\xed\xa0\x80.spi", SPI)] {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join(OsStr::from_bytes(name)), text)?;
        for words in [&["compile", "--"][..], &["rpcgen"], &["rpcgen", "-a"], &["check", "--"]] {
            let words: Vec<&OsStr> = words.iter().map(OsStr::new).chain([OsStr::from_bytes(name)]).collect();
            let said = whittle(folder.path(), &words)?;
            require(!said.is_done(), || format!("{words:?}: {said:?}"))?;
        }
        require(folder.names().len() == 1, || format!("{:?}", folder.names()))?;
    }
    Ok(())
}

/// `cpp` and `clang` take a file's name for options where it begins like one, and read more of them from `@file`.
fn options() -> Outcome {
    for name in ["-oOWNED", "@args", "-include=evil.h", "-fplugin=evil"] {
        let folder = Scratch::new("hostile")?;
        fs::write(folder.path().join("args.x"), "-oOWNED\n")?;
        fs::write(folder.path().join(format!("{name}.x")), X)?;
        let file = format!("{name}.x");
        let said = whittle(folder.path(), &["compile", "--style", "plain", "--out", "out", "--", &file])?;
        require(said.is_done(), || format!("{name}: {said:?}"))?;
        fs::write(
            folder.path().join("f.spi"),
            format!("import \"{file}\";\n{}", SPI.replace("packet P { bool b; }", "packet P { bool b; pair q; }")),
        )?;
        whittle(folder.path(), &["compile", "--out", "flow", "f.spi"])?;
        let made = filetest::golden::files_below(folder.path())
            .into_iter()
            .find(|path| path.to_string_lossy().contains("OWNED.x") && !path.ends_with("-oOWNED.x"));
        require(made.is_none(), || format!("{name}: {made:?}"))?;
        require(!folder.path().join("OWNED.x").exists() && !folder.path().join("OWNED").exists(), || {
            format!("{name}: {:?}", folder.names())
        })?;
    }
    Ok(())
}

fn scenarios() -> Outcome {
    let text = "#include <whittle/specialize.h>\nstatic int add(int a, int b) { return a + b; }\nWHITTLE_SPECIALIZE int one(int a) { return add(a, 1); }\n";
    for payload in some(2) {
        let Some((folder, name)) = folder(&format!("s{payload}"), ".c", text)? else { continue };
        fs::create_dir(folder.path().join("out"))?;
        let words = ["specialize", &name, "-o", "out/residual.c", "--harness", "out/harness.c"];
        if whittle(folder.path(), &words)?.is_done() {
            fs::copy(folder.path().join(&name), folder.path().join("out").join(&name)).ok();
            let header = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime/include");
            let mut gcc = Command::new("gcc");
            gcc.args(["-std=gnu11", "-fsyntax-only", "-I", header, "-I", ".", "out/residual.c", "out/harness.c"]);
            let said = run(&mut gcc, folder.path())?;
            require(said.is_done(), || format!("{name:?}: {}", said.errors))?;
        }
        whittle(folder.path(), &["specialize", "--show-binding-times=out/page.html", &name])?;
        is_untouched(folder.path(), &name)?;
    }
    Ok(())
}
