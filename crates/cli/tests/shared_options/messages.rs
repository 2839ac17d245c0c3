//! How findings look, and how runs end.

use std::fs::OpenOptions;

use libtest_mimic::Failed;

use crate::{ends, folder, require, whittle};

/// A warning about each file, and an error in one of them.
const WARNS: &str = "check many.x --message-format short";

pub(crate) fn quiet() -> Result<(), Failed> {
    let folder = folder()?;
    // Bytes that are no UTF-8 are worth a warning.
    std::fs::write(folder.path().join("many.x"), b"/* \xff */\nstruct p { int a; };\n")?;
    let (_, said) = ends(&folder, WARNS, 0)?;
    require(said.contains("warning["), &said)?;
    let (_, said) = ends(&folder, &format!("{WARNS} -q"), 0)?;
    require(said.is_empty(), &said)?;
    std::fs::write(folder.path().join("many.x"), b"/* \xff */\nstruct p { int a };\n")?;
    let (_, said) = ends(&folder, &format!("{WARNS} --quiet"), 1)?;
    require(said.contains("error[onc-002]") && !said.contains("warning"), &said)?;
    let (_, said) = ends(&folder, "rpcgen --quiet -h many.x", 1)?;
    require(said.contains("error[onc-002]") && !said.contains("warning"), &said)
}

pub(crate) fn colours() -> Result<(), Failed> {
    let folder = folder()?;
    let is_coloured = |call: &str, variables: &[(&str, &str)]| -> Result<bool, Failed> {
        let output = whittle(folder.path(), call).envs(variables.iter().copied()).output()?;
        Ok(output.stderr.contains(&0x1b) || output.stdout.contains(&0x1b))
    };
    let calls = ["check broken.x", "compile --frob", "specialize --root cube use.c --show-binding-times"];
    for call in calls {
        require(!is_coloured(call, &[])?, call)?;
        require(is_coloured(&format!("{call} --color always"), &[("NO_COLOR", "1")])?, call)?;
        require(is_coloured(&format!("{call} --color=always"), &[("TERM", "dumb")])?, call)?;
        require(is_coloured(call, &[("CLICOLOR_FORCE", "1")])?, call)?;
        require(!is_coloured(call, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])?, call)?;
        require(!is_coloured(&format!("{call} --color never"), &[("CLICOLOR_FORCE", "1")])?, call)?;
    }
    require(is_coloured("rpcgen -h broken.x --color always", &[])?, "rpcgen")
}

/// Every subcommand, with the arguments that it cannot do without.
const EVERY: [&str; 16] = [
    "compile b.x",
    "check b.x",
    "runtime",
    "pipe graph f.spi",
    "pipe explain f.spi",
    "pipe run f.spi",
    "pipe top f",
    "pipe tap f.spi A",
    "pipe show 0.packets f.spi",
    "pipe key",
    "fmt f.spi",
    "specialize use.c",
    "explain",
    "doctor",
    "completions bash",
    "man",
];

pub(crate) fn objects() -> Result<(), Failed> {
    let folder = folder()?;
    let mut calls: Vec<(String, i32)> = EVERY.iter().map(|call| (format!("{call} --frob"), 2)).collect();
    calls.extend(
        [("compile broken.x", 1), ("check b.c", 2), ("pipe explain f.spi --edge X", 1), ("explain no-999", 2)]
            .map(|(call, status)| (call.to_owned(), status)),
    );
    calls.extend(
        [
            ("pipe show nofile f.spi", 1),
            ("pipe top nowhere", 1),
            ("fmt b.x", 2),
            ("rpcgen -Z", 1),
            ("specialize nofile.c", 1),
        ]
        .map(|(call, status)| (call.to_owned(), status)),
    );
    calls.extend(
        [("compile b.x -o power.h", 2), ("check b.x --depfile d", 2), ("pipe tap g.spi NOEDGE", 2)]
            .map(|(call, status)| (call.to_owned(), status)),
    );
    for (call, status) in calls {
        let (_, said) = ends(&folder, &format!("{call} --message-format json"), status)?;
        require(!said.is_empty(), &call)?;
        for line in said.lines() {
            let object: serde_json::Value = serde_json::from_str(line).map_err(|_| format!("{call}: {line}"))?;
            let mut keys: Vec<&str> = object.as_object().ok_or("no object")?.keys().map(String::as_str).collect();
            keys.sort_unstable();
            require(
                keys == ["code", "help", "message", "notes", "others", "place", "severity"],
                &format!("{call}: {line}"),
            )?;
            require(object["severity"] == "error", &format!("{call}: {line}"))?;
        }
    }
    Ok(())
}

/// Files with several faults, a call, and what it says of each.
type Faults = (&'static [(&'static str, &'static str)], &'static str, &'static [&'static str]);

const FAULTS: [Faults; 4] = [
    // A name that nobody defines, and a missing semicolon.
    (
        &[("w.x", "struct s { nowhere a; };\nstruct t { int b };\n")],
        "check w.x",
        &["warning[onc-038]", "error[onc-002]"],
    ),
    // The same, where the broken definition may be the one that is missing.
    (&[("w.x", "struct s { nowhere a; };\ntypedef int = nowhere;\n")], "check w.x", &["error[onc-001]"]),
    // The description, and the file that shapes it.
    (
        &[("w.x", "struct t { int b };\n"), ("w.pres", "strings sometimes;\n")],
        "compile w.x --style plain",
        &["w.x:1:17: error[onc-002]", "w.pres:1:9: error[shape-003]"],
    ),
    // C, and the file that says what functions do.
    (
        &[("w.c", "int f(void) { return }\n"), ("w.txt", "what?\n")],
        "specialize --root f w.c --effects w.txt",
        &["w.c:1", "w.txt:1"],
    ),
];

pub(crate) fn beside_errors() -> Result<(), Failed> {
    for (files, call, expected) in FAULTS {
        let folder = folder()?;
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text)?;
        }
        let (_, said) = ends(&folder, &format!("{call} --message-format short"), 1)?;
        let are_all = expected.iter().all(|part| said.contains(part));
        require(are_all && said.lines().count() == expected.len(), &format!("{call}: {said}"))?;
    }
    Ok(())
}

/// How calls end: all of the three ways, by every subcommand that knows them.
const ENDINGS: [(&str, i32); 34] = [
    ("compile b.x -o out", 0),
    ("compile broken.x", 1),
    ("compile b.x broken.x -o out", 1),
    ("compile nofile.x", 1),
    ("compile b.x -o /proc/none", 1),
    ("compile", 2),
    ("compile b.x --style frob", 2),
    ("compile b.x --style corba --encoding xdr --link mach", 2),
    ("check b.x", 0),
    ("check broken.x", 1),
    ("check b.c broken.x", 2),
    ("runtime -o out", 0),
    ("runtime -o /proc/none", 1),
    ("fmt --check f.spi", 1),
    ("fmt nofile.spi", 1),
    ("fmt b.x", 2),
    ("specialize --root cube use.c", 0),
    ("specialize --root none use.c", 1),
    ("specialize use.c --frob", 2),
    ("explain host-001", 0),
    ("explain host-999", 2),
    ("completions bash", 0),
    ("completions csh", 2),
    ("man -o /proc/none", 1),
    ("pipe graph g.spi", 0),
    ("pipe graph broken.x", 1),
    ("pipe explain g.spi --edge none", 1),
    ("pipe run nofile.spi", 1),
    ("pipe run g.spi --flow none -o out", 2),
    ("pipe top nowhere --once", 1),
    ("pipe tap nofile.spi A", 1),
    ("pipe show nofile g.spi", 1),
    ("pipe key b.x", 1),
    ("frob", 2),
];

pub(crate) fn endings() -> Result<(), Failed> {
    let folder = folder()?;
    ENDINGS.iter().try_for_each(|(call, status)| ends(&folder, call, *status).map(drop))
}

/// Calls that fill standard output.
const FULL: [&str; 8] = [
    "man",
    "help compile",
    "compile b.x --emit aoi",
    "rpcgen -h b.x",
    "pipe graph f.spi",
    "specialize --root cube use.c",
    "explain",
    "doctor",
];

pub(crate) fn full_disk() -> Result<(), Failed> {
    let folder = folder()?;
    for call in FULL {
        let full = OpenOptions::new().write(true).open("/dev/full")?;
        let output = whittle(folder.path(), call).stdout(full).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_once = said.matches("No space left").count() == 1 && !said.contains("os error");
        require(output.status.code() == Some(1) && is_once, &format!("{call}: {said}"))?;
    }
    Ok(())
}

pub(crate) fn help() -> Result<(), Failed> {
    let folder = folder()?;
    for name in ["rpcgen", "compile", "pipe run", "pipe", "doctor"] {
        let (one, _) = ends(&folder, &format!("help {name}"), 0)?;
        let (other, _) = ends(&folder, &format!("{name} --help"), 0)?;
        require(one == other && one.lines().count() > 5, &format!("{name}: {one}"))?;
    }
    // However narrow the terminal is.
    let narrow = |words: &str| whittle(folder.path(), words).env("COLUMNS", "50").output();
    for name in ["rpcgen", "pipe tap"] {
        let [one, other] = [narrow(&format!("help {name}"))?.stdout, narrow(&format!("{name} --help"))?.stdout];
        require(one == other, &String::from_utf8_lossy(&one))?;
    }
    let (rpcgen, _) = ends(&folder, "help rpcgen", 0)?;
    require(rpcgen.contains("-Sc -Ss -Sm") && rpcgen.contains("--depfile"), &rpcgen)
}
