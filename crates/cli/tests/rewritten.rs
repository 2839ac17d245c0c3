//! Recipes that rewrite what rpcgen wrote, as Debian's packages have them: the same is done to whittle's output and to rpcgen's,
//! and programs made of either say the same. `tests/packages/rewriting/` has the recipes.

use std::fs;
use std::path::Path;
use std::process::Command;

use filetest::oracle;
use filetest::scratch::Scratch;

const PREFERENCES: [&str; 3] = ["speed", "balance", "size"];

/// Who writes: rpcgen where it is installed, and whittle in each of its ways.
fn writers() -> Vec<String> {
    let peer = oracle::find("rpcgen").map(|path| path.display().to_string());
    assert!(peer.is_some() || !oracle::in_ci(), "rpcgen: not installed (make deps)");
    let own =
        PREFERENCES.iter().map(|what| format!("{} rpcgen --quiet --prefer {what}", env!("CARGO_BIN_EXE_whittle")));
    peer.into_iter().chain(own).collect()
}

/// A folder with the files of the recipes.
fn folder(name: &str) -> Scratch {
    let out = Scratch::new(name).expect("a scratch folder");
    let recipes = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/packages/rewriting");
    for entry in fs::read_dir(recipes).expect("the recipes").flatten() {
        out.copy(&entry.path()).expect("a copy");
    }
    out
}

/// Runs a shell's lines; what they print.
fn shell(folder: &Path, lines: &str, writer: &str) -> String {
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args(["-e", "-c", lines]).env("WRITER", writer);
    let output = oracle::succeed(&mut shell).expect("the recipe");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// All writers' programs print the same; some lines of it are asked for.
fn all_agree(name: &str, lines: &str, expected: &[&str]) {
    let out = folder(name);
    let said: Vec<(String, String)> =
        writers().into_iter().map(|writer| (writer.clone(), shell(out.path(), lines, &writer))).collect();
    for (writer, text) in &said {
        assert_eq!(text, &said[0].1, "{writer}");
        assert!(expected.iter().all(|part| text.contains(part)), "{writer}: {text}");
    }
}

/// libnfs's do: its library has neither operations of streams nor `XDR_FREE`.
#[test]
fn another_library_stands_in_place_of_the_usual_one() {
    let lines = "for kind in h c; do $WRITER -$kind whole.x | sed -e 's,<rpc/rpc.h>,\"tiny.h\",' -e s/xdr/zdr/g -e s/XDR/ZDR/g \
                 -e s/bool_t/uint32_t/g > whole.$kind; done; gcc -w -o tiny whole.c tiny.c; ./tiny";
    all_agree("rewritten-library", lines, &["123456789abcdef0"]);
}

/// What is called for each part asks the compiler for no more than rpcgen's does.
#[test]
fn calls_of_another_library_are_silent() {
    let out = folder("rewritten-silent");
    for writer in &writers()[writers().len() - PREFERENCES.len()..] {
        let lines = "(cat whole.x; echo '%#undef XDR_PUTBYTES') > all.x; for kind in h c; do $WRITER -$kind all.x > all.$kind; done
                     for language in c c++; do gcc -x $language -Wall -Wextra -Wmissing-declarations -Wno-cast-function-type -Werror \
                     -isystem /usr/include/tirpc -c -o all.o all.c; done; nm all.o";
        let symbols = shell(out.path(), lines, writer);
        assert!(symbols.contains("T xdr_whole") || symbols.contains("xdr_string"), "{symbols}");
        assert!(!symbols.contains("whittle"), "{symbols}");
    }
}

/// MySQL's do: several versions are one file, and code is put where a routine returns.
#[test]
fn routines_get_suffixes_and_code_before_they_return() {
    let lines = "rm -f pairs_xdr.c; $WRITER -DVERSION=101 -C -h pairs.x > pairs.h
                 add() { cmake -DRPCGEN=\"$WRITER\" -DVERSION=$1 -DSUFFIX=$2 -DFROM=pairs.x -DTO=pairs_xdr.c -P suffix.cmake; }
                 for name in pair pairs node words; do for suffix in _1_0 _1_1; do
                 echo \"extern bool_t xdr_$name$suffix(XDR *, $name *);\" >> pairs.h; done; done
                 add 100 _1_0; add 101 _1_1; add 101 ''
                 gcc -w $(pkg-config --cflags libtirpc) -o versions versions.c $(pkg-config --libs libtirpc); ./versions";
    all_agree("rewritten-versions", lines, &["one 10 17 0 two 20 27 0", "one 10 11 2 two 20 21 0"]);
}

/// libvirt's and libguestfs's do: what strict compilers say of rpcgen's routines is edited away, line by line.
#[test]
fn routines_are_made_ready_for_strict_compilers() {
    let warnings = "-std=gnu99 -Wall -Wextra -Wshadow -Wcast-align -Wpointer-arith -Wwrite-strings -Wstrict-aliasing \
                    -Wdeclaration-after-statement -Wmissing-prototypes -Wmissing-declarations -Wframe-larger-than=4096 -Winline \
                    -Wnull-dereference -Wlogical-op -Wno-sign-compare -Wno-unused-parameter -Wno-cast-function-type -Werror";
    let lines = "touch config.h; $WRITER -h record.x | awk -f strict.awk > record.h
                 (echo '#include <config.h>'; $WRITER -c record.x | awk -f strict.awk) > record_xdr.c; for level in 0 2 3; do
                 gcc WARNINGS -O$level -I. $(pkg-config --cflags libtirpc) -o record record.c record_xdr.c $(pkg-config --libs libtirpc)
                 ./record; done";
    all_agree("rewritten-strict", &lines.replace("WARNINGS", warnings), &["0123456789abcdef"]);
}

/// krb5's do: `sed` looks for the line on which a function's name stands, without the result's type.
#[test]
fn heads_of_functions_stand_on_the_lines_of_rpcgen() {
    let lines = "cat > calls.x <<'END'
struct pair { int a; string b<>; };
typedef pair pairs<5>;
program CALLS { version FIRST { pair *ASK(pair) = 1; void TELL(pairs) = 2; string SAY(void) = 3; } = 1; } = 0x20000123;
END
                 for flags in -c -l -m '-s tcp' -Ss -Sc '-N -l' '-N -m' '-M -N -m' '-M -Ss'; do
                 echo \"of $flags\"; $WRITER $flags calls.x | sed 's/^exit (.*//' | grep -oE '^[a-z_0-9]+ ?\\(' | sed \"s/^/$flags /\" | sort -u; done";
    let out = folder("rewritten-heads");
    let lines = lines.replace("pair *ASK(pair)", "pair ASK(pair)");
    let mut said = Vec::new();
    for writer in writers() {
        said.push((shell(out.path(), &lines, &writer), writer));
    }
    let (first, _) = &said[0];
    assert!(first.contains("xdr_pair (") && first.contains("calls_1(") && first.contains("ask_1_svc("), "{first}");
    for (text, writer) in &said {
        let missing: Vec<&str> = first.lines().filter(|line| !text.lines().any(|other| other == *line)).collect();
        assert!(missing.is_empty(), "{writer}: {missing:?}\n{text}");
    }
}
