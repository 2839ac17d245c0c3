//! The walk through tables holds what a file's tables need and nothing else: each kind of part alone, and many two together,
//! compile without a warning, and files of different kinds stand in one translation unit.

use std::fmt::Write as _;
use std::fs;

use filetest::oracle;
use filetest::scratch::Scratch;

/// A name, and a definition that needs its kind of part.
const KINDS: [(&str, &str); 15] = [
    ("words", "struct T { int a; unsigned b; };"),
    ("doubles", "struct T { hyper a; };"),
    ("bytes", "struct T { opaque a[7]; };"),
    ("text", "struct T { string a<>; };"),
    ("opaque", "struct T { opaque a<>; };"),
    ("array", "struct T { int a<>; };"),
    ("items", "struct T_item { string a<9>; int b; };\nstruct T { T_item a<>; };"),
    ("vector", "struct T_item { string a<9>; int b; };\nstruct T { T_item a[3]; };"),
    ("pointer", "struct T { int a; T *next; };"),
    ("choice", "union T switch (int a) { case 1: int b; case 2: string c<>; default: void; };"),
    ("flag", "struct T { bool a; };"),
    ("numbers", "struct T { short a; unsigned char b; long c; };"),
    ("nested", "struct T_inner { int a; string b<>; hyper c; };\nstruct T { T_inner a; T_inner b; };"),
    ("far", "struct T { opaque a[70000]; int b; string c<>; };"),
    ("users", "struct T { foreign a; };"),
];

/// What stands before all of them.
const USERS: &str = "%#ifndef FOREIGN\n%#define FOREIGN\n%typedef int foreign;\n%#ifdef __cplusplus\n\
    %extern \"C\"\n%#endif\n%bool_t xdr_foreign(XDR *, foreign *);\n%#endif\n";

fn definition(kind: usize, name: &str) -> String {
    KINDS[kind].1.replace('T', name)
}

fn generate(folder: &Scratch, stem: &str, text: &str, options: &[&str]) {
    fs::write(folder.path().join(format!("{stem}.x")), format!("{USERS}{text}\n")).expect("a file");
    let mut whittle = std::process::Command::new(env!("CARGO_BIN_EXE_whittle"));
    let whittle = whittle.current_dir(folder.path());
    oracle::succeed(whittle.arg("rpcgen").args(options).arg(format!("{stem}.x"))).expect("output");
}

fn compile(folder: &Scratch, compiler: &str, files: &[String], options: &[&str]) {
    let mut command = oracle::command(compiler);
    command.current_dir(folder.path()).args(["-Wall", "-Wextra", "-Werror", "-isystem", "/usr/include/tirpc", "-c"]);
    oracle::succeed(command.args(options).args(files)).expect("no warning");
}

/// Files of one kind and of two, compiled by each compiler.
#[test]
fn kinds_of_parts_compile_alone_and_together() {
    let folder = Scratch::new("tables-kinds").expect("a folder");
    let mut files = Vec::new();
    for (one, (name, _)) in KINDS.iter().enumerate() {
        // A third of the pairs.
        let others = KINDS.iter().enumerate().skip(one).filter(|(other, _)| *other == one || (one + other) % 3 == 0);
        for (other, (another, _)) in others {
            let stem = format!("{name}_{another}");
            let second = if one == other { String::new() } else { definition(other, "second") };
            let prefer = if (one + other) % 2 == 0 { "size" } else { "balance" };
            generate(&folder, &stem, &format!("{}\n{second}", definition(one, "first")), &["--prefer", prefer]);
            files.push(format!("{stem}_xdr.c"));
        }
    }
    assert!(files.len() > 40, "{}", files.len());
    compile(&folder, "gcc", &files, &["-fsyntax-only", "-Wno-unused-function"]);
    compile(&folder, "clang", &files, &["-fsyntax-only", "-Wno-unused-function"]);
    compile(&folder, "g++", &files, &["-fsyntax-only", "-xc++"]);
}

/// The walks of all kinds in one translation unit.
#[test]
fn files_of_different_kinds_are_one_translation_unit() {
    let folder = Scratch::new("tables-together").expect("a folder");
    let mut all = String::new();
    for (index, (name, _)) in KINDS.iter().enumerate() {
        generate(
            &folder,
            name,
            &definition(index, &format!("the_{name}")),
            &["--prefer", if index % 2 == 0 { "balance" } else { "size" }],
        );
        let _ = writeln!(all, "#include \"{name}_xdr.c\"");
    }
    fs::write(folder.path().join("all.c"), &all).expect("a file");
    compile(&folder, "gcc", &["all.c".to_owned()], &["-O2"]);
    compile(&folder, "clang", &["all.c".to_owned()], &["-O2"]);
}

/// A file that decodes into arenas stands before those without; behind them it says so.
#[test]
fn files_with_arenas_come_first() {
    let folder = Scratch::new("tables-order").expect("a folder");
    let program = "struct list { string a<>; list *next; };\nprogram P { version V { void F(list) = 1; } = 1; } = 77;";
    generate(&folder, "plain", &definition(6, "first"), &["--prefer", "speed"]);
    generate(&folder, "arena", program, &["--server-arena"]);
    for (name, text) in [("right", ["arena", "plain"]), ("wrong", ["plain", "arena"])] {
        let text = text.map(|stem| format!("#include \"{stem}_xdr.c\"\n")).concat();
        fs::write(folder.path().join(format!("{name}.c")), text).expect("a file");
    }
    compile(&folder, "gcc", &["right.c".to_owned()], &["-O2"]);
    let mut command = oracle::command("gcc");
    command.current_dir(folder.path()).args(["-isystem", "/usr/include/tirpc", "-fsyntax-only", "wrong.c"]);
    let problem = oracle::succeed(&mut command).expect_err("an error");
    let problem = problem.message().unwrap_or_default();
    assert!(problem.contains("--server-arena"), "{problem}");
}

/// Bounds, lengths and labels that the user's header defines may be expressions.
#[test]
fn macros_may_be_expressions() {
    let folder = Scratch::new("tables-macros").expect("a folder");
    let text = "%#define LENGTH 4 | 8\n%#define BOUND 15 & 7\n%#define ALL -1\n%#define LABEL 1 | 2\n\
        struct f { int c<BOUND>; char d[LENGTH]; string s<BOUND>; opaque o[LENGTH]; int e<ALL>; };\n\
        union u switch (int k) { case LABEL: int a<LENGTH>; default: void; };\n";
    let main = "#include \"NAME.h\"\n#include <string.h>\nint main(void) {\nchar bytes[400]; int words[9] = {0}; XDR xdrs; f v;\n\
        memset(&v, 0, sizeof v); v.c.c_val = words; v.s = (char *)\"1234567\"; v.c.c_len = 7;\n\
        xdrmem_create(&xdrs, bytes, sizeof bytes, XDR_ENCODE); if (!xdr_f(&xdrs, &v)) return 1;\n\
        v.c.c_len = 8; xdrmem_create(&xdrs, bytes, sizeof bytes, XDR_ENCODE); if (xdr_f(&xdrs, &v)) return 2;\n\
        v.c.c_len = 0; v.s = (char *)\"12345678\"; xdrmem_create(&xdrs, bytes, sizeof bytes, XDR_ENCODE);\n\
        return xdr_f(&xdrs, &v) ? 3 : 0;\n}\n";
    for prefer in ["speed", "balance", "size"] {
        generate(&folder, prefer, text, &["--prefer", prefer]);
        fs::write(folder.path().join(format!("{prefer}_main.c")), main.replace("NAME", prefer)).expect("a file");
        let files = [format!("{prefer}_main.c"), format!("{prefer}_xdr.c")];
        compile(&folder, "g++", &files, &["-fsyntax-only", "-xc++", "-std=c++17"]);
        let mut command = oracle::command("gcc");
        command.current_dir(folder.path()).args(["-Wall", "-Wextra", "-Werror", "-isystem", "/usr/include/tirpc"]);
        oracle::succeed(command.args(&files).args(["-o", prefer, "-ltirpc"])).expect("a program");
        oracle::succeed(&mut std::process::Command::new(folder.path().join(prefer)))
            .expect("what rpcgen's routines do");
    }
}

/// Two files in one translation unit, of which one has names that the runtime gives to its members and variables.
#[test]
fn names_of_the_runtime_may_be_the_users() {
    let folder = Scratch::new("tables-names").expect("a folder");
    for prefer in ["speed", "balance", "size"] {
        let names = "enum e { end = 1, at = 2, arena = 3, first = 4, count = 5, room = 6, depth = 7, value = 8 };\nstruct size { int i; };\n";
        generate(&folder, "plain", "struct a { string s<>; int n<>; a *next; };", &["--prefer", prefer]);
        let named = format!("{names}struct b {{ string s<>; hyper h<>; b *nx; e en; size sz<>; }};");
        generate(&folder, "named", &named, &["--prefer", prefer]);
        for compiler in ["gcc", "clang"] {
            compile(&folder, compiler, &["named_xdr.c".to_owned()], &["-O2", "-Wshadow"]);
            for files in [["plain", "named"], ["named", "plain"]] {
                let text = files.map(|stem| format!("#include \"{stem}_xdr.c\"\n")).concat();
                fs::write(folder.path().join("both.c"), text).expect("a file");
                compile(&folder, compiler, &["both.c".to_owned()], &["-O2"]);
            }
        }
    }
}
