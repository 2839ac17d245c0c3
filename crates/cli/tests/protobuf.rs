//! Protobuf as the encoding of values (`--link none --encoding protobuf`): protobuf-c and C++ protobuf read and write the same bytes, and
//! what they write otherwise is the same value; numbers of fields, unions, and what is refused. `codec.rs` has what holds in any encoding.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use filetest::oracle;
use filetest::programs::{CHECKED, Outcome, is_installed, run};
use filetest::scratch::Scratch;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/codec")
}

fn whittle(folder: &Path, call: &[&str]) -> Command {
    let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
    whittle.current_dir(folder).args(["compile", "--link", "none", "--encoding", "protobuf"]).args(call);
    whittle
}

#[test]
fn other_implementations_have_the_same_bytes() -> Outcome {
    if !is_installed("protoc") || !is_installed("protoc-c") {
        assert!(!oracle::in_ci(), "protobuf and protobuf-c are not installed (make deps)");
        return Ok(());
    }
    let folder = Scratch::new("protobuf")?;
    let (here, peers) = (folder.path(), sources().join("protobuf"));
    let description = sources().join("values.x");
    run(whittle(here, &["--out", "."]).arg(description))?;
    for (compiler, output) in [("protoc-c", "--c_out=."), ("protoc", "--cpp_out=.")] {
        run(Command::new(compiler)
            .current_dir(here)
            .arg(output)
            .arg("-I")
            .arg(&peers)
            .arg(peers.join("values.proto")))?;
    }
    let mut building = Command::new("clang");
    building.current_dir(here).arg("-std=c17").args(CHECKED).args(["-I.", "-I"]).arg(sources());
    run(building.arg(peers.join("random.c")).args(["values_codec.c", "-o", "random"]))?;
    let mut building = Command::new("gcc");
    building.current_dir(here).args(["-w", "-I."]).arg(peers.join("peer.c"));
    run(building.args(["values.pb-c.c", "-lprotobuf-c", "-o", "peer-c"]))?;
    let mut building = Command::new("g++");
    building.current_dir(here).args(["-w", "-std=c++17", "-I."]).arg(peers.join("peer.cc"));
    run(building.args(["values.pb.cc", "-lprotobuf", "-lpthread", "-o", "peer-cc"]))?;
    let of = |program: &str, arguments: &[&str]| {
        let mut program = Command::new(here.join(program));
        run(program.current_dir(here).args(arguments).env("ASAN_OPTIONS", "detect_leaks=0"))
    };
    of("random", &["write", "messages"])?;
    of("peer-c", &["messages"])?;
    of("peer-cc", &["messages", "pieces"])?;
    of("random", &["read", "messages", "pieces"])
}

const NUMBERED: &str = "\
enum color { RED, GREEN };
struct base { @id(9) long first; };
struct item : base { @id(5) long a; @id(2) string b; octet c; sequence<sequence<long> > rows; };
union maybe switch (boolean) { case TRUE: @id(7) string why; };
union whole switch (color) { case RED: @id(3) long x; case GREEN: long y; };
struct all { item one; maybe two; whole three; };
";

const NUMBERS: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "numbered.h"
#define CHECK(condition) ((condition) ? (void)0 : (fprintf(stderr, "%d: %s\n", __LINE__, #condition), abort()))
#define BYTES(text) text, sizeof text - 1
int main(void)
{
    static const char expected[] =
        "\x0a\x12" "\x12\x01" "b" "\x18\x07" "\x22\x04\x0a\x02\x01\x02" "\x22\x00" "\x28\x01" "\x48\x96\x01"
        "\x12\x05" "\x08\x01\x3a\x01" "w" "\x1a\x02\x20\x00";
    static const char other[] = "\x1a\x02\x18\x09" "\x1a\x02\x20\x05" "\x0a\x03\x12\x01" "x" "\x0a\x02\x28\x04" "\x0a\x00";
    static char b[] = "b", w[] = "w";
    static int32_t numbers[] = {1, 2};
    char bytes[64];
    size_t size;
    struct all value, got;
    memset(&value, 0, sizeof value);
    value.one.first = 150, value.one.a = 1, value.one.b = b, value.one.c = 7;
    struct item_rows_item rows[2];
    memset(rows, 0, sizeof rows);
    rows[0].length = 2, rows[0].items = numbers;
    value.one.rows.length = 2, value.one.rows.items = rows;
    value.two._d = true, value.two.u.why = w;
    value.three._d = GREEN;
    CHECK(all_encode(&value, bytes, sizeof bytes, &size) == WHITTLE_CODEC_OK);
    CHECK(size == sizeof expected - 1 && memcmp(bytes, expected, size) == 0);
    CHECK(all_decode(&got, bytes, size, NULL, NULL) == WHITTLE_CODEC_OK && all_equal(&got, &value));
    all_free(&got);
    /* The last arm stays, messages are merged, what is absent has its default; without its discriminant `maybe` is FALSE. */
    CHECK(all_decode(&got, BYTES(other), NULL, NULL) == WHITTLE_CODEC_OK);
    CHECK(got.three._d == GREEN && got.three.u.y == 5 && got.one.a == 4 && strcmp(got.one.b, "x") == 0 && !got.two._d);
    all_free(&got);
    /* An arm that the discriminant does not choose; text that is not UTF-8; a number that its type does not have; a bare end. */
    CHECK(all_decode(&got, BYTES("\x12\x03\x3a\x01w"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(all_decode(&got, BYTES("\x0a\x03\x12\x01\xff"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(all_decode(&got, BYTES("\x0a\x03\x18\x80\x02"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    CHECK(all_decode(&got, BYTES("\x0c"), NULL, NULL) == WHITTLE_CODEC_MALFORMED);
    b[0] = '\xff';
    CHECK(all_size(&value, &size) == WHITTLE_CODEC_INVALID_VALUE);
    return 0;
}
"#;

#[test]
fn fields_have_the_numbers_that_the_description_gives() -> Outcome {
    let folder = Scratch::new("protobuf-numbers")?;
    let here = folder.path();
    fs::write(here.join("numbered.idl"), NUMBERED)?;
    fs::write(here.join("numbers.c"), NUMBERS)?;
    run(&mut whittle(here, &["numbered.idl", "--style", "plain", "--out", "."]))?;
    let mut building = Command::new("clang");
    building.current_dir(here).args(CHECKED).args(["-std=c17", "numbers.c", "numbered_codec.c", "-o", "numbers"]);
    run(&mut building)?;
    run(&mut Command::new(here.join("numbers")))?;
    // They are in the dump of PRES_C, too.
    let dump = whittle(here, &["numbered.idl", "--style", "plain", "--emit", "pres"]).output()?;
    fs::write(here.join("numbered.pres_c"), &dump.stdout)?;
    let text = String::from_utf8(dump.stdout)?;
    assert!(text.contains("(numbers item 9 5 2 none none)") && text.contains("(numbers maybe 7)"), "{text}");
    Ok(())
}

/// What a program says of `messages`.
fn said(folder: &Path, program: &str) -> Result<String, Box<dyn std::error::Error>> {
    let output = Command::new(folder.join(program)).current_dir(folder).arg("messages").output()?;
    assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

#[test]
fn whole_numbers_have_the_forms_that_the_description_gives() -> Outcome {
    let folder = Scratch::new("protobuf-forms")?;
    let (here, peers) = (folder.path(), sources().join("protobuf"));
    run(whittle(here, &["--style", "plain", "--out", "."]).arg(peers.join("forms.idl")))?;
    let mut building = Command::new("clang");
    building.current_dir(here).args(CHECKED).args(["-std=c17", "-I."]).arg(peers.join("forms.c"));
    run(building.args(["forms_codec.c", "-o", "forms"]))?;
    let ours = said(here, "forms")?;
    let dump = whittle(here, &["--style", "plain", "--emit", "pres"]).arg(peers.join("forms.idl")).output()?;
    assert!(String::from_utf8(dump.stdout)?.contains("(forms pick fixed64 sint64 none)"));
    if !is_installed("protoc-c") {
        assert!(!oracle::in_ci(), "protobuf-c is not installed (make deps)");
        return Ok(());
    }
    run(Command::new("protoc-c")
        .current_dir(here)
        .arg("--c_out=.")
        .arg("-I")
        .arg(&peers)
        .arg(peers.join("forms.proto")))?;
    let mut building = Command::new("gcc");
    building.current_dir(here).args(["-w", "-I."]).arg(peers.join("forms_peer.c"));
    run(building.args(["forms.pb-c.c", "-lprotobuf-c", "-o", "peer"]))?;
    let theirs = said(here, "peer")?;
    assert_eq!(ours, theirs);
    Ok(())
}

#[test]
fn what_has_no_form_is_refused_by_name() -> Outcome {
    let folder = Scratch::new("protobuf-refused")?;
    let x = "struct inner { quadruple q; };\nstruct outer { inner i; };\n";
    for (name, text, code, of) in [
        ("a.x", x, "protobuf-001", "a.x:1:8"),
        ("a.idl", "struct s { @id(0) long x; };\n", "protobuf-002", "`x` of `s`"),
        ("a.idl", "struct s { @id(19500) long x; };\n", "protobuf-002", "`x` of `s`"),
        ("a.idl", "struct s { @id(2) long x; long z; @id(3) long y; };\n", "protobuf-003", "`z` and `y` of `s`"),
        ("a.idl", "struct s { @protobuf(sint32) unsigned long x; };\n", "protobuf-004", "`x` of `s`"),
        ("a.idl", "struct s { @protobuf(sint64) long x; };\n", "protobuf-004", "`x` of `s`"),
        ("a.idl", "struct s { @protobuf(fixed64) double x; };\n", "protobuf-004", "`x` of `s`"),
        ("a.idl", "struct s { @protobuf(sint32) sequence<sequence<long> > x; };\n", "protobuf-004", "`x` of `s`"),
        ("a.idl", "struct s { @protobuf(zigzag) long x; };\n", "idl-051", "`sint32`"),
    ] {
        fs::write(folder.path().join(name), text)?;
        let style = if name == "a.x" { "rpcgen" } else { "corba" };
        let output = whittle(folder.path(), &[name, "--style", style, "--out", "made"]).output()?;
        let said = String::from_utf8(output.stderr)?;
        assert!(output.status.code() == Some(1) && said.contains(code) && said.contains(of), "{name}: {said}");
        assert_eq!(said.matches(code).count(), 1, "{said}");
        assert!(said.contains(&format!("{name}:1:")), "without a place: {said}");
        assert!(!folder.path().join("made").exists(), "{name}");
    }
    Ok(())
}
