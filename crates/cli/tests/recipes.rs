//! What build recipes do with rpcgen's output they may do with whittle's: include several files in one, leave types to the user,
//! compile with every warning, in every C.

use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;

/// What gcc is asked for in every mode.
const GCC: [&str; 12] = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wcast-align",
    "-Wundef",
    "-Wframe-larger-than=4096",
    "-Wwrite-strings",
    "-Winline",
    "-Wconversion",
    "-Werror",
    "-O2",
    "-c",
];
/// And where the language is C.
const GCC_C: [&str; 3] = ["-Wstrict-prototypes", "-Wmissing-prototypes", "-Wdeclaration-after-statement"];
/// What clang is not asked for; docs/guides/replace-rpcgen.md says why.
const CLANG: [&str; 12] = [
    "-Weverything",
    "-Wno-padded",
    "-Wno-used-but-marked-unused",
    "-Wno-old-style-cast",
    "-Wno-zero-as-null-pointer-constant",
    "-Wno-reserved-identifier",
    "-Wno-reserved-macro-identifier",
    "-Wno-unused-macros",
    "-Wno-c++98-compat",
    "-Wno-c++98-compat-pedantic",
    "-Werror",
    "-c",
];
const MODES: [&str; 4] = ["gnu89", "gnu99", "gnu17", "c++17"];

fn rpcgen(folder: &Path, text: &str, stem: &str) {
    fs::write(folder.join(format!("{stem}.x")), text).expect("a file");
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.current_dir(folder).args(["rpcgen", &format!("{stem}.x")]);
    oracle::succeed(&mut whittle).expect("output");
}

/// Compiles with the flags given, as C unless the mode says otherwise.
fn compile(compiler: &str, folder: &Path, file: &str, flags: &[&str]) {
    let mut command = oracle::command(compiler);
    command.current_dir(folder).args(flags).args(["-isystem", "/usr/include/tirpc", "-o", "/dev/null", file]);
    oracle::succeed(&mut command).expect("no warning");
}

#[test]
fn all_files_are_silent_in_every_c() {
    let everything = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/compat/everything.x");
    let text = fs::read_to_string(everything).expect("the description");
    let out = Scratch::new("recipes-strict").expect("a scratch folder");
    rpcgen(out.path(), &text, "all");
    for file in ["all_xdr.c", "all_clnt.c", "all_svc.c"] {
        for mode in MODES {
            let (standard, is_c) = (format!("-std={mode}"), mode != "c++17");
            let mut gcc = vec![standard.as_str(), "-x", if is_c { "c" } else { "c++" }];
            let mut clang = gcc.clone();
            gcc.extend(GCC.iter().chain(if is_c { GCC_C.as_slice() } else { &[] }));
            clang.extend(CLANG);
            compile("gcc", out.path(), file, &gcc);
            compile("clang", out.path(), file, &clang);
        }
    }
}

#[test]
fn several_files_are_one_translation_unit() {
    let out = Scratch::new("recipes-one").expect("a scratch folder");
    rpcgen(out.path(), "struct first { string name<>; int many<>; };\n", "a");
    rpcgen(out.path(), "struct second { hyper many<>; opaque some<>; second *next; double d[5]; };\n", "b");
    // As recipes do that keep several versions of the same types.
    let first = fs::read_to_string(out.path().join("a_xdr.c")).expect("a file");
    fs::write(out.path().join("again_xdr.c"), first.replace("xdr_first", "xdr_first_1_0")).expect("a file");
    let text = "#include \"a_xdr.c\"\nextern bool_t xdr_first_1_0(XDR *, first *);\n#include \"again_xdr.c\"\n#include \"b_xdr.c\"\n";
    fs::write(out.path().join("one.c"), text).expect("a file");
    for compiler in ["gcc", "clang"] {
        compile(compiler, out.path(), "one.c", &["-Wall", "-Wextra", "-Wmissing-prototypes", "-Werror", "-c"]);
    }
}

#[test]
fn a_type_may_be_left_to_the_user() {
    let out = Scratch::new("recipes-own").expect("a scratch folder");
    let text = "%#ifndef OWN_PAIR\nstruct pair { int a; int b; };\ntypedef int four[4];\n%#else\n#ifdef RPC_HDR\n\
                %typedef struct { int only; } pair;\n%typedef int four[4];\n#endif\n%extern bool_t xdr_pair(XDR *, pair *);\n\
                %extern bool_t xdr_four(XDR *, four);\n%#endif\nstruct pairs { pair one; pair many<>; four numbers; };\n";
    rpcgen(out.path(), text, "own");
    let routines = fs::read_to_string(out.path().join("own_xdr.c")).expect("a file");
    let (_, own) = routines.split_once("runtime ends here").expect("the end of the runtime");
    let (before, _) = own.split_once("#else").expect("the user's line");
    assert!(
        before.rfind("#ifndef OWN_PAIR").is_some_and(|at| before[at..].contains("xdr_pair (XDR *xdrs")),
        "{routines}"
    );
    for compiler in ["gcc", "clang"] {
        for own in ["-DOWN_PAIR", "-UOWN_PAIR"] {
            compile(compiler, out.path(), "own_xdr.c", &[own, "-Wall", "-Wextra", "-Werror", "-c"]);
        }
    }
}

#[test]
fn the_users_header_comes_first_and_means_what_it_says() {
    let out = Scratch::new("recipes-first").expect("a scratch folder");
    let text = "%typedef unsigned char bool;\nconst n = 3;\nconst size = 4;\nconst SIZE_MAX = 7;\ntypedef string text<n>;\n\
                struct at { text in<size>; int numbers<>; hyper more<SIZE_MAX>; };\n";
    rpcgen(out.path(), text, "first");
    let routines = fs::read_to_string(out.path().join("first_xdr.c")).expect("a file");
    let first = routines.lines().find(|line| line.starts_with("#include")).expect("an include");
    assert_eq!(first, "#include \"first.h\"");
    assert!(!routines.contains("rpc/rpc.h") && !routines.contains("stdbool.h"), "{routines}");
    for compiler in ["gcc", "clang"] {
        compile(compiler, out.path(), "first_xdr.c", &["-Wall", "-Wextra", "-Wshadow", "-Werror", "-c"]);
    }
}

/// CMake's lists and line-wise recipes take no line that goes on in the next, nor brackets that close elsewhere.
#[test]
fn lines_stand_for_themselves() {
    let out = Scratch::new("recipes-lines").expect("a scratch folder");
    rpcgen(out.path(), "struct all { hyper many<>; int words[9]; string s<>; all *next; int ints<5>; };\n", "all");
    let routines = fs::read_to_string(out.path().join("all_xdr.c")).expect("a file");
    for line in routines.lines() {
        assert!(!line.ends_with('\\'), "{line}");
        assert_eq!(line.matches('[').count(), line.matches(']').count(), "{line}");
    }
}

/// The user's `main` says whether a port monitor started the server: the rest of it only asks.
#[test]
fn servers_without_a_main_may_be_monitored() {
    let out = Scratch::new("recipes-monitored").expect("a scratch folder");
    rpcgen(out.path(), "program P { version V { int F(int) = 1; } = 1; } = 0x20000001;\n", "p");
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.current_dir(out.path()).args(["rpcgen", "-I", "-m", "-o", "m_svc.c", "p.x"]);
    oracle::succeed(&mut whittle).expect("output");
    let server = fs::read_to_string(out.path().join("m_svc.c")).expect("a file");
    assert!(server.contains("extern int _rpcpmstart;") && !server.contains("main("), "{server}");
    compile("gcc", out.path(), "m_svc.c", &[GCC.as_slice(), &GCC_C, &["-std=gnu89"]].concat());
}
