//! Names that C's headers and the ORB's have taken: reported where they stand, and those that are free do compile.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use filetest::programs::{Outcome, run};
use filetest::scratch::Scratch;

use crate::compiled;

/// Names that others have, in places where C does not mind.
const FREE: &str = "module Free {
  typedef unsigned long size_t;
  struct Times { long exit; long index; string free; sequence<string> memset; };
  enum End { abort, stdin };
  const long EOF = 3;
  interface exit {
    attribute long quit;
    void timer(in long memset, in string NULL, inout long errno, out long memcpy, in long free, in long strlen, in long index,
               in long select, in long ev, in long stdin, in long alloca, in long int, in long unix, in long at);
    string memset(in string strcmp, in long whittle_reply);
  };
};\n";

#[test]
fn names_that_are_free_compile() -> Outcome {
    let folder = Scratch::new("corba-free-names")?;
    let file = folder.path().join("free.idl");
    fs::write(&file, FREE)?;
    run(Command::new(env!("CARGO_BIN_EXE_whittle")).arg("compile").arg(file).arg("--out").arg(folder.path()))?;
    for part in ["common", "stubs", "skels"] {
        let mut gcc = Command::new("gcc");
        gcc.args(["-std=gnu11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"]);
        for header in ["errno.h", "math.h", "pthread.h", "signal.h", "stdio.h", "time.h", "unistd.h"] {
            gcc.args(["-include", header]);
        }
        run(gcc.arg(folder.path().join(format!("free-{part}.c"))))?;
    }
    Ok(())
}

/// What the ORB's headers declare is known to be taken, all of it.
#[test]
fn names_of_the_orb_are_known() -> Outcome {
    let folder = compiled("corba-names-of-the-orb", &[])?;
    let lists = ["declared.txt", "macros.txt"]
        .map(|list| format!("{}/../present/src/library/{list}", env!("CARGO_MANIFEST_DIR")));
    let mut known = BTreeSet::new();
    for list in lists {
        known.extend(fs::read_to_string(list)?.lines().filter_map(|line| Some(line.split(' ').next()?.to_owned())));
    }
    for header in ["whittle_corba.h", "whittle_giop.h"] {
        let text = fs::read_to_string(folder.path().join(header))?;
        let code: String =
            text.split("/*").map(|part| part.split_once("*/").map_or(part, |(_, behind)| behind)).collect();
        let names = code.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let of_the_orb = |name: &&str| name.starts_with("CORBA_") || name.starts_with("PortableServer_");
        // What macros put together ends in an underscore; tables of functions are members.
        let missing: BTreeSet<&str> = names
            .filter(of_the_orb)
            .filter(|name| !name.ends_with('_') && !name.ends_with("_epv"))
            .filter(|name| !known.contains(*name))
            .collect();
        assert!(missing.is_empty(), "{header} declares what crates/present/src/library does not list: {missing:?}");
    }
    Ok(())
}

/// Each with the code that its whole file gets, and nothing else.
const TAKEN: [(&str, &str); 11] = [
    ("typedef unsigned long size_t;", "corba-108"),
    ("struct timeval { long a; };", "corba-108"),
    ("struct Limits { long INT_MAX; };", "corba-108"),
    ("enum Kind { system, user };", "corba-108"),
    ("interface exit {};", "corba-108"),
    ("interface I { void NULL(); };", "corba-108"),
    ("interface I { void alloca(); };", "corba-108"),
    ("module CORBA { struct Environment { long a; }; };", "corba-108"),
    ("struct Failure { long errno; };", "corba-109"),
    ("interface FILE {};", "corba-109"),
    ("interface timer { void create(); };", "corba-110"),
];

#[test]
fn names_that_are_taken_are_reported() -> Outcome {
    let folder = Scratch::new("corba-taken-names")?;
    let file = folder.path().join("taken.idl");
    for (text, code) in TAKEN {
        fs::write(&file, format!("{text}\n"))?;
        let mut whittle = Command::new(env!("CARGO_BIN_EXE_whittle"));
        let output = whittle.arg("check").arg(&file).args(["--message-format", "short"]).output()?;
        let said = String::from_utf8(output.stderr)?;
        let is_warning = code == "corba-109";
        assert!(said.matches('[').count() == 1 && said.contains(&format!("[{code}]")), "{text}: {said}");
        assert!(output.status.success() == is_warning && said.contains("taken.idl:1:"), "{text}: {said}");
    }
    Ok(())
}
