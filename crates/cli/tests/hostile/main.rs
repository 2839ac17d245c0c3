//! Descriptions, names of files and file systems that mean harm. In: texts that would be C, make, shell, CMake, XML or JSON if they
//! were passed on as they stand; links, devices and signals at bad moments. Out: nothing foreign is included, run or replaced.

mod folders;
mod includes;
mod interrupted;
mod names;
mod options;
mod temporaries;
mod texts;

use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};

pub(crate) const WHITTLE: &str = env!("CARGO_BIN_EXE_whittle");

pub(crate) type Outcome<T = ()> = Result<T, Failed>;

/// Parts of names and texts. Whatever runs one of them makes a file `OWNED`; `evil.h` does not compile.
pub(crate) const PAYLOADS: [&str; 44] = [
    "a b",
    "a\tb",
    "*/ int evil = ; /*",
    "*\\",
    "//",
    "a\\",
    "a\\\n",
    "a\n#include \"evil.h\"\n",
    "a\"\n#include \"evil.h",
    "a\r#error evil",
    "a\"b",
    "a'b",
    "a>b",
    "$(shell touch OWNED)",
    "$(touch OWNED)",
    "${touch}",
    "$$(touch OWNED)",
    "`touch OWNED`",
    "a;touch OWNED",
    "a|touch OWNED",
    "a&touch OWNED&",
    "a\n\ttouch OWNED\n",
    "all: ; touch OWNED",
    "a#b",
    "a\\#b",
    "a%b",
    "a=b",
    "a*b?c[d]",
    "~",
    "-o OWNED",
    "-DOWNED",
    "@args",
    "{a,b}",
    "a)\nexecute_process(COMMAND touch OWNED)\n(",
    "$<1:x>;$ENV{HOME}",
    "]]><script>alert(1)</script>&amp;\"'",
    "--><!DOCTYPE x [",
    "%%{init: {}}%% `x`",
    "??/",
    "*??/",
    "\u{202e}h.a\u{2066}",
    "\u{2217}\u{2215} \u{ff0a}\u{ff0f}",
    "\u{1b}[2J\u{7}\u{9b}1m",
    "{{}}%s%n\\u{41}",
];

fn main() {
    let arguments = Arguments::from_args();
    let mut trials = Vec::new();
    trials.extend(names::trials());
    trials.extend(texts::trials());
    trials.extend(options::trials());
    trials.extend(folders::trials());
    trials.extend(includes::trials());
    trials.extend(interrupted::trials());
    trials.extend(temporaries::trials());
    libtest_mimic::run(&arguments, trials).exit();
}

pub(crate) fn trial(name: &str, test: fn() -> Outcome) -> Trial {
    Trial::test(name, test)
}

/// A part of the payloads, another one for each test; all of them in a soak.
pub(crate) fn some(test: usize) -> impl Iterator<Item = &'static str> {
    let is_all = filetest::oracle::is_soak();
    PAYLOADS.into_iter().enumerate().filter(move |(at, _)| is_all || at % 8 == test % 8).map(|(_, payload)| payload)
}

/// What a call said and how it ended.
#[derive(Debug)]
pub(crate) struct Said {
    pub(crate) status: Option<i32>,
    pub(crate) output: String,
    pub(crate) errors: String,
}

impl Said {
    pub(crate) fn is_done(&self) -> bool {
        self.status == Some(0)
    }
}

/// Calls whittle, which never panics and ends with one of its own statuses.
pub(crate) fn whittle<S: AsRef<OsStr>>(folder: &Path, arguments: &[S]) -> Outcome<Said> {
    let said = run(Command::new(WHITTLE).args(arguments), folder)?;
    let shown = || arguments.iter().map(|word| format!("{:?} ", word.as_ref())).collect::<String>();
    require(matches!(said.status, Some(0..=2)) && !said.errors.contains("panicked"), || {
        format!("{}: {said:?}", shown())
    })?;
    require(!said.errors.contains(['\u{1b}', '\u{7}', '\u{9b}', '\u{202e}']), || format!("{}: {said:?}", shown()))?;
    require(said.is_done() || !said.errors.is_empty(), || format!("{}: ends without a word", shown()))?;
    Ok(said)
}

pub(crate) fn run(command: &mut Command, folder: &Path) -> Outcome<Said> {
    let output = command.current_dir(folder).stdin(Stdio::null()).output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ok(Said { status: output.status.code(), output: text(&output.stdout), errors: text(&output.stderr) })
}

pub(crate) fn require(condition: bool, what: impl FnOnce() -> String) -> Outcome {
    if condition { Ok(()) } else { Err(what().into()) }
}

/// Nothing of a payload ran, here or in the folders of outputs.
pub(crate) fn is_untouched(folder: &Path, what: &str) -> Outcome {
    let found = filetest::golden::files_below(folder).into_iter().find(|path| path.ends_with("OWNED"));
    require(found.is_none(), || format!("{what:?} made {found:?}"))
}

/// Each C file below a folder is C for gcc and clang, also with trigraphs.
pub(crate) fn compiles(folder: &Path, what: &str) -> Outcome {
    let sources =
        filetest::golden::files_below(folder).into_iter().filter(|path| path.extension() == Some(OsStr::new("c")));
    let sources: Vec<_> = sources.collect();
    let tirpc = filetest::oracle::flags_of("libtirpc", "--cflags");
    for (compiler, standard) in [("gcc", "-std=c11"), ("clang", "-std=gnu11")] {
        let mut command = Command::new(compiler);
        command.args([standard, "-fsyntax-only", "-D_GNU_SOURCE", "-Wno-trigraphs", "-I."]).args(&tirpc);
        let said = run(command.args(sources.iter().map(|path| std::path::absolute(path).unwrap_or_default())), folder)?;
        require(said.is_done(), || format!("{what:?}: {compiler}: {}", said.errors))?;
    }
    is_untouched(folder, what)
}
