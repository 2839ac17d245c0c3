//! What is generated is C99 and C++17 without a warning, in every style: descriptions whose types, names and files once gave C that one
//! compiler or the other refused, and one description in everything that goes together. So are all run times. What cannot be C is refused,
//! in words, and nothing is written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use driver::{COMBINATIONS, Encoding, Language, Link, Style};
use filetest::programs::{Outcome, run};
use filetest::scratch::Scratch;

const GNU: [&str; 2] = ["gcc", "g++"];
const STYLES: [&str; 3] = ["rpcgen", "plain", "corba"];

/// How a description is compiled: its file's name, what it holds, and what the call says besides.
const DESCRIPTIONS: [(&str, &str, &str); 19] = [
    ("others.x", "enum e { A = 1, B = A, C = B }; struct s { e x; };", ""),
    ("nested.idl", "typedef sequence<sequence<octet> > q; struct s { sequence<string<4>, 3> a[2]; };", ""),
    ("inner.idl", "interface i { sequence<long> f(in sequence<sequence<long> > a); };", "--onc-program 99"),
    ("call.x", "program P { version V { int F(int) = 1; void G(string) = 2; } = 1; } = 0x20000001;", ""),
    (
        "list.x",
        "typedef struct { int a; } t<>; typedef enum { L, M } *u; typedef union switch (int k) { case 1: int a; } v[2];",
        "",
    ),
    ("letters.x", "struct s { char c<4>; unsigned char d<>; };", ""),
    (
        "widths.x",
        "struct s { int32_t a; uint32_t b<3>; int64_t c; uint64_t d; int16_t e; uint16_t f; int8_t g; uint8_t h; };",
        "",
    ),
    ("union.x", "union u switch (int k) { case 1: int x; default: void; };", ""),
    ("empty.x", "", ""),
    ("nothing.idl", "", ""),
    ("1.x", "struct o { int s; };", ""),
    ("order.idl", "enum e { @value(3) A, @value(1) B, C, @value(-2) D }; struct s { e x; };", ""),
    ("sub/t.x", "struct tb { int x; };", ""),
    ("includes.x", "#include \"t.x\"\nstruct both { ta a; };", ""),
    ("t.x", "struct ta { int x; };", ""),
    (
        "pseudo.idl",
        "module Mine { const CORBA::ServiceOption level = 1; struct Right { string right; CORBA::InterfaceDef of; };\n\
         interface Current : CORBA::Current { void f(in CORBA::PolicyList l); }; interface Other : Current { Object g(); };\n\
         interface Looks { void done(in CORBA::Environment how, in any x); };\n\
         native Key; local interface Here { void f(in Key k); }; valuetype V { public long x; };\n\
         interface Real { Right f(in CORBA::PolicyType t, in CORBA::TypeCode c, in CORBA::RepositoryId id); }; };\n\
         module PortableServer { interface POA; typedef sequence<POA> POAs; exception ForwardRequest { Object forward_reference; };\n\
         interface ServantLocator { void incarnate(); }; };",
        "--style corba",
    ),
    (
        "values.idl",
        "exception full { long by; }; interface store { void put(in any what, in Object by) raises (full); };",
        "--style corba",
    ),
    (
        "of_c.x",
        "const free = 3; const malloc = 0x4; struct s { int a[free]; string m<malloc>; };\n\
         program exit { version strlen { s main(s) = 1; void memset(int) = 2; s socket(void) = free; } = 1; } = 0x20000001;",
        "--style rpcgen",
    ),
    (
        "labels.x",
        "const MOST = 18446744073709551615; struct s { int x; };\n\
         union u switch (unsigned hyper x) { case MOST: int a; case 0x8000000000000000: s b; case 9223372036854775809: void; };\n\
         union v switch (hyper x) { case -9223372036854775808: int a; case 9223372036854775807: s b; default: void; };",
        "",
    ),
];

fn whittle(folder: &Path, call: &str) -> std::io::Result<Output> {
    Command::new(env!("CARGO_BIN_EXE_whittle")).current_dir(folder).args(call.split_whitespace()).output()
}

fn written(folder: &Path, name: &str, text: &str) -> Outcome {
    let path = folder.join(name);
    if let Some(around) = path.parent() {
        fs::create_dir_all(around)?;
    }
    Ok(fs::write(path, text)?)
}

fn sources(folder: &Path) -> Outcome<Vec<PathBuf>> {
    // Where rpcgen would write nothing, nothing is.
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let mut found: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    found.sort();
    Ok(found)
}

/// As C99 and as C++17, without a warning; what includes rpcgen's headers needs the names of types that these do.
fn compiles(source: &Path, folder: &Path, compilers: [&str; 2]) -> Outcome {
    let flags: [&[&str]; 2] = [
        &["-std=c99", "-D_DEFAULT_SOURCE", "-Wpedantic", "-Wall", "-Werror"],
        &["-std=c++17", "-Wall", "-Wextra", "-Werror", "-x", "c++"],
    ];
    for (compiler, flags) in compilers.into_iter().zip(flags) {
        let mut command = Command::new(compiler);
        command
            .args(flags)
            .args([is_strict(source), "-fsyntax-only"])
            .arg("-I")
            .arg(folder)
            .arg("-I/usr/include/tirpc");
        // Stand-ins for the headers of Mach.
        command.arg(concat!("-I", env!("CARGO_MANIFEST_DIR"), "/../../tests/mig/include")).arg(source);
        run(&mut command).map_err(|error| format!("{compiler}: {}: {error}", source.display()))?;
    }
    Ok(())
}

#[test]
fn what_is_generated_is_c99_and_cpp17_in_every_style() -> Outcome {
    let folder = Scratch::new("standards")?;
    for (name, text, _) in DESCRIPTIONS {
        written(folder.path(), name, text)?;
    }
    for (name, _, options) in DESCRIPTIONS {
        for style in STYLES.into_iter().filter(|style| !options.contains("--style") || options.ends_with(style)) {
            let numbers = if style == "corba" || options.contains("--style") { "" } else { options };
            let out = format!("{}.{style}", name.replace('/', "_"));
            // The headers of what is included are made of that.
            for file in [name].into_iter().chain((name == "includes.x").then_some("t.x")) {
                let output = whittle(folder.path(), &format!("compile {file} --style {style} {numbers} --out {out}"))?;
                assert!(output.status.success(), "{name} {style}: {output:?}");
            }
            let out = folder.path().join(out);
            for source in sources(&out)?.into_iter().filter(|path| !is_run_time(path)) {
                compiles(&source, &out, GNU)?;
            }
        }
    }
    Ok(())
}

/// What only the run time's own files have: C++17 takes members' names in initializers for an extension.
fn is_strict(source: &Path) -> &'static str {
    if is_run_time(source) { "-Wextra" } else { "-Wpedantic" }
}

fn is_run_time(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("whittle_"))
}

/// GNU C has arrays of no items, and of items of no bytes.
#[test]
fn arrays_of_nothing_are_allocated() -> Outcome {
    let folder = Scratch::new("standards-zeros")?;
    written(folder.path(), "zeros.x", include_str!("../../../tests/direct/zeros.x"))?;
    let output = whittle(folder.path(), "compile zeros.x --style corba --link onc --out made")?;
    assert!(output.status.success(), "{output:?}");
    let made = folder.path().join("made");
    for source in sources(&made)?.into_iter().filter(|path| !is_run_time(path)) {
        let mut command = Command::new("gcc");
        run(command.args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I"]).arg(&made).arg(&source))
            .map_err(|error| format!("{}: {error}", source.display()))?;
    }
    Ok(())
}

/// Every kind of type, in every front end's words; `any` and exceptions, where a style and an encoding have them.
const ONC: &str = "const MOST = 4; enum colour { RED, GREEN = 5 }; typedef opaque digest[16]; typedef unsigned hyper wide<MOST>;\n\
    struct point { int x; float y; double z; bool is; char letter; short s; };\n\
    struct node { point at[2]; string name<>; opaque bytes<>; digest of; wide many; colour c; node *next; };\n\
    union choice switch (colour which) { case RED: node one; case GREEN: void; default: int number; };\n\
    program SHOW { version ONE { choice TURN(node) = 1; void SAY(string) = 2; wide LIST(void) = 3; } = 1; } = 0x20000007;\n";
const IDL: &str = "enum colour { RED, GREEN }; typedef octet digest[16]; typedef sequence<unsigned long long, 4> wide;\n\
    struct point { long x; float y; double z; boolean is; char letter; short s; };\n\
    struct node { point at[2]; string name; sequence<octet> bytes; digest of; wide many; colour c; sequence<node> next; };\n\
    union choice switch (colour) { case RED: node one; default: long number; };\n";
const ANY: &str = "exception refused { long why; }; union more switch (long) { case 1: any what; };\n\
    @onc(program = 0x20000007, version = 1) interface show { more turn(in choice by, inout wide w, out node n) raises (refused); };\n";
const NO_ANY: &str =
    "@onc(program = 0x20000007, version = 1) interface show { choice turn(in node by); wide list(); };\n";

const DEFS: &str = "subsystem show 700;\ntype mach_port_t = MACH_MSG_TYPE_COPY_SEND; type colour_t = int; type wide_t = array[*:4] of int; type name_t = c_string[*:32];\n\
    type point_t = struct { int x; char letter; }; type points_t = array[] of point_t; type digest_t = array[16] of char;\n\
    routine turn(server : mach_port_t; in by : point_t; inout many : colour_t; in few : wide_t; out all : points_t);\n\
    routine say(server : mach_port_t; in name : name_t; in of : digest_t; out c : colour_t);\n";

/// All that goes together.
#[test]
fn what_is_generated_is_cpp17_without_a_warning_in_every_combination() -> Outcome {
    let folder = Scratch::new("standards-combinations")?;
    let (any, no_any) = (format!("{IDL}{ANY}"), format!("{IDL}{NO_ANY}"));
    for (name, text) in [("a.x", ONC), ("any.idl", &any), ("a.idl", &no_any), ("a.defs", DEFS)] {
        written(folder.path(), name, text)?;
    }
    for (at, row) in COMBINATIONS.iter().enumerate() {
        let has_any = row.style == Style::Corba && row.encoding == Encoding::Cdr && row.link == Link::GiopTcp;
        let name = match row.language {
            Language::Onc => "a.x",
            Language::Corba if has_any => "any.idl",
            Language::Corba => "a.idl",
            Language::Mig => "a.defs",
        };
        let by_number = row.language == Language::Mig && row.encoding == Encoding::Xdr;
        let number = if by_number { "--onc-program 0x20000700" } else { "" };
        let output = whittle(folder.path(), &format!("compile {name} {} {number} --out made{at}", row.options()))?;
        assert!(output.status.success(), "{name} {}: {output:?}", row.options());
        let out = folder.path().join(format!("made{at}"));
        for source in sources(&out)?.into_iter().filter(|path| !is_run_time(path)) {
            compiles(&source, &out, GNU).map_err(|error| format!("{}: {error}", row.options()))?;
        }
    }
    Ok(())
}

/// The run time of flows is C11 and no C++: it has atomic objects. That of Mach needs all of its headers.
const OTHERS: [&str; 7] = [
    "whittle_flow.c",
    "whittle_key.c",
    "whittle_nats.c",
    "whittle_dds.c",
    "whittle_mach.c",
    "whittle_mach_object.c",
    "whittle_mach_rpc.c",
];

/// The C that is put beside what is generated, of all links, too.
#[test]
fn the_run_time_is_c99_and_cpp17() -> Outcome {
    let folder = Scratch::new("standards-runtime")?;
    let output = whittle(folder.path(), "runtime --out made")?;
    assert!(output.status.success(), "{output:?}");
    let made = folder.path().join("made");
    let mut sources = sources(&made)?;
    sources.retain(|path| !OTHERS.iter().any(|name| path.ends_with(name)));
    assert!(sources.len() >= 7 && sources.iter().all(|path| is_run_time(path)), "{sources:?}");
    for source in sources {
        compiles(&source, &made, GNU)?;
        compiles(&source, &made, ["clang", "clang++"])?;
    }
    Ok(())
}

/// Description, style, and what the refusal says.
const REFUSED: [(&str, &str, &str, &str); 15] = [
    (
        "tag.x",
        "struct p_operations { int y; }; program P { version V { int F(p_operations) = 1; } = 1; } = 0x20000001;",
        "plain",
        "plain-001",
    ),
    ("helper.idl", "struct A { long x; }; struct A__alloc { long y; };", "corba", "corba-101"),
    ("helper.idl", "interface A {}; struct POA_A { long y; };", "corba", "corba-101"),
    ("any.idl", "abstract interface A {}; interface B { void f(in A one); };", "corba", "corba-102"),
    (
        "value.idl",
        "custom valuetype V { public long x; }; valuetype W : V { public long y; }; interface B { void f(in W one); };",
        "corba",
        "corba-112",
    ),
    ("shape.idl", "abstract valuetype V {}; struct s { V x; };", "corba --link none", "corba-112"),
    (
        "value.idl",
        "valuetype V { public long x; }; interface B { void f(in V one); };",
        "corba --link onc --onc-program 5",
        "corba-111",
    ),
    ("value.idl", "valuetype V { public long x; }; struct s { V x; };", "plain --link none", "plain-002"),
    ("member.x", "union u switch (int u_u) { case 1: int x; default: void; };", "rpcgen", "rpcgen-003"),
    ("twice.x", "#include \"a/t.x\"\n#include \"b/t.x\"\nstruct both { ta a; tb b; };", "plain", "include-002"),
    ("itself.x", "#include \"sub/itself.x\"\nstruct o { si s; };", "corba", "include-002"),
    ("whittle_onc.x", "struct o { int s; };", "plain", "host-010"),
    ("lock.x", "struct netobj { int length; };", "plain --link tirpc", "include-003"),
    ("lock.idl", "enum state { AUTH_OK }; struct s { state x; };", "corba --link tirpc", "include-003"),
    ("lock.x", "struct lock { netobj cookie; };", "corba --link tirpc", "include-003"),
];

#[test]
fn what_cannot_be_c_is_refused() -> Outcome {
    let folder = Scratch::new("refused")?;
    for (name, text) in [("a/t.x", "struct ta { int x; };"), ("b/t.x", "struct tb { int x; };")] {
        written(folder.path(), name, text)?;
    }
    written(folder.path(), "sub/itself.x", "struct si { int x; };")?;
    for (name, text, style, code) in REFUSED {
        written(folder.path(), name, text)?;
        let output = whittle(folder.path(), &format!("compile {name} --style {style} --out made"))?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.code() == Some(1) && said.contains(&format!("error[{code}]")), "{name} {style}: {said}");
        assert!(!folder.path().join("made").exists(), "{name} {style}");
    }
    Ok(())
}
