//! `whittle rpcgen --check` of whole source trees: for each folder of `tests/migrate`, `NAME.stdout` and `NAME.json` say what is
//! reported of it, and how that ends; sizes of C, which change with the compiler, are left out. Trees that mean harm are made here.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use filetest::golden::{self, Golden};
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

type Outcome = Result<(), Failed>;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/migrate");
    let mut trials = Vec::new();
    for name in ["make", "autotools", "cmake", "meson", "debian", "scripts", "faults", "empty"] {
        for kind in ["stdout", "json"] {
            let root = root.clone();
            trials.push(Trial::test(format!("{name} as {kind}"), move || tree(&root, name, kind)));
        }
    }
    trials.push(Trial::test("links out of the folder are not followed", links));
    trials.push(Trial::test("devices and pipes are not read", devices));
    trials.push(Trial::test("includes stay in the folder", includes));
    trials.push(Trial::test("variables that multiply, and words without an end, are read", texts));
    trials.push(Trial::test("files and folders without measure are bounded", sizes));
    trials.push(Trial::test("names do not steer the terminal", names));
    trials.push(Trial::test("a wrong command line has status 2", misuse));
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(folder: &Path, arguments: &[&str]) -> Result<Output, Failed> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.arg("rpcgen").args(arguments).current_dir(folder).stdin(Stdio::null()).env_remove("CPP");
    Ok(command.output()?)
}

fn tree(root: &Path, name: &str, kind: &str) -> Outcome {
    let format = if kind == "json" { "json" } else { "full" };
    let output = check(root, &["--check", name, "--message-format", format])?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let actual = format!("{}{}\n", without_sizes(&said), output.status);
    let input = root.join(name);
    let golden = Golden { expectation: input.with_extension(kind), input, kind: kind.to_owned(), options: Vec::new() };
    golden::check(&golden, &actual, "BLESS=1 cargo test -p whittle --test migrate")
}

/// Without what changes with the generated code.
fn without_sizes(said: &str) -> String {
    let mut out = String::new();
    for line in said.lines() {
        let line = line.split_once(", about ").map_or(line.to_owned(), |(before, _)| format!("{before}, about N kB"));
        let mut words: Vec<String> = Vec::new();
        for word in line.split(',') {
            let size = ["\"lines\":", "\"bytes\":"].iter().find(|size| word.starts_with(**size));
            words.push(size.map_or(word.to_owned(), |size| format!("{size}0")));
        }
        out.push_str(&format!("{}\n", words.join(",")));
    }
    out
}

fn require(condition: bool, output: &Output) -> Outcome {
    if condition { Ok(()) } else { Err(format!("{output:?}").into()) }
}

/// What is said of a tree, which is said in time and without a panic.
fn said(folder: &Path) -> Result<(String, Output), Failed> {
    let output = check(folder, &["--check", "."])?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    require(matches!(output.status.code(), Some(0 | 1)) && !text.contains("panicked"), &output)?;
    Ok((text, output))
}

fn links() -> Outcome {
    let outside = Scratch::new("migrate")?;
    fs::write(outside.path().join("secret.x"), "struct secret { opaque x; };\n")?;
    fs::write(outside.path().join("Makefile"), "all: ; rpcgen secret.x\n")?;
    let inside = Scratch::new("migrate")?;
    symlink(outside.path().join("secret.x"), inside.path().join("a.x"))?;
    symlink(outside.path().join("Makefile"), inside.path().join("Makefile"))?;
    symlink(outside.path(), inside.path().join("folder"))?;
    symlink("..", inside.path().join("up"))?;
    symlink(".", inside.path().join("again"))?;
    symlink("loop.x", inside.path().join("loop.x"))?;
    fs::write(inside.path().join("real.x"), "const A = 1;\n")?;
    symlink("real.x", inside.path().join("same.x"))?;
    let (text, output) = said(inside.path())?;
    require(
        text.contains("./a.x: warning: not read: it is a symbolic link out") || text.contains("a.x: warning: not read"),
        &output,
    )?;
    require(!text.contains("secret") && text.contains("same.x: no errors"), &output)
}

fn devices() -> Outcome {
    let folder = Scratch::new("migrate")?;
    let status = Command::new("mkfifo").args(["Makefile", "b.x"]).current_dir(folder.path()).status()?;
    if !status.success() {
        return Err("no mkfifo".into());
    }
    symlink("/dev/zero", folder.path().join("zero.x"))?;
    fs::write(folder.path().join("c.x"), "#include \"b.x\"\nconst A = 1;\n")?;
    fs::write(folder.path().join("d.x"), "#include \"/dev/zero\"\nconst A = 1;\n")?;
    let (text, output) = said(folder.path())?;
    let unread = text.matches("not read: ").count();
    require(unread == 3 && text.matches("error[input-011]").count() == 2, &output)
}

fn includes() -> Outcome {
    let outside = Scratch::new("migrate")?;
    fs::write(outside.path().join("secret.h"), "const SECRET = 0xZZ;\n")?;
    let inside = Scratch::new("migrate")?;
    symlink(outside.path().join("secret.h"), inside.path().join("link.h"))?;
    fs::write(inside.path().join("a.x"), "#include \"link.h\"\nconst A = 1;\n")?;
    let absolute = format!("#include \"{}\"\nconst A = 1;\n", outside.path().join("secret.h").display());
    fs::write(inside.path().join("b.x"), absolute)?;
    let computed =
        format!("#define NAME \"{}\"\n#include NAME\nconst A = 1;\n", outside.path().join("secret.h").display());
    fs::write(inside.path().join("c.x"), computed)?;
    fs::write(inside.path().join("d.x"), "#include <../../etc/passwd>\nconst A = 1;\n")?;
    fs::write(inside.path().join("e.h"), "#define N \"/etc/passwd\"\n#include N\n")?;
    fs::write(inside.path().join("e.x"), "#include \"e.h\"\nconst A = 1;\n")?;
    let (text, output) = said(inside.path())?;
    require(!text.contains("0xZZ") && !text.contains("root"), &output)?;
    require(text.matches("error[input-011]").count() == 2 && text.matches("error[host-012]").count() == 3, &output)
}

fn texts() -> Outcome {
    let folder = Scratch::new("migrate")?;
    let mut doubled = String::from("A0 = rpcgen -h b.x\n");
    (1..40).for_each(|at| doubled.push_str(&format!("A{at} = $(A{0}) $(A{0})\n", at - 1)));
    fs::write(folder.path().join("Makefile"), doubled + "all:\n\t$(A39)\n\t$(A39\n\trpcgen '\n")?;
    fs::write(
        folder.path().join("CMakeLists.txt"),
        format!("{}execute_process(COMMAND rpcgen \"", "(".repeat(100_000)),
    )?;
    fs::write(folder.path().join("meson.build"), format!("x = find_program('rpcgen'{}", "[x,".repeat(20_000)))?;
    fs::write(folder.path().join("configure.ac"), "AC_PATH_PROG([".repeat(50_000) + "rpcgen")?;
    fs::write(folder.path().join("a.sh"), [&b"rpcgen \xff\xfe\0"[..], &b"$(".repeat(100_000)].concat())?;
    fs::write(folder.path().join("a.py"), "x = [\"rpcgen\", \"".repeat(1000))?;
    said(folder.path()).map(drop)
}

fn sizes() -> Outcome {
    let folder = Scratch::new("migrate")?;
    let long = fs::File::create(folder.path().join("Makefile"))?;
    long.set_len(1 << 40)?;
    fs::File::create(folder.path().join("b.x"))?.set_len(1 << 40)?;
    let mut deep = folder.path().to_owned();
    (0..60).for_each(|_| deep.push("d"));
    fs::create_dir_all(&deep)?;
    fs::write(deep.join("c.x"), "const A = 1;\n")?;
    let (text, output) = said(folder.path())?;
    require(text.matches("longer than 1 MiB").count() == 2 && text.contains("nested too deep"), &output)
}

fn names() -> Outcome {
    let folder = Scratch::new("migrate")?;
    fs::write(folder.path().join("a\u{1b}[2J\n.x"), "struct s { opaque x; };\n")?;
    fs::write(folder.path().join("a\u{202e}.mk"), "all:\n\trpcgen -h \u{1b}]0;evil\u{7}.x\n")?;
    fs::write(folder.path().join("-o OWNED.x"), "const A = 1;\n")?;
    fs::write(folder.path().join("$(touch OWNED).x"), "const A = 1;\n")?;
    let (text, output) = said(folder.path())?;
    require(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']) && !folder.path().join("OWNED").exists(), &output)
}

fn misuse() -> Outcome {
    let folder = Scratch::new("migrate")?;
    for arguments in [
        &["--check"][..],
        &["--check", "nowhere"],
        &["--check", ".", "-h"],
        &["--check=.", "b.x"],
        &["--check", ".", "--frob"],
    ] {
        let output = check(folder.path(), arguments)?;
        require(output.status.code() == Some(2) && !output.stderr.is_empty(), &output)?;
    }
    let output = check(folder.path(), &["--check", ".", "--quiet"])?;
    require(output.status.code() == Some(0), &output)
}
