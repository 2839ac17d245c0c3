//! What a generated `_xdr.c` declares beyond what rpcgen's does is whittle's by its name, or does not stand in the way of a description
//! that uses the name for something else.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;

/// Types of every kind, so that the file has all of the runtime.
const DESCRIPTION: &str = "enum color { RED, GREEN };\ntypedef string name<20>;\ntypedef opaque data<>;\ntypedef int ints<10>;\n\
    struct node { int v; hyper h; bool b; char c; u_short s; long l; double d; float f; name n; data o; node *next; ints is[3]; };\n\
    union un switch (color c) { case RED: int a; case GREEN: node n; default: void; };\n";

fn made(folder: &Scratch, tool: &mut Command, stem: &str, text: &str) {
    fs::write(folder.path().join(format!("{stem}.x")), text).expect("a file");
    for (flag, end) in [("-h", ".h"), ("-c", "_xdr.c")] {
        let mut command = Command::new(tool.get_program());
        command.args(tool.get_args()).current_dir(folder.path());
        let output = format!("{stem}{end}");
        let _ = fs::remove_file(folder.path().join(&output));
        oracle::succeed(command.args([flag, "-o", &output, &format!("{stem}.x")])).expect("output");
    }
}

fn whittle(prefer: &str) -> Command {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.args(["rpcgen", "--quiet", "--prefer", prefer]);
    whittle
}

fn compiler(folder: &Path, name: &str) -> Command {
    let mut command = oracle::command(name);
    command.current_dir(folder).args(["-isystem", "/usr/include/tirpc"]);
    command
}

/// The macros at the end of a file, and the types that are known there.
fn names(folder: &Path, file: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let text = |command: &mut Command| {
        let output = oracle::succeed(command).expect("names");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let macros = text(compiler(folder, "gcc").args(["-dM", "-E", file]));
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let macro_of = |line: &str| Some(line.strip_prefix("#define ")?.split(|c| !is_part(c)).next()?.to_owned());
    let tree = text(compiler(folder, "clang").args([
        "-w",
        "-fsyntax-only",
        "-fno-color-diagnostics",
        "-Xclang",
        "-ast-dump",
        file,
    ]));
    // Behind the places: the name, then the type in quotes.
    let outer = tree.lines().filter(|line| line.starts_with("|-") || line.starts_with("`-"));
    let declared = outer.filter_map(|line| {
        let (kind, rest) = line[2..].split_once(' ')?;
        ["TypedefDecl", "FunctionDecl", "VarDecl"].contains(&kind).then_some(())?;
        rest.split(" '").next()?.rsplit(' ').next().map(str::to_owned)
    });
    (macros.lines().filter_map(macro_of).collect(), declared.collect())
}

/// Tables are written with `offsetof`, a macro with arguments that no description means.
fn is_ours(name: &str) -> bool {
    if name == "offsetof" {
        return true;
    }
    let begins = ["whittle_", "WHITTLE_", "encode_xdr_", "decode_xdr_", "release_xdr_", "_"];
    begins.iter().any(|begin| name.starts_with(begin))
}

/// A description that defines all that whittle's file declares and rpcgen's does not; the numbers are the description's.
#[test]
fn names_of_headers_that_rpcgens_files_do_not_include_are_free() {
    let folder = Scratch::new("names-of-c").expect("a folder");
    made(&folder, &mut oracle::command("rpcgen"), "theirs", DESCRIPTION);
    let (their_macros, their_types) = names(folder.path(), "theirs_xdr.c");
    for prefer in ["speed", "balance", "size"] {
        made(&folder, &mut whittle(prefer), "ours", DESCRIPTION);
        let (macros, types) = names(folder.path(), "ours_xdr.c");
        let free = |ours: BTreeSet<String>, theirs: &BTreeSet<String>| -> Vec<String> {
            ours.difference(theirs).filter(|name| !is_ours(name)).cloned().collect()
        };
        let (macros, types) = (free(macros, &their_macros), free(types, &their_types));
        assert!(macros.len() > 20 && types.len() > 10, "{macros:?} {types:?}");
        let mut text = String::new();
        for (at, name) in macros.iter().enumerate() {
            let _ = writeln!(text, "const {name} = {};", at + 7);
        }
        for name in &types {
            let _ = writeln!(text, "struct {name} {{ int a; string b<>; {name} *next; }};");
        }
        text += DESCRIPTION;
        made(&folder, &mut whittle(prefer), "all", &text);
        // What the last line of the file sees is what its routines see.
        let mut checked = String::from("#include \"all_xdr.c\"\n");
        for (at, name) in macros.iter().enumerate() {
            let _ = writeln!(checked, "typedef char is_{name}[{name} == {} ? 1 : -1];", at + 7);
        }
        fs::write(folder.path().join("checked.c"), checked).expect("a file");
        for name in ["gcc", "clang"] {
            let mut command = compiler(folder.path(), name);
            oracle::succeed(command.args(["-Wall", "-Wextra", "-Werror", "-O1", "-c", "checked.c"]))
                .expect("no warning");
        }
    }
}

/// `quadruple` is a word of RFC 4506 and none of rpcgen's, so that users have it from their own lines.
#[test]
fn a_quadruple_of_the_users_own_is_theirs() {
    let folder = Scratch::new("names-quadruple").expect("a folder");
    let text = "%typedef long double quadruple;\nstruct s { quadruple a; quadruple more<>; };\n";
    for prefer in ["speed", "balance", "size"] {
        made(&folder, &mut whittle(prefer), "q", text);
        let mut gcc = compiler(folder.path(), "gcc");
        oracle::succeed(gcc.args(["-Wall", "-Wextra", "-Werror", "-c", "q_xdr.c"])).expect("no warning");
    }
}

/// Structures and enumerations with names of functions: those of C, and those that headers declare in C++ alone.
const FUNCTIONS: &str = "struct write { int a; };\nstruct read { int a; write *w; write many<>; };\n\
    union time switch (int k) { case 1: write w; default: void; };\nstruct signal { time t; read r; };\n\
    enum select { S_A = 1 };\nenum link { L_A = 1 };\ntypedef signal signals<>;\ntypedef write *writes;\n\
    struct pause { select s; link l; signals ss; writes w; };\n\
    program P { version V { write F(read) = 1; signal G(time) = 2; pause H(pause) = 3; link I(select) = 4;\n\
    signals J(void) = 5; } = 1; } = 0x20000333;\n";

/// Compiles all files of a folder but those of the run time, as C and as C++.
fn compiles(folder: &Path, made: &str) {
    let mut tried = 0;
    for entry in fs::read_dir(folder.join(made)).expect("a folder").flatten() {
        let file = format!("{made}/{}", entry.file_name().to_string_lossy());
        if !file.ends_with(".c") || file.contains("/whittle_") {
            continue;
        }
        for (name, options) in [
            ("gcc", &["-std=c99", "-D_DEFAULT_SOURCE", "-fsyntax-only"][..]),
            ("clang", &["-std=c17", "-D_DEFAULT_SOURCE", "-fsyntax-only"]),
            ("g++", &["-std=c++17", "-fsyntax-only", "-xc++"]),
            ("clang++", &["-std=c++17", "-fsyntax-only", "-xc++"]),
        ] {
            let mut command = compiler(folder, name);
            command.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", made]).args(options);
            oracle::succeed(command.arg(&file)).expect("no warning");
        }
        tried += 1;
    }
    assert!(tried > 0);
}

/// Compiles a description in rpcgen's style for links with and without its headers, and what is made of it.
fn compiles_in_rpcgens_style(scratch: &str, text: &str) {
    let folder = Scratch::new(scratch).expect("a folder");
    fs::write(folder.path().join("f.x"), text).expect("a file");
    for (made, link, more) in
        [("a", "tirpc", "--quiet"), ("b", "tirpc", "--newstyle"), ("c", "onc", "--newstyle"), ("d", "none", "--quiet")]
    {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.current_dir(folder.path()).args(["compile", "f.x", "--style", "rpcgen", "--encoding", "xdr"]);
        oracle::succeed(whittle.args(["--link", link, more, "--out", made])).expect("stubs");
        compiles(folder.path(), made);
    }
}

#[test]
fn structures_may_have_the_names_of_functions() {
    compiles_in_rpcgens_style("names-functions", FUNCTIONS);
}

/// Names for pointers, arrays, texts, sequences, numbers and other names: of functions of C, and of those that C++'s headers declare alone.
#[test]
fn other_types_may_have_the_names_of_functions() {
    let text = "typedef int x;\ntypedef x *pwrite;\ntypedef pwrite *pread;\ntypedef x send<>;\ntypedef opaque link<8>;\n\
        typedef x select[3];\ntypedef string wait<>;\ntypedef hyper time;\ntypedef time signal;\ntypedef select pause<>;\n\
        typedef opaque read[4];\ntypedef string alarm<9>;\n\
        struct all { pwrite p; pread q; send s; link l; select e; wait w; time t; signal g; pause u; read r; all *next; };\n\
        union un switch (int k) { case 1: select e; case 2: send s; case 3: pwrite p; default: wait w; };\n\
        program P { version V { pwrite F1(pwrite) = 1; send F2(send) = 2; select F3(select) = 3; wait F4(wait) = 4;\n\
        signal F5(time) = 5; pause F6(link) = 6; un F7(all) = 7; read F8(read) = 8; alarm F9(pread) = 9; } = 1; } = 0x20000334;\n";
    compiles_in_rpcgens_style("names-aliases", text);
}

/// The header ends what C's headers have, and its numbers are the description's.
#[test]
fn constants_take_the_place_of_macros_of_the_headers() {
    let text = "const EOF = 7;\nconst NULL = 0;\nconst PATH_MAX = 33;\nconst BUFSIZ = 9;\nconst INT_MAX = 3;\nconst errno = 4;\n\
        struct s { int a[EOF]; string b<PATH_MAX>; opaque c[INT_MAX]; int d<BUFSIZ>; s *n; int e[errno]; };\n\
        program P { version V { s F(s) = EOF; } = 2; } = 0x20000335;\n";
    compiles_in_rpcgens_style("names-of-headers", text);
}

/// `MAX` and the like are macros with arguments in what `rpc/rpc.h` includes.
#[test]
fn constants_end_macros_with_arguments_of_the_headers_before() {
    let folder = Scratch::new("names-macros").expect("a folder");
    let text = "const MAX = 5;\nconst MIN = 2;\nconst roundup = 9;\nconst isset = 1;\nconst htobe32 = 4;\nconst MAXIMUM = MAX;\n\
        struct s { int a[MAX]; string b<MIN>; opaque c[roundup]; int d<htobe32>; hyper e[isset]; };\n\
        program P { version V { s F(s) = MIN; } = isset; } = 0x20000333;\n";
    fs::write(folder.path().join("m.x"), text).expect("a file");
    for (style, link) in
        [("rpcgen", "tirpc"), ("rpcgen", "onc"), ("plain", "tirpc"), ("corba", "tirpc"), ("plain", "onc")]
    {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.current_dir(folder.path()).args(["compile", "m.x", "--style", style, "--encoding", "xdr"]);
        let made = format!("{style}-{link}");
        oracle::succeed(whittle.args(["--link", link, "--out", &made])).expect("stubs");
        compiles(folder.path(), &made);
    }
}
