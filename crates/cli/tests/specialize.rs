//! `whittle specialize` from its command line: on the real RPC library, whose residual code must do what the original
//! does, and on mistakes.

#[path = "specialize/beside.rs"]
mod beside;
#[path = "specialize/call.rs"]
mod call;
#[path = "specialize/cases.rs"]
mod cases;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed, Trial};

/// libtirpc's source, as `cargo xtask corpora` fetches it.
const LIBRARY: &str = "../../target/corpora/libtirpc";
const CASE: &str = "../../tests/specialize/rpc";
const GENERAL: [&str; 4] = ["xdr.c", "xdr_mem.c", "xdr_array.c", "xdr_reference.c"];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = vec![
        oracle::trial("a scenario that marks nothing gets a line that says how", &["clang"], nothing_marked),
        oracle::trial("a root that is not there is named", &["clang"], no_root),
        oracle::trial("a contract that does not hold stops the run", &["clang"], contract),
        oracle::trial("what stays general is named, and no benefit may be an error", &["clang"], general),
        oracle::trial("code that would be much too large is refused", &["clang"], growth),
        oracle::trial("time that is used up is an error, and nothing is written", &["clang"], no_time),
        oracle::trial("a terminal shows how far a long run is", &["clang", "script"], shown_progress),
        oracle::trial("flags come from the build's compile commands", &["clang"], compile_commands),
        oracle::trial("lines of residual code lead to the general code", &["clang", "gcc", "objdump"], lines),
        oracle::trial("a harness needs arguments that can be made up", &["clang"], no_harness),
        oracle::trial("a harness sees a wrong residual", &["clang", "gcc"], wrong_residual),
        Trial::test("a compiler that is not there is asked for", no_compiler),
    ];
    let library = here(LIBRARY);
    if library.join("src/xdr.c").is_file() {
        let tools = ["clang", "gcc", "rpcgen"];
        trials.push(oracle::trial("two integers become two stores", &tools, figure_ten));
        trials.push(oracle::trial("marshalling on a memory stream stays the same", &tools, same_behaviour));
        trials.push(oracle::trial("a whole call goes every way that the original goes", &tools, call::every_way));
        let name = "a whole call with a routine for each integer goes every way, too";
        trials.push(oracle::trial(name, &tools, call::every_way_by_routine));
        trials.push(oracle::trial("a harness compares marshalling on its own", &tools, harness));
    } else {
        trials.push(oracle::absent("marshalling of the real library", "libtirpc's source (make corpora)"));
    }
    trials.extend(cases::trials());
    trials.extend(beside::trials());
    trials.extend(wrong_trials());
    libtest_mimic::run(&arguments, trials).exit();
}

fn here(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn whittle(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_whittle"));
    command.current_dir(folder).arg("specialize");
    command
}

fn source(text: &str) -> Result<Scratch, Failed> {
    let folder = Scratch::new("specialize")?;
    fs::write(folder.path().join("use.c"), text)?;
    Ok(folder)
}

fn refused(output: &Output, code: &str) -> Result<(), Failed> {
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.code() != Some(1) || !said.contains(&format!("[{code}]")) || !output.stdout.is_empty() {
        return Err(format!("not refused with {code}: {}\n{said}", output.status).into());
    }
    Ok(())
}

fn nothing_marked() -> Result<(), Failed> {
    let folder = source("int square(int x) { return x * x; }\n")?;
    refused(&whittle(folder.path()).arg("use.c").output()?, "scenario-002")
}

fn no_root() -> Result<(), Failed> {
    let folder = source("int square(int x) { return x * x; }\n")?;
    refused(&whittle(folder.path()).args(["--root", "sqare", "use.c"]).output()?, "scenario-001")
}

fn contract() -> Result<(), Failed> {
    let text = "#include <whittle/specialize.h>\n\
                WHITTLE_SPECIALIZE int twice(int x) { WHITTLE_STATIC(x); return x * 2; }\n";
    let folder = source(text)?;
    refused(&whittle(folder.path()).arg("use.c").output()?, "scenario-003")
}

fn general() -> Result<(), Failed> {
    let text = "static int sum(int n, int x)\n\
                { int *all = __builtin_alloca(sizeof *all); *all = x; while (n-- > 0) *all += n; return *all; }\n\
                int three(int x) { return sum(3, x); }\nint twice(int x) { return x * 2; }\n";
    let folder = source(text)?;
    let output = whittle(folder.path()).args(["--root", "three", "--message-format", "short", "use.c"]).output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || !said.contains("scenario-007") || !said.contains("`sum`") {
        return Err(format!("not named: {}\n{said}", output.status).into());
    }
    for root in ["three", "twice"] {
        refused(
            &whittle(folder.path()).args(["--require-benefit", "--root", root, "use.c"]).output()?,
            "scenario-008",
        )?;
    }
    Ok(())
}

/// Calls that multiply are refused, and done where they are asked for; a scenario that is not asked for has no annotations left.
fn growth() -> Result<(), Failed> {
    let folder = source(
        "#include <whittle/specialize.h>\nvoid put(int);\n\
         static void both(int n) { if (n == 0) put(1); else { both(n - 1); both(n - 1); } }\n\
         void root(void) { both(13); }\n\
         WHITTLE_SPECIALIZE int other(int n) { WHITTLE_FACT(n == 3); return n + 1; }\n",
    )?;
    let words = ["--loops", "keep", "--root", "root", "use.c", "-o", "out.c"];
    refused(&whittle(folder.path()).args(words).output()?, "scenario-009")?;
    if folder.path().join("out.c").exists() {
        return Err("half a result".into());
    }
    oracle::succeed(whittle(folder.path()).args(words).args(["--max-growth", "5000"]))?;
    // What is small is written, with a warning.
    let small = source(
        "void put(int);\n\
         static void both(int n) { if (n == 0) put(1); else { both(n - 1); both(n - 1); } }\n\
         void root(void) { both(7); }\n",
    )?;
    for (most, is_said) in [("16", true), ("100", false)] {
        let output = whittle(small.path()).args(words).args(["--max-growth", most]).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        if !output.status.success() || said.contains("scenario-010") != is_said {
            return Err(format!("--max-growth {most}: {}\n{said}", output.status).into());
        }
    }
    let residual = fs::read_to_string(folder.path().join("out.c"))?;
    let is_clean = residual.contains("int other(int n)") && !residual.contains("whittle");
    if residual.matches("put(1)").count() != 8192 || !is_clean {
        return Err(
            format!("calls are missing, or annotations are left: {}", &residual[..residual.len().min(2000)]).into()
        );
    }
    Ok(())
}

/// A loop without end in sight.
const LONG: &str = "unsigned f(unsigned n)\n\
                    { unsigned x = 1; for (long i = 0; i < 100000000000; i++) x = x * 5 + 1; return x + n; }\n";

fn no_time() -> Result<(), Failed> {
    let folder = source(&format!("{LONG}unsigned g(unsigned n) {{ return n; }}\n"))?;
    let words = ["--root", "g", "--root", "f", "use.c", "-o", "out.c", "--time-limit", "0"];
    let output = whittle(folder.path()).args(words).output()?;
    refused(&output, "limit-001")?;
    let said = String::from_utf8_lossy(&output.stderr);
    let both = ["`f` is not specialized", "`g` is not specialized"].iter().all(|text| said.contains(text));
    if !both || said.contains('\x1b') || folder.path().join("out.c").exists() {
        return Err(format!("half a result, or not said of both: {said}").into());
    }
    Ok(())
}

/// The line is there after two seconds, and gone at the end.
fn shown_progress() -> Result<(), Failed> {
    let folder = source(LONG)?;
    let seen = |more: &str| -> Result<String, Failed> {
        let line = format!(
            "{} specialize --root f use.c -o out.c --time-limit 6 --limit steps=1000G {more}",
            env!("CARGO_BIN_EXE_whittle")
        );
        let mut script = oracle::command("script");
        script.current_dir(folder.path()).args(["-qec", &line, "/dev/null"]).env("TERM", "xterm");
        Ok(String::from_utf8_lossy(&oracle::succeed(&mut script)?.stdout).into_owned())
    };
    let shown = seen("")?;
    if !shown.contains("\r\x1b[Kspecializing f: ") || !shown.ends_with("\r\x1b[K") {
        return Err(format!("no line, or it is left: {shown:?}").into());
    }
    let quiet = seen("--quiet")?;
    if quiet.is_empty() { Ok(()) } else { Err(format!("not quiet: {quiet:?}").into()) }
}

fn compile_commands() -> Result<(), Failed> {
    let folder = source("#include \"of/build.h\"\nint scaled(int x) { return x * SCALE + EXTRA; }\n")?;
    fs::create_dir_all(folder.path().join("inc dir/of"))?;
    fs::write(folder.path().join("inc dir/of/build.h"), "#define SCALE 3\n")?;
    let words = ["--root", "scaled", "use.c", "--compile-commands", "."];
    refused(&whittle(folder.path()).args(words).output()?, "host-013")?;
    fs::write(folder.path().join("compile_commands.json"), "[{\"file\": 3}]")?;
    refused(&whittle(folder.path()).args(words).output()?, "host-013")?;
    let command = "cc -O2 -flto=auto -I 'inc dir' -DEXTRA='1 + 1' -MD -MF use.d -o use.o -c use.c";
    let entry = format!(
        "[{{\"directory\": \"{}\", \"file\": \"use.c\", \"command\": \"{command}\"}}]",
        folder.path().display()
    );
    fs::write(folder.path().join("compile_commands.json"), entry)?;
    let output = oracle::succeed(whittle(folder.path()).args(words))?;
    let residual = String::from_utf8_lossy(&output.stdout).into_owned();
    if residual.contains("x * 3 + 1 + 1") || residual.contains("x * 3 + 2") { Ok(()) } else { Err(residual.into()) }
}

/// Debuggers find the general code behind residual statements; without the option, nothing of that is there.
fn lines() -> Result<(), Failed> {
    let general = "int put(int *to, int n);\n\nint fill(int *to, int n)\n{\n    while (n > 0) {\n        to[n] =\n            n;\n        \
                   n = n / 2;\n    }\n    return put(to, n);\n}\n\n\
                   int times(int n, int by)\n{\n    if (n <= 0)\n        return by;\n    return n * times(n - by, by);\n}\n";
    let folder = source(
        "int fill(int *to, int n);\nint times(int n, int by);\n\n\
         int root(int *to, int n)\n{\n    int first = fill(to, 5);\n    return first + times(n, 3);\n}\n",
    )?;
    fs::write(folder.path().join("general.c"), general)?;
    let residual = |option: &[&str]| -> Result<String, Failed> {
        let words = ["--root", "root", "use.c", "general.c", "-o", "out.c"];
        oracle::succeed(whittle(folder.path()).args(words).args(option))?;
        Ok(fs::read_to_string(folder.path().join("out.c"))?)
    };
    let plain = residual(&[])?;
    let led = residual(&["--line-directives"])?;
    let kept: Vec<&str> = led.lines().filter(|line| !line.starts_with("#line")).collect();
    if plain.contains("#line") || kept != plain.lines().collect::<Vec<_>>() {
        return Err(format!("the option changes more than lines:\n{plain}\n{led}").into());
    }
    let mut gcc = oracle::command("gcc");
    gcc.current_dir(folder.path()).args(["-Wall", "-Wextra", "-Werror", "-g", "-c", "out.c", "-o", "out.o"]);
    oracle::succeed(&mut gcc)?;
    let mut objdump = oracle::command("objdump");
    let output = oracle::succeed(objdump.current_dir(folder.path()).args(["--dwarf=decodedline", "out.o"]))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let found = |file: &str, line: &str| {
        said.lines()
            .map(|text| text.split_whitespace().collect::<Vec<_>>())
            .any(|words| words.starts_with(&[file, line]))
    };
    for (file, line) in
        [("use.c", "7"), ("general.c", "6"), ("general.c", "10"), ("general.c", "16"), ("general.c", "17")]
    {
        if !found(file, line) {
            return Err(format!("{file}:{line} is not among the lines:\n{led}\n{said}").into());
        }
    }
    Ok(())
}

fn no_compiler() -> Result<(), Failed> {
    let folder = source("int square(int x) { return x * x; }\n")?;
    let output = whittle(folder.path()).args(["--root", "square", "use.c"]).env("CLANG", "/nowhere/clang").output()?;
    refused(&output, "host-006")
}

/// A folder with rpcgen's files and the residual code of the scenario.
struct Prepared {
    folder: Scratch,
    includes: Vec<String>,
    general: Vec<PathBuf>,
}

fn prepare() -> Result<Prepared, Failed> {
    let folder = Scratch::new("specialize-rpc")?;
    for name in ["rmin.x", "scenario.c", "compare.c"] {
        folder.copy(&here(CASE).join(name))?;
    }
    for (flag, name) in [("-h", "rmin.h"), ("-c", "rmin_xdr.c")] {
        oracle::succeed(oracle::command("rpcgen").current_dir(folder.path()).args([flag, "-o", name, "rmin.x"]))?;
    }
    let library = here(LIBRARY).canonicalize()?;
    let includes: Vec<String> =
        ["tirpc", "src"].iter().map(|name| format!("-I{}", library.join(name).display())).collect();
    let mut general = vec![folder.path().join("rmin_xdr.c")];
    general.extend(GENERAL.iter().map(|name| library.join("src").join(name)));
    let mut command = whittle(folder.path());
    command.arg("scenario.c").args(&general).args(["-o", "residual.c", "--harness", "harness.c", "--"]).args(&includes);
    oracle::succeed(&mut command)?;
    Ok(Prepared { folder, includes, general })
}

fn no_harness() -> Result<(), Failed> {
    let text = "#include <whittle/specialize.h>\n\
                WHITTLE_SPECIALIZE int apply(int (*f)(int, ...), int x) { return f(x * 2); }\n";
    let folder = source(text)?;
    refused(&whittle(folder.path()).args(["use.c", "--harness", "harness.c"]).output()?, "scenario-005")?;
    if folder.path().join("harness.c").exists() { Err("there is a harness all the same".into()) } else { Ok(()) }
}

/// A scenario whose residual code is changed: the harness says that both are the same before, and that they differ after.
struct Wrong {
    name: &'static str,
    text: &'static str,
    change: (&'static str, &'static str),
    said: &'static str,
}

const WRONG: &[Wrong] = &[
    Wrong {
        name: "what a call leaves for the next one",
        text: "static int turn;\nWHITTLE_SPECIALIZE int next(int by) { turn += 3 + (by & 1); return turn == 13; }\n",
        change: ("turn + (3", "turn + (2"),
        said: "next: they differ",
    },
    Wrong {
        name: "a global variable",
        text: "int last;\nWHITTLE_SPECIALIZE void note(int x) { last = x * 3; }\n",
        change: ("x * 3", "x * 5"),
        said: "note: they differ",
    },
    Wrong {
        name: "the number of an error",
        text: "#include <errno.h>\nWHITTLE_SPECIALIZE int fail(int x) { errno = x & 7; return -1; }\n",
        change: ("& 7", "& 3"),
        said: "errno: ",
    },
    Wrong {
        name: "calls of functions behind pointers",
        text: "struct shape { int (*area)(int side, const char *name); void (*draw)(double at); };\n\
               WHITTLE_SPECIALIZE int both(const struct shape *shape, int (*f)(int), int x)\n\
               { if (shape->draw) shape->draw(x & 1); return shape->area(x & 3, \"a\") + f(x + 2); }\n",
        change: ("x + 2", "x + 1"),
        said: "both: they differ",
    },
    Wrong {
        name: "what calls another function of the scenario's",
        text: "int helper(int x) { return x + 1; }\nWHITTLE_SPECIALIZE int f(int x) { return helper(x) * 2; }\n",
        change: ("* 2", "* 3"),
        said: "f: they differ",
    },
    Wrong {
        name: "a bit-field, and not the bits beside it, which nobody has set",
        text: "struct part { long v; unsigned bits : 3; };\n\
               static struct part made(long v) { struct part r; r.v = v; r.bits = v & 1 ? 5 : 2; return r; }\n\
               WHITTLE_SPECIALIZE struct part root(long v) { return made(v); }\n",
        change: ("= 5;", "= 4;"),
        said: "root: they differ",
    },
];

fn wrong_trials() -> Vec<Trial> {
    let trial = |wrong: &'static Wrong| {
        oracle::trial(format!("a harness sees {}", wrong.name), &["clang", "gcc"], || sees(wrong))
    };
    WRONG.iter().map(trial).collect()
}

fn sees(wrong: &Wrong) -> Result<(), Failed> {
    let folder = source(&format!("#include <whittle/specialize.h>\n{}", wrong.text))?;
    oracle::succeed(whittle(folder.path()).args(["use.c", "-o", "fast.c", "--harness", "harness.c"]))?;
    let right = compare(folder.path(), &[Path::new("fast.c")], &[])?;
    let residual = fs::read_to_string(folder.path().join("fast.c"))?;
    if !right.status.success() {
        return Err(format!("{}\n{residual}", String::from_utf8_lossy(&right.stdout)).into());
    }
    let changed = residual.replace(wrong.change.0, wrong.change.1);
    fs::write(folder.path().join("fast.c"), &changed)?;
    let output = compare(folder.path(), &[Path::new("fast.c")], &[])?;
    let said = String::from_utf8_lossy(&output.stdout);
    let is_seen = output.status.code() == Some(1) && said.contains(wrong.said);
    if changed != residual && is_seen { Ok(()) } else { Err(format!("not seen: {said}\n{changed}").into()) }
}

/// Compiles a harness with what it compares and starts it.
fn compare(folder: &Path, files: &[&Path], flags: &[String]) -> Result<Output, Failed> {
    let mut command = oracle::command("gcc");
    let own = format!("-I{}", here("../../runtime/include").display());
    command.current_dir(folder).args(["-w", "-O1", "-o", "harness", "harness.c"]).args(files).args(flags).arg(own);
    oracle::succeed(&mut command)?;
    Ok(Command::new(folder.join("harness")).args(["7", "60"]).output()?)
}

fn wrong_residual() -> Result<(), Failed> {
    let text = "#include <whittle/specialize.h>\n\
                struct two { int a; char *text; };\n\
                WHITTLE_SPECIALIZE int set(struct two *two, unsigned x)\n\
                { two->a = x / 3; return two->text != 0 && two->text[0] == '1'; }\n";
    let folder = source(text)?;
    oracle::succeed(whittle(folder.path()).args(["use.c", "-o", "fast.c", "--harness", "harness.c"]))?;
    let right = compare(folder.path(), &[Path::new("fast.c")], &[])?;
    if !right.status.success() {
        return Err(format!("{}", String::from_utf8_lossy(&right.stdout)).into());
    }
    let residual = fs::read_to_string(folder.path().join("fast.c"))?;
    let wrong = residual.replace("/ 3", "/ 5");
    fs::write(folder.path().join("fast.c"), &wrong)?;
    let output = compare(folder.path(), &[Path::new("fast.c")], &[])?;
    let said = String::from_utf8_lossy(&output.stdout);
    let sees = output.status.code() == Some(1) && said.contains("set: they differ") && said.contains("two.a");
    if wrong != residual && sees { Ok(()) } else { Err(format!("not seen: {said}\n{wrong}").into()) }
}

/// The harness of the whole scenario, through the real library.
fn harness() -> Result<(), Failed> {
    let prepared = prepare()?;
    let mut files = vec![Path::new("residual.c")];
    files.extend(prepared.general.iter().map(PathBuf::as_path));
    let output = compare(prepared.folder.path(), &files, &prepared.includes)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let compared = said.lines().filter(|line| line.contains(": the same in ")).count();
    if output.status.success() && compared == 10 {
        return Ok(());
    }
    Err(format!("{}\n{said}{}", output.status, String::from_utf8_lossy(&output.stderr)).into())
}

/// The paper's figures 9 and 10: no test for room, no status, no choice of direction.
fn figure_ten() -> Result<(), Failed> {
    let prepared = prepare()?;
    let residual = fs::read_to_string(prepared.folder.path().join("residual.c"))?;
    let body = residual.split("bool_t encode_pair(").nth(1).and_then(|rest| rest.split("\n}\n").next());
    let body = body.ok_or("no encode_pair in the residual code")?;
    let stores = body.matches("htonl(value->").count();
    if stores != 2 || body.contains("xdr") || body.matches("if (").count() != 1 || !body.contains("return 1;") {
        return Err(format!("encode_pair is not two stores behind one fact:{body}").into());
    }
    Ok(())
}

fn same_behaviour() -> Result<(), Failed> {
    let prepared = prepare()?;
    let folder = prepared.folder.path();
    let original = run(&prepared, "scenario.c", "gcc", "-O2")?;
    for compiler in ["gcc", "clang"] {
        for level in ["-O0", "-O2"] {
            let residual = run(&prepared, "residual.c", compiler, level)?;
            if residual != original {
                fs::write(folder.join("original.txt"), &original)?;
                fs::write(folder.join("residual.txt"), &residual)?;
                return Err(format!(
                    "{compiler} {level}: original.txt and residual.txt differ in {}",
                    folder.display()
                )
                .into());
            }
        }
    }
    Ok(())
}

/// What the comparing program prints with these entry points.
fn run(prepared: &Prepared, entries: &str, compiler: &str, level: &str) -> Result<Vec<u8>, Failed> {
    let mut command = oracle::command(compiler);
    let own = here("../../runtime/include");
    command.current_dir(prepared.folder.path()).args(["-w", level, "-o", "compare", "compare.c", entries]);
    command.args(&prepared.general).args(&prepared.includes).arg(format!("-I{}", own.display()));
    oracle::succeed(&mut command)?;
    Ok(oracle::succeed(&mut Command::new(prepared.folder.path().join("compare")))?.stdout)
}
