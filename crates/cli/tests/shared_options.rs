//! The options that all subcommands share, from outside: where output goes, what it was made from, what stays untouched,
//! how findings look, how a run ends.

mod shared_options {
    pub(crate) mod builds;
    pub(crate) mod doctor;
    pub(crate) mod messages;
}

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use filetest::oracle;
use filetest::scratch::Scratch;
use libtest_mimic::{Arguments, Failed};
use shared_options::{builds, doctor, messages};

const WHITTLE: &str = env!("CARGO_BIN_EXE_whittle");

/// The files that calls speak of.
const FILES: [(&str, &str); 9] = [
    ("b.x", "struct p { int a; };\nprogram P { version V { p GET(p) = 1; } = 1; } = 0x20000101;\n"),
    ("c.x", "#include \"part.x\"\nstruct c { int a[N]; };\n"),
    ("part.x", "const N = 3;\n"),
    ("broken.x", "struct p { int a };\n"),
    ("sub/b.x", "struct q { int a; };\n"),
    (
        "f.spi",
        "import \"c.x\";\npacket P { c x; } pipe A { out P o; middle a; } pipe B { in P i; middle b; } flow f { A -> B; }\n",
    ),
    ("g.spi", "packet P { int32 x; } pipe A { out P o; middle a; } pipe B { in P i; middle b; } flow g { A -> B; }\n"),
    ("use.c", "#include \"power.h\"\nunsigned cube(unsigned x) { return power(x, 3); }\n"),
    (
        "power.h",
        "static unsigned power(unsigned b, unsigned e) { unsigned r = 1; while (e-- > 0) r *= b; return r; }\n",
    ),
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    let mut own = |name: &str, test: fn() -> Result<(), Failed>| {
        trials.push(oracle::trial(name.to_owned(), &["cpp"], test));
    };
    own("one output goes to a file, into a folder, or to standard output", one_output);
    own("several outputs go into a folder", several_outputs);
    own("several inputs are compiled each by itself", several_inputs);
    own("two inputs never write one file", one_file_of_two);
    own("old names work with a note", old_names);
    own("dependencies are what was read", builds::dependencies);
    own("make builds again what an included file changes", builds::make_builds_again);
    own("names may hold what means something to make", builds::odd_names);
    own("outputs that would not change stay untouched", builds::unchanged_outputs);
    own("quiet leaves errors alone", messages::quiet);
    own("colours are where they are wanted", messages::colours);
    own("every subcommand's faults are objects for programs", messages::objects);
    own("warnings and later faults stand beside errors", messages::beside_errors);
    own("every subcommand ends as the page says", messages::endings);
    own("a full disk is reported once", messages::full_disk);
    own("both ways to help say the same", messages::help);
    own("the doctor sees what is on the path", doctor::path);
    own("the doctor says what to install", doctor::missing);
    trials.push(oracle::trial(
        "ninja builds again what changes, and no more",
        &["cpp", "ninja"],
        builds::ninja_builds_again,
    ));
    libtest_mimic::run(&arguments, trials).exit();
}

fn folder() -> Result<Scratch, Failed> {
    let folder = Scratch::new("shared")?;
    fs::create_dir(folder.path().join("sub"))?;
    for (name, text) in FILES {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

fn whittle(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(WHITTLE);
    command.args(words.split_whitespace()).current_dir(folder).stdin(Stdio::null());
    for name in ["CPP", "NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(name);
    }
    command
}

fn run(folder: &Scratch, words: &str) -> Result<Output, Failed> {
    Ok(whittle(folder.path(), words).output()?)
}

/// The same for a call that must end with this status; what it says on both channels.
fn ends(folder: &Scratch, words: &str, status: i32) -> Result<(String, String), Failed> {
    let output = run(folder, words)?;
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    require(output.status.code() == Some(status), &format!("{words}: {:?}\n{out}{err}", output.status.code()))?;
    Ok((out, err))
}

fn require(condition: bool, what: &str) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(what.into()) }
}

fn names(folder: &Path) -> Vec<String> {
    let files = filetest::golden::files_below(folder).into_iter();
    files.filter_map(|file| Some(file.strip_prefix(folder).ok()?.display().to_string())).collect()
}

/// A call that makes one text, the name of that text in a folder, and whether it may be shown instead.
const ONE: [(&str, &str); 9] = [
    ("compile b.x --emit aoi", "b.aoi"),
    ("pipe graph f.spi", "f.svg"),
    ("pipe graph f.spi --format dot", "f.dot"),
    ("pipe explain f.spi g.spi", "f.txt"),
    ("explain host-001 host-002", "host-001.txt"),
    ("completions zsh", "_whittle"),
    ("man", "whittle.1"),
    ("specialize --root cube use.c", "use.c"),
    ("fmt f.spi", "f.spi"),
];

fn one_output() -> Result<(), Failed> {
    let folder = folder()?;
    for (call, name) in ONE {
        let (shown, _) = ends(&folder, &format!("{call} -o -"), 0)?;
        require(!shown.is_empty(), call)?;
        for (path, file) in
            [("made.txt", "made.txt".to_owned()), ("new/er/", format!("new/er/{name}")), ("sub", format!("sub/{name}"))]
        {
            let (beside, _) = ends(&folder, &format!("{call} -o {path}"), 0)?;
            let written = fs::read_to_string(folder.path().join(&file))
                .map_err(|problem| format!("{call}: {file}: {problem}"))?;
            require(beside.is_empty() && written == shown, &format!("{call} -o {path}: {beside}{written}"))?;
        }
    }
    ends(&folder, "check b.x c.x -o stamp", 0)?;
    require(fs::read(folder.path().join("stamp"))?.is_empty(), "a stamp is empty")?;
    ends(&folder, "check b.x broken.x -o bad", 1)?;
    require(!folder.path().join("bad").exists(), "a stamp in spite of an error")?;
    ends(&folder, "pipe key -o key/", 0)?;
    require(folder.path().join("key/flow.key").exists(), "no key")?;
    ends(&folder, "pipe key key/flow.key", 1).map(drop)
}

fn several_outputs() -> Result<(), Failed> {
    let folder = folder()?;
    for call in ["compile b.x", "compile g.spi", "runtime", "pipe graph f.spi g.spi"] {
        let (_, said) = ends(&folder, &format!("{call} -o power.h"), 2)?;
        require(said.contains("power.h is a file") && said.contains("such as power.h.d/"), &said)?;
        let (_, said) = ends(&folder, &format!("{call} -o -"), 2)?;
        require(said.contains("name a folder with -o"), &said)?;
        ends(&folder, &format!("{call} --out made/by/it/"), 0)?;
        ends(&folder, &format!("{call} --out sub"), 0)?;
    }
    let made = names(&folder.path().join("made"));
    for name in ["b.h", "Makefile", "whittle_net.c", "f.svg", "g.svg"] {
        require(made.contains(&format!("by/it/{name}")), &format!("{name}: {made:?}"))?;
    }
    Ok(())
}

fn several_inputs() -> Result<(), Failed> {
    let folder = folder()?;
    let (_, said) = ends(&folder, "compile b.x broken.x c.x nofile.x --out out --message-format short", 1)?;
    require(said.contains("broken.x:1:") && said.contains("nofile.x: No such file"), &said)?;
    let made = names(&folder.path().join("out"));
    require(made == ["b.h", "b_clnt.c", "b_svc.c", "b_xdr.c", "c.h", "c_xdr.c"], &format!("{made:?}"))?;
    // One command line at fault: nothing is done for the others.
    ends(&folder, "compile b.x b.defs --out none", 2)?;
    require(!folder.path().join("none").exists(), "made for nothing")?;
    // Each is as if compiled alone, and a run time is there once.
    ends(&folder, "compile b.x c.x --style plain --out both", 0)?;
    ends(&folder, "compile b.x --style plain --out one", 0)?;
    ends(&folder, "compile c.x --style plain --out one", 0)?;
    let read = |name: &str| {
        names(&folder.path().join(name))
            .into_iter()
            .map(|file| fs::read(folder.path().join(name).join(file)))
            .collect::<Result<Vec<_>, _>>()
    };
    require(
        names(&folder.path().join("both")) == names(&folder.path().join("one")) && read("both")? == read("one")?,
        "they differ",
    )?;
    let (out, _) = ends(&folder, "explain host-001 onc-001", 0)?;
    require(out.starts_with("host-001:") && out.contains("\nonc-001:"), &out)
}

fn one_file_of_two() -> Result<(), Failed> {
    let folder = folder()?;
    let (_, said) = ends(&folder, "compile b.x sub/b.x --out out", 2)?;
    require(said.contains("b.x and sub/b.x would both write out/b"), &said)?;
    let (_, said) = ends(&folder, "compile f.spi g.spi --out out", 1)?;
    require(said.contains("host-010") && !folder.path().join("out").exists(), &said)?;
    let (_, said) = ends(&folder, "compile - - --out out", 2)?;
    require(said.contains("given twice"), &said)
}

fn old_names() -> Result<(), Failed> {
    let folder = folder()?;
    let calls = [
        "specialize --root cube use.c --output x.c",
        "compile b.x --style plain --link onc-tcp --out out",
        "pipe explain g.spi A",
    ];
    for call in calls {
        let (_, said) = ends(&folder, call, 0)?;
        require(said.starts_with("note: ") && said.contains("next release"), &format!("{call}: {said}"))?;
        let (_, said) = ends(&folder, &format!("{call} --quiet"), 0)?;
        require(said.is_empty(), &said)?;
    }
    Ok(())
}
