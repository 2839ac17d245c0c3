//! `--link none`: values that are encoded and decoded without a connection. Suites in `tests/codec/` send values of every kind of type round,
//! cut and change their bytes, under sanitizers and as C99, C17 and C++17, without a warning; rpcgen's routines read the same bytes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::programs::{CHECKED, Outcome, is_installed, run};
use filetest::scratch::Scratch;

const WARNINGS: [&str; 6] = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Wpedantic", "-Werror"];
const ENCODINGS: [&str; 3] = ["xdr", "cdr", "protobuf"];

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/codec")
}

/// Compiles a description of `tests/codec/` into a folder.
fn compiled(description: &str, encoding: &str, more: &[&str]) -> Outcome<Scratch> {
    compiled_file(&sources().join(description), encoding, more)
}

fn compiled_file(description: &Path, encoding: &str, more: &[&str]) -> Outcome<Scratch> {
    let folder = Scratch::new("codec")?;
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.arg("compile").arg(description).args(["--link", "none", "--encoding", encoding]);
    run(whittle.args(more).arg("--out").arg(folder.path()))?;
    Ok(folder)
}

fn compiler(name: &str, standard: &str, flags: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(name);
    command.arg(format!("-std={standard}")).args(WARNINGS).args(flags).arg("-I").arg(folder).arg("-I").arg(sources());
    command
}

/// For `check.h`: whether what is cut may be a value.
fn tagged(encoding: &str) -> String {
    format!("-DTAGGED={}", u8::from(encoding == "protobuf"))
}

/// The suite of a description, `values.c` for `values.x`, with what is made of it; it needs no library.
fn suite(description: &str, encoding: &str, name: &str, standard: &str, flags: &[&str]) -> Outcome<Scratch> {
    let folder = compiled(description, encoding, &[])?;
    let stem = description.split('.').next().unwrap_or_default();
    let mut building = compiler(name, standard, flags, folder.path());
    building
        .arg(tagged(encoding))
        .arg(sources().join(format!("{stem}.c")))
        .arg(folder.path().join(format!("{stem}_codec.c")));
    run(building.arg("-o").arg(folder.path().join("suite")))?;
    run(Command::new(folder.path().join("suite")).arg(folder.path().join("bytes")))
        .map_err(|error| format!("{description}, {encoding}, {name} {standard}: {error}"))?;
    Ok(folder)
}

#[test]
fn values_withstand_what_sanitizers_see() -> Outcome {
    for encoding in ENCODINGS {
        suite("values.x", encoding, "clang", "c99", &CHECKED)?;
        suite("objects.idl", encoding, "clang", "c17", &CHECKED)?;
    }
    Ok(())
}

/// Pointers to the states of value types; and what only others send.
#[test]
fn value_types_withstand_what_sanitizers_see() -> Outcome {
    let description = sources().join("../corba/values.idl");
    for encoding in ENCODINGS {
        let folder = compiled_file(&description, encoding, &["--style", "corba"])?;
        let is_cdr = format!("-DCDR={}", u8::from(encoding == "cdr"));
        for (name, standard, flags) in [("clang", "c99", &CHECKED[..]), ("gcc", "c17", &["-O2"])] {
            let mut building = compiler(name, standard, flags, folder.path());
            building.args([&is_cdr, &tagged(encoding)]).arg(sources().join("valued.c"));
            building.arg(folder.path().join("values_codec.c"));
            run(building.arg("-o").arg(folder.path().join("suite")))?;
            run(&mut Command::new(folder.path().join("suite")))
                .map_err(|error| format!("{encoding}, {name} {standard}: {error}"))?;
        }
        compiles_everywhere(&folder, "values.idl")?;
    }
    Ok(())
}

/// Lists through arms of unions, and of nodes of several types by turns.
#[test]
fn lists_of_any_kind_take_no_stack() -> Outcome {
    for encoding in ["xdr", "cdr"] {
        suite("chains.x", encoding, "clang", "c99", &CHECKED)?;
        suite("chains.x", encoding, "gcc", "c17", &["-O1"])?;
    }
    Ok(())
}

/// What programs built deeper than anything is decoded: trees, and lists in CORBA's own types.
#[test]
fn deep_values_are_released_without_a_deep_stack() -> Outcome {
    for (style, more) in [("plain", &[][..]), ("corba", &["-DCORBA"])] {
        for encoding in ["xdr", "cdr"] {
            let folder = compiled("deep.x", encoding, &["--style", style])?;
            let kinds = [
                ("clang", &CHECKED[..]),
                ("gcc", &["-O1"]),
                ("gcc", &["-O1", "-DWHITTLE_THREAD_LOCAL=", "-D__thread=none"]),
            ];
            for (name, flags) in kinds {
                let mut building = compiler(name, "c99", flags, folder.path());
                building.args(more).arg(sources().join("deep.c")).arg(folder.path().join("deep_codec.c"));
                run(building.arg("-o").arg(folder.path().join("suite")))?;
                run(&mut Command::new(folder.path().join("suite")))
                    .map_err(|error| format!("{style}, {encoding}, {name}: {error}"))?;
            }
        }
    }
    Ok(())
}

/// In C behind pointers, in messages as if they stood there: other styles have the same bytes.
#[test]
fn unions_hold_values_of_their_own_type() -> Outcome {
    for encoding in ENCODINGS {
        let bytes: &[&str] = match encoding {
            "xdr" => &["-DXDR"],
            "protobuf" => &["-DPROTOBUF"],
            _ => &[],
        };
        suite("conditions.x", encoding, "gcc", "c17", &[&["-O2"], bytes].concat())?;
        let plain = suite("conditions.x", encoding, "clang", "c99", &[&CHECKED[..], bytes].concat())?;
        for style in OTHER_STYLES {
            same_bytes(&plain, ("conditions.x", "holder"), encoding, style)?;
        }
    }
    Ok(())
}

#[test]
fn values_are_the_same_for_gcc() -> Outcome {
    suite("values.x", "xdr", "gcc", "c99", &["-O2"])?;
    suite("values.x", "cdr", "gcc", "c17", &["-O2"])?;
    suite("objects.idl", "cdr", "gcc", "c99", &["-O2"])?;
    suite("objects.idl", "xdr", "gcc", "c17", &["-Os"])?;
    suite("values.x", "protobuf", "gcc", "c99", &["-O2"])?;
    suite("objects.idl", "protobuf", "gcc", "c17", &["-Os"])?;
    Ok(())
}

#[test]
fn what_is_made_is_cpp_too() -> Outcome {
    for (description, stem) in [("values.x", "values"), ("objects.idl", "objects")] {
        for encoding in ENCODINGS {
            let folder = compiled(description, encoding, &[])?;
            let path = |name: String| folder.path().join(name);
            for name in ["g++", "clang++"] {
                let (codec, made, program) =
                    (path(format!("{stem}_codec.c")), path("codec.o".into()), path("suite".into()));
                run(compiler(name, "c++17", &["-O1", "-x", "c++", "-c"], folder.path())
                    .arg(codec)
                    .arg("-o")
                    .arg(&made))?;
                let mut program_of = compiler("gcc", "c17", &["-O1"], folder.path());
                program_of.arg(tagged(encoding));
                run(program_of.arg(sources().join(format!("{stem}.c"))).arg(&made).arg("-o").arg(&program))?;
                run(&mut Command::new(program))
                    .map_err(|error| format!("{description}, {encoding}, {name}: {error}"))?;
            }
        }
    }
    Ok(())
}

/// A number that no member has is no undefined behaviour in C++, though an attacker may send it.
#[test]
fn enumerations_hold_every_number_in_cpp() -> Outcome {
    for (style, ty) in [("plain", "enum color"), ("rpcgen", "color"), ("corba", "color")] {
        let folder = compiled("values.x", "xdr", &["--style", style])?;
        let mut building = compiler("clang++", "c++17", &CHECKED, folder.path());
        building.args(["-fsanitize=enum", "-DHEADER=\"values.h\""]).arg(format!("-DT={ty}"));
        building.arg(sources().join("enumerations.cc")).args(["-x", "c++"]).arg(folder.path().join("values_codec.c"));
        run(building.arg("-o").arg(folder.path().join("program")))?;
        run(&mut Command::new(folder.path().join("program"))).map_err(|error| format!("{style}: {error}"))?;
    }
    Ok(())
}

/// A description, and the type whose bytes the suite of the plain style writes.
const SUITES: [(&str, &str); 2] = [("values.x", "everything"), ("objects.idl", "Shop_Order")];
const OTHER_STYLES: [&str; 2] = ["rpcgen", "corba"];

/// The plain style's bytes are those of the others, whose values withstand the same.
#[test]
fn every_style_has_the_same_bytes() -> Outcome {
    for suite_of @ (description, _) in SUITES {
        for encoding in ENCODINGS {
            let plain = suite(description, encoding, "gcc", "c17", &["-O1"])?;
            for style in OTHER_STYLES {
                same_bytes(&plain, suite_of, encoding, style)?;
            }
        }
    }
    Ok(())
}

/// What the suite of the plain style wrote, in another one.
fn same_bytes(plain: &Scratch, (description, ty): (&str, &str), encoding: &str, style: &str) -> Outcome {
    let stem = description.split('.').next().unwrap_or_default();
    let folder = compiled(description, encoding, &["--style", style])?;
    let path = |name: &str| folder.path().join(name);
    let codec = path(&format!("{stem}_codec.c"));
    let defined = [format!("-DHEADER=\"{stem}.h\""), format!("-DT={ty}")];
    let mut building = compiler("clang", "c17", &CHECKED, folder.path());
    building.arg(&codec).args(&defined).arg(tagged(encoding)).arg(sources().join("styles.c"));
    run(building.arg("-o").arg(path("suite")))?;
    run(Command::new(path("suite")).arg(plain.path().join("bytes")))
        .map_err(|error| format!("{description}, {style}, {encoding}: {error}"))?;
    compiles_everywhere(&folder, description)
}

#[test]
fn rpcgens_routines_read_the_bytes_and_write_the_same() -> Outcome {
    if oracle::find("rpcgen").is_none() || !Path::new("/usr/include/tirpc/rpc/rpc.h").is_file() {
        assert!(!oracle::in_ci(), "rpcgen and libtirpc are not installed (make deps)");
        return Ok(());
    }
    let ours = suite("values.x", "xdr", "gcc", "c17", &["-O1"])?;
    let folder = Scratch::new("codec-peer")?;
    let input = folder.copy(&sources().join("values.x"))?;
    for (flag, name) in [("-h", "values.h"), ("-c", "values_xdr.c")] {
        let mut rpcgen = oracle::command("rpcgen");
        run(rpcgen
            .current_dir(folder.path())
            .arg(flag)
            .arg("-o")
            .arg(name)
            .arg(input.file_name().unwrap_or_default()))?;
    }
    let mut building = Command::new("gcc");
    building.current_dir(folder.path()).args(["-I.", "-I/usr/include/tirpc"]).arg(sources().join("peer.c"));
    run(building.args(["values_xdr.c", "-ltirpc", "-o", "peer"]))?;
    run(Command::new(folder.path().join("peer")).arg(ours.path().join("bytes")))
}

/// A machine whose words begin with their most significant byte: each reads what the other wrote.
#[test]
fn machines_of_both_byte_orders_read_each_other() -> Outcome {
    if !is_installed("s390x-linux-gnu-gcc") || !is_installed("qemu-s390x") {
        assert!(!oracle::in_ci(), "gcc and qemu for s390x are not installed (make deps)");
        return Ok(());
    }
    for encoding in ENCODINGS {
        let here = suite("values.x", encoding, "gcc", "c17", &["-O1"])?;
        let path = |name: &str| here.path().join(name);
        let mut building = compiler("s390x-linux-gnu-gcc", "c17", &["-O1", "-static"], here.path());
        building.arg(tagged(encoding)).arg(sources().join("values.c"));
        building.arg(path("values_codec.c")).arg("-o").arg(path("there"));
        run(&mut building)?;
        let mut there = Command::new("qemu-s390x");
        run(there.arg(path("there")).args([path("bytes-there"), path("bytes")]))?;
        run(Command::new(path("suite")).args([path("bytes"), path("bytes-there")]))?;
        let differ = fs::read(path("bytes"))? != fs::read(path("bytes-there"))?;
        assert_eq!(differ, encoding == "cdr", "XDR has one byte order, CDR says which");
    }
    Ok(())
}

/// Every form that a presentation gives to texts and arrays compiles in every language.
#[test]
fn presentations_have_their_forms() -> Outcome {
    let shapes = ["strings counted", "strings inline; arrays inline", "strict; arrays apart", "prefix own_"];
    for (description, stem) in [("values.x", "values"), ("objects.idl", "objects")] {
        for shape in shapes {
            for encoding in ENCODINGS {
                let folder = compiled(description, encoding, &["--present", shape])?;
                let codec = folder.path().join(format!("{stem}_codec.c"));
                for (name, standard, language) in
                    [("gcc", "c99", "c"), ("clang", "c17", "c"), ("clang++", "c++17", "c++")]
                {
                    let flags = ["-fsyntax-only", "-x", language];
                    run(compiler(name, standard, &flags, folder.path()).arg(&codec))
                        .map_err(|error| format!("{description}, {shape}, {encoding}: {error}"))?;
                }
            }
        }
    }
    Ok(())
}

/// Names of the description that the functions' own parameters have, constants that replace words, types of other files, and files with
/// nothing to encode.
#[test]
fn descriptions_may_use_any_names_and_have_no_types() -> Outcome {
    let folder = Scratch::new("codec-names")?;
    for description in ["names.x", "heir.idl", "recursive.x", "lines.x"] {
        // Only the plain style gives another name to what the run time calls so.
        let text = fs::read_to_string(sources().join(description))?.replace("whittle_value", "a_value");
        fs::write(folder.path().join(description), text)?;
        fs::copy(sources().join("base.idl"), folder.path().join("base.idl"))?;
        for style in ["plain", "rpcgen", "corba"] {
            let around = if style == "plain" { sources() } else { folder.path().to_path_buf() };
            for encoding in ENCODINGS {
                let folder = compiled_file(&around.join(description), encoding, &["--style", style])?;
                let base = Command::new(env!("CARGO_BIN_EXE_whittle"))
                    .arg("compile")
                    .arg(sources().join("base.idl"))
                    .args(["--link", "none", "--style", style, "--encoding", encoding, "--out"])
                    .arg(folder.path())
                    .status()?;
                assert!(base.success());
                compiles_everywhere(&folder, description)
                    .map_err(|error| format!("{description}, {style}, {encoding}: {error}"))?;
            }
        }
    }
    Ok(())
}

fn compiles_everywhere(folder: &Scratch, description: &str) -> Outcome {
    let stem = description.split('.').next().unwrap_or_default();
    let codec = folder.path().join(format!("{stem}_codec.c"));
    for (name, standard, language) in [("gcc", "c99", "c"), ("clang", "c17", "c"), ("g++", "c++17", "c++")] {
        let flags = ["-fsyntax-only", "-x", language];
        run(compiler(name, standard, &flags, folder.path()).arg(&codec))?;
    }
    Ok(())
}

/// What only a library encodes.
#[test]
fn types_of_libraries_are_refused() -> Outcome {
    let folder = Scratch::new("codec-refused")?;
    fs::write(folder.path().join("a.idl"), "struct s { any what; };\n")?;
    fs::write(folder.path().join("a.x"), "struct s { mine what; };\n")?;
    fs::write(folder.path().join("b.x"), "struct whittle_value { int x; };\n")?;
    for (file, style, code) in [
        ("a.idl", "corba", "corba-111"),
        ("a.idl", "rpcgen", "rpcgen-016"),
        ("a.x", "rpcgen", "rpcgen-017"),
        ("b.x", "rpcgen", "rpcgen-018"),
    ] {
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        whittle.current_dir(folder.path()).args(["compile", file, "--link", "none", "--style", style, "--out", "made"]);
        let output = whittle.output()?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.code() == Some(1) && said.contains(code), "{file} {style}: {said}");
        assert!(!folder.path().join("made").exists(), "{file} {style}");
    }
    Ok(())
}

/// Labels of characters beyond ASCII: a `char` of C that holds them is below zero, or not.
#[test]
fn unions_of_characters_beyond_ascii_keep_their_arms() -> Outcome {
    let scratch = Scratch::new("codec-characters")?;
    let file = scratch.path().join("wide.idl");
    let text = r"module N { const char C = '\xe9';
        union Chars switch (char) { case '\xff': long long q; case C: short e; case 'x': octet o; }; };";
    fs::write(&file, text)?;
    for (style, body) in [("plain", "u"), ("corba", "_u"), ("rpcgen", "N_Chars_u")] {
        for encoding in ENCODINGS {
            let folder = compiled_file(&file, encoding, &["--style", style])?;
            let compilers: [(&str, &str, &[&str]); 3] =
                [("gcc", "c99", &[]), ("clang", "c17", &["-funsigned-char"]), ("g++", "c++17", &["-xc++"])];
            // All of them see the usual style.
            for (name, standard, flags) in &compilers[..if style == "plain" { 3 } else { 2 }] {
                let mut building = compiler(name, standard, &CHECKED, folder.path());
                building.args((style == "plain").then_some("-DPLAIN")).arg(format!("-DBODY={body}"));
                building.args(*flags).arg(sources().join("characters.c"));
                building.arg(folder.path().join("wide_codec.c")).arg("-o").arg(folder.path().join("suite"));
                run(&mut building)?;
                run(&mut Command::new(folder.path().join("suite")))
                    .map_err(|error| format!("{style}, {encoding}, {name} {flags:?}: {error}"))?;
            }
        }
    }
    Ok(())
}

#[test]
fn operations_are_left_out_and_nothing_else_is_made() -> Outcome {
    let folder = compiled("values.x", "xdr", &["--side", "both"])?;
    assert_eq!(folder.names(), ["values.h", "values_codec.c", "whittle_codec.h"]);
    let header = fs::read_to_string(folder.path().join("values.h"))?;
    assert!(!header.contains("show") && !header.contains("SHOW") && header.contains("point_decode"), "{header}");
    Ok(())
}
